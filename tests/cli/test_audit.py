import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import graphrings as gr
from cli.commands import mistake, output
from written import DGCNN, FOLDS, TU, write_zip

TWINS = {"T.txt": "3\n2 0\n0 1 1\n0 1 0\n2 1\n0 1 1\n0 1 0\n1 0\n0 0\n"}  # two edges and a node


def test_twins_of_different_classes_are_told(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "T.zip", TWINS)
    row = json.loads(output("audit", path, "--format", "json"))[0]
    assert (row["n_graphs"], row["n_distinct"], row["n_with_twin"]) == (3, 2, 2)
    assert (row["n_conflicting"], row["ceiling"], row["twin_share"]) == (
        1,
        pytest.approx(2 / 3),
        None,
    )


def test_folds_tell_the_share_of_twins_in_training(tmp_path: Path) -> None:
    """Both folds test what the other trains on; graphs 0 and 1 are twins and are kept together."""
    path = write_zip(tmp_path / "T.zip", TWINS | FOLDS)
    row = json.loads(output("audit", path, "--format", "json"))[0]
    assert (row["n_folds"], row["n_untested"], row["twin_share"]) == (2, 0, 0)


@pytest.mark.parametrize("style", ["table", "md"])
def test_people_read_percentages(tmp_path: Path, style: str) -> None:
    path = write_zip(tmp_path / "T.zip", TWINS)
    printed = output("audit", path, "--format", style)
    assert "66.7%" in printed
    assert ("Twins by colours of radius 3 after 5 rounds" in printed) == (style == "table")


def test_values_have_an_rmse_for_a_ceiling(tmp_path: Path) -> None:
    twins = gr.from_edges([[(0, 1)], [(0, 1)], [(0, 1), (1, 2)]], [0.5, 1.5, 7], name="V")
    gr.write(twins, tmp_path / "V.npz")
    printed = output("audit", "MUTAG", tmp_path / "V.npz", "--format", "md")
    assert "100.0%" in printed
    assert "RMSE 0.4082" in printed  # the root of 2 / 3 times 0.5 squared
    rows = json.loads(output("audit", tmp_path / "V.npz", "--format", "json"))
    assert (rows[0]["task"], rows[0]["n_conflicting"]) == ("regression", 1)
    assert rows[0]["ceiling"] == pytest.approx(np.sqrt(1 / 6))


def test_graphs_without_targets_have_no_ceiling(tmp_path: Path) -> None:
    gr.write(gr.from_edges([[(0, 1)]], name="N"), tmp_path / "N.npz")
    assert json.loads(output("audit", tmp_path / "N.npz", "--format", "json"))[0]["ceiling"] is None
    assert "N" in output("audit", tmp_path / "N.npz")


def test_csv_can_be_read_back(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", DGCNN)
    words = ("--radius", 2, "--rounds", 1, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(output("audit", path, "MUTAG", *words))))
    assert [row["name"] for row in rows] == ["TINY", "MUTAG"]
    assert {(row["radius"], row["rounds"]) for row in rows} == {("2", "1")}
    assert rows[0]["n_distinct"] == "3"


def test_rounds_and_radius_must_not_be_negative(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU)
    assert mistake("audit", path, "--rounds", -1).startswith("-1 rounds of refinement")
    assert "-1" in mistake("audit", path, "--radius", -1)
