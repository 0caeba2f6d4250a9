"""The experiments that come with the package, by name."""

from __future__ import annotations

import os
from pathlib import Path

from graphrings.errors import ExperimentError
from graphrings.spelling import suggestion

SUFFIX = ".toml"
SHIPPED = Path(__file__).parent.parent / "experiments"


def shipped_experiments() -> list[str]:
    """The names of all experiments that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob(f"*{SUFFIX}"))


def experiment_path(name: str | Path) -> Path:
    """The file of an experiment: a path, or a word that is none and names a shipped one."""
    word = str(name)
    if isinstance(name, Path) or os.sep in word or "/" in word or word.endswith(SUFFIX):
        return Path(name)
    if Path(word).is_file():
        return Path(word)
    known = shipped_experiments()
    if word not in known:
        raise ExperimentError(
            f"{word!r}: no such file, and no experiment that comes with graphrings; expected a "
            f"path, or one of {', '.join(known)}{suggestion(word, known)}"
        )
    return SHIPPED / f"{word}{SUFFIX}"
