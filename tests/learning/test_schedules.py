from graphrings.learning.schedules import Plateau


def test_a_plateau_halves_the_rate_once_per_third_of_the_patience() -> None:
    schedule = Plateau(1.0, 100, patience=6)
    improved = [True, False, False, False, True, False, False]
    assert [schedule.after(n, better) for n, better in enumerate(improved, 1)] == [
        *(1.0, 1.0, 0.5),
        *(0.5, 0.5, 0.5, 0.25),
    ]
