import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import graphrings as gr
from cli.commands import mistake, output, run
from graphrings.cli.main import main
from graphrings.learning.named_networks import PGCClassifier
from written import TU, write_folder, write_zip

NEW = ["prediction", "p(-1)", "p(1)", "similarity", "unseen_labels", "warning", "reason"]
MOLECULES = 'id;smiles;"a; b"\nx;CCO;yes\ny;C1;no\nz;[Xe];no\n'


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "model.safetensors"
    gr.PGCClassifier(channels=(4, 1), max_epochs=2, random_state=0).fit(gr.load("MUTAG")).save(path)
    return path


@pytest.fixture(scope="module")
def of_molecules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "molecules.safetensors"
    smiles = [f"{'C' * n}{end}" for n in range(2, 12) for end in ("O", "N")]
    gr.BaselineClassifier().fit(gr.from_smiles(smiles, ["yes", "no"] * 10)).save(path)
    return path


@pytest.fixture
def model(saved: Path) -> PGCClassifier:
    return gr.load_model(saved)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "new.csv"
    path.write_text(MOLECULES)
    return path


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_a_row_for_every_graph(saved: Path, model: PGCClassifier) -> None:
    done = run("predict", saved, "MUTAG")
    rows = rows_of(done.stdout)
    assert done.exit_code == 0
    assert list(rows[0]) == ["dataset", "graph", *NEW]
    assert [int(row["graph"]) for row in rows] == list(range(188))
    assert [int(row["prediction"]) for row in rows] == model.predict(gr.load("MUTAG")).tolist()
    probabilities = np.array([[row["p(-1)"], row["p(1)"]] for row in rows], dtype=np.float64)
    assert np.array_equal(probabilities.astype(np.float32), model.predict_proba(gr.load("MUTAG")))
    assert {(row["similarity"], row["warning"]) for row in rows} == {("1.0", "")}


def test_count_and_accuracy_go_to_standard_error(saved: Path, model: PGCClassifier) -> None:
    score = f"MUTAG: accuracy {model.score(gr.load('MUTAG')):.1%} on 188 graphs\n"
    assert run("predict", saved, "MUTAG").stderr == f"MUTAG: 188 graphs predicted\n{score}"
    assert run("predict", saved, "MUTAG", "--quiet").stderr == score


def test_json_lines_keep_the_type_of_a_class(saved: Path) -> None:
    lines = run("predict", saved, "MUTAG", "--format", "jsonl", "--no-proba").stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    assert list(rows[0]) == ["dataset", "graph", "prediction", *NEW[3:]]
    assert {row["prediction"] for row in rows} <= {-1, 1}
    assert rows[187]["graph"] == 187


def test_files_of_several_datasets_and_unseen_labels(saved: Path, tmp_path: Path) -> None:
    """Labels 7 and 9 of the tiny set are none of MUTAG's."""
    path = write_folder(tmp_path / "TINY", TU)
    done = run("predict", saved, path, "MUTAG")
    rows = rows_of(done.stdout)
    assert [row["dataset"] for row in rows] == ["TINY"] * 3 + ["MUTAG"] * 188
    assert [row["unseen_labels"] for row in rows[:4]] == ["7", "7; 9", "", ""]
    assert rows[0]["warning"].startswith("labels never seen in training")
    lines = done.stderr.splitlines()
    assert lines[0].startswith(
        "TINY: 3 graphs predicted, 2 with labels never seen in training (7: 2, 9: 1)"
    )
    assert [line.split(":")[0] for line in lines] == ["TINY", "TINY", "MUTAG", "MUTAG"]


def test_graphs_without_targets_are_predicted(saved: Path, tmp_path: Path) -> None:
    texts = {name: text for name, text in TU.items() if "graph_labels" not in name}
    done = run("predict", saved, write_zip(tmp_path / "TINY.zip", texts))
    assert (done.exit_code, len(rows_of(done.stdout))) == (0, 3)
    assert done.stderr.count("\n") == 1
    assert "accuracy" not in done.stderr


def test_other_classes_have_no_meaningless_score(saved: Path, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU | {"TINY_graph_labels.txt": "7\n8\n7\n"})
    assert run("predict", saved, path, "--quiet").stderr == (
        "TINY: no score: the classes of the data are 7, 8, those of the model -1, 1\n"
    )


def test_every_row_of_a_table_stays_in_its_place(
    of_molecules: Path, table: Path, tmp_path: Path
) -> None:
    path = tmp_path / "out.csv"
    done = run("predict", of_molecules, table, "-o", path, "--target", "a; b")
    rows = rows_of(path.read_text())
    assert (done.exit_code, done.stdout) == (0, "")
    assert list(rows[0])[:3] == ["id", "smiles", "a; b"]
    assert [list(row.values())[:3] for row in rows] == [
        ["x", "CCO", "yes"],
        ["y", "C1", "no"],
        ["z", "[Xe]", "no"],
    ]
    assert (rows[0]["prediction"], rows[0]["similarity"], rows[0]["reason"]) == ("yes", "1.0", "")
    assert set(list(rows[1].values())[3:-1]) == {""}
    assert rows[1]["reason"].startswith("does not parse: ")
    assert (rows[2]["unseen_labels"], rows[2]["similarity"]) == ("Xe", "0.0")
    counted, score = done.stderr.splitlines()
    assert counted.startswith(
        f"{table}: 2 graphs predicted, 1 row could not be read (does not parse: 1), 1 with labels"
    )
    assert score == f"{table}: accuracy 100.0% on 2 graphs"


