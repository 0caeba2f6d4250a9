"""Colours of nodes, and which colour of text can be read on each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Okabe and Ito's colours, which people who confuse red and green can tell apart, less black.
CATEGORIES = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442")
PLAIN = "#8aa4b8"
RINGS = ("#e64980", "#f08c4b", "#f5c542", "#a9d86e", "#7cc4e8")  # the node itself, then by distance
BEYOND = "#c9cfd6"
AGAINST, NEUTRAL, TOWARDS = (33, 102, 172), (240, 240, 240), (214, 96, 30)


def of_labels(labels: NDArray[np.int32] | None, n_nodes: int) -> list[str]:
    """One colour per label; they repeat where there are many, and the names tell labels apart."""
    if labels is None:
        return [PLAIN] * n_nodes
    return [CATEGORIES[label % len(CATEGORIES)] for label in labels.tolist()]


def of_distances(distances: NDArray[np.int64]) -> list[str]:
    """One colour per distance from a node; those far away, or out of reach, share the last."""
    return [RINGS[d] if 0 <= d < len(RINGS) else BEYOND for d in distances.tolist()]


def of_values(values: NDArray[np.float64]) -> list[str]:
    """From blue (negative) through light grey (zero) to orange (positive)."""
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    return [_mixed(value / largest) for value in values.tolist()]


def text_on(colour: str) -> str:
    """Black or white, whichever stands out more."""
    red, green, blue = (_linear(int(colour[k : k + 2], 16) / 255) for k in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if luminance > 0.179 else "#ffffff"


def _linear(channel: float) -> float:
    """A channel as light, by the definition of sRGB."""
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _mixed(strength: float) -> str:
    end: Sequence[int] = TOWARDS if strength > 0 else AGAINST
    parts = zip(NEUTRAL, end, strict=True)
    return "#" + "".join(f"{round(a + abs(strength) * (b - a)):02x}" for a, b in parts)
