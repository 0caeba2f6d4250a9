import subprocess
import sys
from collections import Counter

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.distances.colour_counts import MOST_COPIES, colour_counts, name_code
from strategies import datasets, shuffled

ELSEWHERE = """
from graphrings.distances.colour_counts import name_code
print(name_code("C"), name_code((1, "C")), name_code(3))
"""


def counted(dataset: gr.Dataset, rounds: int) -> list[Counter[int]]:
    """The colours of every graph with their counts."""
    bounds, codes, counts = colour_counts(dataset, rounds)
    pairs = list(zip(codes.tolist(), counts.tolist(), strict=True))
    ends = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    return [Counter(dict(pairs[a:b])) for a, b in ends]


def subtree_counts(dataset: gr.Dataset, rounds: int) -> list[Counter[object]]:
    """The same in words, by networkx's neighbours: a colour is what it stands for."""
    result = []
    for graph in dataset:
        network = nx.Graph(graph.edges.tolist())
        network.add_nodes_from(range(graph.n_nodes))
        words: dict[int, object] = {v: str(graph.node_labels[v]) for v in network}
        counter: Counter[object] = Counter(words.values())
        for _ in range(rounds):
            words = {v: (words[v], tuple(sorted(str(words[u]) for u in network[v]))) for v in words}
            counter += Counter(words.values())
        result.append(counter)
    return result


@given(datasets(), st.integers(0, 3))
def test_colours_are_told_apart_as_words_are(dataset: gr.Dataset, rounds: int) -> None:
    """Two graphs share as many colours as they share words, whatever the hashes are."""
    ours, theirs = counted(dataset, rounds), subtree_counts(dataset, rounds)
    for i in range(len(dataset)):
        assert ours[i].total() == (rounds + 1) * dataset.sizes[i]
        for j in range(i):
            assert (ours[i] & ours[j]).total() == (theirs[i] & theirs[j]).total()


@given(datasets(), st.integers(0, 99))
def test_names_of_nodes_and_other_graphs_mean_nothing(dataset: gr.Dataset, seed: int) -> None:
    again, _ = shuffled(dataset, seed)
    assert counted(again, 2) == counted(dataset, 2)
    assert counted(dataset[-1:], 2) == counted(dataset, 2)[-1:]


def test_labels_count_by_name_and_degrees_where_there_are_none() -> None:
    path, star = nx.path_graph(3), nx.star_graph(2)
    one, other = (gr.from_networkx([graph]) for graph in (path, star))
    assert counted(one, 2) == counted(other, 2)
    for graph, word in ((path, "C"), (star, "N")):
        nx.set_node_attributes(graph, word, "label")
    one, other = (gr.from_networkx([graph], node_label="label") for graph in (path, star))
    assert one.node_labels.tolist() == other.node_labels.tolist()
    assert not counted(one, 2)[0] & counted(other, 2)[0]


def test_a_label_has_the_same_code_in_every_process() -> None:
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, check=True)
    codes = [int(word) for word in done.stdout.split()]
    assert codes == [name_code("C"), name_code((1, "C")), name_code(3)]
    assert len({name_code(name) for name in (1, 1.0, True, np.float64(1.0))}) == 1
    assert len({name_code(name) for name in (1, "1", (1,), 1.5)}) == 4


def test_a_colour_is_counted_up_to_what_fits() -> None:
    lonely = gr.from_networkx([nx.empty_graph(MOST_COPIES + 5)])
    assert colour_counts(lonely, 0).counts.tolist() == [MOST_COPIES]
