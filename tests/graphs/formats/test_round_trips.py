"""Laws of all formats: what is written is read again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.graphs.chemistry import Chemistry
from graphrings.graphs.dataset import Dataset, Fold, Repairs
from rich_datasets import assert_same, rich_datasets


@pytest.mark.parametrize("suffix", ["", ".zip"])
@given(dataset=rich_datasets(integers=True))
def test_tu_files_hold_graphs_labels_attributes_and_targets(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, dataset: Dataset
) -> None:
    path = tmp_path_factory.mktemp("tu") / f"any{suffix}"
    gr.write(dataset, path)
    assert_same(gr.read(path), dataset)


@given(dataset=rich_datasets(integers=False), data=st.data())
def test_our_own_file_holds_everything(
    tmp_path_factory: pytest.TempPathFactory, dataset: Dataset, data: st.DataObject
) -> None:
    graphs = np.arange(len(dataset), dtype=np.int32)
    cuts = data.draw(st.lists(st.integers(0, len(dataset)), max_size=3))
    dataset = replace(
        dataset,
        targets=data.draw(st.sampled_from([dataset.targets, None])),
        folds=tuple(Fold(graphs[:cut], graphs[cut:]) for cut in cuts),
        repairs=Repairs(*data.draw(st.tuples(*3 * [st.integers(0, 10**12)]))),
        name=data.draw(st.text()),
        smiles=data.draw(st.sampled_from([(), ("C", "é", "", "N#N")[: len(dataset)]])),
        chemistry=data.draw(st.sampled_from([None, Chemistry(), Chemistry(stereo=True)])),
    )
    path = tmp_path_factory.mktemp("npz") / "any.npz"
    gr.write(dataset, path)
    assert_same(gr.read(path), dataset)
    content = path.read_bytes()
    gr.write(gr.read(path), path)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("suffix", ["", ".zip", ".npz"])
def test_mutag_comes_back(tmp_path: Path, suffix: str) -> None:
    mutag = gr.load("MUTAG")
    gr.write(mutag, tmp_path / f"X{suffix}")
    assert_same(gr.read(tmp_path / f"X{suffix}"), mutag)
