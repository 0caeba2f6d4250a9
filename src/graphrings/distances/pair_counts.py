"""The inner loops behind the ring profile: pairs of labels, counted ring by ring; no ring is kept.

The nodes of a graph are visited label after label, so that only one label's row of C^j, as wide as
the labels of that graph are many, is held at a time. Small graphs grow all their balls at once as
bit sets, large ones are searched from every node, as for the rings themselves. Where a ball is one
word, so are the nodes of a label, and their common bits are counted instead of walked through.
"""

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.bits import ONE, WORD, lowest, n_bits, n_words
from graphrings.distances.searches import SMALL, bit_buffer, grow, only_themselves, search
from graphrings.distances.word_rings import STRIDE, grow_words
from graphrings.loops import ZERO, U

Numbers = NDArray[np.int64]


@compiled
def count_pairs(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    order: NDArray[np.int32],
    n_labels: int,
    codes: Numbers,
    counts: Numbers,
    sizes: NDArray[np.int32],
) -> Numbers:
    """Write codes and counts of all pairs; returns the bounds of every graph's entries.

    Code ``(j * n_labels + a) * n_labels + b`` with a <= b is how many pairs of a node of label a
    and one of label b are at distance j; every pair counts once. ``order`` lists the nodes graph
    after graph, by label. ``sizes[v, j]`` becomes the size of ring j of node v. Of the graph whose
    entries outgrow ``codes`` the bound says so, and it is the last.
    """
    n_nodes, width = sizes.shape
    bounds = np.zeros(len(graph_ptr), dtype=np.int64)
    local = np.empty(n_nodes, dtype=np.int32)
    seen = np.full(n_nodes, -1, dtype=np.int32)
    queue = np.empty(n_nodes, dtype=np.int32)
    bits = bit_buffer()
    word_balls = np.empty((WORD + 2, WORD), dtype=np.uint64)
    near = np.empty((WORD, STRIDE), dtype=np.uint64)
    size = 0
    for graph in range(len(graph_ptr) - 1):
        first, last = graph_ptr[graph], graph_ptr[graph + 1]
        nodes, n = order[first:last], last - first
        names = number_labels(nodes, labels, local)
        if n > SMALL:
            rows = np.zeros((width, len(names)), dtype=np.int64)
            size = search_pairs(
                indptr, indices, nodes, local, names, n_labels,
                seen, queue, rows, sizes, size, codes, counts,
            )  # fmt: skip
        elif n <= WORD:
            size = word_pairs(
                first, indptr, indices, nodes, local, names, n_labels,
                word_balls, near, sizes, size, codes, counts,
            )  # fmt: skip
        else:
            words = n_words(n)
            balls = bits[0, : n * words].reshape((n, words))
            wider = bits[1, : n * words].reshape((n, words))
            size = grow_pairs(
                first, indptr, indices, nodes, local, names, n_labels,
                balls, wider, sizes, size, codes, counts,
            )  # fmt: skip
        bounds[graph + 1] = size
        if size > len(codes):
            return bounds[: graph + 2]
    return bounds


