import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pytest

from graphrings.errors import StoreError
from graphrings.results.export import csv_lines, flat, prediction_lines, write_lines
from graphrings.results.json_lines import json_lines
from graphrings.results.store import Store
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import scores_of_task
from results.samples import CURVE, card, dataset, failure, record


def rows(store: Store, name: str = "small", **options: bool) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(csv_lines(store, name, **options)))))


def objects(store: Store, **options: bool) -> list[dict[str, object]]:
    return [json.loads(line) for line in json_lines(store, "small", **options)]


def said(store: Store, name: str = "small") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(prediction_lines(store, name)))))


def test_csv_has_a_flat_row_per_cell(store: Store) -> None:
    store.add("small", record("PTC", "PGC", 0, 1))
    store.add("small", record())
    first, second = rows(store)
    assert (first["dataset"], second["dataset"]) == ("MUTAG", "PTC")
    assert (first["repetition"], first["fold"], second["fold"]) == ("1", "1", "2")
    assert float(first["log_loss"]) == 0.1 + 0.2
    assert (first["auroc"], first["epochs"], first["best_epoch"]) == ("", "2", "2")
    assert json.loads(first["setting"]) == {"radius": 2, "rate": 0.1}
    assert (first["seed"], first["fingerprint"]) == ("5", "f-MUTAG")


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_heading_names_all_that_a_row_has(store: Store, task: str) -> None:
    store.register(card(name="other", task=task))
    (heading,) = csv_lines(store, "other")
    made = flat(record(scores=dict.fromkeys(scores_of_task(task), 0.5)))
    assert heading == ",".join(made) + "\n"


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
    head, done, failed = objects(store)
    assert (head["kind"], head["name"], head["task"]) == ("experiment", "small", "classification")
    assert [data["name"] for data in head["datasets"]] == ["MUTAG", "PTC"]
    assert (done["kind"], done["experiment"], done["dataset"]) == ("finished", "small", "MUTAG")
    assert (done["repetition"], done["fold"]) == (1, 1)
    assert [trial["seed"] for trial in done["trials"]] == [2**80, 5]
    assert [trial["best_epoch"] for trial in done["trials"]] == [None, 2]
    assert done["trials"][0]["curve"] is None
    assert done["trials"][1]["curve"]["train_loss"] == list(CURVE.train_loss)
    assert failed == {
        "kind": "failed",
        "experiment": "small",
        "dataset": "PTC",
        "method": "PGC",
        "repetition": 1,
        "fold": 1,
        "error": "the loss is NaN",
        "seconds": 1.0,
        "finished": failure().finished,
    }


def test_json_lines_may_leave_out_curves_and_times(store: Store) -> None:
    store.add("small", record())
    store.fail("small", failure("PTC", "PGC", 0, 0))
    text = "".join(json_lines(store, "small", curves=False, times=False))
    for word in ("curve", "seconds", '"finished":', "versions"):
        assert word not in text


def test_names_of_any_kind_can_be_read_back(store: Store) -> None:
    name = 'a "b", <i>\nc'
    store.register(card(name=name))
    store.add(name, record(versions={name: name}))
    (row,) = rows(store, name)
    assert json.loads(row["versions"]) == {name: name}


def test_predictions_name_classes_and_count_folds_from_one(store: Store) -> None:
    store.add("small", record("PTC", "PGC", 0, 2))
    first, second = said(store)
    assert first == {
        "dataset": "PTC",
        "graph": "3",
        "repetition": "1",
        "fold": "3",
        "method": "PGC",
        "truth": "a",
        "predicted": "b",
        "probabilities": '{"a": 0.1, "b": 0.9}',
        "margin": "",
    }
    assert (second["graph"], second["truth"], second["predicted"]) == ("8", "b", "b")


def test_predictions_may_have_a_margin_or_be_values(store: Store) -> None:
    with_margin = record().validation
    store.add("small", record(test=with_margin))
    assert [(row["probabilities"], row["margin"]) for row in said(store)] == [
        ("", "2.5"),
        ("", "-1.0"),
    ]
    store.register(
        card(
            name="values",
            task="regression",
            datasets=(dataset("MUTAG", class_names=(), class_counts=()),),
        )
    )
    values = Predictions(np.array([7]), np.array([0.1]), np.array([1 / 3]))
    store.add("values", record(test=values, validation=None, n_test=1, scores={}))
    (row,) = said(store, "values")
    assert (float(row["truth"]), float(row["predicted"])) == (0.1, 1 / 3)


def test_predictions_as_json_lines_are_the_same(store: Store) -> None:
    store.add("small", record())
    lines = [json.loads(line) for line in prediction_lines(store, "small", "jsonl")]
    assert [line["probabilities"] for line in lines] == [
        {"a": 0.1, "b": 0.9},
        {"a": 0.3, "b": 0.7},
    ]
    assert [str(line["graph"]) for line in lines] == [row["graph"] for row in said(store)]


def test_cells_without_predictions_have_no_rows(store: Store) -> None:
    store.add("small", record(test=None))
    assert said(store) == []


def test_a_name_that_ends_in_gz_is_compressed_to_the_same_bytes(tmp_path: Path) -> None:
    contents = []
    for name in ("a.csv.gz", "b.csv.gz", "c.csv"):
        write_lines(iter(["x\n", "ü\n"]), tmp_path / name, tmp_path / "store.db")
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    assert contents[0][4:8] == bytes(4)  # no time of day
    assert gzip.decompress(contents[0]) == contents[2] == "x\nü\n".encode()


def test_the_store_itself_is_never_written(tmp_path: Path) -> None:
    (tmp_path / "r.db").touch()
    with pytest.raises(StoreError, match="the store itself"):
        write_lines(iter(["x"]), tmp_path / "r.db", tmp_path / "r.db")
