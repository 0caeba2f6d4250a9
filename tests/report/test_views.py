"""What a page says by one score, and which scores it offers."""

from dataclasses import replace

import pytest

from graphrings.report.framing import framed
from graphrings.report.tables import compare
from graphrings.report.views import beside_the_paper, offered, view
from graphrings.tasks.scores import SCORES, scores_of_task
from report import measured
from report.records import METHODS, experiment, records, without_predictions

ACCURACY = SCORES["accuracy"]


def test_all_scores_that_some_record_has_are_offered_the_asked_one_first() -> None:
    card = experiment(["MUTAG"], METHODS[1:2], 1, 2)
    held = records(card, epochs=0)
    names = [score.name for score in offered(card, held, SCORES["mcc"])]
    assert names[0] == "mcc"
    assert sorted(names) == sorted(scores_of_task("classification"))
    few = [replace(r, scores={"accuracy": 0.5, "ece": 0.1}) for r in without_predictions(held)]
    assert [score.name for score in offered(card, few, ACCURACY)] == ["accuracy", "ece"]
    computed = [replace(r, scores={}) for r in held]
    assert len(offered(card, computed, ACCURACY)) == len(names)
    assert offered(card, [], ACCURACY) == [ACCURACY]


def test_bars_beside_the_paper_share_a_scale_and_long_ones_are_cut() -> None:
    card = measured.card(["dgcnn", "wl", "graphlet", "propagation"], ["MUTAG"], 1, 2)
    shares = {"dgcnn": 0.8683, "wl": 0.8311, "graphlet": 0.8239, "propagation": 0.50}
    held = measured.records({(name, "MUTAG"): [[s, s]] for name, s in shares.items()})
    beside = beside_the_paper(compare(card, held))
    assert beside is not None
    (table,) = beside["tables"]
    rows = {row.title: row for row in table["rows"]}
    assert rows["dgcnn"][1:] == ("86.83", "85.83±1.66", "+1.00", "up", "10.0")
    assert rows["wl"][3:] == ("\N{MINUS SIGN}1.00", "down", "10.0")
    assert rows["propagation"][3:] == ("\N{MINUS SIGN}26.00", "down cut", "50.0")
    assert beside["end"] == "5.0"
    assert beside_the_paper(compare(card, held, score="mcc")) is None


def test_cells_that_are_not_there_have_a_dash_and_those_begun_a_count() -> None:
    card = measured.card(["dgcnn", "wl"], ["MUTAG", "PTC"], 1, 2)
    held = measured.records({("dgcnn", "MUTAG"): [[0.5, 0.7]], ("dgcnn", "PTC"): [[0.5, None]]})
    made = view(compare(card, held), held, "dgcnn").results
    first, second = (row["entries"] for row in made["rows"])
    assert (first[0]["mean"], first[0]["folds"]) == ("60.00", "")
    assert (first[1]["mean"], first[1]["folds"]) == ("50.00", "1 of 2")
    assert (second[0]["mean"], second[0]["folds"]) == ("\N{EN DASH}", "")


def test_any_page_can_have_the_frame() -> None:
    text = framed(title="<Mine>", lead=["One & two"], sections=[("a", "A")], body="<b>")
    assert "<title>&lt;Mine&gt;</title>" in text
    assert '<a href="#a">A</a>' in text
    assert '<p class="lead">One &amp; two</p>' in text
    assert "&lt;b&gt;" in text
    with pytest.raises(Exception, match="'title' is undefined"):
        framed()
