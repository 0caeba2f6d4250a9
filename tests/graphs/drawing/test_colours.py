import numpy as np
import pytest

from graphrings.graphs.drawing import colours


def luminance(colour: str) -> float:
    """As the accessibility guidelines define it."""
    channels = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    light = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(light @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [*colours.CATEGORIES, *colours.RINGS, colours.PLAIN])
def test_text_on_a_node_can_be_read(colour: str) -> None:
    assert contrast(colour, colours.text_on(colour)) >= 4.5


def test_labels_keep_their_colours_when_there_are_many() -> None:
    fills = colours.of_labels(np.arange(20, dtype=np.int32), 20)
    assert fills[0] == fills[len(colours.CATEGORIES)] != fills[1]


def test_no_values_at_all_have_no_colours() -> None:
    assert colours.of_values(np.empty(0)) == []
