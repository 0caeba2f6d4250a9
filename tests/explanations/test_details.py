"""Single contributions against slow code that knows nothing of ours."""

from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

import graphrings as gr
from graphrings.errors import ModelError
from graphrings.explanations import masking, networks, trees
from graphrings.explanations.masking import without_each_node
from graphrings.explanations.pairs import pairs_within
from graphrings.explanations.tree_paths import expected_answers, path_contributions
from graphrings.learning import forest_files
from graphrings.learning.boosted_trees import Growth, boosted_trees
from graphrings.learning.boosting_losses import Logistic
from graphrings.learning.trees import from_forest, joined


@pytest.fixture(scope="module")
def molecules() -> gr.Dataset:
    return gr.synthetic.molecules(30, n_nodes=(4, 9))


def test_paths_are_those_of_scikit_learn() -> None:
    """Every split changes the mean answer of the training rows that came so far."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 4)).astype(np.float32)
    forest = RandomForestClassifier(5, random_state=0).fit(rows, rows[:, 0] + rows[:, 1] > 0)
    ours = from_forest(forest.estimators_)
    changes = path_contributions(ours, expected_answers(ours), rows[:10], 4)
    expected = np.zeros_like(changes)
    for tree in (estimator.tree_ for estimator in forest.estimators_):
        for i, path in enumerate(tree.decision_path(rows[:10]).toarray()):
            nodes = np.flatnonzero(path)
            for above, below in zip(nodes[:-1], nodes[1:], strict=True):
                step = tree.value[below, 0] - tree.value[above, 0]
                expected[i, tree.feature[above]] += step
    np.testing.assert_allclose(changes, expected, atol=1e-6)


def test_boosted_trees_start_from_the_mean_of_their_leaves() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 3)).astype(np.float32)
    loss = Logistic((rows[:, 0] > 0).astype(np.int64), np.ones(80))
    growth = Growth(3, 0.1, 1.0, 31, min_leaf=5, penalty=0.0)
    grown, _ = boosted_trees(rows, loss, growth, np.random.RandomState(0))
    trees = joined(grown)
    roots = expected_answers(trees)[trees.starts]
    expected = [np.average(one.values[:, 0], weights=one.passed[one.is_leaf]) for one in grown]
    np.testing.assert_allclose(roots[:, 0], expected, rtol=1e-6, atol=1e-9)


def test_a_forest_on_one_column_gives_it_to_the_pairs_that_it_counts() -> None:
    """Class 1 has an N beside an O: they share what the trees make of that."""
    graphs, targets = [], []
    for n in range(4, 12):
        for target in (0, 1):
            path = nx.path_graph(n)
            labels = ["C"] * n
            labels[1] = "N"
            labels[2 if target else n - 1] = "O"
            nx.set_node_attributes(path, dict(enumerate(labels)), "label")
            graphs.append(path)
            targets.append(target)
    dataset = gr.from_networkx(graphs, targets)
    model = gr.ForestClassifier(nodes="label", radius=1, n_trees=30, random_state=0).fit(dataset)
    explanation = gr.explain(model, dataset)
    joined = explanation.edge_ends - dataset.graph_ptr[dataset.owner[explanation.edge_ends]]
    for i in np.flatnonzero(dataset.targets == 1):
        own = np.flatnonzero(dataset.owner[explanation.edge_ends[:, 0]] == i)
        worth = dict(zip(map(tuple, joined[own].tolist()), explanation.edges[own, 0], strict=True))
        others = [worth[edge] for edge in worth if min(edge) > 2]  # between two C
        assert all(worth[1, 2] > other for other in others)
    names = {term.name for term in explanation.terms}
    assert "N-O at distance 1" in names


def test_trees_in_chunks_are_the_same(
    molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = gr.ForestClassifier(n_trees=10, random_state=0).fit(molecules)
    whole = gr.explain(model, molecules)
    monkeypatch.setattr(trees, "AT_ONCE", 7)
    parts = gr.explain(model, molecules)
    np.testing.assert_allclose(parts.nodes, whole.nodes, atol=1e-12)
    np.testing.assert_allclose(
        sorted(term.up[0] for term in parts.terms), sorted(term.up[0] for term in whole.terms)
    )


def test_networks_and_masks_in_chunks_are_the_same(
    molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = gr.PGCClassifier(channels=(4, 1), max_epochs=2, random_state=0).fit(molecules)
    whole = [gr.explain(model, molecules, masking=way).nodes for way in (False, True)]
    monkeypatch.setattr(networks, "MOST_NODES", 40)
    monkeypatch.setattr(masking, "MOST_NODES", 100)
    parts = [gr.explain(model, molecules, masking=way).nodes for way in (False, True)]
    np.testing.assert_allclose(parts, whole, atol=1e-5)


def test_a_file_from_before_explanations_predicts_and_says_why_not_more(
    molecules: gr.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.safetensors"
    model = gr.ForestClassifier(n_trees=3, random_state=0).fit(molecules)
    with monkeypatch.context() as before:
        kept = tuple(name for name in forest_files.ARRAYS if name != forest_files.PASSED)
        before.setattr(forest_files, "ARRAYS", kept)
        model.save(path)
    old = gr.load_model(path)
    assert (old.predict(molecules) == model.predict(molecules)).all()
    with pytest.raises(ModelError, match="expected one trained by this version"):
        gr.explain(old, molecules)


def test_a_saved_forest_is_explained_as_it_was(molecules: gr.Dataset, tmp_path: Path) -> None:
    model = gr.ForestClassifier(n_trees=5, random_state=0).fit(molecules)
    model.save(tmp_path / "forest.safetensors")
    again = gr.load_model(tmp_path / "forest.safetensors")
    assert np.array_equal(gr.explain(again, molecules).nodes, gr.explain(model, molecules).nodes)


def test_a_node_has_a_third_of_every_triple_that_it_is_part_of(molecules: gr.Dataset) -> None:
    """Counted by trying all sets of three nodes."""
    settings = {"shares": False, "normalize": False, "connected": True}
    model = gr.KernelClassifier("graphlet", **settings).fit(molecules)
    explanation = gr.explain(model, molecules[:5])
    kernel = model._fitted_kernel()
    weights = kernel.features()[model.columns_].T @ model.dual_coef_[0]
    triangle, path = nx.complete_graph(3), nx.path_graph(3)
    for shape in (triangle, path):
        nx.set_node_attributes(shape, "C", "label")
    shapes = kernel.features(gr.from_networkx([triangle, path])).toarray() @ weights
    for i, graph in enumerate(molecules[:5].to_networkx()):
        expected = np.zeros(len(graph))
        for triple in combinations(graph, 3):
            n_edges = graph.subgraph(triple).number_of_edges()
            if n_edges >= 2:
                expected[list(triple)] += shapes[0 if n_edges == 3 else 1] / 3
        np.testing.assert_allclose(explanation.of(i), expected, atol=1e-9)


def test_pairs_of_shortest_paths_have_the_weight_of_their_labels(molecules: gr.Dataset) -> None:
    """A pair is worth what the kernel's features of its two labels at its distance are."""
    model = gr.KernelClassifier("shortest-path", normalize=False).fit(molecules)
    explanation = gr.explain(model, molecules[:1])
    weights = model._fitted_kernel().features()[model.columns_].T @ model.dual_coef_[0]
    graph = molecules[:1].to_networkx()[0]
    distances = dict(nx.all_pairs_shortest_path_length(graph))
    expected = np.zeros(len(graph))
    for u, v in combinations(graph, 2):
        path = nx.path_graph(distances[u][v] + 1)  # only its ends are of interest
        nx.set_node_attributes(path, "Xx", "label")
        for end, node in ((0, u), (distances[u][v], v)):
            path.nodes[end]["label"] = molecules[0].label_names[molecules[0].node_labels[node]]
        worth = model._fitted_kernel().features([path]).toarray()[0] @ weights
        expected[[u, v]] += worth / 2
    np.testing.assert_allclose(explanation.of(0), expected, atol=1e-9)


