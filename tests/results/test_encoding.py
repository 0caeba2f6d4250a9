"""Every number of a record comes back to its last bit."""

import sqlite3
import warnings
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from graphrings.errors import DamagedCellWarning, StoreError
from graphrings.results import schema
from graphrings.results.checksums import checksum
from graphrings.results.record import Cell, Curve, ExperimentCard, Record, Trial
from graphrings.results.store import Store
from graphrings.tasks import scores as score_list
from graphrings.tasks.scores import Score, scores_of_task
from results.samples import card, dataset, method, predictions, record

numbers = st.floats(allow_nan=False)
names = st.sampled_from(scores_of_task("classification"))
scores = st.dictionaries(names, st.floats(-1, 1))
counts = st.integers(0, 2**40)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)
figures = st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=4)
curves = figures.map(lambda epochs: Curve(*zip(*epochs, strict=True)))
settings = st.dictionaries(st.text(max_size=5), values, max_size=3)
whole = st.none() | counts
trials = st.builds(
    Trial, settings, st.integers(0), scores, numbers, whole, whole, st.none() | curves
)
cells = st.builds(Cell, st.text(), st.text(), st.integers(0, 2), st.integers(0, 9))
classes = st.shared(st.sampled_from([0, 2, 3, 300]))
said = st.none() | classes.flatmap(predictions)


@st.composite
def records(draw: st.DrawFn) -> Record:
    tried = tuple(draw(st.lists(trials, min_size=1, max_size=3)))
    test, validation = draw(said), draw(said)
    return Record(
        cell=draw(cells),
        fingerprint=draw(st.text()),
        n_training=draw(counts),
        n_validation=draw(counts) if validation is None else len(validation),
        n_test=draw(counts) if test is None else len(test),
        trials=tried,
        chosen=draw(st.integers(0, len(tried) - 1)),
        scores=draw(scores),
        test=test,
        validation=validation,
        seconds=draw(numbers) + 0.0,  # SQLite knows one zero
        versions=draw(st.dictionaries(st.text(), st.text(), max_size=2)),
        finished=draw(st.text()),
    )


def in_memory() -> Store:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    schema.create(connection)
    return Store(Path("memory"), connection, None)


@given(records(), classes)
@limits(max_examples=50)
def test_a_record_comes_back_to_the_last_bit(made: Record, n_classes: int) -> None:
    data = dataset(
        made.cell.dataset,
        fingerprint=made.fingerprint,
        n_graphs=2**31,
        class_names=("a",) * n_classes,
        class_counts=(1,) * n_classes,
    )
    of = {"datasets": (data,), "methods": (method(made.cell.method),)}
    with in_memory() as store:
        store.register(card(name="e", seed=2**99, n_folds=10, repetitions=3, **of))
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
    made = record("MUTAG", "PGC", np.int64(0), np.int32(1), n_test=np.int64(2), scores=scores)
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
        "UPDATE cells SET versions = ''",
        "UPDATE cells SET scores = '7'",
        "UPDATE cells SET scores = '{\"accuracy\": 1.5}'",
        "UPDATE cells SET test = x'00ff'",
        "UPDATE cells SET n_test = 'two'",
        "UPDATE cells SET n_test = 3",
        "UPDATE cells SET finished = CAST(x'ff' AS TEXT)",
    ],
)
@pytest.mark.parametrize("with_a_right_checksum", [False, True])
def test_a_damaged_row_is_named_left_out_and_replaced(
    store: Store, damage: str, with_a_right_checksum: bool
) -> None:
    """By its checksum; and by what it says, should somebody have made the checksum fit."""
    store.add("small", record())
    store.add("small", record("PTC", "PGC", 0, 0))
    store._connection.execute(f"{damage} WHERE dataset = 'MUTAG'")
    if with_a_right_checksum:
        (row,) = store._connection.execute("SELECT * FROM cells WHERE dataset = 'MUTAG'")
        new = [checksum(dict(row))]
        store._connection.execute("UPDATE cells SET checksum = ? WHERE dataset = 'MUTAG'", new)
    told = r"results\.db: damaged, left out, and done again by the next run: PGC on MUTAG"
    with pytest.warns(DamagedCellWarning, match=told):
        assert [known.cell.dataset for known in store.records("small")] == ["PTC"]
    with pytest.warns(DamagedCellWarning, match=told):
        assert store.finished("small") == {Cell("PTC", "PGC", 0, 0)}
    assert store.add("small", record())
    assert len(store.records("small")) == 2


@pytest.mark.parametrize(("n_damaged", "end"), [(3, r"\)"), (5, r"\), and 2 more")])
def test_three_damaged_cells_are_named_and_the_others_counted(
    store: Store, n_damaged: int, end: str
) -> None:
    for fold in range(n_damaged):
        store.add("small", record(*("MUTAG", "PTC")[fold // 3 : fold // 3 + 1], "PGC", 0, fold % 3))
    store._connection.execute("UPDATE cells SET n_test = 3")
    named = r"; ".join([r"PGC on \w+, [^;]*"] * 3)
    with pytest.warns(DamagedCellWarning, match=rf"next run: {named}{end}$"):
        assert store.records("small") == []


def test_curves_that_are_damaged_are_told_where_they_are_shown(store: Store) -> None:
    store.add("small", record())
    store._connection.execute("UPDATE cells SET curves = x'00ff'")
    with pytest.warns(DamagedCellWarning, match="PGC on MUTAG"):
        assert store.records("small") == []


def in_order(known: ExperimentCard) -> ExperimentCard:
    """The same card with its rows and columns by name."""
    by_name = attrgetter("name")
    return replace(
        known,
        methods=tuple(sorted(known.methods, key=by_name)),
        datasets=tuple(sorted(known.datasets, key=by_name)),
    )


@given(st.data())
@limits(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_single_bit_changes_a_record_unseen(tmp_path: Path, data: st.DataObject) -> None:
    """One bit of the pages of a store flips: the record is the same, left out, or refused.

    In which order an experiment lists its rows is not checked; it changes no number.
    """
    path = tmp_path / "flipped.db"
    if not (whole := tmp_path / "whole.db").exists():
        with Store.write(whole) as store:
            store.register(card())
            store.add("small", record())
    content = bytearray(whole.read_bytes())
    at = data.draw(st.integers(0, len(content) * 8 - 1))
    content[at // 8] ^= 1 << at % 8
    path.write_bytes(content)
    with suppress(StoreError), warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedCellWarning)
        with Store.read(path) as store:
            found = store.records("small") if store.experiments() == ["small"] else []
            assert found in ([record()], [])
            if found:
                assert in_order(store.card("small")) == in_order(card())
