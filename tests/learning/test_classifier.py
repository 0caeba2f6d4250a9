import warnings
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.exceptions import NotFittedError
from sklearn.utils.class_weight import compute_sample_weight

import graphrings as gr
from graphrings.errors import (
    DatasetError,
    DivergenceError,
    IgnoredNote,
    InterruptedWarning,
    SettingError,
    UnseenLabelWarning,
)
from graphrings.learning.progress import TrainingProgress
from graphrings.networks.head import measure_k
from graphrings.tasks.classification import Classes
from learning.settings import KINDS, QUICK

every_kind = pytest.mark.parametrize("kind", KINDS)


def as_networkx(dataset: gr.Dataset) -> list[nx.Graph]:
    graphs = []
    for graph in dataset:
        network = nx.empty_graph(graph.n_nodes)
        network.add_edges_from(graph.edges.tolist())
        graphs.append(network)
    return graphs


def in_every_form(dataset: gr.Dataset) -> dict[str, Any]:
    networks = as_networkx(dataset)
    return {
        "Dataset": dataset,
        "Graph": list(dataset),
        "networkx": networks,
        "scipy": [nx.to_scipy_sparse_array(network) for network in networks],
        "numpy": [nx.to_numpy_array(network) for network in networks],
    }


@pytest.mark.parametrize("form", ["Dataset", "Graph", "networkx", "scipy", "numpy"])
def test_graphs_may_come_in_any_form(egos: gr.Dataset, form: str) -> None:
    graphs, y = in_every_form(egos)[form], egos.targets
    expected = gr.PGCClassifier(**QUICK).fit(egos).predict_proba(egos)
    model = gr.PGCClassifier(**QUICK).fit(graphs, y)
    assert np.array_equal(model.predict_proba(graphs), expected)
    assert model.score(graphs, y) == model.score(egos)


@every_kind
def test_every_method_learns_what_is_easy(kind: Any, egos: gr.Dataset) -> None:
    model = kind(**QUICK | {"max_epochs": 40, "features": "degree"}).fit(egos[:30])
    assert model.score(egos[30:]) >= 0.9
    assert model.history_.epochs[-1].train_loss < model.history_.epochs[0].train_loss


@pytest.mark.parametrize(
    ("first", "second"), [("no", "yes"), (False, True), (-1, 1), (1.0, 2.0), ((0, 1), (1, 0))]
)
def test_classes_may_be_called_anything(egos: gr.Dataset, first: Any, second: Any) -> None:
    y = [second if target else first for target in egos.targets]
    model = gr.PGCClassifier(**QUICK | {"max_epochs": 15}).fit(egos, y)
    assert model.classes_.tolist() == [first, second]
    assert model.predict(egos).tolist() == y
    assert model.score(egos, y) == 1


def test_classes_of_a_dataset_keep_their_names(egos: gr.Dataset) -> None:
    named = gr.from_graphs(list(egos), ["few" if target else "many" for target in egos.targets])
    model = gr.PGCClassifier(**QUICK).fit(named)
    assert model.classes_.tolist() == ["few", "many"]
    assert set(model.predict(named)) <= {"few", "many"}


def test_three_classes_have_three_probabilities(egos: gr.Dataset) -> None:
    y = np.arange(len(egos)) % 3
    model = gr.PGCClassifier(**QUICK).fit(egos, y)
    shares, values = model.predict_proba(egos), model.decision_function(egos)
    assert shares.shape == values.shape == (40, 3)
    assert shares.sum(axis=1) == pytest.approx(np.ones(40))
    assert np.array_equal(shares.argmax(axis=1), values.argmax(axis=1))
    assert np.array_equal(model.predict(egos), model.classes_[shares.argmax(axis=1)])


