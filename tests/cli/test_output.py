import json

import pytest

from graphrings.cli.output import Column, show

COLUMNS = (Column("name", "Dataset", left=True), Column("share", "Share\nof all", ".1%"))
ROWS = [{"name": "a|b", "share": 0.25, "more": {1: 2}}, {"name": "c", "share": None, "more": {}}]


def test_an_entry_is_what_people_read() -> None:
    assert Column("n", "N", ",").show(1234567) == "1,234,567"
    assert Column("n", "N", ",").show(None) == "-"
    assert Column("sizes", "Sizes").show({"a": 1, "b": 2}) == "a 33 / b 67"
    assert Column("sizes", "Sizes").show({0: 1, 1: 2}) == "33 / 67"
    assert Column("sizes", "Sizes").show({}) == "-"


def test_markdown_is_aligned_and_escapes_bars(capsys: pytest.CaptureFixture[str]) -> None:
    show(ROWS, COLUMNS, "md")
    assert capsys.readouterr().out.splitlines() == [
        "| Dataset | Share of all |",
        "| ------- | -----------: |",
        "| a\\|b    |        25.0% |",
        "| c       |            - |",
    ]


def test_csv_keeps_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    show(ROWS, COLUMNS, "csv")
    expected = 'name,share,more\na|b,0.25,"{""1"": 2}"\nc,,{}\n'
    assert capsys.readouterr().out == expected


def test_csv_asks_for_no_column(capsys: pytest.CaptureFixture[str]) -> None:
    show([{"other": 1}], COLUMNS, "csv")
    assert capsys.readouterr().out == "other\n1\n"


def test_a_table_without_rows_has_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    show([], COLUMNS, "md")
    assert capsys.readouterr().out.splitlines()[0] == "| Dataset | Share of all |"
    show([], COLUMNS, "table")
    assert "Share" in capsys.readouterr().out
    show([], COLUMNS, "csv")
    assert capsys.readouterr().out == ""


def test_json_keeps_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    show(ROWS, COLUMNS, "json")
    assert json.loads(capsys.readouterr().out)[0] == {
        "name": "a|b",
        "share": 0.25,
        "more": {"1": 2},
    }


def test_a_table_takes_names_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    show([{"name": "[bold]x", "share": 1}], COLUMNS, "table", "A title")
    told = capsys.readouterr().out
    assert "[bold]x" in told
    assert "A title" in told
