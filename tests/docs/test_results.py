"""Tables of results, held against means that are computed here from the lines of the exports."""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import graphrings as gr
from graphrings.report.brief import NEVER_RUN
from making.results import EXPORTS, ROOT, TABLE, with_tables

PAGES = [ROOT / "docs" / name for name in ("results.md", "filter-size.md")]
ENTRY = re.compile(r"(\d+\.\d)(?:±(\d+\.\d))?(\\\*)?")
Scores = dict[tuple[str, str], dict[tuple[int, int], float]]


@cache
def exported(name: str) -> tuple[Scores, int, int]:
    """Test accuracies by row, dataset, repetition and fold; repetitions and folds of the whole."""
    scores: Scores = defaultdict(dict)
    n_repetitions = n_folds = 0
    for path in EXPORTS.rglob("*.gz"):
        if name not in (path.name.partition(".")[0], path.parent.name):
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for fields in map(json.loads, lines):
                if fields["kind"] == "experiment":
                    n_repetitions = max(n_repetitions, fields["repetitions"])
                    n_folds = fields["n_folds"]
                elif fields["kind"] == "finished":
                    cell = fields["repetition"], fields["fold"]
                    scores[fields["method"], fields["dataset"]][cell] = fields["scores"]["accuracy"]
    return scores, n_repetitions, n_folds


def entries(page: Path) -> Iterator[tuple[str, str, str, str]]:
    """Export, row, dataset and what a page shows of them, for all tables that commands print."""
    for command, table in TABLE.findall(page.read_text(encoding="utf-8")):
        (name,) = re.findall(r"--store build/results/(\w+)\.db", command)
        head, _, *rows = (line[1:-1].split("|") for line in table.splitlines())
        for row in rows:
            for dataset, entry in zip(head[1:], row[1:], strict=True):
                yield name, row[0].strip(), dataset.strip(), entry.strip().replace("**", "")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tables_of_results_say_what_the_exports_hold(page: Path) -> None:
    shown = list(entries(page))
    assert len(shown) > 100
    for place in shown:
        name, method, dataset, entry = place
        cells, n_repetitions, n_folds = exported(name)
        found = ENTRY.match(entry)
        accuracies = cells.get((method, dataset), {})
        if found is None:
            assert (entry[:1], len(accuracies)) == (NEVER_RUN, 0), place
            continue
        mean = 100 * np.mean(list(accuracies.values()))
        assert float(found[1]) == pytest.approx(mean, abs=0.0501), place
        whole = [
            np.mean([accuracies[repetition, fold] for fold in range(1, n_folds + 1)])
            for repetition in range(1, n_repetitions + 1)
            if all((repetition, fold) in accuracies for fold in range(1, n_folds + 1))
        ]
        assert bool(found[3]) == (len(accuracies) < n_repetitions * n_folds), place
        assert bool(found[2]) == (len(whole) > 1), place
        if found[2]:
            assert float(found[2]) == pytest.approx(100 * np.std(whole, ddof=1), abs=0.0501), place


@pytest.mark.slow
def test_a_table_is_replaced_by_what_its_command_prints(tmp_path: Path) -> None:
    """What the command has to say besides does not join the page."""
    store = tmp_path / "demo.db"
    gr.run(gr.experiment("MUTAG", {"baseline-labels": None}, n_folds=3), store, jobs=0)
    command = f"graphrings table --store {store} --brief --format md"
    page = f"Before.\n\n<!-- {command} -->\n\n| a |\n\nBehind.\n"
    head, _, table = with_tables(page).partition(" -->\n\n")
    assert head.startswith("Before.\n\n<!-- graphrings table")
    assert re.fullmatch(r"\| Method .*\n\| -.*\n\| baseline-labels .*\n\nBehind.\n", table)
