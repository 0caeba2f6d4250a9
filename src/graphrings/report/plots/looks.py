"""How methods look: one colour, marker and dash each, the same in every picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from graphrings.results.record import ExperimentCard

# Dark on paper; the page has lighter ones of the same hues for a dark background.
COLOURS = ("#0062a3", "#9a5700", "#00734f", "#a83279", "#b83a00", "#006f86", "#666600", "#5f6670")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", ":", "-.")
SHAPES = {
    "o": "M-5 0A5 5 0 1 0 5 0 5 5 0 1 0-5 0Z",
    "s": "M-5-5H5V5H-5Z",
    "^": "M0-5 5 5H-5Z",
    "v": "M0 5 5-5H-5Z",
    "D": "M0-6 6 0 0 6-6 0Z",
    "P": "M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",
    "X": "M-6-4-4-6 0-2 4-6 6-4 2 0 6 4 4 6 0 2-4 6-6 4-2 0Z",
    "*": "M0-7 1.6-2.2H6.7L2.5.8 4.1 5.7 0 2.6-4.1 5.7-2.5.8-6.7-2.2H-1.6Z",
    "": "",
}
DASHED = {"-": "", "--": "6 3", ":": "1.5 3", "-.": "7 3 1.5 3"}


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


def told_apart(looks: Mapping[str, Look]) -> dict[str, Look]:
    """The same looks, where those of one colour get colours that nobody has, while there are any.

    For pictures of a few out of many methods.
    """
    free = [colour for colour in COLOURS if all(look.colour != colour for look in looks.values())]
    taken, apart = set(), {}
    for name, look in looks.items():
        if look.colour in taken and free:
            look = look._replace(colour=free.pop(0))
        taken.add(look.colour)
        apart[name] = look
    return apart
