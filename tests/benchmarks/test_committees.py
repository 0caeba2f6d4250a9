from typing import Any

import numpy as np
import pytest
from benchmarks.committees import Rows, entry, together

import graphrings as gr

FOREST = {"method": "ring-forest", "settings": {"n_trees": 10, "radius": 1}, "grid": {}}
WL = {"method": "wl", "settings": {"height": 1}, "grid": {"C": [1.0, 10.0]}}


@pytest.fixture(scope="module")
def rows() -> Rows:
    methods: dict[str, Any] = {"forest": FOREST, "wl": WL}
    experiment = gr.experiment("MUTAG", methods, n_folds=3, repetitions=1)
    found: dict[str, dict[tuple[int, int], Any]] = {name: {} for name in methods}
    for record in gr.run(experiment, jobs=0).records:
        found[record.cell.method][record.cell.repetition, record.cell.fold] = record
    return found


@pytest.mark.parametrize("row", ["forest", "wl"])
def test_a_row_alone_is_as_right_as_its_cells_are(rows: Rows, row: str) -> None:
    """With probabilities or with margins: a temperature changes no class."""
    cells = rows[row].values()
    sizes = [record.n_test for record in cells]
    accuracy = np.average([record.scores["accuracy"] for record in cells], weights=sizes)
    alone = together(rows, [row], None)
    assert alone is not None
    assert alone[0] == pytest.approx(100 * accuracy)
    assert together(rows, [row, row], 2.5) == pytest.approx(alone)


def test_a_dataset_without_a_row_has_no_entry(rows: Rows) -> None:
    assert entry(rows, ["forest", "gin"], [2.5]) == ""
    two_ways = entry(rows, ["forest", "wl"], [2.5])  # 62 graphs validate: enough for weights
    assert two_ways.count(";") == 1


def test_weights_that_must_be_better_by_more_are_equal(rows: Rows) -> None:
    equal, always, never = (
        together(rows, ["forest", "wl"], clearly) for clearly in (None, -1e9, 1e9)
    )
    assert equal == never != always
