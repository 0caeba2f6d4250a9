"""Names with numbers in them, sorted as people count: 2 before 10."""

import re

DIGITS = re.compile(r"([0-9]+)")


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """What to sort a name by: runs of digits as numbers, the rest as text; equal ones as text.

    The number with more digits is the larger one, so that thousands of digits are no number.
    """
    parts = DIGITS.split(name)
    key = [(0, *_number(part)) if k % 2 else (1, 0, part) for k, part in enumerate(parts)]
    return (*key, (2, 0, name))


def _number(digits: str) -> tuple[int, str]:
    text = digits.lstrip("0")
    return len(text), text
