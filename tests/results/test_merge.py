"""Stores and exports of several machines become one; what does not fit is refused by name."""

import gzip
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from graphrings.errors import StoreError
from graphrings.results.export import write_lines
from graphrings.results.json_lines import json_lines
from graphrings.results.merge import merge
from graphrings.results.record import ExperimentCard, Failure, Record
from graphrings.results.store import Store
from graphrings.tasks.predictions import Predictions
from results.samples import TRIALS, card, cells, dataset, failure, method, record
from results.test_encoding import records

Contents = list[tuple[ExperimentCard, list[Record], list[Failure]]]


def make(path: Path, *made: Record | Failure, cards: Sequence[ExperimentCard] = (card(),)) -> Path:
    """A store with some outcomes of its first experiment."""
    with Store.write(path) as store:
        for one in cards:
            store.register(one)
        for outcome in made:
            (store.add if isinstance(outcome, Record) else store.fail)(cards[0].name, outcome)
    return path


def export(store: Path, path: Path, **options: bool) -> Path:
    with Store.read(store) as opened:
        names = opened.experiments()
        lines = (line for name in names for line in json_lines(opened, name, **options))
        write_lines(lines, path, store)
    return path


def contents(path: Path) -> Contents:
    with Store.read(path) as store:
        return [(store.card(n), store.records(n), store.failures(n)) for n in store.experiments()]


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A store with two experiments, finished cells and one that failed."""
    others = [record("PTC", "PGC", 0, 2), record("PTC", "DGCNN", 0, 0, test=None)]
    cards = card(), card(name="other", task="regression", seed=2**70)
    return make(tmp_path / "full.db", record(), *others, failure("MUTAG", "PGC", 0, 1), cards=cards)


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_an_export_merged_alone_is_the_store(full: Path, tmp_path: Path, suffix: str) -> None:
    file = export(full, tmp_path / f"all{suffix}")
    merge([file], tmp_path / "again.db")
    assert contents(tmp_path / "again.db") == contents(full)
    merge([full, file, full], tmp_path / "thrice.db")
    assert contents(tmp_path / "thrice.db") == contents(full)


def said_of(made: Record) -> list[Predictions]:
    return [said for said in (made.test, made.validation) if said is not None]


@given(st.lists(records(), min_size=1, max_size=3, unique_by=lambda made: made.cell))
@limits(max_examples=20)
def test_any_store_comes_back_from_its_export(made: list[Record]) -> None:
    names = dict.fromkeys(one.cell.dataset for one in made)
    n_classes = max((said.n_classes for one in made for said in said_of(one)), default=0)
    of = {"n_graphs": 2**31, "class_names": ("a",) * n_classes, "class_counts": (1,) * n_classes}
    data = tuple(dataset(name, **of) for name in names)
    rows = tuple(method(name) for name in dict.fromkeys(one.cell.method for one in made))
    wanted = card(n_folds=10, repetitions=3, datasets=data, methods=rows)
    fitting = [replace(one, fingerprint="f-" + one.cell.dataset) for one in made]
    with TemporaryDirectory() as folder:
        path = make(Path(folder) / "a.db", *fitting, cards=[wanted])
        merge([export(path, Path(folder) / "a.jsonl")], Path(folder) / "b.db")
        before, after = contents(path), contents(Path(folder) / "b.db")
    assert after == before


def test_parts_become_the_whole(tmp_path: Path) -> None:
    """Whatever the order, but for that of datasets and methods."""
    made = [record(*cell) for cell in cells(card())]
    parts = [make(tmp_path / f"{k}.db", *made[k::3]) for k in range(3)]
    parts[1] = export(parts[1], tmp_path / "1.jsonl.gz")
    whole = make(tmp_path / "whole.db", *made)
    for number, order in enumerate(([0, 1, 2], [2, 1, 0], [1, 1, 0, 2])):
        merge([parts[k] for k in order], tmp_path / f"merged{number}.db")
        assert contents(tmp_path / f"merged{number}.db") == contents(whole)


def test_an_experiment_may_have_grown_elsewhere(tmp_path: Path) -> None:
    larger = card(repetitions=4, datasets=(dataset("NCI1"),), methods=(method("GIN"),))
    first = make(tmp_path / "a.db", record())
    second = make(tmp_path / "b.db", record("NCI1", "GIN", 3, 0), cards=[larger])
    merge([first, second], tmp_path / "c.db")
    ((merged, done, _),) = contents(tmp_path / "c.db")
    assert merged.repetitions == 4
    assert [part.name for part in merged.datasets] == ["MUTAG", "PTC", "NCI1"]
    assert len(done) == 2


def test_a_cell_that_failed_here_may_be_finished_there(tmp_path: Path) -> None:
    paths = [make(tmp_path / "a.db", failure()), make(tmp_path / "b.db", record())]
    for number, order in enumerate((paths, paths[::-1])):
        merge(order, tmp_path / f"c{number}.db")
        ((_, done, failed),) = contents(tmp_path / f"c{number}.db")
        assert (done, failed) == ([record()], [])


def test_times_and_versions_are_no_difference(tmp_path: Path) -> None:
    later = record(seconds=9.0, finished="2027", versions={"python": "3.14"})
    paths = [make(tmp_path / "a.db", record()), make(tmp_path / "b.db", later)]
    merge(paths, tmp_path / "c.db")
    ((_, done, _),) = contents(tmp_path / "c.db")
    assert done == [record()]


def test_rounding_is_no_difference(tmp_path: Path) -> None:
    rounded = record(scores=record().scores | {"log_loss": 0.3 + 1e-9})
    merge([make(tmp_path / "a.db", record()), make(tmp_path / "b.db", rounded)], tmp_path / "c.db")
    ((_, done, _),) = contents(tmp_path / "c.db")
    assert done == [record()]


WINNER = (TRIALS[1],)


@pytest.mark.parametrize(
    "poorer",
    [
        record(test=None, validation=None),
        record(trials=WINNER, chosen=0),
        record(trials=tuple(replace(trial, curve=None) for trial in TRIALS)),
        record(seconds=0.0, finished="", versions={}),
        record(trials=WINNER, chosen=0, scores={"accuracy": 0.5}, test=None, validation=None),
    ],
)
def test_the_record_that_knows_more_is_kept(tmp_path: Path, poorer: Record) -> None:
    paths = [make(tmp_path / "a.db", poorer), make(tmp_path / "b.db", record())]
    for number, order in enumerate((paths, paths[::-1])):
        merge(order, tmp_path / f"c{number}.db")
        ((_, done, _),) = contents(tmp_path / f"c{number}.db")
        assert done == [record()]


OTHER_TEST = replace(record().test, predicted=record().test.predicted[::-1] - 1)


@pytest.mark.parametrize(
    "changes",
    [
        {"scores": {"accuracy": 0.4}},
        {"n_training": 7},
        {"chosen": 0},
        {"test": OTHER_TEST},
        {"validation": record().test},
        {"trials": (TRIALS[0], replace(TRIALS[1], seed=6))},
        {"trials": (replace(TRIALS[0], scores={"accuracy": 0.1}), TRIALS[1])},
        {"trials": (TRIALS[0], replace(TRIALS[1], epochs=3))},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_unequal_cells_are_refused_with_their_names(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    first = make(tmp_path / "a.db", record(), record("PTC", "PGC", 0, 1))
    second = make(tmp_path / "b.db", record(**changes), record("PTC", "PGC", 0, 1))
    with pytest.raises(StoreError) as caught:
        merge([first, second], tmp_path / "c.db")
    assert str(caught.value) == (
        f"{second}: cells of 'small' are not the same as in the files before it: "
        "PGC on MUTAG, repetition 1, fold 1"
    )
    assert sorted(p.name for p in tmp_path.glob("*c.db*")) == []


def test_of_many_unequal_cells_a_few_are_named(tmp_path: Path) -> None:
    made = [record(*cell) for cell in cells(card())]
    first = make(tmp_path / "a.db", *made)
    second = make(tmp_path / "b.db", *(replace(one, n_training=5) for one in made))
    with pytest.raises(StoreError, match=r"fold 1; .* and 7 more$"):
        merge([first, second], tmp_path / "c.db")


def test_another_experiment_of_the_same_name_is_refused(tmp_path: Path) -> None:
    first, second = make(tmp_path / "a.db"), make(tmp_path / "b.db", cards=[card(seed=8)])
    with pytest.raises(StoreError) as caught:
        merge([first, second], tmp_path / "c.db")
    assert str(caught.value) == (
        f"{second}: experiment 'small' is not the same as in the files before it "
        "(there -> here): seed: 7 -> 8"
    )


def test_a_file_that_exists_is_never_replaced(full: Path, tmp_path: Path) -> None:
    before = full.read_bytes()
    with pytest.raises(StoreError, match=r"full\.db: exists already; expected the name of a new"):
        merge([full], full)
    assert full.read_bytes() == before
    with pytest.raises(StoreError, match="no such folder"):
        merge([full], tmp_path / "no" / "c.db")


def test_nothing_is_left_but_the_store(full: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    merge([full], tmp_path / "out" / "c.db")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["c.db"]
    with Store.write(tmp_path / "out" / "c.db") as store:
        store.add("small", record("MUTAG", "DGCNN", 0, 0))


def changed(line: str, change: Callable[[dict[str, Any]], object]) -> str:
    fields = json.loads(line)
    change(fields)
    return json.dumps(fields) + "\n"


@pytest.mark.parametrize(
    ("number", "change", "reason"),
    [
        (1, lambda f: f.update(format=2), "format 2 of the lines; this graphrings reads 1"),
        (1, lambda f: f.update(task="clustering"), "task = 'clustering'; expected one of"),
        (1, lambda f: f.pop("datasets"), "no 'datasets'"),
        (1, lambda f: f["datasets"][0].update(more=1), "more"),
        (2, lambda f: f.update(kind="cell"), "kind = 'cell'; expected experiment, finished"),
        (2, lambda f: f.pop("kind"), "no 'kind'"),
        (2, lambda f: f.update(experiment="x"), "experiment 'x' has no line before its cells"),
        (2, lambda f: f.update(dataset="x"), "dataset 'x' is not one of its experiment"),
        (2, lambda f: f.update(method="x"), "method 'x' is not one of its experiment"),
        (2, lambda f: f.update(fingerprint="x"), "fingerprint x; expected f-MUTAG"),
        (2, lambda f: f.update(fold=0), "repetition 1, fold 0 of an experiment with 1 rep"),
        (2, lambda f: f.update(repetition=0), "repetition 0, fold 1 of an experiment with 1 rep"),
        (2, lambda f: f.update(fold=4), "repetition 1, fold 4 of an experiment with 1 rep"),
        (2, lambda f: f.update(chosen=2), "trial 2 was chosen of 2"),
        (2, lambda f: f.update(scores=7), ""),
        (
            2,
            lambda f: f["scores"].update(accuracy="high"),
            "expected names with a number or nothing each",
        ),
        (2, lambda f: f.update(n_test="many"), "many"),
        (2, lambda f: f.update(test="AAAA"), "predictions that are damaged"),
        (2, lambda f: f.update(test="?"), ""),
        (2, lambda f: f["trials"][0].pop("seed"), "seed"),
        (2, lambda f: f.update(seconds=None), ""),
    ],
)
def test_a_line_that_is_wrong_is_refused_with_its_number(
    tmp_path: Path, number: int, change: Callable[[dict[str, Any]], object], reason: str
) -> None:
    path = export(make(tmp_path / "a.db", record()), tmp_path / "a.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    lines[number - 1] = changed(lines[number - 1], change)
    path.write_text("".join(lines))
    message = refused(path, tmp_path)
    assert message.startswith(f"{path}:{number}: not a line of `graphrings export")
    assert reason in message


def refused(path: Path, folder: Path) -> str:
    with pytest.raises(StoreError) as caught:
        merge([path], folder / "out.db")
    assert "\n" not in str(caught.value)
    assert list(folder.glob("*out.db*")) == []
    return str(caught.value)


def cut(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)[:-9]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", ": an empty file; expected a store of results"),
        (b"dataset,method\nMUTAG,wl\n", ":1: not a line of"),
        (b"[1]\n", ":1: not a line of"),
        (b"\xff\xfe\x00", ": neither a store of results nor an export of one"),
        (b"SQLite format 3\0" + bytes(99), ": not a store of results"),
        (cut(b"{}" * 999), ": a damaged gzip file"),
        (gzip.compress(b"", mtime=0), ": no experiment; expected the lines of an export"),
    ],
)
def test_a_file_that_is_something_else_is_refused(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "odd"
    path.write_bytes(content)
    assert refused(path, tmp_path).startswith(f"{path}{reason}")


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    assert (
        refused(tmp_path / "no.db", tmp_path) == f"{tmp_path / 'no.db'}: no such file or directory"
    )
    (tmp_path / "d").mkdir()
    assert refused(tmp_path / "d", tmp_path) == f"{tmp_path / 'd'}: is a directory"


def all_lines(paths: Iterable[Path]) -> str:
    return "".join(path.read_text() for path in paths)


def test_exports_may_be_put_end_to_end(tmp_path: Path) -> None:
    stores = [make(tmp_path / f"{k}.db", record("PTC", "PGC", 0, k)) for k in range(2)]
    files = [export(path, path.with_suffix(".jsonl")) for path in stores]
    (tmp_path / "both.jsonl").write_text(all_lines(files))
    merge([tmp_path / "both.jsonl"], tmp_path / "c.db")
    merge(stores, tmp_path / "d.db")
    assert contents(tmp_path / "c.db") == contents(tmp_path / "d.db")


def test_rows_can_be_left_out(full: Path, tmp_path: Path) -> None:
    """They may then be run anew, also where the method behind them is another one now."""
    merge([full], tmp_path / "rest.db", without=["PGC"])
    (small, records, failures), _ = contents(tmp_path / "rest.db")
    assert [row.name for row in small.methods] == ["DGCNN"]
    assert [made.cell.method for made in records] == ["DGCNN"]
    assert failures == []
    with Store.write(tmp_path / "rest.db") as store:
        store.register(card(methods=(method("PGC", revision=2),)))


def test_a_row_that_no_file_has_cannot_be_left_out(full: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        merge([full], tmp_path / "rest.db", without=["PGC", "PCG"])
    assert str(caught.value) == "no row 'PCG' to leave out; the files have 'DGCNN', 'PGC'"
    assert not (tmp_path / "rest.db").exists()