def test_two_classes_have_one_decision_value(egos: gr.Dataset) -> None:
    model = gr.PGCClassifier(**QUICK).fit(egos)
    values, shares = model.decision_function(egos), model.predict_proba(egos)
    assert values.shape == (40,)
    assert np.array_equal(values > 0, model.predict(egos) == model.classes_[1])
    assert 1 / (1 + np.exp(-values)) == pytest.approx(shares[:, 1], abs=1e-6)


def test_scores_may_be_weighed(egos: gr.Dataset) -> None:
    model = gr.PGCClassifier(**QUICK).fit(egos)
    hits = model.predict(egos) == egos.targets
    weights = np.arange(40)
    assert model.score(egos, sample_weight=weights) == np.average(hits, weights=weights)


@every_kind
def test_the_same_seed_gives_the_same_bits(kind: Any, molecules: gr.Dataset) -> None:
    """Whatever the threads of torch and whoever has drawn random numbers before."""
    torch.set_num_threads(1)
    first = kind(**QUICK).fit(molecules)
    torch.set_num_threads(2)
    torch.manual_seed(99)
    torch.rand(7)
    np.random.seed(99)  # noqa: NPY002
    second = kind(**QUICK).fit(molecules)
    for a, b in zip(first.network_.parameters(), second.network_.parameters(), strict=True):
        assert torch.equal(a, b)
    assert np.array_equal(first.predict_proba(molecules), second.predict_proba(molecules))


def test_another_seed_gives_other_weights(molecules: gr.Dataset) -> None:
    one, other = (gr.PGCClassifier(**QUICK | {"random_state": s}).fit(molecules) for s in (0, 1))
    assert not np.array_equal(one.predict_proba(molecules), other.predict_proba(molecules))


def test_a_fit_leaves_the_state_of_torch_alone(molecules: gr.Dataset) -> None:
    torch.set_num_threads(2)
    state = torch.random.get_rng_state()
    gr.PGCClassifier(**QUICK).fit(molecules).predict(molecules)
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.get_num_threads() == 2


def test_a_label_never_seen_is_zeros_and_one_warning(molecules: gr.Dataset) -> None:
    model = gr.PGCClassifier(**QUICK, features="label").fit(molecules)
    path = nx.path_graph(4)
    nx.set_node_attributes(path, {0: "C", 1: "Xx", 2: "Xx", 3: "Yy"}, "label")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        shares = model.predict_proba([path])
    assert [w.category for w in caught] == [UnseenLabelWarning]
    assert "3 nodes have a label that training never saw" in str(caught[0].message)
    assert shares.sum() == pytest.approx(1)


def test_validation_may_be_given(egos: gr.Dataset) -> None:
    """As a dataset or as a pair; then every training graph is trained on."""
    rest = egos[30:]
    one = gr.PGCClassifier(**QUICK).fit(egos[:30], validation=rest)
    pair = list(rest), rest.targets
    other = gr.PGCClassifier(**QUICK).fit(egos[:30], validation=pair)
    assert one.history_.epochs == other.history_.epochs
    alone = gr.PGCClassifier(**QUICK).fit(egos[:30])
    assert alone.history_.epochs != one.history_.epochs


def test_a_validation_class_must_occur_in_training(egos: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match="the class 7 does not occur in training"):
        gr.PGCClassifier(**QUICK).fit(egos, validation=(list(egos[:3]), [0, 7, 1]))


def test_a_stratified_part_is_held_out(egos: gr.Dataset) -> None:
    model = gr.PGCClassifier(validation_fraction=0.2)
    model.coding_ = Classes(np.array([0, 1]))
    training, held_out = model._split(egos.targets.astype(np.int64), seed=0)
    assert (len(training), len(held_out)) == (32, 8)
    assert np.bincount(egos.targets[held_out]).tolist() == [4, 4]
    assert sorted([*training, *held_out]) == list(range(40))


