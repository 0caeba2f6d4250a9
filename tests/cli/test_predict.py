import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import graphrings as gr
from cli.commands import mistake, run
from graphrings.learning.named_networks import PGCClassifier
from written import TU, write_folder, write_zip


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "model.safetensors"
    gr.PGCClassifier(channels=(4, 1), max_epochs=2, random_state=0).fit(gr.load("MUTAG")).save(path)
    return path


@pytest.fixture
def model(saved: Path) -> PGCClassifier:
    return gr.load_model(saved)


def test_csv_has_a_row_for_every_graph(saved: Path, model: PGCClassifier) -> None:
    done = run("predict", saved, "MUTAG")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert done.exit_code == 0
    assert list(rows[0]) == ["dataset", "graph", "predicted"]
    assert [int(row["graph"]) for row in rows] == list(range(188))
    assert [int(row["predicted"]) for row in rows] == model.predict(gr.load("MUTAG")).tolist()


def test_the_accuracy_goes_to_standard_error(saved: Path, model: PGCClassifier) -> None:
    accuracy = model.score(gr.load("MUTAG"))
    assert (
        run("predict", saved, "MUTAG").stderr == f"MUTAG: accuracy {accuracy:.1%} on 188 graphs\n"
    )


@pytest.mark.parametrize("style", ["csv", "json"])
def test_probabilities_can_be_read_back(saved: Path, model: PGCClassifier, style: str) -> None:
    told = run("predict", saved, "MUTAG", "--proba", "--format", style).stdout
    rows = json.loads(told) if style == "json" else list(csv.DictReader(io.StringIO(told)))
    probabilities = np.array([[float(row["p(-1)"]), float(row["p(1)"])] for row in rows])
    assert np.array_equal(probabilities.astype(np.float32), model.predict_proba(gr.load("MUTAG")))


def test_json_keeps_the_type_of_a_class(saved: Path) -> None:
    rows = json.loads(run("predict", saved, "MUTAG", "--format", "json").stdout)
    assert rows[0].keys() == {"dataset", "graph", "predicted"}
    assert {row["predicted"] for row in rows} <= {-1, 1}


def test_files_of_several_datasets_and_unseen_labels(saved: Path, tmp_path: Path) -> None:
    """Labels 7 and 9 of the tiny set are none of MUTAG's."""
    path = write_folder(tmp_path / "TINY", TU)
    done = run("predict", saved, path, "MUTAG", "--format", "json")
    rows = json.loads(done.stdout)
    assert [row["dataset"] for row in rows] == ["TINY"] * 3 + ["MUTAG"] * 188
    lines = done.stderr.splitlines()
    assert lines[0].startswith("note: TINY: 4 nodes have a label that training never saw")
    assert [line.split(" ")[:2] for line in lines[1:]] == [
        ["TINY:", "accuracy"],
        ["MUTAG:", "accuracy"],
    ]


def test_a_dataset_without_labels_is_one_line(saved: Path, tmp_path: Path) -> None:
    texts = {name: text for name, text in TU.items() if "node_labels" not in name}
    path = write_zip(tmp_path / "TINY.zip", texts)
    assert mistake("predict", saved, path) == "TINY: nodes without labels; training had labels"


def test_a_file_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no model")
    assert mistake("predict", path, "MUTAG").startswith(f"{path}: not a model, or a damaged one")
    assert mistake("predict", tmp_path / "no", "MUTAG") == f"{tmp_path / 'no'}: no such file"


def test_wrong_words_are_one_line(saved: Path, tmp_path: Path) -> None:
    assert "Missing argument 'DATASET...'" in mistake("predict", saved)
    assert "'xml' is not one of 'csv', 'json'" in mistake(
        "predict", saved, "MUTAG", "--format", "xml"
    )
    assert "no such file or folder" in mistake("predict", saved, tmp_path / "nowhere")


def test_a_kernel_model_predicts_too(tmp_path: Path) -> None:
    path = tmp_path / "model"
    model = gr.KernelClassifier("wl", probability=True, random_state=0).fit(gr.load("MUTAG"))
    model.save(path)
    rows = list(csv.DictReader(io.StringIO(run("predict", path, "MUTAG", "--proba").stdout)))
    assert [int(row["predicted"]) for row in rows] == model.predict(gr.load("MUTAG")).tolist()
    assert set(rows[0]) == {"dataset", "graph", "predicted", "p(-1)", "p(1)"}


def test_probabilities_that_a_model_lacks_are_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "model"
    gr.KernelClassifier("wl").fit(gr.load("MUTAG")).save(path)
    assert mistake("predict", path, "MUTAG", "--proba") == (
        f"{path}: a model without probabilities; train it with --set probability=true"
    )
