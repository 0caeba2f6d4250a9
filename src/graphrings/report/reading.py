"""What a report needs of a store, and no more: curves of the trials that won alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graphrings.results.record import ExperimentCard, Failure, Record
from graphrings.results.store import Store


def read_results(
    path: Path, name: str | None
) -> tuple[ExperimentCard, list[Record], list[Failure]]:
    """An experiment of a store; without a name the only one there is."""
    with Store.read(path) as store:
        name = store.choose(name)
        records = [winner_only(record) for record in store.each_record(name)]
        return store.card(name), records, store.failures(name)


def winner_only(record: Record) -> Record:
    """The record without the curves of the trials that lost: those of all may not fit memory."""
    trials = tuple(
        trial if i == record.chosen else replace(trial, curve=None)
        for i, trial in enumerate(record.trials)
    )
    return replace(record, trials=trials)
