"""Inputs that coverage leads to: python -m fuzz.guided DOOR [-max_total_time=N] [...].

For doors whose input is one file, by atheris (libFuzzer), which is no part of the dev extra:
``pip install atheris``. It goes on from what it has kept in build/fuzz/guided/DOOR and ends at the
first input that breaks something, which it writes beside.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

# The checks of what comes from elsewhere; compiled loops are left out: numba reads their code.
WATCHED = [
    *("graphrings.graphs.formats", "graphrings.graphs.tables", "graphrings.graphs.adapters"),
    *("graphrings.graphs.files", "graphrings.graphs.text", "graphrings.learning.model_schema"),
    *("graphrings.learning.persistence", "graphrings.results", "graphrings.protocol.experiment"),
    *("graphrings.protocol.toml_file", "graphrings.protocol.toml_lines"),
]


def main() -> None:
    """Let libFuzzer change the files of a door; what it finds is a crash to it."""
    import atheris

    with atheris.instrument_imports(include=WATCHED):
        from fuzz.doors import DOORS

    from fuzz.child import cap_memory, lay_down, quiet, tried

    quiet()
    cap_memory()
    name, *options = sys.argv[1:]
    door, scratch = DOORS[name], Path(mkdtemp(prefix="graphrings-fuzz-")) / "input"
    kept = Path("build/fuzz/guided") / name
    kept.mkdir(parents=True, exist_ok=True)
    seeds = [next(iter(files.items())) for files in door.seeds() if len(files) == 1]
    names = sorted({file for file, _ in seeds})  # the first byte says which
    for k, (file, content) in enumerate(seeds):
        (kept / f"seed-{k}").write_bytes(bytes([names.index(file)]) + content)

    def attempt(content: bytes) -> None:
        file = names[content[0] % len(names)] if content else names[0]
        lay_down({file: content[1:]}, scratch)
        fault: Any = tried(door.enter, scratch)  # libFuzzer watches the time
        if fault:
            raise AssertionError(fault)

    prefix = f"-artifact_prefix={kept.parent}/{name}-"
    atheris.Setup(
        [sys.argv[0], str(kept), prefix, "-timeout=10", "-rss_limit_mb=0", *options], attempt
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
