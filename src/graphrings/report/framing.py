"""The frame of every page: style, script, contents. One file that needs no network.

The script is allowed by its hash and nothing else is; without it everything can still be read.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

PAGE = "page.html.j2"


def framed(template: str = PAGE, /, **content: Any) -> str:
    """A page from one of the templates.

    ``page.html.j2`` itself wants a ``title``, the sentences of its ``lead``, ``sections`` as pairs
    of an id and a title, and a ``body`` of markup; other templates extend it.
    """
    script = part("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    shared = {
        "style": Markup("\n".join(map(part, ("colours.css", "chart.css", "page.css")))),  # noqa: S704
        "script": Markup(script),  # noqa: S704
        "script_hash": f"sha256-{digest}",
    }
    return clean(_templates().get_template(template).render({**shared, **content}))


@cache
def part(name: str) -> str:
    """A file that lies beside the templates."""
    return (files("graphrings.report") / "templates" / name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=PackageLoader("graphrings.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["unbroken"] = unbroken
    return templates


def unbroken(sentence: str) -> str:
    """The sentence with no line between a number and its percent sign."""
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", sentence)


def clean(text: str) -> str:
    """The text without letters that no file of UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")
