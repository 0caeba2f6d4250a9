from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.distances.audit import conflicting_twins
from graphrings.graphs.dataset import Fold
from graphrings.tasks import REGRESSION


def test_twins_with_different_classes_put_a_ceiling_on_accuracy() -> None:
    """Three triangles of classes 0, 0, 1 and a path: somebody must lose one of the triangles."""
    triangle = nx.complete_graph(3)
    graphs = gr.from_networkx([triangle, triangle, nx.path_graph(3), triangle], [0, 0, 1, 1])
    folds = [Fold(np.array([0, 2]), np.array([1, 3])), Fold(np.array([2]), np.array([0, 1]))]
    audited = gr.audit(graphs, folds=folds)
    assert (audited.n_distinct, audited.n_with_twin, audited.n_conflicting) == (2, 3, 1)
    assert audited.ceiling == 0.75
    assert audited.twin_share == 0.5  # both tested in the first fold, none in the second
    assert audited.n_untested == 1


def test_twins_with_different_values_put_a_floor_under_the_rmse() -> None:
    """The best guess for triangles of 1.5 and 3.5 is 2.5, off by 1 twice; the paths are known."""
    triangle, path = nx.complete_graph(3), nx.path_graph(3)
    graphs = gr.from_networkx([triangle, path, triangle, path], [1.5, 7, 3.5, 7])
    audited = gr.audit(graphs)
    assert (audited.task, audited.n_distinct, audited.n_conflicting) == ("regression", 2, 1)
    assert audited.ceiling == pytest.approx(np.sqrt(2 / 4))


def test_a_task_may_be_given() -> None:
    """Whole numbers name classes, unless values are meant."""
    graphs = gr.from_networkx([nx.path_graph(2)] * 4, [0, 0, 0, 4])
    assert (gr.audit(graphs).task, gr.audit(graphs).ceiling) == ("classification", 0.75)
    audited = gr.audit(graphs, task=REGRESSION)
    assert (audited.task, audited.n_conflicting) == ("regression", 1)
    assert audited.ceiling == pytest.approx(np.std([0, 0, 0, 4]))


def test_labels_tell_graphs_apart() -> None:
    labels = [["C", "C"], ["C", "N"], ["N", "C"]]
    graphs = gr.from_edges([[(0, 1)]] * 3, node_labels=labels)
    assert gr.twin_groups(graphs).tolist() == [0, 1, 1]


def test_only_twins_that_differ_are_in_conflict() -> None:
    """Two paths of two nodes have both classes, two of three nodes the same one."""
    graphs = gr.from_edges([[(0, 1)], [(0, 1)], [(0, 1), (1, 2)], [(0, 1), (1, 2)]], [0, 1, 1, 1])
    assert conflicting_twins(graphs) == [[0, 1]]
    assert conflicting_twins(graphs[[1, 2, 3]]) == []


def test_graphs_without_classes_have_no_ceiling() -> None:
    audited = gr.audit(gr.from_networkx([nx.path_graph(2)]))
    assert (audited.ceiling, audited.n_conflicting, audited.twin_share) == (None, None, None)


def test_bundled_mutag_has_175_distinct_graphs_and_no_ceiling() -> None:
    audited = gr.audit(gr.load("MUTAG"))
    assert (audited.n_distinct, audited.n_conflicting, audited.ceiling) == (175, 0, 1.0)


@pytest.mark.parametrize(
    ("name", "distinct", "ceiling", "twins"),
    [
        ("MUTAG", 175, 100.0, 12.2),
        ("PTC", 337, 99.4, 3.2),
        ("NCI1", 4039, 99.8, 2.7),
        ("PROTEINS", 1069, 99.7, 5.5),
        ("IMDBBINARY", 537, 88.6, 56.1),
        ("IMDBMULTI", 387, 63.3, 80.3),
    ],
)
def test_the_published_folds_leak_twins(
    datasets: Path, name: str, distinct: int, ceiling: float, twins: float
) -> None:
    audited = gr.audit(gr.read_dgcnn_text(datasets / "dgcnn_text" / f"{name}.zip"))
    assert audited.ceiling is not None
    assert audited.twin_share is not None
    assert audited.n_distinct == distinct
    assert round(100 * audited.ceiling, 1) == ceiling
    assert round(100 * audited.twin_share, 1) == twins
