import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier

import graphrings as gr
from graphrings import limits
from graphrings.errors import DatasetError, MemoryLimitError, ModelError, UnseenLabelWarning
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.learning import table_columns
from graphrings.learning.table_columns import learn_columns


@pytest.fixture(scope="module")
def molecules() -> gr.Dataset:
    return gr.synthetic.molecules(40, n_nodes=(4, 9))


@pytest.fixture(scope="module")
def mutag() -> gr.Dataset:
    return gr.load("MUTAG")


def quick(**settings: Any) -> gr.ForestClassifier:
    return gr.ForestClassifier(**{"n_trees": 20, "random_state": 0, "nodes": "label", **settings})


def test_it_is_scikit_learns_forest_on_the_table(mutag: gr.Dataset) -> None:
    ours = quick(trees="extra", radius=2).fit(mutag)
    rows = ours.columns_.rows(Selection(mutag, np.arange(len(mutag)), ArrayCache()))
    seed = int(np.random.RandomState(0).randint(2**31 - 1))
    theirs = ExtraTreesClassifier(20, random_state=seed).fit(rows, mutag.targets)
    assert np.array_equal(ours.predict_proba(mutag), theirs.predict_proba(rows))
    assert np.array_equal(ours.feature_importances_, theirs.feature_importances_)


def test_the_forest_is_the_same_for_any_number_of_threads(mutag: gr.Dataset) -> None:
    one, two = (quick(n_jobs=n).fit(mutag).predict_proba(mutag) for n in (1, 2))
    assert np.array_equal(one, two)


def test_columns_are_ranked_by_name(mutag: gr.Dataset) -> None:
    forest = quick().fit(mutag)
    ranked = forest.importances()
    assert [value for _, value in ranked] == sorted(forest.feature_importances_, reverse=True)
    assert sum(value for _, value in ranked) == pytest.approx(1)
    assert {"0-1 at distance 2", "share of 0-1 at distance 2", "nodes"} <= {n for n, _ in ranked}


def test_rows_hold_counts_then_shares_then_values(mutag: gr.Dataset) -> None:
    chosen = Selection(mutag, np.arange(5, 60), ArrayCache())
    columns = learn_columns(chosen, "label", 2)
    named = dict(zip(columns.names, columns.rows(chosen).T, strict=True))
    profile = gr.ring_profile(mutag[5:60], 2)
    counts = dict(zip(profile.names, profile.matrix.toarray().T, strict=True))
    bonds = counts["0-1 at distance 1"]
    edges = mutag[5:60].degrees @ (mutag[5:60].owner[:, None] == np.arange(55)) / 2
    assert np.array_equal(named["0-1 at distance 1"], bonds)
    np.testing.assert_allclose(named["share of 0-1 at distance 1"], bonds / edges, rtol=1e-6)
    assert np.array_equal(named["edges"], edges)


def test_only_what_two_training_graphs_have_is_a_column() -> None:
    graphs = gr.from_edges([[(0, 1)]] * 4, node_labels=[["C", x] for x in ("O", "O", "F", "N")])
    everything = Selection(graphs, np.arange(4), ArrayCache())
    assert {
        key[3] for key in learn_columns(everything, "label", 1).counted if key[0] == "pair"
    } == {
        "C",
        "O",
    }
    training = Selection(graphs, np.array([0, 1]), everything.cache)
    assert learn_columns(training, "label", 1).labels == ("C", "O")


