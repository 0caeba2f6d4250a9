"""An explanation as a page of HTML that needs no network, and as a cell of a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from markupsafe import Markup

from graphrings.errors import MissingLibraryError
from graphrings.explanations.bars import longest_bar, ring_bars
from graphrings.explanations.explanation import Explanation
from graphrings.explanations.summary import (
    by_label,
    distance_names,
    folded,
    rings_by_prediction,
    shown_output,
    strongest_terms,
    surest,
)
from graphrings.graphs.class_titles import titled
from graphrings.graphs.drawing.colours import of_values, text_on
from graphrings.graphs.drawing.page import target_name
from graphrings.graphs.targets import own_targets
from graphrings.report.framing import framed

SECTIONS = (("summary", "All graphs together"), ("graphs", "Single graphs"))
SHOWN, IN_NOTEBOOK, WIDTH = 12, 4, 272
LARGEST, TALL = 300, 90.0  # nodes of a graph that is drawn; the longest bar of the summary


def page(explanation: Explanation, graphs: Sequence[int] | None = None, title: str = "") -> str:
    """The page of an explanation; ``graphs`` are those to draw, by default the surest."""
    chosen = surest(explanation, SHOWN) if graphs is None else graphs
    content = {
        "sections": SECTIONS,
        "title": title or f"{explanation.dataset.name}: what the predictions come from",
        "explanation": explanation,
        "towards": towards(explanation),
        "outputs": [summary_of(explanation, k) for k in range(len(explanation.outputs))],
        "graphs": cards(explanation, chosen),
        "n_graphs": len(explanation),
        "whole": len(chosen) == len(explanation),
    }
    return framed("explain.html.j2", **content)


def towards(explanation: Explanation, output: int = 0) -> tuple[str, str]:
    """What orange and blue push towards."""
    if len(explanation.classes) == 2:
        first, second = (titled(explanation.dataset, name) for name in explanation.classes)
        return second, first
    if explanation.classes:
        name = titled(explanation.dataset, explanation.outputs[output])
        return name, f"other classes than {name}"
    return "a larger value", "a smaller value"


def summary_of(explanation: Explanation, output: int) -> dict[str, Any]:
    """What holds over all graphs, for one output."""
    groups = rings_by_prediction(explanation, output)
    names = distance_names(explanation.rings.shape[1])
    left = mean_left_over(explanation, output)
    largest = longest_bar([*(rows for _, rows in groups), np.array(left)])
    bars = [
        (name, Markup(str(ring_bars(rows, names, largest, rest, TALL))))  # noqa: S704, ours
        for (name, rows), rest in zip(groups, left, strict=True)
    ]
    meeting = by_label(explanation, output)
    colours = of_values(meeting.means.ravel())
    written = signed(meeting.means.ravel().tolist())
    cells = [(text, colour, text_on(colour)) for text, colour in zip(written, colours, strict=True)]
    width = meeting.means.shape[1]
    rows = [
        (str(label), f"{count:,}", cells[k * width : (k + 1) * width])
        for k, (label, count) in enumerate(zip(meeting.labels, meeting.n_nodes, strict=True))
    ]
    terms = strongest_terms(explanation, output)
    each = [sum_ / len(explanation) for t in terms for sum_ in (t.up[output], t.down[output])]
    pushed = signed(each)
    return {
        "name": str(explanation.outputs[output]),
        "bars": bars,
        "distances": names,
        "labels": rows,
        "n_left_out": meeting.n_left_out,
        "has_rings": bool(np.abs(explanation.rings[:, :, output]).sum()),
        "towards": towards(explanation, output),
        "terms": [(term.name, *pushed[2 * k : 2 * k + 2]) for k, term in enumerate(terms)],
    }


def signed(numbers: Sequence[float]) -> list[str]:
    """Numbers with a sign and three digits of the largest; what is less than a digit is 0."""
    largest = max(map(abs, numbers), default=0.0)
    digits = max(0, 2 - int(np.floor(np.log10(largest)))) if largest else 0
    texts = [f"{number:+.{digits}f}" for number in numbers]
    return ["0" if not float(t) else t.replace("-", "\N{MINUS SIGN}") for t in texts]


def mean_left_over(explanation: Explanation, output: int) -> list[float]:
    """What has no distance, on average, in the groups of ``rings_by_prediction``."""
    left = explanation.rings_left_over[:, output]
    if not explanation.classes:
        return [float(left.mean())]
    masks = [explanation.predicted == name for name in explanation.classes]
    return [float(left[mask].mean()) for mask in masks if mask.any()]


def cards(explanation: Explanation, graphs: Sequence[int]) -> list[dict[str, Any]]:
    """Every chosen graph: its picture, its distances, what was said and what is true."""
    columns = [shown_output(explanation, graph) for graph in graphs]
    names = distance_names(explanation.rings.shape[1])
    rows = [
        folded(explanation.rings[[graph], :, column])[0]
        for graph, column in zip(graphs, columns, strict=True)
    ]
    rest = [explanation.rings_left_over[g, c] for g, c in zip(graphs, columns, strict=True)]
    largest = longest_bar([*rows, np.array(rest)])
    listed = zip(graphs, columns, rows, rest, strict=True)
    return [card(explanation, *one, names, largest) for one in listed]


def card(
    explanation: Explanation,
    graph: int,
    output: int,
    rings: Any,
    rest: float,
    names: Sequence[str],
    largest: float,
) -> dict[str, Any]:
    """One graph."""
    truth = target_name(explanation.dataset, graph)
    right = None
    if truth and explanation.classes:
        own = own_targets(explanation.dataset)[graph]
        right = bool(own == explanation.predicted[graph])
    said = explanation.predicted[graph]
    bars = ring_bars(rings, names, largest, float(rest))
    return {
        "number": graph,
        "picture": Markup(picture(explanation, graph, output)),  # noqa: S704, escaped where made
        "bars": Markup(str(bars)),  # noqa: S704, ours
        "predicted": titled(explanation.dataset, said) if explanation.classes else f"{said:.4g}",
        "truth": truth,
        "right": right,
        "sum": sum_in_words(explanation, graph, output),
        "output": str(explanation.outputs[output]),
    }


def sum_in_words(explanation: Explanation, graph: int, output: int) -> str:
    """Base, nodes and what is left over, as they add up to the score."""
    base, left, score = (
        float(getattr(explanation, name)[graph, output]) for name in ("base", "left_over", "score")
    )
    nodes = float(explanation.of(graph, output).sum())
    first, *more, last = (text.lstrip("+") for text in signed([base, nodes, left, score]))
    middle = [text if text[0] in "\N{MINUS SIGN}" else f"+{text}" for text in more]
    return f"{first} base {middle[0]} nodes {middle[1]} left over = {last}"


def picture(explanation: Explanation, graph: int, output: int) -> str:
    """The graph drawn, or why it is not."""
    n_nodes = int(explanation.dataset.sizes[graph])
    if n_nodes > LARGEST:
        return f"<p>{n_nodes:,} nodes: too many to draw.</p>"
    try:
        return str(explanation.draw(graph, output, width=WIDTH))
    except MissingLibraryError as error:
        return f"<p>{escape(str(error))}</p>"


def notebook_html(explanation: Explanation) -> str:
    """One line of words and the surest graphs with their distances."""
    style = "display:flex;flex-wrap:wrap;gap:16px;align-items:flex-end"
    figures = []
    for one in cards(explanation, surest(explanation, IN_NOTEBOOK)):
        truth = f", in truth {escape(one['truth'])}" if one["truth"] else ""
        caption = f"{one['number']}: predicted {escape(one['predicted'])}{truth}"
        figures.append(
            f'<figure style="margin:0;width:{WIDTH}px;text-align:center">{one["picture"]}'
            f"{one['bars']}<figcaption><small>{caption}</small></figcaption></figure>"
        )
    up, down = map(escape, towards(explanation))
    words = f"<code>{escape(repr(explanation))}</code> orange: towards {up}, blue: towards {down}"
    return f'<div>{words}<div style="{style}">{"".join(figures)}</div></div>'
