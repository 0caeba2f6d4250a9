"""How numbers and names are written, in tables, sentences and pictures alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from graphrings.tasks.scores import Score

MINUS = "\N{MINUS SIGN}"
MOST_LISTED = 8  # places in a note
MOST_DECIMALS = 9


def decimals(score: Score, *values: float | None) -> int:
    """How many decimals show these values of a score, such as a mean and its deviation.

    Two in percent. Other scores may have any scale, so that the largest value decides: it gets
    about four digits.
    """
    largest = max((abs(value) for value in values if value), default=1.0)
    if score.percent:
        return 2
    magnitude = math.floor(math.log10(largest))
    return min(MOST_DECIMALS, 2 - magnitude if magnitude < 0 else max(0, 3 - magnitude))


def amount(score: Score, value: float) -> str:
    """A value with its unit, in a sentence."""
    return f"{value:.1f} %" if score.percent else f"{value:.{decimals(score, value)}f}"


def plain(score: Score, value: float, *others: float | None) -> str:
    """A value without its unit, as pictures write it; with as many decimals as its like."""
    places = 1 if score.percent else decimals(score, value, *others)
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", MINUS)


def gap(score: Score, difference: float) -> str:
    """The size of a difference, in a sentence."""
    size = abs(difference)
    return f"{size:.1f} points" if score.percent else f"{size:.{decimals(score, size)}f}"


def titled(score: Score) -> str:
    """The title of a score with its unit, on an axis or above a column."""
    return f"{score.title} ({score.unit})" if score.unit else score.title


def explained(score: Score) -> str:
    """The title of a score with its unit and direction, in a caption."""
    unit = ", percent" if score.percent else ""
    return f"{score.title}{unit}{', lower is better' if score.lower_is_better else ''}"


def best_word(score: Score) -> str:
    """Which end of the scale is the better one."""
    return "lowest" if score.lower_is_better else "highest"


def signed(value: float, places: int) -> str:
    """A difference with its sign."""
    rounded = round(value, places) + 0.0  # no negative zero
    return f"{rounded:+.{places}f}".replace("-", MINUS)


def p_value(p: float) -> str:
    """A p value as it is printed."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def setting_value(value: Any) -> str:
    """A value of a setting as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return f"({', '.join(map(setting_value, value))})"
    return str(value)


def and_list(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def listed(places: Sequence[str], separator: str = ", ") -> str:
    """Places by name; of many, only the first: the table itself says it too."""
    kept = separator.join(places[:MOST_LISTED])
    left = len(places) - MOST_LISTED
    return f"{kept} and {left:,} more" if left > 0 else kept