def test_auto_knows_nodes_by_labels_alone_where_there_would_be_too_many_columns(
    molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = Selection(molecules, np.arange(30), ArrayCache())
    fine = learn_columns(chosen, "label+degree", 2)
    assert learn_columns(chosen, "auto", 2) == fine
    monkeypatch.setattr(table_columns, "MOST_COUNTED", (len(fine.counted) - 0.5) / 30)
    assert learn_columns(chosen, "auto", 2) == learn_columns(chosen, "label", 2)
    unlabelled = molecules.changed(node_labels=None, label_names=())
    bare = Selection(unlabelled, np.arange(30), ArrayCache())
    assert learn_columns(bare, "auto", 2) == learn_columns(bare, "degree", 2)


def test_labels_that_training_never_saw_are_not_counted() -> None:
    graphs = gr.from_edges([[(0, 1)]] * 4, [0, 1] * 2, node_labels=[["C", "O"]] * 4)
    forest = quick().fit(graphs)
    strange = gr.from_edges([[(0, 1)], [(0, 1)]], node_labels=[["C", "Fr"], ["Fr", "Fr"]])
    with pytest.warns(UnseenLabelWarning, match="3 nodes have a label that training never saw"):
        assert forest.predict(strange).shape == (2,)


@pytest.mark.parametrize("nodes", ["label", "label+degree"])
def test_labels_are_known_by_their_names(molecules: gr.Dataset, nodes: str) -> None:
    """Another dataset numbers the same labels in another order."""
    forest = quick(nodes=nodes).fit(molecules)
    turned = replace(
        molecules,
        node_labels=molecules.n_labels - 1 - molecules.node_labels,
        label_names=molecules.label_names[::-1],
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(forest.predict_proba(turned), forest.predict_proba(molecules))


def test_degrees_are_taken_where_training_had_no_labels(molecules: gr.Dataset) -> None:
    bare = replace(molecules, node_labels=None, label_names=())
    forest = quick().fit(bare)
    assert np.array_equal(forest.predict_proba(molecules), forest.predict_proba(bare))


@pytest.mark.parametrize(
    ("lacking", "message"),
    [
        ({"node_labels": None, "label_names": ()}, "nodes without labels; training had labels"),
        ({"edge_labels": None}, "edges without labels; training had labels"),
    ],
)
def test_graphs_that_lack_labels_are_refused(
    mutag: gr.Dataset, lacking: dict[str, Any], message: str
) -> None:
    forest = quick().fit(mutag)
    with pytest.raises(DatasetError, match=f"MUTAG: {message}"):
        forest.predict(replace(mutag, **lacking))


def test_graphs_with_other_attributes_are_refused(molecules: gr.Dataset) -> None:
    numbers = np.random.default_rng(0).normal(size=(molecules.n_nodes, 2))
    forest = quick().fit(replace(molecules, node_attributes=numbers))
    assert any("attribute 2" in name for name, _ in forest.importances())
    with pytest.raises(DatasetError, match="0 node attributes; training had 2"):
        forest.predict(molecules)
    with pytest.raises(DatasetError, match="1 node attributes; training had 2"):
        forest.predict(replace(molecules, node_attributes=numbers[:, :1]))


def test_folds_share_one_table(mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = table_columns.table_arrays
    monkeypatch.setattr(
        table_columns, "table_arrays", lambda *told: made.append(told[2]) or real(*told)
    )
    cache = ArrayCache()
    for kept in (np.arange(0, 100), np.arange(50, 188)):
        part = Selection(replace(mutag, targets=None), kept, cache)
        quick().fit(part, mutag.targets[kept]).predict(part)
    assert made == [3]


def test_weights_count_a_graph_more_than_once(molecules: gr.Dataset) -> None:
    """A graph of weight 0 might as well be of any class."""
    weights = np.ones(len(molecules))
    weights[:10] = 0
    other = np.array(molecules.targets)
    other[:10] = 1 - other[:10]
    one = quick(trees="extra").fit(molecules, molecules.targets, weights)
    two = quick(trees="extra").fit(molecules, other, weights)
    assert np.array_equal(one.predict_proba(molecules), two.predict_proba(molecules))


def test_a_class_can_count_more(mutag: gr.Dataset) -> None:
    plain = quick(min_leaf=20).fit(mutag).predict_proba(mutag)[:, 1].mean()
    name = mutag.class_names[1]
    first = quick(min_leaf=20, class_weight={name: 10.0}).fit(mutag).predict_proba(mutag)
    balanced = quick(min_leaf=20, class_weight="balanced").fit(mutag).predict_proba(mutag)
    assert balanced[:, 1].mean() < plain < first[:, 1].mean()


def test_too_wide_a_table_is_refused(
    molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "memory_limit", lambda: 1000)
    with pytest.raises(MemoryLimitError, match=r"a table of 40 graphs and .* would take about"):
        quick().fit(molecules)


def test_a_file_holds_plain_arrays(mutag: gr.Dataset, tmp_path: Path) -> None:
    quick().fit(mutag).save(tmp_path / "forest")
    arrays = load_file(tmp_path / "forest")
    assert {name for name in arrays if not name.startswith("domain.")} == {
        *("starts", "columns", "thresholds", "others", "leaves", "start", "passed"),
        "feature_importances_",
    }
    again = gr.ForestClassifier.load(tmp_path / "forest")
    assert again.importances() == quick().fit(mutag).importances()


def test_a_damaged_file_is_refused(mutag: gr.Dataset, tmp_path: Path) -> None:
    forest = quick().fit(mutag)
    forest.columns_ = replace(forest.columns_, valued=forest.columns_.valued[:-1])
    forest.save(tmp_path / "forest")
    with pytest.raises(ModelError, match="the model is damaged"):
        gr.load_model(tmp_path / "forest")


def test_boosted_trees_on_the_same_table(mutag: gr.Dataset) -> None:
    growth = {"n_trees": 20, "learning_rate": 0.1, "max_features": 1, "max_leaves": 500}
    ours = gr.BoostingClassifier(**growth, radius=2, random_state=0).fit(mutag)
    rows = ours.columns_.rows(Selection(mutag, np.arange(len(mutag)), ArrayCache()))
    theirs = HistGradientBoostingClassifier(
        max_iter=20,
        max_leaf_nodes=None,
        min_samples_leaf=10,
        l2_regularization=1,
        early_stopping=False,
    ).fit(rows, mutag.targets)
    np.testing.assert_allclose(ours.predict_proba(mutag), theirs.predict_proba(rows), atol=1e-3)
    assert sum(value for _, value in ours.importances()) == pytest.approx(1)
