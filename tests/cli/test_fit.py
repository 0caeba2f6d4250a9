"""From a file to a model, by one command."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import graphrings as gr
from cli.commands import mistake, output, run
from graphrings.fit import best, shortlist
from graphrings.fit.shortlist import Candidate
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.jobs import Event, Job, Started
from graphrings.protocol.nested import attempt
from graphrings.results.store import Store
from graphrings.tasks import CLASSIFICATION
from graphrings.tasks.scores import scores_of_task

CHAINS = [f"{'C' * n}{end}" for n in range(2, 8) for end in ("O", "N", "F")]
RINGS = [f"C1{'C' * n}1{end}" for n in range(2, 8) for end in ("O", "N", "F")]
QUICK = (
    Candidate("baseline-labels", "counts labels", grid={"C": (0.1, 1.0)}),
    Candidate("wl", "a kernel", grid={"height": (1,), "C": (1.0, 10.0)}),
)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick short list, and cells that are run in this process: none has to be started."""

    def run_here(jobs: Sequence[Job], datasets: Mapping[str, Dataset], **_: Any) -> Iterator[Event]:
        for job in jobs:
            yield Started(job.cell, "here")
            yield attempt(job, datasets[job.cell.dataset], ArrayCache())

    monkeypatch.setattr(best, "run_local", run_here)
    monkeypatch.setattr(shortlist, "SHORT_LIST", QUICK)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Chains and rings of carbon, and three rows that cannot be used."""
    rows = [f"{smiles},chain" for smiles in CHAINS] + [f"{smiles},ring" for smiles in RINGS]
    rows[3:3] = ["C(C,chain", "CCC,", "C1CC,ring"]
    return written(tmp_path / "mols.csv", "\n".join(["smiles,kind", *rows]))


def written(path: Path, text: str) -> Path:
    path.write_text(text + "\n", encoding="utf-8")
    return path


def fit(table: Path, *words: object) -> tuple[object, ...]:
    model = table.with_name("model.safetensors")
    return ("fit", table, "-o", model, "--n-folds", 3, "--quiet", *words)


@pytest.mark.slow
def test_a_table_becomes_a_model_with_a_verdict_and_a_card(table: Path) -> None:
    page, rejected = table.with_name("fit.html"), table.with_name("rejected.csv")
    done = run(*fit(table, "--report", page, "--rejected", rejected, "--smiles", "smiles"))
    assert done.exit_code == 0
    assert "3 of 39 rows cannot be used" in done.stderr
    assert "36 molecules; the targets are classes (chain: 50 %, ring: 50 %)." in done.stderr
    assert done.stdout.startswith("Expect accuracy ")
    assert "Counting atoms alone, without any structure, reaches" in done.stdout
    assert rejected.read_text().count("\n") == 4
    model = gr.load_model(table.with_name("model.safetensors"))
    card = model.card_
    assert card["data"]["classes"] == {"chain": 18, "ring": 18}
    assert card["data"]["fingerprint"]
    assert card["chemistry"] == {
        "labels": "atom",
        "hydrogens": False,
        "fragments": "all",
        "stereo": False,
    }
    assert any("3 of 39 rows cannot be used" in line for line in card["audit"]["findings"])
    assert str(table.parent) not in json.dumps(card), "where a file lay is nobody's business"
    assert card["estimate"]["baseline"]["mean"] > 0.5
    assert "no graphs are left to score the final model itself" in card["note"]
    text = page.read_text()
    assert "rows cannot be used" in text
    assert "graphrings fit --output model.safetensors" in text
    assert str(table.parent) not in text


def model_path(table: Path) -> Path:
    return table.with_name("model.safetensors")


def test_the_model_predicts_classes_by_their_names(table: Path) -> None:
    assert run(*fit(table)).exit_code == 0
    assert (
        gr.load_model(model_path(table)).predict(gr.from_smiles(["CCO", "CCN"])).tolist()
        == ["chain"] * 2
    )


def test_json_says_the_same_for_programs(table: Path) -> None:
    content = json.loads(run(*fit(table, "--format", "json")).stdout)
    by_text = run(*fit(table)).stdout
    assert content["verdict"][0] in by_text
    assert [row["method"] for row in content["scores"]] == [
        "best on validation",
        "baseline-labels",
        "wl",
    ]
    assert content["card"]["estimate"]["score"] == "accuracy"
    assert content["model"] == str(model_path(table))


def test_every_other_score_is_printed_on_request(table: Path) -> None:
    done = run(*fit(table, "--scores")).stdout
    assert done.count("average precision") == 1
    assert len(scores_of_task(CLASSIFICATION.name)) == 9
    assert "AUROC" not in run(*fit(table)).stdout


def test_the_score_that_is_asked_for_chooses_and_is_reported(table: Path) -> None:
    assert run(*fit(table, "--score", "mcc")).stdout.startswith("Expect MCC ")
    assert "not a score of classification" in mistake(*fit(table, "--score", "rmse"))


def test_molecules_of_one_scaffold_stay_together(table: Path) -> None:
    words = fit(table, "--folds", "scaffold", "--format", "json")
    assert json.loads(run(*words).stdout)["card"]["estimate"]["folds"] == "scaffold"
    assert "folds 'scafold'; expected random" in last_line(*fit(table, "--folds", "scafold"))


def last_line(*words: object) -> str:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_the_same_command_runs_nothing_twice_and_another_one_asks_anew(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(*fit(table)).stdout
    store = table.with_name("model.safetensors.fit.db")
    with Store.read(store) as held:
        assert [len(held.finished(name)) for name in held.experiments()] == [6]
    assert run(*fit(table, "--folds", "grouped")).exit_code == 0
    with Store.read(store) as held:
        assert [len(held.finished(name)) for name in held.experiments()] == [6, 6]

    def never(*_: Any, **__: Any) -> Iterator[Event]:
        raise AssertionError("everything is in the store")

    monkeypatch.setattr(best, "run_local", never)
    assert without_times(run(*fit(table)).stdout) == without_times(first)


def without_times(text: str) -> str:
    return text.replace("1 s", "0 s")


def test_ctrl_c_keeps_the_store_and_writes_no_model(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:

        def interrupted(
            jobs: Sequence[Job], datasets: Mapping[str, Dataset], **_: Any
        ) -> Iterator[Event]:
            yield Started(jobs[0].cell, "here")
            yield attempt(jobs[0], datasets[jobs[0].cell.dataset], ArrayCache())
            raise KeyboardInterrupt

        patched.setattr(best, "run_local", interrupted)
        done = run(*fit(table))
    assert (done.exit_code, done.stdout) == (130, "")
    assert done.stderr.endswith("stopped; the same command runs what is left\n")
    assert not model_path(table).exists()
    assert run(*fit(table)).exit_code == 0


def test_values_and_a_named_method(tmp_path: Path) -> None:
    rows = [f"{smiles},{len(smiles) + 0.25}" for smiles in CHAINS + RINGS]
    table = written(tmp_path / "sizes.csv", "\n".join(["smiles,size", *rows]))
    done = run(*fit(table, "--method", "baseline-labels"))
    assert done.stdout.startswith("Expect RMSE ")
    assert "asked for, fitted on all 36 molecules" in done.stdout


def test_whole_numbers_are_values_where_the_user_says_so(tmp_path: Path) -> None:
    rows = [f"{smiles},{k}" for k, smiles in enumerate(CHAINS + RINGS)]
    table = written(tmp_path / "numbers.csv", "\n".join(["smiles,number", *rows]))
    assert "36 different whole numbers" in mistake(*fit(table))
    assert run(*fit(table, "--task", "regression")).stdout.startswith("Expect RMSE ")


def test_a_dataset_by_its_name_will_do_as_well(tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    words = ("fit", "MUTAG", "-o", model, "--n-folds", 3, "--method", "baseline-labels")
    done = run(*words)
    assert "188 graphs" in done.stderr
    assert done.stdout.startswith("Expect accuracy ")


HEADER = "smiles,kind"
GOOD = [f"{smiles},chain" for smiles in CHAINS] + [f"{smiles},ring" for smiles in RINGS]
BAD = {
    "empty file": ("", "mols.csv: the file is empty"),
    "header alone": (HEADER, "mols.csv: no rows below the header"),
    "no header": ("\n".join(GOOD), "mols.csv:1: no header, since 'CCO' is a molecule"),
    "duplicated header": (
        "\n".join(["smiles,kind,kind", *(f"{row},x" for row in GOOD)]),
        "2 columns are called 'kind'",
    ),
    "a quote without end": ("\n".join([HEADER, *GOOD, '"CCO,chain']), "mols.csv:38: a quote opens"),
    "no targets": (
        "\n".join(["smiles", *CHAINS]),
        "graphs without targets; expected one for every",
    ),
    "long molecules alone": (
        "\n".join([HEADER, *[f"{'C' * 10_001},a"] * 6]),
        "6 of 6 rows cannot be used (too long: 6)",
    ),
    "not text": ("\0" * 100, "mols.csv: not text"),
    "one class only": ("\n".join([HEADER, *(f"{s},a" for s in CHAINS)]), "is a; expected at least"),
    "two rows": (f"{HEADER}\nCCO,a\nCCN,b", "2 graphs; expected at least 6"),
    "all rows rejected": ("\n".join([HEADER, *["C(C,a"] * 9]), "9 of 9 rows cannot be used"),
    "a class of two": (
        "\n".join([HEADER, "CO,b", "CN,b", *(f"{s},a" for s in CHAINS)]),
        "class 'b' has 2 graphs, fewer than the 3 folds",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_nothing_is_written(tmp_path: Path, case: str) -> None:
    text, expected = BAD[case]
    table = written(tmp_path / "mols.csv", text)
    assert expected in mistake(*fit(table))
    assert list(tmp_path.iterdir()) == [table]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--target", "kid"), "no target column 'kid', .*; did you mean 'kind'"),
        (("--smiles", "smile"), "no column 'smile', .*; did you mean 'smiles'"),
        (("--target", "smiles"), "target column 'smiles' holds the molecules; expected another"),
    ],
)
def test_a_wrong_column_is_told_and_the_right_one_suggested(
    table: Path, words: tuple[str, str], expected: str
) -> None:
    assert re.search(expected, mistake(*fit(table, *words)))
    assert list(table.parent.iterdir()) == [table]


ODD = {
    "quotes and commas": "\n".join(
        ['"smiles","kind","note"', *('"{}","{}","a, ""b"""'.format(*r.split(",")) for r in GOOD)]
    ).encode(),
    "semicolons": "\n".join([HEADER, *GOOD]).replace(",", ";").encode(),
    "tabs": "\n".join([HEADER, *GOOD]).replace(",", "\t").encode(),
    "a mark in front": "\n".join([HEADER, *GOOD]).encode("utf-8-sig"),
    "UTF-16": "\n".join([HEADER, *GOOD]).encode("utf-16"),
    "Latin-1": "\n".join(["smiles,kind,ort", *(f"{row},Köln" for row in GOOD)]).encode("latin-1"),
    "blank lines": "\r\n\n".join([HEADER, *GOOD]).encode(),
    "a long molecule": "\n".join([HEADER, *GOOD, f"{'C' * 20_000},chain"]).encode(),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_files_are_read_and_nothing_is_lost_without_a_word(
    tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shortlist, "SHORT_LIST", QUICK[:1])
    table = tmp_path / "mols.csv"
    table.write_bytes(ODD[case])
    done = run(*fit(table, "--target", "kind"))
    assert done.exit_code == 0
    assert (
        f"{len(GOOD)} molecules; the targets are classes (chain: 50 %, ring: 50 %)" in done.stderr
    )
    assert ("line 38: too long: 20,000 characters" in done.stderr) == (case == "a long molecule")


