"""The option --set NAME=VALUE of verbs that build a method."""

import tomllib
from typing import Any

import click

PYTHON = {"True": True, "False": False, "None": None}  # as messages spell them
TOML_BEGINS = ("[", "{", '"', "'")


class NameValue(click.ParamType[tuple[str, Any]]):
    """A name and a value as TOML writes it; a word needs no quotes, and a list becomes a tuple."""

    name = "name=value"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Any]:
        """The setting as a pair."""
        if isinstance(value, tuple):
            return value
        name, _, text = (part.strip() for part in value.partition("="))
        if not text or not name.isidentifier():
            self.fail(f"{value!r} is not a setting such as height=3", param, ctx)
        if text in PYTHON:
            return name, PYTHON[text]
        try:
            parsed = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            if text.startswith(TOML_BEGINS):
                self.fail(f"{text} is no value of TOML such as [1, 2] or 'a b'", param, ctx)
            return name, text
        return name, tuple(parsed) if isinstance(parsed, list) else parsed


further = click.option(
    "--set",
    "further",
    multiple=True,
    type=NameValue(),
    help="Any other setting, for example height=3.",
)
