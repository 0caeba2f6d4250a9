from collections.abc import Callable
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

import graphrings as gr
from graphrings.errors import DatasetError, ExperimentError
from graphrings.graphs.dataset import Fold
from graphrings.protocol.folds import KINDS, Split, grouping_of, splits
from graphrings.tasks import REGRESSION

seeds = st.integers(0, 2**31 - 2)
few = settings(max_examples=30)


def points(targets: Any) -> gr.Dataset:
    """As many single nodes as there are classes given."""
    n_nodes = [1] * len(targets)
    return gr.from_edges([[]] * len(targets), targets, n_nodes=n_nodes, name="P")


def paths(lengths: Any, targets: Any) -> gr.Dataset:
    """Paths; two of one length are twins."""
    return replace(gr.from_networkx([nx.path_graph(n) for n in lengths], targets), name="P")


def with_folds(dataset: gr.Dataset, tests: list[list[int]]) -> gr.Dataset:
    everything = np.arange(len(dataset), dtype=np.int32)
    return replace(
        dataset,
        folds=tuple(
            Fold(np.setdiff1d(everything, test), np.array(test, dtype=np.int32)) for test in tests
        ),
    )


@st.composite
def drawn(draw: st.DrawFn) -> tuple[gr.Dataset, str, int, np.ndarray]:
    """A dataset with classes large enough, groups in which no class is alone, and folds."""
    n_folds = draw(st.integers(3, 6))
    sizes = draw(st.lists(st.integers(2 * n_folds, 20), min_size=2, max_size=4))
    targets = np.array(draw(st.permutations(np.repeat(np.arange(len(sizes)), sizes).tolist())))
    kind = draw(st.sampled_from(["stratified", "grouped"]))
    partner = draw(st.lists(st.booleans(), min_size=len(targets), max_size=len(targets)))
    groups = np.arange(len(targets)) - np.array(partner)  # some share a group with the one before
    groups = np.where(np.roll(partner, 1), np.arange(len(targets)), groups)
    return points(targets), kind, n_folds, groups


def same(one: list[Split], other: list[Split]) -> bool:
    return all(
        np.array_equal(a, b)
        for s, t in zip(one, other, strict=True)
        for a, b in zip(s, t, strict=True)
    )


@few
@given(drawn(), seeds)
def test_the_parts_are_disjoint_sorted_and_cover_all(drawn: Any, seed: int) -> None:
    dataset, kind, n_folds, groups = drawn
    for split in splits(dataset, kind, n_folds, seed, groups):
        assert all(part.dtype == np.int64 and (np.diff(part) > 0).all() for part in split)
        assert sorted(np.concatenate(split)) == list(range(len(dataset)))


@few
@given(drawn(), seeds)
def test_every_graph_is_tested_once_and_validates_once(drawn: Any, seed: int) -> None:
    dataset, kind, n_folds, groups = drawn
    drawn_splits = splits(dataset, kind, n_folds, seed, groups)
    assert len(drawn_splits) == n_folds
    for part in ("test", "validation"):
        parts = [getattr(split, part) for split in drawn_splits]
        assert sorted(np.concatenate(parts)) == list(range(len(dataset)))


@few
@given(drawn(), seeds)
def test_the_next_fold_validates(drawn: Any, seed: int) -> None:
    drawn_splits = splits(drawn[0], *drawn[1:3], seed, drawn[3])
    for split, following in zip(drawn_splits, drawn_splits[1:] + drawn_splits[:1], strict=True):
        assert np.array_equal(split.validation, following.test)


@few
@given(drawn(), seeds)
def test_every_fold_has_its_share_of_every_class(drawn: Any, seed: int) -> None:
    dataset, _, n_folds, _ = drawn
    for split in splits(dataset, "stratified", n_folds, seed):
        for part in (split.test, split.validation):
            counts = np.bincount(dataset.targets[part], minlength=dataset.n_classes)
            assert (np.abs(counts - np.bincount(dataset.targets) / n_folds) < 1).all()


@few
@given(drawn(), seeds)
def test_a_group_never_stands_on_two_sides(drawn: Any, seed: int) -> None:
    dataset, _, n_folds, groups = drawn
    for split in splits(dataset, "grouped", n_folds, seed, groups):
        sides = [set(groups[part].tolist()) for part in split]
        assert sum(map(len, sides)) == len(set().union(*sides))


@few
@given(drawn(), seeds)
def test_the_same_seed_gives_the_same_folds(drawn: Any, seed: int) -> None:
    dataset, kind, n_folds, groups = drawn
    first, second = (splits(dataset, kind, n_folds, seed, groups) for _ in range(2))
    assert same(first, second)