@compiled
def number_labels(
    nodes: NDArray[np.int32], labels: NDArray[np.int32], local: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Number the labels of nodes that are sorted by them 0, 1, ...; return these labels."""
    names = np.empty(len(nodes), dtype=np.int32)
    n_names = 0
    for node in nodes:
        if n_names == 0 or names[n_names - 1] != labels[node]:
            names[n_names] = labels[node]
            n_names += 1
        local[node] = n_names - 1
    return names[:n_names]


@compiled
def word_pairs(
    first: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    nodes: NDArray[np.int32],
    local: NDArray[np.int32],
    names: NDArray[np.int32],
    n_labels: int,
    balls: NDArray[np.uint64],
    near: NDArray[np.uint64],
    sizes: NDArray[np.int32],
    size: int,
    codes: Numbers,
    counts: Numbers,
) -> int:
    """Append the pairs of a graph of at most 64 nodes; returns the new size."""
    row = np.zeros(len(names), dtype=np.int64)
    labelled = np.zeros(len(names), dtype=np.uint64)  # the nodes of every label
    for node in nodes:
        labelled[local[node]] |= ONE << np.uint64(node - first)
    n_radii = grow_words(first, len(nodes), indptr, indices, sizes.shape[1] - 1, near, balls)
    for j in range(U(n_radii)):
        label = ZERO
        for k in range(U(len(nodes))):
            v = U(nodes[k])
            ring = balls[j + ONE, v - U(first)] ^ balls[j, v - U(first)]
            sizes[v, j] = n_bits(ring)
            for other in range(label, U(len(row))):  # a pair counts with its first label
                row[other] += n_bits(ring & labelled[other])
            if k + ONE == U(len(nodes)) or U(local[U(nodes[k + ONE])]) != label:
                size = write_row(
                    np.int64(j), np.int64(label), row, names, n_labels, size, codes, counts
                )
                label += ONE
    return size


@compiled
def grow_pairs(
    first: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    nodes: NDArray[np.int32],
    local: NDArray[np.int32],
    names: NDArray[np.int32],
    n_labels: int,
    balls: NDArray[np.uint64],
    wider: NDArray[np.uint64],
    sizes: NDArray[np.int32],
    size: int,
    codes: Numbers,
    counts: Numbers,
) -> int:
    """Append the pairs of a small graph, all balls growing at once; returns the new size."""
    row = np.zeros(len(names), dtype=np.int64)
    for k, v in enumerate(nodes):
        sizes[v, 0] = 1
        row[local[v]] += 1
        if is_last_of_label(k, nodes, local):
            size = write_row(0, local[v], row, names, n_labels, size, codes, counts)
    only_themselves(balls)
    for j in range(1, sizes.shape[1]):
        if not grow(first, indptr, indices, balls, wider):
            break
        for k, v in enumerate(nodes):
            for word in range(balls.shape[1]):
                won = wider[v - first, word] ^ balls[v - first, word]
                while won != 0:
                    row[local[first + WORD * word + lowest(won)]] += 1
                    sizes[v, j] += 1
                    won &= won - ONE
            if is_last_of_label(k, nodes, local):
                size = write_row(j, local[v], row, names, n_labels, size, codes, counts)
        balls, wider = wider, balls
    return size


@compiled
def search_pairs(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    nodes: NDArray[np.int32],
    local: NDArray[np.int32],
    names: NDArray[np.int32],
    n_labels: int,
    seen: NDArray[np.int32],
    queue: NDArray[np.int32],
    rows: Numbers,
    sizes: NDArray[np.int32],
    size: int,
    codes: Numbers,
    counts: Numbers,
) -> int:
    """Append the pairs of a large graph, searched from every node; returns the new size."""
    width = len(rows)
    ends = np.empty(width, dtype=np.int64)
    for k, v in enumerate(nodes):
        search(indptr, indices, width - 1, v, len(nodes), seen, queue, ends)
        at = 0
        for j in range(width):
            sizes[v, j] = ends[j] - at
            while at < ends[j]:
                rows[j, local[queue[at]]] += 1
                at += 1
        if is_last_of_label(k, nodes, local):
            for j in range(width):
                size = write_row(j, local[v], rows[j], names, n_labels, size, codes, counts)
    return size


@compiled
def is_last_of_label(k: int, nodes: NDArray[np.int32], local: NDArray[np.int32]) -> bool:
    """Whether the node after nodes[k] has another label, or there is none."""
    return bool(k + 1 == len(nodes) or local[U(nodes[U(k + 1)])] != local[U(nodes[U(k)])])


@compiled
def write_row(
    j: int | np.int64,
    label: int | np.int64,
    row: Numbers,
    names: NDArray[np.int32],
    n_labels: int,
    size: int,
    codes: Numbers,
    counts: Numbers,
) -> int:
    """Append one label's row of C^j from its own label on, and clear it; returns the new size.

    Two nodes of one label meet each other twice, and a node itself once. Where there is no more
    room, entries are counted and not written.
    """
    start = (j * n_labels + names[label]) * n_labels
    if j > 0:
        row[label] //= 2
    for other in range(U(label), U(len(names))):
        if size < len(codes):
            codes[U(size)], counts[U(size)] = start + names[other], row[other]
        size += row[other] > 0
    for other in range(U(len(row))):
        row[other] = 0
    return size
