"""Which columns of a table hold the molecules and the targets."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.smiles import is_smiles
from graphrings.graphs.tables.table import Rows, Table

SMILES_NAMES = (
    "smiles",
    "canonical_smiles",
    "canonicalsmiles",
    "isomeric_smiles",
    "isosmiles",
    "smiles_string",
    "smile",
    "mol",
    "molecule",
    "structure",
    "compound",
    "drug",
    "inchi",
)  # in the order of preference
N_LOOKED_AT = 20  # records whose cells show what a column holds
LEAST_ATOMS = 2  # a class may be called N, which is a molecule too


def smiles_column(table: Table, name: str | None = None) -> str:
    """The column of the molecules: as named, or by what it is called, or by what is in it."""
    looked_at = table.peek(N_LOOKED_AT)
    if name is not None:
        if not _has(table, name):
            _check_that_a_header_is_there(table, looked_at)
        return table.column(name)
    if table.molecules is not None:
        return table.molecules
    called = {own.strip().lower(): own for own in reversed(table.columns)}
    by_name = [called[known] for known in SMILES_NAMES if known in called]
    good = [own for own in by_name if any(map(is_smiles, _cells(looked_at, own)))]
    if good or SMILES_NAMES[0] in called:
        return next(iter([*good, *by_name]))
    return _by_content(table, looked_at)


def target_column(table: Table, name: str | None, others: Iterable[str | None]) -> str | None:
    """The column of the targets, as named; ``""`` asks for none.

    Without a name it is the only one beside the ``others``, which are spoken for. A file whose kind
    has one column for molecules has no targets unless they are named.
    """
    if name is not None:
        return table.column(name, "target column") if name else None
    taken = set(others)
    free = [own for own in table.columns if own not in taken and own.strip()]
    if not free or table.molecules is not None:
        return None
    if len(free) > 1:
        raise DatasetError(
            f"{table.place}: {len(free)} columns may hold the targets; name one as target, or "
            f"'' for none; {table.listed()}"
        )
    warnings.warn(f"{table.place}: targets from column {free[0]!r}", DatasetNote, stacklevel=2)
    return free[0]


def _has(table: Table, name: str) -> bool:
    return name.strip().lower() in (own.strip().lower() for own in table.columns)


def _cells(rows: Rows, column: str) -> list[str]:
    """What the good records have in a column, without blanks."""
    cells = enumerate(rows.column(column))
    return [cell for i, cell in cells if cell.strip() and i not in rows.faults]


def _by_content(table: Table, looked_at: Rows) -> str:
    """The only column in which all that was looked at are molecules, and not all single atoms."""
    _check_that_a_header_is_there(table, looked_at)
    good = [own for own in table.columns if _are_molecules(_cells(looked_at, own))]
    if len(good) == 1:
        warnings.warn(
            f"{table.place}: molecules from column {good[0]!r}", DatasetNote, stacklevel=2
        )
        return good[0]
    if good:
        several = " and ".join(map(repr, good[:3]))
        raise DatasetError(f"{table.place}: {several} all hold SMILES; name the column to read")
    raise DatasetError(f"{table.place}: no column of SMILES; {table.listed()}")


def _are_molecules(cells: list[str]) -> bool:
    return (
        bool(cells)
        and all(map(is_smiles, cells))
        and any(is_smiles(cell, LEAST_ATOMS) for cell in cells)
    )


def _check_that_a_header_is_there(table: Table, looked_at: Rows) -> None:
    """Refuse a file whose first record holds a molecule where a name was expected."""
    for own in table.columns:
        cells = _cells(looked_at, own)
        if is_smiles(own, LEAST_ATOMS) and (not cells or _are_molecules(cells)):
            raise DatasetError(
                f"{table.place}:1: no header, since {own!r} is a molecule; expected the names of "
                "the columns in the first line, such as smiles,target"
            )
