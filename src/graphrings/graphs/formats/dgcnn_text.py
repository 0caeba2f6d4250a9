"""The DGCNN text format: one file, graph after graph, one line per node.

The first line counts the graphs. A graph is a line ``n class`` and n lines ``tag m neighbour...``
with m neighbours counted from 0 inside the graph; attributes, if any, follow on the same line.
"""

import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset, Fold
from graphrings.graphs.files import Files, open_files
from graphrings.graphs.formats.dgcnn_writing import write_dgcnn_text
from graphrings.graphs.formats.format import Format
from graphrings.graphs.line_faults import (
    CUT_OFF,
    GOOD,
    LEFT_OVER,
    NO_COUNT,
    NO_GRAPH,
    NO_NODE,
    NO_NODES,
    OUT_OF_RANGE,
    TOO_FEW,
)
from graphrings.graphs.numbering import NOTHING, renumber
from graphrings.graphs.pack import pack
from graphrings.graphs.text import (
    MOST_COLUMNS,
    begin_reading,
    float_table,
    integer_table,
    is_finite,
    line_of,
    quoted,
    without_mark,
)

COUNT = re.compile(rb"(?:\xef\xbb\xbf)?\s*[+-]?\d+\s*")
FOLD_FILE = re.compile(r"(?:.*/)?10fold_idx/(train|test)_idx-([0-9]{1,6})\.txt")
MOST_LOOKED_AT = 1_000  # files that may hold the graphs, of which there should be one


def recognises(files: Files) -> bool:
    """Whether a file that may hold the graphs begins with a number, that of the graphs."""
    looked_at = _candidates(files)[:MOST_LOOKED_AT]
    return any(COUNT.fullmatch(line) for line in files.first_lines(looked_at))


def read_dgcnn_text(path: str | Path) -> Dataset:
    """Read a DGCNN text file, folder or zip, with the published folds where they are there."""
    return read_files(open_files(Path(path)))


def read_files(files: Files) -> Dataset:
    """Read the one DGCNN text among these files."""
    name = dgcnn_file(files)
    graphs = _scan(files.read(name), files.place(name))
    n_graphs, n_nodes = len(graphs.sizes), len(graphs.tags)
    return pack(
        PurePosixPath(name).stem,
        np.concatenate([[0], np.cumsum(graphs.sizes)]),
        np.repeat(np.arange(n_nodes, dtype=np.int32), graphs.degrees),
        graphs.heads,
        targets=renumber(graphs.classes),
        node_labels=NOTHING if np.ptp(graphs.tags) == 0 else renumber(graphs.tags),
        node_attributes=graphs.attributes,
        folds=_folds(files, n_graphs),
    )


class _Scanned(NamedTuple):
    """What the text says, graph after graph and node after node."""

    sizes: NDArray[np.int64]
    classes: NDArray[np.int64]
    tags: NDArray[np.int64]
    degrees: NDArray[np.int64]
    heads: NDArray[np.int32]
    attributes: NDArray[np.float64] | None


def _scan(content: bytes, place: str) -> _Scanned:
    from graphrings.graphs.scanning import count_words, scan_dgcnn  # the compiler takes a moment

    text = without_mark(content, place)
    buffer = np.frombuffer(text, dtype=np.uint8)
    n_lines, n_words = text.count(b"\n") + 1, count_words(buffer)
    begin_reading(place, max(3 * n_lines, n_words))
    sizes, classes, tags, degrees = (np.empty(n_lines, dtype=np.int64) for _ in range(4))
    rests = np.empty((n_lines, 2), dtype=np.int64)
    heads = np.empty(n_words, dtype=np.int32)
    n_graphs, n_nodes, n_entries, wrong, line, value = scan_dgcnn(
        buffer, sizes, classes, tags, degrees, heads, rests
    )
    if wrong != GOOD:
        raise DatasetError(f"{place}:{line + 1}: {_explain(text, wrong, line, value)}")
    if n_graphs < 1:
        raise DatasetError(f"{place}:1: {n_graphs} graphs; expected at least one")
    return _Scanned(
        sizes[:n_graphs],
        classes[:n_graphs],
        tags[:n_nodes],
        degrees[:n_nodes],
        heads[:n_entries],
        _attributes(text, rests[:n_nodes], place),
    )


def dgcnn_file(files: Files) -> str:
    """The file with the graphs: the only one, or the one named like its folder or archive."""
    candidates = _candidates(files)
    if not candidates:
        raise DatasetError(f"{files.path}: no dataset; expected a file NAME/NAME.txt")
    if len(candidates) > 1:
        several = " and ".join(PurePosixPath(name).stem for name in candidates)
        raise DatasetError(f"{files.path}: several datasets, {several}; expected one")
    return candidates[0]


