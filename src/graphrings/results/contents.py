"""What records and cards may hold: types, ranges and lengths that agree, as rules written as data.

Stores and exports come from anywhere. All that is read from them passes here once, so that whoever
computes with it afterwards need not look again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from graphrings.results.record import ExperimentCard, Record
from graphrings.tasks import TASKS
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import SCORES

LARGEST = 2**53  # whole numbers that every reader of JSON knows
MOST_SHOWN = 40  # characters of a value in a message

Fields = Mapping[str, Any]


class Rule(NamedTuple):
    """What a value may be, in words and as a test."""

    words: str
    holds: Callable[[Any], bool]


def is_whole(value: Any, least: int = 0) -> bool:
    """Whether a value is a whole number in range; True and False are none."""
    return type(value) is int and least <= value <= LARGEST


def is_text(value: Any) -> bool:
    """Whether a value is text that can be written, too."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in value)


def is_real(value: Any) -> bool:
    """Whether a value is of a kind that numbers have; a trial may have come to no number."""
    return type(value) is float or (type(value) is int and abs(value) <= LARGEST)


def is_number(value: Any) -> bool:
    """Whether a value is a number, possibly infinite."""
    return is_real(value) and not math.isnan(value)


def is_plain(value: Any) -> bool:
    """Whether a value is what TOML and JSON know."""
    if value is None or type(value) in (bool, int, float):  # most are, and to ask takes no time
        return True
    if isinstance(value, str):
        return is_text(value)
    if isinstance(value, Mapping):
        return all(is_text(key) and is_plain(inner) for key, inner in value.items())
    return isinstance(value, list | tuple) and all(map(is_plain, value))


def mapping(of: Rule) -> Rule:
    """Names, each with a value of one kind."""
    return Rule(
        f"names with {of.words} each",
        lambda value: (
            isinstance(value, dict)
            and all(is_text(key) and of.holds(inner) for key, inner in value.items())
        ),
    )


def several(of: Rule, least: int = 0) -> Rule:
    """A list of values of one kind."""
    return Rule(
        f"a list of {of.words}",
        lambda value: (
            isinstance(value, list | tuple) and len(value) >= least and all(map(of.holds, value))
        ),
    )


def or_none(of: Rule) -> Rule:
    """A value of a kind, or nothing."""
    return Rule(f"{of.words} or nothing", lambda value: value is None or of.holds(value))


TEXT = Rule("text", is_text)
COUNT = Rule("a whole number, 0 or larger", is_whole)
NUMBER = Rule("a number", is_number)
REAL = Rule("a number", is_real)
BYTES = Rule("bytes", lambda value: isinstance(value, bytes))
PLAIN = Rule("plain values", is_plain)
SETTING = mapping(PLAIN)

EXPERIMENT = {
    "name": TEXT,
    "task": Rule(f"one of {', '.join(TASKS)}", lambda value: value in TASKS),
    "folds": TEXT,
    "n_folds": Rule("a whole number above 0", lambda value: is_whole(value, 1)),
    "repetitions": Rule("a whole number above 0", lambda value: is_whole(value, 1)),
}
DATASET = {
    "name": TEXT,
    "fingerprint": TEXT,
    "n_graphs": COUNT,
    "targets": TEXT,
    "class_names": several(TEXT),
    "class_counts": several(COUNT),
    "nodes_avg": NUMBER,
    "nodes_max": COUNT,
    "edges_avg": NUMBER,
    "n_labels": COUNT,
    "n_distinct": COUNT,
    "n_conflicting": COUNT,
    "ceiling": NUMBER,
    "twin_share": or_none(NUMBER),
    "n_untested": COUNT,
}
METHOD = {
    "name": TEXT,
    "method": TEXT,
    "settings": SETTING,
    "grid": mapping(several(PLAIN)),
    "citation": TEXT,
    "revision": COUNT,
}
RECORD = {
    "fingerprint": TEXT,
    "n_training": COUNT,
    "n_validation": COUNT,
    "n_test": COUNT,
    "scores": mapping(or_none(NUMBER)),
    "chosen": COUNT,
    "trials": several(SETTING, least=1),
    "test": or_none(BYTES),
    "validation": or_none(BYTES),
    "seconds": NUMBER,
    "finished": TEXT,
    "versions": mapping(TEXT),
}
TRIAL = {
    "setting": SETTING,
    "seed": Rule("a whole number, 0 or larger", lambda value: type(value) is int and value >= 0),
    "scores": mapping(REAL),
    "seconds": NUMBER,
    "epochs": or_none(COUNT),
    "best_epoch": or_none(COUNT),
}
FAILURE = {"error": TEXT, "seconds": NUMBER, "finished": TEXT}
CELL = {"dataset": TEXT, "method": TEXT, "repetition": COUNT, "fold": COUNT}


