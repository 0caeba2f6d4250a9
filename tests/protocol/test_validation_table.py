import numpy as np
import pytest

from graphrings.protocol.experiment import Experiment, grid_points
from graphrings.protocol.prepare import prepare
from graphrings.report.brief import brief_sheet
from graphrings.report.sheets import comparison_sheet
from graphrings.report.tables import compare
from graphrings.results.record import Record


def test_a_table_of_the_validation_folds(tiny: Experiment, expected: list[Record]) -> None:
    """The winners' accuracies there, which the trials hold too, and the caption says it."""
    card = prepare(tiny, list(tiny.cells())[:1]).card
    comparison = compare(card, expected, fold="validation")
    for row in comparison.rows:
        own = [record for record in expected if record.cell.method == row.method]
        shares = [100 * record.trials[record.chosen].scores["accuracy"] for record in own]
        assert row.entries[0].mean == pytest.approx(np.mean(shares))
        assert row.entries[0].published is None
    sheet = comparison_sheet(comparison)
    assert sheet.caption.startswith("tiny: validation accuracy")
    assert sheet.notes[0].startswith("mean over the validation folds")
    (hopeful,) = (note for note in sheet.notes if "these very folds" in note)
    tried = {row.name: len(grid_points(row)) for row in card.methods}
    assert all((f"{name} ({n})" in hopeful) == (n > 1) for name, n in tried.items())
    assert hopeful in brief_sheet(comparison).notes
    test = comparison_sheet(compare(card, expected))
    assert not any("these very folds" in note for note in test.notes)
