import pytest

from graphrings.learning.learner import Epoch
from graphrings.learning.progress import TrainingProgress
from graphrings.tasks import CLASSIFICATION, REGRESSION, Task

EPOCH = Epoch(0, 0.5, 0.75, 0.25, 0.875)


@pytest.mark.parametrize(
    ("task", "score"), [(CLASSIFICATION, "accuracy 87.5%"), (REGRESSION, "RMSE 0.875")]
)
def test_losses_and_a_score_go_to_standard_error(
    task: Task,
    score: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with TrainingProgress(4, task, shown=True) as progress:
        progress.show(EPOCH)
    out, err = capsys.readouterr()
    assert out == ""
    assert "1/4" in err
    assert f"loss 0.500, validation 0.250, {score}" in err


def test_nothing_is_shown_where_it_is_not_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    with TrainingProgress(4, CLASSIFICATION, shown=False) as progress:
        progress.show(EPOCH)
    assert capsys.readouterr() == ("", "")
