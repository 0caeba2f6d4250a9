import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree as ET

import matplotlib
import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from graphrings.report.framing import part
from graphrings.report.plots.agreement import agreement
from graphrings.report.plots.boxes import boxes, spread, thinned
from graphrings.report.plots.calibration import calibration, reliability
from graphrings.report.plots.canvas import INK, label
from graphrings.report.plots.chosen import chosen_settings, searched
from graphrings.report.plots.confusion import confusion
from graphrings.report.plots.costs import Point, costs, worthwhile
from graphrings.report.plots.curves import (
    curve_pictures,
    learning_curves,
    mean_by_epoch,
    natural,
)
from graphrings.report.plots.looks import COLOURS, method_looks, told_apart
from graphrings.report.plots.plane import Line, Plane, Spot, named, place_of, plane_on_page
from graphrings.report.plots.radius import all_series, band, by_radius
from graphrings.report.plots.ranks import rank_diagram
from graphrings.report.plots.rows import Chart, area, on_page
from graphrings.report.plots.times import run_times
from graphrings.report.tables import compare
from graphrings.report.words import setting_value
from graphrings.results.record import ExperimentCard, MethodCard, Record
from graphrings.results.setting_curves import setting_curves, winner_only
from graphrings.tasks import TASKS
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import SCORES, Score
from report.records import (
    METHODS,
    dataset_card,
    experiment,
    method_card,
    records,
    without_predictions,
)

ACCURACY, MCC, RMSE = SCORES["accuracy"], SCORES["mcc"], SCORES["rmse"]

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ('<script>"$x_1$"</script>', "_h' ]]> &amp; $\\alpha$", "\x00\n\ud800 图")


def hostile() -> ExperimentCard:
    dataset = replace(dataset_card(HOSTILE[0]), class_names=HOSTILE[1:])
    return experiment([dataset], [method_card(n, radius=(1, 2)) for n in HOSTILE], 1, 3)


CARDS = {
    "usual": experiment(n_folds=3),
    "one of each": experiment(["MUTAG"], METHODS[:1], 1, 2),
    "five classes": experiment([dataset_card("M", 5)], METHODS, 1, 3),
    "fifteen classes": experiment([dataset_card("M", 15)], METHODS[:1], 1, 3),
    "eleven methods": experiment(["MUTAG"], [method_card(f"m{i}") for i in range(11)], 1, 2),
    "values": experiment(["ESOL"], METHODS, 1, 3, task="regression"),
    "hostile": hostile(),
}


def pictures(card: ExperimentCard) -> list[str]:
    """Every picture of an experiment."""
    held = records(card)
    names = [method.name for method in card.methods]
    ranks = {name: i + 1.0 for i, name in enumerate(names)}
    drawn: list[str | None] = [rank_diagram(ranks, method_looks(card), [names[:2]], 1.5)]
    for dataset in (one.name for one in card.datasets):
        for name in names[:2]:
            drawn += [learning_curves(held, dataset, name), agreement(held, dataset, name)]
            if card.task == "classification":
                drawn += [confusion(card, held, dataset, name)]
    return [svg for svg in drawn if svg is not None]


def laid_out(card: ExperimentCard) -> list[str]:
    """Every picture of an experiment that is laid out by the page."""
    held, score = records(card), TASKS[card.task].main_score
    made: list[str | None] = [chosen_settings(card, held, key) for key in searched(card)]
    for dataset in (one.name for one in card.datasets):
        charts = [boxes(card, held, score, dataset, {card.methods[0].name: 80.0})]
        made += [on_page(chart) for chart in charts if chart]
        planes = [radii(card, held, score, dataset), costs(compare(card, held), held, dataset)]
        made += [plane_on_page(plane) for plane in planes if plane]
    return [html for html in made if html is not None]


def radii(card: ExperimentCard, held: list[Record], score: Score, dataset: str) -> Plane | None:
    """A score by radius."""
    series = all_series(card, held, score, dataset)
    return by_radius(dataset, series, score, {one.name: one.look for one in series})


