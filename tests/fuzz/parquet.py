"""Parquet tables of molecules: columns of every type, and damage to the file's bytes."""

from __future__ import annotations

import datetime
import decimal
import io
from random import Random
from typing import Any

from fuzz.mutators import VALUES, Files, mutated_bytes

SMILES = ["CCO", "c1ccccc1", "C[N+](=O)[O-]", "C1CC1", "O=C=O"]
STRANGE: list[list[Any]] = [
    [b"CCO", b"\xff", b"", None, b"C"],
    [[1], [], None, [2, 3], [None]],
    [{"a": 1}, {"a": None}, None, {"a": 2}, {"a": 3}],
    [decimal.Decimal("1.5")] * 5,
    [datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)] * 5,
    [datetime.timedelta(days=10**6)] * 5,
    [float("nan"), float("inf"), -0.0, 1e308, None],
    [2**63 - 1, -(2**63), 0, 1, None],
    [True, False, None, True, True],
    ["\x1b[31m", "a\nb", "\0", "é", "x" * 3000],
    [None] * 5,
]
NAMES = ["smiles", "active", "", "a" * 500, "\x1b[31m", "a\nb", "=CMD", "SMILES", "é"]


def packed(columns: dict[str, list[Any]], **options: Any) -> bytes:
    """A Parquet file."""
    import pyarrow
    from pyarrow import parquet

    memory = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), memory, **options)
    return memory.getvalue()


def parquet_seeds() -> list[Files]:
    """Tables in the ways that files are packed."""
    columns = {"smiles": SMILES, "active": [0, 1, 1, 0, None]}
    options: list[dict[str, Any]] = [
        {"compression": "none"},
        {"compression": "none", "use_dictionary": False, "write_statistics": False},
        {"compression": "snappy", "data_page_version": "2.0"},
        {"compression": "gzip", "row_group_size": 2},
    ]
    return [{"mols.parquet": packed(columns, **option)} for option in options]


def edited_parquet(rng: Random, files: Files) -> Files:
    """Other bytes, or a sound file with columns that nobody expects."""
    if rng.random() < 0.75:
        return {"mols.parquet": mutated_bytes(rng, files["mols.parquet"])}
    columns: dict[str, list[Any]] = {rng.choice(NAMES): list(SMILES)}
    for _ in range(rng.choice((1, 2, 3))):
        columns[rng.choice(NAMES)] = rng.choice(STRANGE)
    if rng.random() < 0.3:
        columns[rng.choice(NAMES)] = [str(value) for value in rng.sample(VALUES, 5)]
    return {"mols.parquet": packed(columns, compression=rng.choice(("none", "zstd")))}
