from pathlib import Path

import pytest

import graphrings as gr
from cli.commands import mistake, output, run
from graphrings.learning.progress import TrainingProgress
from written import TU, write_zip

SMALL = ("--channels", "4,1", "--max-epochs", 2)
PGC = ("--method", "pgc-dgcnn")
QUICK = (*PGC, *SMALL)


@pytest.mark.parametrize("method", ["pgc-dgcnn", "dgcnn", "pgc-dgcnn-released"])
def test_a_model_is_written_and_one_line_says_so(tmp_path: Path, method: str) -> None:
    path = tmp_path / "model.safetensors"
    told = output("train", "MUTAG", "-o", path, *SMALL, "--method", method, "--quiet")
    assert told.startswith(f"{path}: {method} on 188 graphs of MUTAG, 2 epochs, the best was ")
    assert told.count("\n") == 1
    assert gr.load_model(path).predict(gr.load("MUTAG")).shape == (188,)


def test_the_default_is_what_leads_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    told = output("train", "MUTAG", "-o", path, "--set", "n_trees=4")
    assert told == f"{path}: ring-forest on 188 graphs of MUTAG\n"
    assert isinstance(gr.load_model(path), gr.ForestClassifier)


def test_progress_goes_to_standard_error(tmp_path: Path) -> None:
    done = run("train", "MUTAG", "-o", tmp_path / "model", *QUICK)
    assert done.exit_code == 0
    assert "Training" in done.stderr
    assert "2/2" in done.stderr
    assert "node features: label+degree; ignored: edge labels" in done.stderr
    assert done.stdout.count("\n") == 1


def test_options_are_settings_of_the_estimator(tmp_path: Path) -> None:
    words = ("--radius", 1, "--features", "degree", "--activation", "relu", "--quantile", 0.5)
    words += ("--dropout", 0.1, "--learning-rate", 0.01, "--batch-size", 20, "--patience", 1)
    words += ("--validation-fraction", 0.2, "--class-weight", "balanced", "--seed", 7)
    output("train", "MUTAG", "-o", tmp_path / "model", *QUICK, *words, "--quiet")
    expected = gr.PGCClassifier(
        radius=1,
        channels=(4, 1),
        features="degree",
        activation="relu",
        quantile=0.5,
        dropout=0.1,
        learning_rate=0.01,
        batch_size=20,
        max_epochs=2,
        patience=1,
        validation_fraction=0.2,
        class_weight="balanced",
        calibrate=True,
        random_state=7,
    )
    assert gr.load_model(tmp_path / "model").get_params() == expected.get_params()


def test_the_same_seed_writes_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        output("train", "MUTAG", "-o", tmp_path / name, *QUICK, "--seed", 3, "--quiet")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--radius", -1), "radius = -1; expected a whole number, 0 or larger"),
        (("--radius", "two"), "Invalid value for '--radius': 'two' is not a valid integer."),
        (("--channels", "4,x"), "'4,x' is not a list of whole numbers such as 32,32,32,1"),
        (
            (*PGC, "--channels", "4,0"),
            "channels = (4, 0); expected one or more whole numbers above 0",
        ),
        ((*PGC, "--features", "colour"), "features = 'colour'; expected auto"),
        ((*PGC, "--activation", "step"), "activation = 'step'; expected one of tanh, relu"),
        ((*PGC, "--dropout", 2), "dropout = 2.0; expected a number from 0 to below 1"),
        (
            ("--method", "wl", "--radius", 2),
            "wl has no setting 'radius'; methods that have it: pgc-",
        ),
        (("--set", "magic=1"), "ring-forest has no setting 'magic'; it has radius, nodes"),
        (("--method", "magic"), "Invalid value for '--method': 'magic' is not one of"),
        (
            (*PGC, "--learning-rate", "1e30", "--max-epochs", 3),
            "with learning rate 1e+30; a smaller one",
        ),
    ],
)
def test_a_wrong_option_is_one_line(
    tmp_path: Path, words: tuple[object, ...], message: str
) -> None:
    told = mistake("train", "MUTAG", "-o", tmp_path / "model", "--quiet", *words)
    assert message in told
    assert not list(tmp_path.glob("*model*"))


def test_the_folder_is_looked_for_before_the_training(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "model"
    assert mistake("train", "MUTAG", "-o", path) == (
        f"{path.parent}: no such folder to write model to"
    )


def test_a_file_to_write_must_be_named() -> None:
    assert "Missing option '-o' / '--output'" in mistake("train", "MUTAG")


def test_a_path_is_a_dataset_and_one_class_is_too_few(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU | {"TINY_graph_labels.txt": "1\n1\n1\n"})
    told = mistake("train", path, "-o", tmp_path / "model", "--quiet")
    assert told == "all graphs are of class 1; expected at least two classes"


def test_ctrl_c_writes_the_best_so_far_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TrainingProgress, "show", press)
    done = run("train", "MUTAG", "-o", tmp_path / "model", *QUICK, "--quiet")
    assert done.exit_code == 130
    assert done.stderr == (
        "note: interrupted in epoch 2; the best weights so far, of epoch 1, are kept\n"
    )
    assert "1 epochs, the best was 1" in done.stdout
    assert gr.load_model(tmp_path / "model").classes_.tolist() == [-1, 1]


