"""Forests and boosted trees: the columns that splits ask for, on the nodes that they count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from graphrings.distances.graph_table import BY_TENTHS, WORDS, Key, column_name
from graphrings.distances.node_statistics import quantities
from graphrings.distances.ring_profile import binned, node_words, pair_codes, pair_keys
from graphrings.distances.rings import rings
from graphrings.errors import ModelError
from graphrings.explanations.pairs import Pairs, on_pairs, pairs_within
from graphrings.explanations.parts import (
    Numbers,
    Parts,
    Reals,
    collected,
    edge_ends,
    joined,
    named_terms,
    widened,
)
from graphrings.explanations.tree_paths import expected_answers, path_contributions
from graphrings.graphs.adapters.anything import as_selection
from graphrings.graphs.dataset import Dataset
from graphrings.learning.forests import Forest
from graphrings.learning.table_columns import TableColumns, turned

AT_ONCE = 250  # graphs
# How far a quantity looks, where its name does not say it.
REACH = {"degree": 1, "triangles": 1, "clustering": 1, "transitivity": 1}
NEIGHBOUR = 2  # the degrees of neighbours
SAID = re.compile(r"(?:size of ring|at distance) (\d+)$")


class Carriers(NamedTuple):
    """Pairs of nodes (or nodes, twice) that some counted columns count, and which column each."""

    pairs: Pairs
    columns: Numbers


def tree_score(model: Any, dataset: Dataset) -> Reals:
    """Probabilities of a forest, odds of boosted classes, and values; of two classes the second."""
    sums: Reals = model._sums(dataset) / (len(model.trees_) if isinstance(model, Forest) else 1)
    if hasattr(model, "classes_"):
        return sums[:, 1:] if sums.shape[1] == 2 == len(model.classes_) else sums
    values: Reals = model.coding_.mean + model.coding_.deviation * sums
    return values


def explain_trees(model: Any, dataset: Dataset) -> Parts:
    """The exact paths of all trees."""
    trees = model.trees_
    if len(trees.passed) == 0:
        raise ModelError(
            "a model whose file does not say how many training graphs came by every split, as "
            "explanations need it; expected one trained by this version: train it again"
        )
    answers, parts = expected_answers(trees), []
    for first in range(0, len(dataset), AT_ONCE):
        chunk = dataset[first : first + AT_ONCE]
        rows = model.columns_.rows(as_selection(chunk))
        changes = path_contributions(trees, answers, rows, len(model.columns_.names))
        base = trees.start + answers[trees.starts].sum(axis=0)
        sums = trees.sums(rows)
        if isinstance(model, Forest):
            changes, base, sums = (part / len(trees) for part in (changes, base, sums))
        if sums.shape[1] == 2 and len(getattr(model, "classes_", ())) == 2:
            changes, base, sums = changes[..., 1:], base[1:], sums[:, 1:]
        parts.append(laid_on_nodes(model.columns_, chunk, changes, base, sums))
    whole = joined(parts)
    if hasattr(model, "classes_"):
        return whole
    return whole.scaled(model.coding_.deviation, model.coding_.mean)


def laid_on_nodes(
    columns: TableColumns, dataset: Dataset, changes: Reals, base: Reals, score: Reals
) -> Parts:
    """Every counted column on what it counts, in equal parts; the others on distances, or over.

    A column counts something and has a share of its whole: both are one.
    """
    n_counted = len(columns.counted)
    amounts = changes[:, :n_counted] + changes[:, n_counted : 2 * n_counted]
    of_values = changes[:, 2 * n_counted :]
    width = columns.radius + 1 if columns.radius > 1 else NEIGHBOUR + 1
    k = changes.shape[2]
    placed, edges = np.zeros((dataset.n_nodes, width, k)), np.zeros((dataset.n_edges, k))
    missing = np.ones(amounts.shape[:2], dtype=bool)  # a graph has nothing that a column counts
    for pairs, own in carriers(columns, dataset):
        graphs = dataset.owner[pairs.one]
        places = graphs * np.int64(n_counted) + own
        counts = np.bincount(places, minlength=missing.size)
        missing &= (counts == 0).reshape(missing.shape)
        laid = on_pairs(dataset, pairs, amounts[graphs, own] / counts[places][:, None])
        placed += widened(laid["placed"], dataset.n_nodes, width, k)
        edges += laid["edges"]
    by_ring, rest = np.zeros((len(dataset), width, k)), np.zeros((len(dataset), k))
    reach = [reach_of(key) for key in columns.counted]
    for j in range(width):
        here = np.array([r == j for r in reach], dtype=bool)
        by_ring[:, j] += np.where(missing[..., None], amounts, 0)[:, here].sum(axis=1)
    for key, change in zip(columns.valued, of_values.transpose(1, 0, 2), strict=True):
        distance = reach_of(key)
        if distance is None:
            rest += change
        else:
            by_ring[:, distance] += change
    names = [column_name(key) for key in (*columns.counted, *columns.valued)]
    terms = named_terms(names, np.hstack([amounts, of_values]))
    parts = {"placed": placed, "rings": by_ring, "rest": rest, "edges": edges}
    return collected(dataset, score, base[None], **parts, terms=terms)


def carriers(columns: TableColumns, dataset: Dataset) -> Iterator[Carriers]:
    """Who is counted by the columns: pairs at a distance, edges, nodes."""
    number = {turned(key): k for k, key in enumerate(columns.counted)}
    number |= {key: k for k, key in enumerate(columns.counted)}
    kinds = {key[0] for key in columns.counted}
    for kind in sorted(kinds):
        pairs, keys, codes = COUNTED[kind](columns, dataset)
        own = np.array([number.get((kind, *key), -1) for key in keys], dtype=np.int64)[codes]
        known = own >= 0
        yield Carriers(Pairs(*(part[known] for part in pairs)), own[known])


Listed = tuple[Pairs, list[tuple[Any, ...]], Numbers]  # keys, and which of them every pair has


def label_pairs(columns: TableColumns, dataset: Dataset) -> Listed:
    """All pairs of nodes up to the radius."""
    words, numbers = WORDS[columns.nodes](dataset)
    pairs, n_words = pairs_within(dataset, columns.radius), max(1, len(words))
    one, other = numbers[np.stack([pairs.one, pairs.other])].astype(np.int64)
    codes = pair_codes(pairs.distance, one, other, n_words)
    distinct, places = np.unique(codes, return_inverse=True)
    return pairs, list(pair_keys(distinct, words)), places


def bonds(columns: TableColumns, dataset: Dataset) -> Listed:
    """All edges, by the labels of both ends and their own."""
    del columns
    assert dataset.edge_labels is not None
    words, numbers = node_words(dataset)
    tails = np.repeat(np.arange(dataset.n_nodes), dataset.degrees)
    labels = dataset.edge_labels[tails < dataset.indices]
    one, other = edge_ends(dataset)
    ends = numbers[np.stack([one, other])]
    triples = np.stack([ends.min(axis=0), ends.max(axis=0), labels], axis=1)
    distinct, places = np.unique(triples, axis=0, return_inverse=True)
    names = dataset.edge_label_names
    keys = [(words[a], words[b], names[e]) for a, b, e in distinct.tolist()]
    return Pairs(one, other, np.ones(len(one), dtype=np.int64)), keys, places.reshape(-1)


def node_bins(columns: TableColumns, dataset: Dataset) -> Listed:
    """All nodes, once for every quantity, by the bin that they fall into."""
    of_nodes = quantities(dataset, rings(dataset, columns.radius).sizes.astype(np.int32))
    keys, places, distances = list[tuple[Any, ...]](), [], []
    for name, values in of_nodes.items():
        scale = 10 if name in BY_TENTHS else 1
        numbers, words = binned(np.floor(scale * values).astype(np.int64))
        if scale > 1:
            words = [f"{int(word) / scale} or more" for word in words[: scale + 1]]
        places.append(numbers + len(keys))
        keys += [(name, word) for word in words]
        distances.append(np.full(dataset.n_nodes, looks(name)))
    nodes = np.tile(np.arange(dataset.n_nodes), len(of_nodes))
    return Pairs(nodes, nodes, np.concatenate(distances)), keys, np.concatenate(places)


COUNTED: dict[str, Callable[[TableColumns, Dataset], Listed]] = {
    "pair": label_pairs,
    "pair with degrees": label_pairs,
    "bond": bonds,
    "nodes": node_bins,
}


def reach_of(key: Key) -> int | None:
    """How far a column looks; None for a number of the graph as a whole."""
    kind, *parts = key
    if kind.startswith("pair"):
        return int(parts[0])
    return 1 if kind == "bond" else looks(parts[0])


def looks(quantity: str) -> int | None:
    """How far a quantity of nodes, or a summary of it, looks."""
    if said := SAID.search(quantity):
        return int(said[1])
    name = quantity.rpartition(" of ")[2]
    if "neighbour degree" in quantity:
        return NEIGHBOUR
    return 0 if name.startswith("attribute") else REACH.get(name)
