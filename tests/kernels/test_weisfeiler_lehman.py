import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import SettingError
from graphrings.kernels.weisfeiler_lehman import RingWeisfeilerLehman, WeisfeilerLehman
from kernels.grakel_graphs import as_grakel
from kernels.test_kernel import labelled
from strategies import datasets


@pytest.fixture
def star_and_path() -> list[nx.Graph]:
    """A star with a middle of label a and three leaves of label b, and the path b a b b."""
    return [labelled(nx.star_graph(3), *"abbb"), labelled(nx.path_graph(4), *"babb")]


@pytest.mark.parametrize(
    ("height", "gram"),
    [
        (0, [[1 + 9, 1 + 9], [1 + 9, 1 + 9]]),  # one a and three b on either side
        # Star: a sees bbb, b sees a (3). Path: a sees bb, b sees a, b sees ab, b sees b.
        (1, [[10 + 1 + 9, 10 + 3], [10 + 3, 10 + 4]]),
        # The middles differ, and with them what they are seen as.
        (2, [[20 + 10, 13], [13, 14 + 4]]),
    ],
)
def test_colours_counted_by_hand(star_and_path: list[nx.Graph], height: int, gram: object) -> None:
    assert WeisfeilerLehman(height).fit_transform(star_and_path).tolist() == gram


def test_rings_see_further_than_neighbours() -> None:
    """Two triangles and a hexagon look alike to neighbours; ring 2 is empty in a triangle."""
    graphs = [nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), nx.cycle_graph(6)]
    assert WeisfeilerLehman(1).fit_transform(graphs).tolist() == [[72, 72], [72, 72]]
    assert RingWeisfeilerLehman(1, 2).fit_transform(graphs).tolist() == [[72, 36], [36, 72]]


@given(datasets(), st.integers(0, 3))
def test_radius_one_is_the_subtree_kernel(dataset: gr.Dataset, height: int) -> None:
    ring = RingWeisfeilerLehman(height, 1).fit_transform(dataset)
    assert np.array_equal(ring, WeisfeilerLehman(height).fit_transform(dataset))


@given(datasets(), st.integers(0, 3))
def test_radius_zero_repeats_the_labels(dataset: gr.Dataset, height: int) -> None:
    once = RingWeisfeilerLehman(0, 0).fit_transform(dataset)
    assert np.array_equal(
        RingWeisfeilerLehman(height, 0).fit_transform(dataset), (height + 1) * once
    )


def test_features_by_hand(star_and_path: list[nx.Graph]) -> None:
    """Node after node: a, a:bbb; b, b:a; the path adds b:a:no, its own a:bb, b:ab, b:b."""
    kernel = WeisfeilerLehman(1).fit(star_and_path[:1])
    assert kernel.features().toarray().tolist() == [[1, 1, 3, 3]]
    assert kernel.features(star_and_path[1:]).toarray().tolist() == [[1, 0, 3, 1]]
    assert WeisfeilerLehman(1).fit(star_and_path).features().shape == (2, 7)


def test_a_normalised_feature_counts_what_is_unknown_too(star_and_path: list[nx.Graph]) -> None:
    kernel = WeisfeilerLehman(1, normalize=True).fit(star_and_path[:1])
    row = kernel.features(star_and_path[1:]).toarray()[0]
    assert row == pytest.approx(np.array([1, 0, 3, 1]) / np.sqrt(14))


@pytest.mark.parametrize("height", [0, 1, 5])
def test_grakel_finds_the_same_on_molecules(height: int, molecules: gr.Dataset) -> None:
    grakel = pytest.importorskip("grakel.kernels")
    if height:
        theirs = grakel.WeisfeilerLehman(n_iter=height, base_graph_kernel=grakel.VertexHistogram)
    else:
        theirs = grakel.VertexHistogram()
    expected = theirs.fit_transform(as_grakel(molecules))
    assert np.array_equal(WeisfeilerLehman(height).fit_transform(molecules), expected)


@given(datasets())
def test_grakel_finds_the_same_on_any_graphs(dataset: gr.Dataset) -> None:
    grakel = pytest.importorskip("grakel.kernels")
    theirs = grakel.WeisfeilerLehman(n_iter=3, base_graph_kernel=grakel.VertexHistogram)
    with_edges = dataset[np.array([graph.n_edges > 0 for graph in dataset])]  # it asks for some
    if len(with_edges):
        expected = theirs.fit_transform(as_grakel(with_edges))
        assert np.array_equal(WeisfeilerLehman(3).fit_transform(with_edges), expected)


def test_grakel_finds_the_same_for_new_graphs() -> None:
    grakel = pytest.importorskip("grakel.kernels")
    mutag = gr.load("MUTAG")
    theirs = grakel.WeisfeilerLehman(
        n_iter=3, base_graph_kernel=grakel.VertexHistogram, normalize=True
    )
    theirs.fit(as_grakel(mutag[:100]))
    ours = WeisfeilerLehman(3, normalize=True).fit(mutag[:100])
    expected = theirs.transform(as_grakel(mutag[100:]))
    assert ours.transform(mutag[100:]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (WeisfeilerLehman(-1), "height = -1; expected a whole number, 0 or larger"),
        (WeisfeilerLehman(2.5), "height = 2.5; expected a whole number, 0 or larger"),
        (WeisfeilerLehman(True), "height = True; expected a whole number, 0 or larger"),
        (RingWeisfeilerLehman(1, -2), "radius = -2; expected a whole number, 0 or larger"),
        (WeisfeilerLehman(1, normalize=1), "normalize = 1; expected True or False"),
    ],
)
def test_settings_that_make_no_sense(kernel: WeisfeilerLehman, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        kernel.fit(gr.load("MUTAG"))
    assert str(caught.value) == message


@pytest.mark.slow
@pytest.mark.parametrize("name", ["DD", "COLLAB"])
def test_large_sets_fit_into_memory(paper_set: object, name: str) -> None:
    dataset = paper_set(name)  # type: ignore[operator]
    gram = WeisfeilerLehman(5).fit_transform(dataset)
    at_least = 6 * dataset.sizes.astype(np.int64)  # every node is like itself in every round
    assert (np.diag(gram) >= at_least).all()