@cache
def known(name: str) -> list[str]:
    """The pictures of a card above, drawn once."""
    return pictures(CARDS[name])


def words(svg: str) -> list[str]:
    """The texts of a picture."""
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314


def told(svg: str | None) -> str:
    """What a picture says to those who cannot see it."""
    assert svg is not None
    return ET.fromstring(svg).attrib["aria-label"]  # noqa: S314


@pytest.mark.slow
@pytest.mark.parametrize("name", CARDS)
def test_pictures_are_well_formed_and_need_nothing_else(name: str) -> None:
    for svg in known(name):
        root = ET.fromstring(svg)  # noqa: S314
        assert (root.tag, root.attrib["role"]) == (f"{SVG}svg", "img")
        assert {element.tag for element in root.iter()} <= {
            SVG + tag
            for tag in ("svg", "g", "path", "use", "text", "defs", "clipPath", "rect", "title")
        }
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        links = [element.attrib["href"] for element in root.iter() if "href" in element.attrib]
        assert len(ids) == len(set(ids))
        assert {link[1:] for link in links} | set(re.findall(r"url\(#(.*?)\)", svg)) == set(ids)
        assert svg.count("http") == 1  # the name of SVG itself


@pytest.mark.parametrize("name", CARDS)
def test_what_the_page_lays_out_is_well_formed_and_has_no_ids(name: str) -> None:
    for html in laid_out(CARDS[name]):
        root = ET.fromstring(html)  # noqa: S314
        assert (root.tag, root.attrib["role"]) == ("div", "img")
        assert root.attrib["aria-label"]
        assert not any("id" in element.attrib for element in root.iter())
        assert "<script" not in html
        assert "nan" not in re.findall(r'="([^"]*)"', html)


@pytest.mark.slow
def test_pictures_of_one_page_share_no_ids() -> None:
    ids = [set(re.findall(r' id="(.*?)"', svg)) for svg in known("usual")]
    assert len(set.union(*ids)) == sum(map(len, ids)) > 0


@pytest.mark.slow
def test_pictures_take_the_colour_of_the_page() -> None:
    for svg in known("usual"):
        assert INK not in svg
        assert "currentColor" in svg


def settings() -> dict[str, object]:
    """What matplotlib is set to, without a look for a screen."""
    return {key: matplotlib.rcParams[key] for key in matplotlib.rcParams if key != "backend"}


@pytest.mark.slow
def test_the_same_records_give_the_same_bytes_whatever_the_user_likes() -> None:
    card = CARDS["one of each"]
    first = pictures(card)
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.linewidth": 4}):
        before = settings()
        assert pictures(card) == first
        assert settings() == before


def test_names_are_text_and_nothing_else() -> None:
    card = hostile()
    chart = boxes(card, records(card), ACCURACY, HOSTILE[0])
    assert chart is not None
    root = ET.fromstring(on_page(chart))  # noqa: S314
    shown = [element.text for element in root.iter("span")]
    assert HOSTILE[1] in shown
    assert "\ufffd \ufffd 图" in shown
    assert HOSTILE[0] in root.attrib["aria-label"]


def test_a_legend_also_names_values_that_begin_with_an_underscore() -> None:
    card = experiment(["MUTAG"], [method_card("wl", kind=("_a", "b"))], 1, 2)
    html = chosen_settings(card, records(card), "kind")
    assert html is not None
    keys = ET.fromstring(html).findall(".//span[@class='key']")  # noqa: S314
    assert ["".join(key.itertext()) for key in keys] == ["_a", "b"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [("abcdef", "abcd…"), ("abcde", "abcde"), ("a\tb", "a b"), ("\x07\x1b", "\ufffd\ufffd")],
)
def test_labels_are_short_and_can_be_written(name: str, shown: str) -> None:
    assert label(name, 5) == shown