@pytest.mark.parametrize(("n", "fraction"), [(3, 0.1), (40, 0.0)])
def test_too_few_graphs_or_no_share_hold_nothing_out(
    egos: gr.Dataset, n: int, fraction: float
) -> None:
    model = gr.PGCClassifier(**QUICK, validation_fraction=fraction).fit(egos[:n], np.arange(n) % 2)
    assert all(epoch.validation_loss == epoch.train_loss for epoch in model.history_.epochs)


def test_the_released_code_validates_on_the_last_graphs() -> None:
    model = gr.ReleasedPGCClassifier(validation_fraction=0.125)
    training, held_out = model._split(np.zeros(17, dtype=np.int64), seed=0)
    assert (training.tolist(), held_out.tolist()) == (list(range(15)), [15, 16])
    assert model._plan().drop_last


@pytest.mark.parametrize(("quantile", "k"), [(0.5, 15), (0.6, 18), (1.0, 30), (0.1, 10)])
def test_k_is_a_quantile_of_the_training_graphs(quantile: float, k: int) -> None:
    """Ten paths of 3, 6, ..., 30 nodes; the convolutions need at least 10 rows."""
    paths = gr.from_networkx([nx.path_graph(3 * i) for i in range(1, 11)])
    assert measure_k(paths, quantile) == {"k": k}


def test_the_usual_quantile_depends_on_labels(egos: gr.Dataset, molecules: gr.Dataset) -> None:
    for dataset, quantile in ((egos, 0.9), (molecules, 0.6)):
        assert measure_k(dataset) == measure_k(dataset, quantile)


def test_k_never_looks_at_the_graphs_held_out(egos: gr.Dataset) -> None:
    giant = gr.from_networkx([*as_networkx(egos), nx.path_graph(500)])
    model = gr.ReleasedPGCClassifier(**QUICK, quantile=1.0, validation_fraction=0.1)
    model.fit(giant, [*egos.targets, 0])
    assert model.k_ <= egos.sizes.max()


def test_class_weights_change_what_is_predicted() -> None:
    """Three in forty are of the other class, and nothing tells them apart."""
    cycles = gr.from_networkx([nx.cycle_graph(5)] * 40)
    y = np.array([1, 1, 1, *[0] * 37])
    settings = QUICK | {"validation_fraction": 0.0, "max_epochs": 40, "dropout": 0.0}
    plain = gr.PGCClassifier(**settings).fit(cycles, y)
    heavy = gr.PGCClassifier(**settings, class_weight={1: 100.0}).fit(cycles, y)
    even = gr.PGCClassifier(**settings, class_weight="balanced").fit(cycles, y)
    assert set(plain.predict(cycles)) == {0}
    assert set(heavy.predict(cycles)) == {1}
    assert even.predict_proba(cycles)[0, 1] == pytest.approx(0.5, abs=0.1)


def test_weights_of_graphs_and_of_classes_are_one_mechanism() -> None:
    """Counting a class three times is the same, said by class, by graph, or half and half."""
    cycles = gr.from_networkx([nx.cycle_graph(n) for n in range(3, 13)] * 2)
    y = np.arange(20) % 2
    settings = QUICK | {"validation_fraction": 0.0}
    by_class = gr.PGCClassifier(**settings, class_weight={1: 3.0}).fit(cycles, y)
    by_graph = gr.PGCClassifier(**settings).fit(cycles, y, np.where(y == 1, 3.0, 1.0))
    mixed = gr.PGCClassifier(**settings, class_weight={0: 2.0})
    mixed.fit(cycles, y, np.where(y == 1, 6.0, 1.0))
    plain = gr.PGCClassifier(**settings).fit(cycles, y).decision_function(cycles)
    for model in (by_graph, mixed):
        assert model.decision_function(cycles) == pytest.approx(
            by_class.decision_function(cycles), abs=1e-5
        )
    assert by_class.decision_function(cycles) != pytest.approx(plain, abs=1e-3)


