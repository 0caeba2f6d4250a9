from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrings.results.store import Store
from results.samples import card


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store may be made."""
    return tmp_path / "results.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A store that is open for writing and knows the small experiment."""
    with Store.write(path) as opened:
        opened.register(card())
        yield opened
