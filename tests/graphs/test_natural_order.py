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