def test_balanced_weights_are_those_of_scikit_learn(egos: gr.Dataset) -> None:
    y = np.array(["a"] * 30 + ["b"] * 10)
    settings = QUICK | {"validation_fraction": 0.0}
    balanced = gr.PGCClassifier(**settings, class_weight="balanced").fit(egos, y)
    weights = compute_sample_weight("balanced", y)
    given = gr.PGCClassifier(**settings).fit(egos, y, sample_weight=weights)
    assert given.history_.epochs == balanced.history_.epochs


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"sample_weight of shape \(1,\) for 40 graphs; expected one per graph"),
        ([1.0] * 39 + [-1.0], r"sample_weight\[39\] = -1; expected finite numbers"),
        ([0.0] * 40, "not all of them 0"),
    ],
)
@pytest.mark.parametrize("kind", [gr.PGCClassifier, gr.KernelClassifier, gr.BaselineClassifier])
def test_weights_without_sense_are_one_line(
    egos: gr.Dataset, kind: Any, weights: list[float], message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        kind().fit(egos, sample_weight=weights)


def test_one_class_is_an_error(egos: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match="all graphs are of class 'a'; expected at least two"):
        gr.PGCClassifier().fit(egos, ["a"] * 40)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 1], "2 targets for 40 graphs; expected one per graph"),
        (np.zeros((40, 2)), r"targets of shape \(40, 2\); expected one column"),
        (pd.DataFrame({"a": [0] * 40, "b": [1] * 40}), r"targets of shape \(40, 2\)"),
        ([0, 1] * 19 + [None, 1], r"1 of 40 targets are missing, the first is number 38 \(None\)"),
        ([0.0, 1.0] * 19 + [np.nan] * 2, "2 of 40 targets are missing, the first is number 38"),
        (pd.Series([0, 1] * 19 + [pd.NA, 1]), "1 of 40 targets are missing"),
        (np.arange(40) / 7, "with 40 different values; expected classes .there are regressors"),
    ],
)
def test_classes_must_fit_the_graphs(egos: gr.Dataset, y: Any, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        gr.PGCClassifier().fit(egos, y)


@pytest.mark.parametrize("wrap", [lambda y: y.reshape(-1, 1), pd.Series, pd.DataFrame])
def test_a_column_of_classes_will_do(egos: gr.Dataset, wrap: Any) -> None:
    model = gr.PGCClassifier(**QUICK).fit(egos, wrap(egos.targets))
    assert model.classes_.tolist() == [0, 1]
    assert model.score(egos, wrap(egos.targets)) == model.score(egos)


def test_graphs_without_classes_cannot_be_fitted() -> None:
    with pytest.raises(DatasetError, match="graphs without targets; give them as y"):
        gr.PGCClassifier().fit([nx.path_graph(2)])


@pytest.mark.parametrize("method", ["fit", "score"])
def test_no_graphs_are_an_error(egos: gr.Dataset, method: str) -> None:
    model = gr.PGCClassifier(**QUICK).fit(egos)
    for none in ([], egos[[]]):
        with pytest.raises(DatasetError, match="no graphs; expected at least one"):
            getattr(model, method)(none)


@pytest.mark.parametrize("n_nodes", [1, 3])
def test_graphs_without_edges_can_be_predicted(egos: gr.Dataset, n_nodes: int) -> None:
    model = gr.PGCClassifier(**QUICK).fit(egos)
    assert model.predict([nx.empty_graph(n_nodes)]).shape == (1,)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("channels", ()),
        ("channels", (4, 0)),
        ("channels", (4, 1.5)),
        ("channels", 4),
        ("conv_channels", (4,)),
        ("dense", 0),
        ("dropout", 1.0),
        ("dropout", "much"),
        ("learning_rate", 0),
        ("learning_rate", float("nan")),
        ("batch_size", 2.5),
        ("max_epochs", 0),
        ("patience", -1),
        ("quantile", 0),
        ("quantile", "most"),
        ("validation_fraction", 1),
        ("class_weight", "heavy"),
        ("activation", "step"),
        ("ties", "first"),
        ("features", "colour"),
        ("weight_decay", -1),
        ("schedule", "linear"),
        ("monitor", "rmse"),
        ("device", "tpu"),
        ("fused", 1),
    ],
)
def test_a_setting_without_sense_is_one_line(egos: gr.Dataset, name: str, value: Any) -> None:
    with pytest.raises(SettingError, match=f"^{name} .*expected ") as error:
        gr.PGCClassifier(**{name: value}).fit(egos)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("radius", [-1, 1.5, "two", None])
