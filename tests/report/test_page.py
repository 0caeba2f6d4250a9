import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest

import report.records as made
from graphrings.errors import ExperimentError, SettingError
from graphrings.report.gallery import GALLERY
from graphrings.report.page import AFTER, BEFORE, page
from graphrings.results.record import Cell
from graphrings.tasks.scores import scores_of_task
from report.records import (
    METHODS,
    dataset_card,
    experiment,
    failure,
    method_card,
    records,
    without_predictions,
)
from results.samples import SCORES, TRIALS, card, record

VOID = {"meta", "br", "input"}
HOSTILE = ("<script>alert('$x$')</script>", '"><img src=x onerror=y>', "]]> {{ card }} \x00\ud800")


class Page(HTMLParser):
    """A page as a browser sees it; tags that do not match are errors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag and its attributes."""
        self.tags.add(tag)
        self.attributes += [(tag, key, value or "") for key, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag without content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost open tag."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep what can be read."""
        self.words.append(data)

    def all(self, key: str) -> list[str]:
        """Every value of an attribute."""
        return [value for _, name, value in self.attributes if name == key]

    @property
    def text(self) -> str:
        """What can be read."""
        return " ".join(" ".join(self.words).split())


@cache
def usual() -> str:
    """The page of a small complete experiment."""
    card = experiment(n_folds=3)
    return page(card, records(card))


@cache
def hostile() -> str:
    """The page of an experiment whose names would like to be markup."""
    dataset = replace(dataset_card(HOSTILE[0]), class_names=HOSTILE[:2])
    methods = [replace(method_card(name, radius=(1, 2)), citation=HOSTILE[1]) for name in HOSTILE]
    card = experiment([dataset], methods, 1, 3, HOSTILE[0])
    kept = records(card)
    return page(card, kept[1:], [failure(kept[0].cell, HOSTILE[1])], HOSTILE[2])


@cache
def values() -> str:
    """The page of an experiment on values."""
    card = experiment(["ESOL", "FreeSolv"], n_folds=3, task="regression")
    return page(card, records(card))


@pytest.mark.slow
@pytest.mark.parametrize(("made", "task"), [(usual, "classification"), (values, "regression")])
def test_all_sections_are_there_and_can_be_reached(made: Callable[[], str], task: str) -> None:
    read = Page(made())
    ids = read.all("id")
    gallery = [section.id for section in GALLERY if section.task in (None, task)]
    expected = [*dict(BEFORE), *gallery, *dict(AFTER)]
    assert [name for name in ids if name in expected] == expected
    assert [link for link in read.all("href") if not re.match("#g[0-9a-f]{7}-", link)] == [
        f"#{name}" for name in expected
    ]
    assert len(ids) == len(set(ids))


@pytest.mark.slow
@pytest.mark.parametrize("made", [usual, hostile, values])
def test_nothing_is_loaded_and_nothing_runs_but_one_script(made: Callable[[], str]) -> None:
    text = made()
    read = Page(text)
    assert not read.tags & {"link", "img", "iframe", "object", "embed", "base", "form"}
    (script,) = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = [value for value in read.all("content") if "default-src" in value]
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}';" in policy
    assert "src" not in {key for _, key, _ in read.attributes}
    assert not [key for _, key, _ in read.attributes if key.startswith("on")]
    assert all(link.startswith("#") for link in read.all("href"))
    assert set(read.all("xmlns")) == {"http://www.w3.org/2000/svg"}
    assert text.count("http://") == text.count("xmlns=")
    assert "https://" not in text
    assert "@import" not in text
    assert set(re.findall(r"url\((.)", text)) <= {"#"}


@pytest.mark.slow
def test_names_are_shown_as_they_are() -> None:
    read = Page(hostile())
    assert HOSTILE[0] in read.text
    assert HOSTILE[1] in read.text
    assert "]]> {{ card }} \ufffd?" in read.text
    hostile().encode()


@pytest.mark.slow
def test_the_same_records_in_any_order_give_the_same_bytes() -> None:
    card = experiment(n_folds=3)
    assert page(card, records(card)[::-1]) == usual()


@pytest.mark.slow
def test_what_was_measured_stands_beside_the_paper() -> None:
    read = Page(usual())
    assert "87.22" in read.text
    assert "pgc-dgcnn, dgcnn and baseline-labels were tested on MUTAG and PTC" in read.text
    assert "seed 7" in read.text.lower()
    assert "torch 2.13.0" in read.text
    assert dataset_card("PTC").fingerprint in read.text
    assert "Tran, Navarin, Sperduti" in read.text
    assert "No diagram of critical differences" in read.text