def test_fifty_methods_look_different() -> None:
    looks = method_looks(experiment(methods=[method_card(f"m{i}") for i in range(50)]))
    assert len({(look.colour, look.marker) for look in looks.values()}) == 50


def test_a_method_has_its_colour_in_every_picture() -> None:
    card = experiment(["MUTAG"], METHODS, 1, 2)
    held = [record for record in records(card) if record.cell.method == "dgcnn"]
    plane = costs(compare(card, records(card)), records(card), "MUTAG")
    curves = learning_curves(held, "MUTAG", "dgcnn")
    assert plane is not None
    assert "var(--c1)" in plane_on_page(plane)
    assert curves is not None


def test_lines_of_one_colour_get_others_while_there_are_any() -> None:
    looks = method_looks(experiment(methods=[method_card(f"m{i}") for i in range(17)]))
    few = told_apart({name: looks[name] for name in ("m0", "m8", "m16", "m1")})
    assert (few["m0"], few["m1"]) == (looks["m0"], looks["m1"])
    assert len({look.colour for look in few.values()}) == 4
    assert set(told_apart(looks)) == set(looks)


def test_equal_folds_lie_beside_each_other() -> None:
    offsets = spread(np.array([50.0, 60.0, 60.0, 60.0, 70.0]))
    assert offsets == pytest.approx([0, -0.09, 0, 0.09, 0])
    assert np.abs(spread(np.full(100, 50.0))).max() == pytest.approx(0.22)


def test_few_points_stand_for_many() -> None:
    values = np.arange(1000.0)
    assert thinned(values, 3).tolist() == [0, 500, 999]
    assert thinned(values[:3], 3).tolist() == [0, 1, 2]


def test_boxes_tell_the_means_and_mark_the_paper() -> None:
    card = experiment(["MUTAG"], METHODS[:2], 1, 3)
    held = with_accuracies(records(card), [0.7, 0.8, 0.9, 0.5, 0.5, 0.5])
    chart = boxes(card, held, ACCURACY, "MUTAG", {"dgcnn": 60.0})
    assert chart is not None
    assert chart.words.endswith("means: pgc-dgcnn 80.0 %, dgcnn 50.0 %")
    first, second = chart.rows
    assert (first.name, first.shown, len(first.marks)) == ("pgc-dgcnn", "80.0", 1)
    assert first.marks[0].interval == pytest.approx((70, 90))
    assert first.marks[0].box is not None
    assert first.marks[0].box[:3] == pytest.approx((75, 80, 85))
    assert second.marks[1].value == 60


def with_accuracies(held: list[Record], accuracies: list[float]) -> list[Record]:
    pairs = zip(held, accuracies, strict=True)
    return [replace(r, scores={"accuracy": accuracy}) for r, accuracy in pairs]


def test_a_method_without_records_has_no_box() -> None:
    card = experiment(["MUTAG"], METHODS[:2], 1, 3)
    held = [record for record in records(card) if record.cell.method == "dgcnn"]
    chart = boxes(card, held, ACCURACY, "MUTAG")
    assert chart is not None
    assert [row.name for row in chart.rows] == ["dgcnn"]
    assert boxes(card, [], ACCURACY, "MUTAG") is None


def test_the_score_names_the_axis_and_has_its_own_unit() -> None:
    card = experiment(["MUTAG"], METHODS[:2], 1, 3)
    held = [replace(r, scores={"mcc": 0.25}) for r in records(card)]
    chart = boxes(card, held, MCC, "MUTAG")
    assert chart is not None
    assert chart.axis == "test MCC of a fold"
    assert "%" not in chart.words
    assert chart.words.endswith("means: pgc-dgcnn 0.250, dgcnn 0.250")


def test_errors_by_radius_are_on_the_scale_of_the_targets() -> None:
    card = experiment(["ESOL"], METHODS[:1], 1, 2, task="regression")
    plane = radii(card, records(card), RMSE, "ESOL")
    assert plane is not None
    start = "Mean RMSE by radius on ESOL: pgc-dgcnn, validation: radius 1 1."
    assert plane.words.startswith(start)
    assert plane.y_axis == "RMSE"
    assert "%" not in plane.words


