import torch

from graphrings.layers.dropout import kept_factors


def factors(dropped: float, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    torch.manual_seed(0)
    kept = kept_factors((200, 100), dropped, torch.empty(1, dtype=dtype))
    assert kept is not None
    return kept


def test_so_many_are_dropped_and_the_others_make_up_for_it() -> None:
    """Four standard deviations of the share are 0.013."""
    kept = factors(0.3)
    assert sorted(set(kept.flatten().tolist())) == [0, 1 / 0.7]
    assert abs(float((kept == 0).double().mean()) - 0.3) < 0.013


def test_both_precisions_drop_the_same() -> None:
    kept = factors(0.5, torch.float32)
    assert kept.dtype == torch.float32
    assert torch.equal(kept.double(), factors(0.5))


def test_nothing_dropped_draws_no_numbers() -> None:
    before = torch.get_rng_state()
    assert kept_factors((2, 3), 0.0, torch.empty(1)) is None
    assert torch.equal(torch.get_rng_state(), before)


def test_other_devices_need_no_double_precision() -> None:
    kept = kept_factors((2, 3), 0.5, torch.empty(1, device="meta"))
    assert kept is not None
    assert (kept.device.type, kept.dtype, kept.shape) == ("meta", torch.float32, (2, 3))
