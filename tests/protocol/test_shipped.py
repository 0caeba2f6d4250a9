from pathlib import Path

import pytest

from graphrings.errors import ExperimentError
from graphrings.protocol.experiment import read_experiment
from graphrings.protocol.shipped import experiment_path, shipped_experiments


def test_a_shipped_experiment_goes_by_its_name() -> None:
    assert shipped_experiments() == [
        *("demo", "forest", "future", "members", "more", "others", "radius", "radius-labels"),
        *("reference", "table2", "table3"),
    ]
    assert read_experiment(experiment_path("table2")).name == "tables"


def test_an_own_file_comes_before_a_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table2").write_text("")
    assert experiment_path("table2") == Path("table2")
    Path("demo").mkdir()
    assert experiment_path("demo").name == "demo.toml"


@pytest.mark.parametrize("path", ["demo.toml", "./demo", Path("demo")])
def test_what_looks_like_a_path_is_one(path: str | Path) -> None:
    assert experiment_path(path) == Path(path)


def test_an_unknown_word_lists_them() -> None:
    with pytest.raises(ExperimentError) as caught:
        experiment_path("tabel2")
    assert str(caught.value) == (
        "'tabel2': no such file, and no experiment that comes with graphrings; expected a path, "
        "or one of demo, forest, future, members, more, others, radius, radius-labels, reference, "
        "table2, table3; did you mean 'table2'?"
    )