def test_agreement_tells_the_mean_absolute_error() -> None:
    card = experiment(["ESOL"], METHODS[:1], 1, 2, task="regression")
    test = Predictions(np.arange(4), np.array([1.0, 2, 3, 4]), np.array([1.5, 2, 3, 5.5]))
    held = [replace(record, test=test) for record in records(card)]
    assert told(agreement(held, "ESOL", "pgc-dgcnn")) == (
        "Predicted against true values of pgc-dgcnn on ESOL: 8 tests, mean absolute error 0.5"
    )
    assert agreement(without_predictions(held), "ESOL", "pgc-dgcnn") is None


def test_many_tests_are_thinned_in_a_picture_of_agreement() -> None:
    card = experiment(["NCI1"], METHODS[1:2], 1, 2, task="regression")
    svg = agreement(records(card, epochs=0), "NCI1", "dgcnn", points=30)
    assert svg is not None
    assert svg.count("<use") == 30


def test_no_screen_is_looked_for_and_the_backend_stays() -> None:
    """Whoever reads the backend of matplotlib makes it choose one."""
    unset = dict.__getitem__(matplotlib.rcParams, "backend")
    card = experiment(["MUTAG"], METHODS[1:2], 1, 2)
    assert confusion(card, records(card, epochs=0), "MUTAG", "dgcnn")
    assert dict.__getitem__(matplotlib.rcParams, "backend") is unset


def test_rows_that_differ_only_in_radius_make_a_line() -> None:
    rows = [MethodCard(f"pgc r={r}", "pgc-dgcnn", {"radius": r, "k": 3}, {}) for r in (0, 2)]
    other = MethodCard("pgc wide", "pgc-dgcnn", {"radius": 1, "k": 4}, {})
    card = experiment(["MUTAG"], [*rows, other], 1, 2)
    held = with_accuracies(records(card), [0.5, 0.7, 0.8, 0.8, 0.9, 0.9])
    plane = radii(card, held, ACCURACY, "MUTAG")
    assert plane is not None
    assert plane.ticks == (0, 2)
    assert plane.words == (
        "Mean accuracy by radius on MUTAG: pgc-dgcnn, test: radius 0 60.0 %, radius 2 80.0 %"
    )


def test_trials_of_one_radius_are_averaged_within_a_fold() -> None:
    card = experiment(["MUTAG"], [method_card("pgc", radius=(1, 2), rate=(0.1, 0.2))], 1, 1)
    (held,) = records(card)
    trials = [
        replace(t, scores={"accuracy": a})
        for t, a in zip(held.trials, (0.5, 0.6, 0.7, 0.9), strict=True)
    ]
    plane = radii(card, [replace(held, trials=tuple(trials))], ACCURACY, "MUTAG")
    assert plane is not None
    assert plane.words.endswith("pgc, validation: radius 1 55.0 %, radius 2 80.0 %")


def test_without_a_choice_of_radius_there_is_no_picture_of_it() -> None:
    card = experiment(["MUTAG"], [method_card("dgcnn"), method_card("pgc", radius=(2,))], 1, 2)
    assert radii(card, records(card), ACCURACY, "MUTAG") is None


def test_a_mean_curve_ends_where_half_of_the_folds_have() -> None:
    losses = [np.array([4.0, 2.0, 1.0, 9.0]), np.array([2.0]), np.array([3.0, np.nan, 3.0])]
    assert mean_by_epoch(losses).tolist() == [3.0, 2.0, 2.0]


def test_curves_count_epochs_from_one() -> None:
    card = experiment(["MUTAG"], METHODS[1:2], 1, 1)
    (held,) = records(card)
    trial = replace(held.trials[0], best_epoch=4)
    svg = learning_curves([replace(held, trials=(trial,))], "MUTAG", "dgcnn")
    assert told(svg).endswith("1 fold, best epochs 5 to 5")


