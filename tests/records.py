"""What tests do with records."""

from collections.abc import Iterable
from dataclasses import replace

from graphrings.results.record import Record


def without_times(record: Record) -> Record:
    """What must be the same whenever and wherever a cell is run."""
    trials = tuple(replace(trial, seconds=0.0) for trial in record.trials)
    return replace(record, trials=trials, seconds=0.0, finished="")


def records(events: Iterable[object]) -> list[Record]:
    """The records among some events, sorted and without times."""
    outcomes = [event for event in events if isinstance(event, Record)]
    return sorted((without_times(record) for record in outcomes), key=lambda record: record.cell)
