"""Graphs that are hard for (nearly) every method, from what the methods said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.class_titles import known_titles
from graphrings.report.rendering import Line, Sheet
from graphrings.report.section import Drawing, Group, Shown
from graphrings.report.tables import Comparison
from graphrings.results.record import DatasetCard, Record
from graphrings.tasks.predictions import Predictions

MOST = 20  # graphs that are shown of a dataset
DRAWN = 12  # of them as pictures
NEARLY = 0.9  # of the tests of a method, and of many methods


@dataclass(frozen=True)
class Answers:
    """What all methods said of the graphs of a dataset; arrays have an entry per graph.

    ``errors[i]`` is the mean error of method i over its tests of a graph, NaN where it has none.
    """

    graphs: NDArray[np.int32]
    truth: NDArray[Any]
    errors: NDArray[np.float64]
    n_tests: NDArray[np.int64]
    n_wrong: NDArray[np.int64]
    mean_prediction: NDArray[np.float64]
    votes: NDArray[np.int64]  # a column per class


@dataclass(frozen=True)
class HardGraphs:
    """The places in ``answers`` of hard graphs, the hardest first."""

    answers: Answers
    places: NDArray[np.int64]


def answers(records: Sequence[Record], dataset: str) -> Answers | None:
    """Put together what the records say of a dataset; None without predictions."""
    held = [(r.cell.method, r.test) for r in records if r.cell.dataset == dataset and r.test]
    if not held:
        return None
    names = list(dict.fromkeys(method for method, _ in held))
    method = np.concatenate([np.full(len(test), names.index(name)) for name, test in held])

    def joined(part: Callable[[Predictions], NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([part(test) for _, test in held])

    graphs, first, graph = np.unique(
        joined(lambda test: test.graphs), return_index=True, return_inverse=True
    )
    predicted, error = joined(lambda test: test.predicted), joined(lambda test: test.errors)
    shape = len(names), len(graphs)
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (method, graph), error)
    np.add.at(counts, (method, graph), 1)
    votes = np.zeros((len(graphs), max(test.n_classes for _, test in held)), dtype=np.int64)
    if votes.size:
        np.add.at(votes, (graph, predicted), 1)
    n_tests = np.bincount(graph)
    return Answers(
        graphs=graphs,
        truth=joined(lambda test: test.truth)[first],
        errors=np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0),
        n_tests=n_tests,
        n_wrong=np.bincount(graph, error > 0).astype(np.int64),
        mean_prediction=np.bincount(graph, predicted) / n_tests,
        votes=votes,
    )


def needed(n_methods: int) -> int:
    """How many methods must fail: all of one or two, all but one of more, 90 % of many."""
    return n_methods if n_methods < 3 else n_methods - max(1, int((1 - NEARLY) * n_methods + 1e-9))


def often_wrong(said: Answers) -> HardGraphs:
    """Graphs whose class nearly every method gets wrong in nearly all of its tests."""
    n_methods = np.isfinite(said.errors).sum(axis=0)
    failing = (said.errors >= NEARLY).sum(axis=0)
    wanted = np.array([needed(int(n)) for n in n_methods])
    order = np.lexsort((said.graphs, -said.n_wrong / said.n_tests))
    return HardGraphs(said, order[(failing >= wanted)[order]])


def furthest(said: Answers) -> HardGraphs:
    """All graphs, those with the largest mean absolute error over the methods first."""
    return HardGraphs(said, np.lexsort((said.graphs, -np.nanmean(said.errors, axis=0))))


def wrong_graphs(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The section of graphs whose class nearly nobody gets right."""
    words = (
        "Such a graph is taken for another class by all methods but one (by both of two, by "
        f"{100 * NEARLY:.0f} % of many), each in at least {100 * NEARLY:.0f} % of its tests: its "
        "class may be wrong, or cannot be seen in its structure. Twins are graphs that no method "
        "can tell apart. Graphs are numbered from 0 in the order of their dataset."
    )
    return Shown(words, _groups(comparison, records, _wrong_group))


def largest_errors(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The section of graphs whose value the methods miss by most."""
    words = (
        "Graphs by their absolute error, averaged over the tests of a method and then over the "
        "methods. Graphs are numbered from 0 in the order of their dataset."
    )
    return Shown(words, _groups(comparison, records, _error_group))


def _groups(
    comparison: Comparison,
    records: Sequence[Record],
    group: Callable[[DatasetCard, Answers], Group],
) -> tuple[Group, ...]:
    said = ((card, answers(records, card.name)) for card in comparison.card.datasets)
    return tuple(group(card, one) for card, one in said if one)


def _wrong_group(card: DatasetCard, said: Answers) -> Group:
    hard = often_wrong(said)
    names = known_titles(card.fingerprint, card.class_names, card.class_counts)
    rows, drawings = [], []
    for place in hard.places[:MOST]:
        vote = int(said.votes[place].argmax())
        failing = int((said.errors[:, place] >= NEARLY).sum())
        asked = int(np.isfinite(said.errors[:, place]).sum())
        wrong = f"{said.n_wrong[place]:,} of {said.n_tests[place]:,}"
        rows.append(
            (
                str(said.graphs[place]),
                names[said.truth[place]],
                f"{names[vote]} ({said.votes[place, vote]:,} times)",
                wrong,
                f"{failing} of {asked}",
            )
        )
        caption = f"Said {names[vote]}; wrong in {wrong} tests"
        drawings.append(Drawing(int(said.graphs[place]), caption))
    headings = ("Graph", "Class", "Said most", "Wrong tests", "Failing methods")
    n = len(hard.places)
    caption = f"{card.name}: {n:,} of {len(said.graphs):,} graphs{_first(n)}"
    sheet = _sheet(caption, headings, rows)
    return Group(card.name, sheet=sheet, drawings=tuple(drawings[:DRAWN]))


def _error_group(card: DatasetCard, said: Answers) -> Group:
    hard = furthest(said)
    rows = [
        (
            str(said.graphs[place]),
            f"{said.truth[place]:.4g}",
            f"{said.mean_prediction[place]:.4g}",
            f"{np.nanmean(said.errors[:, place]):.4g}",
            f"{said.n_tests[place]:,}",
        )
        for place in hard.places[:MOST]
    ]
    headings = ("Graph", "Value", "Mean prediction", "Mean absolute error", "Tests")
    n = len(hard.places)
    sheet = _sheet(f"{card.name}: {n:,} graphs{_first(n)}", headings, rows)
    drawings = tuple(
        Drawing(int(row[0]), f"Value {row[1]}, predicted {row[2]} on average")
        for row in rows[:DRAWN]
    )
    return Group(card.name, sheet=sheet, drawings=drawings)


def _first(n: int) -> str:
    return f"; the first {MOST}" if n > MOST else ""


def _sheet(caption: str, headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Sheet:
    lines = tuple(tuple((Line(word),) for word in row) for row in rows)
    return Sheet("hard", caption, headings, lines)
