"""The report: one page of HTML that needs no network, the same bytes from the same records."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from graphrings.report import facts
from graphrings.report.contrasts import against
from graphrings.report.gallery import GALLERY
from graphrings.report.plots.ranks import diagram
from graphrings.report.ranking import Ranking, rank
from graphrings.report.rendering import Sheet, html
from graphrings.report.sheets import comparison_sheet, contrast_sheet, ranking_sheet
from graphrings.report.statistics import FEW_DATASETS
from graphrings.report.story import Story
from graphrings.report.summary import leads, summary
from graphrings.report.tables import Comparison, compare
from graphrings.results.record import ExperimentCard, Failure, Record
from graphrings.tasks import TASKS

BEFORE = (("results", "Results"), ("differences", "Differences"), ("ranks", "Over all datasets"))
AFTER = (("data", "Data"), ("methods", "Methods"), ("made", "How it was made"))


@dataclass(frozen=True)
class Places:
    """Where the store and the page lie, as the commands that make them again name them."""

    store: str = "results.db"
    output: str = "report.html"


def page(
    card: ExperimentCard,
    records: Sequence[Record],
    failures: Sequence[Failure] = (),
    reference: str | None = None,
    places: Places | None = None,
    score: str | None = None,
    story: Story | None = None,
) -> str:
    """The report of an experiment by a score, the main one of its task unless another is named.

    ``reference`` is the method that the others are held against. A ``story`` comes first, where
    there is one to tell.
    """
    records = sorted(records, key=lambda record: record.cell)
    comparison = compare(card, records, failures, score)
    gallery = _gallery(comparison, records)
    content = {
        "card": card,
        "score": comparison.score,
        "story": None if story is None else _told(story),
        "summary": story.verdict if story else summary(comparison, leads(comparison, records)),
        "missing": facts.missing(comparison, failures),
        **_tables(comparison, records, reference),
        "gallery": gallery,
        "sections": _sections(story, gallery),
        **_facts(comparison, records),
        **_commands(comparison, reference, places or Places()),
    }
    template = Environment(
        loader=PackageLoader("graphrings.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    ).get_template("report.html.j2")
    return clean(template.render(content))


def _told(story: Story) -> dict[str, Any]:
    """A story with its tables as HTML."""
    parts = [{**vars(part), "sheet": part.sheet and _noted(part.sheet)} for part in story.parts]
    return {**vars(story), "parts": parts}


def _sections(story: Story | None, gallery: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """What the page has, by id and title; a story is about one dataset, which needs no ranks."""
    told = [(part.id, part.title) for part in story.parts] if story else []
    before = [pair for pair in BEFORE if not (story and pair[0] == "ranks")]
    return [*told, *before, *((one["id"], one["title"]) for one in gallery), *AFTER]


def clean(text: str) -> str:
    """The text without letters that no file of UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")


def _tables(
    comparison: Comparison, records: Sequence[Record], reference: str | None
) -> dict[str, Any]:
    card = comparison.card
    ranking = rank(comparison)
    several = len(card.methods) > 1
    chosen = reference or card.methods[0].name
    results = comparison_sheet(comparison)
    differences = contrast_sheet(against(card, records, chosen, comparison.score.name))
    new = tuple(note for note in differences.notes if note not in results.notes)
    return {
        "results": _noted(results),
        "differences": _noted(replace(differences, notes=new)) if several else None,
        "ranks": _noted(ranking_sheet(ranking)) if len(ranking.datasets) > 1 else None,
        "rank_notes": _rank_notes(ranking),
        "diagram": diagram(card, ranking),
    }


def _noted(sheet: Sheet) -> dict[str, Any]:
    """The table, whose names are escaped, and its notes, which do not scroll with it."""
    table = Markup(html(replace(sheet, notes=())))  # noqa: S704
    return {"table": table, "notes": sheet.notes, "caption": sheet.caption}


def _rank_notes(ranking: Ranking) -> list[str]:
    """Why there is no table of ranks, or no diagram of them."""
    if not ranking.datasets:
        return [f"{note[:1].upper()}{note[1:]}." for note in ranking.notes]
    if len(ranking.datasets) == 1:
        return ["One dataset is complete for all methods: ranks over datasets need several."]
    if len(ranking.datasets) < FEW_DATASETS:
        return ["No diagram of critical differences: there are too few datasets for it."]
    return []


def _gallery(comparison: Comparison, records: Sequence[Record]) -> list[dict[str, Any]]:
    """Every section of pictures and tables that has something to show."""
    contents = ((section, section.shown(comparison, records)) for section in GALLERY)
    return [
        {
            "id": section.id,
            "title": section.title,
            "kind": "small" if section.small else "",
            "words": content.words,
            "groups": [
                (group.name, group.pictures, group.sheet and _noted(group.sheet))
                for group in content.groups
            ],
        }
        for section, content in contents
        if content
    ]


def _facts(comparison: Comparison, records: Sequence[Record]) -> dict[str, Any]:
    return {
        "audit": {
            "headings": facts.audit_headings(comparison),
            "rows": facts.audit_rows(comparison),
        },
        "bounded": TASKS[comparison.card.task].main_score,
        "near": facts.near_words(comparison),
        "methods": facts.method_rows(comparison.card),
        "facts": facts.experiment_rows(comparison.card, records),
    }


def _commands(comparison: Comparison, reference: str | None, places: Places) -> dict[str, Any]:
    card = comparison.card
    store = ["--store", places.store]
    options = ["--against", reference] if reference else []
    if comparison.score != TASKS[card.task].main_score:
        options += ["--score", comparison.score.name]
    make = ["graphrings", "report", *store, *options, "-o", places.output, "--", card.name]
    file = f"{card.name}.toml"
    return {
        "experiment_file": file,
        "commands": {
            "results": shlex.join(["graphrings", "run", *store, "--", file]),
            "page": shlex.join(make),
        },
    }