def test_strict_refuses_the_first_row_that_cannot_be_used(table: Path) -> None:
    assert "mols.csv:5:" in mistake(*fit(table, "--strict"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--budget", "soon"), "is no time"),
        (("--method", "gni"), "unknown method 'gni'"),
        (("--n-folds", "2"), "--n-folds"),
        (("--report", "nowhere/fit.html"), "no such folder"),
        (("--store", "nowhere/fit.db"), "no such folder"),
        (("--folds", "folds.csv"), "folds.csv"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_computed(
    table: Path, words: tuple[str, ...], expected: str
) -> None:
    assert expected in mistake(*fit(table, *words))


def test_a_folder_that_is_not_there_is_told_at_once(table: Path) -> None:
    assert "no such folder" in mistake("fit", table, "-o", table.parent / "no" / "model")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert "none.csv" in mistake(*fit(tmp_path / "none.csv"))


def test_help_shows_what_a_user_needs() -> None:
    text = output("fit", "--help")
    for option in ("--smiles", "--target", "--budget", "--folds", "--method", "--rejected"):
        assert option in text


def test_settings_may_be_given(table: Path) -> None:
    """To every method that has them; what is given is not tried any more."""
    words = ("--method", "wl", "--set", "height=2", "--set", "normalize=True")
    told = json.loads(run(*fit(table, *words, "--format", "json")).stdout)
    chosen = told["card"]["chosen"]
    assert (chosen["height"], chosen["normalize"]) == (2, True)
    assert told["card"]["settings"]["height"] == 2
    asked = mistake(*fit(table, "--method", "wl", "--set", "heigth=2"))
    assert asked == "no setting 'heigth' in baseline-labels, wl; did you mean 'height'?"
    assert mistake(*fit(table, "--method", "wl", "--set", "height=-1")).startswith("height = -1; ")


def test_cells_may_run_on_a_cluster(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def run_there(jobs: Sequence[Job], datasets: Any, **where: Any) -> Iterator[Event]:
        asked.append((where["address"], where["n_workers"], where["deadline"]))
        return best.run_local(jobs, datasets)

    monkeypatch.setattr("graphrings.protocol.cluster.run_cluster", run_there)
    run(*fit(table, "--method", "wl", "--cluster", "tcp://there:1", "--jobs", 2))
    assert asked == [("tcp://there:1", 2, None)]


def test_a_cell_that_takes_too_long_is_given_up(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs the cells is told; anything but a time is refused before that."""
    told: list[Any] = []
    run_here = best.run_local

    def listening(*given: Any, cell_timeout: float | None, **more: Any) -> Iterator[Event]:
        told.append(cell_timeout)
        return run_here(*given, **more)

    monkeypatch.setattr(best, "run_local", listening)
    assert run(*fit(table, "--cell-timeout", "1.5m", "--method", "baseline-labels")).exit_code == 0
    assert set(told) == {90.0}
    assert "'soon' is no time" in mistake(*fit(table, "--cell-timeout", "soon"))
