from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError, ModelError
from graphrings.graphs.chemistry import Chemistry
from graphrings.prediction import inputs, replies
from graphrings.prediction.answers import Answer
from graphrings.prediction.inputs import Chunk, Question
from graphrings.prediction.replies import answered, reply
from learning.settings import QUICK


def test_every_row_has_an_answer_or_a_reason(model: gr.BaselineClassifier) -> None:
    question = Question(("CCO", "C1", "CCN", "", "CCO"), {2: "a cell too many"})
    said = reply(model, question)
    assert [isinstance(one, Answer) for one in said] == [True, False, False, False, True]
    assert said[0] == said[4]
    assert said[1].startswith("does not parse")
    assert said[2:4] == ["a cell too many", "no molecule"]


def test_no_row_at_all_is_read(model: gr.BaselineClassifier) -> None:
    assert reply(model, Question(("", ""), {})) == ["no molecule", "no molecule"]
    assert reply(model, Question((), {})) == []


def test_molecules_are_read_as_those_of_the_training_were() -> None:
    by_element = gr.from_smiles(["CCO", "CCN"] * 5, [0, 1] * 5, labels="element", hydrogens=True)
    model = gr.BaselineClassifier().fit(by_element)
    assert model.chemistry_ == Chemistry(labels="element", hydrogens=True)
    (answer,) = reply(model, Question(("OCC",), {}))
    assert (answer.similarity, answer.unseen) == (1.0, ())


@pytest.mark.slow
def test_numbers_are_the_same_for_any_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "AT_ONCE", 20)
    monkeypatch.setattr(replies, "ALONE", 2)
    mutag, path = gr.load("MUTAG"), tmp_path / "model"
    gr.PGCClassifier(**QUICK).fit(mutag).save(path)
    model = gr.load_model(path)
    one, two = (
        list(answered(model, path, inputs.dataset_input(mutag, None).chunks, n_jobs))
        for n_jobs in (1, 2)
    )
    assert [said for _, said in two] == [said for _, said in one]
    assert [chunk.cells[0][1] for chunk, _ in two] == list(range(0, 188, 20))


@pytest.mark.slow
def test_a_mistake_in_another_process_is_one_here(
    saved: Path, copied_processes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dataset without the labels that the model was trained with."""
    monkeypatch.setattr(replies, "get_context", lambda _: copied_processes)
    unlabelled = gr.synthetic.ego_networks(3)
    chunks = [Chunk((), Question(unlabelled, {}), ())]
    with pytest.raises(DatasetError, match="nodes without labels; training had labels"):
        list(replies._in_processes(saved, iter(chunks), 2))
    with pytest.raises(ModelError, match="a process that used the model was ended"):
        list(replies._in_processes(saved.with_name("gone"), iter(chunks), 2))


def test_every_chunk_is_answered_before_the_next_is_read(
    saved: Path, model: gr.BaselineClassifier, alcohols: gr.Dataset
) -> None:
    read = []

    def chunks() -> object:
        for i in range(3):
            read.append(i)
            yield Chunk((), Question(alcohols[i : i + 1], {}), ())

    for i, (_, said) in enumerate(answered(model, saved, chunks(), 1)):
        assert (read, len(said)) == (list(range(i + 1)), 1)


def test_a_kernel_says_the_same_in_chunks_of_any_size(alcohols: gr.Dataset) -> None:
    """Up to rounding: which products are added first depends on how many rows there are."""
    model = gr.KernelClassifier("wl", normalize=False).fit(alcohols)
    whole = model.decision_function(alcohols)
    parts = [model.decision_function(alcohols[i : i + 3]) for i in range(0, 20, 3)]
    assert np.allclose(np.concatenate(parts), whole, rtol=1e-12)
