"""What every explanation promises, whatever the model."""

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import graphrings as gr
from explanations.truth import (
    FAST,
    KERNELS,
    LEARNS,
    SMALL_FOREST,
    Planted,
    area,
    difference,
    forked,
    of_second_class,
    pairs_at_two,
    planted,
    small_models,
)
from graphrings.errors import ModelError, UnseenLabelWarning
from graphrings.explanations import networks
from graphrings.networks.names import NETWORKS
from strategies import shuffled

MODELS = small_models()
every_model = pytest.mark.parametrize("name", MODELS)


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Integrals are as rough as they may be where nobody looks at what they miss."""
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(networks, "STEPS", 4)


@pytest.fixture(scope="module")
def molecules() -> gr.Dataset:
    return gr.synthetic.molecules(30, n_nodes=(4, 9))


@pytest.fixture(scope="module")
def fitted() -> dict[str, Any]:
    return {}


def model_of(name: str, fitted: dict[str, Any], molecules: gr.Dataset) -> Any:
    if name not in fitted:
        fitted[name] = MODELS[name].fit(molecules[:20])
    return fitted[name]


def assert_complete(explanation: gr.Explanation, tolerance: float = 1e-9) -> None:
    """Nodes and distances add up to the score, each with what is left over for it."""
    dataset = explanation.dataset
    nodes = np.zeros_like(explanation.score)
    np.add.at(nodes, dataset.owner, explanation.nodes)
    by_nodes = explanation.base + nodes + explanation.left_over
    by_rings = explanation.base + explanation.rings.sum(axis=1) + explanation.rings_left_over
    scale = max(1.0, float(np.abs(explanation.score).max()))
    assert np.abs(by_nodes - explanation.score).max() < tolerance * scale
    assert np.abs(by_rings - explanation.score).max() < tolerance * scale


@every_model
def test_contributions_add_up_to_the_score(
    name: str, fitted: dict[str, Any], molecules: gr.Dataset
) -> None:
    explanation = gr.explain(model_of(name, fitted, molecules), molecules[15:])
    assert_complete(explanation)
    assert len(explanation) == 15
    assert explanation.nodes.shape == (molecules[15:].n_nodes, 1)
    assert explanation.edges.shape == (molecules[15:].n_edges, 1)
    assert explanation.outputs == (1,)


@every_model
def test_the_score_is_what_the_prediction_follows(
    name: str, fitted: dict[str, Any], molecules: gr.Dataset
) -> None:
    explanation = gr.explain(model_of(name, fitted, molecules), molecules[15:])
    threshold = 0.5 if explanation.score.min() >= 0 and explanation.score.max() <= 1 else 0.0
    second = explanation.score[:, 0] > threshold
    assert (explanation.predicted == second.astype(int)).mean() >= 0.9  # but for ties


@every_model
def test_names_of_nodes_mean_nothing(
    name: str, fitted: dict[str, Any], molecules: gr.Dataset
) -> None:
    model, graphs = model_of(name, fitted, molecules), molecules[20:26]
    again, number = shuffled(graphs, 7)
    one, other = gr.explain(model, graphs), gr.explain(model, again)
    tolerance = 1e-5 * max(1.0, np.abs(one.nodes).max())
    np.testing.assert_allclose(other.nodes[number], one.nodes, atol=tolerance)
    np.testing.assert_allclose(other.rings, one.rings, atol=tolerance)


@every_model
def test_symmetric_nodes_are_worth_the_same(
    name: str, fitted: dict[str, Any], molecules: gr.Dataset
) -> None:
    """All nodes of a cycle are alike, and so are all its edges."""
    cycle = gr.from_edges([[(v, (v + 1) % 6) for v in range(6)]], node_labels=[["C"] * 6])
    explanation = gr.explain(model_of(name, fitted, molecules), cycle)
    for values in (explanation.nodes, explanation.edges):
        assert np.ptp(values) < 1e-6 * max(1.0, np.abs(values).max())


@every_model
def test_company_means_nothing(name: str, fitted: dict[str, Any], molecules: gr.Dataset) -> None:
    """A graph is explained the same alone and among others."""
    model = model_of(name, fitted, molecules)
    alone, among = gr.explain(model, molecules[22]), gr.explain(model, molecules[20:25])
    tolerance = 1e-5 * max(1.0, np.abs(among.nodes).max())
    np.testing.assert_allclose(alone.of(0), among.of(2), atol=tolerance)


def test_the_same_bits_every_time(fitted: dict[str, Any], molecules: gr.Dataset) -> None:
    model = model_of("pgc-dgcnn", fitted, molecules)
    one, other = (gr.explain(model, molecules[20:25]) for _ in range(2))
    assert np.array_equal(one.nodes_by_ring, other.nodes_by_ring)


@pytest.mark.slow
@pytest.mark.parametrize("network", NETWORKS)
def test_every_network_is_explained(network: str, molecules: gr.Dataset) -> None:
    model = gr.NetworkClassifier(network, **FAST).fit(molecules[:20])
    explanation = gr.explain(model, molecules[20:])
    assert_complete(explanation)
    moved = np.abs(explanation.score - explanation.base).mean()
    assert np.abs(explanation.left_over).mean() < 0.2 * moved + 1e-6


REGRESSORS = small_models("Regressor")


@pytest.mark.parametrize("name", REGRESSORS)
def test_values_are_explained_in_their_own_unit(name: str) -> None:
    graphs = gr.synthetic.bond_shares(24, n_nodes=(4, 9))
    model = REGRESSORS[name].fit(graphs[:18])
    explanation = gr.explain(model, graphs[18:])
    assert_complete(explanation)
    np.testing.assert_allclose(explanation.score[:, 0], model.predict(graphs[18:]), rtol=1e-6)
    assert explanation.outputs == ("value",)


@pytest.mark.parametrize(
    "model",
    [
        gr.KernelClassifier("wl", height=1),
        gr.KernelClassifier("wl", height=1, linear=True),
        gr.KernelClassifier("random-walk"),
        gr.ForestClassifier(n_trees=10, random_state=0),
        gr.BoostingClassifier(n_trees=3, min_leaf=2, random_state=0),
        gr.BaselineClassifier(),
        gr.PGCClassifier(channels=(4, 1), **FAST),
        gr.CommitteeClassifier(members=["baseline-labels", SMALL_FOREST], random_state=0),
        gr.CommitteeClassifier(members=["wl", "baseline-labels"], random_state=0),
    ],
    ids=lambda model: f"{model.method_name}-{getattr(model, 'linear', '')}",
)
@pytest.mark.slow
def test_several_classes_have_an_output_each(model: Any) -> None:
    graphs = gr.synthetic.molecules(36, n_nodes=(4, 9))
    targets = np.array(["a", "b", "c"])[np.arange(36) % 3]
    explanation = gr.explain(model.fit(graphs, targets), graphs[:8])
    assert_complete(explanation, 1e-7)
    assert explanation.outputs == ("a", "b", "c")
    assert explanation.rings.shape[::2] == (8, 3)


def test_the_margins_of_a_class_add_up_over_the_others() -> None:
    graphs = gr.synthetic.molecules(36, n_nodes=(4, 9))
    model = gr.KernelClassifier("wl", height=1).fit(graphs, np.arange(36) % 3)
    first_second, first_third, second_third = model.decisions(graphs[:5]).T
    expected = [-first_second - first_third, first_second - second_third]
    score = gr.explain(model, graphs[:5]).score
    np.testing.assert_allclose(score[:, :2].T, expected)


NETWORK = {"estimator": "PGCClassifier", "settings": {"channels": (4, 1), **FAST}}


@pytest.mark.parametrize("members", [[SMALL_FOREST, "wl-oa"], ["baseline-labels", NETWORK]])
@pytest.mark.slow
def test_a_committee_is_the_sum_of_its_members(members: list[Any]) -> None:
    graphs = gr.synthetic.molecules(40, n_nodes=(4, 9))
    committee = gr.CommitteeClassifier(members=members, random_state=0).fit(graphs)
    explanation = gr.explain(committee, graphs[:10])
    assert_complete(explanation, 1e-7)
    np.testing.assert_allclose(explanation.score, committee.predict_proba(graphs[:10])[:, 1:])


def test_values_of_a_committee_are_the_weighted_members() -> None:
    graphs = gr.synthetic.bond_shares(30, n_nodes=(4, 9))
    members = ["baseline-labels", SMALL_FOREST]
    committee = gr.CommitteeRegressor(members=members, random_state=0).fit(graphs)
    explanation = gr.explain(committee, graphs[:5])
    parts = [gr.explain(member, graphs[:5]).nodes for member in committee.members_]
    expected = sum(w * part for w, part in zip(committee.weights_, parts, strict=True))
    np.testing.assert_allclose(explanation.nodes, expected)


WRITTEN_IN_RING_TWO = {
    "wl": gr.KernelClassifier("wl", height=2),
    "ring-wl": gr.KernelClassifier("ring-wl", height=1),
    "wl-oa": gr.KernelClassifier("wl-oa", height=2),
    "propagation": gr.KernelClassifier("propagation", height=2),
    "pgc-sets": gr.NetworkClassifier(
        "pgc-sets", channels=(8,), max_epochs=150, learning_rate=0.01, random_state=0
    ),
    "pgc-dgcnn": gr.PGCClassifier(
        channels=(8, 1), max_epochs=60, learning_rate=0.01, random_state=0
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN_IN_RING_TWO)
def test_what_is_written_in_ring_two_is_found_there(name: str) -> None:
    """Between graphs of one size, only distance 2 and the letters make a difference."""
    graphs = gr.synthetic.ring_two(120, seed=1)
    others = graphs[60:]
    others = others[others.sizes == 16]
    model = WRITTEN_IN_RING_TWO[name].fit(graphs[:60])
    assert model.score(others) > 0.95
    explanation = gr.explain(model, others)
    by_ring = np.abs(difference(explanation, explanation.rings[:, :, 0]))
    assert by_ring[2] > 0.9 * by_ring.sum()
    letters = explanation.nodes[:, 0] * (others.node_labels > 0)
    sums = np.bincount(others.owner, letters, minlength=len(others))
    assert difference(explanation, sums) > 0.7 * difference(explanation, explanation.score[:, 0])


@pytest.mark.parametrize(
    "model",
    [
        gr.ForestClassifier(n_trees=50, random_state=0),
        gr.BoostingClassifier(n_trees=20, min_leaf=5, random_state=0),
        gr.KernelClassifier("nspdk", radius=0, distance=3),
        gr.KernelClassifier("odd-sth", height=2),
    ],
    ids=lambda model: model.method_name,
)
def test_pairs_at_distance_two_are_found_there(model: Any) -> None:
    graphs = pairs_at_two(40, seed=0)
    explanation = gr.explain(model.fit(graphs), graphs)
    by_ring = np.abs(difference(explanation, explanation.rings[:, :, 0]))
    assert by_ring[2] > 0.75 * by_ring.sum()


PLANTED = {
    **{k: v for k, v in MODELS.items() if k in ("wl", "ring-wl", "wl-oa", "graphlet", "nspdk")},
    **{k: v for k, v in MODELS.items() if k in ("propagation", "shortest-path", "odd-sth")},
    "deep-wl": MODELS["deep-wl"],
    "ring-forest": gr.ForestClassifier(n_trees=50, random_state=0),
    "ring-boosting": gr.BoostingClassifier(n_trees=20, min_leaf=5, random_state=0),
    "committee": gr.CommitteeClassifier(members=[SMALL_FOREST, "wl-oa"], random_state=0),
    # Degrees tell the classes apart, too: they are not shown.
    "dcnn": gr.NetworkClassifier(
        "dcnn", features="label", max_epochs=100, learning_rate=3e-3, random_state=0
    ),
}


@pytest.fixture(scope="module")
def apart() -> tuple[gr.Dataset, Planted]:
    """Graphs to learn from, and others with the motif."""
    return planted(80, 0).dataset, of_second_class(planted(30, 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_motif_stands_out(name: str, apart: tuple[gr.Dataset, Planted]) -> None:
    """The share of pairs (node of the motif, other node) in the right order, in class 1."""
    training, (dataset, motif, beside) = apart
    model = PLANTED[name].fit(training)
    assert model.score(dataset) > 0.9
    assert area(gr.explain(model, dataset), motif, beside) > 0.95


@pytest.fixture(scope="module")
def forks() -> tuple[gr.Dataset, Planted]:
    """The same with forks that both classes have."""
    return forked(160, 0).dataset, of_second_class(forked(24, 1))


FORKED = {
    **{k: MODELS[k] for k in ("wl-oa", "nspdk")},
    "ring-forest": gr.ForestClassifier(n_trees=50, random_state=0),
    "ring-boosting": gr.BoostingClassifier(n_trees=20, min_leaf=5, random_state=0),
    "committee": PLANTED["committee"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORKED)
def test_a_motif_among_its_like_stands_out(name: str, forks: tuple[gr.Dataset, Planted]) -> None:
    training, (dataset, motif, beside) = forks
    model = FORKED[name].fit(training)
    assert model.score(dataset) > 0.9
    assert area(gr.explain(model, dataset), motif, beside) > 0.95


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pgc-dgcnn", "dgcnn", "gcn", "gin", "gat", "ggnn", "patchy-san"])
def test_a_network_that_has_learned_a_motif_shows_it(
    name: str, forks: tuple[gr.Dataset, Planted], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Degrees are among the features; ``python -m benchmarks.motif`` has all networks."""
    monkeypatch.setattr(networks, "STEPS", 8)
    settings = dict(LEARNS[name])
    training = forked(settings.pop("n_graphs"), 0).dataset
    dataset, motif, beside = forks[1]
    model = gr.NetworkClassifier(name, random_state=0, **settings).fit(training)
    assert model.score(dataset) > 0.9
    assert area(gr.explain(model, dataset), motif, beside) > 0.95


