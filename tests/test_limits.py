"""Memory is asked for before it is taken, and a long wait is announced."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrings import limits
from graphrings.errors import MemoryLimitError, TimeNote
from graphrings.limits import STEPS_A_SECOND, Work, begin, bytes_of, in_bytes, memory_limit

KIND = "edges of searches"


def test_what_does_not_fit_is_refused_with_the_way_out() -> None:
    begin(Work("a table", "take less", 1000.0), limit=1000)
    message = r"^a table would take about 1\.0 KB, over the limit of 999 bytes; take less$"
    with pytest.raises(MemoryLimitError, match=message):
        begin(Work("a table", "take less", 1000.0), limit=999)


def test_what_takes_more_than_a_minute_is_announced() -> None:
    begin(Work("a search", "take less", kind=KIND, n_steps=59 * STEPS_A_SECOND[KIND]))
    long = Work("a search", "take less", kind=KIND, n_steps=600 * STEPS_A_SECOND[KIND])
    with pytest.warns(TimeNote, match=r"^a search may take about 10 min; take less$"):
        begin(long)


def machine(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> None:
    """A machine of 16 GB with 8 GB free, and what else its system says."""
    monkeypatch.setattr(limits, "PROC", folder / "proc")
    monkeypatch.setattr(limits, "GROUPS", folder / "groups")
    sizes = {"SC_PAGE_SIZE": 1 << 12, "SC_PHYS_PAGES": 1 << 22}
    monkeypatch.setattr(limits.os, "sysconf", sizes.__getitem__)
    for name, text in {"proc/meminfo": f"MemAvailable: {8 << 20} kB\n", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({}, 8 << 30),
        ({"proc/meminfo": "MemTotal: 1 kB\nMemAvailable: 3072 kB\n"}, 3 << 20),
        ({"proc/meminfo": "nonsense"}, 8 << 30),
        (
            {
                "proc/self/cgroup": "0::/jobs/mine\n",
                "groups/jobs/mine/memory.max": "max\n",
                "groups/jobs/memory.max": f"{4 << 30}\n",
                "groups/jobs/memory.current": f"{3 << 30}\n",
                "groups/jobs/memory.stat": f"anon 5\ninactive_file {1 << 29}\n",
            },
            3 << 29,
        ),
        (
            {
                "proc/self/cgroup": "5:cpu:/\n4:memory:/box\n0::/\n",
                "groups/memory/memory.limit_in_bytes": f"{4 << 30}\n",
                "groups/memory/memory.usage_in_bytes": "1000\n",
            },
            2 << 30,
        ),
    ],
    ids=["half", "what is free", "not told", "group", "older group"],
)
def test_the_limit_is_half_of_the_memory_and_no_more_than_is_free(
    files: dict[str, str], limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(tmp_path, monkeypatch, **files)
    assert memory_limit() == limit


def test_a_limit_of_the_process_holds() -> None:
    code = "from graphrings.limits import memory_limit; print(memory_limit())"

    def cap() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))

    words = [sys.executable, "-c", code]
    said = subprocess.run(words, capture_output=True, text=True, preexec_fn=cap, check=True)
    assert 1 << 28 < int(said.stdout) < 1 << 29


def test_sizes_for_people() -> None:
    said = [in_bytes(count) for count in (0, 999, 1000, 18.6e9, 5e15)]
    assert said == ["0 bytes", "999 bytes", "1.0 KB", "18.6 GB", "5000.0 TB"]


@given(st.integers(1, 999), st.sampled_from(["KB", "MB", "GB", "TB"]))
def test_a_size_is_written_as_it_is_read(count: int, unit: str) -> None:
    size = bytes_of(f" {count}{unit.lower()} ")
    assert in_bytes(size) == f"{count}.0 {unit}"


@pytest.mark.parametrize("wrong", ["", "GB", "2", "2 G", "-1GB", "1e3MB", "0.0001KB", "nanGB"])
def test_what_is_no_size_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="expected such as 2GB or 500MB"):
        bytes_of(wrong)
