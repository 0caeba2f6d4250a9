"""Sets of nodes as the bits of words."""

import numpy as np

from graphrings.compiled import inlined

WORD = 64  # bits

ONE = np.uint64(1)
PAIRS = np.uint64(0x5555555555555555)
NIBBLES = np.uint64(0x3333333333333333)
BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
EVERY_BYTE = np.uint64(0x0101010101010101)


@inlined
def n_words(n_nodes: int) -> int:
    """How many words of 64 bits hold a bit for every node."""
    return (n_nodes + WORD - 1) // WORD


@inlined
def n_bits(x: np.uint64) -> int:
    """How many bits of a word are set; the compiler knows the pattern as one instruction."""
    x = x - ((x >> ONE) & PAIRS)
    x = (x & NIBBLES) + ((x >> np.uint64(2)) & NIBBLES)
    x = (x + (x >> np.uint64(4))) & BYTES
    return int((x * EVERY_BYTE) >> np.uint64(56))


@inlined
def lowest(x: np.uint64) -> int:
    """The place of the lowest bit that is set, 64 if there is none; one instruction, too."""
    return n_bits((x & (~x + ONE)) - ONE)
