"""Times as people say them, and as they write them: 90, 90s, 10m, 1.5h."""

from __future__ import annotations

import math
import re

from graphrings.errors import SettingError

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
TIME = re.compile(r"\s*(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<unit>[a-z]*)\s*")


def duration(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 90:
        return f"{max(0, seconds):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    if seconds < 36 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"


def seconds_of(time: float | str) -> float:
    """A time in seconds, from a number or from text with a unit: s, m or h."""
    match = TIME.fullmatch(time.lower() if isinstance(time, str) else repr(float(time)))
    seconds = math.nan
    if match is not None and match["unit"] in UNITS:
        seconds = float(match["number"]) * UNITS[match["unit"]]
    if not (math.isfinite(seconds) and seconds > 0):
        raise SettingError(f"{time!r} is no time; expected such as 90s, 10m or 1.5h")
    return seconds