@pytest.mark.slow
def test_tables_have_headings_and_captions() -> None:
    text = usual()
    assert text.count("<table") == text.count("<caption>") > 3
    assert set(Page(text).all("scope")) == {"row", "col"}


def small(**changes: object) -> str:
    card = experiment(["MUTAG"], METHODS[1:2], 1, 2)
    return page(card, records(card), **changes)  # type: ignore[arg-type]


def test_one_method_on_one_dataset() -> None:
    read = Page(small())
    assert "There is nothing to compare it with." in read.text
    assert "There is one method; there is nothing to hold it against." in read.text
    assert not {"radius", "chosen", "missing", "ranks"} & set(read.all("id"))


def test_an_experiment_that_has_not_begun() -> None:
    read = Page(page(experiment(), []))
    assert "60 of 60 cells have no result." in read.text
    assert "svg" not in read.tags
    assert not {"folds", "curves", "confusion", "hard", "time"} & set(read.all("id"))


def test_missing_and_failed_cells_stand_near_the_top() -> None:
    card = experiment(["MUTAG"], METHODS[1:], 1, 3)
    held = [r for r in records(card, epochs=0) if r.cell.fold > 0 or r.cell.method == "dgcnn"]
    cell = Cell("MUTAG", "baseline-labels", 0, 0)
    text = page(card, held, [failure(cell, "the loss is <nan>")])
    told = Page(text).text
    assert "1 of 6 cells have no result, 1 of them failed." in told
    assert "baseline-labels on MUTAG, repetition 1, fold 1 the loss is <nan>" in told
    assert text.index('id="missing"') < text.index('id="results"')


def test_of_many_failures_the_first_are_told() -> None:
    card = experiment(["MUTAG"], METHODS[1:2], 3, 10)
    cells = [record.cell for record in records(card, epochs=0)]
    told = Page(page(card, [], list(map(failure, cells)))).text
    assert "30 of them failed" in told
    assert told.count("the loss is no longer a number") == 20
    assert "10 more failed" in told


def test_methods_without_epochs_have_no_learning_curves() -> None:
    card = experiment(["MUTAG"], METHODS[2:], 1, 2)
    ids = Page(page(card, records(card))).all("id")
    assert "curves" not in ids
    assert {"chosen", "confusion"} <= set(ids)


@pytest.mark.slow
def test_five_datasets_get_a_diagram() -> None:
    card = experiment("ABCDE", METHODS[1:], 1, 3)
    text = page(card, records(card, epochs=0))
    assert "Average ranks, 1 is best: " in text
    assert "No diagram" not in text


def test_a_mean_near_the_bound_is_marked() -> None:
    low = replace(dataset_card("MUTAG"), ceiling=0.5)
    card = experiment([low], METHODS[1:2], 1, 2)
    assert "near the bound" in Page(page(card, records(card, epochs=0))).text
    assert "near the bound" not in Page(small()).text


def test_commands_can_be_pasted() -> None:
    card = experiment(["MUTAG"], METHODS[1:], 1, 2, name="my exp; rm -rf /")
    told = Page(page(card, [], (), "dgcnn")).text
    assert (
        "graphrings report --store results.db --against dgcnn -o report.html -- 'my exp; rm -rf /'"
    ) in told
    assert "graphrings run --store results.db -- 'my exp; rm -rf /.toml'" in told


def test_the_reference_must_be_a_method() -> None:
    with pytest.raises(ExperimentError, match="did you mean 'dgcnn'"):
        small(reference="dgcn")


def test_versions_that_differ_are_told() -> None:
    card = experiment(["MUTAG"], METHODS[1:2], 1, 3)
    held = records(card, epochs=0)
    held[0] = replace(held[0], versions={"torch": "1.0"})
    told = Page(page(card, held)).text
    assert "Versions (2 cells) graphrings 0.1.0" in told
    assert "Versions (1 cells) torch 1.0" in told


