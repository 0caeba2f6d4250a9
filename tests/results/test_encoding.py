"""Every number of a record comes back to its last bit."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from graphrings.errors import StoreError
from graphrings.results import schema
from graphrings.results.record import Cell, Curve, ExperimentCard, Record, Scores, Trial
from graphrings.results.store import Store
from results.samples import dataset, method, record

numbers = st.floats(allow_nan=False)
scores = st.floats(0, 1)
maybe = st.none() | st.floats(min_value=0, allow_nan=False)
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
    Trial, settings, st.integers(0), scores, maybe, numbers, whole, whole, st.none() | curves
)
confusion = st.lists(st.tuples(counts, counts), min_size=2, max_size=2).map(tuple)
cells = st.builds(Cell, st.text(), st.text(), st.integers(0, 99), st.integers(0, 99))


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
        test=draw(st.builds(Scores, scores, scores, scores, maybe, maybe, confusion)),
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
        store.register(ExperimentCard("e", 2**99, "grouped", 10, 3, (data,), rows))
        assert store.add("e", made)
        (found,) = store.records("e")
        assert store.card("e").seed == 2**99
    assert repr(found) == repr(made)  # tells -0.0 from 0.0, and 1 from 1.0 from True


def test_a_loss_that_is_not_a_number_comes_back() -> None:
    """A trial may diverge without being chosen."""
    nan = float("nan")
    lost = Trial({"rate": nan}, 1, 0.5, nan, 1.0, 1, 0, Curve((nan,), (0.5,), (-nan,), (0.5,)))
    with in_memory() as store:
        store.register(ExperimentCard("e", 1, "grouped", 10, 3, (dataset("D"),), (method("M"),)))
        store.add("e", record("D", "M", 0, 0, trials=(*record().trials, lost)))
        assert "nan" in repr(store.records("e")[0].trials[-1].curve)
        assert repr(store.records("e")[0].trials[-1]) == repr(lost)


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy as np

    test = Scores(np.float32(0.5), np.float64(0.1), 0.2, np.float32(1), None, ((np.int64(3),),))
    made = record("D", "M", np.int64(0), np.int32(1), n_test=np.int64(5), test=test)
    with in_memory() as store:
        store.register(ExperimentCard("e", 1, "grouped", 10, 3, (dataset("D"),), (method("M"),)))
        store.add("e", made)
        (found,) = store.records("e")
    assert found == made
    assert type(found.n_test) is type(found.cell.fold) is type(found.test.confusion[0][0]) is int


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE cells SET trials = '[{]'",
        "UPDATE cells SET trials = '[{\"setting\": 1}]'",
        "UPDATE cells SET curves = x'00ff'",
        "UPDATE cells SET versions = ''",
        "UPDATE cells SET confusion = '7'",
    ],
)
def test_a_row_that_was_damaged_is_told(store: Store, damage: str) -> None:
    store.add("small", record())
    store._connection.execute(damage)
    with pytest.raises(StoreError, match=r"results\.db: the store is damaged \(PGC on MUTAG"):
        store.records("small")
