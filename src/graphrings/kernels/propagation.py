"""The propagation kernel: labels diffuse along edges, and alike distributions are counted."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.kernel import FeatureKernel, Occurrences
from graphrings.kernels.tables import by_appearance
from graphrings.settings import FAR, Settings, one_of, positive, whole

DISTANCES = ("tv", "l1", "hellinger", "l2")
CAUCHY = ("tv", "l1")
PRIME = 2**31 - 1  # products of residues fit into 64 bits
BLOCK = 8  # labels that diffuse side by side


class Propagation(FeatureKernel):
    r"""Propagation kernel (Neumann et al., 2016) with label diffusion and a linear base kernel.

    .. math:: k(G, G') = \sum_{t=0}^{h} \langle \phi_t(G), \phi_t(G') \rangle, \quad
              P_t = D^{-1} A \, P_{t-1}, \\
              \phi_t(G)_i = |\{ v : \lfloor (f(P_t)_v \cdot w_t + b_t) / b \rfloor = i \}|

    where b is the bin width, row v of :math:`P_0` the one-hot label of v, :math:`w_t` is Cauchy for
    the total variation (l1) distance and normal for the Hellinger and l2 distances, :math:`b_t` is
    uniform in a bin, and f is the square root for Hellinger, else nothing. A node without
    neighbours keeps its distribution. Nodes without labels begin with their degree.

    The numbers of :math:`w_t` come from the seed, t and the name of the label, not from its place
    among others, so that graphs fall into the same bins whatever they are compared with.

    GraKeL's kernel stops one step earlier, lets the distribution of a lonely node vanish, numbers
    labels in the order of a set, and draws new hashes at every ``transform`` with new labels.
    """

    settings: ClassVar[Settings] = {
        "height": whole("steps of diffusion", 0, FAR),
        "bin_width": positive("how far apart distributions may be that are counted as alike"),
        "distance": one_of("the distance of distributions that the bins keep", DISTANCES),
        "random_state": whole("the seed of the hash functions", 0),
    }

    def __init__(
        self,
        height: int = 5,
        bin_width: float = 0.001,
        distance: str = "tv",
        normalize: bool = False,
        random_state: int = 0,
    ) -> None:
        self.height = height
        self.bin_width = bin_width
        self.distance = distance
        self.normalize = normalize
        self.random_state = random_state

    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """Node after node its bins of all steps."""
        labels, names = first_labels(dataset)
        hashing = draw(names, self.height, self.distance in CAUCHY, self.random_state)
        project = projected_roots if self.distance == "hellinger" else projected
        values = project(dataset, labels, hashing.projections)
        codes, used = np.empty(values.shape, dtype=np.int64), 0
        for t, equal in enumerate(fingerprints(dataset, hashing.residues[labels], self.height)):
            shift = hashing.offsets[t] * self.bin_width
            bins = np.floor((one_value_each(equal, values[:, t]) + shift) / self.bin_width) + 0.0
            numbers, n_bins = by_appearance(bins.view(np.int64))
            codes[:, t] = numbers + np.int64(used)
            used += n_bins
        graphs = np.repeat(dataset.owner.astype(np.int64), self.height + 1)
        return Occurrences(graphs, codes.ravel(), np.ones(len(graphs)))


class Hashing(NamedTuple):
    """What is drawn once: [label, t] projections, [t] offsets in bins, [label, 2] residues."""

    projections: NDArray[np.float64]
    offsets: NDArray[np.float64]
    residues: NDArray[np.int64]


def first_labels(dataset: Dataset) -> tuple[NDArray[np.int32], Sequence[Hashable]]:
    """The label of every node and the names of the labels; degrees where there are none."""
    if dataset.node_labels is not None:
        return dataset.node_labels, dataset.label_names
    names, labels = np.unique(dataset.degrees, return_inverse=True)
    return labels.astype(np.int32), names.tolist()


def draw(names: Sequence[Hashable], height: int, cauchy: bool, seed: int) -> Hashing:
    """Draw the hash functions of steps 0 .. height; those of a step are the same at any height."""
    projections = np.empty((len(names), height + 1))
    residues = np.empty((len(names), 2), dtype=np.int64)
    for label, name in enumerate(names):
        digest = hashlib.blake2b(repr(name).encode(), digest_size=16).digest()
        rng = np.random.default_rng([seed, *np.frombuffer(digest, dtype="<u4").tolist()])
        residues[label] = rng.integers(1, PRIME, size=2)
        projections[label] = (rng.standard_cauchy if cauchy else rng.standard_normal)(height + 1)
    return Hashing(projections, np.random.default_rng(seed).random(height + 1), residues)


def projected(
    dataset: Dataset, labels: NDArray[np.int32], projections: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The projections of all distributions, [v, t]: it is the projections that diffuse."""
    values, diffused = np.empty((len(labels), projections.shape[1])), projections[labels]
    for t in range(values.shape[1]):
        values[:, t] = diffused[:, t]
        if t + 1 < values.shape[1]:
            diffused = diffuse(dataset.indptr, dataset.indices, diffused)
    return values