def check(fields: Fields, rules: Mapping[str, Rule]) -> None:
    """Refuse fields that are missing or are not what they may be; ValueError says which."""
    known = fields.keys()
    for name, rule in rules.items():
        if name not in known:
            raise ValueError(f"no {name}")
        if not rule.holds(fields[name]):
            raise ValueError(f"{name} = {shown(fields[name])}; expected {rule.words}")


def shown(value: Any) -> str:
    """A value in a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def check_card(card: ExperimentCard) -> None:
    """Refuse an experiment whose parts contradict each other."""
    for dataset in card.datasets:
        if len(dataset.class_names) != len(dataset.class_counts):
            raise ValueError(f"{dataset.name}: as many counts as classes are expected")
    for kind, names in (
        ("dataset", [dataset.name for dataset in card.datasets]),
        ("method", [method.name for method in card.methods]),
    ):
        if len(set(names)) < len(names):
            raise ValueError(f"a {kind} that is there twice")


def check_record(record: Record, card: ExperimentCard) -> None:
    """Refuse a cell that is none of its experiment, or that says what cannot be."""
    dataset = next((d for d in card.datasets if d.name == record.cell.dataset), None)
    if dataset is None or record.cell.method not in {method.name for method in card.methods}:
        raise ValueError("not a cell of its experiment")
    if record.cell.repetition >= card.repetitions or record.cell.fold >= card.n_folds:
        raise ValueError(f"expected {card.repetitions} repetitions of {card.n_folds} folds")
    if record.fingerprint != dataset.fingerprint:
        raise ValueError(f"fingerprint {record.fingerprint}; expected {dataset.fingerprint}")
    for name, value in record.scores.items():
        if name in SCORES and SCORES[name].percent and not -1 <= value <= 1:
            raise ValueError(f"{name} = {value}; expected a share")
    for trial in record.trials:
        _check_curve(trial.curve)
    for part, predictions, size in (
        ("test", record.test, record.n_test),
        ("validation", record.validation, record.n_validation),
    ):
        if predictions is not None:
            _check_predictions(part, predictions, size, dataset.n_graphs, dataset.class_names)


def _check_predictions(
    part: str, predictions: Predictions, size: int, n_graphs: int, classes: Iterable[str]
) -> None:
    if len(predictions) != size:
        raise ValueError(f"{len(predictions)} predictions of {size} {part} graphs")
    if size and not 0 <= predictions.graphs.min() <= predictions.graphs.max() < n_graphs:
        raise ValueError(f"predictions of the {part} fold for graphs beyond the {n_graphs} known")
    if predictions.n_classes != len(tuple(classes)):
        raise ValueError(f"predictions of the {part} fold with {predictions.n_classes} classes")


def _check_curve(curve: Any) -> None:
    columns = [] if curve is None else list(vars(curve).values())
    if not all(is_real(value) for column in columns for value in column):
        raise ValueError("a curve of something else than numbers")
    if len(set(map(len, columns))) > 1:
        raise ValueError("a curve whose columns have different lengths")
