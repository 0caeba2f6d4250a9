import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError, SettingError, UnseenLabelWarning
from graphrings.graphs.features import LARGEST_DEGREE, fit_features


def degrees(dataset: gr.Dataset) -> np.ndarray:
    """The sizes of ring 1."""
    return dataset.degrees[:, None]


@pytest.fixture
def path() -> gr.Dataset:
    """The path a - b - a with an attribute at every node."""
    return gr.from_edges(
        [[(0, 1), (1, 2)]], node_labels=[["a", "b", "a"]], node_attributes=[[[1.0], [3.0], [5.0]]]
    )


def rows(dataset: gr.Dataset, kind: str, trained_on: gr.Dataset | None = None) -> np.ndarray:
    """A row of features for every node."""
    features = fit_features(dataset if trained_on is None else trained_on, kind)
    start, table = features.apply(dataset)
    assert table.shape[1] == features.width
    assert table.dtype == np.float32
    return table[start]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("constant", [[1], [1], [1]]),
        ("label", [[1, 0], [0, 1], [1, 0]]),
        ("degree", [[1, 0], [0, 1], [1, 0]]),
        ("label+degree", [[1, 0], [0, 1], [1, 0]]),
    ],
)
def test_parts_are_one_hot(path: gr.Dataset, kind: str, expected: list[list[int]]) -> None:
    assert rows(path, kind).tolist() == expected


def test_label_and_degree_are_one_joint_one_hot() -> None:
    """Pairs in sorted order: a of degree 1, a of degree 2, b of degree 1."""
    path = gr.from_edges([[(0, 1), (1, 2)]], node_labels=[["a", "a", "b"]])
    assert rows(path, "label+degree").tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_attributes_are_standardised_and_follow(path: gr.Dataset) -> None:
    """Mean 3, deviation the root of 8/3."""
    features = rows(path, "label+attributes")
    assert features[:, :2].tolist() == [[1, 0], [0, 1], [1, 0]]
    assert features[:, 2] == pytest.approx([-1.224745, 0, 1.224745])


def test_an_attribute_that_never_varies_is_zero() -> None:
    alone = gr.from_edges([[(0, 1)]], node_attributes=[[[4.0], [4.0]]])
    assert rows(alone, "attributes").tolist() == [[1, 0], [1, 0]]


def test_auto_takes_what_the_nodes_have(path: gr.Dataset) -> None:
    bare = gr.from_edges([[(0, 1)]])
    attributed = gr.from_edges([[(0, 1)]], node_attributes=[[[4.0], [5.0]]])
    labelled = replace(path, node_attributes=None)
    kinds = [fit_features(dataset).kind for dataset in (labelled, bare, attributed, path)]
    assert kinds == ["label+degree", "degree", "degree+attributes", "label+degree+attributes"]
    assert str(fit_features(path)) == "label+degree+attributes (1)"


def test_auto_may_be_a_part(path: gr.Dataset) -> None:
    bare = gr.from_edges([[(0, 1)]])
    kinds = [fit_features(dataset, "auto+ring-sizes", degrees).kind for dataset in (path, bare)]
    assert kinds == ["label+degree+attributes+ring-sizes", "degree+ring-sizes"]


def test_equal_rows_have_one_number(path: gr.Dataset) -> None:
    start, table = fit_features(path, "label").apply(path)
    assert start[0] == start[2] != start[1]
    assert len(table) == 2


def test_labels_are_known_by_name_not_by_number(path: gr.Dataset) -> None:
    other = gr.from_edges([[(0, 1)]], node_labels=[["b", "a"]])
    alone = gr.from_edges([[]], node_labels=[["b"]])
    assert rows(other, "label", path).tolist() == [[0, 1], [1, 0]]
    assert rows(alone, "label", path).tolist() == [[0, 1]]


@pytest.mark.parametrize("kind", ["label", "label+degree"])
def test_a_label_never_seen_is_zeros_with_one_warning(path: gr.Dataset, kind: str) -> None:
    other = gr.from_edges([[(0, 1), (1, 2)]], node_labels=[["a", "x", "y"]])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        features = rows(other, kind, path)
    assert features.tolist() == [[1, 0], [0, 0], [0, 0]]
    assert [w.category for w in caught] == [UnseenLabelWarning]
    assert str(caught[0].message).startswith("graphs: 2 nodes have a label that training never saw")


