import threading

import pytest
import torch

from graphrings.fused.lane import lane, takes_fused_lane

ROWS = torch.ones(2, 3)


@pytest.mark.parametrize(
    ("rows", "fused"),
    [
        (ROWS, True),
        (ROWS.double(), True),
        (ROWS.bfloat16(), False),
        (ROWS.half(), False),
        (ROWS.to("meta"), False),  # any device but the CPU
    ],
    ids=["single", "double", "bfloat16", "half", "another device"],
)
def test_the_fused_lane_is_for_single_and_double_precision_on_the_cpu(
    rows: torch.Tensor, fused: bool
) -> None:
    assert takes_fused_lane(rows) is fused


def test_autocast_takes_the_plain_lane() -> None:
    with torch.autocast("cpu"):
        assert not takes_fused_lane(ROWS)
    assert takes_fused_lane(ROWS)


def test_a_user_chooses_the_lane_for_a_while() -> None:
    with lane(fused=False):
        assert not takes_fused_lane(ROWS)
        with lane(fused=True):
            assert takes_fused_lane(ROWS)
        assert not takes_fused_lane(ROWS)
    assert takes_fused_lane(ROWS)


def test_an_error_switches_back() -> None:
    with pytest.raises(KeyError), lane(fused=False):
        raise KeyError
    assert takes_fused_lane(ROWS)


def test_another_thread_is_not_asked() -> None:
    seen = []
    with lane(fused=False):
        thread = threading.Thread(target=lambda: seen.append(takes_fused_lane(ROWS)))
        thread.start()
        thread.join()
    assert seen == [True]
