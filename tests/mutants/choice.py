"""Which mutants are tried, and which tests have to notice each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from mutants.operators import Mutant, mutants

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "graphrings"
TESTS = ROOT / "tests"
MOST_STEPS = 3  # from a module to whoever uses it
MOST_FILES = 8  # of tests that are run for a module besides its own


@dataclass(frozen=True)
class Room:
    """A folder of the package whose mistakes change numbers, and where its tests are."""

    name: str
    modules: tuple[str, ...]  # patterns of their names
    tests: tuple[str, ...]
    always: tuple[str, ...] = ()  # files that know every module of the room


TRAINING = ("trainer", "learner", "training_settings", "adam", "schedules", "members")
ROOMS = (
    Room("distances", ("*",), ("distances", "laws")),
    Room("layers", ("*",), ("layers", "laws"), ("layers/test_all_layers",)),
    Room("learning", TRAINING, ("learning",)),
    Room("protocol", ("*",), ("protocol",)),
    Room("results", ("*",), ("results",)),
)
# Tables of measured times and published numbers, and what only hands cells to a cluster.
LEFT_OUT = {"reference_costs", "published", "cluster", "cluster_worker"}
# Tests that know a module by what it does, not by its name.
ALSO = {
    "distances/quotient": ("laws/test_colours", "distances/test_levels", "laws/test_ring_conv"),
    "distances/ring_summary": ("cli/test_rings",),
    "distances/searches": ("distances/test_rings", "laws/test_rings"),
    "distances/walks": ("laws/test_rings", "distances/test_rings", "laws/test_ring_conv"),
    "distances/weighted_rows": ("distances/test_weighted_rows", "layers/test_all_layers"),
    "layers/neighbour_pairs": ("layers/test_gnn_conv",),
    "layers/gin_layer": ("networks/test_gin", "fused/test_gin_stack"),
    "protocol/ignored": ("cli/test_run",),
    "protocol/places": ("protocol/test_experiment",),
    "results/checksums": ("results/test_store", "results/test_faults"),
    "results/database": ("results/test_store", "results/test_faults", "results/test_lost_files"),
    "results/differences": ("results/test_register",),
    "results/soundness": ("cli/test_check",),
}


@dataclass(frozen=True)
class Chosen:
    """A mutant of a file, with a name that says both."""

    room: str
    path: Path
    mutant: Mutant

    @property
    def name(self) -> str:
        """Where it is and what it is."""
        mutant = self.mutant
        place = f"{self.path.relative_to(PACKAGE).as_posix()}:{mutant.line}:{mutant.column}"
        return f"{place} {' '.join(mutant.before.split())} => {' '.join(mutant.after.split())}"


def chosen(seed: str, n_mutants: int) -> list[Chosen]:
    """As many mutants of every room, drawn from a seed, all rooms mixed."""
    rng = Random(seed)  # noqa: S311
    drawn: list[Chosen] = []
    for room in ROOMS:
        every = [Chosen(room.name, p, m) for p in modules(room) for m in mutants(p.read_bytes())]
        drawn += rng.sample(every, min(len(every), n_mutants // len(ROOMS)))
    rng.shuffle(drawn)
    return drawn


def modules(room: Room) -> list[Path]:
    """The files of a room."""
    paths = {path for name in room.modules for path in (PACKAGE / room.name).glob(f"{name}.py")}
    return sorted(path for path in paths if path.stem not in {"__init__", *LEFT_OUT})


def files_that_notice(path: Path) -> list[Path]:
    """The test files of a module: its own and those that name it, else those of whoever uses it."""
    room = next(room for room in ROOMS if room.name == path.parent.name)
    near = [file for folder in room.tests for file in sorted((TESTS / folder).glob("test_*.py"))]
    also = ALSO.get(f"{room.name}/{path.stem}", (f"{room.tests[0]}/test_{path.stem}",))
    own = [file for name in (*also, *room.always) if (file := TESTS / f"{name}.py").exists()]
    wanted = [path]
    for _ in range(MOST_STEPS):
        for files in (near, sorted(TESTS.rglob("test_*.py"))):
            naming = [file for file in files if file not in own and names_any(file, wanted)]
            if own or naming:
                return [file.relative_to(ROOT) for file in own + naming[:MOST_FILES]]
        wanted = [user for user in PACKAGE.rglob("*.py") if names_any(user, wanted)]
    return [file.relative_to(ROOT) for file in near]


def names_any(file: Path, wanted: Iterable[Path]) -> bool:
    """Whether a file imports one of some modules."""
    text = file.read_text(encoding="utf-8")
    return any(re.search(imports(module), text) for module in wanted)


def imports(module: Path) -> str:
    """A pattern of how a module is imported."""
    *above, last = module.relative_to(PACKAGE).with_suffix("").parts
    package = r"\.".join(["graphrings", *above])
    return rf"from {package}\.{last} import|from {package} import [^\n]*\b{last}\b"
