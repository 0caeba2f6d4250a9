"""THE short list of `fit`: what is tried, and for how many graphs. A new candidate is one entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphrings.methods import find
from graphrings.results.record import REFIT, MethodCard
from graphrings.tasks import Task

MOST_PAIRED = 5_000  # graphs: a table of all pairs takes 200 MB then, one for every height
MOST_SORTED = 10_000  # graphs: a fold of a forest, or of a network, takes half an hour beyond


@dataclass(frozen=True)
class Candidate:
    """A registered method, why it is worth the time, and for how many graphs.

    ``settings`` are fixed; ``grid`` is what is tried, where that is not the registered one.
    ``members`` are those of a committee.
    """

    method: str
    why: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, tuple[Any, ...]] | None = None
    more_than: int = 0
    at_most: int | None = None
    members: tuple[Candidate, ...] = ()

    def suits(self, n_graphs: int) -> bool:
        """Whether it is meant for so many graphs."""
        return self.more_than < n_graphs and (self.at_most is None or n_graphs <= self.at_most)

    def settings_known(self, task: Task) -> set[str]:
        """The names of all settings that it, or a member of it, has."""
        own = find(self.method).parameters(task)
        return {*own, *(name for one in self.members for name in one.settings_known(task))}

    def fixing(self, settings: Mapping[str, Any], task: Task) -> Candidate:
        """The same with fixed values of those settings that it, or a member of it, has."""
        method = find(self.method)
        known = method.parameters(task)
        own = {name: value for name, value in settings.items() if name in known}
        if own:
            method.check(own, task)
        members = tuple(member.fixing(settings, task) for member in self.members)
        return replace(self, settings={**self.settings, **own}, members=members)

    def card(self, task: Task) -> MethodCard:
        """The row of an experiment: what does not stop early is tested after a refit."""
        method = find(self.method)
        grid = {name: tuple(values) for name, values in self._tried().items()}
        registered = {name: value for name, value in method.settings.items() if name not in grid}
        seats = {"members": [member._seat() for member in self.members]} if self.members else {}
        settings = {**registered, **seats, **self.settings}
        if not method.build(settings, 0, task).stops_early:
            settings[REFIT] = True
        return MethodCard(
            method.name, method.name, settings, grid, method.citation, method.revision
        )

    def _seat(self) -> dict[str, Any]:
        """As a member of a committee."""
        grid = {name: list(values) for name, values in self._tried().items()}
        return {"method": self.method, "settings": dict(self.settings), "grid": grid}

    def _tried(self) -> Mapping[str, Sequence[Any]]:
        grid = find(self.method).grid if self.grid is None else self.grid
        return {name: values for name, values in grid.items() if name not in self.settings}


PENALTIES = (0.1, 1.0, 10.0, 100.0)
FOREST = Candidate(
    "ring-forest",
    "trees on counts of label pairs at every distance: strong; they sort graphs at every split",
    at_most=MOST_SORTED,
)
BOOSTING = Candidate(
    "ring-boosting",
    "the same counts under trees that correct each other: ahead where they add up",
    grid={"radius": (2,)},
)
ASSIGNMENT = Candidate(
    "wl-oa",
    "the strongest of the kernels; it compares all pairs of graphs",
    grid={"height": (1, 2, 3, 4), "C": PENALTIES},
    at_most=MOST_PAIRED,
)
NEIGHBOURHOODS = Candidate(
    "nspdk",
    "counts pairs of neighbourhoods at a distance",
    grid={"radius": (1, 2, 3), "distance": (4,), "C": PENALTIES},
    at_most=MOST_PAIRED,
)
SHORT_LIST = (
    Candidate(
        "baseline-labels",
        "counts node labels and sees no structure: what every other method should beat",
    ),
    FOREST,
    BOOSTING,
    ASSIGNMENT,
    Candidate(
        "committee",
        "forests, boosting and two kernels asked together: ahead on most sets; it takes longest",
        at_most=MOST_PAIRED,
        members=(FOREST, BOOSTING, ASSIGNMENT, NEIGHBOURHOODS),
    ),
    Candidate(
        "wl",
        f"the strongest of the kernels that do without a table of all pairs of graphs, which "
        f"would be too large beyond {MOST_PAIRED:,} graphs",
        settings={"linear": True},
        grid={"height": (1, 2, 3), "C": (0.01, 0.1, 1.0)},
        more_than=MOST_PAIRED,
    ),
    Candidate(
        "pgc-dgcnn",
        "a network that chooses how many distance rings its filters see",
        at_most=MOST_SORTED,
    ),
)


def short_list(n_graphs: int) -> tuple[Candidate, ...]:
    """What is tried for so many graphs."""
    return tuple(candidate for candidate in SHORT_LIST if candidate.suits(n_graphs))


def too_slow(n_graphs: int) -> tuple[str, ...]:
    """What is left out for so many graphs because it would take hours."""
    return tuple(
        one.method for one in SHORT_LIST if one.at_most == MOST_SORTED and not one.suits(n_graphs)
    )


def candidate(method: str, n_graphs: int) -> Candidate:
    """A method by its name: as the short list has it for so many graphs, or as it is registered."""
    listed = {one.method: one for one in short_list(n_graphs)}
    return listed.get(method) or Candidate(find(method).name, "asked for")
