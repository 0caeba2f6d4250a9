"""Explanations as files: a page, a table, a picture. A new kind is an entry in the list."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from graphrings.errors import SettingError
from graphrings.explanations.bars import longest_bar, ring_bars
from graphrings.explanations.explanation import Explanation
from graphrings.explanations.page import page
from graphrings.explanations.summary import distance_names, folded, shown_output, surest
from graphrings.graphs.drawing.page import target_name
from graphrings.graphs.drawing.svg import Svg
from graphrings.whole_files import whole_file

COLUMNS = ("graph", "output", "part", "number", "other", "label", "contribution")
WIDTH, BELOW, SPACE = 300.0, 24.0, 16.0  # of a picture among others, in pixels
A_ROW = 4  # pictures
DRAWN = 12


def write(explanation: Explanation, path: Path, graphs: Sequence[int] | None = None) -> None:
    """Write a file of the kind that its ending names; ``graphs`` are those to draw or to list."""
    make = kind_of(path)
    text = make(explanation, graphs)
    with whole_file(path) as place:
        place.write_text(text, encoding="utf-8", newline="")


def kind_of(path: Path) -> Callable[[Explanation, Sequence[int] | None], str]:
    """What is written to a file."""
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise SettingError(f"{path}: an unknown ending; expected one of {', '.join(KINDS)}")
    return kind


def table(explanation: Explanation, graphs: Sequence[int] | None = None) -> str:
    """One line for every node, edge, distance, base, rest and score of every graph and output."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for graph in range(len(explanation)) if graphs is None else graphs:
        for output, name in enumerate(explanation.outputs):
            lines = lines_of(explanation, graph, output)
            writer.writerows((graph, name, *line) for line in lines)
    return text.getvalue()


def lines_of(explanation: Explanation, graph: int, output: int) -> Iterator[tuple[Any, ...]]:
    """The lines of one graph and output: part, number, other number, label, contribution."""
    dataset = explanation.dataset
    one = dataset[graph]
    names = [""] * one.n_nodes
    if one.node_labels is not None:
        names = [str(dataset.label_names[label]) for label in one.node_labels.tolist()]
    for node, amount in enumerate(explanation.of(graph, output).tolist()):
        yield "node", node, "", names[node], amount
    first = int(dataset.indptr[dataset.graph_ptr[graph]]) // 2
    amounts = explanation.edges[first : first + one.n_edges, output].tolist()
    for (u, v), amount in zip(one.edges.tolist(), amounts, strict=True):
        yield "edge", u, v, f"{names[u]}-{names[v]}" if names[u] else "", amount
    for distance, amount in enumerate(explanation.rings[graph, :, output].tolist()):
        yield "ring", distance, "", "", amount
    for part in ("left_over", "rings_left_over", "base", "score"):
        yield part, "", "", "", float(getattr(explanation, part)[graph, output])


def pictures(explanation: Explanation, graphs: Sequence[int] | None = None) -> str:
    """Some graphs side by side, each with its distances and one line of words."""
    chosen = surest(explanation, DRAWN) if graphs is None else graphs
    columns = [shown_output(explanation, graph) for graph in chosen]
    listed = list(zip(chosen, columns, strict=True))
    names = distance_names(explanation.rings.shape[1])
    rows = [folded(explanation.rings[[g], :, c])[0] for g, c in listed]
    rest = [float(explanation.rings_left_over[g, c]) for g, c in listed]
    largest = longest_bar([*rows, np.array(rest)])
    drawn = [explanation.draw(g, c, width=WIDTH) for g, c in listed]
    bars = [ring_bars(row, names, largest, left) for row, left in zip(rows, rest, strict=True)]
    words = [caption(explanation, g) for g in chosen]
    return str(side_by_side(drawn, bars, words))


def caption(explanation: Explanation, graph: int) -> str:
    """What was said of a graph."""
    said = explanation.predicted[graph]
    words = str(said) if explanation.classes else f"{said:.4g}"
    truth = target_name(explanation.dataset, graph)
    return f"{graph}: predicted {words}" + (f", in truth {truth}" if truth else "")


def side_by_side(drawn: Sequence[Svg], bars: Sequence[Svg], words: Sequence[str]) -> Svg:
    """Pictures in rows, words above and bars below each."""
    parts, y, n_columns = [], 0.0, min(A_ROW, max(1, len(drawn)))
    for start in range(0, len(drawn), A_ROW):
        row = range(start, min(start + A_ROW, len(drawn)))
        tall = max(drawn[k].height for k in row)
        for k in row:
            x = (k - start) * (WIDTH + SPACE)
            parts.append(
                f'<text x="{x:.4g}" y="{y + 16:.4g}" font-size="13" fill="currentColor">'
                f"{escape(words[k])}</text>{placed(drawn[k], x, y + BELOW)}"
                f"{placed(bars[k], x, y + BELOW + tall)}"
            )
        y += BELOW + tall + max(bars[k].height for k in row) + SPACE
    width = n_columns * (WIDTH + SPACE) - SPACE
    return Svg("".join(parts), width, y, "graphs with the contributions of their nodes")


def placed(picture: Svg, x: float, y: float) -> str:
    """A picture at a place of another."""
    return (
        f'<svg x="{x:.4g}" y="{y:.4g}" width="{picture.width:.4g}" height="{picture.height:.4g}" '
        f'viewBox="0 0 {picture.width:.4g} {picture.height:.4g}">{picture.body}</svg>'
    )


KINDS: dict[str, Callable[[Explanation, Sequence[int] | None], str]] = {
    ".html": page,
    ".csv": table,
    ".svg": pictures,
}