def test_losses_that_are_no_numbers_are_left_out() -> None:
    card = experiment(["MUTAG"], METHODS[1:2], 1, 1)
    (held,) = records(card)
    assert held.trials[0].curve is not None
    bad = (float("nan"), float("inf"), 1.0)
    curve = replace(held.trials[0].curve, train_loss=bad, validation_loss=bad)
    trial = replace(held.trials[0], curve=curve)
    svg = learning_curves([replace(held, trials=(trial,))], "MUTAG", "dgcnn")
    assert svg is not None
    assert not re.search(r"\b(nan|inf)\b", svg)


def test_methods_without_epochs_have_no_curves() -> None:
    card = experiment()
    assert learning_curves(records(card), "MUTAG", "baseline-labels") is None


def test_choices_are_counted() -> None:
    card = experiment(["MUTAG"], METHODS, 1, 3)
    held = [replace(r, chosen=min(r.cell.fold, len(r.trials) - 1)) for r in records(card)]
    assert searched(card) == ["radius", "regularisation"]
    assert told(chosen_settings(card, held, "radius")) == (
        "How often each value of radius was chosen. pgc-dgcnn: 1 1 times, 2 1 times, 3 1 times"
    )
    assert told(chosen_settings(card, held, "regularisation")).endswith("0.1 1 times, 1 2 times")
    assert chosen_settings(card, [], "radius") is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [(True, "yes"), (0.0001, "0.0001"), (1.0, "1"), ((32, 1), "(32, 1)"), ("relu", "relu")],
)
def test_values_are_written_as_people_do(value: object, shown: str) -> None:
    assert setting_value(value) == shown


def test_the_rank_diagram_names_the_best_first() -> None:
    card = experiment(methods=METHODS)
    ranks = {"dgcnn": 2.5, "pgc-dgcnn": 1.25, "baseline-labels": 2.25}
    svg = rank_diagram(ranks, method_looks(card), [["baseline-labels", "dgcnn"]], 1.05)
    assert told(svg) == (
        "Average ranks, 1 is best: pgc-dgcnn 1.25, baseline-labels 2.25, dgcnn 2.50. "
        "Not told apart: baseline-labels and dgcnn."
    )
    assert "critical difference 1.05" in words(svg)


def test_confusion_is_summed_over_folds() -> None:
    card = experiment(["MUTAG"], METHODS[:1], 1, 2)
    truth, predicted = np.repeat([0, 0, 1], [3, 1, 6]), np.repeat([0, 1, 1], [3, 1, 6])
    test = Predictions(np.arange(10), truth, predicted, 2)
    held = [replace(record, test=test) for record in records(card)]
    svg = confusion(card, held, "MUTAG", "pgc-dgcnn")
    assert told(svg).endswith("18 of 20 tests are right")
    assert svg is not None
    assert {"6", "75 %", "2", "25 %", "0", "0 %", "12", "100 %"} <= set(words(svg))
    assert confusion(card, held, "MUTAG", "dgcnn") is None
    assert confusion(card, without_predictions(held), "MUTAG", "pgc-dgcnn") is None


@pytest.mark.parametrize("seconds", [-3.0, 0.0, 1e6])
def test_odd_clocks_do_not_stop_the_picture_of_run_times(seconds: float) -> None:
    card = experiment(["MUTAG"], METHODS[:1], 1, 2)
    held = [replace(record, seconds=seconds) for record in records(card)]
    (chart,) = run_times(card, held)
    assert chart.words.startswith("Seconds per cell on MUTAG. pgc-dgcnn: median ")
    assert ET.fromstring(f"<svg>{area(chart)}</svg>") is not None  # noqa: S314
    assert run_times(card, []) == ()


