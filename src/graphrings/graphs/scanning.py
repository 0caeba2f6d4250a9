"""The compiled loops that read text byte by byte."""

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
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

NEWLINE, RETURN, TAB, SPACE, COMMA, PLUS, MINUS, ZERO, NINE = (ord(c) for c in "\n\r\t ,+-09")
MOST_DIGITS = 18  # what an int64 holds for certain


@compiled
def skip_blanks(text: NDArray[np.uint8], at: int) -> int:
    """The first position from ``at`` on that is no blank inside a line."""
    while at < len(text) and (text[at] == SPACE or text[at] == TAB or text[at] == RETURN):
        at += 1
    return at


@compiled
def read_integer(text: NDArray[np.uint8], at: int) -> tuple[int, int]:
    """The integer at ``at`` and the position behind it, or -1 there if it is not one."""
    negative = at < len(text) and text[at] == MINUS
    if at < len(text) and (text[at] == MINUS or text[at] == PLUS):
        at += 1
    first, value = at, 0
    while at < len(text) and ZERO <= text[at] <= NINE and at - first <= MOST_DIGITS:
        value = 10 * value + int(np.int64(text[at])) - ZERO
        at += 1
    ends = at == len(text) or text[at] <= SPACE or text[at] == COMMA
    if at == first or at - first > MOST_DIGITS or not ends:
        return 0, -1
    return (-value if negative else value), at


@compiled
def next_integer(text: NDArray[np.uint8], at: int) -> tuple[int, int]:
    """The integer behind the blanks at ``at``, and the position behind it or -1; -1 stays -1."""
    if at < 0:
        return 0, -1
    return read_integer(text, skip_blanks(text, at))


@compiled
def line_end(text: NDArray[np.uint8], at: int) -> int:
    """The end of the line if only blanks come before it, else -1; -1 stays -1."""
    if at < 0:
        return -1
    at = skip_blanks(text, at)
    return at if at == len(text) or text[at] == NEWLINE else -1


@compiled
def only_blank_from(text: NDArray[np.uint8], at: int) -> bool:
    """Whether nothing but blanks and line ends follows."""
    at = skip_blanks(text, at)
    while at < len(text) and text[at] == NEWLINE:
        at = skip_blanks(text, at + 1)
    return at >= len(text)


@compiled
def scan_table(text: NDArray[np.uint8], values: NDArray[np.int64]) -> tuple[int, int]:
    """Fill ``values`` by rows; return how many there are and the line of the first bad one."""
    columns = values.shape[1]
    at, row = 0, 0
    while not only_blank_from(text, at):
        for column in range(columns):
            at = skip_blanks(text, at)
            if column > 0:
                if at == len(text) or text[at] != COMMA:
                    return row, row
                at = skip_blanks(text, at + 1)
            values[row, column], at = read_integer(text, at)
            if at < 0:
                return row, row
        at = skip_blanks(text, at)
        row += 1
        if at < len(text):
            if text[at] != NEWLINE:
                return row, row - 1
            at += 1
    return row, -1


@compiled
def count_words(text: NDArray[np.uint8]) -> int:
    """How many words the text has."""
    count, inside = 0, False
    for byte in text:
        blank = byte <= SPACE
        count += inside and blank
        inside = not blank
    return count + inside


@compiled
def scan_node(
    text: NDArray[np.uint8], at: int, first: int, n: int, heads: NDArray[np.int32], entry: int
) -> tuple[int, int, int, int, int]:
    """Read the line of a node; its neighbours of 0 .. n - 1, plus ``first``, go into ``heads``.

    Returns what is wrong with which number, the tag, the degree, and the position behind them.
    """
    tag, at = next_integer(text, at)
    degree, at = next_integer(text, at)
    if at < 0 or degree < 0:
        return NO_NODE, 0, tag, degree, at
    for k in range(degree):
        at = skip_blanks(text, at)
        if at == len(text) or text[at] == NEWLINE:
            return TOO_FEW, 0, tag, degree, at
        head, at = read_integer(text, at)
        if at < 0:
            return NO_NODE, 0, tag, degree, at
        if head < 0 or head >= n:
            return OUT_OF_RANGE, head, tag, degree, at
        heads[entry + k] = first + head
    return GOOD, 0, tag, degree, at


@compiled
def scan_dgcnn(
    text: NDArray[np.uint8],
    sizes: NDArray[np.int64],
    classes: NDArray[np.int64],
    tags: NDArray[np.int64],
    degrees: NDArray[np.int64],
    heads: NDArray[np.int32],
    rests: NDArray[np.int64],
) -> tuple[int, int, int, int, int, int]:
    """Fill the arrays; return the counts, and what is wrong at which line with which number."""
    line, node, entry = 0, 0, 0
    n_graphs, at = next_integer(text, 0)
    at = line_end(text, at)
    if at < 0:
        return 0, 0, 0, NO_COUNT, line, 0
    for graph in range(n_graphs):
        line, at = line + 1, at + 1
        if only_blank_from(text, at):
            return graph, node, entry, CUT_OFF, line, 0
        n, at = next_integer(text, at)
        classes[graph], at = next_integer(text, at)
        at = line_end(text, at)
        if at < 0:
            return graph, node, entry, NO_GRAPH, line, 0
        if n < 1:
            return graph, node, entry, NO_NODES, line, n
        sizes[graph] = n
        first = node
        for _ in range(n):
            line, at = line + 1, at + 1
            if only_blank_from(text, at):
                return graph, node, entry, CUT_OFF, line, 0
            wrong, value, tags[node], degree, at = scan_node(text, at, first, n, heads, entry)
            if wrong != GOOD:
                return graph, node, entry, wrong, line, value
            degrees[node] = degree
            entry += degree
            rests[node, 0] = skip_blanks(text, at)
            while at < len(text) and text[at] != NEWLINE:
                at += 1
            rests[node, 1] = at
            node += 1
    if not only_blank_from(text, at):
        return n_graphs, node, entry, LEFT_OVER, line + 1, n_graphs
    return n_graphs, node, entry, GOOD, -1, 0
