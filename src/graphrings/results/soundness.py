"""Looking a store over: what it holds, and what of it is damaged."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphrings.errors import DamagedCellWarning
from graphrings.results.store import Store


@dataclass(frozen=True)
class Experiment:
    """How much of an experiment can be read, and what is damaged, in words."""

    name: str
    n_sound: int
    n_held: int
    n_cells: int
    trouble: tuple[str, ...]


@dataclass(frozen=True)
class Examination:
    """What was found in a store; ``pages`` are what SQLite says of the file."""

    path: Path
    pages: tuple[str, ...]
    experiments: tuple[Experiment, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is damaged."""
        return not self.pages and not any(one.trouble for one in self.experiments)

    def lines(self) -> Iterator[str]:
        """A report for people."""
        yield from (f"{self.path}: {line}" for line in self.pages)
        for one in self.experiments:
            sound = "all sound" if one.n_sound == one.n_held else f"{one.n_sound:,} of them sound"
            yield f"{one.name}: {one.n_held:,} of {one.n_cells:,} cells are finished, {sound}"
            yield from (f"{one.name}: {line}" for line in one.trouble)
        yield f"{self.path}: {'sound' if self.sound else 'damaged'}"


def examine(path: Path) -> Examination:
    """Read every page and every row of a store."""
    with Store.read(path) as store:
        pages = tuple(store.damaged_pages())
        return Examination(
            path, pages, tuple(_examined(store, name) for name in store.experiments())
        )


def _examined(store: Store, name: str) -> Experiment:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", DamagedCellWarning)
        n_sound = sum(1 for _ in store.each_record(name))
        store.failures(name)
    trouble = tuple(str(one.message).removeprefix(f"{store.path}: ") for one in told)
    return Experiment(name, n_sound, store.n_held(name), store.card(name).n_cells, trouble)
