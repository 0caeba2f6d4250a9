"""Text from elsewhere on a terminal: one line, and nothing that a terminal would obey."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Text with its line ends as spaces, and other control signs spelled out."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(map(_spelled, line))


def _spelled(sign: str) -> str:
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
