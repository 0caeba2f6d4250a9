"""Small changes to good inputs, drawn from a seeded generator: the same seed, the same input."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

Files = dict[str, bytes]
Mutator = Callable[[Random, Files], Files]

TOKENS = [
    *(b"0", b"-1", b"1", b"2147483647", b"2147483648", b"-2147483649", b"9223372036854775808"),
    *(b"999999999999", b"9" * 40, b"9" * 5000, b"1e308", b"1e999", b"nan", b"-inf", b"0x10"),
    *(b"1_0", b"1.5", b"-0.0", b"", b" ", b"\t", b"\r", b"\r\n", b"\n", b"\n\n", b"\x0b", b"\x0c"),
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc3\x28", "é☃".encode(), b"\x1b[31m", b"\x1f", b"\x85"),
    *(b",", b";", b":", b"'", b'"', b'""', b"[", b"]", b"{", b"}", b"<", b">", b"&", b"#", b"\\"),
    *(
        b"[" * 300,
        b"(" * 300,
        b"{" * 300,
        b"<a>" * 50,
        b"None",
        b"null",
        b"true",
        b"False",
        b"=CMD",
    ),
    *("٣".encode(), b"a" * 3000, b"1," * 3000, b"&lt;", b"<!ENTITY a 'b'>", b"]]>", b"%s", b"../x"),
]
NUMBER = b"0123456789-+."


def mutated_bytes(rng: Random, content: bytes) -> bytes:
    """One to four changes anywhere in a text."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        content = rng.choice(CHANGES)(rng, content)
    return content


def one_of_the_files(rng: Random, files: Files) -> Files:
    """Change the content of one file; sometimes drop, double, empty or rename one."""
    files = dict(files)
    name = rng.choice(sorted(files))
    action = rng.random()
    if action < 0.92 or len(files) == 1:
        files[name] = mutated_bytes(rng, files[name])
    elif action < 0.94:
        del files[name]
    elif action < 0.96:
        files[name] = files[rng.choice(sorted(files))]
    elif action < 0.98:
        files[name] = b""
    else:
        folder, _, last = name.rpartition("/")
        files[f"{folder}/{last[1:]}" if folder else last[1:]] = files.pop(name)
    return files


def _flip(rng: Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]


def _insert(rng: Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(TOKENS) + content[at:]


def _cut(rng: Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[at + rng.randrange(1, 20) :]


def _truncate(rng: Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _repeat(rng: Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    part = content[at : at + rng.randrange(1, 40)]
    return content[:at] + part * rng.choice((2, 3, 50)) + content[at:]


def _number(rng: Random, content: bytes) -> bytes:
    """Put a token in the place of a number."""
    starts = [
        i
        for i, byte in enumerate(content)
        if byte in NUMBER and (i == 0 or content[i - 1] not in NUMBER)
    ]
    if not starts:
        return _insert(rng, content)
    start = end = rng.choice(starts)
    while end < len(content) and content[end] in NUMBER:
        end += 1
    return content[:start] + rng.choice(TOKENS) + content[end:]


def _lines(rng: Random, content: bytes) -> bytes:
    """Drop, double, swap or empty a line."""
    lines = content.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    action = rng.randrange(4)
    if action == 0:
        del lines[i]
    elif action == 1:
        lines.insert(j, lines[i])
    elif action == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines[i] = b""
    return b"\n".join(lines)


CHANGES = (_flip, _insert, _cut, _truncate, _repeat, _number, _number, _lines)

VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 0.5, -2.5, 1e308, float("nan"), float("inf"), 2**31, 2**63),
    *(
        10**30,
        10**6,
        300,
        "",
        "x",
        "label",
        "é",
        "a" * 500,
        [],
        {},
        [[]],
        [0],
        [1, 2],
        [None],
        ["x"],
    ),
    *({"a": 1}, {"pairs": []}, {"pairs": [[1, 2]]}, {"pairs": 3}, [[0, 1], [2]], [[[[[]]]]]),
]


def mutated_tree(rng: Random, tree: Any) -> Any:
    """A copy of a JSON value with one place changed: another value, dropped, doubled, renamed."""
    tree = json.loads(json.dumps(tree))
    places = list(_places(tree))
    if not places:
        return rng.choice(VALUES)
    holder, key = rng.choice(places)
    action = rng.random()
    if action < 0.6:
        holder[key] = rng.choice(VALUES)
    elif action < 0.7:
        del holder[key]
    elif action < 0.8:
        other, name = rng.choice(places)
        holder[key] = json.loads(json.dumps(other[name])) if name in _keys(other) else 0
    elif action < 0.9 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
        holder[key] = holder[key] * rng.choice((-1, 2, 1000, 0)) + rng.choice((0, 1, -1, 0.5))
    elif isinstance(holder, dict):
        holder[key + "_"] = holder.pop(key)
    else:
        holder[key] = [holder[key]]
    return tree


def _places(tree: Any) -> Any:
    """Every entry of every list and table, as (holder, key)."""
    for key in _keys(tree):
        yield tree, key
        yield from _places(tree[key])


def _keys(tree: Any) -> list[Any]:
    if isinstance(tree, dict):
        return list(tree)
    return list(range(len(tree))) if isinstance(tree, list) else []
