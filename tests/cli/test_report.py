import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from cli.commands import mistake, output
from graphrings.results.store import Store
from report.records import METHODS, experiment, failure, method_card, records


def fill(path: Path, *names: str) -> Path:
    """A store with small experiments of these names."""
    with Store.write(path) as store:
        for name in names:
            card = experiment(["MUTAG"], METHODS[1:], 1, 3, name)
            store.register(card)
            first, *rest = records(card)
            store.fail(name, failure(first.cell))
            for record in rest:
                store.add(name, record)
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one experiment."""
    return fill(tmp_path / "results.db", "demo")


def test_a_page_is_written_and_its_size_told(store: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    told = output("report", "--store", store, "-o", page)
    assert told == f"{page}: {page.stat().st_size / 1000:,.0f} kB\n"
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "graphrings report --store results.db -o report.html -- demo" in text
    assert "1 of 6 cells have no result, 1 of them failed." in text
    assert "Learning curves of dgcnn on MUTAG" in text
    assert [path.name for path in tmp_path.iterdir() if "page" in path.name] == ["page.html"]


def test_the_same_store_gives_the_same_bytes_wherever_it_lies(store: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    output("report", "--store", store, "-o", page)
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    moved = store.rename(elsewhere / "other name.db")
    output("report", "demo", "--store", moved, "-o", elsewhere / "other.html")
    assert (elsewhere / "other.html").read_bytes() == page.read_bytes()
    assert str(tmp_path) not in page.read_text(encoding="utf-8")


def test_a_name_that_ends_in_svg_gets_the_opening_picture(store: Path, tmp_path: Path) -> None:
    picture = tmp_path / "results.svg"
    output("report", "--store", store, "-o", picture, "--score", "mcc")
    root = ET.fromstring(picture.read_text(encoding="utf-8"))  # noqa: S314
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"MUTAG", "dgcnn", "baseline-labels", "test MCC"} <= set(words)
    assert "demo: test MCC" in words


def test_the_score_by_radius_as_a_picture(tmp_path: Path) -> None:
    """Rows that differ in more than their radius are other lines, told apart by what they set."""
    rows = [
        replace(method_card(f"{name}{r}", "pgc-dgcnn"), settings={"radius": r, **more})
        for name, more in (("r = ", {}), ("labels, r = ", {"features": "labels"}))
        for r in (1, 2)
    ]
    with Store.write(tmp_path / "radii.db") as store:
        card = experiment(["MUTAG"], rows, 1, 3, "radii")
        store.register(card)
        for record in records(card):
            store.add("radii", record)
    picture = tmp_path / "radii.svg"
    output("report", "--store", tmp_path / "radii.db", "-o", picture, "--picture", "radius")
    root = ET.fromstring(picture.read_text(encoding="utf-8"))  # noqa: S314
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    lines = {"pgc-dgcnn, test", "pgc-dgcnn, features labels, test"}
    assert {"MUTAG", "radius of the filters (hops)", "accuracy (%)", *lines} <= set(words)
    assert "radius 2" in "".join(text.text or "" for text in root.iter())


def test_a_picture_that_cannot_be_drawn(store: Path, tmp_path: Path) -> None:
    words = ("report", "--store", store, "--picture", "radius", "-o")
    told = mistake(*words, tmp_path / "radii.svg")
    assert told == "demo: nothing to draw; no two radii of a method were compared yet"
    told = mistake(*words, tmp_path / "page.html")
    assert told.startswith("--picture goes with an output that ends in .svg, not ")
    assert list(tmp_path.glob("*.svg")) == []


def test_there_is_no_picture_of_nothing(tmp_path: Path) -> None:
    with Store.write(tmp_path / "empty.db") as store:
        store.register(experiment(["MUTAG"], METHODS[1:], 1, 3, "demo"))
    picture = tmp_path / "results.svg"
    told = mistake("report", "--store", tmp_path / "empty.db", "-o", picture)
    assert told == "demo: nothing to draw; no cell has accuracy yet"
    assert not picture.exists()


def test_a_method_to_hold_the_others_against(store: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    output("report", "--store", store, "-o", page, "--against", "baseline-labels")
    assert "minus that of baseline-labels" in page.read_text(encoding="utf-8")
    told = mistake("report", "--store", store, "-o", page, "--against", "baseline")
    assert "did you mean 'baseline-labels'?" in told


def test_a_method_of_the_experiment_though_not_of_the_file(tmp_path: Path) -> None:
    path, file, page = tmp_path / "results.db", tmp_path / "part.toml", tmp_path / "page.html"
    fill(path, "tables")
    file.write_text('name = "tables"\ndatasets = ["MUTAG"]\n[methods.dgcnn]\n')
    for against in ((), ("--against", "baseline-labels")):
        output("report", file, "--store", path, "-o", page, *against)
        text = page.read_text(encoding="utf-8")
        assert ("minus that of baseline-labels" in text) == bool(against)


def test_another_score(store: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    output("report", "--store", store, "-o", page, "--score", "mcc")
    text = page.read_text(encoding="utf-8")
    assert 'id="score-mcc" checked' in text
    assert "graphrings report --store results.db --score mcc -o report.html -- demo" in text
    told = mistake("report", "--store", store, "-o", page, "--score", "rmse")
    assert told.startswith("'rmse' is not a score of classification")


def test_one_of_several_experiments_has_to_be_named(tmp_path: Path) -> None:
    store = fill(tmp_path / "results.db", "demo", "other")
    page = tmp_path / "page.html"
    told = mistake("report", "--store", store, "-o", page)
    assert told == f"{store}: several experiments, 'demo', 'other'; name one"
    assert "'demo', 'other'" in mistake("report", "third", "--store", store, "-o", page)
    assert not page.exists()
    output("report", "other", "--store", store, "-o", page)
    assert "<h1>other</h1>" in page.read_text(encoding="utf-8")


def test_a_folder_that_is_not_there_is_told_before_anything_is_read(tmp_path: Path) -> None:
    told = mistake("report", "--store", "nowhere.db", "-o", tmp_path / "no" / "page.html")
    assert told.startswith(f"{tmp_path / 'no'}: no such folder to write page.html into.")


def test_a_store_that_is_not_there_ends_in_one_line(tmp_path: Path) -> None:
    store = tmp_path / "nowhere.db"
    assert str(store) in mistake("report", "--store", store, "-o", tmp_path / "page.html")
    assert not store.exists()


def test_a_page_that_cannot_be_written_leaves_the_old_one(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")

    def full(path: Path, *_: object, **__: object) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device", str(page))

    monkeypatch.setattr(Path, "write_text", full)
    assert mistake("report", "--store", store, "-o", page) == f"{page}: No space left on device"
    assert page.read_bytes() == b"old"
    assert sorted(p.name for p in tmp_path.iterdir() if "page" in p.name) == ["page.html"]


def test_curves_of_losing_trials_are_not_kept() -> None:
    from graphrings.results.setting_curves import winner_only

    record = records(experiment(["MUTAG"], METHODS[:1], 1, 1))[0]
    kept = winner_only(replace(record, chosen=1))
    assert [trial.curve is None for trial in kept.trials] == [True, False, True]


@pytest.mark.slow
def test_no_torch_is_needed_to_write_a_page(store: Path, tmp_path: Path) -> None:
    words = ["report", "--store", str(store), "-o", str(tmp_path / "page.html")]
    code = (
        "import sys; from graphrings.cli.main import main; main(standalone_mode=False); "
        "assert 'matplotlib' in sys.modules; "
        "assert not {'torch', 'numba', 'matplotlib.pyplot'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True)
