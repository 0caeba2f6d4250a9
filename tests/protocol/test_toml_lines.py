import functools
import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrings.protocol.toml_lines import Keys, line_of, statements

TEXT = '''# name = "a comment"
name = "x" # [methods.other]

datasets = [ # a list of
    "MUTAG", # two ] names
    "PTC",
]
note = """
seed = 3
[methods.hidden] \\""" still "" text"""
'single.quoted' = 'no # comment'
seed=1

[methods.dgcnn]
[ methods . "r = 2, \\u00e9" ] # a row
method = "pgc-dgcnn"
settings = { radius = 2, channels = [1, 2], text = "}" }
grid.learning_rate = [1e-3,
    1e-4]
grid."drop out" = []
[methods.'literal \\n'.settings]
radius = 1
[[many]]
a = 1
[[many]]
a = 2'''


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("name",), 2),
        (("datasets",), 4),
        (("note",), 8),
        (("single.quoted",), 11),
        (("seed",), 12),
        (("methods",), 14),
        (("methods", "dgcnn"), 14),
        (("methods", "r = 2, é"), 15),
        (("methods", "r = 2, é", "method"), 16),
        (("methods", "r = 2, é", "settings"), 17),
        (("methods", "r = 2, é", "settings", "channels"), 17),
        (("methods", "r = 2, é", "grid"), 18),
        (("methods", "r = 2, é", "grid", "drop out"), 20),
        (("methods", "literal \\n"), 21),
        (("methods", "literal \\n", "settings", "radius"), 22),
        (("many", "a"), 24),
        (("nowhere",), 1),
        (("methods", "nowhere"), 1),
        (("methods", "dgcnn", "nowhere"), 14),
        ((), 2),
    ],
)
def test_the_line_of_a_key(keys: Keys, line: int) -> None:
    tomllib.loads(TEXT)
    assert line_of(TEXT, keys) == line


def test_the_line_of_a_key_inside_a_table_at_the_top() -> None:
    assert line_of("seed = 1\ndatasets = { a = 1 }\n", ("datasets", "a")) == 2


def test_an_empty_text_has_one_line() -> None:
    assert line_of("", ("name",)) == 1
    assert line_of("# nothing\n", ("name",)) == 1


VALUES = [
    "1",
    "true",
    "1979-05-27",
    '"text"',
    "'it'",
    '"]"',
    '"""two\n[lines] = """',
    "'''\na = 1'''",
    '["a", # b]\n  [1, 2]]',
    "{ a = [1], b = { c = 2 } }",
    '"\\"["',
    "1 # } [",
]
BETWEEN = ["", "\n", "# [x]\n", '  # y = """\n\n', "\t\r\n"]
words = st.text("ab .=[]#'\"{", max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[tuple[int, Keys]]]:
    """Any statements, with the line and the path of each; numbers keep the keys apart."""
    text, header, expected = "", (), []
    for n in range(draw(st.integers(0, 6))):
        path = (f"{n}{draw(words)}", draw(words))
        dotted = " . ".join(json.dumps(word) for word in path)
        text += draw(st.sampled_from(BETWEEN))
        line = text.count("\n") + 1
        if draw(st.booleans()):
            header, text = path, f"{text}[ {dotted} ] # header\n"
            expected.append((line, header))
        else:
            text += f" {dotted}= {draw(st.sampled_from(VALUES))}\n"
            expected.append((line, header + path))
    return text, expected


@given(texts())
def test_every_statement_is_found_in_its_line(drawn: tuple[str, list[tuple[int, Keys]]]) -> None:
    text, expected = drawn
    tree = tomllib.loads(text)
    assert list(statements(text)) == expected
    for line, path in expected:
        assert line_of(text, path) == line
        assert functools.reduce(dict.__getitem__, path, tree) is not None
