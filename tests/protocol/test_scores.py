import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from graphrings.protocol.scores import scores


@st.composite
def answers(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """True classes, and a probability for each of them."""
    n_classes = draw(st.integers(2, 4))
    truth = draw(st.lists(st.integers(0, n_classes - 1), min_size=1, max_size=30))
    raw = draw(
        st.lists(
            st.lists(st.integers(0, 5), min_size=n_classes, max_size=n_classes),
            min_size=len(truth),
            max_size=len(truth),
        )
    )
    weights = np.array(raw) + 0.01
    return np.array(truth), weights / weights.sum(axis=1, keepdims=True)


@given(answers())
def test_scores_are_those_of_scikit_learn(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    truth, probabilities = drawn
    n_classes = probabilities.shape[1]
    found = probabilities.argmax(axis=1)
    ours = scores(truth, found, n_classes, probabilities)
    labels = list(range(n_classes))
    assert ours.accuracy == pytest.approx(metrics.accuracy_score(truth, found))
    assert ours.macro_f1 == pytest.approx(metrics.f1_score(truth, found, average="macro"))
    assert ours.log_loss == pytest.approx(metrics.log_loss(truth, probabilities, labels=labels))
    recalls = metrics.recall_score(
        truth, found, labels=np.unique(truth), average=None, zero_division=0
    )
    assert ours.balanced_accuracy == pytest.approx(recalls.mean())
    confusion = metrics.confusion_matrix(truth, found, labels=labels)
    assert [list(row) for row in ours.confusion] == confusion.tolist()
    if n_classes == 2 and len(np.unique(truth)) == 2:
        assert ours.auroc == pytest.approx(metrics.roc_auc_score(truth, probabilities[:, 1]))
    else:
        assert ours.auroc is None


def test_without_probabilities_a_margin_ranks_the_graphs() -> None:
    truth, margin = np.array([0, 1, 0, 1]), np.array([-3.0, -1.0, -2.0, 4.0])
    found = scores(truth, (margin > 0).astype(int), 2, margin=margin)
    assert (found.accuracy, found.auroc, found.log_loss) == (0.75, 1.0, None)


def test_a_certain_mistake_has_a_finite_loss() -> None:
    found = scores(np.array([0]), np.array([1]), 2, np.array([[0.0, 1.0]]))
    assert found.log_loss == pytest.approx(-np.log(1e-15))
