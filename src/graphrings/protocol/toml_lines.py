"""The line of a key in a TOML text, which the parser does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

Keys = tuple[str, ...]
KEY = re.compile(r"""(?:[\w.\- \t]|"(?:\\.|[^"\\])*"|'[^']*')+""")
BRACKETS = re.compile(r"\[*")
BLANK = re.compile(r"(?:\s|#[^\n]*)*")
SKIPPED = re.compile(  # strings and comments: what may hold a bracket that means nothing
    r'''"""(?:\\.|[^\\])*?"{3,5}|"(?:\\.|[^"\\\n])*"|#[^\n]*''' + r"""|'''.*?'{3,5}|'[^'\n]*'""",
    re.DOTALL,
)


def line_of(text: str, keys: Keys) -> int:
    """The line, counted from 1, where a key of a valid text first stands.

    A key inside an inline table has the line of the key that the table belongs to.
    """
    depth, nearest = 0, 1
    for line, path in statements(text):
        if path[: len(keys)] == keys:
            return line
        if depth < len(path) and path == keys[: len(path)]:
            depth, nearest = len(path), line
    return nearest


def statements(text: str) -> Iterator[tuple[int, Keys]]:
    """Every header and every key with a value, by line and full path."""
    header: Keys = ()
    at = _match(BLANK, text, 0).end()
    line, counted = 1, 0
    while at < len(text):
        line, counted = line + text.count("\n", counted, at), at
        brackets = _match(BRACKETS, text, at).end() - at
        key = _match(KEY, text, at + brackets)
        path = _parts(key[0])
        if brackets:
            header, path = path, ()
        yield line, header + path
        at = _match(BLANK, text, _end_of_statement(text, key.end())).end()


def _end_of_statement(text: str, at: int) -> int:
    """The first line break outside of strings, comments and brackets."""
    depth = 0
    while at < len(text) and (depth > 0 or text[at] != "\n"):
        if skipped := SKIPPED.match(text, at):
            at = skipped.end()
        else:
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[at], 0)
            at += 1
    return at


def _match(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    match = pattern.match(text, at)
    assert match is not None, "only a text that the parser has accepted comes here"
    return match


def _parts(dotted: str) -> Keys:
    """The names of a dotted key, without their quotes."""
    tree: Any = tomllib.loads(f"{dotted} = 0")
    path = []
    while isinstance(tree, dict):
        ((name, tree),) = tree.items()
        path.append(name)
    return tuple(path)