def test_every_network_is_held_to_a_motif() -> None:
    assert LEARNS.keys() | {"dcnn"} == NETWORKS.keys()


@pytest.mark.slow
def test_what_degrees_tell_stands_at_distance_one_and_on_edges() -> None:
    """Stars and paths of one label: nothing but degrees makes a difference."""
    sizes = np.repeat(np.arange(5, 10), 6)
    stars = [[(0, v) for v in range(1, n)] for n in sizes]
    paths = [[(v, v + 1) for v in range(n - 1)] for n in sizes]
    graphs = gr.from_edges([*stars, *paths], [1] * 30 + [0] * 30)
    model = gr.NetworkClassifier(
        "gcn", features="degree", max_epochs=60, learning_rate=0.01, random_state=0
    ).fit(graphs)
    assert model.score(graphs) == 1
    explanation = gr.explain(model, graphs)
    assert_complete(explanation, 1e-7)
    by_ring = np.abs(difference(explanation, explanation.rings[:, :, 0]))
    assert by_ring[1] > 0.9 * by_ring.sum()
    owner = graphs.owner[explanation.edge_ends[:, 0]]
    edges = np.bincount(owner, explanation.edges[:, 0], minlength=len(graphs))
    np.testing.assert_allclose(edges, explanation.rings[:, 1, 0], atol=1e-9)


