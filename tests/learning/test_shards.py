"""Training by shards: the order and the numbers of a training in memory, in bounded memory."""

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import SettingError, SizeNote, UnseenLabelWarning
from graphrings.graphs.adapters.anything import as_selection
from graphrings.learning import network_estimators, shards
from graphrings.learning.shards import Shards, parts_of, spread
from graphrings.networks.batches import Batcher
from learning.settings import QUICK

ALONE = {**QUICK, "memory": "1KB"}  # every batch is a shard, and a window has a hundred graphs
FITS: dict[str, Callable[..., Any]] = {
    "pgc-dgcnn": gr.PGCClassifier,
    "dgcnn": gr.DGCNNClassifier,
    "values": gr.PGCRegressor,
    "members": lambda **more: gr.PGCClassifier(**more, members=2),
    "gin": lambda **more: gr.NetworkClassifier("gin", max_epochs=3, random_state=0, **more),
}


@pytest.fixture(scope="module")
def many() -> gr.Dataset:
    return gr.synthetic.molecules(130, 3, n_nodes=(4, 12))


def targets(dataset: gr.Dataset, name: str) -> Any:
    return dataset.sizes / 3 if name == "values" else dataset.targets


def quick(name: str, **more: Any) -> Any:
    return FITS[name](**more) if name == "gin" else FITS[name](**QUICK, **more)


def noted(fit: Callable[[], Any]) -> Any:
    """The model of a fit that says once that it goes by shards."""
    with pytest.warns(SizeNote, match="graphs at a time, anew in every epoch") as said:
        model = fit()
    assert len(said) == 1
    return model


