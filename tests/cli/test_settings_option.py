from typing import Any

import click
import pytest

from graphrings.cli.settings_option import NameValue


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("height=3", 3),
        ("decay = 1e-2", 0.01),
        ("channels=[32, 1]", (32, 1)),
        ("features=label+degree", "label+degree"),
        ("name='two words'", "two words"),
        ("shares=false", False),
        ("shares=True", True),
        ("seed=None", None),
    ],
)
def test_values_as_toml_writes_them_and_bare_words(text: str, value: Any) -> None:
    name, parsed = NameValue().convert(text, None, None)
    assert (name, parsed) == (text.partition("=")[0].strip(), value)
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("height", "'height' is not a setting such as height=3"),
        ("height=", "'height=' is not a setting such as height=3"),
        ("=3", "'=3' is not a setting such as height=3"),
        ("channels=[32, 1", "[32, 1 is no value of TOML such as [1, 2] or 'a b'"),
    ],
)
def test_a_mistake_is_one_line(text: str, message: str) -> None:
    with pytest.raises(click.BadParameter) as caught:
        NameValue().convert(text, None, None)
    assert caught.value.message == message