def test_a_radius_that_is_none_is_one_line(egos: gr.Dataset, radius: Any) -> None:
    with pytest.raises(SettingError, match="expected a whole number, 0 or larger"):
        gr.PGCClassifier(radius=radius).fit(egos)


def test_the_released_network_sees_labels_or_nothing(
    egos: gr.Dataset, molecules: gr.Dataset
) -> None:
    kinds = [
        gr.ReleasedPGCClassifier(max_epochs=1).fit(graphs).features_.kind
        for graphs in (molecules, egos)
    ]
    assert kinds == ["label", "constant"]


@every_kind
def test_a_model_must_be_fitted_first(kind: Any, egos: gr.Dataset) -> None:
    for method in ("predict", "predict_proba", "decision_function", "score"):
        with pytest.raises(NotFittedError):
            getattr(kind(), method)(egos)
    with pytest.raises(NotFittedError):
        kind().save("model.safetensors")


def test_divergence_is_an_error_and_not_a_bad_model(egos: gr.Dataset) -> None:
    with pytest.raises(DivergenceError, match=r"in epoch \d with learning rate 1e\+30"):
        gr.PGCClassifier(**QUICK | {"learning_rate": 1e30}).fit(egos)


def test_ctrl_c_keeps_a_model_and_says_so(
    egos: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []

    def show(_: TrainingProgress, epoch: Any) -> None:
        shown.append(epoch)
        if len(shown) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(TrainingProgress, "show", show)
    model = gr.PGCClassifier(**QUICK | {"max_epochs": 9})
    with pytest.warns(InterruptedWarning, match=r"interrupted in epoch 3; the best .* are kept"):
        model.fit(egos)
    assert len(model.history_.epochs) == 2
    assert model.predict(egos).shape == (40,)


@pytest.mark.slow
@pytest.mark.parametrize(("radius", "solved"), [(2, True), (1, False)])
def test_what_is_written_in_ring_two_takes_radius_two(radius: int, solved: bool) -> None:
    """In one layer. Ring 1 shows the same in both classes, so that nothing beats a coin."""
    training, test = gr.synthetic.ring_two(300, seed=0), gr.synthetic.ring_two(200, seed=1)
    model = gr.PGCClassifier(
        radius=radius,
        channels=(16,),
        features="label",
        dropout=0.0,
        max_epochs=60,
        patience=60,
        random_state=0,
    )
    accuracy = model.set_params(learning_rate=0.003).fit(training).score(test)
    assert accuracy > 0.98 if solved else abs(accuracy - 0.5) < 0.06


def test_attributes_are_features_too() -> None:
    """Two classes of triangles that differ in an attribute only."""
    y = np.arange(40) % 2
    triangles = gr.from_edges(
        [[(0, 1), (1, 2), (0, 2)]] * 40, node_attributes=[np.full((3, 1), float(k)) for k in y]
    )
    settings = QUICK | {"max_epochs": 20}
    assert (
        gr.PGCClassifier(**settings, features="attributes").fit(triangles, y).score(triangles, y)
        == 1
    )
    blind = gr.PGCClassifier(**settings, features="degree")
    with pytest.warns(IgnoredNote, match="pgc-dgcnn ignores 1 node attribute of graphs"):
        assert blind.fit(triangles, y).score(triangles, y) == 0.5
