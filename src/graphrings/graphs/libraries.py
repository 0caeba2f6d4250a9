"""Libraries that only some users need: imported when they are used, and asked for in one line."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

from graphrings.errors import MissingLibraryError


def library(module: str, extra: str, purpose: str) -> Any:
    """A module of a library that comes with an extra of the package; ``purpose`` needs it.

    What a library has to say of others that it uses is not for our users.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingLibraryError(
            f"{purpose} needs {name}; install it with: pip install 'graphrings[{extra}]'"
        ) from error
