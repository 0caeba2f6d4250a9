"""How far a graph is from those that a model was trained on, and what is new in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.colour_counts import ColourCounts, colour_counts
from graphrings.graphs.dataset import Dataset, Names, spans

ROUNDS = 2  # of the colours: what a node sees within two steps
MOST_GRAPHS = 10_000  # of the training graphs that are kept
MOST_ASKED = 2_000  # of those that the threshold is learned from
FARTHEST = 0.05  # of the training graphs: whoever is as far as they are gets a warning
AT_ONCE = 1_000_000  # labels that are looked at together
ARRAYS = ("bounds", "codes", "counts")
FACTS = ("n_graphs", "threshold", "label_names", "edge_label_names")


class Index(NamedTuple):
    """Who has a colour: the graphs ``holders[bounds[k] : bounds[k + 1]]`` have ``codes[k]``."""

    codes: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    holders: NDArray[np.int32]
    held: NDArray[np.int16]
    totals: NDArray[np.int64]  # of every graph, over all its colours


@dataclass(frozen=True, eq=False)
class Domain:
    r"""What a model has seen in training.

    The similarity of a graph is that of the nearest training graph by their colours
    (``colour_counts``), the min-max or Tanimoto similarity of counts:

    .. math:: s(G) = \max_{T} \frac{\sum_c \min(\#_c(G), \#_c(T))}{\sum_c \max(\#_c(G), \#_c(T))}

    It is 1 where a training graph has the same colours and 0 where none shares a single one.
    ``threshold`` is what 95 % of the training graphs reach when they are left out themselves.
    Of more than 10 000 training graphs, as many are kept, drawn with a fixed seed. Names are those
    of the labels that occurred.
    """

    n_graphs: int
    threshold: float
    label_names: Names
    edge_label_names: Names
    seen: ColourCounts

    @classmethod
    def learn(cls, dataset: Dataset) -> Domain:
        """What there is to remember of training graphs."""
        rng = np.random.default_rng(0)
        chosen = np.arange(len(dataset))
        if len(dataset) > MOST_GRAPHS:
            chosen = np.sort(rng.choice(chosen, MOST_GRAPHS, replace=False))
        seen = colour_counts(dataset[chosen], ROUNDS)
        asked = np.arange(len(seen))
        if len(seen) > MOST_ASKED:
            asked = np.sort(rng.choice(asked, MOST_ASKED, replace=False))
        return cls(
            len(dataset),
            _threshold(seen, asked),
            _occurring(dataset.node_labels, dataset.label_names),
            _occurring(dataset.edge_labels, dataset.edge_label_names),
            seen,
        )

    @classmethod
    def from_parts(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Domain:
        """What ``facts`` and ``arrays`` say, if it makes sense."""
        seen = ColourCounts(arrays["bounds"], arrays["codes"].view(np.uint32), arrays["counts"])
        bounds = seen.bounds
        good = (
            len(bounds) > 0
            and bounds[0] == 0
            and np.all(bounds[1:] >= bounds[:-1])
            and bounds[-1] == len(seen.codes) == len(seen.counts)
            and np.all(seen.counts > 0)
        )
        if not good:
            raise ValueError("what it knows of its training graphs does not fit together")
        return cls(**{name: facts[name] for name in FACTS}, seen=seen)

    def facts(self) -> dict[str, Any]:
        """What it knows, but for the colours."""
        return {name: getattr(self, name) for name in FACTS}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The colours of the training graphs, in types that every file knows."""
        bounds, codes, counts = self.seen
        return dict(zip(ARRAYS, (bounds, codes.view(np.int32), counts), strict=True))

    def similarity(self, dataset: Dataset) -> NDArray[np.float64]:
        """How near every graph is to the nearest training graph, from 0 to 1."""
        asked = colour_counts(dataset, ROUNDS)
        return compared(asked, np.full(len(asked), -1), self._index)

    def unseen(self, dataset: Dataset) -> list[Names]:
        """The labels of every graph, of nodes and then of edges, that training never saw."""
        nodes = _strangers(dataset.node_labels, dataset.label_names, self.label_names)
        edges = _strangers(dataset.edge_labels, dataset.edge_label_names, self.edge_label_names)
        of_edge = np.repeat(dataset.owner, dataset.degrees)
        unseen: list[Names] = [()] * len(dataset)
        for owner, labels, strangers, names in (
            (dataset.owner, dataset.node_labels, nodes, dataset.label_names),
            (of_edge, dataset.edge_labels, edges, dataset.edge_label_names),
        ):
            if labels is not None and len(strangers):
                places = np.flatnonzero(np.isin(labels, strangers))
                pairs = np.unique(np.stack([owner[places], labels[places]]), axis=1)
                for graph, label in pairs.T.tolist():
                    unseen[graph] += (names[label],)
        return unseen

    @cached_property
    def _index(self) -> Index:
        return indexed(self.seen)

    def __repr__(self) -> str:
        return f"Domain({self.n_graphs:,} graphs, threshold {self.threshold:.3f})"


def indexed(seen: ColourCounts) -> Index:
    """The graphs by their colours."""
    owner = np.repeat(np.arange(len(seen), dtype=np.int32), np.diff(seen.bounds))
    order = np.argsort(seen.codes, kind="stable")
    codes, first = np.unique(seen.codes[order], return_index=True)
    totals = np.bincount(owner, seen.counts, minlength=len(seen)).astype(np.int64)
    bounds = np.append(first, len(order)).astype(np.int64)
    return Index(codes, bounds, owner[order], seen.counts[order], totals)


def compared(asked: ColourCounts, left_out: NDArray[np.int64], index: Index) -> NDArray[np.float64]:
    """How near every graph is to the nearest one of an index, but for the one left out."""
    bounds, codes, counts = asked
    known, known_bounds, holders, held, totals = index
    return nearest(bounds, codes, counts, left_out, known, known_bounds, holders, held, totals)


def _threshold(seen: ColourCounts, asked: NDArray[np.int64]) -> float:
    """What most training graphs reach when they are left out; 0 where there is but one."""
    if len(seen) < 2:
        return 0.0
    entries, bounds = spans(seen.bounds.astype(np.int32), asked)
    chosen = ColourCounts(bounds.astype(np.int64), seen.codes[entries], seen.counts[entries])
    similar = compared(chosen, asked, indexed(seen))
    return float(np.quantile(similar, FARTHEST, method="lower"))


def _occurring(labels: NDArray[np.int32] | None, names: Names) -> Names:
    if labels is None:
        return ()
    occurs = np.zeros(len(names), dtype=np.bool_)
    for start in range(0, len(labels), AT_ONCE):
        occurs[labels[start : start + AT_ONCE]] = True
    return tuple(names[k] for k in np.flatnonzero(occurs).tolist())


def _strangers(labels: NDArray[np.int32] | None, names: Names, known: Names) -> NDArray[np.int64]:
    """The numbers of labels that are new; none where training had no such labels at all."""
    if labels is None or not known:
        return np.empty(0, dtype=np.int64)
    old = set(known)
    return np.array([k for k, name in enumerate(names) if name not in old], dtype=np.int64)


@compiled
def nearest(
    bounds: NDArray[np.int64],
    codes: NDArray[np.uint32],
    counts: NDArray[np.int16],
    left_out: NDArray[np.int64],
    known: NDArray[np.uint32],
    known_bounds: NDArray[np.int64],
    holders: NDArray[np.int32],
    held: NDArray[np.int16],
    totals: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The largest similarity of every graph to those of an index, but for the one left out."""
    best = np.zeros(len(bounds) - 1)
    common = np.empty(len(totals), dtype=np.int64)
    for i in range(len(best)):
        common[:] = 0
        total, low = np.int64(0), 0
        for e in range(bounds[i], bounds[i + 1]):
            code, count = codes[e], np.int64(counts[e])
            total += count
            high = len(known)
            while low < high:  # codes ascend: the next one is not to the left of this
                middle = (low + high) // 2
                if known[middle] < code:
                    low = middle + 1
                else:
                    high = middle
            if low < len(known) and known[low] == code:
                for h in range(known_bounds[low], known_bounds[low + 1]):
                    common[holders[h]] += min(count, np.int64(held[h]))
        for other in range(len(totals)):
            if common[other] > 0 and other != left_out[i]:
                best[i] = max(best[i], common[other] / (total + totals[other] - common[other]))
    return best
