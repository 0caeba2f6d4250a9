import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import graphrings as gr
from graphrings.graphs.array_cache import ArrayCache
from graphrings.protocol.folds import splits
from graphrings.protocol.sampling import Sample, interleaved
from graphrings.tasks import CLASSIFICATION

strata = arrays.arrays(np.int64, st.integers(1, 60), elements=st.integers(0, 4))


@given(strata)
def test_every_beginning_has_its_share_of_every_stratum(strata: np.ndarray) -> None:
    order, n_sure = interleaved(strata)
    assert sorted(order) == list(range(len(strata)))
    counts = np.unique(strata, return_counts=True)[1]
    assert n_sure == np.minimum(counts, 2).sum()
    firsts = np.unique(strata[order[:n_sure]], return_counts=True)[1]
    assert np.array_equal(firsts, np.minimum(counts, 2))
    rest = strata[order[n_sure:]]
    for stratum in np.unique(rest):
        share = (rest == stratum).mean()
        seen = np.cumsum(rest == stratum)
        assert (np.abs(seen - share * np.arange(1, len(rest) + 1)) <= 1 + len(counts)).all()


def test_a_sample_knows_neither_test_graphs_nor_targets() -> None:
    mutag = gr.load("MUTAG")
    split = splits(mutag, "stratified", 10, 0)[0]
    sample = Sample(mutag, split, CLASSIFICATION)
    assert list(sample.sizes()) == [20, 100, 169]
    tested = set(split.test.tolist())
    places = sample._known[sample._order]
    assert len(places) == 169
    assert not tested & set(places.tolist())
    training, validation = sample.parts(60, ArrayCache())
    assert len(training.graphs) + len(validation.graphs) == 60
    assert training.graphs.dataset.targets is None
    assert set(training.targets.tolist()) == {0, 1}
    assert training.graphs.dataset.n_nodes == sample.n_nodes(60) == mutag.sizes[places[:60]].sum()
