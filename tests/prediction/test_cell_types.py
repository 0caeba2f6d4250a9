import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet, table

from graphrings.graphs.tables import open_table
from graphrings.prediction.cell_types import column_types, common_type, guessed, typed


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", ""], int),
        (["1", "2.5", "NaN"], float),
        (["1e5", "0"], float),
        (["007", "1"], str),
        (["1", "one"], str),
        (["1_000"], str),
        (["+1"], str),
        (["1e999"], str),
        (["", "n/a"], str),
    ],
)
def test_a_column_is_guessed_by_its_cells(cells: list[str], kind: type[Any]) -> None:
    assert guessed(cells) is kind


@given(
    st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False))
)
def test_numbers_come_back_as_they_were(number: float) -> None:
    assert typed(str(number), float) == number


def test_no_digit_of_a_large_number_is_lost() -> None:
    assert typed(str(2**63), int) == str(2**63)
    assert typed("true", bool) is True
    assert typed("True", bool) == "True"


def test_a_common_type() -> None:
    assert common_type([int, int]) is int
    assert common_type([int, float]) is float
    assert common_type([int, bool]) is str


def test_files_that_know_their_types_say_them(tmp_path: Path) -> None:
    rows = {"a": [1, None], "b": [0.5, 2.0], "c": ["1", "2"], "d": [True, False]}
    expected = {"a": int, "b": float, "c": str, "d": bool}
    parquet.write_table(table(rows), tmp_path / "t.parquet")
    lines = [dict(zip(rows, cells, strict=True)) for cells in zip(*rows.values(), strict=True)]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    for name in ("t.parquet", "t.jsonl"):
        with open_table(tmp_path / name) as opened:
            assert column_types(opened.peek(10), opened.types) == expected
