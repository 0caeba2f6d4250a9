"""What the cells of a fit say: the score of the procedure, of every method, and who has won.

The procedure is: take the method and the setting with the best score on the validation fold. Its
score is that of its choices on the test folds, which no choice has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from graphrings.errors import ExperimentError
from graphrings.fit.plan import Plan
from graphrings.report.contrasts import paired
from graphrings.report.statistics import ALPHA, PairedTest, corrected_t_test
from graphrings.report.tables import shown_value
from graphrings.results.record import Cell, ExperimentCard, Failure, Record, Setting, Trial
from graphrings.results.setting_curves import Curves
from graphrings.tasks.scores import SCORES, Score

PROCEDURE = "best on validation"  # the row of the procedure
Place = tuple[int, int]  # repetition and fold


@dataclass(frozen=True)
class Estimate:
    """A mean over test folds and its 95 % interval, in the unit of the score, not in percent.

    The interval is that of the corrected resampled t-test, which allows for training graphs that
    folds share; None from a single fold.
    """

    mean: float
    interval: tuple[float, float] | None
    n_folds: int


@dataclass(frozen=True)
class Winner:
    """A method and its setting, by the mean of the score that chooses over validation folds."""

    method: str
    setting: Setting
    validation: float


@dataclass(frozen=True)
class Judgement:
    """The records of all folds that are complete, and what was left out and why.

    ``card`` is the experiment without what was left out; ``chosen`` is the record that the
    procedure chose in every fold. ``curves`` are those of all settings, as means over folds.
    """

    plan: Plan
    card: ExperimentCard
    methods: tuple[str, ...]
    records: Mapping[tuple[str, Place], Record]
    chosen: Mapping[Place, Record]
    left_out: Mapping[str, str]
    curves: Curves = field(default_factory=dict)

    @property
    def contenders(self) -> tuple[str, ...]:
        """The methods that the procedure chose among."""
        return tuple(name for name in self.methods if name in self.plan.contenders)

    @property
    def n_complete(self) -> int:
        """Folds that every method has finished."""
        return len(self.chosen)

    @property
    def is_stopped(self) -> bool:
        """Whether the time was over before the last fold."""
        return self.n_complete < self.plan.n_cells

    @cached_property
    def procedure(self) -> tuple[Record, ...]:
        """The procedure as a row of its own."""
        return tuple(
            replace(record, cell=record.cell._replace(method=PROCEDURE))
            for _, record in sorted(self.chosen.items())
        )

    def rows(self) -> dict[str, tuple[Record, ...]]:
        """The records of the procedure, where it has a choice, and of every method."""
        own = {PROCEDURE: self.procedure} if len(self.contenders) > 1 else {}
        return own | {name: self._of(name) for name in self.methods}

    def times_chosen(self, method: str) -> int:
        """In how many folds the procedure chose a method."""
        return sum(record.cell.method == method for record in self.chosen.values())

    def estimate(self) -> Estimate | None:
        """How good the procedure is, by the score that chooses."""
        return estimate(self.procedure, self.plan.score)

    def of(self, method: str) -> Estimate | None:
        """How good one method is."""
        return estimate(self._of(method), self.plan.score)

    @property
    def has_baseline(self) -> bool:
        """Whether there is a baseline that is not the whole procedure."""
        baseline = self.plan.task.baseline
        return baseline in self.methods and self.contenders != (baseline,)

    def gain(self) -> PairedTest | None:
        """The procedure minus the baseline, fold by fold, as people read the score."""
        if not self.has_baseline:
            return None
        theirs = {record.cell: record for record in self._of(self.plan.task.baseline)}
        return paired({r.cell: r for r in self.procedure}, theirs, self.plan.score)

    def winner(self) -> Winner:
        """The best method and setting over all validation folds; the simpler one where they tie."""
        best: tuple[tuple[str, Setting], Sequence[float]] | None = None
        for pair in self._pairs():
            means = self._validation_means(*pair)
            if means and (best is None or _beats(means, best[1], self.plan.chosen_by)):
                best = pair, means
        assert best is not None, "a fold without a score to choose by is not complete"
        (method, setting), means = best
        return Winner(method, setting, means[0])

    def _of(self, method: str) -> tuple[Record, ...]:
        return tuple(self.records[method, place] for place in sorted(self.chosen))

    def _pairs(self) -> Iterable[tuple[str, Setting]]:
        """All methods that may win, with all settings that were tried for them."""
        first = min(self.chosen)
        for method in self.contenders:
            for trial in self.records[method, first].trials:
                yield method, trial.setting

    def _validation_means(self, method: str, setting: Setting) -> Sequence[float]:
        """The scores that choose, of one setting, averaged over the validation folds."""
        trials = [
            trial
            for record in self._of(method)
            for trial in record.trials
            if trial.setting == setting
        ]
        columns = ([t.scores[s] for t in trials if s in t.scores] for s in self.plan.chosen_by)
        means = []
        for column in columns:
            if not column:
                break
            means.append(float(np.mean(column)))
        return means


def estimate(records: Sequence[Record], score: Score) -> Estimate | None:
    """A mean with its interval over the folds in which the score is defined."""
    values = [
        (value, record.n_test / record.n_training)
        for record in records
        if (value := shown_value(record, score)) is not None
    ]
    if not values:
        return None
    shown, ratios = zip(*values, strict=True)
    test = corrected_t_test(shown, float(np.mean(ratios)))
    assert test.difference is not None
    unit = score.shown(1.0)
    return Estimate(test.difference / unit, _interval(test, score), len(values))


def complete_estimate(records: Sequence[Record], score: Score) -> Estimate | None:
    """The same, but None unless the score is defined in every fold.

    A method that gives no probabilities has no log loss: where the procedure chose it in some
    folds, the mean of the others would be the mean of something else.
    """
    own = estimate(records, score)
    return own if own is not None and own.n_folds == len(records) else None


def _interval(test: PairedTest, score: Score) -> tuple[float, float] | None:
    """The interval in the unit of the score; shares end at 0 and 1, errors begin at 0."""
    if test.interval is None:
        return None
    low, high = (end / score.shown(1.0) for end in test.interval)
    if score.percent or score.lower_is_better:
        low = max(0.0, low)
    return low, min(1.0, high) if score.percent else high


def is_more_than_noise(test: PairedTest) -> bool:
    """Whether a gain is one that folds and seeds would rarely give by luck."""
    return test.p is not None and test.p < ALPHA


def judge(
    plan: Plan,
    card: ExperimentCard,
    records: Iterable[Record],
    failures: Iterable[Failure] = (),
    left_out: Mapping[str, str] | None = None,
) -> Judgement:
    """Judge the folds that all methods have finished; a method that failed is left out."""
    held = {(r.cell.method, (r.cell.repetition, r.cell.fold)): r for r in records}
    out = {**_failed(plan, failures), **_without_score(plan, held), **(left_out or {})}
    methods = tuple(one.method for one in plan.candidates if one.method not in out)
    contenders = [name for name in methods if name in plan.contenders]
    if not contenders:
        reasons = "; ".join(f"{name}: {why}" for name, why in out.items())
        raise ExperimentError(f"{plan.dataset.name}: no method is left to choose ({reasons})")
    complete = [
        (repetition, fold)
        for repetition in range(plan.repetitions)
        for fold in range(plan.n_folds)
        if all((name, (repetition, fold)) in held for name in methods)
    ]
    if not complete:
        raise ExperimentError(
            f"{plan.dataset.name}: no fold was finished by all of {', '.join(methods)}; expected a "
            "longer budget (the store keeps what was done)"
        )
    chosen = {place: _chosen(plan, [held[n, place] for n in contenders]) for place in complete}
    kept = {(name, place): held[name, place] for name in methods for place in complete}
    judged = replace(card, methods=tuple(row for row in card.methods if row.name in methods))
    return Judgement(plan, judged, methods, kept, chosen, out)


def _chosen(plan: Plan, records: Sequence[Record]) -> Record:
    """The record with the best validation score; the earlier in the list where they tie."""
    best = records[0]
    for record in records[1:]:
        if _trial_beats(_won(record), _won(best), plan.chosen_by):
            best = record
    return best


def _won(record: Record) -> Trial:
    return record.trials[record.chosen]


def _trial_beats(one: Trial, other: Trial, chosen_by: Sequence[str]) -> bool:
    """By the first score that differs and that both have; a trial without the main one loses."""
    if (chosen_by[0] in one.scores) != (chosen_by[0] in other.scores):
        return chosen_by[0] in one.scores
    both = [name for name in chosen_by if name in one.scores and name in other.scores]
    return _beats([one.scores[n] for n in both], [other.scores[n] for n in both], both)


def _beats(ours: Sequence[float], theirs: Sequence[float], names: Sequence[str]) -> bool:
    for name, a, b in zip(names, ours, theirs, strict=False):
        if a != b:
            return SCORES[name].better(a, b)
    return False


def _failed(plan: Plan, failures: Iterable[Failure]) -> dict[str, str]:
    """Methods with a cell that could not be finished, and why the first could not."""
    known = {one.method for one in plan.candidates}
    reasons: dict[str, str] = {}
    for failure in failures:
        cell: Cell = failure.cell
        if cell.method in known:
            where = f"fold {cell.fold + 1} of repetition {cell.repetition + 1}"
            reasons.setdefault(cell.method, f"it failed in {where} ({failure.error})")
    return reasons


def _without_score(plan: Plan, held: Mapping[tuple[str, Place], Record]) -> dict[str, str]:
    """Contenders that do not say what the score is computed from, such as probabilities."""
    reasons: dict[str, str] = {}
    for name in plan.contenders:
        own = [record for (method, _), record in held.items() if method == name]
        if own and not any(plan.score.name in _won(record).scores for record in own):
            reasons[name] = f"it has no {plan.score.title}"
    return reasons
