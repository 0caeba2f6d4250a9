"""What a method says it does not see changes nothing, and what is lost is said."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import graphrings as gr
from contracts.test_methods import decisions, every_method, quick
from graphrings.errors import IgnoredNote
from graphrings.graphs.carried import (
    EDGE_ATTRIBUTES,
    EDGE_LABELS,
    NODE_ATTRIBUTES,
    NODE_LABELS,
)
from graphrings.methods import METHODS, find

FIELDS = {
    NODE_LABELS: {"node_labels": None, "label_names": ()},
    NODE_ATTRIBUTES: {"node_attributes": None},
    EDGE_LABELS: {"edge_labels": None, "edge_label_names": ()},
    EDGE_ATTRIBUTES: {"edge_attributes": None},
}
SOME = ("dgcnn", "ecc", "wl", "baseline-labels", "ring-forest")


@pytest.fixture(scope="module")
def laden() -> gr.Dataset:
    """Molecules that carry everything."""
    plain, rng = gr.synthetic.molecules(16, n_nodes=(4, 7)), np.random.default_rng(0)
    return replace(
        plain,
        targets=np.arange(16, dtype=np.int32) % 2,
        class_names=(0, 1),
        node_attributes=rng.normal(size=(plain.n_nodes, 2)),
        edge_labels=np.ones(len(plain.indices), dtype=np.int32) * (plain.indices % 2),
        edge_label_names=("-", "="),
        edge_attributes=rng.normal(size=(len(plain.indices), 1)),
    )


@pytest.mark.filterwarnings("ignore::graphrings.errors.IgnoredNote")
@pytest.mark.slow
@every_method
def test_what_is_not_seen_changes_nothing(name: str, laden: gr.Dataset) -> None:
    unseen = [part for part in FIELDS if part not in find(name).sees()]
    bare = replace(laden, **{k: v for part in unseen for k, v in FIELDS[part].items()})
    expected = decisions(quick(name).fit(laden), laden)
    assert np.array_equal(decisions(quick(name).fit(bare), bare), expected)


@pytest.mark.filterwarnings("ignore::graphrings.errors.IgnoredNote")
@pytest.mark.slow
@pytest.mark.parametrize("part", list(FIELDS))
def test_what_is_seen_changes_something(part: str, laden: gr.Dataset) -> None:
    """Of some methods that see it; the dgcnn stands for the networks that share its features."""
    seeing = [m for m in SOME if part in find(m).sees()]
    assert seeing
    for name in seeing:
        full = decisions(quick(name).fit(laden), laden)
        bare = replace(laden, **FIELDS[part])
        assert not np.array_equal(decisions(quick(name).fit(bare), bare), full)


def test_lost_attributes_are_said_by_the_fit(laden: gr.Dataset) -> None:
    with pytest.warns(IgnoredNote) as notes:
        model = gr.KernelClassifier("wl").fit(laden)
    words = [str(note.message) for note in notes]
    assert words == [f"wl ignores 2 node attributes and 1 edge attribute of {laden.name}"]
    assert model.ignores_ == (NODE_ATTRIBUTES, EDGE_LABELS, EDGE_ATTRIBUTES)


def test_a_setting_may_open_or_close_eyes() -> None:
    eyes = {
        ("nspdk", "edge_labels", True): (NODE_LABELS, EDGE_LABELS),
        ("shortest-path", "labelled", False): (),
        ("ring-profile", "nodes", "degree"): (),
        ("gin", "features", "degree"): (),
        ("ecc", "features", "label"): (NODE_LABELS, EDGE_LABELS, EDGE_ATTRIBUTES),
        ("gcn", "features", "degree+attributes"): (NODE_ATTRIBUTES,),
    }
    for (name, setting, value), seen in eyes.items():
        assert find(name).build({setting: value}, 0).sees == seen


def test_nothing_is_said_where_only_edge_labels_are_lost() -> None:
    """They stand in ``ignores_``, and above the progress bar."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = gr.BaselineClassifier().fit(gr.load("MUTAG")[:20])
    assert model.ignores_ == (EDGE_LABELS,)


def test_every_method_says_what_it_sees() -> None:
    assert all(set(method.sees()) <= set(FIELDS) for method in METHODS.values())
