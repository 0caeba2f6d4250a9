"""How methods look: one colour, marker and dash each, the same in every picture."""

from __future__ import annotations

from typing import NamedTuple

from graphrings.results.record import ExperimentCard

# Dark on paper; the page has lighter ones of the same hues for a dark background.
COLOURS = ("#0062a3", "#9a5700", "#00734f", "#a83279", "#b83a00", "#006f86", "#666600", "#5f6670")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", ":", "-.")


class Look(NamedTuple):
    """Colours repeat after eight methods, together with markers only after 56."""

    colour: str
    marker: str
    dash: str


class Key(NamedTuple):
    """An entry of a legend: what it names, its look, and whether a line goes through the mark."""

    name: str
    look: Look
    has_line: bool = False


def variable(colour: str) -> str:
    """A colour by its name in the style of the page, which knows it for light, dark and print."""
    return f"var(--c{COLOURS.index(colour)})"


def method_looks(card: ExperimentCard) -> dict[str, Look]:
    """The look of each method of an experiment, by its place."""
    return {
        method.name: Look(
            COLOURS[i % len(COLOURS)],
            MARKERS[(i + i // len(COLOURS)) % len(MARKERS)],
            DASHES[i % len(DASHES)],
        )
        for i, method in enumerate(card.methods)
    }
