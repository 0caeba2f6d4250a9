"""Tables as text, record by record: what every kind of table is to the rest of the project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple, Self

from graphrings.errors import DatasetError
from graphrings.spelling import suggestion

MOST_SHOWN = 10  # columns that a message lists


class Record(NamedTuple):
    """One record: the line where it starts, its cells, and what is wrong with it, if anything."""

    line: int
    cells: tuple[str, ...]
    fault: str = ""


@dataclass(frozen=True)
class Rows:
    """Some records of a table in the order of the file.

    ``rows`` has the cells as they stand in the file, as many as there are columns. ``lines`` are
    the lines where the records start (in Excel and Parquet the numbers of the rows).
    ``faults`` has a reason for every record, by its place among these, that cannot be used; nothing
    of such a record is lost: missing cells are empty, and surplus cells stand in the last one.
    """

    columns: tuple[str, ...]
    lines: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    faults: Mapping[int, str]

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> tuple[str, ...]:
        """The cells of one column."""
        place = self.columns.index(name)
        return tuple(row[place] for row in self.rows)


class Table:
    """A table that is read once, from its beginning to its end, in constant memory.

    ``place`` is what messages call it. ``molecules`` is the column that holds SMILES where the kind
    of the file says so, and else None. ``types`` are those of the columns, where the file says so.
    """

    def __init__(
        self,
        place: str,
        columns: tuple[str, ...],
        records: Iterable[Record],
        close: Callable[[], None],
        molecules: str | None = None,
        types: Mapping[str, type[Any]] | None = None,
    ) -> None:
        _check_header(place, columns)
        self.place = place
        self.columns = columns
        self.molecules = molecules
        self.types = types or {}
        self._records = iter(records)
        self._close = close

    def chunks(self, size: int) -> Iterator[Rows]:
        """The records that were not read yet, at most ``size`` at a time."""
        try:
            while records := list(islice(self._records, size)):
                yield self._rows(records)
        finally:
            self._close()

    def peek(self, size: int) -> Rows:
        """The next records, which stay to be read."""
        records = list(islice(self._records, size))
        self._records = chain(records, self._records)
        return self._rows(records)

    def column(self, name: str, what: str = "column") -> str:
        """A column by its name; upper and lower case and spaces around it may differ."""
        if name in self.columns:
            return name
        alike = [own for own in self.columns if own.strip().lower() == name.strip().lower()]
        if len(alike) != 1:
            near = suggestion(name, self.columns)
            raise DatasetError(f"{self.place}: no {what} {name!r}, {self.listed()}{near}")
        return alike[0]

    def listed(self) -> str:
        """The columns, as the end of a message."""
        shown = ", ".join(repr(name) for name in self.columns[:MOST_SHOWN])
        more = len(self.columns) - MOST_SHOWN
        return f"the columns are {shown}" + (f" and {more} more" if more > 0 else "")

    def close(self) -> None:
        """Let go of the file; nothing can be read after that."""
        self._records = iter(())
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _rows(self, records: list[Record]) -> Rows:
        return Rows(
            self.columns,
            tuple(record.line for record in records),
            tuple(record.cells for record in records),
            {i: record.fault for i, record in enumerate(records) if record.fault},
        )


def _check_header(place: str, columns: tuple[str, ...]) -> None:
    """Refuse two columns of one name; columns without a name may be several."""
    named = [name.strip() for name in columns if name.strip()]
    twice = [name for name in dict.fromkeys(named) if named.count(name) > 1]
    if twice:
        raise DatasetError(
            f"{place}: {named.count(twice[0])} columns are called {twice[0]!r}; expected a name "
            "of its own for each"
        )