@pytest.mark.parametrize("kind", ["stratified", "grouped"])
def test_other_seeds_give_other_folds(kind: str) -> None:
    mutag = gr.load("MUTAG")
    groups = gr.twin_groups(mutag)
    drawn_splits = [splits(mutag, kind, 10, seed, groups) for seed in range(5)]
    assert not any(same(a, b) for i, a in enumerate(drawn_splits) for b in drawn_splits[:i])


def test_the_folds_are_those_of_scikit_learn() -> None:
    mutag = gr.load("MUTAG")
    theirs = StratifiedKFold(10, shuffle=True, random_state=7).split(mutag.targets, mutag.targets)
    for split, (_, test) in zip(splits(mutag, "stratified", 10, 7), theirs, strict=True):
        assert split.test.tolist() == test.tolist()


def test_twins_of_a_real_dataset_stay_together() -> None:
    mutag = gr.load("MUTAG")
    twins = gr.twin_groups(mutag)
    for split in splits(mutag, "grouped", 10, 0):
        assert not np.isin(twins[split.test], twins[split.training]).any()
        assert not np.isin(twins[split.validation], twins[split.training]).any()
    leaks = [
        np.isin(twins[split.test], twins[split.training]).any()
        for split in splits(mutag, "stratified", 10, 0)
    ]
    assert any(leaks)


def test_a_scaffold_never_stands_on_two_sides() -> None:
    """Of ten ring systems with two or three decorations each, whatever the classes are."""
    rings = ["c1ccccc1", "c1ccncc1", "C1CCCCC1", "C1CC1", "C1CCC1", "c1ccoc1", "c1ccsc1"]
    rings += ["C1CCNCC1", "C1CCOCC1", "c1ccc2ccccc2c1"]
    smiles = tuple(f"{side}{ring}" for ring in rings for side in ("C", "CC", "OCC"))
    dataset = replace(points([0, 1, 1] * 10), smiles=smiles)
    ring_of = np.repeat(np.arange(10), 3)
    for seed in range(5):
        parts = splits(dataset, "scaffold", 5, seed)
        assert sorted(np.concatenate([split.test for split in parts])) == list(range(30))
        for split in parts:
            sides = [set(ring_of[part].tolist()) for part in split]
            assert sum(map(len, sides)) == 10
            assert len(split.test) == 6  # as even as can be


def test_published_folds_lend_the_next_test_fold_for_validation() -> None:
    dataset = with_folds(points([0, 1] * 4), [[1, 0], [2, 3], [4, 5]])
    drawn_splits = splits(dataset, "published", 3, seed=0)
    assert [[part.tolist() for part in split] for split in drawn_splits] == [
        [[4, 5, 6, 7], [2, 3], [0, 1]],
        [[0, 1, 6, 7], [4, 5], [2, 3]],
        [[2, 3, 6, 7], [0, 1], [4, 5]],
    ]
    assert same(drawn_splits, splits(dataset, "published", 3, seed=1))


def test_published_folds_that_overlap_leave_a_tested_graph_out_of_the_rest() -> None:
    dataset = with_folds(points([0, 1] * 4), [[0, 1, 2], [2, 3], [4, 5]])
    drawn_splits = splits(dataset, "published", 3, seed=0)
    assert [part.tolist() for part in drawn_splits[0]] == [[4, 5, 6, 7], [3], [0, 1, 2]]
    assert [part.tolist() for part in drawn_splits[1]] == [[0, 1, 6, 7], [4, 5], [2, 3]]


def test_the_published_folds_of_the_paper(paper_set: Callable[[str], gr.Dataset]) -> None:
    ptc = paper_set("PTC")
    drawn_splits = splits(ptc, "published", 10, 0)
    tested = np.concatenate([split.test for split in drawn_splits])
    assert len(ptc) - len(np.unique(tested)) == 4
    for split in drawn_splits:
        assert len(np.unique(np.concatenate(split))) == sum(map(len, split))


def values(targets: Any) -> gr.Dataset:
    """As many single nodes as there are values given."""
    return replace(points([0] * len(targets)), targets=np.asarray(targets), class_names=())


reals = st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=60)


@few
@given(reals, st.integers(3, 6), seeds)
def test_values_are_spread_by_quantile(targets: list[float], n_folds: int, seed: int) -> None:
    """Every fold has its share of every quantile, and so a mean near that of all graphs."""
    dataset = values(targets)
    strata = REGRESSION.strata(dataset.targets, n_folds)
    assert (np.diff(strata[np.argsort(dataset.targets, kind="stable")]) >= 0).all()
    parts = splits(dataset, "stratified", n_folds, seed, task=REGRESSION)
    assert sorted(np.concatenate([split.test for split in parts])) == list(range(len(targets)))
    for split in parts:
        counts = np.bincount(strata[split.test], minlength=strata.max() + 1)
        assert (np.abs(counts - np.bincount(strata) / n_folds) < 1).all()


def test_a_single_value_can_be_split() -> None:
    assert len(splits(values([0.5] * 9), "stratified", 3, 0, task=REGRESSION)) == 3


