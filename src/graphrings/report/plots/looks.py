"""How methods look: one colour, marker and dash each, the same in every picture."""

from __future__ import annotations

from typing import NamedTuple

from graphrings.results.record import ExperimentCard

# Okabe and Ito's colours, told apart by the colour-blind, without their yellow, which paper loses.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8c8c1a", "#888888")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", ":", "-.")


class Look(NamedTuple):
    """Colours repeat after eight methods, together with markers only after 56."""

    colour: str
    marker: str
    dash: str


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
