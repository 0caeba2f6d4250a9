"""A part of the page that is made from the records: pictures or tables of one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from markupsafe import Markup

from graphrings.report.rendering import Sheet
from graphrings.report.tables import Comparison
from graphrings.results.record import ExperimentCard, Record


class Picture(NamedTuple):
    """An SVG, which is safe as it stands, and what to write above it."""

    caption: str
    svg: Markup


@dataclass(frozen=True)
class Group:
    """Pictures and a table that belong together; one with a name can be collapsed."""

    name: str = ""
    pictures: tuple[Picture, ...] = ()
    sheet: Sheet | None = None


@dataclass(frozen=True)
class Shown:
    """What a section shows, and a sentence or two on how to read it."""

    words: str
    groups: tuple[Group, ...]


Make = Callable[[Comparison, Sequence[Record]], Shown]


@dataclass(frozen=True)
class Section:
    """An entry of the gallery; it is left out where ``make`` returns no group.

    ``task`` names the only task that it exists for. One that ``needs_predictions`` says so where
    records have none. ``small`` pictures stand closer to each other.
    """

    id: str
    title: str
    make: Make
    task: str | None = None
    needs_predictions: bool = False
    small: bool = False

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


def drawn(pictures: Iterable[tuple[str, str | None]]) -> tuple[Picture, ...]:
    """Captions and pictures, without those that could not be drawn."""
    return tuple(Picture(name, Markup(svg)) for name, svg in pictures if svg)  # noqa: S704


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
