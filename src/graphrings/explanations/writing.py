"""Explanations as files: a page, a table, a picture. A new kind is an entry in the list."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphrings.errors import SettingError
from graphrings.explanations.bars import longest_bar, ring_bars
from graphrings.explanations.explanation import Explanation
from graphrings.explanations.page import page
from graphrings.explanations.summary import distance_names, folded, shown_output, surest
from graphrings.graphs.class_titles import titled
from graphrings.graphs.drawing.page import target_name
from graphrings.graphs.drawing.several import Shown, in_rows
from graphrings.spreadsheets import Cells
from graphrings.whole_files import whole_file

COLUMNS = ("graph", "output", "part", "number", "other", "label", "contribution")
WIDTH = 300.0  # of a picture, in pixels
A_ROW = 4  # pictures
DRAWN = 12


def write(
    explanation: Explanation,
    path: Path,
    graphs: Sequence[int] | None = None,
    cells: Cells | None = None,
) -> None:
    """Write a file of the kind that its ending names; ``graphs`` are those to draw or to list."""
    make = kind_of(path)
    text = table(explanation, graphs, cells) if make is table else make(explanation, graphs)
    with whole_file(path) as place:
        place.write_text(text, encoding="utf-8", newline="")


def kind_of(path: Path) -> Callable[[Explanation, Sequence[int] | None], str]:
    """What is written to a file."""
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise SettingError(f"{path}: an unknown ending; expected one of {', '.join(KINDS)}")
    return kind


def table(
    explanation: Explanation, graphs: Sequence[int] | None = None, cells: Cells | None = None
) -> str:
    """One line for every node, edge, distance, base, rest and score of every graph and output."""
    text, cells = io.StringIO(), cells or Cells()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for graph in range(len(explanation)) if graphs is None else graphs:
        for output, name in enumerate(explanation.outputs):
            lines = lines_of(explanation, graph, output)
            writer.writerows(cells.row((graph, name, *line)) for line in lines)
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
    shown = [Shown(*one) for one in zip(words, drawn, bars, strict=True)]
    title = "graphs with the contributions of their nodes"
    return str(in_rows([shown[k : k + A_ROW] for k in range(0, len(shown), A_ROW)], title))


def caption(explanation: Explanation, graph: int) -> str:
    """What was said of a graph."""
    said = explanation.predicted[graph]
    words = titled(explanation.dataset, said) if explanation.classes else f"{said:.4g}"
    truth = target_name(explanation.dataset, graph)
    return f"{graph}: predicted {words}" + (f", in truth {truth}" if truth else "")


KINDS: dict[str, Callable[[Explanation, Sequence[int] | None], str]] = {
    ".html": page,
    ".csv": table,
    ".svg": pictures,
}
