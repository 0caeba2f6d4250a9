from graphrings.report.brief import brief_sheet
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
        ["dgcnn", "– (85.8)", "50.0±0.0 (58.6)"]
    ]
    assert sheet.notes[-1] == "rows of which nothing was run are left out: pgc-dgcnn"
