"""Every number of a record comes back to its last bit."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from graphrings.errors import StoreError
from graphrings.results import schema
from graphrings.results.record import Cell, Curve, Record, Trial
from graphrings.results.store import Store
from graphrings.tasks import scores as score_list
from graphrings.tasks.scores import Score, scores_of_task
from results.samples import card, dataset, method, predictions, record

numbers = st.floats(allow_nan=False)
scores = st.dictionaries(st.sampled_from(scores_of_task("classification")), numbers)
counts = st.integers(0, 2**40)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)
figures = st.lists(numbers, max_size=4).map(tuple)
curves = st.builds(Curve, figures, figures, figures, figures)
settings = st.dictionaries(st.text(max_size=5), values, max_size=3)
whole = st.none() | counts
trials = st.builds(
    Trial, settings, st.integers(0), scores, numbers, whole, whole, st.none() | curves
)
cells = st.builds(Cell, st.text(), st.text(), st.integers(0, 2), st.integers(0, 9))


@st.composite
def records(draw: st.DrawFn) -> Record:
    tried = tuple(draw(st.lists(trials, min_size=1, max_size=3)))
    return Record(
        cell=draw(cells),
        fingerprint=draw(st.text()),
        n_training=draw(counts),
        n_validation=draw(counts),
        n_test=draw(counts),
        trials=tried,
        chosen=draw(st.integers(0, len(tried) - 1)),
        scores=draw(scores),
        test=draw(st.none() | predictions()),
        validation=draw(st.none() | predictions()),
        seconds=draw(numbers) + 0.0,  # SQLite knows one zero
        versions=draw(st.dictionaries(st.text(), st.text(), max_size=2)),
        finished=draw(st.text()),
    )


def in_memory() -> Store:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    schema.create(connection)
    return Store(Path("memory"), connection, None)


@given(records())
@limits(max_examples=50)
def test_a_record_comes_back_to_the_last_bit(made: Record) -> None:
    data = dataset(made.cell.dataset, fingerprint=made.fingerprint)
    rows = (method(made.cell.method),)
    with in_memory() as store:
        store.register(card(name="e", seed=2**99, datasets=(data,), methods=rows))
        assert store.add("e", made)
        (back,) = store.records("e")
        assert store.card("e").seed == 2**99
        assert store.record("e", made.cell) == back
    assert repr(plain(back)) == repr(plain(made))  # tells -0.0 from 0.0, and 1 from 1.0 from True
    assert (back.test, back.validation) == (made.test, made.validation)


def plain(made: Record) -> Record:
    """Without arrays, whose text is cut; scores in the order of their names."""
    return replace(made, test=None, validation=None, scores=dict(sorted(made.scores.items())))


def test_a_loss_that_is_not_a_number_comes_back() -> None:
    """A trial may diverge without being chosen."""
    nan = float("nan")
    lost = Trial({"rate": nan}, 1, {"log_loss": nan}, 1.0, 1, 0, Curve((nan,), (1,), (-nan,), (1,)))
    with in_memory() as store:
        store.register(card())
        store.add("small", record(trials=(*record().trials, lost)))
        (back,) = store.records("small")
    assert back.trials[-1].curve == Curve(
        *[(pytest.approx(v, nan_ok=True),) for v in (nan, 1, nan, 1)]
    )
    assert repr(back.trials[-1].scores) == repr(lost.scores)


def test_numbers_of_numpy_are_numbers() -> None:
    scores = {"accuracy": np.float32(0.5), "mcc": np.float64(0.1)}
    made = record("MUTAG", "PGC", np.int64(0), np.int32(1), n_test=np.int64(5), scores=scores)
    with in_memory() as store:
        store.register(card())
        store.add("small", made)
        (back,) = store.records("small")
    assert back == made
    assert type(back.n_test) is type(back.cell.fold) is int
    assert type(back.scores["accuracy"]) is float


def test_a_score_that_is_newer_than_a_record_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was known and not defined is not; nor is any where there are no predictions."""
    with in_memory() as store:
        store.register(card())
        store.add("small", record())
        store.add("small", record("PTC", "PGC", 0, 0, test=None))
        errors = Score("errors", "errors", lambda p: float((p.truth != p.predicted).sum()))
        monkeypatch.setattr(score_list, "SCORES", {**score_list.SCORES, "errors": errors})
        first, second = store.records("small")
    assert first.scores == record().scores | {"errors": 1.0}
    assert second.scores == record().scores


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE cells SET trials = '[{]'",
        "UPDATE cells SET trials = '[{\"setting\": 1}]'",
        "UPDATE cells SET trials = '[]'",
        "UPDATE cells SET chosen = 2",
        "UPDATE cells SET curves = x'00ff'",
        "UPDATE cells SET versions = ''",
        "UPDATE cells SET scores = '7'",
        "UPDATE cells SET test = x'00ff'",
    ],
)
def test_a_row_that_was_damaged_is_told(store: Store, damage: str) -> None:
    store.add("small", record())
    store._connection.execute(damage)
    with pytest.raises(StoreError, match=r"results\.db: the store is damaged \(PGC on MUTAG"):
        store.records("small")
