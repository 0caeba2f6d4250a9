"""Tables of molecules: one SMILES per row, or the blocks of an SDF file."""

from __future__ import annotations

import warnings
from typing import Any

from graphrings.errors import DatasetNote
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import Files
from graphrings.graphs.formats.format import Format
from graphrings.graphs.reading_options import READING


def read_files(files: Files, **options: Any) -> Dataset:
    """Read the rows that can be used; how many cannot, and why, is said once."""
    from graphrings.graphs.read_table import read_table

    read = read_table(files.path, **options)
    if read.rejected:
        warnings.warn(read.summary, DatasetNote, stacklevel=2)
    return read.dataset


def _format(name: str, looks_for: str, *endings: str) -> Format:
    suffixes = tuple(f"{ending}{packed}" for ending in endings for packed in ("", ".gz"))
    return Format(
        name=name,
        looks_for=looks_for,
        suffixes=suffixes,
        recognises=lambda files: files.alone and files.path.name.lower().endswith(suffixes),
        read=read_files,
        options=READING,
    )


SMILES_TABLE = _format(
    "SMILES table",
    "a .csv, .tsv, .jsonl or .parquet file",
    *(".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"),
)
WORKBOOKS = (".xlsx", ".xlsm", ".xls")  # the last one is refused, with what to do instead
WORKBOOK = Format(
    name="Excel workbook",
    looks_for="an .xlsx file",
    suffixes=WORKBOOKS,
    recognises=lambda files: files.path.suffix.lower() in WORKBOOKS,
    read=read_files,
    options=READING,
)
SMI = _format("SMILES", "an .smi file", ".smi")
SDF = _format("SDF", "an .sdf file", ".sdf")
