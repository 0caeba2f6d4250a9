import csv
import io
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from rich.console import Console

from graphrings.report import sheets
from graphrings.report.contrasts import against
from graphrings.report.ranking import rank
from graphrings.report.rendering import (
    FORMATS,
    Line,
    Sheet,
    comma_separated,
    html,
    latex,
    markdown,
    terminal,
)
from graphrings.report.sheets import comparison_sheet
from graphrings.report.tables import compare
from graphrings.report.words import MINUS
from graphrings.results.record import Cell
from report.measured import asked, card, failure, records

ODD = 'a_<b> & "c"|d\n\\e [f]*'
HELD = {
    ("pgc-dgcnn", "MUTAG"): [[0.6, 0.8], [0.8, 1.0]],
    ("dgcnn", "MUTAG"): [[0.5, 0.6], [0.7, 0.8]],
    ("pgc-dgcnn", "X"): [[0.6, None], [None, None]],
}


def sheet(like: str | None = None) -> Sheet:
    both = card(datasets=("MUTAG", "X"))
    return comparison_sheet(
        compare(both, records(HELD), [failure("X", "pgc-dgcnn", 1, 0)], like=like)
    )


def odd() -> Sheet:
    mine = card((ODD, "dgcnn"), (ODD,))
    return comparison_sheet(compare(mine, records({(ODD, ODD): [[0.5, 0.5]] * 2})))


def shown(made: Sheet, width: int = 200, colours: bool = False) -> str:
    console = Console(width=width, file=io.StringIO(), force_terminal=colours, _environ={})
    console.print(terminal(made, width))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def texts(entry: tuple[Line, ...]) -> list[str]:
    return [line.text for line in entry]


def test_the_words_of_an_entry() -> None:
    first, second = sheet().rows
    assert texts(first[0]) == ["pgc-dgcnn", "PGC-DGCNN (r=2)"]
    assert texts(first[1]) == ["80.00±14.14 / 16.33", "paper 87.22±1.43", f"{MINUS}7.22"]
    assert texts(first[2]) == ["60.00", "(1/4 folds, 1 failed)"]
    assert texts(second[2]) == ["-", "(0/4 folds)"]
    assert [line.bold for line in first[1]] == [True, False, False]


def test_a_row_of_the_paper_alone() -> None:
    row = sheet("table2").rows[1]
    assert texts(row[0]) == ["RW"]
    assert texts(row[3]) == ["-", "paper > 3 days"]


def test_a_table_of_the_paper_says_where_its_rows_come_from() -> None:
    (note,) = (note for note in sheet("table3").notes if note.startswith("sources: "))
    assert "DCNN, DGCNN from Zhang et al., AAAI 2018 (10 repetitions" in note
    assert "ECC from the best result of Simonovsky and Komodakis, CVPR 2017, as copied" in note
    assert not any(note.startswith("sources: ") for note in sheet().notes)


def test_no_name_of_the_paper_without_numbers_of_the_paper() -> None:
    held = records({key: [[1.0, 1.0]] * 2 for key in HELD}, score="log_loss")
    loss = comparison_sheet(compare(card(), held, score="log_loss"))
    assert texts(loss.rows[0][0]) == ["pgc-dgcnn"]
    assert texts(loss.rows[0][1]) == ["1.000±0.000 / 0.000"]


def test_notes_say_what_the_numbers_mean() -> None:
    assert sheet().notes == (
        "mean over the test folds ± deviation over the means of complete repetitions / deviation "
        "over all folds; bold: the best of a dataset among the methods that have completed it",
        "stratified folds: 2 repetitions of 2",
        "paper: as published; below it ours minus the paper's",
        "incomplete: pgc-dgcnn on X (1/4 folds, 1 failed); dgcnn on X (0/4 folds)",
    )


def test_notes_of_one_repetition_and_of_graphs_never_tested() -> None:
    made = comparison_sheet(compare(card(("wl",), ("X",), 1, untested=8), []))
    assert made.notes[0].startswith("mean over the test folds / deviation over all folds")
    assert made.notes[1] == "stratified folds: 1 repetition of 2"
    assert made.notes[2].startswith("one repetition: ")
    assert made.notes[3] == "graphs that no test fold holds: 8 of X"


@pytest.mark.parametrize(
    ("folds", "meaning"),
    [
        ("grouped", "graphs that the audit cannot tell apart stay on one side of every split"),
        ("scaffold", "molecules with the same Bemis-Murcko scaffold, or without rings the same"),
        ("own:0a1b2c3d4e5f", "drawn elsewhere and named by a hash of which graph is in which"),
    ],
)
def test_notes_say_what_unusual_folds_ask_for(folds: str, meaning: str) -> None:
    note = comparison_sheet(compare(replace(card(), folds=folds), [])).notes[1]
    assert note.startswith(f"{folds} folds: 2 repetitions of 2; {meaning}")