@given(st.integers(0, 700), st.integers(1, 800), st.integers(0, 9))
def test_an_epoch_has_every_graph_once_in_an_order_by_seed(n: int, window: int, seed: int) -> None:
    graphs = np.arange(n) * 3
    source = Shards(gr.from_edges([[(0, 1)]]), Batcher, 10, window)  # type: ignore[arg-type]
    order, again = (source.shuffled(graphs, np.random.default_rng(seed)) for _ in range(2))
    assert np.array_equal(np.sort(order), graphs)
    assert np.array_equal(order, again)
    if n <= window:
        assert np.array_equal(order, np.random.default_rng(seed).permutation(graphs))
    for start in range(0, n, window):  # what lies in a window comes from few places on disk
        places = np.unique(order[start : start + window] // 3 // shards.NEIGHBOURS)
        assert len(places) <= window // shards.NEIGHBOURS + 3


@given(st.lists(st.integers(1, 9), max_size=20), st.integers(1, 12))
def test_shards_have_no_more_graphs_than_they_may(sizes: list[int], at_once: int) -> None:
    cut: list[int] = []

    def make(part: gr.Dataset) -> Callable[[np.ndarray], list[int]]:
        cut.append(len(part))
        own = part.sizes
        return lambda numbers: own[numbers].tolist()

    dataset = gr.from_edges([[(k, k + 1) for k in range(1 + n % 7)] for n in range(sum(sizes))])
    order = np.random.default_rng(0).permutation(sum(sizes))
    groups = np.split(order, np.cumsum(sizes)[:-1]) if sizes else []
    source = Shards(dataset, make, at_once, 10)  # type: ignore[arg-type]
    assert list(source.each(groups)) == [dataset.sizes[group].tolist() for group in groups]
    assert all(n <= at_once or n in sizes for n in cut)
    assert sum(cut) == sum(sizes)


@pytest.mark.parametrize("name", FITS)
def test_one_shard_with_all_graphs_gives_the_bits_of_a_training_in_memory(
    name: str, many: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    training, held_out = many[:100], many[100:]
    given = {"y": targets(training, name), "validation": (held_out, targets(held_out, name))}
    whole = quick(name).fit(training, **given)
    monkeypatch.setattr(
        network_estimators,
        "shards_within",
        lambda *said: Shards(*said[2:], len(said[2]), len(said[2])),
    )
    with pytest.warns(SizeNote):
        sharded = quick(name, memory="1KB").fit(training, **given)
    assert sharded.histories_ == whole.histories_
    ours, theirs = (model.network_.state_dict() for model in (sharded, whole))
    assert all(torch.equal(ours[key], theirs[key]) for key in theirs)


@pytest.mark.parametrize("name", FITS)
def test_shards_of_a_single_batch_give_the_same_up_to_rounding(name: str, many: gr.Dataset) -> None:
    y = targets(many, name)
    whole = quick(name).fit(many, y)
    sharded = noted(lambda: quick(name, memory="60KB").fit(many, y))
    for ours, theirs in zip(sharded.history_.epochs, whole.history_.epochs, strict=True):
        assert ours.train_loss == pytest.approx(theirs.train_loss, rel=2e-2)
        assert ours.validation_loss == pytest.approx(theirs.validation_loss, rel=2e-2)
    assert sharded.features_ == whole.features_
    assert sharded.measures_ == whole.measures_


def test_the_same_seed_gives_the_same_bits_also_by_windows(
    many: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "NEIGHBOURS", 7)
    graphs = many.changed(node_labels=None, label_names=())  # 1 KB holds a window of seven
    models = [noted(lambda: gr.DGCNNClassifier(**ALONE).fit(graphs)) for _ in range(2)]
    assert models[0].history_ == models[1].history_
    in_order = noted(lambda: gr.DGCNNClassifier(**{**ALONE, "random_state": 1}).fit(graphs))
    assert models[0].history_ != in_order.history_


def test_graphs_that_fit_and_selections_are_trained_in_memory(many: gr.Dataset) -> None:
    """Folds share the structure of a dataset, whatever it takes; that is the protocol's matter."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        gr.DGCNNClassifier(**QUICK).fit(many)
        gr.DGCNNClassifier(**ALONE).fit(as_selection(many))
    assert [str(note.message) for note in said] == []


def test_a_size_that_is_none_is_refused(many: gr.Dataset) -> None:
    for wrong in ("2", "much", "0GB", 5):
        with pytest.raises(SettingError, match=r"memory = .*; expected a size such as 2GB"):
            gr.PGCClassifier(memory=wrong).fit(many)


def test_labels_of_validation_graphs_that_training_lacks_are_warned_of_once() -> None:
    training = gr.from_edges([[(0, 1)]] * 8, node_labels=[["C", "N"]] * 8, targets=[0, 1] * 4)
    other = gr.from_edges([[(0, 1)]] * 4, node_labels=[["C", "S"]] * 4, targets=[0, 1] * 2)
    with pytest.warns() as said:
        gr.DGCNNClassifier(**ALONE).fit(training, validation=other)
    unseen = [w for w in said if issubclass(w.category, UnseenLabelWarning)]
    assert [str(w.message).split(" nodes")[0][-1] for w in unseen] == ["4"]


def test_what_is_learned_before_the_weights_sees_all_graphs_a_part_at_a_time(
    many: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = np.arange(3, 120)
    monkeypatch.setattr(shards, "NODES_OF_PART", 200)
    parts = list(parts_of(many, graphs))
    assert max(part.n_nodes for part in parts) < 300
    assert len(parts) > 3
    assert np.array_equal(np.concatenate([part.sizes for part in parts]), many[graphs].sizes)
    assert len(parts) - 2 <= len(graphs) // len(spread(many, graphs)) <= len(parts)


CHILD = """
import sys, warnings
from pathlib import Path
import graphrings as gr
from learning.settings import QUICK

def megabytes(entry):
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(entry)).split()[1]) / 1e3

warnings.simplefilter("ignore")
graphs, settings = gr.read(sys.argv[1]), {**QUICK, "max_epochs": 1, "batch_size": 250}
model = gr.PGCClassifier(**settings, memory="4MB").fit(graphs[:500])
Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
before = megabytes("VmRSS")
model.fit(graphs)
print(megabytes("VmHWM") - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the peak of memory")
def test_memory_does_not_grow_with_the_graphs(tmp_path: Path) -> None:
    """In memory a fit on these graphs takes 55 MB; by shards of 4 MB, 17."""
    gr.write(gr.synthetic.molecules(8_000, n_nodes=(15, 30)), tmp_path / "many.graphs")
    said = subprocess.run(
        [sys.executable, "-c", CHILD, tmp_path / "many.graphs"],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(said.stdout) < 30
