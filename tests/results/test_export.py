import csv
import io
import json

from graphrings.results.export import COLUMNS, csv_lines, flat, json_lines
from graphrings.results.store import Store
from results.samples import CURVE, card, failure, record


def rows(store: Store, name: str = "small", **options: bool) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(csv_lines(store, name, **options)))))


def objects(store: Store, **options: bool) -> list[dict[str, object]]:
    return [json.loads(line) for line in json_lines(store, "small", **options)]


def test_csv_has_a_flat_row_a_cell(store: Store) -> None:
    store.add("small", record("PTC", "PGC", 0, 1))
    store.add("small", record())
    first, second = rows(store)
    assert (first["dataset"], second["dataset"], second["fold"]) == ("MUTAG", "PTC", "1")
    assert float(first["log_loss"]) == 0.1 + 0.2
    assert (first["auroc"], first["epochs"], first["best_epoch"]) == ("", "2", "1")
    assert json.loads(first["setting"]) == {"radius": 2, "rate": 0.1}
    assert json.loads(first["confusion"]) == [[3, 1], [0, 1]]
    assert (first["seed"], first["fingerprint"]) == ("5", "f-MUTAG")


def test_the_heading_names_all_that_a_row_has(store: Store) -> None:
    assert list(flat(record())) == list(COLUMNS)
    assert "".join(csv_lines(store, "small")) == ",".join(COLUMNS) + "\n"


def test_two_runs_differ_only_in_their_times(store: Store) -> None:
    store.register(card(name="again"))
    later = {"seconds": 9.0, "finished": "later", "versions": {"python": "3.12"}}
    store.add("small", record())
    store.add("again", record(**later))
    assert rows(store, "small") != rows(store, "again")
    assert rows(store, "small", times=False) == rows(store, "again", times=False)


def test_json_lines_tell_everything(store: Store) -> None:
    store.add("small", record())
    store.fail("small", failure("PTC", "PGC", 0, 0))
    done, failed = objects(store)
    assert (done["status"], done["experiment"], done["dataset"]) == ("finished", "small", "MUTAG")
    assert [trial["seed"] for trial in done["trials"]] == [2**80, 5]
    assert done["trials"][0]["curve"] is None
    assert done["trials"][1]["curve"]["train_loss"] == list(CURVE.train_loss)
    assert done["test"]["confusion"] == [[3, 1], [0, 1]]
    assert failed == {
        "experiment": "small",
        "status": "failed",
        "dataset": "PTC",
        "method": "PGC",
        "repetition": 0,
        "fold": 0,
        "error": "the loss is NaN",
        "seconds": 1.0,
        "finished": failure().finished,
    }


def test_json_lines_may_leave_out_curves_and_times(store: Store) -> None:
    store.add("small", record())
    store.fail("small", failure("PTC", "PGC", 0, 0))
    told = "".join(json_lines(store, "small", curves=False, times=False))
    for word in ("curve", "seconds", 'finished":', "versions"):
        assert word not in told


def test_names_of_any_kind_can_be_read_back(store: Store) -> None:
    name = 'a "b", <i>\nc'
    made = card(name=name)
    store.register(made)
    store.add(name, record(versions={name: name}))
    (row,) = rows(store, name)
    assert json.loads(row["versions"]) == {name: name}
