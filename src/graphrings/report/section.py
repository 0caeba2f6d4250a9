"""A part of the page that is made from the records: pictures or tables of one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from markupsafe import Markup

from graphrings.report.plots.looks import Key
from graphrings.report.plots.plane import Plane, plane_on_page
from graphrings.report.plots.rows import Chart, on_page
from graphrings.report.rendering import Sheet
from graphrings.report.tables import Comparison
from graphrings.results.record import ExperimentCard, Record


class Picture(NamedTuple):
    """An SVG, which is safe as it stands, and what to write above it."""

    caption: str
    svg: Markup


class Drawing(NamedTuple):
    """A graph of a dataset that should be drawn, by its number, and what to write below it."""

    graph: int
    caption: str


@dataclass(frozen=True)
class Group:
    """Pictures and a table that belong together; one with a name can be collapsed.

    ``drawings`` are graphs of the dataset that the group is named after; the page draws them where
    it has the dataset.
    """

    name: str = ""
    pictures: tuple[Picture, ...] = ()
    sheet: Sheet | None = None
    drawings: tuple[Drawing, ...] = ()


@dataclass(frozen=True)
class Shown:
    """What a section shows, a sentence or two on how to read it, and one legend for all of it."""

    words: str
    groups: tuple[Group, ...]
    keys: tuple[Key, ...] = ()


Make = Callable[[Comparison, Sequence[Record]], Shown]


@dataclass(frozen=True)
class Section:
    """An entry of the gallery; it is left out where ``make`` returns no group.

    ``task`` names the only task that it exists for. One that ``needs_predictions`` says so where
    records have none. ``kind`` is a class of the style:
    ``small`` pictures stand closer to each other, ``stacked`` ones below each other in columns,
    since their heights differ much. One that goes ``by_score`` has pictures for every score of the
    menu. ``code`` makes the like of it from what ``graphrings export`` writes.
    """

    id: str
    title: str
    make: Make
    task: str | None = None
    needs_predictions: bool = False
    kind: str = ""
    by_score: bool = False
    code: str = ""
    short: str = ""  # its title in the list of contents, if that is another

    def shown(self, comparison: Comparison, records: Sequence[Record]) -> Shown | None:
        """The content; None where there is nothing to show."""
        if self.task not in (None, comparison.card.task) or not records:
            return None
        lacking = sum(record.test is None for record in records) if self.needs_predictions else 0
        if lacking == len(records):
            return Shown("The cells were run before predictions were kept; this needs them.", ())
        content = self.make(comparison, records)
        if lacking:
            missing = f"{lacking:,} cells were run before predictions were kept and do not count."
            content = replace(content, words=f"{content.words} {missing}")
        return content if content.groups else None

    def faces(self, comparisons: Sequence[Comparison], records: Sequence[Record]) -> list[Face]:
        """The content, once or by every score of the menu; nothing where no score has any."""
        asked = comparisons if self.by_score else comparisons[:1]
        shown = [self.shown(comparison, records) for comparison in asked]
        if not any(shown):
            return []
        return [
            Face(one.score.name if self.by_score else "", content or lacking(one))
            for one, content in zip(asked, shown, strict=True)
        ]


class Face(NamedTuple):
    """What a section shows by a score; without one it shows the same by all."""

    score: str
    content: Shown


def lacking(comparison: Comparison) -> Shown:
    """What is said where a section has pictures of other scores alone."""
    return Shown(f"The cells do not tell it by {comparison.score.title}.", ())


def drawn(pictures: Iterable[tuple[str, str | None]]) -> tuple[Picture, ...]:
    """Captions and pictures, without those that could not be drawn."""
    return tuple(Picture(name, Markup(svg)) for name, svg in pictures if svg)  # noqa: S704


def charted(charts: Iterable[Chart]) -> tuple[Picture, ...]:
    """Charts of rows as pictures, under their names."""
    return tuple(Picture(chart.name, on_page(chart)) for chart in charts)


def planes(pictures: Iterable[Plane | None]) -> tuple[Group, ...]:
    """One group of pictures on two axes, unless there is none."""
    shown = tuple(Picture(one.name, plane_on_page(one)) for one in pictures if one)
    return (Group(pictures=shown),) if shown else ()


def ungrouped(pictures: Iterable[tuple[str, str | None]]) -> tuple[Group, ...]:
    """One group of pictures, unless there is none."""
    shown = drawn(pictures)
    return (Group(pictures=shown),) if shown else ()


def by_dataset(card: ExperimentCard, draw: Callable[[str, str], str | None]) -> tuple[Group, ...]:
    """A group for every dataset with the pictures of all methods; ``draw`` gets both names."""
    groups = (
        Group(
            dataset.name,
            drawn((method.name, draw(dataset.name, method.name)) for method in card.methods),
        )
        for dataset in card.datasets
    )
    return tuple(group for group in groups if group.pictures)


def records_of(records: Iterable[Record], dataset: str, method: str) -> list[Record]:
    """The records of one method on one dataset."""
    return [r for r in records if (r.cell.dataset, r.cell.method) == (dataset, method)]
