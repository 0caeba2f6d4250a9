"""What people call the classes of a dataset whose files have numbers for them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from graphrings.graphs.catalogue import CATALOGUE
from graphrings.graphs.dataset import Dataset

SIZES = frozenset(sum(entry.classes.values()) for entry in CATALOGUE)  # graphs


def class_titles(dataset: Dataset) -> tuple[str, ...]:
    """The classes as people read them: ``mutagenic (1)`` where the catalogue knows, else ``1``."""
    targets, names = dataset.targets, dataset.class_names
    if targets is None or not names or len(targets) not in SIZES:  # a fingerprint takes its time
        return tuple(map(str, names))
    counts = np.bincount(targets, minlength=len(names)).tolist()
    return known_titles(dataset.fingerprint, names, counts)


def known_titles(
    fingerprint: str, names: Sequence[Hashable], counts: Sequence[int]
) -> tuple[str, ...]:
    """The same for a dataset of which only this is known.

    Two files of one dataset may number its classes differently, so that they are told by how many
    graphs they have.
    """
    for entry in CATALOGUE:
        titles = {count: title for title, count in entry.classes.items()}
        if fingerprint in entry.fingerprints and set(titles) == set(counts):
            return tuple(
                f"{titles[count]} ({name})" for name, count in zip(names, counts, strict=True)
            )
    return tuple(map(str, names))


def titled(dataset: Dataset, name: Hashable) -> str:
    """A class by its name, as people read it; the dataset need not have it."""
    titles = dict(zip(dataset.class_names, class_titles(dataset), strict=True))
    return titles.get(name, str(name))