def test_any_setting_of_a_method_can_be_set(tmp_path: Path) -> None:
    words = ("--method", "gin", "--max-epochs", 2, "--set", "channels=[4, 4]", "--set")
    output("train", "MUTAG", "-o", tmp_path / "model", *words, "readout=mean", "--quiet")
    model = gr.load_model(tmp_path / "model")
    assert (model.channels, model.readout) == ((4, 4), "mean")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--set", "height"), "'height' is not a setting such as height=3"),
        (("--set", "colour=3"), "gin has no setting 'colour'; it has network, channels"),
        (("--set", "readout=max"), "readout = 'max'; expected mean or sum"),
    ],
)
def test_a_wrong_setting_is_one_line(
    tmp_path: Path, words: tuple[object, ...], message: str
) -> None:
    told = mistake("train", "MUTAG", "-o", tmp_path / "model", "--method", "gin", *words)
    assert message in told
    assert not list(tmp_path.iterdir())


def test_a_kernel_is_trained_like_a_network(tmp_path: Path) -> None:
    path = tmp_path / "model"
    words = ("--method", "wl", "--set", "height=2", "--set", "C=10")
    assert output("train", "MUTAG", "-o", path, *words) == f"{path}: wl on 188 graphs of MUTAG\n"
    model = gr.load_model(path)
    assert isinstance(model, gr.KernelClassifier)
    assert (model.C, model.height) == (10, 2)


def test_the_baseline_is_trained_like_a_network(tmp_path: Path) -> None:
    output("train", "MUTAG", "-o", tmp_path / "model", "--method", "baseline-labels")
    model = gr.load_model(tmp_path / "model")
    assert isinstance(model, gr.BaselineClassifier)
    assert model.score(gr.load("MUTAG")) > 0.8


@pytest.mark.parametrize("method", ["pgc-dgcnn", "wl"])
def test_values_are_learned_where_the_targets_are_values(tmp_path: Path, method: str) -> None:
    values = TU | {"TINY_graph_attributes.txt": "0.5\n1.5\n2.25\n"}
    values.pop("TINY_graph_labels.txt")
    path, model = write_zip(tmp_path / "TINY.zip", values), tmp_path / "model"
    words = SMALL if method == "pgc-dgcnn" else ()
    output("train", path, "-o", model, "--method", method, *words, "--quiet")
    assert gr.load_model(model).task.name == "regression"
    done = run("predict", model, path)
    assert "\nTINY: RMSE " in done.stderr
    told = mistake("predict", model, path, "--proba")
    assert told == f"{model}: a model without probabilities; it predicts values"


def test_whole_numbers_may_be_meant_as_values(tmp_path: Path) -> None:
    output("train", "MUTAG", "-o", tmp_path / "model", "--task", "regression", *QUICK, "--quiet")
    model = gr.load_model(tmp_path / "model")
    assert isinstance(model, gr.PGCRegressor)
    assert model.coding_.mean == pytest.approx(63 / 188 * -1 + 125 / 188)


def test_the_task_says_how_targets_are_read(tmp_path: Path) -> None:
    """One that is no number makes classes of all others, unless they are to be values."""
    path, model = tmp_path / "mols.csv", tmp_path / "model"
    rows = [f"{'C' * n}O,{n}" for n in range(1, 9)]
    path.write_text("\n".join(["smiles,size", *rows, "CCC,large"]))
    words = ("--target", "size", "--method", "baseline-labels", "--task", "regression")
    done = run("train", path, "-o", model, *words)
    assert done.stdout == f"{model}: baseline-labels on 8 graphs of mols\n"
    assert "1 of 9 rows cannot be used (no finite number: 1)" in done.stderr
    assert isinstance(gr.load_model(model), gr.BaselineRegressor)


def test_a_training_that_does_not_fit_into_memory_says_so_in_one_line(tmp_path: Path) -> None:
    graphs = tmp_path / "some.graphs"
    gr.write(gr.synthetic.molecules(60, n_nodes=(5, 9)), graphs)
    done = run("train", graphs, "-o", tmp_path / "model", *QUICK, "--memory", "20KB", "--quiet")
    assert done.exit_code == 0
    (line,) = done.stderr.splitlines()
    assert "over memory = 20KB; they are computed for" in line
    assert mistake("train", graphs, "-o", tmp_path / "model", *QUICK, "--memory", "3").endswith(
        "memory = '3'; expected a size such as 2GB or 500MB"
    )
