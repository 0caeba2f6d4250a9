from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrings.results.record import Curve, Trial
from graphrings.results.setting_curves import CurveSums, SettingCurve, setting_curves
from report.records import METHODS, experiment, records

numbers = st.one_of(st.floats(0, 100), st.just(float("nan")), st.just(float("inf")))


def trial(losses: list[float]) -> Trial:
    curve = Curve((0.0,) * len(losses), (), tuple(losses), ())
    return Trial({"radius": 2}, 0, {}, 1.0, len(losses), 0, curve)


@given(st.lists(st.lists(numbers, min_size=1, max_size=6), min_size=1, max_size=7))
def test_a_mean_is_that_of_the_numbers_as_long_as_half_are_trained(
    folds: list[list[float]],
) -> None:
    total = SettingCurve({"radius": 2})
    for k, losses in enumerate(folds):
        total += SettingCurve.of(trial(losses), chosen=k == 0)
    assert (total.n_curves, total.n_chosen, total.n_lacking) == (len(folds), 1, 0)
    lengths = sorted(map(len, folds), reverse=True)
    assert len(total.mean) == lengths[(len(folds) - 1) // 2]
    for epoch, mean in enumerate(total.mean):
        known = [fold[epoch] for fold in folds if len(fold) > epoch and np.isfinite(fold[epoch])]
        assert np.isclose(mean, np.mean(known)) if known else np.isnan(mean)


def test_records_are_handed_on_with_the_curves_of_winners() -> None:
    """What is counted while records stream by is what all of them would have said."""
    held = records(experiment(n_folds=2, repetitions=1))
    sums = CurveSums()
    handed = list(sums.take(held))
    assert [[t.curve is not None for t in r.trials] for r in handed] == [
        [t.curve is not None and i == r.chosen for i, t in enumerate(r.trials)] for r in held
    ]
    assert sums.curves.keys() == {(r.cell.dataset, r.cell.method) for r in held}
    whole = setting_curves(held)
    for row, curves in sums.curves.items():
        for one, other in zip(curves, whole[row], strict=True):
            assert one.setting == other.setting
            assert np.array_equal(one.mean, other.mean)


def test_what_left_no_curve_is_counted_and_what_has_no_epochs_is_not() -> None:
    card = experiment(["MUTAG"], METHODS, 1, 2)
    bare = [
        replace(r, trials=tuple(replace(t, curve=None) for t in r.trials)) for r in records(card)
    ]
    curves = setting_curves(bare)
    lacking = {m: [c.n_lacking for c in curves["MUTAG", m]] for m in ("dgcnn", "baseline-labels")}
    assert lacking == {"dgcnn": [2], "baseline-labels": [0, 0]}
    assert len(curves["MUTAG", "dgcnn"][0].mean) == 0
