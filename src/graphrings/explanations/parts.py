"""What a family of methods says about scores, before it is shown to anybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Dataset

Reals = NDArray[np.float64]
Numbers = NDArray[np.integer[Any]]
CONTRIBUTIONS = ("placed", "nodes", "rings", "rest", "edges")


class Term(NamedTuple):
    """A feature with a name, such as ``C-N at distance 2``, and what it did, output by output.

    ``up`` adds up what it contributed to the graphs whose score it raised, ``down`` to the others.
    """

    name: str
    up: tuple[float, ...]
    down: tuple[float, ...]

    def scaled(self, factor: float) -> Term:
        """The same on another scale, which is not turned round."""
        up, down = (tuple(factor * x for x in part) for part in (self.up, self.down))
        return Term(self.name, up, down)


@dataclass(frozen=True, eq=False)
class Parts:
    """Contributions to the scores of some graphs; the last axis of every array is the output.

    ``placed[v, j]`` is what node v did with what it shows at distance j. What is known less
    exactly has a place of its own: ``nodes`` at no distance, ``rings[graph, j]`` of no node, and
    ``rest[graph]`` of neither. For every graph, ``base`` and all of these add up to ``score``.
    ``edges`` is the part at distance 1 once more, on the edges that carry it.
    """

    score: Reals
    base: Reals
    placed: Reals
    nodes: Reals
    rings: Reals
    rest: Reals
    edges: Reals
    terms: tuple[Term, ...] = ()

    def mapped(self, matrices: Reals, dataset: Dataset) -> Parts:
        """All contributions through a linear map of the outputs, one for every graph.

        ``matrices[graph]`` leads from our outputs (columns) to new ones (rows). Base and score are
        left to whoever knows the new ones; terms have no meaning of their own any more.
        """
        owners = {"placed": dataset.owner, "nodes": dataset.owner}
        owners["edges"] = dataset.owner[edge_ends(dataset)[0]]
        new = {}
        for name in CONTRIBUTIONS:
            own = matrices[owners[name]] if name in owners else matrices
            new[name] = np.einsum("nab,n...b->n...a", own, getattr(self, name))
        return replace(self, **new, terms=())

    def scaled(self, factor: float, shift: float = 0.0) -> Parts:
        """The same on another scale, such as that of the targets."""
        new = {name: factor * getattr(self, name) for name in CONTRIBUTIONS}
        terms = tuple(term.scaled(factor) for term in self.terms)
        ends = {"score": factor * self.score + shift, "base": factor * self.base + shift}
        return replace(self, **new, **ends, terms=terms)


def collected(
    dataset: Dataset,
    score: Reals,
    base: Reals,
    *,
    placed: Reals | None = None,
    nodes: Reals | None = None,
    rings: Reals | None = None,
    rest: Reals | None = None,
    edges: Reals | None = None,
    terms: tuple[Term, ...] = (),
) -> Parts:
    """Parts of a dataset; what is not given is nothing.

    Without ``edges``, what a node does at distance 1 is shared equally by its edges.
    """
    n_graphs, k = score.shape
    width = max((part.shape[1] for part in (placed, rings) if part is not None), default=1)
    placed = widened(placed, dataset.n_nodes, width, k)
    return Parts(
        score=score,
        base=np.broadcast_to(base, score.shape).copy(),
        placed=placed,
        nodes=np.zeros((dataset.n_nodes, k)) if nodes is None else nodes,
        rings=widened(rings, n_graphs, width, k),
        rest=np.zeros((n_graphs, k)) if rest is None else rest,
        edges=shared_by_edges(dataset, placed) if edges is None else edges,
        terms=terms,
    )


def widened(part: Reals | None, n_rows: int, width: int, k: int) -> Reals:
    """The same with columns for so many distances."""
    wide = np.zeros((n_rows, width, k))
    if part is not None:
        wide[:, : part.shape[1]] = part
    return wide


def edge_ends(dataset: Dataset) -> tuple[Numbers, Numbers]:
    """The two nodes of every edge, the smaller first, in the order of ``Graph.edges``."""
    tails = np.repeat(np.arange(dataset.n_nodes), dataset.degrees)
    once = tails < dataset.indices
    return tails[once], dataset.indices[once].astype(np.int64)


def shared_by_edges(dataset: Dataset, placed: Reals) -> Reals:
    """What every node does at distance 1, equally on all of its edges."""
    tails, heads = edge_ends(dataset)
    if placed.shape[1] < 2:
        return np.zeros((len(tails), placed.shape[2]))
    each: Reals = placed[:, 1] / np.maximum(1, dataset.degrees)[:, None]
    return each[tails] + each[heads]


def add_by(groups: Numbers, values: Reals, n_groups: int) -> Reals:
    """The sums of rows by their group; the rows may have any shape."""
    flat = values.reshape(len(values), int(np.prod(values.shape[1:])))
    sums = [np.bincount(groups, column, minlength=n_groups) for column in flat.T]
    stacked = np.array(sums).T if sums else np.zeros((n_groups, 0))
    return np.asarray(stacked.reshape(n_groups, *values.shape[1:]), dtype=np.float64)


def joined(parts: Sequence[Parts]) -> Parts:
    """The parts of graphs that were explained some at a time, in their order."""
    if len(parts) == 1:
        return parts[0]
    width = max(part.placed.shape[1] for part in parts)
    k = parts[0].score.shape[1]
    arrays = {}
    for name in ("score", "base", *CONTRIBUTIONS):
        values = [getattr(part, name) for part in parts]
        if name in ("placed", "rings"):
            values = [widened(value, len(value), width, k) for value in values]
        arrays[name] = np.concatenate(values)
    return Parts(**arrays, terms=added([term for part in parts for term in part.terms]))


def added(terms: Sequence[Term]) -> tuple[Term, ...]:
    """One term of each name."""
    totals: dict[str, Term] = {}
    for term in terms:
        if known := totals.get(term.name):
            up = tuple(map(sum, zip(known.up, term.up, strict=True)))
            term = Term(term.name, up, tuple(map(sum, zip(known.down, term.down, strict=True))))
        totals[term.name] = term
    return tuple(totals.values())


def named_terms(names: Sequence[str], amounts: Reals) -> tuple[Term, ...]:
    """Terms from contributions to every graph, (graphs, names, outputs); idle ones are left out."""
    up, down = (part.sum(axis=0) for part in (np.maximum(amounts, 0), np.minimum(amounts, 0)))
    did = np.flatnonzero((up - down).any(axis=1)).tolist()
    return tuple(Term(names[k], tuple(up[k].tolist()), tuple(down[k].tolist())) for k in did)
