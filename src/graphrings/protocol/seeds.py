"""Seeds by hashing what they are for, so that order and number of workers never matter."""

import hashlib
import json

N_SEEDS = 2**31 - 1


def seed(*parts: object) -> int:
    """A number from 0 to 2**31 - 2 that belongs to these parts.

    Parts are what JSON knows: 1, 1.0 and "1" are three things, a tuple is a list, and the order of
    a dictionary's keys does not matter.
    """
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % N_SEEDS
