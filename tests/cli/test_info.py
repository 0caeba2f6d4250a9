import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import graphrings as gr
from cli.commands import mistake, output
from graphrings.graphs.dataset import Dataset
from written import DGCNN, TU, write_folder, write_zip


def test_a_table_for_people() -> None:
    lines = output("info", "MUTAG").splitlines()
    row = next(line for line in lines if "MUTAG" in line)
    assert " ".join(row.split()) == "MUTAG 188 28 17.93 19.79 2 34 / 66 7 0"


def test_markdown_rows_of_several_datasets(tmp_path: Path) -> None:
    path = write_folder(tmp_path / "TINY", DGCNN)
    lines = output("info", "MUTAG", path, "--format", "md").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0][:4] == ["Dataset", "Graphs", "Nodes max", "Nodes avg"]
    assert set("".join(cells[1])) == {"-", ":"}
    assert cells[2] == ["MUTAG", "188", "28", "17.93", "19.79", "2", "34 / 66", "7", "0"]
    assert cells[3] == ["TINY", "3", "3", "2.33", "1.33", "2", "33 / 67", "3", "2"]


def test_values_are_shown_by_their_range(tmp_path: Path) -> None:
    gr.write(gr.from_edges([[(0, 1)]] * 3, [0.5, -1, 2], name="V"), tmp_path / "V.npz")
    alone = output("info", tmp_path / "V.npz", "--format", "md")
    assert "-1 to 2, median 0.5" in alone
    assert "Classes" not in alone
    both = output("info", tmp_path / "V.npz", "MUTAG", "--format", "md")
    assert "| Classes | Balance % |" in both
    assert "-1 to 2, median 0.5" in both
    rows = json.loads(output("info", tmp_path / "V.npz", "--format", "json"))
    assert (rows[0]["target_min"], rows[0]["target_max"]) == (-1, 2)


def test_classes_that_have_names_are_shown_by_them(tmp_path: Path) -> None:
    graphs = gr.from_edges([[(0, 1)]] * 4, ["yes", "no", "yes", "yes"], name="N")
    gr.write(graphs, tmp_path / "N.npz")
    assert "| no 25 / yes 75 |" in output("info", tmp_path / "N.npz", "--format", "md")


def test_of_many_classes_the_largest_are_shown(tmp_path: Path) -> None:
    names = [name for count, name in enumerate("ABCDEFGHIJ", start=1) for _ in range(count)]
    gr.write(gr.from_edges([[(0, 1)]] * 55, names, name="N"), tmp_path / "N.npz")
    told = output("info", tmp_path / "N.npz", "--format", "md")
    assert "| C 5 / D 7 / E 9 / F 11 / G 13 / H 15 / I 16 / J 18 / and 2 more |" in told
    rows = json.loads(output("info", tmp_path / "N.npz", "--format", "json"))
    assert len(rows[0]["class_sizes"]) == 10


def test_graphs_without_targets_are_shown_too(tmp_path: Path) -> None:
    gr.write(gr.from_edges([[(0, 1)]], name="N"), tmp_path / "N.npz")
    assert json.loads(output("info", tmp_path / "N.npz", "--format", "json"))[0]["targets"] is None


def test_csv_can_be_read_back() -> None:
    rows = list(csv.DictReader(io.StringIO(output("info", "mutag", "--format", "csv"))))
    assert len(rows) == 1
    assert float(rows[0]["nodes_avg"]) == 3371 / 188
    assert json.loads(rows[0]["class_sizes"]) == {"-1": 63, "1": 125}


def test_json_can_be_read_back() -> None:
    rows = json.loads(output("info", "MUTAG", "--format", "json"))
    assert rows[0]["fingerprint"] == gr.load("MUTAG").fingerprint
    assert (rows[0]["graphs"], rows[0]["class_sizes"]) == (188, {"-1": 63, "1": 125})


@pytest.mark.parametrize("style", ["table", "md", "csv", "json"])
def test_classes_may_be_called_by_tuples(tmp_path: Path, style: str) -> None:
    path = write_zip(tmp_path / "X.zip", TU | {"TINY_graph_labels.txt": "0, 1\n1, 0\n0, 1\n"})
    printed = output("info", path, "--format", style)
    assert "(0, 1)" in printed if style in ("csv", "json") else "67 / 33" in printed


def test_a_name_is_looked_up_in_the_root(tmp_path: Path) -> None:
    write_zip(tmp_path / "data" / "TINY.zip", TU)
    rows = json.loads(output("info", "TINY", "--root", tmp_path / "data", "--format", "json"))
    assert rows[0]["graphs"] == 3


def test_one_mistake_prints_no_results(tmp_path: Path) -> None:
    assert "no such file or folder" in mistake("info", "MUTAG", tmp_path / "nowhere")


def test_a_wrong_content_under_a_known_name_is_a_mistake(tmp_path: Path) -> None:
    write_zip(tmp_path / "NCI1.zip", TU)
    assert "not the NCI1 that everyone means" in mistake("info", "NCI1", "--root", tmp_path)


@pytest.mark.slow
def test_the_table_of_the_paper_comes_out(
    paper_set: Callable[[str], Dataset], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table I: the largest and the average number of nodes, and the graphs."""
    monkeypatch.setattr("graphrings.graphs.load.load", lambda name, _: paper_set(name))
    names = ["MUTAG", "PTC", "NCI1", "PROTEINS", "DD", "COLLAB", "IMDB-B", "IMDB-M"]
    lines = output("info", *names, "--format", "md").splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [(row[2], row[3], row[1]) for row in rows] == [
        ("28", "17.93", "188"),
        ("109", "25.56", "344"),
        ("111", "29.87", "4,110"),
        ("620", "39.06", "1,113"),
        ("5,748", "284.32", "1,178"),
        ("492", "74.49", "5,000"),
        ("136", "19.77", "1,000"),
        ("89", "13.00", "1,500"),
    ]


def test_the_card_of_a_model_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "model"
    gr.BaselineClassifier(C=0.5).fit(gr.load("MUTAG")).save(path, {"nested": ["Good.", "Enough."]})
    told = output("info", path, "--format", "csv")
    assert told.startswith("what,said\nmethod,baseline-labels\n")
    assert "settings C,0.5\n" in told
    assert "nested,Good. Enough.\n" in told
    assert json.loads(output("info", path, "--format", "json"))["data"]["graphs"] == 188
    both = output("info", path, "MUTAG")
    assert "baseline-labels" in both
    assert "Isolated" in both


def test_a_model_that_is_none_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    assert mistake("info", path) == f"{path}: no such file"
    path.write_text("no model")
    assert mistake("info", path).startswith(f"{path}: not a model, or a damaged one")