@pytest.mark.slow
def test_masking_finds_the_motif_too(apart: tuple[gr.Dataset, Planted]) -> None:
    training, (dataset, motif, beside) = apart
    masked = gr.explain(PLANTED["wl"].fit(training), dataset, masking=True)
    assert area(masked, motif, beside) > 0.95
    assert not masked.rings.any()


def test_masking_agrees_where_nodes_do_not_know_of_each_other() -> None:
    """A sum over labels: what a node contributes is what is missing without it."""
    graphs = gr.synthetic.molecules(30, n_nodes=(4, 9))
    model = gr.KernelClassifier("wl", height=0, normalize=False).fit(graphs[:20])
    own, masked = (gr.explain(model, graphs[20:], masking=way) for way in (False, True))
    np.testing.assert_allclose(own.nodes, masked.nodes, atol=1e-9)
    assert own.rings.shape == (10, 1, 1)


class Size(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Somebody else's estimator: large graphs are of class 1."""

    classes_ = np.array([0, 1])

    def predict(self, graphs: gr.Dataset) -> np.ndarray:
        """The class."""
        return (graphs.sizes > 6).astype(int)


class Sure(Size):
    """The same with a score."""

    def decision_function(self, graphs: gr.Dataset) -> np.ndarray:
        """How much larger a graph is."""
        return graphs.sizes - 6.5


def test_any_estimator_is_explained_by_masking(molecules: gr.Dataset) -> None:
    """Without a node a graph has one node less."""
    explanation = gr.explain(Sure(), molecules)
    assert (explanation.nodes == 1).all()
    np.testing.assert_allclose(explanation.left_over, -6.5)
    assert "one by one" in explanation.how


def test_a_class_alone_explains_nothing(molecules: gr.Dataset) -> None:
    with pytest.raises(ModelError, match="Size predicts classes and nothing else; expected"):
        gr.explain(Size(), molecules)


def test_what_is_no_model_is_refused(molecules: gr.Dataset) -> None:
    with pytest.raises(ModelError, match="a str to explain; expected a fitted estimator"):
        gr.explain("model.safetensors", molecules)


def test_a_model_must_be_fitted(molecules: gr.Dataset) -> None:
    with pytest.raises(Exception, match="not fitted"):
        gr.explain(gr.ForestClassifier(), molecules)


def test_labels_that_training_never_saw_are_worth_nothing() -> None:
    graphs = gr.from_edges([[(0, 1), (1, 2)]], node_labels=[["Xx"] * 3])
    training = gr.synthetic.molecules(30, n_nodes=(4, 9))
    for model in (gr.KernelClassifier("wl"), gr.KernelClassifier("shortest-path")):
        explanation = gr.explain(model.fit(training), graphs)
        assert not explanation.nodes.any()
        assert_complete(explanation)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)
        explanation = gr.explain(gr.BaselineClassifier(kind="shares").fit(training), graphs)
    assert_complete(explanation)


@pytest.mark.slow
def test_graphs_without_labels_and_without_edges() -> None:
    lists = [[], [(0, 1)], [(0, 1), (1, 2)], [(0, 1), (1, 2), (2, 0)], [(0, 1), (2, 3)], []]
    graphs = gr.from_edges(lists, [0, 1, 0, 1, 0, 1], n_nodes=[1, 2, 3, 3, 5, 3])
    models = small_models()
    for name in (*KERNELS, "ring-forest", "baseline", "pgc-dgcnn", "dcnn"):
        assert_complete(gr.explain(models[name].fit(graphs), graphs), 1e-7)