def test_bands_by_radius_never_pass_the_limits_of_the_score() -> None:
    rows = [MethodCard(f"r={r}", "pgc-dgcnn", {"radius": r}, {}) for r in (0, 1)]
    card = experiment(["MUTAG"], rows, 1, 3)
    held = with_accuracies(records(card), [1.0, 0.8, 1.0, 0.0, 0.2, 0.0])
    (series,) = all_series(card, held, ACCURACY, "MUTAG")
    assert [band(series, radius, ACCURACY)[i] for radius, i in ((0, 1), (1, 0))] == [100.0, 0.0]
    assert band(series, 0, ACCURACY)[0] > 0


def test_reliability_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.5, 1, 500)
    right = rng.random(500) < sure
    counts, confidence, share = reliability(sure, right)
    expected_share, expected_confidence = calibration_curve(right, sure, n_bins=10)
    assert confidence == pytest.approx(expected_confidence)
    assert share == pytest.approx(expected_share)
    assert counts.sum() == 500


def test_the_calibration_error_is_the_score_of_that_name() -> None:
    card = experiment(["MUTAG"], METHODS[1:2], 1, 1)
    (held,) = records(card, epochs=0)
    error = 100 * held.scores["ece"]
    assert told(calibration([held], "MUTAG", "dgcnn")).endswith(f"error {error:.1f} %")
    assert calibration(without_predictions([held]), "MUTAG", "dgcnn") is None


def test_only_what_no_quicker_method_beats_is_worthwhile() -> None:
    look = method_looks(experiment())["dgcnn"]
    points = [Point(*row) for row in (("slow", look, 9.0, 0.8), ("quick", look, 1.0, 0.7))]
    points += [Point("worse", look, 2.0, 0.7), Point("late", look, 10.0, 0.75)]
    assert [point.name for point in worthwhile(points, ACCURACY)] == ["quick", "slow"]
    assert [point.name for point in worthwhile(points, RMSE)] == ["quick"]


def test_cost_counts_the_seconds_of_a_fit() -> None:
    card = experiment(["MUTAG"], METHODS[:2], 1, 2)
    held = [
        replace(r, trials=tuple(replace(t, seconds=4.0) for t in r.trials)) for r in records(card)
    ]
    plane = costs(compare(card, held), held, "MUTAG")
    assert plane is not None
    assert "pgc-dgcnn 4 s, " in plane.words
    assert {spot.x for spot in plane.spots} == {4}
    assert costs(compare(card, held[:2]), held[:2], "MUTAG") is None


def test_points_stand_where_their_values_are_and_names_do_not_overlap() -> None:
    look = method_looks(experiment())["dgcnn"]
    spots = [Spot(1, 60, "low", "one name"), Spot(1.01, 60, "same", "another")]
    spots += [Spot(2, 40, "lower"), Spot(9, 90, "high")]
    lines = Line(look, tuple(spots)), Line(None, (Spot(2, 60, ""), Spot(3, float("nan"), "")))
    plane = Plane("M", lines, "x", "y", "words", is_logarithmic=True)
    place = place_of(plane)
    assert 0 < place.x.share(1) < place.x.share(9) < 1
    assert place.height(60) > place.height(90) > 0
    first, second = named(plane, place)
    assert abs(first.y - second.y) > 15  # one above and one below
    crowd = replace(plane, lines=(Line(look, tuple(spots[:1] * 9 + spots[2:])),))
    assert len(named(crowd, place_of(crowd))) == 2
    assert 'points=""' not in plane_on_page(plane)


def test_curves_have_a_line_for_every_setting_that_was_tried_and_mark_the_winner() -> None:
    card = experiment(["MUTAG"], METHODS[:1], 1, 3)
    held = [replace(r, chosen=min(r.cell.fold, 1)) for r in records(card)]
    (group,) = curve_pictures(compare(card, held), held).groups
    assert [one.caption for one in group.pictures] == ["pgc-dgcnn", "pgc-dgcnn, by radius"]
    svg = str(group.pictures[1].svg)
    words = told(svg).split(" by radius: ")[1].split("; ")
    assert [re.sub("lowest [^,]+, ", "", one) for one in words] == [
        f"radius {radius}: 3 folds, won {won}" for radius, won in ((1, 1), (2, 2), (3, 0))
    ]
    assert svg.count("radius 2: lowest") == 3  # in the words for all, on the line, and on its dot
    assert svg.count("radius 3: lowest") == 2