def test_published_folds_need_no_quantiles() -> None:
    dataset = with_folds(values(np.arange(8) / 10), [[0, 1], [2, 3], [4, 5]])
    parts = splits(dataset, "published", 3, 0, task=REGRESSION)
    assert [split.test.tolist() for split in parts] == [[0, 1], [2, 3], [4, 5]]


def refused(dataset: gr.Dataset, kind: str = "stratified", n_folds: int = 3, **more: Any) -> str:
    with pytest.raises((ExperimentError, DatasetError)) as caught:
        splits(dataset, kind, n_folds, 0, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_fewer_values_than_folds() -> None:
    assert refused(values([0.1, 0.2, 0.3, 0.4]), n_folds=5, task=REGRESSION) == (
        "P: quantile 1 of the values has 4 graphs, fewer than the 5 folds; "
        "expected at least one per fold"
    )


def test_values_are_no_classes() -> None:
    assert "expected classes" in refused(values([0.1, 0.2] * 9))


def test_a_kind_that_does_not_exist() -> None:
    assert refused(points([0, 1]), "stratify") == (
        "folds = 'stratify'; expected stratified, published, grouped, scaffold, or a path that "
        "ends in .csv or .json; did you mean 'stratified'?"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_too_few_folds(kind: str) -> None:
    assert refused(points([0, 1] * 9), kind, 2) == (
        "n_folds = 2; expected at least 3: one fold to test, one to validate, one to train"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_graphs_without_classes(kind: str) -> None:
    assert refused(replace(points([0, 1] * 9), targets=None), kind) == (
        "P: graphs without classes; expected one per graph"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_graphs_of_one_class(kind: str) -> None:
    assert refused(points(["x"] * 9), kind) == (
        "P: all graphs are of class 'x'; expected at least two classes"
    )


@pytest.mark.parametrize("kind", ["stratified", "grouped"])
def test_a_class_with_fewer_graphs_than_folds(kind: str) -> None:
    assert refused(points(["a"] * 9 + ["rare"] * 4), kind, 5) == (
        "P: class 'rare' has 4 graphs, fewer than the 5 folds; expected at least one per fold"
    )
    assert "class 'rare' has 1 graph, fewer" in refused(points(["a"] * 9 + ["rare"]), kind)


def test_a_class_without_graphs_does_not_count() -> None:
    """A part of a dataset keeps the names of all its classes."""
    part = points([0, 1, 2] * 5)
    part = part[part.targets != 1]
    assert len(splits(part, "stratified", 5, 0)) == 5


def test_data_without_published_folds() -> None:
    assert refused(gr.load("MUTAG"), "published", 10) == (
        "MUTAG: no published folds in the data; the DGCNN text archives carry them (MUTAG by name "
        "is the bundled TU order without folds: name the archive by its path)"
    )


def test_another_number_of_folds_than_published() -> None:
    dataset = with_folds(points([0, 1] * 4), [[0, 1], [2, 3], [4, 5]])
    assert refused(dataset, "published", 10) == (
        "P: 3 published folds, but n_folds = 10; expected n_folds = 3"
    )


def test_published_folds_that_leave_a_class_out() -> None:
    dataset = with_folds(points([0, 1, 0, 1, 0, 0]), [[0, 1], [2, 3], [4, 5]])
    assert refused(dataset, "published") == (
        "P: fold 1 of the published folds leaves no graph of class 1 to train on; "
        "expected fewer or stratified folds"
    )


def test_published_folds_that_repeat_each_other() -> None:
    dataset = with_folds(points([0, 1] * 3), [[0, 1], [0, 1], [2, 3]])
    assert refused(dataset, "published") == (
        "P: fold 1 of the published folds has no graphs to validate on; expected fewer folds"
    )


def test_a_group_that_holds_a_whole_class() -> None:
    dataset = paths([2] * 9 + list(range(3, 12)), ["a"] * 9 + ["b"] * 9)
    message = refused(dataset, "grouped")
    assert message.startswith("P: fold ")
    assert message.endswith(
        "of the grouped folds leaves no graph of class 'a' to train on (its graphs are too many "
        "twins of each other); expected fewer or stratified folds"
    )


def test_fewer_groups_than_folds() -> None:
    dataset = paths([2] * 9 + [3] * 9, ["a", "b"] * 9)
    assert refused(dataset, "grouped", 5) == (
        "P: 2 groups of graphs that can be told apart, fewer than the 5 folds; "
        "expected at least one per fold"
    )


def test_only_some_kinds_of_folds_know_groups() -> None:
    mutag = gr.load("MUTAG")[:20]
    assert grouping_of("stratified", mutag) is None
    groups = grouping_of("grouped", mutag)
    assert groups is not None
    assert groups.tolist() == gr.twin_groups(mutag).tolist()
