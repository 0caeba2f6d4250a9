import numpy as np
import pytest

import graphrings as gr
from graphrings.prediction.answers import answers, shortest


def test_a_model_says_what_its_methods_say(
    model: gr.BaselineClassifier, alcohols: gr.Dataset
) -> None:
    said = answers(model, alcohols)
    assert [answer.predicted for answer in said] == model.predict(alcohols).tolist()
    probabilities = np.array([answer.probabilities for answer in said])
    assert np.array_equal(probabilities, model.predict_proba(alcohols))
    assert {(answer.similarity, answer.far, answer.unseen) for answer in said} == {(1.0, False, ())}


def test_new_labels_are_listed_without_a_warning(model: gr.BaselineClassifier) -> None:
    xenon, ethanol = answers(model, gr.from_smiles(["[Xe]", "CCO"]))
    assert (xenon.unseen, xenon.similarity, xenon.far) == (("Xe",), 0.0, True)
    assert (ethanol.unseen, ethanol.similarity, ethanol.far) == ((), 1.0, False)


def test_models_without_probabilities_have_none(alcohols: gr.Dataset) -> None:
    y = np.arange(20) * 0.5
    for model in (gr.KernelClassifier("wl").fit(alcohols), gr.BaselineRegressor().fit(alcohols, y)):
        assert {answer.probabilities for answer in answers(model, alcohols)} == {()}
        assert answers(model, alcohols[[]]) == []


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_probabilities_can_be_read_back(dtype: type[np.floating]) -> None:
    numbers = np.random.default_rng(0).random(50).astype(dtype)
    texts = [repr(number) for number in shortest(numbers)]
    assert np.array_equal(np.array(texts, dtype=np.float64).astype(dtype), numbers)
    assert max(map(len, texts)) <= (12 if dtype is np.float32 else 22)
