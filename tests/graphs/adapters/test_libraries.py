import warnings

import pytest

from graphrings.errors import MissingLibraryError
from graphrings.graphs.adapters.libraries import library


def test_a_missing_library_says_how_to_get_it() -> None:
    with pytest.raises(MissingLibraryError) as error:
        library("no_such_thing.inside", "chem")
    assert str(error.value) == (
        "this needs no_such_thing, which is not installed: pip install 'graphrings[chem]'"
    )


def test_a_library_is_what_is_imported() -> None:
    assert library("warnings", "none") is warnings
