import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from graphrings.errors import StoreError
from graphrings.results.record import Cell
from graphrings.results.store import Store
from results.samples import TRIALS, WHEN, card, failure, record

CELL = Cell("MUTAG", "PGC", 0, 0)


def test_a_record_comes_back_as_it_was(store: Store, path: Path) -> None:
    assert store.add("small", record())
    assert store.records("small") == [record()]
    with Store.read(path) as reader:
        assert reader.records("small") == [record()]
        assert reader.finished("small") == {CELL}


def test_curves_may_be_left_out(store: Store) -> None:
    store.add("small", record())
    (stored,) = store.records("small", curves=False)
    assert stored == record(trials=tuple(replace(trial, curve=None) for trial in TRIALS))


def test_records_are_sorted_by_cell(store: Store) -> None:
    places = [("PTC", "DGCNN", 0, 0), ("MUTAG", "PGC", 0, 2), ("MUTAG", "PGC", 0, 1)]
    places += [("MUTAG", "DGCNN", 0, 10), ("MUTAG", "DGCNN", 0, 9)]
    store.register(card(name="many", n_folds=11))
    for place in places:
        store.add("many", record(*place))
    assert [stored.cell for stored in store.records("many")] == sorted(places)


def test_of_two_records_of_a_cell_the_first_stays(store: Store) -> None:
    assert store.add("small", record())
    assert not store.add("small", record(seconds=99.0))
    assert [stored.seconds for stored in store.records("small")] == [4.0]


def test_a_record_replaces_a_failure(store: Store) -> None:
    store.fail("small", failure())
    store.fail("small", failure(error="worse"))
    assert store.failures("small") == [failure(error="worse")]
    store.add("small", record())
    assert store.failures("small") == []


def test_a_failure_never_replaces_a_record(store: Store) -> None:
    store.add("small", record())
    store.fail("small", failure())
    assert store.failures("small") == []
    assert store.finished("small") == {CELL}


def test_the_end_of_a_cell_takes_its_mark_away(store: Store) -> None:
    others = [Cell("MUTAG", "PGC", 0, fold) for fold in (1, 2)]
    for cell in (CELL, *others):
        store.start("small", cell, "worker-1", WHEN)
    store.start("small", CELL, "worker-2", WHEN)
    assert store.running("small")[0] == (CELL, "worker-2", WHEN)
    store.add("small", record())
    store.fail("small", failure(*others[0]))
    assert [cell for cell, _, _ in store.running("small")] == [others[1]]
    store.clear_running("small")
    assert store.running("small") == []


def test_the_next_writer_forgets_what_a_dead_run_was_at(path: Path) -> None:
    with Store.write(path) as store:
        store.register(card())
        store.start("small", CELL, "worker-1", WHEN)
    with Store.read(path) as reader:
        assert len(reader.running("small")) == 1
        assert not reader.being_written
    with Store.write(path) as store:
        assert store.running("small") == []


def test_mean_seconds_are_told_by_dataset_and_method(store: Store) -> None:
    store.add("small", record(seconds=1.0))
    store.add("small", record("MUTAG", "PGC", 0, 1, seconds=4.0))
    store.add("small", record("PTC", "PGC", 0, 0, seconds=0.5))
    assert store.seconds("small") == {("MUTAG", "PGC"): (2, 2.5), ("PTC", "PGC"): (1, 0.5)}


def test_a_clock_that_was_set_back_gives_no_negative_time(store: Store) -> None:
    store.add("small", record(seconds=-3600.0, finished="1970-01-01T00:00:00+00:00"))
    assert store.seconds("small") == {("MUTAG", "PGC"): (1, 0.0)}
    assert store.records("small")[0].seconds == -3600.0


def test_a_cell_without_a_date_says_nothing_of_times(store: Store) -> None:
    store.add("small", record(seconds=0.0, finished=""))
    assert store.seconds("small") == {}
    assert store.n_finished("small") == {("MUTAG", "PGC"): 1}


def test_changes_are_made_together_or_not_at_all(store: Store, path: Path) -> None:
    with pytest.raises(ZeroDivisionError), store.together():  # noqa: PT012
        store.register(card(name="other"))
        store.add("small", record())
        raise ZeroDivisionError
    assert (store.experiments(), store.records("small")) == (["small"], [])
    with store.together(), Store.read(path) as reader:
        store.add("small", record())
        assert reader.records("small") == []
    assert store.records("small") == [record()]


def test_a_record_may_take_the_place_of_another(store: Store) -> None:
    store.add("small", record())
    assert store.add("small", record(seconds=9.0), replace=True)
    assert store.records("small") == [record(seconds=9.0)]


def test_one_record_can_be_asked_for(store: Store) -> None:
    store.add("small", record())
    assert store.record("small", CELL) == record()
    assert store.record("small", CELL._replace(fold=1)) is None


