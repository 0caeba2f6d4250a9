"""Libraries that not everybody has."""

import warnings
from importlib import import_module
from typing import Any

from graphrings.errors import MissingLibraryError


def library(name: str, extra: str) -> Any:
    """A library by its module's name; where it is missing, say how to get it.

    What it says about its own use of others while it is imported is not for our users.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.split(".")[0]:
            raise
        raise MissingLibraryError(
            f"this needs {name.split('.')[0]}, which is not installed: "
            f"pip install 'graphrings[{extra}]'"
        ) from error
