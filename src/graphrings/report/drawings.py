"""Graphs that a page draws, with the twins that no method can tell from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from graphrings.errors import GraphRingsError, MissingLibraryError
from graphrings.graphs.catalogue import lookup
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.drawing.draw import draw
from graphrings.graphs.drawing.page import examples, target_name
from graphrings.report.section import Group
from graphrings.report.words import and_list
from graphrings.results.record import DatasetCard, ExperimentCard

Find = Callable[[DatasetCard], Dataset | None]
LARGEST = 200  # nodes of a graph that is drawn
MOST_TWINS = 4  # named
WIDTH = 200


class DrawnGraph(NamedTuple):
    """A picture of a graph, its number and target, and more lines about it."""

    svg: Markup
    title: str
    lines: tuple[str, ...]


def at_hand(datasets: Iterable[Dataset] = ()) -> Find:
    """Find datasets among these, in the package, in the user's folder and in the cache.

    Nothing is downloaded, and nothing is taken whose fingerprint is another.
    """
    given = {dataset.fingerprint: dataset for dataset in datasets}

    @cache
    def find(card: DatasetCard) -> Dataset | None:
        if card.fingerprint in given:
            return given[card.fingerprint]
        try:
            entry = lookup(card.name)
            if entry.fingerprints and card.fingerprint not in entry.fingerprints:
                return None
            from graphrings.graphs.load import locate, read_checked  # compiled: it takes a moment

            path = locate(entry)
            dataset = None if path is None else read_checked(path, entry)
        except (GraphRingsError, OSError):
            return None  # a dataset of another kind by the same name
        return dataset if dataset is not None and dataset.fingerprint == card.fingerprint else None

    return find


def example_graphs(card: DatasetCard, find: Find) -> list[DrawnGraph]:
    """A few graphs of every class, or from the smallest value to the largest."""
    dataset = find(card)
    if dataset is None:
        return []
    chosen = [i for i in examples(dataset).tolist() if dataset.sizes[i] <= LARGEST]
    try:
        return [_drawn(dataset, graph) for graph in chosen]
    except MissingLibraryError:
        return []


def drawn_graphs(card: ExperimentCard, group: Group, find: Find) -> list[DrawnGraph]:
    """The graphs of a group as pictures; none without the dataset or the library that draws."""
    if not group.drawings:
        return []
    dataset = find(next(one for one in card.datasets if one.name == group.name))
    if dataset is None:
        return []
    small = [one for one in group.drawings if dataset.sizes[one.graph] <= LARGEST]
    try:
        drawn = [_drawn(dataset, one.graph) for one in small]
    except MissingLibraryError:
        return []
    from graphrings.distances.audit import twin_groups  # compiled too

    twins = twin_groups(dataset)
    return [
        picture._replace(lines=(one.caption, twin_words(dataset, twins, one.graph)))
        for one, picture in zip(small, drawn, strict=True)
    ]


def _drawn(dataset: Dataset, graph: int) -> DrawnGraph:
    """A graph with its number and target."""
    kind = "class" if dataset.class_names else "value"
    return DrawnGraph(
        Markup(str(draw(dataset[graph], width=WIDTH))),  # noqa: S704, names in it are escaped
        f"Graph {graph}, {kind} {target_name(dataset, graph)}",
        (),
    )


def twin_words(dataset: Dataset, twins: NDArray[np.int32], graph: int) -> str:
    """Which other graphs cannot be told from one, and whether their targets are others."""
    others = np.flatnonzero(twins == twins[graph])
    others = others[others != graph]
    if not len(others):
        return "No twin"
    assert dataset.targets is not None
    conflicting = others[dataset.targets[others] != dataset.targets[graph]]
    if not len(conflicting):
        return f"Twin of {_numbers(others)}, alike in target"
    named = [f"{i} ({target_name(dataset, i)})" for i in conflicting[:MOST_TWINS].tolist()]
    return f"Conflict: a twin of {_more(named, len(conflicting))}; nobody can get both right"


def _numbers(graphs: NDArray[np.intp]) -> str:
    return _more([str(i) for i in graphs[:MOST_TWINS].tolist()], len(graphs))


def _more(named: list[str], n: int) -> str:
    return and_list(named) if n <= len(named) else f"{', '.join(named)} and {n - len(named)} more"
