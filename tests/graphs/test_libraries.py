import sys
import warnings
from pathlib import Path

import pytest

from graphrings.errors import MissingLibraryError
from graphrings.graphs.libraries import library


def test_a_missing_library_says_how_to_get_it() -> None:
    with pytest.raises(MissingLibraryError) as error:
        library("no_such_thing.inside", "chem", "a test")
    assert str(error.value) == (
        "a test needs no_such_thing; install it with: pip install 'graphrings[chem]'"
    )


def test_what_a_library_says_of_others_is_not_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "import warnings\nwarnings.warn('old', DeprecationWarning)\nANSWER = 42\n"
    (tmp_path / "talks_of_others.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "talks_of_others", raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert library("talks_of_others", "none", "a test").ANSWER == 42
