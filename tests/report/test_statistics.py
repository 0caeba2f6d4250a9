"""Against scipy, against Demsar's worked example (JMLR 7, 2006), and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from graphrings.report import statistics
from graphrings.report.statistics import (
    cliques,
    corrected_t_test,
    critical_difference,
    friedman,
    holm,
    ranks,
    wilcoxon,
    wilcoxon_holm,
)

# Table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf. On the 13th set the last two print alike but
# were ranked 2 and 3.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
differences = st.lists(st.integers(-20, 20).map(lambda n: n / 10), min_size=2, max_size=12)


def test_average_ranks_of_the_worked_example() -> None:
    assert ranks(DEMSAR).mean(axis=0).round(3).tolist() == [3.143, 2.0, 2.893, 1.964]


def test_friedman_of_the_worked_example() -> None:
    test = friedman(ranks(DEMSAR), correct_ties=False)
    assert (test.n, test.k, test.note) == (14, 4, "")
    assert test.chi2 == pytest.approx(9.28, abs=0.005)
    assert test.f == pytest.approx(3.69, abs=0.005)
    assert test.f_p is not None
    assert test.f_p < 0.05  # "the critical value of F(3, 39) is 2.85, so we reject"


def test_critical_difference_of_the_worked_example() -> None:
    assert critical_difference(4, 14, 0.05) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize(
    ("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (7, 2.949), (10, 3.164)]
)
def test_critical_values_of_nemenyi_as_printed(k: int, q: float) -> None:
    """Table 5 (a) of Demsar; with N = k (k + 1) / 6 the difference is the value itself."""
    n = k * (k + 1) / 6
    assert critical_difference(k, n) == pytest.approx(q, abs=0.001)  # type: ignore[arg-type]


def test_friedman_is_that_of_scipy_with_ties_and_without() -> None:
    rng = np.random.default_rng(0)
    for scores in (rng.random((9, 4)), rng.integers(0, 4, (12, 5)).astype(float)):
        theirs = stats.friedmanchisquare(*scores.T)
        ours = friedman(ranks(scores))
        assert (ours.chi2, ours.chi2_p) == pytest.approx((theirs.statistic, theirs.pvalue))


def test_rank_one_is_the_best_and_ties_share() -> None:
    scores = [[0.9, 0.7, 0.7, 0.1], [1.0, 1.0, 1.0, 1.0]]
    assert ranks(scores).tolist() == [[1, 2.5, 2.5, 4], [2.5] * 4]
    assert ranks(scores, lower_is_better=True).tolist() == [[4, 2.5, 2.5, 1], [2.5] * 4]


def test_scores_that_differ_by_rounding_tie() -> None:
    assert ranks([[0.1 + 0.2, 0.3]]).tolist() == [[1.5, 1.5]]


def test_few_datasets_are_said_to_be_few() -> None:
    assert friedman(ranks(DEMSAR[:4])).note.startswith("4 datasets: too few")
    assert friedman(ranks(DEMSAR[:5])).note == ""


def test_one_dataset_has_no_f() -> None:
    test = friedman(ranks([[3.0, 2.0, 1.0]]))
    assert (test.f, test.f_p) == (None, None)
    assert test.note.startswith("1 dataset: too few")


def test_f_has_no_bound_where_all_datasets_rank_alike() -> None:
    test = friedman(ranks([[3.0, 2.0, 1.0]] * 6))
    assert (test.chi2, test.f) == (pytest.approx(12.0), None)
    assert "ranks alike" in test.note


def test_equal_methods_do_not_differ() -> None:
    test = friedman(ranks(np.ones((6, 3))))
    assert (test.chi2, test.chi2_p, test.f_p) == (0.0, 1.0, 1.0)


def test_without_correction_it_is_the_paired_t_test_of_scipy() -> None:
    d = np.random.default_rng(1).normal(0.4, 1, 30)
    theirs = stats.ttest_1samp(d, 0)
    ours = corrected_t_test(d, ratio=0)
    low, high = theirs.confidence_interval(0.95)
    assert (ours.t, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.interval == pytest.approx((low, high))
    assert (ours.n, ours.degrees, ours.note) == (30, 29, "")


def test_the_correction_by_hand() -> None:
    """Differences 1 and 3: mean 2, variance 2; 1/2 + 1/8 makes the error sqrt(1.25)."""
    test = corrected_t_test([1, 3], ratio=1 / 8)
    assert test.t == pytest.approx(2 / 1.25**0.5)
    assert test.degrees == 1
    # Student's t with one degree of freedom is the Cauchy distribution
    assert test.p == pytest.approx(1 - 2 * np.arctan(2 / 1.25**0.5) / np.pi)


def test_nothing_to_test_is_said() -> None:
    none, one = corrected_t_test([], 0.1), corrected_t_test([0.5], 0.1)
    assert (none.n, none.difference, none.p) == (0, None, None)
    assert (one.n, one.difference, one.p, one.interval) == (1, 0.5, None, None)
    assert "no fold" in none.note
    assert "only one fold" in one.note


def test_equal_in_every_fold() -> None:
    test = corrected_t_test([0.0] * 5, 0.1)
    assert (test.t, test.p, test.interval) == (0.0, 1.0, (0.0, 0.0))


def test_no_variance_is_not_taken_for_certainty() -> None:
    test = corrected_t_test([0.9 - 0.8, 0.8 - 0.7, 0.7 - 0.6], 0.1)
    assert (test.t, test.p, test.interval) == (None, None, None)
    assert test.difference == pytest.approx(0.1)
    assert "no variance" in test.note


@given(differences, st.floats(0, 1))
def test_the_t_test_changes_its_sign_with_the_sides(d: list[float], ratio: float) -> None:
    one, other = corrected_t_test(d, ratio), corrected_t_test([-x for x in d], ratio)
    assert one.p == pytest.approx(other.p)
    assert one.difference == pytest.approx(-(other.difference or 0.0))
    if one.t is not None and other.t is not None and one.interval and other.interval:
        assert one.t == pytest.approx(-other.t)
        assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]))


@given(differences.flatmap(lambda d: st.tuples(st.just(d), st.permutations(d))))
def test_the_order_of_folds_does_not_matter(two: tuple[list[float], list[float]]) -> None:
    first, second = two
    assert corrected_t_test(first, 0.1) == corrected_t_test(second, 0.1)
    assert wilcoxon(first) == wilcoxon(second)


@given(differences, st.floats(0, 1), st.floats(0, 1))
def test_a_larger_correction_never_makes_p_smaller(d: list[float], a: float, b: float) -> None:
    low, high = corrected_t_test(d, min(a, b)).p, corrected_t_test(d, max(a, b)).p
    assert (low is None) is (high is None)
    assert low is None or high is None or low <= high + 1e-12


@given(st.lists(st.floats(-5, 5).map(lambda x: round(x, 6)), min_size=1, max_size=9, unique_by=abs))
def test_wilcoxon_is_that_of_scipy_without_ties(d: list[float]) -> None:
    nonzero = [x for x in d if x]
    n, p = wilcoxon(d)
    assert n == len(nonzero)
    if nonzero:
        assert p == pytest.approx(stats.wilcoxon(nonzero, method="exact").pvalue)


@given(differences.filter(lambda d: 0 < sum(x != 0 for x in d) < 9))
def test_wilcoxon_with_ties_counts_all_signs(d: list[float]) -> None:
    """Every choice of signs is as likely as another: count those that are as extreme."""
    x = np.array([value for value in d if value])
    weights = stats.rankdata(np.abs(x))
    signs = np.array(np.meshgrid(*[[-1, 1]] * len(x))).reshape(len(x), -1)
    sums = np.abs(weights @ signs)
    expected = (sums >= abs(weights @ np.sign(x)) - 1e-9).mean()
    assert wilcoxon(d)[1] == pytest.approx(expected)


def test_wilcoxon_of_equal_methods() -> None:
    assert wilcoxon([0.0, 0.0, 0.0]) == (0, 1.0)


@pytest.mark.parametrize(("n", "p"), [(5, 0.0625), (6, 0.03125)])
def test_five_datasets_cannot_tell_and_six_can(n: int, p: float) -> None:
    assert wilcoxon(range(1, n + 1)) == (n, p)
    assert (statistics.wilcoxon_note(n) == "") is (p < 0.05)


def test_many_pairs_want_more_datasets() -> None:
    assert "for 3 pairs is 0.094" in statistics.wilcoxon_note(6, pairs=3)
    assert statistics.wilcoxon_note(8, pairs=3) == ""


def test_holm_by_hand() -> None:
    """0.01 * 4, 0.02 * 3, then 0.03 * 2 = 0.06 and 0.04 * 1, which may not fall below 0.06."""
    assert holm([0.04, 0.01, 0.03, 0.02]).tolist() == pytest.approx([0.06, 0.04, 0.06, 0.06])


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_lies_between_p_and_bonferroni(p: list[float]) -> None:
    corrected = holm(p)
    order = np.argsort(p, kind="stable")
    assert (np.diff(corrected[order]) >= 0).all()
    assert (corrected >= np.array(p)).all()
    assert (corrected <= np.minimum(1, np.array(p) * len(p)) + 1e-12).all()


def test_every_pair_is_tested_once() -> None:
    tests = wilcoxon_holm(DEMSAR)
    assert [(t.first, t.second) for t in tests] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert tests[0].n == 12  # two datasets tie
    assert all(t.p <= t.holm for t in tests)


def test_bars_of_the_worked_example() -> None:
    """At 0.10 the paper finds C4.5 worse than both with m, and C4.5+cf undecided."""
    average = ranks(DEMSAR).mean(axis=0)
    alike = statistics.alike_by_nemenyi(average, critical_difference(4, 14, 0.10))
    assert cliques(average, alike) == ((3, 1, 2), (2, 0))


def test_a_bar_inside_another_is_not_drawn() -> None:
    average = np.array([1.0, 2.0, 3.0, 9.0])
    assert cliques(average, statistics.alike_by_nemenyi(average, 2.5)) == ((0, 1, 2),)
    assert cliques(average, statistics.alike_by_nemenyi(average, 1.5)) == ((0, 1), (1, 2))
    assert cliques(average, statistics.alike_by_nemenyi(average, 0.5)) == ()


def test_a_difference_of_just_the_critical_one_tells_apart() -> None:
    assert not statistics.alike_by_nemenyi([1.0, 3.0], 2.0)[0, 1]


def test_wilcoxon_tells_apart_what_holm_leaves_below_alpha() -> None:
    scores = np.column_stack([np.arange(8) + 1.0, np.zeros(8), np.zeros(8)])
    tests = wilcoxon_holm(scores)
    alike = statistics.alike_by_wilcoxon(tests, 3)
    assert alike.tolist() == [[True, False, False], [False, True, True], [False, True, True]]
    assert cliques([1.0, 2.5, 2.5], alike) == ((1, 2),)


def test_one_repetition_says_what_is_not_known() -> None:
    assert "one repetition" in statistics.repetitions_note(1)
    assert statistics.repetitions_note(2) == ""
