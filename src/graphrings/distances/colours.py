"""Distance-coloured refinement: split nodes by the colours that they see in every ring.

A round gives two nodes the same new colour when they had the same old one and every ring 1 .. r
shows them the same multiset of old colours. Colours are compared exactly: a hash only finds the
candidates, so that a collision costs time and never merges two colours.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled, inlined
from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import whole_numbers
from graphrings.errors import LayerError
from graphrings.graphs.small_numbers import numbered
from graphrings.loops import mixed

LARGEST_ROUND = np.iinfo(np.int64).max


def refine(
    rings: Rings, start: NDArray[np.integer[Any]], rounds: int | None = None
) -> NDArray[np.int32]:
    """Colour the nodes by ``rounds`` rounds of refinement, or until nothing splits any more.

    ``start`` are the colours to begin with. Only the partition means something, not the numbers.
    """
    if not isinstance(rings, Rings):
        raise LayerError(f"a {type(rings).__name__} to refine by; expected rings")
    start = checked_start(start, rings.n_nodes)
    colours = numbered(start)
    sizes = np.zeros(len(colours), dtype=np.int32)  # no more colours than nodes
    n_colours = int(colours.max(initial=-1)) + 1
    sizes[:n_colours] = np.bincount(colours, minlength=n_colours)
    arrays = rings.indptr, rings.indices, rings.radius + 1
    examined = np.arange(len(colours), dtype=np.int32)
    for _ in range(LARGEST_ROUND if rounds is None else rounds):
        groups, first = group_by_sight(*arrays, colours, n_colours, examined)
        changed, n_colours = split(groups, first, examined, colours, sizes, n_colours)
        if len(changed) == 0:
            break
        examined = who_sees(*arrays, changed)
    return colours


def checked_start(start: Any, n_nodes: int) -> NDArray[np.int64]:
    """The colours to begin with: a whole number for every node, or a LayerError."""
    colours = whole_numbers(start, "start")
    if len(colours) != n_nodes:
        raise LayerError(f"{len(colours):,} colours to start from; there are {n_nodes:,} nodes")
    return colours


@inlined
def see_the_same(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    colours: NDArray[np.int32],
    tally: NDArray[np.int32],
    v: int,
    u: int,
) -> bool:
    """Whether v and u have one colour and see the same multiset of colours in every ring."""
    if colours[v] != colours[u]:
        return False
    for j in range(1, width):
        a, b = indptr[v * width + j], indptr[u * width + j]
        size = indptr[v * width + j + 1] - a
        if indptr[u * width + j + 1] - b != size:
            return False
        for i in range(size):
            tally[colours[indices[a + i]]] += 1
            tally[colours[indices[b + i]]] -= 1
        equal = True
        for i in range(size):
            colour = colours[indices[a + i]]
            equal &= tally[colour] == 0
            tally[colour] = 0
        if not equal:
            for i in range(size):
                tally[colours[indices[b + i]]] = 0
            return False
    return True


def group_by_sight(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    colours: NDArray[np.int32],
    n_colours: int,
    examined: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Group the examined nodes that see the same; also the first position of every group."""
    n_slots = max(4, 1 << (2 * len(examined) - 1).bit_length())
    slots = np.full(n_slots, -1, dtype=np.int32)  # a hash table with the groups
    hashes = np.empty(len(examined), dtype=np.uint64)  # of every group
    tally = np.zeros(n_colours, dtype=np.int32)
    groups, first = np.empty((2, len(examined)), dtype=np.int32)
    rings = indptr, indices, width
    n_groups = find_groups(*rings, colours, examined, slots, hashes, tally, groups, first)
    return groups, first[:n_groups]


@compiled
def find_groups(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    colours: NDArray[np.int32],
    examined: NDArray[np.int32],
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    tally: NDArray[np.int32],
    groups: NDArray[np.int32],
    first: NDArray[np.int32],
) -> int:
    """Write the group of every examined node and the first of every group; count the groups."""
    last_slot = len(slots) - 1
    n_groups = 0
    for i in range(len(examined)):
        v = examined[i]
        sight = mixed(np.uint64(colours[v] * width))
        for j in range(1, width):
            for e in range(indptr[v * width + j], indptr[v * width + j + 1]):
                sight += mixed(np.uint64(colours[indices[e]] * width + j))
        at = np.int64(mixed(sight) & np.uint64(last_slot))
        while True:  # Python writes a condition down twice, and with it what is compiled inside
            group = slots[at]
            if group < 0:
                slots[at], hashes[n_groups], first[n_groups] = n_groups, sight, i
                groups[i] = n_groups
                n_groups += 1
                break
            u = examined[first[group]]
            if hashes[group] == sight and see_the_same(
                indptr, indices, width, colours, tally, u, v
            ):
                groups[i] = group
                break
            at = (at + 1) & last_slot
    return n_groups


def split(
    groups: NDArray[np.int32],
    first: NDArray[np.int32],
    examined: NDArray[np.int32],
    colours: NDArray[np.int32],
    sizes: NDArray[np.int32],
    n_colours: int,
) -> tuple[NDArray[np.int32], int]:
    """Give every group a colour of its own; return who changed and how many colours there are.

    Of a colour that was examined whole, the largest group keeps the old number. Otherwise the
    nodes that were left out keep it: they see none of the numbers that are new.
    """
    group_sizes = np.bincount(groups, minlength=len(first))
    whole = np.bincount(colours[examined], minlength=n_colours) == sizes[:n_colours]
    largest = np.full(n_colours, -1, dtype=np.int32)
    numbers = colours[examined[first]]
    n_colours = renumber(group_sizes, whole, largest, numbers, sizes, n_colours)
    new = numbers[groups]
    differ = colours[examined] != new
    changed = examined[differ]
    colours[changed] = new[differ]
    return changed, n_colours


@compiled
def renumber(
    group_sizes: NDArray[np.int64],
    whole: NDArray[np.bool_],
    largest: NDArray[np.int32],
    numbers: NDArray[np.int32],
    sizes: NDArray[np.int32],
    n_colours: int,
) -> int:
    """Replace the old colour of every group by its new one; count the colours."""
    for group in range(len(numbers)):
        colour = numbers[group]
        if whole[colour] and (
            largest[colour] < 0 or group_sizes[group] > group_sizes[largest[colour]]
        ):
            largest[colour] = group
    for group in range(len(numbers)):
        colour = numbers[group]
        if largest[colour] != group:
            numbers[group] = n_colours
            sizes[colour] -= group_sizes[group]
            sizes[n_colours] = group_sizes[group]
            n_colours += 1
    return n_colours


def who_sees(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    changed: NDArray[np.int32],
) -> NDArray[np.int32]:
    """The nodes with a changed node in their rings, which are symmetric: those in its rings."""
    marked = np.zeros((len(indptr) - 1) // width, dtype=np.bool_)
    seers = np.empty(len(marked), dtype=np.int32)
    return seers[: find_seers(indptr, indices, width, changed, marked, seers)]


@compiled
def find_seers(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    changed: NDArray[np.int32],
    marked: NDArray[np.bool_],
    seers: NDArray[np.int32],
) -> int:
    """Mark and write the nodes that see a changed one; count them."""
    n_seers = 0
    for v in changed:
        for e in range(indptr[v * width], indptr[(v + 1) * width]):
            u = indices[e]
            if not marked[u]:
                marked[u] = True
                seers[n_seers] = u
                n_seers += 1
    return n_seers
