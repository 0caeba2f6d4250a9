"""A TOML file that says in which line something is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from graphrings.errors import ExperimentError
from graphrings.protocol.toml_lines import Keys, line_of
from graphrings.spelling import suggestion

MOST_BYTES = 256 << 10  # of an experiment file
SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")


@dataclass(frozen=True)
class TomlFile:
    """What a file says, its text, and where it lies."""

    path: Path
    text: str
    tree: dict[str, Any]

    @property
    def home(self) -> Path | None:
        """The folder that the file lies in, where its own modules lie too."""
        return self.path.parent.resolve()

    def beside(self, place: str) -> Path:
        """Where a relative path of the file leads to."""
        return self.path.parent / place

    def refuse(self, keys: Keys, message: str) -> NoReturn:
        """Raise an error about what stands at a key."""
        raise ExperimentError(f"{self.path}:{line_of(self.text, keys)}: {message}")

    def get(self, keys: Keys, default: Any = None) -> Any:
        """The value at a key."""
        value: Any = self.tree
        for key in keys:
            if key not in value:
                return default
            value = value[key]
        return value

    def table(self, keys: Keys, known: Collection[str] | None = None) -> dict[str, Any]:
        """The table at a key, empty if it is not there, with no other than the known keys."""
        value = self.get(keys, {})
        if not isinstance(value, dict):
            self.refuse(keys, f"{keys[-1]} = {value!r}; expected a table")
        for key in value:
            if known is not None and key not in known:
                near = suggestion(key, known) or f"; expected one of {', '.join(known)}"
                self.refuse((*keys, key), f"unknown key {key!r}{near}")
        return value

    def whole_number(self, keys: Keys, default: int, least: int) -> int:
        """The whole number at a key."""
        value = self.get(keys, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            wanted = f"a whole number of at least {least}"
            self.refuse(keys, f"{keys[-1]} = {value!r}; expected {wanted}")
        return value

    def switch(self, keys: Keys, default: bool | None) -> bool | None:
        """True or false at a key."""
        value = self.get(keys, default)
        if value is not default and not isinstance(value, bool):
            self.refuse(keys, f"{keys[-1]} = {value!r}; expected true or false")
        return value

    def word(self, keys: Keys, default: str) -> str:
        """The text at a key, of one line."""
        value = self.get(keys, default)
        if not is_one_line(value):
            self.refuse(keys, f"{keys[-1]} = {value!r}; expected text of one line")
        return str(value)


def read_toml(path: Path) -> TomlFile:
    """Read and parse a file."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise ExperimentError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise ExperimentError(f"{path}: not a text in UTF-8") from error
    if len(content) > MOST_BYTES:
        raise ExperimentError(f"{path}: a file of more than {MOST_BYTES:,} bytes; expected fewer")
    try:
        return TomlFile(path, text, tomllib.loads(text))
    except RecursionError as error:
        raise ExperimentError(f"{path}: not TOML that can be read: nested too deeply") from error
    except tomllib.TOMLDecodeError as error:
        match = SYNTAX.fullmatch(str(error))
        what = match["what"] if match else str(error)
        line = match["line"] if match else None
        last = text.rstrip("\n").count("\n") + 1
        raise ExperimentError(f"{path}:{line or last}: not TOML: {what}") from error
    except ValueError as error:  # Python does not read numbers of thousands of digits
        raise ExperimentError(f"{path}: not TOML that can be read: {error}") from error


def is_one_line(value: Any) -> bool:
    """Whether a value is text that one can print in a line, and not empty."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()