def projected_roots(
    dataset: Dataset, labels: NDArray[np.int32], projections: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The projections of the square roots of all distributions, [v, t], a few labels at a time."""
    values = np.zeros((len(labels), projections.shape[1]))
    for first in range(0, len(projections), BLOCK):
        chosen = projections[first : first + BLOCK]
        shares = (labels[:, None] == np.arange(first, first + len(chosen))).astype(np.float64)
        for t in range(values.shape[1]):
            values[:, t] += np.sqrt(shares) @ chosen[:, t]
            if t + 1 < values.shape[1]:
                shares = diffuse(dataset.indptr, dataset.indices, shares)
    return values


def fingerprints(
    dataset: Dataset, residues: NDArray[np.int64], height: int
) -> Iterator[NDArray[np.int64]]:
    """For steps 0 .. height a number for every node: equal distributions have equal ones.

    Means modulo a prime are exact, in whatever order and from whatever neighbours they come;
    different distributions share both residues with a chance of 1 to 2^62.
    """
    inverses = inverses_up_to(int(dataset.degrees.max(initial=0)))
    for t in range(height + 1):
        yield residues[:, 0] * PRIME + residues[:, 1]
        if t < height:
            residues = diffuse_exactly(dataset.indptr, dataset.indices, inverses, residues)


def one_value_each(equal: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """One value for equal distributions, so that rounding never lays them into different bins."""
    numbers, n_numbers = by_appearance(equal)
    least = np.full(n_numbers, np.inf)
    np.minimum.at(least, numbers, values)
    return least[numbers]


@compiled
def diffuse(
    indptr: NDArray[np.int32], indices: NDArray[np.int32], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The mean of every node's neighbours; a node without any keeps its own."""
    means = np.zeros_like(values)
    for v in range(len(values)):
        start, stop = indptr[v], indptr[v + 1]
        if start == stop:
            means[v] = values[v]
        for e in range(start, stop):
            u = indices[e]
            for column in range(values.shape[1]):
                means[v, column] += values[u, column]
        for column in range(values.shape[1]):
            means[v, column] /= max(1, stop - start)
    return means


@compiled
def diffuse_exactly(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    inverses: NDArray[np.int64],
    residues: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The same modulo a prime."""
    means = np.empty_like(residues)
    for v in range(len(residues)):
        start, stop = indptr[v], indptr[v + 1]
        if start == stop:
            means[v] = residues[v]
            continue
        for column in range(residues.shape[1]):
            total = 0
            for e in range(start, stop):
                total += residues[indices[e], column]
            means[v, column] = (total % PRIME) * inverses[stop - start] % PRIME
    return means


@compiled
def inverses_up_to(largest: int) -> NDArray[np.int64]:
    """What to multiply with instead of dividing by 1 .. ``largest``, modulo the prime."""
    inverses = np.ones(largest + 1, dtype=np.int64)
    for n in range(2, largest + 1):
        inverses[n] = (PRIME - PRIME // n) * inverses[PRIME % n] % PRIME
    return inverses
