import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.commands import mistake
from graphrings.printable import one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("MUTAG", "MUTAG"),
        ("a\n b\tc", "a b c"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("right \u202e to left", "right \\u202e to left"),
        ("lost \udcff", "lost \\udcff"),
        ("größer als 数", "größer als 数"),
    ],
)
def test_what_a_terminal_gets(text: str, shown: str) -> None:
    assert one_line(text) == shown


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = one_line(text)
    assert shown.isprintable()
    shown.encode()


def test_a_mistake_names_a_strange_file_without_obeying_it() -> None:
    said = mistake("info", "./no\x1b[2Jsuch.zip")
    assert "\x1b" not in said
    assert "no\\x1b[2Jsuch.zip" in said
