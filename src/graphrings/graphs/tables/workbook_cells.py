"""Numbers of an Excel workbook as text: as short as they are exact, and days by their dates."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta

WHOLE = re.compile(r"-?[0-9]{1,15}")
EXACT = 10**15  # whole numbers below it are exact
NO_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.')  # parts of a format that are shown as they are
ELAPSED = re.compile(r"\[[hms]+\]", re.IGNORECASE)  # hours beyond 24: a duration, not a date
BRACKETS = re.compile(r"\[[^\]]*\]")  # colours, languages, conditions
DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)} - {46}  # built in
LAST_DAY = 2_957_003  # in 9999, from whenever days are counted
LEAP_DAY = 60  # of 1900, which Excel has and the calendar has not


def is_date(number: str, code: str | None) -> bool:
    """Whether a format, by its number and its code if it has one of its own, shows dates."""
    if code is None:
        return number.isascii() and number.isdigit() and len(number) < 4 and int(number) in DATES
    code = NO_CODE.sub("", code.partition(";")[0])
    shown = BRACKETS.sub("", code).lower()
    return not ELAPSED.search(code) and any(letter in shown for letter in "dmyhs")


def number_text(value: str, day: bool, since_1904: bool) -> str | None:
    """A number as text; None where it is none.

    Excel keeps 17 digits; the shortest text of the same number is what people typed. A number
    that is shown as a day is its date, as ISO 8601 has it, with the time if there is one.
    """
    try:
        number = float(value)
    except ValueError:
        return None
    if not math.isfinite(number) or "_" in value:
        return None
    if day and (text := date_text(number, since_1904)) is not None:
        return text
    if WHOLE.fullmatch(value):
        return str(int(value))
    return str(int(number)) if number.is_integer() and abs(number) < EXACT else repr(number)


def date_text(serial: float, since_1904: bool = False) -> str | None:
    """The date of a number of days; None where there is none, as on 29 February 1900."""
    if not 0 <= serial < LAST_DAY or (int(serial) == LEAP_DAY and not since_1904):
        return None
    days, seconds = divmod(round(86_400 * serial), 86_400)
    if days == 0 and not since_1904:
        return (datetime.min + timedelta(seconds=seconds)).time().isoformat()
    start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30 + (days < LEAP_DAY))
    moment = start + timedelta(days=days, seconds=seconds)
    return moment.isoformat(sep=" ") if seconds else moment.date().isoformat()
