from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphrings as gr
from graphrings.distances.colour_counts import colour_counts
from graphrings.learning import applicability
from graphrings.learning.applicability import ROUNDS, Domain
from strategies import datasets


def by_hand(asked: gr.Dataset, known: gr.Dataset, left_out: bool = False) -> list[float]:
    """The similarity of every graph to the nearest known one, by multisets."""

    def multisets(dataset: gr.Dataset) -> list[Counter[int]]:
        bounds, codes, counts = colour_counts(dataset, ROUNDS)
        return [
            Counter(dict(zip(codes[a:b].tolist(), counts[a:b].tolist(), strict=True)))
            for a, b in zip(bounds[:-1], bounds[1:], strict=True)
        ]

    ones, others = multisets(asked), multisets(known)
    return [
        max(
            (
                (one & other).total() / (one | other).total()
                for j, other in enumerate(others)
                if not (left_out and i == j)
            ),
            default=0.0,
        )
        for i, one in enumerate(ones)
    ]


@given(datasets(), datasets(most_labels=4))
def test_similarity_is_that_of_the_nearest_training_graph(
    known: gr.Dataset, asked: gr.Dataset
) -> None:
    domain = Domain.learn(known)
    assert domain.similarity(asked).tolist() == by_hand(asked, known)
    assert domain.similarity(known).tolist() == [1.0] * len(known)


def test_most_training_graphs_are_as_near_as_the_threshold(molecules: gr.Dataset) -> None:
    alone = np.sort(by_hand(molecules, molecules, left_out=True))
    assert Domain.learn(molecules).threshold == alone[int(0.05 * (len(alone) - 1))]
    assert Domain.learn(molecules[:1]).threshold == 0


def test_of_many_graphs_a_sample_is_kept(
    molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applicability, "MOST_GRAPHS", 10)
    monkeypatch.setattr(applicability, "MOST_ASKED", 4)
    domain, again = Domain.learn(molecules), Domain.learn(molecules)
    assert (domain.n_graphs, len(domain.seen)) == (40, 10)
    assert domain.threshold == again.threshold
    assert np.array_equal(domain.seen.codes, again.seen.codes)
    assert (domain.similarity(molecules) == 1).sum() >= 10
    assert (domain.similarity(molecules) < 1).any()


def labelled(*words: str) -> nx.Graph:
    """A path of nodes with labels, whose edges are called by the letters at both ends."""
    graph = nx.path_graph(len(words))
    nx.set_node_attributes(graph, dict(enumerate(words)), "label")
    nx.set_edge_attributes(graph, {(u, v): words[u] + words[v] for u, v in graph.edges}, "bond")
    return graph


def dataset_of(*graphs: nx.Graph) -> gr.Dataset:
    return gr.from_networkx(list(graphs), node_label="label", edge_label="bond")


def test_new_labels_are_listed_by_name() -> None:
    """Only labels that occur in training graphs are known, whatever names a dataset has."""
    everything = dataset_of(labelled("C", "C"), labelled("C", "O"), labelled("Xe"))
    domain = Domain.learn(everything[:1])
    assert (domain.label_names, domain.edge_label_names) == (("C",), ("CC",))
    asked = dataset_of(labelled("C", "C"), labelled("O", "C", "S", "C", "S"), labelled("S"))
    assert domain.unseen(asked) == [(), ("O", "S", "CS", "OC", "SC"), ("S",)]
    assert domain.unseen(everything) == [(), ("O", "CO"), ("Xe",)]


def test_graphs_without_labels_have_no_new_ones() -> None:
    plain = gr.from_networkx([nx.path_graph(3)])
    assert Domain.learn(dataset_of(labelled("C"))).unseen(plain) == [()]
    assert Domain.learn(plain).unseen(dataset_of(labelled("C"))) == [()]


@given(datasets())
def test_nothing_is_lost_in_parts(known: gr.Dataset) -> None:
    domain = Domain.learn(known)
    again = Domain.from_parts(domain.facts(), domain.arrays())
    assert again.facts() == domain.facts()
    assert again.similarity(known).tolist() == [1.0] * len(known)
    arrays = {name: values.dtype.kind for name, values in domain.arrays().items()}
    assert arrays == {"bounds": "i", "codes": "i", "counts": "i"}


@pytest.mark.parametrize("bounds", [[], [1, 2], [0, 5, 3], [0, 1]])
def test_parts_that_do_not_fit_are_refused(molecules: gr.Dataset, bounds: list[int]) -> None:
    domain = Domain.learn(molecules)
    arrays = domain.arrays() | {"bounds": np.array(bounds, dtype=np.int64)}
    with pytest.raises(ValueError, match="does not fit together"):
        Domain.from_parts(domain.facts(), arrays)
