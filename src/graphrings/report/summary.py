"""What came out, in plain words, and how far it can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graphrings.report.contrasts import paired
from graphrings.report.sheets import p_value
from graphrings.report.statistics import PairedTest
from graphrings.report.tables import Comparison, by_row
from graphrings.results.record import Record

ALPHA = 0.05


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
    found = []
    for j, dataset in enumerate(comparison.datasets):
        done = [
            (row.entries[j].mean or 0.0, row.title)
            for row in comparison.rows
            if row.entries[j].complete
        ]
        if len(done) < 2:
            continue
        (mean, first), (next_mean, second) = sorted(done, key=lambda pair: -pair[0])[:2]
        test = paired(held[first, dataset], held[second, dataset], comparison.score)
        found.append(Lead(dataset, first, mean, second, test, mean - next_mean < 1e-9))
    return found


def summary(comparison: Comparison, found: Sequence[Lead]) -> list[str]:
    """What was compared and who came out ahead: sentences, the last of them the caveat."""
    return [_compared(comparison), *_ahead(comparison, found)]


def _compared(comparison: Comparison) -> str:
    card = comparison.card
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


def and_list(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _ahead(comparison: Comparison, found: Sequence[Lead]) -> list[str]:
    if len(comparison.rows) < 2:
        return ["There is nothing to compare it with."]
    if not found:
        return ["No dataset is complete for two methods yet, so nobody is ahead."]
    return [_only(found[0])] if len(found) == 1 else [_wins(found), _caveat(found)]


def _only(lead: Lead) -> str:
    if lead.shared:
        return f"On {lead.dataset}, {lead.first} and {lead.second} are level at {lead.mean:.1f} %."
    by = f"{lead.test.difference or 0:.1f} points above {lead.second}"
    head = f"On {lead.dataset}, {lead.first} has the highest mean accuracy, {lead.mean:.1f} %, {by}"
    if lead.certain:
        return f"{head}; that is more than luck would give (p {p_value(lead.test.p or 0)})."
    p = "" if lead.test.p is None else f" (p {p_value(lead.test.p)})"
    return f"{head}; a lead of this size is within the noise of folds and seeds{p}."


def _wins(found: Sequence[Lead]) -> str:
    wins = Counter(lead.first for lead in found if not lead.shared)
    told = [f"{name} on {n}" for name, n in wins.most_common()]
    if not told:
        return f"The best two are level on all of {len(found)} datasets."
    return f"Of {len(found)} datasets, the highest mean accuracy belongs to {and_list(told)}."


def _caveat(found: Sequence[Lead]) -> str:
    certain = [lead.dataset for lead in found if lead.certain]
    if not certain:
        return (
            "On none of them is the lead over the second best more than the noise of folds and "
            "seeds: who is first may well be luck."
        )
    if len(certain) == len(found):
        return "On all of them the lead over the second best is more than noise (p < 0.05)."
    return (
        f"The lead over the second best is more than noise (p < 0.05) only on "
        f"{and_list(certain)}; elsewhere who is first may well be luck."
    )
