import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from graphrings.graphs.array_cache import ArrayCache, Arrays, read_arrays, write_arrays

MAKE = """
import sys, time
from pathlib import Path
import numpy as np
from graphrings.graphs.array_cache import ArrayCache
folder, calls = map(Path, sys.argv[1:3])

def make():
    with calls.open("a") as file:
        file.write("called\\n")
    time.sleep(float(sys.argv[3]))
    return {"numbers": np.arange(5)}

print(ArrayCache(folder).get("key", make)["numbers"].sum())
"""


def ask(folder: Path, calls: Path, seconds: float) -> subprocess.Popen[bytes]:
    """A process that wants the same arrays, and makes them slowly."""
    words = [sys.executable, "-c", MAKE, folder, calls, str(seconds)]
    return subprocess.Popen(words, stdout=subprocess.PIPE)


def make() -> Arrays:
    return {"one": np.arange(3), "two": np.zeros((0, 2), dtype=np.float32)}


def fail() -> Arrays:
    raise AssertionError("called again")


@pytest.mark.parametrize("on_disk", [True, False])
def test_arrays_are_made_once_for_a_key(tmp_path: Path, on_disk: bool) -> None:
    cache = ArrayCache(tmp_path / "new" / "folder" if on_disk else None)
    first, again = cache.get("key", make), cache.get("key", fail)
    for arrays in (first, again):
        assert list(arrays) == ["one", "two"]
        assert arrays["one"].tolist() == [0, 1, 2]
        assert (arrays["two"].shape, arrays["two"].dtype) == ((0, 2), np.float32)
    assert cache.get("other", lambda: {"x": np.ones(1)})["x"].tolist() == [1]


def test_a_change_stays_private(tmp_path: Path) -> None:
    ArrayCache(tmp_path).get("key", make)["one"][0] = 7
    assert ArrayCache(tmp_path).get("key", fail)["one"].tolist() == [0, 1, 2]


def test_a_key_may_be_any_text(tmp_path: Path) -> None:
    for n, key in enumerate(["../up", "a/b", "ü" * 500, ""]):
        ArrayCache(tmp_path / "in").get(key, lambda n=n: {"x": np.array([n])})
    assert ArrayCache(tmp_path / "in").get("a/b", fail)["x"].tolist() == [1]
    assert list(tmp_path.iterdir()) == [tmp_path / "in"]


def test_two_processes_make_it_once(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    processes = [ask(tmp_path / "in", calls, 0.2) for _ in range(2)]
    assert [process.communicate()[0] for process in processes] == [b"10\n", b"10\n"]
    assert calls.read_text() == "called\n"


def test_a_killed_maker_leaves_the_work_to_the_next(tmp_path: Path) -> None:
    calls, folder = tmp_path / "calls", tmp_path / "in"
    with ask(folder, calls, 60) as process:
        while not calls.exists():
            assert process.poll() is None
        process.kill()
    assert ArrayCache(folder).get("key", make)["one"].tolist() == [0, 1, 2]


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="allow_pickle"):
        write_arrays(tmp_path / "x", {"good": np.ones(3), "bad": np.array([{}])})
    assert list(tmp_path.iterdir()) == []


def test_an_array_of_nothing_is_read_back(tmp_path: Path) -> None:
    write_arrays(tmp_path / "x", {"empty": np.empty(0, dtype=np.int32)})
    assert read_arrays(tmp_path / "x")["empty"].shape == (0,)


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    for name in (".x-1", ".xy-1"):
        (tmp_path / name).mkdir()
    write_arrays(tmp_path / "x", make())
    assert sorted(path.name for path in tmp_path.iterdir()) == [".xy-1", "x"]


def test_of_one_purpose_only_the_latest_arrays_stay(tmp_path: Path) -> None:
    cache, made = ArrayCache(tmp_path), []

    def make(value: int) -> dict[str, np.ndarray]:
        made.append(value)
        return {"a": np.array([value])}

    for key, purpose in [(1, "p"), (1, "p"), (2, "q"), (1, "p"), (2, "p"), (1, "p")]:
        arrays = cache.latest(purpose, str(key), lambda key=key: make(key))
        assert arrays["a"].tolist() == [key]
    assert made == [1, 2, 2, 1]
    assert list(tmp_path.iterdir()) == []
