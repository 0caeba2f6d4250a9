import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrings.fused.lane import lane
from graphrings.layers import SortPool


@given(
    st.lists(st.integers(0, 8), min_size=1, max_size=5),
    st.integers(1, 12),
    st.sampled_from(["all", "last"]),
    st.integers(0, 999),
)
def test_both_lanes_keep_the_same_rows(sizes: list[int], k: int, ties: str, seed: int) -> None:
    """Rows of three small whole numbers: most of them tie somewhere."""
    rng = np.random.default_rng(seed)
    h = torch.from_numpy(rng.integers(-2, 2, size=(sum(sizes), 3)).astype(float))
    often, pool = rng.integers(1, 4, len(h)), SortPool(k, ties)  # type: ignore[arg-type]
    expected = pool(h, sizes, often)
    with lane(fused=False):
        assert torch.equal(pool(h, sizes, often), expected)
