import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cli.commands import mistake, output, run
from written import TU, Texts, write_folder, write_zip

COMMAND = [sys.executable, "-c", "from graphrings.cli.main import main; main()"]


def spawn(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``graphrings`` as a process of its own."""
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, env=os.environ | variables, check=False
    )


def test_the_version_is_told() -> None:
    assert output("--version") == "graphrings, version 0.2.0\n"


@pytest.mark.parametrize("verb", ["info", "audit", "rings", "fetch"])
def test_every_verb_explains_itself(verb: str) -> None:
    assert f"Usage: graphrings {verb}" in output(verb, "--help")
    assert f"\n  {verb} " in output("-h")


def test_help_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:], "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert "graphrings.cli.main" in imported
    assert not imported & {"numba", "numpy", "scipy", "torch", "pooch", "requests"}


def test_results_go_to_stdout_and_notes_to_stderr(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "X.zip", {"X.txt": "1\n2 0\n0 1 1\n0 0\n"})
    done = run("info", path, "--format", "csv")
    assert done.exit_code == 0
    assert done.stderr == "note: X: made 1 one-way edge two-way\n"
    assert done.stdout.startswith("name,graphs,")


def test_a_process_ends_with_status_two_and_one_line(tmp_path: Path) -> None:
    write_folder(tmp_path, TU | {"TINY_A.txt": "1, 2\n3, 4\n"})
    done = spawn("info", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"Error: {tmp_path}/TINY_A.txt:2: edge (3, 4) joins graph 1 to graph 2; "
        "an edge must stay inside one graph\n"
    )


def test_a_process_says_its_notes_in_one_line(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "X.zip", {"X.txt": "1\n2 0\n0 2 0 1\n0 1 0\n"})
    done = spawn("info", str(path), "--format", "json")
    assert (done.returncode, done.stderr) == (0, "note: X: dropped 1 self-loop\n")


@pytest.mark.parametrize(
    ("texts", "place", "message"),
    [
        (TU | {"TINY_A.txt": "1, 9\n"}, "/TINY_A.txt:1", "node 9; expected a number from 1 to 7"),
        (TU | {"TINY_graph_indicator.txt": ""}, "/TINY_graph_indicator.txt", "the file is empty"),
        (TU | {"TINY_node_labels.txt": "1\n"}, "/TINY_node_labels.txt", "1 lines for 7 nodes"),
        (
            TU | {"TINY_node_attributes.txt": "1\ninf\n"},
            "/TINY_node_attributes.txt:2",
            "found 'inf'; expected a finite number",
        ),
        ({"X/X_A.txt": "", "Y/Y_A.txt": ""}, "", "several datasets, X and Y; expected one"),
        (
            {"image.png": ""},
            "",
            "no dataset; looked for dataset.json beside arrays in an .npz file (graphrings); "
            "dataset.json beside arrays in a folder (mapped); "
            "NAME_A.txt and NAME_graph_indicator.txt in a folder or zip (TU); NAME.txt with the "
            "number of graphs in its first line (DGCNN text); .graphml files (GraphML); .gml files "
            "(GML); .json files (node-link JSON); .g6 files (graph6); edges.csv in a folder or zip "
            "(edge list CSV); a .csv, .tsv, .jsonl or .parquet file (SMILES table); an .xlsx file "
            "(Excel workbook); an .smi file (SMILES); an .sdf file (SDF)",
        ),
        ({"TINY.txt": "0\n"}, "/TINY.txt:1", "0 graphs; expected at least one"),
        (
            {"TINY.txt": "1\n1 0\nC 0\n"},
            "/TINY.txt:3",
            "found 'C 0'; expected integers: a tag, how many neighbours, and these",
        ),
    ],
)
def test_bad_files_end_in_one_line(tmp_path: Path, texts: Texts, place: str, message: str) -> None:
    path = write_zip(tmp_path / "data" / "TINY.zip", texts)
    for verb in ("info", "audit", "rings"):
        assert mistake(verb, path) == f"{path}{place}: {message}"
    assert list(path.parent.iterdir()) == [path]  # nothing else was left there


def test_a_cut_off_zip_ends_in_one_line(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU)
    path.write_bytes(path.read_bytes()[:200])
    assert mistake("info", path).startswith(f"{path}: not a zip archive, or one that was cut off")


def test_a_place_where_nothing_is_ends_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "nowhere"
    assert mistake("info", path) == f"{path}: no such file or folder"


def test_what_the_system_refuses_ends_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 300)
    assert mistake("info", path) == f"{path}: File name too long"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_ends_in_one_line(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU)
    path.chmod(0)
    assert mistake("info", path) == f"{path}: Permission denied"


def test_a_read_only_file_is_read(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "TINY.zip", TU)
    path.chmod(0o444)
    assert '"graphs": 3' in output("info", path, "--format", "json")


def test_a_file_with_a_line_end_in_its_name_ends_in_one_line(tmp_path: Path) -> None:
    assert "no such file" in mistake("info", tmp_path / "two\nlines")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["info"], "Missing argument 'DATASET...'. Try 'graphrings info --help'."),
        (["inform"], "No such command 'inform'."),
        (["--wrong"], "No such option"),
        (["info", "MUTAG", "--format", "xml"], "Invalid value for '--format': 'xml' is not one of"),
        (["info", "MUTAG", "--wrong"], "No such option"),
        (["info", "MU TAG"], "'MU TAG' is not a dataset name; did you mean 'MUTAG'?"),
    ],
)
def test_a_command_that_cannot_be_ends_in_one_line(words: list[str], told: str) -> None:
    assert mistake(*words).startswith(told)


def test_nothing_at_all_asks_for_help() -> None:
    done = run()
    assert done.output.startswith("Usage: graphrings")
    assert "\n  Predict classes or values" in done.output


def test_an_option_that_counts_once_is_not_given_twice() -> None:
    said = mistake("info", "MUTAG", "--format", "md", "--format", "csv")
    assert said == "--format is given 2 times. Try 'graphrings info --help'."


def test_an_option_that_may_be_repeated_may_be() -> None:
    said = mistake("run", "missing.toml", "--dataset", "A", "--dataset", "B")
    assert "missing.toml" in said
    assert "times" not in said


@pytest.mark.slow
def test_ctrl_c_while_loops_are_compiled_ends_quietly(tmp_path: Path) -> None:
    """The compiler runs in callbacks that would lose the exception and print a traceback."""
    process = subprocess.Popen(
        [*COMMAND, "rings", "MUTAG"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not any(tmp_path.iterdir()):  # it has begun to compile
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed = process.communicate(timeout=60)
    assert (process.returncode, *printed) == (130, "", "")


def test_a_dash_is_standard_output(tmp_path: Path) -> None:
    """What is said of it goes elsewhere, and no file of that name appears."""
    done = subprocess.run(
        [*COMMAND, "kernel", "MUTAG", "-o", "-"], capture_output=True, cwd=tmp_path, check=True
    )
    with np.load(io.BytesIO(done.stdout)) as file:
        assert file["gram"].shape == (188, 188)
    assert done.stderr == b"-: wl of 188 graphs of MUTAG\n"
    assert not any(tmp_path.iterdir())
