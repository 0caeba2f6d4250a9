"""One mutant: a copy of the project with the mistake in it, and its tests run there.

The copy shares its files with the original by hard links, compiled loops included; the machine code
of a loop is named by what it is made from, so a mistake in it is compiled and run. Everything else
has been compiled before: tests are run without any mistake first, in the project itself.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from mutants.choice import PACKAGE, ROOT, Chosen

MOST_SECONDS, LAST_SECONDS = 45, 1800  # of the processor, for a mistake; and for all there is
LEFT_OUT = (".git", ".venv", "build", "dist", ".hypothesis", ".*_cache")
ENDINGS = {0: "survived", 1: "killed", 2: "killed"}  # 2: not even collected


def context() -> Any:
    """Processes that begin with the libraries in memory."""
    made = get_context("forkserver")
    made.set_forkserver_preload(["mutants.preloaded"])
    return made


def tried(processes: Any, chosen: Chosen, folder: Path, tests: Sequence[object]) -> tuple[str, str]:
    """How the tests of a mutant ended, and the test that failed, if one did."""
    shutil.rmtree(folder, ignore_errors=True)
    ignore = shutil.ignore_patterns(*LEFT_OUT)
    shutil.copytree(ROOT, folder, copy_function=os.link, ignore=ignore)
    path = folder / chosen.path.relative_to(ROOT)
    mistaken = chosen.mutant.source(path.read_bytes())
    path.unlink()  # the original has other names
    path.write_bytes(mistaken)
    outcome = ended(processes, folder, folder / "said", tests, MOST_SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    return outcome


def tried_in_peace(processes: Any, said: Path, tests: Sequence[object]) -> tuple[str, str]:
    """The same without any mistake, in the project itself, which keeps what is compiled."""
    return ended(processes, ROOT, said, tests, LAST_SECONDS)


def ended(
    processes: Any, folder: Path, said: Path, tests: Sequence[object], seconds: int
) -> tuple[str, str]:
    """How tests of a folder ended in a process of their own, and the first that failed."""
    names = [str(test) for test in tests]
    process = processes.Process(target=run_tests, args=(folder, said, names, seconds))
    process.start()
    try:
        process.join(LAST_SECONDS)
        over = process.exitcode is None
    finally:
        kill_group(process.pid)
    process.join()
    text = said.read_text(encoding="utf-8", errors="replace")
    failed = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", text, re.MULTILINE)
    if over or process.exitcode == -signal.SIGXCPU:
        return "timed out", ""
    if process.exitcode < 0:
        return "crashed", ""
    if "while loading conftest" in text or "! KeyboardInterrupt !" in text:
        return "killed", ""  # nothing can be imported, or pytest itself was ended
    ending = ENDINGS.get(process.exitcode, "")
    assert ending == "survived" or failed, f"status {process.exitcode}: {text[-2000:]}"
    return ending, failed[0] if failed else ""


def run_tests(folder: Path, said: Path, files: list[str], seconds: int) -> None:
    """Run tests of the project or of a copy; the exit status is that of pytest."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    with said.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    source = str(folder / PACKAGE.parent.relative_to(ROOT))
    os.environ |= {"PYTHONPATH": source, "OMP_NUM_THREADS": "1"}
    sys.dont_write_bytecode = folder != ROOT  # the next copy has it from there
    os.chdir(folder)
    sys.path.insert(0, source)
    import pytest

    import graphrings

    assert Path(graphrings.__file__).is_relative_to(folder), graphrings.__file__
    find_only()
    options = ["-rfE", "--no-header", "--tb=no"]
    options += ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", f"--rootdir={folder}"]
    os._exit(pytest.main([*options, *files]))


def find_only() -> None:
    """Let hypothesis make no smaller examples of those that fail: one is enough."""
    from hypothesis import Phase, settings

    load = settings.load_profile

    def load_without_shrinking(name: str) -> None:
        phases = [Phase.explicit, Phase.generate]
        settings.register_profile("find only", settings.get_profile(name), phases=phases)
        load("find only")

    type.__setattr__(settings, "load_profile", staticmethod(load_without_shrinking))


def kill_group(leader: int) -> None:
    """End whatever a trial has left."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return
