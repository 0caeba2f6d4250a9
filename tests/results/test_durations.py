import pytest

from graphrings.results.durations import duration


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
