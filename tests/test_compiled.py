"""Kept machine code is made again when anything changes that it was made from."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import pytest
from numba.core.caching import NullCache

from graphrings.compiled import OPTIONS, LoopCache, compiled, parts
from graphrings.hardware import WRITTEN, fetch
from graphrings.locks import locked
from graphrings.loops import mixed
from graphrings.networks.batches import descend

PRIMITIVES = """
from graphrings.compiled import compiled
FACTOR = 3

@compiled
def scaled(x):
    return FACTOR * x
"""
CALLERS = """
import numpy as np
from graphrings.compiled import compiled
from loops_of_a_test import primitives
from loops_of_a_test.primitives import FACTOR, scaled

OFFSETS = np.array([1, 2])

@compiled
def by_name(x):
    return between(x) + 1

@compiled
def between(x):
    return scaled(x)

@compiled
def by_module(x):
    return primitives.scaled(x) + primitives.FACTOR

@compiled
def constants(x):
    return x * FACTOR + OFFSETS[1]

@compiled
def itself(n):
    return 0 if n == 0 else scaled(n) + itself(n - 1)
"""
SCRIPT = """
from loops_of_a_test import callers
for name in ("by_name", "by_module", "constants", "itself"):
    loop = getattr(callers, name)
    print(name, loop(10), "made" if getattr(loop, "_cache_misses", None) else "kept")
"""
NAMES = ("by_name", "by_module", "constants", "itself")
Results = dict[str, tuple[int, str]]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "loops_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "primitives.py").write_text(PRIMITIVES)
    (folder / "callers.py").write_text(CALLERS)
    return folder


@pytest.fixture
def in_a_process(tmp_path: Path) -> Callable[..., Results]:
    """Call all loops in a new process: what each returned, and whether it had to be compiled."""

    def run(**variables: str) -> Results:
        path = os.pathsep.join([str(tmp_path), *sys.path])
        environment = {**os.environ, "PYTHONPATH": path, **variables}
        words = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        lines = [line.split() for line in done.stdout.splitlines()]
        return {name: (int(value), how) for name, value, how in lines}

    return run


@pytest.mark.slow
def test_a_change_of_what_is_called_reaches_every_caller(
    package: Path, in_a_process: Callable[..., Results]
) -> None:
    """Only the file of the primitives changes; callers of callers, in whatever way, follow."""
    first = dict(zip(NAMES, (31, 33, 32, 165), strict=True))
    assert in_a_process() == {name: (value, "made") for name, value in first.items()}
    assert in_a_process() == {name: (value, "kept") for name, value in first.items()}
    kept = set(package.glob("__pycache__/*.nbc"))

    (package / "primitives.py").write_text(PRIMITIVES.replace("FACTOR = 3", "FACTOR = 5"))
    constant = dict(zip(NAMES, (51, 55, 52, 275), strict=True))
    assert in_a_process() == {name: (value, "made") for name, value in constant.items()}
    assert len(kept) == len(set(package.glob("__pycache__/*.nbc")))  # old files are not heaped up

    changed = PRIMITIVES.replace("return FACTOR * x", "return FACTOR * x + 1")
    (package / "primitives.py").write_text(changed)
    code = dict(zip(NAMES, (32, 34, 32, 175), strict=True))
    assert in_a_process() == {name: (value, "made") for name, value in code.items()}


AT_ONCE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from loops_of_a_test import callers

print("ready", flush=True)
sys.stdin.readline()
loops = [getattr(callers, name) for name in ("by_name", "by_module", "constants", "itself")]
with ThreadPoolExecutor(len(loops)) as threads:
    values = list(threads.map(lambda loop: loop(10), loops))
print(*values, sum(sum(loop._cache_misses.values()) for loop in loops))
"""