def test_markdown() -> None:
    lines = markdown(sheet()).splitlines()
    entries = [[entry.strip() for entry in line.strip("|").split("|")] for line in lines[:4]]
    assert entries[0] == ["Method", "MUTAG", "X"]
    assert entries[2] == [
        "pgc-dgcnn<br>PGC-DGCNN (r=2)",
        f"**80.00±14.14 / 16.33**<br>paper 87.22±1.43<br>{MINUS}7.22",
        "60.00<br>(1/4 folds, 1 failed)",
    ]
    assert lines[5].startswith("- mean over the test folds ±")


def test_markdown_of_an_odd_name() -> None:
    assert '| a_&lt;b> &amp; "c"\\|d \\\\e \\[f\\]\\* |' in markdown(odd())


def test_latex() -> None:
    made = latex(sheet())
    assert r"\begin{tabular}{lrr}" in made
    assert r"\toprule" in made
    assert r"{\textbf{80.00$\pm$14.14 / 16.33}\\paper 87.22$\pm$1.43\\$-$7.22}" in made
    assert made.count("&") == 2 * 3  # two in the head and in either row


def test_latex_of_an_odd_name() -> None:
    escaped = (
        r"a\_\textless{}b\textgreater{} \& \textquotedbl{}c\textquotedbl{}\textbar{}d "
        r"\textbackslash{}e {[}f]{*}"
    )
    assert f"\n{escaped} & " in latex(odd())


def test_csv_has_every_digit_and_nothing_for_what_is_not_known() -> None:
    rows = list(csv.DictReader(io.StringIO(comma_separated(sheet("table2")))))
    assert len(rows) == 6 * 5
    mine = next(row for row in rows if (row["method"], row["dataset"]) == ("pgc-dgcnn", "MUTAG"))
    assert float(mine["deviation_over_repetitions"]) == pytest.approx(200**0.5, abs=1e-12)
    assert (mine["published_mean"], mine["published_deviation"]) == ("87.22", "1.43")
    assert (mine["folds"], mine["folds_expected"], mine["best"]) == ("4", "4", "1")
    walk = next(row for row in rows if (row["published_row"], row["dataset"]) == ("RW", "DD"))
    assert (walk["method"], walk["mean"], walk["published_mean"]) == ("", "", "")
    assert walk["published_note"] == "> 3 days"


def test_csv_of_an_odd_name() -> None:
    rows = list(csv.DictReader(io.StringIO(comma_separated(odd()), newline="")))
    assert [row["method"] for row in rows] == [ODD, "dgcnn"]


