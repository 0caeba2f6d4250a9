import ast

from mutants.choice import ROOMS, chosen, files_that_notice, modules
from mutants.operators import mutants


def after(source: str) -> set[str]:
    """All that may become of a source, spelled as Python spells it."""
    text = source.encode()
    return {ast.unparse(ast.parse(mutant.source(text))) for mutant in mutants(text)}


def test_comparisons_move_their_bound_and_turn_round() -> None:
    assert after("a < b") == {"a <= b", "a > b"}
    assert after("a is None") == {"a is not None"}


def test_arithmetic_is_swapped_and_numbers_are_off_by_one() -> None:
    assert after("a + 1") == {"a - 1", "a + 2", "a + 0"}
    assert after("a *= b") == {"a /= b"}


def test_conditions_and_returns_change() -> None:
    assert after("a and not b") == {"a or not b", "a and b"}
    assert after("def f(x):\n    if x:\n        return x") == {
        "def f(x):\n    if not x:\n        return x",
        "def f(x):\n    if x:\n        return None",
    }


def test_words_types_and_errors_are_left_alone() -> None:
    assert after('def f(x: "A < B") -> "1":\n    """One < 2."""\n    raise E(1 + 2)') == set()


def test_bytes_are_counted_not_signs() -> None:
    assert after('a = "☃" if b == 1 else c') >= {"a = '☃' if b != 1 else c"}


def test_the_sample_depends_on_its_seed_alone_and_has_all_rooms() -> None:
    sample = chosen("a", 50)
    assert [one.name for one in sample] == [one.name for one in chosen("a", 50)]
    assert [one.name for one in sample] != [one.name for one in chosen("b", 50)]
    assert {one.room for one in sample} == {room.name for room in ROOMS}
    assert len({one.name for one in sample}) == 50


def test_every_module_has_tests_that_could_notice() -> None:
    assert all(files_that_notice(path) for room in ROOMS for path in modules(room))
