import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.numpy import save_file

import graphrings as gr
from graphrings.errors import ModelError
from graphrings.learning import persistence
from learning.settings import KINDS, QUICK

ELSEWHERE = """
import sys
import numpy as np
import graphrings as gr
for path in sys.argv[1:]:
    model = gr.load_model(path)
    np.save(path + ".npy", model.predict_proba(gr.synthetic.molecules(40, n_nodes=(5, 15))))
"""


@pytest.fixture
def saved(molecules: gr.Dataset, tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    gr.PGCClassifier(**QUICK).fit(molecules).save(path)
    return path


def rewrite(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the header as someone would who knows how to seal it again."""
    header, tensors = persistence.read(path)
    changed = change(header)
    sealed = changed | {"sha256": persistence.checksum(changed, tensors)}
    save_file(tensors, path, {persistence.KEY: json.dumps(sealed)})


@pytest.mark.slow
def test_a_new_process_predicts_the_same_bits(molecules: gr.Dataset, tmp_path: Path) -> None:
    models = {tmp_path / kind.__name__: kind(**QUICK).fit(molecules) for kind in KINDS}
    for path, model in models.items():
        model.save(path)
    words = [sys.executable, "-W", "error", "-c", ELSEWHERE, *map(str, models)]
    subprocess.run(words, check=True)
    for path, model in models.items():
        assert np.array_equal(np.load(f"{path}.npy"), model.predict_proba(molecules)), path.name


@pytest.mark.parametrize("kind", KINDS)
def test_everything_comes_back(kind: Any, molecules: gr.Dataset, tmp_path: Path) -> None:
    model = kind(**QUICK, class_weight={0: 1.5, 1: 1.0}, quantile=0.7).fit(molecules)
    model.save(tmp_path / "model")
    again = kind.load(tmp_path / "model")
    assert type(again) is kind
    assert again.get_params() == model.get_params()
    assert again.classes_.tolist() == model.classes_.tolist()
    assert again.features_ == model.features_
    assert (again.k_, again.fingerprint_) == (model.k_, molecules.fingerprint)
    assert np.array_equal(again.predict_proba(molecules), model.predict_proba(molecules))


@pytest.mark.parametrize("names", [("no", "yes"), (False, True), (1.0, 2.0), ((0, 1), (1, 0))])
def test_classes_come_back_as_they_were(egos: gr.Dataset, tmp_path: Path, names: Any) -> None:
    model = gr.PGCClassifier(**QUICK).fit(egos, [names[target] for target in egos.targets])
    model.save(tmp_path / "model")
    again = gr.load_model(tmp_path / "model")
    assert again.classes_.tolist() == list(names)
    assert again.predict(egos).tolist() == model.predict(egos).tolist()


def test_labels_that_are_tuples_and_attributes_come_back(tmp_path: Path) -> None:
    paths = [nx.path_graph(n) for n in range(3, 13)]
    for i, path in enumerate(paths):
        nx.set_node_attributes(path, {v: ("C", v % 2) for v in path}, "label")
        nx.set_node_attributes(path, {v: float(v * i) for v in path}, "charge")
    dataset = gr.from_networkx(paths, [0, 1] * 5, "label", "charge")
    model = gr.PGCClassifier(**QUICK, features="label+attributes").fit(dataset)
    model.save(tmp_path / "model")
    again = gr.load_model(tmp_path / "model")
    assert again.features_ == model.features_
    assert np.array_equal(again.predict_proba(dataset), model.predict_proba(dataset))


def test_the_header_says_what_the_model_is(saved: Path, molecules: gr.Dataset) -> None:
    with safe_open(str(saved), framework="pt") as file:
        header = json.loads(file.metadata()[persistence.KEY])
    assert (header["format"], header["estimator"]) == (persistence.FORMAT, "PGCClassifier")
    assert header["settings"]["radius"] == 2
    assert header["coding"] == {"names": [0, 1]}
    assert header["features"]["label_names"] == ["C", "N", "O", "S"]
    assert header["fingerprint"] == molecules.fingerprint
    assert header["versions"].keys() == {"graphrings", "torch", "numpy", "python"}
    assert header["measures"] == {"k": gr.load_model(saved).k_}


def test_nothing_is_pickled(saved: Path) -> None:
    content = saved.read_bytes()
    length = int.from_bytes(content[:8], "little")
    assert set(json.loads(content[8 : 8 + length])) > {"__metadata__", "head.out.weight"}
    assert content[8:9] == b"{"  # where torch.save and pickle have something else


def test_loading_leaves_the_random_numbers_of_torch_alone(saved: Path) -> None:
    state = torch.random.get_rng_state()
    gr.load_model(saved)
    assert torch.equal(torch.random.get_rng_state(), state)


@pytest.mark.parametrize("kept", [0, 4, 100, -1])
def test_a_truncated_file_is_refused(saved: Path, kept: int) -> None:
    saved.write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(ModelError, match="not a model, or a damaged one"):
        gr.load_model(saved)


@pytest.mark.parametrize("place", [-1, -1000])
def test_one_wrong_bit_is_noticed(saved: Path, place: int) -> None:
    content = bytearray(saved.read_bytes())
    content[place] ^= 1
    saved.write_bytes(content)
    with pytest.raises(ModelError, match="the model is damaged"):
        gr.load_model(saved)


def test_one_wrong_letter_in_the_header_is_noticed(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes().replace(b"tanh", b"relu"))
    with pytest.raises(ModelError, match="the model is damaged"):
        gr.load_model(saved)


@pytest.mark.parametrize(("step", "age"), [(1, "a newer"), (-1, "an older")])
def test_another_format_is_refused(saved: Path, step: int, age: str) -> None:
    rewrite(saved, lambda header: header | {"format": header["format"] + step})
    with pytest.raises(ModelError, match=rf"model format \d, made by {age} graphrings; this one"):
        gr.load_model(saved)


def test_a_regressor_comes_back_with_the_scale_of_its_targets(
    molecules: gr.Dataset, tmp_path: Path
) -> None:
    model = gr.PGCRegressor(**QUICK).fit(molecules, 1000.0 + molecules.sizes)
    model.save(tmp_path / "model")
    again = gr.load_model(tmp_path / "model")
    assert type(again) is gr.PGCRegressor
    assert again.coding_ == model.coding_
    assert np.array_equal(again.predict(molecules), model.predict(molecules))
    rewrite(tmp_path / "model", lambda h: h | {"coding": {"mean": 1.0, "deviation": 0.0}})
    with pytest.raises(ModelError, match="the model is damaged"):
        gr.load_model(tmp_path / "model")


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header | {"measures": {"k": header["measures"]["k"] + 10}},
        lambda header: {name: said for name, said in header.items() if name != "features"},
        lambda header: header | {"features": []},
        lambda header: header | {"settings": {"size": 3}},
        lambda header: header | {"coding": {"names": [1, 2, 3]}},
        lambda header: header | {"coding": {"mean": 1.0, "deviation": 1.0}},
    ],
)
def test_a_header_that_does_not_fit_is_one_line(
    saved: Path, change: Callable[[dict[str, Any]], Any]
) -> None:
    rewrite(saved, change)
    with pytest.raises(ModelError, match="the model is damaged") as error:
        gr.load_model(saved)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"format": "new"}'])
def test_a_header_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    save_file({"x": np.ones(2)}, tmp_path / "model", {persistence.KEY: text})
    with pytest.raises(ModelError, match="the header of the model is damaged"):
        gr.load_model(tmp_path / "model")


def test_a_foreign_safetensors_file_is_refused(tmp_path: Path) -> None:
    save_file({"x": np.ones(2)}, tmp_path / "other")
    with pytest.raises(ModelError, match="a safetensors file, but not of a graphrings model"):
        gr.load_model(tmp_path / "other")


def test_no_file_and_another_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such file"):
        gr.load_model(tmp_path / "nowhere")
    with pytest.raises(ModelError, match="no such file"):
        gr.load_model(tmp_path)
    (tmp_path / "notes.txt").write_text("a model should stand here")
    with pytest.raises(ModelError, match="not a model, or a damaged one"):
        gr.load_model(tmp_path / "notes.txt")


def test_a_model_of_another_class_is_refused(saved: Path) -> None:
    with pytest.raises(ModelError, match="a model of PGCClassifier; expected DGCNNClassifier"):
        gr.DGCNNClassifier.load(saved)
    rewrite(saved, lambda header: {k: v for k, v in header.items() if k != "estimator"})
    with pytest.raises(ModelError, match="a model of None; expected NetworkClassifier or"):
        gr.load_model(saved)


def test_a_setting_that_json_cannot_say_is_refused(egos: gr.Dataset, tmp_path: Path) -> None:
    settings = QUICK | {"random_state": np.random.RandomState(0)}
    model = gr.PGCClassifier(**settings).fit(egos)
    with pytest.raises(ModelError, match="of type RandomState cannot be saved"):
        model.save(tmp_path / "model")
    assert list(tmp_path.glob("**/*model*")) == []


def test_what_fails_midway_leaves_the_old_model(
    saved: Path, egos: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, names = saved.read_bytes(), sorted(saved.parent.iterdir())

    def half(path: Path, content: bytes) -> None:
        with path.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    model = gr.PGCClassifier(**QUICK).fit(egos)
    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(OSError, match="No space left"):
        model.save(saved)
    assert saved.read_bytes() == before
    assert sorted(saved.parent.iterdir()) == names


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_stays_as_it_is(egos: gr.Dataset, tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    with pytest.raises(PermissionError):
        gr.PGCClassifier(**QUICK).fit(egos).save(folder / "model")
    assert list(folder.iterdir()) == []


def test_a_folder_that_is_none_is_an_error(egos: gr.Dataset, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        gr.PGCClassifier(**QUICK).fit(egos).save(tmp_path / "nowhere" / "model")
    assert not (tmp_path / "nowhere").exists()


def test_others_may_read_a_model_as_any_new_file(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    assert saved.stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.slow
def test_models_without_weights_need_no_torch(tmp_path: Path) -> None:
    """A kernel, trees and the baseline predict in a process that never imports it."""
    mutag = gr.load("MUTAG")[:40]
    for number, model in enumerate(
        (gr.KernelClassifier("wl"), gr.ForestClassifier(n_trees=3), gr.BaselineClassifier())
    ):
        model.fit(mutag).save(tmp_path / str(number))
    code = (
        "import sys, graphrings as gr\n"
        "for path in sys.argv[1:]: gr.load_model(path).predict(gr.load('MUTAG')[:3])\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, *map(str, tmp_path.iterdir())], check=True)
