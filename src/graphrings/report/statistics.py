"""Is the difference more than luck? On one dataset by folds, and over datasets by ranks.

One dataset: the corrected resampled t-test over folds (Nadeau and Bengio, Machine Learning 52,
2003) and an exact sign test over graphs, which for classes is McNemar's. Several datasets: the
tests that Demsar recommends (JMLR 7, 2006). Where there is too little to go by, a note says so in
plain words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]
DIGITS = 10  # scores that agree so far are equal: a mean is not exact to the last bit
FEW_DATASETS = 5
ALPHA = 0.05


@dataclass(frozen=True)
class PairedTest:
    """The mean difference of two methods over the cells that both have, and what it is worth.

    ``t``, ``p`` and ``interval`` are None where nothing can be said; ``note`` tells why.
    """

    n: int
    difference: float | None
    t: float | None
    degrees: int
    p: float | None
    interval: tuple[float, float] | None
    note: str = ""


def corrected_t_test(differences: ArrayLike, ratio: float, confidence: float = 0.95) -> PairedTest:
    r"""Corrected resampled t-test of differences, one per fold.

    .. math:: t = \bar d \Big/ \sqrt{(1/n + n_{test} / n_{training}) \, s^2}

    Training sets of different folds overlap, so the folds' differences are not independent:
    ``ratio``, the number of test graphs by that of training graphs, widens the variance. With
    ratio 0 it is the usual paired t-test.
    """
    d = np.sort(np.asarray(differences, dtype=float))  # a sum then never depends on the order
    n, mean = len(d), float(d.mean()) if len(d) else None
    if mean is None or n < 2:
        few = "no fold is" if n == 0 else "only one fold is"
        return PairedTest(n, mean, None, 0, None, None, f"nothing to test, {few} there for both")
    deviation = float(d.std(ddof=1))
    if deviation <= 10.0**-DIGITS * max(1.0, abs(mean)):
        return _without_variance(n, mean)
    error = deviation * float(np.sqrt(1 / n + ratio))
    t = mean / error
    reach = error * float(stats.t.ppf((1 + confidence) / 2, n - 1))
    p = 2 * float(stats.t.sf(abs(t), n - 1))
    return PairedTest(n, mean, t, n - 1, p, (mean - reach, mean + reach))


def _without_variance(n: int, mean: float) -> PairedTest:
    if abs(mean) <= 10.0**-DIGITS:
        return PairedTest(n, 0.0, 0.0, n - 1, 1.0, (0.0, 0.0), "equal in every fold")
    note = "the same difference in every fold: there is no variance to test against"
    return PairedTest(n, mean, None, n - 1, None, None, note)


@dataclass(frozen=True)
class SignTest:
    """Two methods on the same graphs: how often, in a repetition, one is nearer to the truth.

    ``better`` and ``worse`` are means over the repetitions, ``p`` is about all of them.
    """

    n_repetitions: int
    better: float
    worse: float
    p: float


def sign_test(repetitions: Sequence[tuple[int, int]]) -> SignTest | None:
    """Exact test of how many graphs one method gets better and worse, a pair per repetition.

    In a repetition it is the binomial test of both counts against one half: McNemar's exact test
    where errors are right or wrong. Repetitions test the same graphs again and must not be added
    up; twice the median of their p values is a p value whatever they have in common (Meinshausen,
    Meier and Buehlmann, JASA 104, 2009). None without a repetition.
    """
    if not repetitions:
        return None
    p = [float(stats.binomtest(b, b + w).pvalue) if b + w else 1.0 for b, w in repetitions]
    combined = p[0] if len(p) == 1 else min(1.0, 2 * float(np.median(p)))
    better, worse = np.mean(repetitions, axis=0)
    return SignTest(len(p), float(better), float(worse), combined)


def ranks(scores: ArrayLike, lower_is_better: bool = False) -> Floats:
    """Rank of each method (column) on each dataset (row): 1 is the best, ties share the mean."""
    table = np.round(np.asarray(scores, dtype=float), DIGITS)
    ranked: Floats = stats.rankdata(table if lower_is_better else -table, axis=1)
    return ranked


@dataclass(frozen=True)
class Friedman:
    """Whether any method differs: Friedman's chi-square and the sharper F of Iman and Davenport.

    ``f`` is None on one dataset, and where all datasets rank alike.
    """

    chi2: float
    chi2_p: float
    f: float | None
    f_p: float | None
    note: str = ""


def friedman(ranked: ArrayLike) -> Friedman:
    """Friedman's test of a table of ranks, a row per dataset, a column per method; at least 3."""
    table = np.asarray(ranked, dtype=float)
    n, k = table.shape
    tied = not np.ptp(table)  # a case that scipy divides by zero in
    chi2, p = (0.0, 1.0) if tied else map(float, stats.friedmanchisquare(*table.T))
    f, f_p = iman_davenport(chi2, n, k)
    note = "" if n == 1 or f is not None else "every dataset ranks alike: F has no bound"
    return Friedman(chi2, p, f, f_p, note)


