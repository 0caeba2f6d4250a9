"""Large datasets are answered in chunks: the same numbers, bounded memory, one warning."""

import tracemalloc
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import UnseenLabelWarning
from graphrings.graphs.adapters.anything import as_selection
from graphrings.learning import network_estimators, profile_trees
from graphrings.learning.chunks import MOST_NODES, added_up, chunks, in_chunks
from learning.settings import QUICK


@pytest.fixture(scope="module")
def many() -> gr.Dataset:
    return gr.synthetic.molecules(230, 3, n_nodes=(4, 12))


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty graphs at a time, for everybody."""
    monkeypatch.setattr(in_chunks, "__defaults__", (20, MOST_NODES))
    monkeypatch.setattr(profile_trees, "AT_ONCE", 20)


FITTED = {
    "baseline": lambda graphs: gr.BaselineClassifier().fit(graphs),
    "forest": lambda graphs: gr.ForestClassifier(n_trees=9, random_state=0).fit(graphs),
    "boosting": lambda graphs: gr.BoostingClassifier(n_trees=5, random_state=0).fit(graphs),
    "values": lambda graphs: gr.ForestRegressor(n_trees=9, random_state=0).fit(
        graphs, np.arange(len(graphs)) / 3
    ),
    "pgc-dgcnn": lambda graphs: gr.PGCClassifier(**QUICK).fit(graphs),
    "gin": lambda graphs: gr.NetworkClassifier("gin", max_epochs=2, random_state=0).fit(graphs),
    "plain lane": lambda graphs: gr.PGCClassifier(**QUICK, fused=False).fit(graphs),
    "members": lambda graphs: gr.PGCClassifier(**QUICK, members=2).fit(graphs),
}


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("name", FITTED)
def test_the_number_of_threads_and_of_graphs_changes_no_bit(
    name: str, many: gr.Dataset, molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FITTED[name](molecules)
    answers = []
    for n_threads in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", n_threads)
        answers.append(model.predict(many) if name == "values" else model.predict_proba(many))
    assert np.array_equal(answers[0], answers[1])
    alone = model.predict if name == "values" else model.predict_proba
    assert np.array_equal(answers[0][40:60], alone(many[40:60]))
    selected = alone(as_selection(many))  # one table, or shared rows, for all of the graphs
    np.testing.assert_allclose(answers[0], selected, rtol=1e-5, atol=2e-6)


def test_trees_say_the_same_for_any_size_of_a_chunk(
    many: gr.Dataset, molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    forest = FITTED["forest"](molecules)
    whole = forest.predict_proba(many)
    monkeypatch.setattr(profile_trees, "AT_ONCE", 7)
    assert np.array_equal(forest.predict_proba(many), whole)


@pytest.mark.usefixtures("small_chunks")
def test_what_is_odd_in_many_chunks_is_said_once(molecules: gr.Dataset) -> None:
    """Every tenth graph has one atom that training never saw, in ten of twelve chunks."""
    other = gr.from_edges(
        [[(0, 1)]] * 230,
        node_labels=[["C", "Xe" if i % 10 == 0 and i < 200 else "C"] for i in range(230)],
    )
    for name in ("baseline", "forest", "pgc-dgcnn"):
        model = FITTED[name](molecules)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.predict(other)
        assert [w.category for w in caught] == [UnseenLabelWarning]
        assert "20 nodes have a label that training never saw" in str(caught[0].message)


def say_twice(first: Warning, second: Warning) -> None:
    with added_up():
        warnings.warn(first, stacklevel=1)
        warnings.warn(second, stacklevel=1)


def test_other_warnings_are_said_once_and_may_be_errors() -> None:
    with pytest.warns(RuntimeWarning, match="^odd$") as caught:
        say_twice(RuntimeWarning("odd"), RuntimeWarning("odd"))
    assert len(caught) == 1
    counted = (UnseenLabelWarning.counted("here", count, "nodes") for count in (2, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UnseenLabelWarning, match="here: 5 nodes"):
            say_twice(*counted)


@given(
    sizes=st.lists(st.integers(0, 40), max_size=60),
    at_once=st.integers(1, 20),
    most=st.integers(1, 60),
)
def test_chunks_cover_all_graphs_in_order_and_start_at_every_multiple(
    sizes: list[int], at_once: int, most: int
) -> None:
    graph_ptr = np.append(0, np.cumsum(sizes)).astype(np.int32)
    parts = chunks(graph_ptr, at_once, most)
    assert [graph for part in parts for graph in range(*part)] == list(range(len(sizes)))
    assert set(range(0, len(sizes), at_once)) <= {first for first, _ in parts}
    for first, last in parts:
        assert last - first <= at_once
        assert graph_ptr[last] - graph_ptr[first] <= most or last - first == 1


def test_a_mistake_in_a_thread_is_raised_here(
    many: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")

    def answer(part: gr.Dataset) -> Any:
        if part.sizes[0] == many.sizes[100]:
            raise ValueError("the sixth chunk")
        return part.sizes

    with pytest.raises(ValueError, match="the sixth chunk"):
        in_chunks(answer, many, 20)


def test_memory_does_not_grow_with_the_graphs(molecules: gr.Dataset) -> None:
    """Ten times the graphs take the memory of one chunk, and the answers."""
    forest = gr.ForestClassifier(n_trees=5, random_state=0).fit(molecules)
    peaks = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profile_trees, "AT_ONCE", 100)
        patch.setenv("OMP_NUM_THREADS", "1")
        for n_graphs in (200, 2000):
            graphs = gr.synthetic.molecules(n_graphs, 5, n_nodes=(5, 15))
            tracemalloc.start()
            forest.predict(graphs)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_ego_networks_share_rows_and_molecules_do_not(
    egos: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    known = network_estimators.unshared_outputs
    monkeypatch.setattr(
        network_estimators,
        "unshared_outputs",
        lambda *arrays: asked.append(arrays[1].name) or known(*arrays),
    )
    for graphs in (egos, gr.synthetic.molecules(200, n_nodes=(25, 35))):
        gr.PGCClassifier(**QUICK).fit(graphs).predict(graphs)
    assert asked == ["molecules"]