def test_cells_without_predictions_are_counted(store: Store) -> None:
    store.add("small", record())
    whole = store.card("small")
    assert store.n_without_predictions(whole) == 0
    store.add("small", record("PTC", "PGC", 0, 0, test=None))
    assert store.n_without_predictions(whole) == 1
    assert store.n_without_predictions(whole.part(["MUTAG"])) == 0
    assert store.n_without_predictions(whole.part(methods=["PGC"])) == 1


def test_experiments_do_not_mix(store: Store) -> None:
    store.register(card(name="other", seed=8))
    store.add("small", record())
    store.fail("other", failure())
    assert store.experiments() == ["small", "other"]
    assert (store.records("other"), store.failures("small")) == ([], [])


def test_an_unknown_experiment_is_told_with_the_known_ones(store: Store, path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        store.card("smal")
    assert str(caught.value) == f"{path}: no experiment 'smal'; there is 'small'"


def test_one_experiment_needs_no_name(store: Store) -> None:
    assert store.choose(None) == store.choose("small") == "small"
    store.register(card(name="other"))
    with pytest.raises(StoreError, match="several experiments, 'small', 'other'; name one"):
        store.choose(None)


def test_a_store_may_hold_no_experiment(path: Path) -> None:
    with (
        Store.write(path) as store,
        pytest.raises(StoreError, match="no experiment yet; `graphrings run` adds one"),
    ):
        store.choose(None)


def test_cells_that_were_not_registered_are_refused(store: Store) -> None:
    with pytest.raises(StoreError, match=r"GIN on MUTAG, .* is no cell of experiment 'small'"):
        store.add("small", record("MUTAG", "GIN", 0, 0))
    with pytest.raises(StoreError, match="is no cell of experiment 'smal'"):
        store.fail("smal", failure())
    with pytest.raises(StoreError, match="is no cell of experiment 'smal'"):
        store.add("smal", record())
    with pytest.raises(StoreError, match="is no cell of experiment 'small'"):
        store.add("small", record(fingerprint="of other graphs"))
    assert store.finished("small") == set()


def test_a_score_that_is_not_a_number_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="MUTAG, repetition 1, fold 1: a score that is not a num"):
        store.add("small", record(scores={"log_loss": float("nan")}))


def test_a_name_that_has_no_encoding_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="cannot be kept"):
        store.register(card(name="\udc80"))


def test_a_reader_cannot_write(store: Store) -> None:
    with (
        Store.read(store.path) as reader,
        pytest.raises(StoreError, match="the store is read-only"),
    ):
        reader.add("small", record())


def test_a_reader_sees_what_a_writer_adds_meanwhile(store: Store, path: Path) -> None:
    with Store.read(path) as reader:
        assert reader.being_written
        for fold in range(3):
            store.add("small", record("PTC", "PGC", 0, fold))
            assert len(reader.records("small")) == fold + 1


def test_a_closed_store_is_one_file_and_an_empty_lock(path: Path) -> None:
    with Store.write(path) as store:
        store.register(card())
    with Store.read(path) as reader:
        reader.records("small")
    files = {file.name: file.stat().st_size > 0 for file in path.parent.glob("results*")}
    assert files == {"results.db": True, "results.db.lock": False}


def test_the_file_can_be_asked_by_sql(store: Store, path: Path) -> None:
    store.add("small", record())
    connection = sqlite3.connect(path)
    row = connection.execute(
        """
        SELECT json_extract(scores, '$.accuracy'), n_test,
            json_extract(trials, '$[' || chosen || '].setting.radius')
        FROM cells
        """
    ).fetchone()
    assert row == (0.5, 2, 2)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_store_that_is_closed_says_so(path: Path) -> None:
    store = Store.write(path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed database"):
        store.experiments()


@pytest.mark.parametrize(
    "name", ["it's", 'say "x"', "<b>&amp;</b>", "two\nlines", "Gr\u00fc\U0001f600", ""]
)
def test_any_name_is_only_a_name(path: Path, name: str) -> None:
    made = replace(card(name=name).datasets[0], name=name, fingerprint="f-" + name)
    rows = (replace(card().methods[0], name=name),)
    wanted = card(name=name, datasets=(made,), methods=rows)
    with Store.write(path.with_name("a'b?#%41.db")) as store:
        store.register(wanted)
        store.add(name, record(name, name, 0, 0))
        store.fail(name, failure(name, name, 0, 1, error=name))
        store.start(name, Cell(name, name, 0, 2), name, name)
        assert store.card(name) == wanted
        assert store.finished(name) == {Cell(name, name, 0, 0)}
        assert store.failures(name)[0].error == name
        assert store.running(name) == [(Cell(name, name, 0, 2), name, name)]
    assert path.with_name("a'b?#%41.db").exists()