def iman_davenport(chi2: float, n: int, k: int) -> tuple[float | None, float | None]:
    """F and its p of a chi-square over n datasets and k methods."""
    left = n * (k - 1) - chi2
    if n == 1 or left < 1e-9:
        return None, None
    f = (n - 1) * chi2 / left
    return f, float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


def few_datasets_note(n: int) -> str:
    """What a test over few datasets cannot say."""
    if n >= FEW_DATASETS:
        return ""
    return (
        f"{n} dataset{'s' * (n != 1)}: too few for tests over datasets, which want at least "
        f"{FEW_DATASETS}; read the ranks as a description, not as evidence"
    )


def critical_difference(k: int, n: int, alpha: float = ALPHA) -> float:
    """Average ranks of k methods over n datasets that differ by so much differ (Nemenyi)."""
    q = float(stats.studentized_range.ppf(1 - alpha, k, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(k * (k + 1) / (6 * n)))


@dataclass(frozen=True)
class SignedRanks:
    """Wilcoxon's signed-rank test of two methods over datasets; ``holm`` is p after correction."""

    first: int
    second: int
    p: float
    holm: float


def wilcoxon(differences: ArrayLike) -> float:
    """The exact two-sided p of Wilcoxon's signed ranks; differences of zero are left out.

    Exact with ties, too, which scipy's is not: counts the choices of signs by the sum of ranks
    that they give.
    """
    d = np.round(np.asarray(differences, dtype=float), DIGITS)
    d = d[d != 0]
    doubled = np.rint(2 * stats.rankdata(np.abs(d))).astype(int)  # ranks with ties are halves
    chance = np.zeros(doubled.sum() + 1)  # of a sum of ranks
    chance[0] = 1.0
    for rank in doubled:
        chance[rank:] = (chance[rank:] + chance[: len(chance) - rank]) / 2
        chance[:rank] /= 2
    smaller = min(doubled[d > 0].sum(), doubled[d < 0].sum())
    return min(1.0, 2 * float(chance[: smaller + 1].sum()))


def holm(p_values: ArrayLike) -> Floats:
    """Holm's correction: the smallest p times m, the next times m - 1, ..., never falling."""
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p, kind="stable")
    corrected: Floats = np.empty_like(p)
    corrected[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)).clip(max=1.0)
    return corrected


def wilcoxon_holm(scores: ArrayLike) -> tuple[SignedRanks, ...]:
    """Every pair of methods (columns) over all datasets (rows)."""
    table = np.asarray(scores, dtype=float)
    pairs = list(combinations(range(table.shape[1]), 2))
    tests = [wilcoxon(table[:, a] - table[:, b]) for a, b in pairs]
    return tuple(
        SignedRanks(a, b, p, float(corrected))
        for (a, b), p, corrected in zip(pairs, tests, holm(tests), strict=True)
    )


def wilcoxon_note(n: int, pairs: int = 1, alpha: float = ALPHA) -> str:
    """Whether Wilcoxon's test over n datasets could find anything at all."""
    least = min(1.0, 2.0 ** (1 - n) * pairs)
    if least < alpha:
        return ""
    corrected = f" after Holm's correction for {pairs} pairs" if pairs > 1 else ""
    return (
        f"Wilcoxon's test over {n} dataset{'s' * (n != 1)} cannot reach {alpha:g}: the smallest "
        f"possible p{corrected} is {least:.2g}"
    )


def repetitions_note(repetitions: int) -> str:
    """What a deviation over repetitions means where there is but one."""
    if repetitions > 1:
        return ""
    return (
        "one repetition: how much its mean would change with other folds and seeds is not known; "
        "the deviation over folds is no substitute, it mostly tells how small a test fold is"
    )


def alike_by_nemenyi(average: ArrayLike, difference: float) -> NDArray[np.bool_]:
    """Which pairs of methods have average ranks nearer than the critical difference."""
    r = np.asarray(average, dtype=float)
    near: NDArray[np.bool_] = np.abs(r[:, None] - r[None, :]) < difference
    return near


def cliques(average: ArrayLike, alike: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
    """The bars of a critical-difference diagram: longest runs of methods, by rank, all alike."""
    order = np.argsort(np.asarray(average, dtype=float), kind="stable")
    k, bars, reached = len(order), [], 0
    for start in range(k):
        end = start + 1
        while end < k and alike[np.ix_(order[start : end + 1], order[start : end + 1])].all():
            end += 1
        if end - start > 1 and end > reached:
            bars.append(tuple(int(method) for method in order[start:end]))
        reached = max(reached, end)
    return tuple(bars)
