"""The report: one page of HTML that needs no network, the same bytes from the same records."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graphrings.errors import ExperimentError
from graphrings.report import facts, recipes
from graphrings.report.contrasts import unknown
from graphrings.report.drawings import Find, drawn_graphs, example_graphs
from graphrings.report.framing import framed
from graphrings.report.gallery import GALLERY
from graphrings.report.plots.legends import FOREST, chart_legend, legend_of, marks_legend
from graphrings.report.section import Face, Group, Shown, charted
from graphrings.report.story import Story
from graphrings.report.summary import compared
from graphrings.report.tables import Comparison, chosen_score, compare
from graphrings.report.views import main_score, noted, offered, view
from graphrings.results.record import ExperimentCard, Failure, Record
from graphrings.results.setting_curves import Curves, setting_curves

BEFORE = (("results", "Results"), ("differences", "Differences"), ("ranks", "Over all datasets"))
AFTER = (("data", "Data"), ("methods", "Methods"), ("made", "How it was made"))


def page(
    card: ExperimentCard,
    records: Sequence[Record],
    failures: Sequence[Failure] = (),
    reference: str | None = None,
    score: str | None = None,
    story: Story | None = None,
    find: Find = lambda _: None,
    curves: Curves | None = None,
) -> str:
    """The report of an experiment, opened at a score, the main one unless another is named.

    ``reference`` is the method that the others are held against. A ``story`` comes first, where
    there is one to tell. ``find`` returns the dataset of a card, where it is at hand: hard graphs
    of it are drawn, and a few of every class. ``curves`` are those of all settings; without them
    the records' own are shown.
    """
    records = sorted(records, key=lambda record: record.cell)
    chosen = chosen_score(card, score)
    other = _reference(card, reference)
    scores = [score.name for score in offered(card, records, chosen)]
    comparisons = [compare(card, records, failures, name) for name in scores]
    comparison = replace(comparisons[0], curves=curves or setting_curves(records))
    gallery = _gallery([comparison, *comparisons[1:]], records, find)
    views = [view(one, records, other) for one in comparisons]
    return framed(
        "report.html.j2",
        title=story.title if story else card.name,
        card=card,
        story=None if story is None else _told(story),
        story_keys=chart_legend(story.opening) if story else [],
        compared=compared(card),
        views=views,
        several=len(card.methods) > 1,
        reference=other,
        forest_keys=marks_legend(FOREST) if any(one.forest for one in views) else [],
        missing=facts.missing(comparison, failures),
        gallery=gallery,
        examples={one.name: example_graphs(one, find) for one in card.datasets},
        sections=_sections(card, story, gallery),
        codes={
            "opening": recipes.written(recipes.OPENING, chosen),
            "forest": recipes.written(recipes.FOREST, chosen, reference=other),
        },
        **_facts(comparison, records),
        **_commands(comparison, reference),
    )


def _reference(card: ExperimentCard, name: str | None) -> str:
    """The method that the others are held against: the first, unless another is named."""
    methods = [method.name for method in card.methods]
    if name is not None and name not in methods:
        raise ExperimentError(unknown("method", name, methods))
    return name or methods[0]


def _told(story: Story) -> dict[str, Any]:
    """A story with its tables and its chart as HTML."""
    parts = [{**vars(part), "sheet": part.sheet and noted(part.sheet)} for part in story.parts]
    return {**vars(story), "parts": parts, "opening": charted(story.opening)}


def _sections(
    card: ExperimentCard, story: Story | None, gallery: list[dict[str, Any]]
) -> list[tuple[str, str]]:
    """What the page has, by id and title; ranks need several datasets."""
    told = [(part.id, part.title) for part in story.parts] if story else []
    before = [pair for pair in BEFORE if pair[0] != "ranks" or len(card.datasets) > 1]
    return [*told, *before, *((one["id"], one["short"]) for one in gallery), *AFTER]


def _gallery(
    comparisons: Sequence[Comparison], records: Sequence[Record], find: Find
) -> list[dict[str, Any]]:
    """Every section of pictures and tables that has something to show."""
    card, score = comparisons[0].card, comparisons[0].score
    contents = ((section, section.faces(comparisons, records)) for section in GALLERY)
    return [
        {
            "id": section.id,
            "title": section.title,
            "short": section.short or section.title,
            "kind": section.kind,
            "is_single": all(_is_single(face.content) for face in faces),
            "faces": [_face(card, face, find) for face in faces],
            "code": recipes.written(section.code, score),
        }
        for section, faces in contents
        if faces
    ]


def _is_single(content: Shown) -> bool:
    """Whether there is one picture without a name, or none."""
    groups = content.groups
    return not groups or (len(groups) == len(groups[0].pictures) == 1 and not groups[0].name)


def _face(card: ExperimentCard, face: Face, find: Find) -> dict[str, Any]:
    return {
        "kind": f"by-score of-{face.score}" if face.score else "",
        "words": face.content.words,
        "legend": legend_of(face.content.keys),
        "groups": [_group(card, group, find) for group in face.content.groups],
    }


def _group(card: ExperimentCard, group: Group, find: Find) -> dict[str, Any]:
    return {
        "name": group.name,
        "pictures": group.pictures,
        "sheet": group.sheet and noted(group.sheet),
        "drawings": drawn_graphs(card, group, find),
    }


def _facts(comparison: Comparison, records: Sequence[Record]) -> dict[str, Any]:
    return {
        "audit": {
            "headings": facts.audit_headings(comparison),
            "rows": facts.audit_rows(comparison),
        },
        "bounded": main_score(comparison.card),
        "near": facts.near_words(comparison),
        "methods": facts.method_rows(comparison.card),
        "facts": facts.experiment_rows(comparison.card, records),
    }


def _commands(comparison: Comparison, reference: str | None) -> dict[str, Any]:
    """How to make it again; the store goes by a name that says nothing of where it lies."""
    card = comparison.card
    store = ["--store", "results.db"]
    options = ["--against", reference] if reference else []
    if comparison.score != main_score(card):
        options += ["--score", comparison.score.name]
    make = ["graphrings", "report", *store, *options, "-o", "report.html", "--", card.name]
    file = f"{card.name}.toml"
    return {
        "experiment_file": file,
        "commands": {
            "results": shlex.join(["graphrings", "run", *store, "--", file]),
            "page": shlex.join(make),
        },
    }
