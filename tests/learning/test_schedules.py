import pytest

from graphrings.learning.schedules import Constant, Cosine, Plateau


def test_a_constant_rate_stays() -> None:
    schedule = Constant(0.1, 4, patience=1)
    assert [schedule.after(n, improved=False) for n in range(4)] == [0.1] * 4


def test_a_cosine_begins_at_the_rate_and_ends_at_0() -> None:
    schedule = Cosine(2.0, 4, patience=1)
    rates = [schedule.after(n, improved=True) for n in range(5)]
    assert rates == pytest.approx([2.0, 1 + 0.5**0.5, 1.0, 1 - 0.5**0.5, 0.0])


def test_a_plateau_halves_the_rate_once_per_third_of_the_patience() -> None:
    schedule = Plateau(1.0, 100, patience=6)
    improved = [True, False, False, False, True, False, False]
    assert [schedule.after(n, better) for n, better in enumerate(improved, 1)] == [
        *(1.0, 1.0, 0.5),
        *(0.5, 0.5, 0.5, 0.25),
    ]
