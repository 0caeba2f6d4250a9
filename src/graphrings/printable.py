"""Text from elsewhere where people read it: nothing in it that a terminal would obey."""

from __future__ import annotations


def escaped(text: str) -> str:
    """Text with all that does not print, line ends among it, spelled out."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def one_line(text: str) -> str:
    """The same, with line ends and other space as single spaces."""
    return escaped(" ".join(text.split()))