def test_of_many_settings_the_winners_and_the_lowest_losses_are_shown() -> None:
    grid = {"radius": tuple(range(1, 6)), "dropout": (0.1, 0.5)}
    card = experiment(["MUTAG"], [method_card("pgc-dgcnn", **grid)], 1, 2)
    held = [replace(r, chosen=7) for r in records(card)]
    shown = curve_pictures(compare(card, held), held).groups[0].pictures
    assert [one.caption.split(", ")[-1] for one in shown[1:]] == [
        "by setting",
        "by radius",
        "by dropout",
    ]
    title = told(shown[1].svg)
    assert "by setting, 8 of 10: " in title
    assert "radius 4, dropout 0.5: lowest" in title
    assert "radius 5: lowest" in told(shown[2].svg)
    kept = {float(x) for x in re.findall(r"lowest ([\d.]+), 2 folds, won 0", title)}
    every = setting_curves(held)["MUTAG", "pgc-dgcnn"]
    lost = sorted(float(f"{curve.mean.min():.3g}") for curve in every if not curve.n_chosen)
    assert kept == set(lost[:7])


def test_curves_that_were_not_kept_are_counted() -> None:
    card = experiment(["MUTAG"], METHODS[:1], 1, 3)
    held = [winner_only(replace(r, chosen=min(r.cell.fold, 1))) for r in records(card)]
    shown = curve_pictures(compare(card, held), held)
    assert "Of 9 trials 6 left no curve" in shown.words
    svg = str(shown.groups[0].pictures[1].svg)
    assert "radius 3" not in svg
    assert "left no curve" not in curve_pictures(compare(card, records(card)), records(card)).words


def test_numbers_come_before_words_and_by_size() -> None:
    assert sorted(["10", "b", "9", "a", "0.5"], key=natural) == ["0.5", "9", "10", "a", "b"]


@pytest.mark.slow
def test_no_text_is_smaller_than_eleven_pixels() -> None:
    for svg in known("usual"):
        sizes = re.findall(r"font-size(?::|=\")([\d.]+)", svg)
        assert min(map(float, sizes)) >= 11


def test_what_a_mark_shows_is_told_to_whoever_points_at_it() -> None:
    card = experiment(["MUTAG"], METHODS[:2], 1, 3)
    chart = boxes(card, records(card), ACCURACY, "MUTAG", {"dgcnn": 60.0})
    assert isinstance(chart, Chart)
    root = ET.fromstring(on_page(chart))  # noqa: S314
    titles = [element.text for element in root.iter("title")]
    assert "dgcnn in the paper: 60.0 %" in titles
    assert any(title and title.startswith("pgc-dgcnn: mean ") for title in titles)


def luminance(colour: str) -> float:
    """By the definition of WCAG."""
    full = colour if len(colour) == 7 else "#" + "".join(2 * sign for sign in colour[1:])
    parts = [int(full[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def test_colours_stand_out_from_the_page_in_light_dark_and_print() -> None:
    blocks = re.findall(r":root \{(.*?)\}", part("colours.css"))
    assert len(blocks) == 3
    for block in blocks:
        names = dict(re.findall(r"--([\w-]+): (#\w+)", block))
        inks = [f"c{i}" for i in range(len(COLOURS))]
        for name in (*inks, "ink", "soft", "link", "accent", "good", "bad", "warn"):
            for ground in ("paper", "card"):
                both = sorted((luminance(names[name]), luminance(names[ground])))
                assert (both[1] + 0.05) / (both[0] + 0.05) >= 4.5, (name, ground)
    light = dict(re.findall(r"--(c\d): (#\w+)", blocks[0]))
    assert tuple(light.values()) == COLOURS