def _candidates(files: Files) -> list[str]:
    """The files that may hold the graphs: those named like their folder or archive, or else all."""
    texts = [name for name in files.texts if not FOLD_FILE.fullmatch(name)]
    named = [
        name
        for name in texts
        if PurePosixPath(name).stem in (PurePosixPath(name).parent.name, files.path.stem)
    ]
    return named or texts


def _explain(text: bytes, wrong: int, line: int, value: int) -> str:
    there = "the end of the file" if wrong == CUT_OFF else quoted(line_of(text, line))
    return {
        NO_COUNT: f"found {there}; expected an integer, the number of graphs",
        NO_GRAPH: f"found {there}; expected two integers, the number of nodes and the class",
        NO_NODE: f"found {there}; expected integers: a tag, how many neighbours, and these",
        TOO_FEW: f"found {there}; expected as many neighbours as the second number says",
        OUT_OF_RANGE: f"neighbour {value} in {there}; expected numbers from 0 to n - 1",
        NO_NODES: f"a graph of {value} nodes; expected at least one",
        CUT_OFF: f"found {there}; expected more lines, as the counts above say",
        LEFT_OVER: f"found {there}; expected the end after {value:,} graphs, as line 1 says",
    }[wrong]


def _attributes(text: bytes, rests: NDArray[np.int64], place: str) -> NDArray[np.float64] | None:
    """What stands behind the neighbours of every node, if anything does."""
    has_rest = rests[:, 0] < rests[:, 1]
    if not has_rest.any():
        return None
    rows = [b",".join(text[start:stop].split()) for start, stop in rests.tolist()]
    columns = {row.count(b",") + 1 if row else 0 for row in rows}
    if max(columns) > MOST_COLUMNS:
        raise DatasetError(
            f"{place}: a node with {max(columns):,} attributes; expected at most {MOST_COLUMNS:,}"
        )
    try:
        if len(columns) > 1:
            raise ValueError
        return float_table(b"\n".join(rows), place)
    except (DatasetError, ValueError):
        return _attributes_by_line(text, rests, rows, place)


def _attributes_by_line(
    text: bytes, rests: NDArray[np.int64], rows: list[bytes], place: str
) -> NDArray[np.float64]:
    """Read node by node; the first whose attributes are wrong is told by the line of the file."""
    tables = [row.split(b",") if row else [] for row in rows]
    columns = len(tables[0])
    for (start, stop), cells in zip(rests.tolist(), tables, strict=True):
        if len(cells) == columns and all(map(is_finite, cells)):
            continue
        line = text.count(b"\n", 0, start) + 1
        if len(cells) != columns:
            raise DatasetError(
                f"{place}:{line}: {len(cells)} attributes; the nodes above have {columns}"
            )
        there = quoted(text[start:stop])
        raise DatasetError(f"{place}:{line}: attributes {there}; expected finite numbers")
    return np.array([[float(cell) for cell in cells] for cells in tables])


def _folds(files: Files, n_graphs: int) -> tuple[Fold, ...]:
    """The published folds, in the order of their numbers."""
    sides: dict[int, dict[str, str]] = {}
    for name in files.names:
        if match := FOLD_FILE.fullmatch(name):
            sides.setdefault(int(match[2]), {})[match[1]] = name

    def numbers(fold: int, side: str) -> NDArray[np.int32]:
        name = sides[fold].get(side)
        if name is None:
            raise DatasetError(f"{files.path}: fold {fold} has no {side}_idx-{fold}.txt")
        values = integer_table(files.read(name), files.place(name), columns=1)[:, 0]
        outside = np.flatnonzero((values < 0) | (values >= n_graphs))
        if len(outside):
            raise DatasetError(
                f"{files.place(name)}:{outside[0] + 1}: graph {values[outside[0]]}; "
                f"expected a number from 0 to {n_graphs - 1}"
            )
        chosen = values.astype(np.int32)
        chosen.flags.writeable = False
        return chosen

    folds = tuple(Fold(numbers(k, "train"), numbers(k, "test")) for k in sorted(sides))
    for k, fold in zip(sorted(sides), folds, strict=True):
        both = np.intersect1d(fold.train, fold.test)
        if len(both):
            raise DatasetError(f"{files.path}: fold {k} has graph {both[0]} in train and in test")
    return folds


DGCNN_TEXT = Format(
    name="DGCNN text",
    looks_for="NAME.txt with the number of graphs in its first line",
    suffixes=("", ".zip", ".txt"),
    recognises=recognises,
    read=read_files,
    write=write_dgcnn_text,
    keeps_folds=True,
)
