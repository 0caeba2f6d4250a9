from pathlib import Path

import numpy as np
import pytest

import graphrings as gr
from cli.commands import mistake, output


def test_a_gram_matrix_in_a_file(tmp_path: Path) -> None:
    path, mutag = tmp_path / "gram.npz", gr.load("MUTAG")
    told = output("kernel", "MUTAG", "--height", 2, "-o", path)
    assert told == f"{path}: wl of 188 graphs of MUTAG\n"
    with np.load(path, allow_pickle=False) as file:
        expected = gr.kernels.WeisfeilerLehman(2).fit_transform(mutag)
        assert np.array_equal(file["gram"], expected)
        assert np.array_equal(file["targets"], mutag.targets)
        assert file["class_names"].tolist() == [str(name) for name in mutag.class_names]
    assert list(tmp_path.iterdir()) == [path]


def test_settings_of_any_kernel(tmp_path: Path) -> None:
    path = tmp_path / "gram.npz"
    words = ("--kernel", "ring-wl", "--radius", 1, "--set", "height=1", "--normalize")
    output("kernel", "MUTAG", *words, "-o", path)
    kernel = gr.kernels.WeisfeilerLehman(1, normalize=True)
    assert np.array_equal(np.load(path)["gram"], kernel.fit_transform(gr.load("MUTAG")))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--height", -1), "height = -1; expected a whole number, 0 or larger"),
        (("--radius", 2), "wl has no setting 'radius'; expected height, normalize"),
        (("--set", "height=two"), "height = 'two'; expected a whole number, 0 or larger"),
        (("--set", "heigth=2"), "wl has no setting 'heigth'; expected height, normalize; did you"),
        (("--set", "height"), "Invalid value for '--set': 'height' is not a setting such as"),
        (("--kernel", "subtree"), "Invalid value for '--kernel': 'subtree' is not one of 'wl',"),
    ],
)
def test_mistakes_end_in_one_line(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    assert mistake("kernel", "MUTAG", *words, "-o", tmp_path / "gram.npz").startswith(told)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "gram.npz"
    told = f"{path.parent}: no such folder to write gram.npz to"
    assert mistake("kernel", "MUTAG", "-o", path) == told