def test_a_label_of_the_names_that_no_training_node_had_is_never_seen_either() -> None:
    both = gr.from_edges([[(0, 1)], [(0, 1)]], node_labels=[["a", "a"], ["a", "b"]])
    with pytest.warns(UnseenLabelWarning, match="1 nodes have a label"):
        assert rows(both, "label", both[:1]).tolist() == [[1], [1], [1], [0]]


def test_a_degree_never_seen_is_the_nearest_of_its_label(path: gr.Dataset) -> None:
    star = gr.from_edges([[(0, 1), (0, 2), (0, 3)]], node_labels=[["a", "a", "b", "a"]])
    assert rows(star, "label+degree", path).tolist() == [[1, 0], [1, 0], [0, 1], [1, 0]]
    assert rows(star, "degree", path).tolist() == [[0, 1], [1, 0], [1, 0], [1, 0]]


def test_very_large_degrees_count_as_one() -> None:
    stars = [[(0, leaf) for leaf in range(1, n + 1)] for n in (LARGEST_DEGREE, 150)]
    features = rows(gr.from_edges(stars), "degree")
    assert np.array_equal(features[0], features[LARGEST_DEGREE + 1])


@pytest.mark.parametrize("kind", ["hue", "label+", "labels", ""])
def test_unknown_parts_are_a_wrong_setting(path: gr.Dataset, kind: str) -> None:
    with pytest.raises(
        SettingError,
        match=r"expected auto, or constant, label, .*, ring-labels joined",
    ):
        fit_features(path, kind)


@pytest.mark.parametrize(
    ("kind", "message"),
    [("label", "but the nodes have no labels"), ("attributes", "nodes without attributes")],
)
def test_parts_that_the_nodes_lack_are_an_error(kind: str, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        fit_features(gr.from_edges([[(0, 1)]]), kind)


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("label", {}, "nodes without labels; training had labels"),
        ("attributes", {}, "nodes without attributes, which the features need"),
        (
            "attributes",
            {"node_attributes": [[[1, 2], [3, 4]]]},
            "2 node attributes; training had 1",
        ),
    ],
)
def test_graphs_must_have_what_training_had(
    path: gr.Dataset, kind: str, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        fit_features(path, kind).apply(gr.from_edges([[(0, 1)]], **given))


def test_ring_sizes_are_logarithms_standardised(path: gr.Dataset) -> None:
    """Ring 1 has one, two and one members: log 2, log 3 and log 2."""
    features = fit_features(path, "label+ring-sizes", degrees)
    start, table = features.apply(path, degrees)
    assert table[start][:, :2].tolist() == [[1, 0], [0, 1], [1, 0]]
    column = np.log([2, 3, 2])
    expected = (column - column.mean()) / column.std()
    assert table[start][:, 2] == pytest.approx(expected)


def test_what_a_fold_learns_does_not_change_the_numbers(path: gr.Dataset) -> None:
    """Folds share structure that is built on these numbers."""
    both = gr.from_graphs(
        [
            path[0],
            gr.from_edges([[(0, 1)]], node_labels=[["b", "a"]], node_attributes=[[[9.0], [7.0]]])[
                0
            ],
        ]
    )
    kinds = ("label+attributes", "attributes", "label+degree")
    for kind in kinds:
        numbers = [fit_features(both[part], kind).apply(both)[0].tolist() for part in ([0], [0, 1])]
        assert numbers[0] == numbers[1]


@pytest.mark.parametrize("kind", ["label+degree", "label+degree+attributes", "ring-sizes"])
def test_parts_one_after_the_other_teach_what_all_graphs_together_teach(kind: str) -> None:
    graphs = gr.synthetic.molecules(30, n_nodes=(3, 9))
    values = np.random.default_rng(0).normal(5, 2, (graphs.n_nodes, 2)).astype(np.float64)
    values[:, 1] = 7.0  # which has no deviation
    graphs = graphs.changed(node_attributes=values)
    whole = fit_features(graphs, kind, degrees)
    parts = fit_features((graphs[k : k + 7] for k in range(0, 30, 7)), kind, degrees)
    assert (parts.kind, parts.pairs) == (whole.kind, whole.pairs)
    np.testing.assert_allclose(parts.mean, whole.mean)
    np.testing.assert_allclose(parts.scale, whole.scale)
    assert fit_features([graphs], kind, degrees) == whole
