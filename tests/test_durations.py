import pytest

from graphrings.durations import duration, seconds_of
from graphrings.errors import SettingError


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-3, "0 s"),
        (1.4, "1 s"),
        (89, "89 s"),
        (119, "2 min"),
        (600, "10 min"),
        (9000, "2.5 h"),
        (200_000, "2.3 days"),
    ],
)
def test_times_as_people_say_them(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("time", "seconds"),
    [("90s", 90), ("10m", 600), ("10 min", 600), ("1.5h", 5400), ("45", 45), (45, 45), (0.5, 0.5)],
)
def test_a_time_has_a_unit_or_is_in_seconds(time: float | str, seconds: float) -> None:
    assert seconds_of(time) == seconds


@pytest.mark.parametrize("time", ["", "m", "10 d", "-3m", "0s", 0, -1, float("inf"), "1e3s", "ten"])
def test_what_is_no_time_is_refused_with_an_example(time: float | str) -> None:
    with pytest.raises(SettingError, match=r"expected such as 90s, 10m or 1.5h"):
        seconds_of(time)