class Tags(HTMLParser):
    """The tags and the words of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag, and a span by what it holds."""
        self.tags.append(tag if tag != "span" else f"span.{dict(attrs)['class']}")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """What was opened last is closed first."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self.words.append(data)


def test_html_is_well_formed_and_says_what_entries_hold() -> None:
    page = Tags(html(sheet()))
    assert page.open == []
    assert page.tags.count("th") == 3 + 2
    assert page.tags.count("strong") == 1
    assert {"span.measured", "span.published", "span.difference", "span.incomplete"} < set(
        page.tags
    )


def test_html_of_an_odd_name() -> None:
    page = Tags(html(odd()))
    assert "b" not in page.tags
    assert 'a_<b> & "c"|d \\e [f]*' in page.words


def test_the_terminal_shows_the_best_in_bold() -> None:
    lines = shown(sheet(), colours=True).splitlines()
    assert any("\x1b[1m80.00±14.14 / 16.33\x1b[0m" in line for line in lines)


def test_a_narrow_terminal_gets_several_tables() -> None:
    text = shown(sheet("table2"), width=66)
    assert text.count("Method") == 3
    assert "81.39±1.74" in text
    assert all(len(line) <= 66 for line in text.splitlines())
    assert shown(sheet("table2")).count("Method") == 1


def test_an_odd_name_on_the_terminal_is_not_markup() -> None:
    assert 'a_<b> & "c"|d \\e [f]*' in shown(odd())


def test_contrasts_in_words() -> None:
    held = {
        ("pgc-dgcnn", "MUTAG"): [[0.9, 0.8], [0.7, 0.9]],
        ("dgcnn", "MUTAG"): [[0.8, 0.8], [0.8, 0.6]],
        ("pgc-dgcnn", "X"): [[0.9]],
    }
    made = sheets.contrast_sheet(against(card(datasets=("MUTAG", "X")), records(held), "dgcnn"))
    assert made.caption == "trial: test accuracy minus that of dgcnn, percentage points"
    assert texts(made.rows[0][1]) == ["+7.50", f"{MINUS}25.78 to +40.78", "p 0.525"]
    assert texts(made.rows[0][2]) == ["-"]
    assert made.notes[-1] == "nothing to test, no fold is there for both: pgc-dgcnn on X"
    assert made.raw[0]["folds"] == 4


def test_a_clear_difference_is_bold() -> None:
    held = {
        ("pgc-dgcnn", "MUTAG"): [[0.90, 0.91], [0.92, 0.90]],
        ("dgcnn", "MUTAG"): [[0.5, 0.5], [0.5, 0.5]],
    }
    made = sheets.contrast_sheet(against(card(), records(held), "dgcnn"))
    assert made.rows[0][1][0].bold
    assert made.rows[0][1][-1].text == "p < 0.001"


def test_ranks_in_words() -> None:
    held = records({(name, "MUTAG"): [[s, s]] * 2 for name, s in (("dgcnn", 0.9), ("wl", 0.5))})
    ranking = rank(compare(card(("wl", "dgcnn")), held))
    made = sheets.ranking_sheet(ranking)
    assert made.headings == (
        *("Method", "Average rank", "p against the best", "MUTAG"),
        "Not told apart from",
    )
    assert [[line.text for line, *_ in row] for row in made.rows] == [
        ["dgcnn", "1.00", "-", "1", "wl"],
        ["wl", "2.00", "1.000", "2", "dgcnn"],
    ]
    assert [row[1][0].bold for row in made.rows] == [True, False]
    assert made.raw[1] == {"method": "wl", "average_rank": 2.0, "p_holm": 1.0, "rank_MUTAG": 2.0}


@pytest.mark.parametrize("style", FORMATS)
def test_nothing_to_rank_renders(style: str) -> None:
    made = sheets.ranking_sheet(rank(compare(card(), [])))
    assert "nothing to rank" in FORMATS[style](made) or style == "csv"
    assert "Method" in shown(made)


def test_an_exact_test_over_graphs_has_its_line_and_note() -> None:
    held = [
        asked(Cell("MUTAG", name, 0, fold), [0] * 5, [wrong] * 5, first=5 * fold)
        for name, wrong in (("pgc-dgcnn", 0), ("dgcnn", 1))
        for fold in (0, 1)
    ]
    made = sheets.contrast_sheet(against(card(repetitions=1), held, "dgcnn"))
    assert texts(made.rows[0][1])[-1] == "exact p 0.002"  # 2 / 2^10
    assert any(note.startswith("exact p: sign test of who is nearer") for note in made.notes)
    row = made.raw[0]
    assert (row["graphs_better"], row["graphs_worse"], row["exact_repetitions"]) == (10, 0, 1)


def test_errors_of_any_size_keep_their_digits() -> None:
    held = {("a", "small"): [[0.00031, 0.00033]], ("a", "large"): [[12345.0, 12355.0]]}
    values = card(("a",), ("small", "large"), 1, task="regression")
    made = comparison_sheet(compare(values, records(held, score="rmse")))
    assert made.caption == "trial: test RMSE, lower is better"
    assert [texts(entry) for entry in made.rows[0][1:]] == [["0.000320 / 0.000014"], ["12350 / 7"]]


def test_scores_that_were_not_kept_are_noted() -> None:
    made = comparison_sheet(compare(card(), records(HELD), score="mcc"))
    assert made.notes[-1] == (
        "8 cells keep neither MCC nor the predictions that it could be computed from"
    )


def narrow(name: str, *keys: str) -> Sheet:
    """A sheet that wraps: words at the left, then two numbers."""
    words = (*keys, "words that may be broken")
    headings = ("Dataset", *("Row",) * len(keys), "What it is", "Long\nnumber", "Share")
    row = tuple((Line(text),) for text in (name, *words, "1,234,567", "12.5 %"))
    left = tuple(range(len(words) + 1))
    return Sheet("rows", "", headings, (row, row), left=left, wraps=True, whole=(0,))


@pytest.mark.parametrize("width", [24, 34, 46, 50, 80])
@pytest.mark.parametrize("name", ["PTC", "IMDB-BINARY", 70 * "x"])
def test_words_are_broken_where_a_terminal_is_narrow_and_numbers_never_are(
    name: str, width: int
) -> None:
    told = shown(narrow(name), width)
    assert max(len(line.rstrip()) for line in told.splitlines()) <= width
    assert told.count("1,234,567") == told.count("12.5 %") == 2


def test_words_have_the_room_that_there_is() -> None:
    assert "words that may be broken" in shown(narrow("PTC"), 80)
    told = shown(narrow("IMDB-BINARY"), 46)
    assert "words that" in told
    assert told.count("IMDB-BINARY") == 2  # one table


def test_a_second_table_says_again_what_its_rows_are_about() -> None:
    told = shown(narrow("IMDB-BINARY", "pgc-dgcnn-released"), 60)
    assert told.count("12.5 %") == 2
    assert told.count("IMDB-BINARY") == told.count("pgc-dgcnn-released") == 4
