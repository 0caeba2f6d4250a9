from hypothesis import given
from hypothesis import strategies as st

from graphrings.graphs.natural_order import natural_key


def test_numbers_inside_names_are_counted() -> None:
    names = ["g10", "g2", "g1a3", "g1a20", "f99", "g02"]
    assert sorted(names, key=natural_key) == ["f99", "g1a3", "g1a20", "g02", "g2", "g10"]


@given(st.lists(st.text(), unique=True))
def test_the_order_depends_on_the_names_alone(names: list[str]) -> None:
    turned = names[::-1]
    assert sorted(names, key=natural_key) == sorted(turned, key=natural_key)


@given(st.lists(st.text("0123456789", min_size=1, max_size=6), min_size=2))
def test_digits_are_sorted_as_numbers(digits: list[str]) -> None:
    assert sorted(digits, key=natural_key) == sorted(digits, key=lambda text: (int(text), text))


def test_digits_without_an_end_are_a_number_too() -> None:
    assert natural_key("g" + 5_000 * "9") < natural_key("g1" + 5_000 * "0")
