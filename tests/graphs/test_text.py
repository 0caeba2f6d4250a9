import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphrings import limits
from graphrings.errors import DatasetError, MemoryLimitError
from graphrings.graphs.formats.dgcnn_text import read_dgcnn_text
from graphrings.graphs.text import float_table, integer_table, is_finite, quoted, scanned_table

tables = st.integers(1, 3).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(-(10**17), 10**17), min_size=columns, max_size=columns), min_size=1
    )
)


@given(tables, st.sampled_from([",", ", ", " ,\t"]), st.sampled_from(["\n", "\r\n"]))
def test_integers_come_back_as_they_were_written(
    table: list[list[int]], comma: str, line_end: str
) -> None:
    text = line_end.join(comma.join(map(str, row)) for row in table)
    for tail in ("", line_end, 3 * line_end):
        assert integer_table((text + tail).encode(), "here").tolist() == table


def outcome(parse: Callable[..., NDArray[np.int64]], *arguments: object) -> object:
    """A table, or the mistake."""
    try:
        return parse(*arguments).tolist()
    except DatasetError as error:
        return str(error)


@given(st.text("01-+, \t\r\n", min_size=1).map(str.encode), st.integers(1, 2))
def test_short_texts_are_read_as_long_ones_are(text: bytes, columns: int) -> None:
    """What is plain enough to be read without the compiler, and what only looks like it."""
    expected = "here: the file is empty"
    if text.strip():
        expected = outcome(scanned_table, text, "here", columns)
    assert outcome(integer_table, text, "here", columns) == expected


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_floats_come_back_as_they_were_written(column: list[float]) -> None:
    text = "".join(f"{x!r}, {-x!r}\r\n" for x in column)
    assert float_table(text.encode(), "here").tolist() == [[x, -x] for x in column]


def test_a_byte_order_mark_is_not_a_number_but_does_no_harm() -> None:
    assert integer_table(b"\xef\xbb\xbf1\n2\n", "here").tolist() == [[1], [2]]
    assert float_table(b"\xef\xbb\xbf.5\n2\n\n", "here").tolist() == [[0.5], [2]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"1\n1.5\n", "here:2: found '1.5'; expected an integer"),
        (b"1\n\n2\n", "here:2: found an empty line; expected an integer"),
        (b"1\n2,3\n", "here:2: found '2,3'; expected an integer"),
        (b"1,2\n3\n", "here:2: found '3'; expected 2 integers separated by commas"),
        (b"1,2\n3,\n", "here:2: found '3,'; expected 2 integers separated by commas"),
        (b"1\n1-2\n", "here:2: found '1-2'; expected an integer"),
        (b"1\n" + 19 * b"9", f"here:2: found '{19 * '9'}'; expected an integer"),
        (b"\xff\n", "here:1: found '\ufffd'; expected an integer"),
        (b" \r\n\n", "here: the file is empty"),
        (b"\xef\xbb\xbf", "here: the file is empty"),
    ],
)
def test_what_is_no_table_of_integers_is_named_with_its_line(text: bytes, message: str) -> None:
    with pytest.raises(DatasetError) as error:
        integer_table(text, "here")
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"1\nx\n", "here:2: found 'x'; expected a finite number"),
        (b"1\n\n2\n", "here:2: found an empty line; expected a finite number"),
        (b"1,2\n3\n", "here:2: found '3', a row of 1; the rows above have 2"),
        (b"1,2\n3,\n", "here:2: found '3,'; expected 2 finite numbers"),
        (b"1\nnan\n", "here:2: found 'nan'; expected a finite number"),
        (b"1\n1e999\n", "here:2: found '1e999'; expected a finite number"),
        (b"1_0\n", "here:1: found '1_0'; expected a finite number"),
        (b"\n", "here: the file is empty"),
    ],
)
def test_what_is_no_table_of_numbers_is_named_with_its_line(text: bytes, message: str) -> None:
    with pytest.raises(DatasetError) as error:
        float_table(text, "here")
    assert str(error.value) == message


def test_a_mistake_in_the_last_of_many_lines_is_found_quickly() -> None:
    text, start = 30_000 * b"1.5\n" + b"oops\n", time.process_time()
    with pytest.raises(DatasetError, match="here:30001: found 'oops'"):
        float_table(text, "here")
    assert time.process_time() - start < 2


def test_a_first_line_of_many_columns_claims_no_memory_for_short_ones() -> None:
    """A million columns times two million lines would be sixteen terabytes."""
    text = 1_000_000 * b"," + 2_000_000 * b"\n1"
    with pytest.raises(DatasetError, match=r"here:1: 1,000,001 columns; expected at most"):
        integer_table(text, "here")


@given(st.binary(max_size=12))
def test_any_bytes_are_a_table_or_a_mistake(text: bytes) -> None:
    for parse in (integer_table, float_table):
        line = "here:"
        try:
            assert np.isfinite(parse(text, "here")).all()
        except DatasetError as error:
            line = str(error)
        assert line.startswith("here:")


def test_long_lines_are_quoted_short() -> None:
    assert quoted(50 * b"1") == repr(37 * "1" + "...")
    assert not is_finite(b"-inf")


def test_what_numpy_takes_for_the_end_of_a_line_is_none() -> None:
    """A return inside a line: Python reads the numbers, and so do we."""
    assert float_table(b"1,\r2\n3,4\n", "here").tolist() == [[1, 2], [3, 4]]
    assert float_table(b"1,\x0c2\n3,4\n", "here").tolist() == [[1, 2], [3, 4]]


def test_a_line_of_many_megabytes_is_refused_before_it_is_taken_apart() -> None:
    with pytest.raises(DatasetError, match=r"here:1: 5,000,000 columns; expected at most 10,000"):
        float_table(4_999_999 * b"1," + b"1", "here")


def test_more_numbers_than_there_is_memory_for_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Numbers that are all alike take next to no room in a zip."""
    (tmp_path / "X.txt").write_text("1\n2 0\n0 1 1\n0 1 0\n")
    monkeypatch.setattr(limits, "memory_limit", lambda: 20 * 2 * 101)
    assert scanned_table(100 * b"1, 1\n", "here", 2).shape == (100, 2)
    assert read_dgcnn_text(tmp_path).n_nodes == 2
    with pytest.raises(MemoryLimitError, match="reading here would take about 4"):
        scanned_table(101 * b"1, 1\n", "here", 2)
    monkeypatch.setattr(limits, "memory_limit", lambda: 200)
    with pytest.raises(MemoryLimitError, match=r"X\.txt would take about 300 bytes"):
        read_dgcnn_text(tmp_path)
