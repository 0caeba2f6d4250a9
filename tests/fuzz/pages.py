"""Pages of stores: what was drawn or scored before, of the very same content, is not made again.

A changed store differs from the good one in a row or two, while its page has pictures of all rows;
those that nothing has changed take most of the time and can tell nothing new.
"""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

KEPT = 2_000  # results of a function


class ByContent(pickle.Pickler):
    """Names what a function was given; a function made inside another goes by what it encloses."""

    def reducer_override(self, thing: Any) -> Any:
        """Data in the place of a function that has no name of its own."""
        if isinstance(thing, FunctionType) and "<locals>" in thing.__qualname__:
            enclosed = [cell.cell_contents for cell in thing.__closure__ or ()]
            parts = [thing.__module__, thing.__qualname__, enclosed, thing.__defaults__]
            return list, (parts,)
        return NotImplemented


def name_of(*things: Any) -> bytes:
    """The same bytes for the same content."""
    text = io.BytesIO()
    ByContent(text).dump(things)
    return text.getvalue()


def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which knows its latest results by what it was given."""
    known: dict[bytes, Any] = {}

    def recalled(*given: Any, **named: Any) -> Any:
        name = name_of(given, named)
        if name not in known:
            if len(known) == KEPT:
                del known[next(iter(known))]
            known[name] = function(*given, **named)
        return known[name]

    return recalled


@cache
def remember_pictures() -> None:
    """Draw no picture and score no predictions twice in this process, whoever asks for them."""
    from graphrings.report.plots.canvas import picture
    from graphrings.tasks.scores import score_predictions

    modules = [module for name, module in sys.modules.items() if name.startswith("graphrings.")]
    for function in (picture, score_predictions):
        quicker = remembering(function)
        for module in modules:
            for name, value in list(vars(module).items()):
                if value is function:
                    setattr(module, name, quicker)


def read_page(path: Path) -> object:
    """Make the tables and the page of a store."""
    from graphrings.report.printed import table
    from graphrings.report.written import report

    remember_pictures()
    text = str(table(path))
    report(path, path.with_suffix(".html"))
    return text