def test_cells_whose_time_nobody_knows_are_not_timed() -> None:
    card = experiment(["MUTAG"], METHODS[1:2], 1, 3)
    first, *rest = records(card, epochs=0)
    unknown = replace(first, seconds=0.0, finished="", versions={})
    told = Page(page(card, [unknown, *rest])).text
    assert "of computing for 2 cells" in told
    assert "Of 1 other cells the time is not known." in told
    assert "Versions (1 cells) not known" in told
    untimed = [replace(one, finished="") for one in rest]
    assert "time" not in Page(page(card, [unknown, *untimed])).all("id")


@pytest.mark.slow
def test_six_hundred_cells_make_a_light_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their scores are drawn by lot: to compute so many takes longer than the page."""
    rng, names = np.random.default_rng(0), scores_of_task("classification")
    drawn = lambda *_: dict(zip(names, rng.random(len(names)).tolist(), strict=True))  # noqa: E731
    monkeypatch.setattr(made, "score_predictions", drawn)
    card = experiment(["MUTAG", "PTC"], METHODS, 10, 10, name="many")
    assert len(page(card, records(card, epochs=200)).encode()) < 400_000


@pytest.mark.slow
def test_values_are_never_in_percent() -> None:
    read = Page(values())
    assert "the lowest mean RMSE" in read.text
    assert "Test RMSE, lower is better" in read.text
    assert "The bound is the lowest RMSE" in read.text
    assert "accuracy" not in read.text.lower()
    labels = [label for label in read.all("aria-label") if "RMSE" in label]
    assert labels
    assert not [label for label in labels if "%" in label]


@pytest.mark.slow
def test_another_score_comes_first() -> None:
    card = experiment(["MUTAG"], METHODS, 1, 3)
    told = Page(page(card, records(card), score="mcc")).text
    assert told.index("has the highest mean MCC, 0.") < told.index("the highest mean accuracy")
    assert "test MCC of a fold" in told
    assert "test MCC minus that of pgc-dgcnn" in told
    assert "Bound on accuracy (%)" in told  # that of the task, whatever is shown
    assert "Best mean MCC" in told
    assert "--score mcc -o report.html" in told


def test_a_score_of_another_task_is_refused() -> None:
    with pytest.raises(SettingError, match="'rmse' is not a score of classification"):
        small(score="rmse")


def test_without_predictions_the_page_says_so() -> None:
    card = experiment(["MUTAG"], METHODS[1:2], 1, 2)
    held = records(card, epochs=0)
    told = Page(page(card, without_predictions(held))).text
    assert told.count("run before predictions were kept; this needs them.") == 3
    told = Page(page(card, [*without_predictions(held[:1]), *held[1:]])).text
    assert told.count("1 cells were run before predictions were kept and do not count.") == 3


@pytest.mark.parametrize(("share", "marked"), [(0.99, True), (0.97, False), (2.0, True)])
def test_an_error_near_its_bound_is_marked(share: float, marked: bool) -> None:
    """The bound is this share of the mean; a mean below it is one of few folds."""
    card = experiment(["ESOL"], METHODS[1:2], 1, 2, task="regression")
    held = records(card, epochs=0)
    mean = sum(record.scores["rmse"] for record in held) / 2
    bounded = replace(card, datasets=(replace(card.datasets[0], ceiling=share * mean),))
    text = Page(page(bounded, held)).text
    assert ("near the bound" in text) is marked
    assert ("A mean within 2 % of the bound is marked." in text) is marked


def test_the_bound_says_nothing_of_other_scores() -> None:
    low = replace(dataset_card("MUTAG"), ceiling=0.1)
    card = experiment([low], METHODS[1:2], 1, 2)
    assert "near the bound" not in Page(page(card, records(card, epochs=0), score="auroc")).text


def test_targets_are_described() -> None:
    assert "0: 67 %, 1: 33 %" in Page(small()).text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["log_loss", "mcc"])
@pytest.mark.parametrize("value", [float("inf"), -1e308])
def test_numbers_without_an_end_are_shown_somehow(name: str, value: float) -> None:
    """Of a score or of a clock; the page has all its sections."""
    trials = tuple(replace(trial, seconds=abs(value)) for trial in TRIALS)
    strange = {"scores": {**SCORES, name: value}, "trials": trials, "seconds": abs(value)}
    one, other = record("MUTAG", "PGC", 0, 0), record("MUTAG", "DGCNN", 0, 0)
    odd = [record("MUTAG", row, 0, 1, **strange) for row in ("PGC", "DGCNN")]
    text = page(card(), [one, other, *odd], score=name)
    assert all(f'id="{part}"' in text for part in ("folds", "cost", "time"))
