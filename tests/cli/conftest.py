import pytest


@pytest.fixture(autouse=True)
def no_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are looked up where a test says, not where the user has datasets."""
    monkeypatch.delenv("GRAPHRINGS_DATA", raising=False)