def test_only_the_id_is_kept(of_molecules: Path, table: Path) -> None:
    rows = rows_of(run("predict", of_molecules, table, "--id", "id").stdout)
    assert list(rows[0])[:2] == ["id", "prediction"]
    assert [row["id"] for row in rows] == ["x", "y", "z"]


def test_a_second_prediction_stands_beside_the_first(
    of_molecules: Path, table: Path, tmp_path: Path
) -> None:
    once = tmp_path / "once.csv"
    run("predict", of_molecules, table, "-o", once)
    done = run("predict", of_molecules, once)
    names = list(rows_of(done.stdout)[0])
    assert names[3:10] == [name.removesuffix("_2") for name in names[10:]]
    assert done.stderr.startswith(
        f"note: {once}: has columns called like new ones, which therefore end in _2\n"
    )


def test_standard_input_goes_to_standard_output(of_molecules: Path) -> None:
    words = ["predict", str(of_molecules), "-", "--format", "jsonl", "--quiet"]
    done = CliRunner().invoke(main, words, input="smiles\nCCN\n", catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout)["prediction"] == "no"


def test_molecules_are_taken_from_the_column_of_training(tmp_path: Path) -> None:
    """Where two columns hold molecules; where that is not there, what is found is said."""
    smiles = [f"{'C' * n}{end}" for n in range(2, 6) for end in ("O", "N")]
    rows = [f"{text},C,{'yes' if 'O' in text else 'no'}" for text in smiles]
    path = tmp_path / "mols.csv"
    path.write_text("\n".join(["product,smiles,active", *rows]))
    model = tmp_path / "model"
    words = ("--smiles", "product", "--target", "active", "--method", "baseline-labels")
    output("train", path, "-o", model, *words)
    card = json.loads(output("info", model, "--format", "json"))
    assert card["data"]["columns"] == {"smiles": "product", "target": "active"}
    found = rows_of(run("predict", model, path).stdout)
    assert [row["prediction"] for row in found] == ["yes", "no"] * 4
    other = tmp_path / "other.csv"
    other.write_text("id,smiles\n7,CCO\n")
    done = run("predict", model, other, "--format", "jsonl", "--quiet")
    assert done.stderr == (
        f"note: {other}: no column 'product', from which training took the molecules; taken from "
        "'smiles', --smiles names another\n"
    )
    assert list(json.loads(done.stdout).items())[:3] == [
        ("id", 7),
        ("smiles", "CCO"),
        ("prediction", "yes"),
    ]


def test_a_table_without_rows_is_one_without_rows(of_molecules: Path, tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    path.write_text("smiles,x\n")
    done = run("predict", of_molecules, path)
    assert (done.exit_code, done.stdout.count("\n")) == (0, 1)
    assert done.stderr == f"{path}: 0 graphs predicted\n"


def test_the_status_says_when_not_one_row_could_be_read(of_molecules: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.smi"
    path.write_text("C1\nC2\n")
    done = run("predict", of_molecules, path)
    assert (done.exit_code, done.stdout.count("does not parse")) == (1, 2)


def test_what_fails_leaves_no_file(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    texts = {name: text for name, text in TU.items() if "node_labels" not in name}
    bad = write_zip(tmp_path / "TINY.zip", texts)
    told = mistake("predict", saved, bad, "-o", path)
    assert told == "TINY: nodes without labels; training had labels"
    assert list(tmp_path.iterdir()) == [bad]


def test_a_file_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no model")
    assert mistake("predict", path, "MUTAG").startswith(f"{path}: not a model, or a damaged one")
    assert mistake("predict", tmp_path / "no", "MUTAG") == f"{tmp_path / 'no'}: no such file"


def test_wrong_words_are_one_line(
    saved: Path, of_molecules: Path, table: Path, tmp_path: Path
) -> None:
    assert "Missing argument 'DATA...'" in mistake("predict", saved)
    assert "'xml' is not one of" in mistake("predict", saved, "MUTAG", "--format", "xml")
    assert "no such file or folder" in mistake("predict", saved, tmp_path / "nowhere")
    told = mistake("predict", saved, "MUTAG", "--id", "x")
    assert "--id and --sheet are for tables; MUTAG is none" in told
    assert "no target column 'z', the columns" in mistake(
        "predict", of_molecules, table, "--target", "z"
    )
    assert "a table of molecules, but the model was trained" in mistake("predict", saved, table)
    assert "no such folder to write" in mistake(
        "predict", saved, "MUTAG", "-o", tmp_path / "no" / "out.csv"
    )
    other = tmp_path / "other.csv"
    other.write_text("smiles\nC\n")
    assert "other columns than" in mistake("predict", of_molecules, table, other)


def test_probabilities_that_a_model_lacks_are_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "model"
    gr.KernelClassifier("wl").fit(gr.load("MUTAG")).save(path)
    assert mistake("predict", path, "MUTAG", "--proba") == (
        f"{path}: a model without probabilities; train it with --calibrate"
    )
    assert "p(1)" not in run("predict", path, "MUTAG").stdout.splitlines()[0]


def test_train_calibrates_and_the_card_says_so(tmp_path: Path) -> None:
    path = tmp_path / "model"
    output("train", "MUTAG", "-o", path, "--method", "wl")
    assert "p(1)" in run("predict", path, "MUTAG").stdout.splitlines()[0]
    assert "Platt" in output("info", path)
    output("train", "MUTAG", "-o", path, "--method", "wl", "--no-calibrate")
    assert json.loads(output("info", path, "--format", "json"))["calibration"] == "none"
