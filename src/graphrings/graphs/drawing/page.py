"""A dataset in a notebook: its size in words, and a few of its graphs as pictures."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import MissingLibraryError
from graphrings.graphs.class_titles import class_titles
from graphrings.graphs.drawing.draw import draw

if TYPE_CHECKING:
    from graphrings.graphs.dataset import Dataset, Graph

SHOWN, LARGEST = 6, 300  # graphs, and nodes of one that is shown
WIDTH = 150


def graph_svg(graph: Graph) -> str | None:
    """A picture of a graph where it can be drawn; a notebook shows its ``repr`` otherwise."""
    with suppress(MissingLibraryError):
        return str(draw(graph))
    return None


def dataset_html(dataset: Dataset) -> str:
    """One line of words and at most six small pictures, each with its target."""
    words = escape(repr(dataset))
    try:
        pictures = "".join(figure(dataset, i) for i in examples(dataset).tolist())
    except MissingLibraryError as error:
        pictures = f"<small>no pictures: {escape(str(error))}</small>"
    style = "display:flex;flex-wrap:wrap;gap:12px;align-items:flex-end"
    return f'<div><code>{words}</code><div style="{style}">{pictures}</div></div>'


def examples(dataset: Dataset) -> NDArray[np.intp]:
    """Graphs to show: in turns of every class, or from the smallest value to the largest.

    Graphs of a middle size come first; those too large to be seen are left out.
    """
    small = np.flatnonzero(dataset.sizes <= LARGEST)
    middle = np.abs(dataset.sizes[small] - np.median(dataset.sizes)) if len(small) else small
    order = small[np.argsort(middle, kind="stable")]
    if dataset.targets is None:
        return order[:SHOWN]
    targets = np.asarray(dataset.targets)[order]
    if dataset.has_values:
        places = np.linspace(0, len(order) - 1, min(SHOWN, len(order))).round().astype(np.intp)
        return order[np.argsort(targets, kind="stable")][places]
    turn = np.zeros(len(order), dtype=np.intp)
    for k in range(dataset.n_classes):
        turn[targets == k] = np.arange(np.count_nonzero(targets == k))
    first = np.argsort(turn, kind="stable")[:SHOWN]
    return order[first]


def figure(dataset: Dataset, graph: int) -> str:
    """A picture with its number and target below it."""
    target = target_name(dataset, graph)
    caption = f"{graph}: {escape(target)}" if target else str(graph)
    picture = draw(dataset[graph], width=WIDTH)
    return (
        f'<figure style="margin:0;width:{WIDTH}px;text-align:center">{picture}'
        f"<figcaption><small>{caption}</small></figcaption></figure>"
    )


def target_name(dataset: Dataset, graph: int) -> str:
    """The class or the value of a graph, as people read it."""
    if dataset.targets is None:
        return ""
    target = dataset.targets[graph]
    return class_titles(dataset)[target] if dataset.class_names else f"{target:.4g}"


def of_each_class(dataset: Dataset, number: int = SHOWN) -> list[list[int]]:
    """A few graphs of every class, a row each, or one row of values from small to large."""
    if dataset.targets is None or dataset.has_values:
        return [examples(dataset).tolist()]
    targets = np.asarray(dataset.targets)
    own = (np.flatnonzero(targets == k) for k in range(dataset.n_classes))
    rows = [graphs[examples(dataset[graphs])[:number]].tolist() for graphs in own if len(graphs)]
    return [row for row in rows if row]