@pytest.mark.slow
def test_two_processes_at_once_compile_every_loop_once(package: Path) -> None:
    """In whatever order their threads come to the loops."""
    path = os.pathsep.join([str(package.parent), *sys.path])
    begun = [
        subprocess.Popen(
            [sys.executable, "-c", AT_ONCE],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    assert [process.stdout and process.stdout.readline() for process in begun] == ["ready\n"] * 2
    for process in begun:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate()[0].split() for process in begun]
    assert [words[:4] for words in said] == [["31", "33", "32", "165"]] * 2
    assert sum(int(words[4]) for words in said) == len(NAMES)
    assert not list(package.glob("__pycache__/*.lock"))


@pytest.mark.slow
def test_a_loop_inside_another_waits_for_nobody(
    package: Path, in_a_process: Callable[..., Results]
) -> None:
    """Two processes that compile loops inside each other would wait for each other for ever."""
    in_a_process()
    for kept in package.glob("__pycache__/*.nbc"):
        kept.unlink()
        if kept.name.startswith("primitives.scaled"):
            inner = kept.with_suffix(".lock")
    patient = package / "__init__.py"
    patient.write_text("import graphrings.compiled\ngraphrings.compiled.PATIENCE = 1e6\n")
    with locked(inner):
        assert {how for _, how in in_a_process().values()} == {"made"}


@pytest.mark.slow
def test_what_cannot_be_locked_is_compiled_all_the_same(
    package: Path, in_a_process: Callable[..., Results]
) -> None:
    in_a_process()
    for kept in package.glob("__pycache__/*.nbc"):
        kept.unlink()
        kept.with_suffix(".lock").mkdir()
    assert in_a_process()["itself"] == (165, "made")
    assert in_a_process()["itself"] == (165, "kept")


@pytest.mark.slow
def test_only_what_changes_machine_code_is_compiled_again(
    package: Path, in_a_process: Callable[..., Results]
) -> None:
    """Comments, and lines that move, change nothing; an array of constants does."""
    in_a_process()
    for file in package.glob("*s.py"):
        text = file.read_text().replace("array([1, 2])", "array([1, 7])")
        file.write_text("# A comment, and all lines move.\n\n" + text)
    results = in_a_process()
    assert results.pop("constants") == (37, "made")
    assert {how for _, how in results.values()} == {"kept"}


def test_a_constant_is_no_type_of_its_own() -> None:
    """A loop that is called with a number and with a constant is compiled for numbers, once."""

    @compiled
    def twice(number: int) -> int:
        return 2 * number

    @compiled
    def called(number: int) -> int:
        return twice(number) + twice(5)

    twice._cache = called._cache = NullCache()  # type: ignore[attr-defined]  # compiled now
    assert called(1) == 12
    assert len(twice.signatures) == 1  # type: ignore[attr-defined]


def test_the_key_follows_options_and_types(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = LoopCache(mixed.py_func)  # type: ignore[attr-defined]
    codegen = mixed.targetctx.codegen()  # type: ignore[attr-defined]
    key = cache._index_key((numba.uint64,), codegen)
    assert cache._index_key((numba.uint64,), codegen) == key
    user, made_from = cache._index_key((numba.int64,), codegen)
    assert user != key[0]
    assert made_from == key[1]
    monkeypatch.setitem(OPTIONS, "fastmath", True)
    user, made_from = cache._index_key((numba.uint64,), codegen)
    assert user == key[0]
    assert made_from != key[1]


def test_the_key_follows_machine_code_that_is_written_by_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where a loop of another file is called, which is the one that asks for memory."""

    @compiled
    def calls(*arguments: object) -> object:
        return descend(*arguments)  # type: ignore[arg-type]

    def made_from() -> list[str]:
        return list(parts(calls.py_func, set()))  # type: ignore[attr-defined]

    before = made_from()
    assert made_from() == before
    monkeypatch.setitem(vars(fetch), "made_from", [*WRITTEN, lambda: None])
    assert made_from() != before


@pytest.mark.slow
def test_where_no_folder_can_be_written_to_every_process_compiles(
    package: Path, in_a_process: Callable[..., Results]
) -> None:
    (package / "__init__.py").write_text(
        "from numba.core.caching import CacheImpl\nCacheImpl._locator_classes = []\n"
    )
    assert in_a_process()["itself"] == (165, "made")
    assert not list(package.glob("__pycache__/*.nb*"))


def test_loops_run_without_a_compiler(package: Path, in_a_process: Callable[..., Results]) -> None:
    assert in_a_process(NUMBA_DISABLE_JIT="1")["itself"] == (165, "kept")
    assert not list(package.glob("__pycache__/*.nb*"))


SAME_ANSWERS = """
import numpy as np
import graphrings as gr
from graphrings.graphs.text import scanned_table
from graphrings.kernels.names import build

molecules = gr.load("MUTAG")
gr.write(molecules, "dgcnn.txt")
print(molecules.fingerprint, gr.read("dgcnn.txt").fingerprint)
print(scanned_table(b"1, -20\\n3000, 999999999999999999\\n", "place", 2).tolist())
few = molecules[:6]
print(gr.rings(few, 3).indices.sum(), gr.audit(few).ceiling)
for name in ("wl", "nspdk", "odd-sth", "shortest-path"):
    print(name, build(name).fit_transform(few).round(6).tolist())
"""


NAMES_OF_LOOPS = """
import sys
from importlib import import_module
from pathlib import Path

from numba.core.dispatcher import Dispatcher

import graphrings
from graphrings.compiled import digest, parts

folder = Path(graphrings.__file__).parent
for path in sorted(folder.rglob("*.py")):
    if "compiled import" in path.read_text():
        import_module(".".join(("graphrings", *path.relative_to(folder).with_suffix("").parts)))
for module, contents in sorted(sys.modules.items()):
    for name, value in sorted(vars(contents).items()):
        if module.startswith("graphrings.") and isinstance(value, Dispatcher):
            print(module, name, digest(parts(value.py_func, set())))
"""


@pytest.mark.slow
def test_all_processes_find_what_is_kept_of_a_loop() -> None:
    """By names that depend on no place in memory and on no order of a set."""

    def names(hash_seed: str) -> list[str]:
        variables = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": hash_seed}
        words = [sys.executable, "-c", NAMES_OF_LOOPS]
        told = subprocess.run(
            words, env={**os.environ, **variables}, capture_output=True, text=True
        )
        assert told.returncode == 0, told.stderr
        return told.stdout.splitlines()

    one, other = names("1"), names("2")
    assert len(one) > 100
    assert one == other


@pytest.mark.slow
def test_what_is_read_and_computed_is_the_same_without_a_compiler(tmp_path: Path) -> None:
    """Numbers of 8 bits wrap around in Python where machine code has made them wider."""

    def answers(**variables: str) -> str:
        words = [sys.executable, "-W", "error::RuntimeWarning", "-c", SAME_ANSWERS]
        return subprocess.run(
            words,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert answers(NUMBA_DISABLE_JIT="1") == answers()
