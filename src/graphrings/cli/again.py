"""The words that a command was given, for a page that says how it was made.

Files go by their names alone: where they lie is nobody's business, and would make two pages of the
same data differ.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click
from click.core import ParameterSource


def command_line(context: click.Context) -> list[str]:
    """The command with its arguments and the options that were given on the command line."""
    words, arguments = context.command_path.split(), list[str]()
    for parameter in context.command.params:
        name = parameter.name or ""
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params[name]
        values = value if isinstance(value, tuple) else (value,)
        if isinstance(parameter, click.Option):
            words += _option(parameter, values)
        else:
            arguments += map(_word, values)
    return [
        *words,
        *(["--"] if any(word.startswith("-") for word in arguments) else []),
        *arguments,
    ]


def _option(option: click.Option, values: tuple[object, ...]) -> Iterator[str]:
    """An option under its longest name, as often as it has values; a flag has none."""
    name = max(option.opts, key=len)
    for value in values:
        if option.is_flag:
            yield name if value else option.secondary_opts[0]
        else:
            yield from (name, _word(value))


def _word(value: object) -> str:
    """A value as text. An argument may be the name of a dataset or the path of a file."""
    is_path = isinstance(value, Path) or os.path.exists(str(value))  # noqa: PTH110, takes any text
    return Path(str(value)).name if is_path else str(value)
