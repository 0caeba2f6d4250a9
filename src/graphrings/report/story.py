"""A story for the head of a page: the verdict, and parts with words, tables and pictures."""

from __future__ import annotations

from dataclasses import dataclass

from graphrings.report.plots.rows import Chart
from graphrings.report.rendering import Sheet
from graphrings.report.section import Picture


@dataclass(frozen=True)
class Part:
    """A section that comes before the usual ones; ``facts`` are pairs of a name and a value."""

    id: str
    title: str
    words: tuple[str, ...] = ()
    sheet: Sheet | None = None
    pictures: tuple[Picture, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Story:
    """What a page tells before it shows all details, and the command that makes it again.

    ``opening`` are the charts right below the verdict.
    """

    title: str
    verdict: tuple[str, ...]
    parts: tuple[Part, ...]
    command: str = ""
    opening: tuple[Chart, ...] = ()
