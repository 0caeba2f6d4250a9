"""What came out, in plain words, and how far it can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graphrings.report.contrasts import paired
from graphrings.report.statistics import ALPHA, PairedTest
from graphrings.report.tables import Comparison, by_row
from graphrings.report.words import amount, and_list, best_word, gap, p_value
from graphrings.results.record import ExperimentCard, Record
from graphrings.tasks.scores import Score


@dataclass(frozen=True)
class Lead:
    """Who is first on a dataset that at least two methods completed, and by how much.

    ``test`` compares the first with the second over the folds; ``shared`` says that they tie.
    """

    dataset: str
    first: str
    mean: float
    second: str
    test: PairedTest
    shared: bool

    @property
    def certain(self) -> bool:
        """Whether the lead is more than folds and seeds would give by luck."""
        return self.test.p is not None and self.test.p < ALPHA


def leads(comparison: Comparison, records: Sequence[Record]) -> list[Lead]:
    """The first and the second of every dataset."""
    held = by_row(records)
    first_places = []
    for j, dataset in enumerate(comparison.datasets):
        done = [
            (row.entries[j].mean or 0.0, row.title)
            for row in comparison.rows
            if row.entries[j].complete
        ]
        if len(done) < 2:
            continue
        (mean, first), (next_mean, second) = _best_first(done, comparison.score)[:2]
        test = paired(held[first, dataset], held[second, dataset], comparison.score)
        first_places.append(Lead(dataset, first, mean, second, test, abs(mean - next_mean) < 1e-9))
    return first_places


def _best_first(means: list[tuple[float, str]], score: Score) -> list[tuple[float, str]]:
    sign = 1 if score.lower_is_better else -1
    return sorted(means, key=lambda pair: sign * pair[0])


def compared(card: ExperimentCard) -> str:
    """What was compared, in a sentence."""
    methods, datasets = [m.name for m in card.methods], [d.name for d in card.datasets]
    verb = "was" if len(methods) == 1 else "were"
    often = "run once" if card.repetitions == 1 else f"repeated {card.repetitions} times"
    return (
        f"{_count(methods, 'method')} {verb} tested on {_count(datasets, 'dataset')} "
        f"by nested {card.n_folds}-fold cross-validation, {often}."
    )


def _count(names: Sequence[str], noun: str) -> str:
    """The names, or how many there are."""
    if len(names) > 3:
        return f"{len(names)} {noun}s"
    return and_list(names)


def verdict(comparison: Comparison, first_places: Sequence[Lead]) -> list[str]:
    """Who came out ahead: sentences, the last of them the caveat."""
    if len(comparison.rows) < 2:
        return ["There is nothing to compare it with."]
    if not first_places:
        return ["No dataset is complete for two methods yet, so nobody is ahead."]
    if len(first_places) == 1:
        return [_only(first_places[0], comparison.score)]
    return [_wins(first_places, comparison.score), _caveat(first_places)]


def _only(lead: Lead, score: Score) -> str:
    mean = amount(score, lead.mean)
    if lead.shared:
        return f"On {lead.dataset}, {lead.first} and {lead.second} are level at {mean}."
    side = "below" if score.lower_is_better else "above"
    by = f"{gap(score, lead.test.difference or 0)} {side} {lead.second}"
    best = f"the {best_word(score)} mean {score.title}"
    head = f"On {lead.dataset}, {lead.first} has {best}, {mean}, {by}"
    if lead.certain:
        return f"{head}; that is more than luck would give (p {p_value(lead.test.p or 0)})."
    p = "" if lead.test.p is None else f" (p {p_value(lead.test.p)})"
    return f"{head}; a lead of this size is within the noise of folds and seeds{p}."


def _wins(first_places: Sequence[Lead], score: Score) -> str:
    n = len(first_places)
    wins = Counter(lead.first for lead in first_places if not lead.shared)
    winners = [f"{name} on {count}" for name, count in wins.most_common()]
    if not winners:
        return f"The best two are level on all of {n} datasets."
    best = f"the {best_word(score)} mean {score.title}"
    return f"Of {n} datasets, {best} belongs to {and_list(winners)}."


def _caveat(first_places: Sequence[Lead]) -> str:
    certain = [lead.dataset for lead in first_places if lead.certain]
    if not certain:
        return (
            "On none of them is the lead over the second best more than the noise of folds and "
            "seeds: who is first may well be luck."
        )
    if len(certain) == len(first_places):
        return "On all of them the lead over the second best is more than noise (p < 0.05)."
    return (
        f"The lead over the second best is more than noise (p < 0.05) only on "
        f"{and_list(certain)}; elsewhere who is first may well be luck."
    )
