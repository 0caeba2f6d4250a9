import networkx as nx
import numpy as np

import graphrings as gr
from graphrings.fit.findings import findings
from graphrings.fit.plan import Wanted, plan


def paths(n_alike: int, targets: list[object]) -> gr.Dataset:
    """Paths of 3, 4, ... nodes, each ``n_alike`` times."""
    lengths = np.repeat(np.arange(3, 3 + len(targets) // n_alike), n_alike)
    return gr.from_networkx([nx.path_graph(int(n)) for n in lengths], targets)


def said(dataset: gr.Dataset, **wanted: object) -> str:
    return " ".join(findings(plan(dataset, Wanted(n_folds=3, **wanted))).sentences)  # type: ignore[arg-type]


def test_graphs_that_are_all_different_have_nothing_to_report() -> None:
    text = said(paths(1, ["a", "b"] * 6))
    assert "12 graphs; the targets are classes (a: 50 %, b: 50 %)." in text
    assert "No two graphs are alike" in text
    assert "folds" not in text


def test_twins_are_counted_and_leak_from_random_folds_alone() -> None:
    twins = paths(2, ["a", "a", "b", "b"] * 6)
    random, grouped = said(twins), said(twins, folds="grouped")
    assert "24 graphs (100 %) have a twin" in random
    assert "12 different graphs" in random
    assert "have a twin in training, which the methods have only to remember" in random
    assert "advised from 5 % on" in random
    assert "The grouped folds keep twins together" in grouped


def test_the_share_of_leaks_is_that_of_the_folds(mutag: gr.Dataset) -> None:
    """Twins by isomorphism, folds by the protocol, counted by hand."""
    from networkx.algorithms.isomorphism import categorical_node_match

    from graphrings.protocol.prepare import Folds

    graphs = []
    for graph in mutag:
        one = nx.Graph()
        one.add_nodes_from((v, {"label": int(k)}) for v, k in enumerate(graph.node_labels))
        one.add_edges_from(graph.edges.tolist())
        graphs.append(one)
    same = categorical_node_match("label", -1)
    decided = plan(mutag, Wanted(n_folds=3))
    splits = Folds(decided.experiment(), mutag.name, mutag).of(0)
    leaks = [
        any(
            nx.faster_could_be_isomorphic(graphs[t], graphs[o])
            and nx.is_isomorphic(graphs[t], graphs[o], node_match=same)
            for o in np.concatenate([split.training, split.validation])
        )
        for split in splits
        for t in split.test
    ]
    assert findings(decided).audit.twin_share == np.mean(leaks)


def test_conflicting_twins_put_a_ceiling_on_the_score() -> None:
    text = said(paths(2, ["a", "b", "a", "a", "b", "b"] * 4))
    assert "4 groups of twins have different targets" in text
    assert "The highest accuracy that is left is 83.3 %" in text


def test_values_have_a_spread_and_a_lowest_error() -> None:
    text = said(paths(2, [0.5, 1.5, 2.0, 2.0, 3.25, 3.25] * 3))
    assert "the targets are values from 0.5 to 3.25" in text
    assert "The lowest RMSE that is left is" in text


def test_a_rare_class_is_named() -> None:
    text = said(paths(1, ["a"] * 3 + ["b"] * 57))
    assert "Class a is rare: 3 graphs, about 1 in every test fold" in text


def test_what_methods_do_not_look_at_is_said() -> None:
    mutag = gr.load("MUTAG")[:40]
    assert "Ignored: edge labels by baseline-labels and wl-oa." in said(
        mutag, methods=("wl-oa", "ring-forest")
    )
    laden = mutag.changed(node_attributes=np.ones((mutag.n_nodes, 2)))
    words = said(laden, methods=("gcn", "wl"))
    assert "Ignored: 2 node attributes by baseline-labels and wl; edge labels by" in words
    assert "Ignored" not in said(gr.synthetic.ego_networks(20), methods=("wl",))
