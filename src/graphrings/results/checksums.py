"""A checksum for every row of a store: a bit that flips on the disk changes no result unseen."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from struct import pack
from typing import Any

COLUMN = "checksum"
APART = (COLUMN, "id")  # not part of what a row says


def checksum(row: Mapping[str, Any]) -> str:
    """What the values of a row give, as SQLite keeps them, whatever the order of its columns."""
    digest = blake2b(digest_size=16)
    for name in sorted(set(row).difference(APART)):
        content = _bytes(row[name])
        digest.update(f"{name} {type(row[name]).__name__} {len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def signed(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its checksum."""
    return {**row, COLUMN: checksum(row)}


def check_row(row: Mapping[str, Any]) -> None:
    """ValueError if a row is not what was written; those of older stores cannot tell."""
    if COLUMN in row and row[COLUMN] != checksum(row):
        raise ValueError("its checksum does not fit")


def _bytes(value: Any) -> bytes:
    if value is None:
        return b""
    if isinstance(value, float):
        return pack("<d", value + 0.0)  # SQLite knows no negative zero
    if isinstance(value, bytes):
        return value
    return str(value).encode("utf-8", "surrogateescape")
