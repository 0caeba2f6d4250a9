from dataclasses import replace

from graphrings.report.brief import brief_sheet
from graphrings.report.sheets import comparison_sheet
from graphrings.report.tables import compare
from report.measured import card, records

OURS = ("pgc-dgcnn", "MUTAG")
OTHER = ("dgcnn", "MUTAG")


def test_one_line_an_entry_with_the_papers_mean() -> None:
    """Repetitions of means 70 and 90; the other row has one of its two repetitions."""
    held = records({OURS: [[0.6, 0.8], [0.8, 1.0]], OTHER: [[0.85, 0.85]]})
    sheet = brief_sheet(compare(card(), held, like="table2"))
    rows = {row[0][0].text: row[1][0].text for row in sheet.rows}
    assert rows == {"pgc-dgcnn": "80.0±14.1 (87.2)", "dgcnn": "85.0* (85.8)"}
    assert "*: only 2 of the folds" in sheet.notes


def test_rows_that_were_never_run_are_named_below() -> None:
    held = records({("dgcnn", "PTC"): [[0.5, 0.5]] * 2})
    sheet = brief_sheet(compare(card(datasets=("MUTAG", "PTC")), held))
    assert [[line.text for line, *_ in row] for row in sheet.rows] == [
        ["dgcnn", "\N{EN DASH} (85.8)", "50.0±0.0 (58.6)"]
    ]
    assert sheet.notes[-1] == "rows of which nothing was run are left out: pgc-dgcnn"


def test_kinds_of_processors_are_named_where_there_are_several() -> None:
    one, other = records({OURS: [[0.5, 0.5]]})
    kinds = [replace(one, versions={"processor": "A"}), replace(other, versions={"processor": "B"})]
    told = "run on 2 kinds of processors, which round differently"
    for sheet in (brief_sheet, comparison_sheet):
        assert any(note.startswith(told) for note in sheet(compare(card(), kinds)).notes)
        assert not any(note.startswith("run on") for note in sheet(compare(card(), [one])).notes)
