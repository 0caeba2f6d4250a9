import numpy as np
import pytest

import graphrings as gr
from graphrings.distances.graph_table import GraphTable, column_name, graph_table, table_arrays


def table_of(dataset: gr.Dataset, radius: int, nodes: str = "label") -> GraphTable:
    nodes = "degree" if dataset.node_labels is None else nodes
    return graph_table(dataset, nodes, table_arrays(dataset, nodes, radius))


def columns_of(table: GraphTable) -> dict[str, list[float]]:
    names = [column_name(key) for key in (*table.counted, *table.valued)]
    assert len(set(names)) == len(names)
    numbers = np.hstack([table.counts.toarray(), table.values])
    return dict(zip(names, numbers.T.tolist(), strict=True))


@pytest.fixture
def two() -> gr.Dataset:
    """A chain of C, N and C with two kinds of bonds, and a lonely N."""
    return gr.from_edges(
        [[(0, 1), (1, 2)], []],
        node_labels=[["C", "N", "C"], ["N"]],
        edge_labels=[["single", "double"], []],
        node_attributes=[[[1.0], [2.0], [6.0]], [[4.0]]],
        edge_attributes=[[[5.0, 1.0], [8.0, 1.0]], []],
    )


def test_every_column_by_its_name(two: gr.Dataset) -> None:
    columns = columns_of(table_of(two, 2))
    assert columns["C at distance 0"] == [2, 0]
    assert columns["C-N at distance 1"] == [2, 0]
    assert columns["C-C at distance 2"] == [1, 0]
    assert columns["C-N joined by single"] == columns["C-N joined by double"] == [1, 0]
    assert columns["nodes with degree 0"] == [0, 1]
    assert columns["nodes with degree 1"] == [2, 0]
    assert columns["nodes with clustering 0.0 or more"] == [3, 1]
    assert columns["nodes with size of ring 2 1"] == [2, 0]
    assert columns["nodes"] == [3, 1]
    assert columns["mean of attribute 1"] == [3, 4]
    assert columns["maximum of attribute 1"] == [6, 4]
    assert columns["mean of edge attribute 1"] == [6.5, 0]
    assert columns["deviation of edge attribute 1"] == [1.5, 0]
    assert columns["minimum of edge attribute 1"] == [5, 0]
    assert columns["maximum of edge attribute 2"] == [1, 0]


def test_attributes_at_a_distance_of_each_other(two: gr.Dataset) -> None:
    """Centred they are -2, -1 and 3: the products are 2 and -3 at distance 1, and -6 at 2."""
    columns = columns_of(table_of(two, 2))
    assert columns["attribute 1 with itself at distance 1"] == pytest.approx([-0.5, 0])
    assert columns["attribute 1 with itself at distance 2"] == pytest.approx([-6, 0])


def test_groups_make_up_a_whole(two: gr.Dataset) -> None:
    """Three distances, all bonds, and all nodes by every quantity that is binned."""
    table = table_of(two, 2)
    totals = np.zeros((2, int(table.groups.max()) + 1))
    for group in range(totals.shape[1]):
        totals[:, group] = table.counts.toarray()[:, table.groups == group].sum(axis=1)
    assert totals[0].tolist() == [3, 2, 1, 2, *[3] * 7]
    assert totals[1].tolist() == [1, 0, 0, 0, *[1] * 7]


def test_without_labels_degrees_are_counted_once() -> None:
    columns = columns_of(table_of(gr.synthetic.ego_networks(4), 1))
    assert "degree 3 at distance 0" in columns
    assert not any(name.startswith("nodes with degree") for name in columns)


def test_clustering_is_binned_by_tenths() -> None:
    triangle = gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)]])
    columns = columns_of(table_of(triangle, 1))
    assert columns["nodes with clustering 1.0 or more"] == [2]
    assert columns["nodes with clustering 0.3 or more"] == [1]
    assert columns["nodes with clustering 0.0 or more"] == [1]


def test_nodes_may_be_told_apart_by_label_and_degree(two: gr.Dataset) -> None:
    columns = columns_of(table_of(two, 1, "label+degree"))
    assert columns["N of degree 0 at distance 0"] == [0, 1]
    assert columns["C of degree 1-N of degree 2 at distance 1"] == [2, 0]
    assert columns["C-N joined by single"] == [1, 0]
