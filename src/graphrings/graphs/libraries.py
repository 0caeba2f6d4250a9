"""Libraries that only some users need: imported when they are used, and asked for in one line."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from graphrings.errors import MissingLibraryError


def library(module: str, extra: str, purpose: str) -> Any:
    """A module of a library that comes with an extra of the package; ``purpose`` needs it."""
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingLibraryError(
            f"{purpose} needs {name}; install it with: pip install 'graphrings[{extra}]'"
        ) from error
