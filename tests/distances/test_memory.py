import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrings.distances.memory import bytes_of, in_bytes


@given(st.integers(1, 999), st.sampled_from(["KB", "MB", "GB", "TB"]))
def test_a_size_is_written_as_it_is_read(count: int, unit: str) -> None:
    size = bytes_of(f" {count}{unit.lower()} ")
    assert in_bytes(size) == f"{count}.0 {unit}"


@pytest.mark.parametrize("wrong", ["", "GB", "2", "2 G", "-1GB", "1e3MB", "0.0001KB", "nanGB"])
def test_what_is_no_size_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="expected such as 2GB or 500MB"):
        bytes_of(wrong)