def test_edges_have_what_pairs_at_distance_one_have(molecules: gr.Dataset) -> None:
    for model in (gr.KernelClassifier("shortest-path"), gr.KernelClassifier("wl", height=2)):
        explanation = gr.explain(model.fit(molecules), molecules)
        owner = molecules.owner[explanation.edge_ends[:, 0]]
        sums = np.bincount(owner, explanation.edges[:, 0], minlength=len(molecules))
        np.testing.assert_allclose(sums, explanation.rings[:, 1, 0], atol=1e-9)


def test_pairs_within_a_distance_are_those_of_networkx(molecules: gr.Dataset) -> None:
    graph = molecules[:1].to_networkx()[0]
    distances = dict(nx.all_pairs_shortest_path_length(graph, cutoff=3))
    expected = {(u, v, d) for u in graph for v, d in distances[u].items() if u <= v}
    pairs = pairs_within(molecules[:1], 3)
    assert set(zip(*(part.tolist() for part in pairs), strict=True)) == expected


def test_graphs_without_a_node_are_those_of_networkx(molecules: gr.Dataset) -> None:
    masked = without_each_node(molecules[:3])
    graphs = molecules[:3].to_networkx()
    expected = [graph.subgraph(set(graph) - {v}) for graph in graphs for v in graph]
    assert len(masked.dataset) == len(expected) == len(masked.nodes)
    for ours, theirs in zip(masked.dataset.to_networkx(), expected, strict=True):
        order = sorted(theirs)
        again = nx.relabel_nodes(theirs, {v: k for k, v in enumerate(order)})
        assert set(map(frozenset, ours.edges)) == set(map(frozenset, again.edges))
        assert [ours.nodes[v] for v in ours] == [again.nodes[v] for v in sorted(again)]


def test_an_integral_misses_little(molecules: gr.Dataset) -> None:
    model = gr.PGCClassifier(max_epochs=5, random_state=0).fit(molecules)
    explanation = gr.explain(model, molecules)
    moved = np.abs(explanation.score - explanation.base).mean()
    assert np.abs(explanation.left_over).mean() < 0.03 * moved


def test_explaining_leaves_a_network_as_it_was(molecules: gr.Dataset) -> None:
    model = gr.PGCClassifier(channels=(4, 1), max_epochs=2, random_state=0).fit(molecules)
    before = model.predict_proba(molecules)
    gr.explain(model, molecules)
    assert np.array_equal(model.predict_proba(molecules), before)
    assert all(parameter.requires_grad for parameter in model.network_.parameters())
