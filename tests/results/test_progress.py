from pathlib import Path

import pytest

from graphrings.results.progress import Progress, TimeLeft, progress, time_left, total
from graphrings.results.record import Cell
from graphrings.results.store import Store
from results.samples import WHEN, card, failure, record


def group(store: Store, dataset: str, method: str) -> Progress:
    """One dataset and method of the small experiment."""
    groups, _ = progress(store, store.card("small"))
    return next(g for g in groups if (g.dataset, g.method) == (dataset, method))


def test_groups_come_in_the_order_of_the_card(store: Store) -> None:
    names = [(g.dataset, g.method) for g in progress(store, store.card("small"))[0]]
    assert names == [("MUTAG", "PGC"), ("MUTAG", "DGCNN"), ("PTC", "PGC"), ("PTC", "DGCNN")]


def test_time_left_is_cells_left_times_their_mean(store: Store) -> None:
    store.register(card(repetitions=2))
    store.add("small", record(seconds=2.0))
    store.add("small", record("MUTAG", "PGC", 0, 1, seconds=4.0))
    store.fail("small", failure("MUTAG", "PGC", 0, 2))
    assert group(store, "MUTAG", "PGC") == Progress("MUTAG", "PGC", 2, 6, 0, 1, 3.0, 9.0)


def test_running_cells_share_the_work(store: Store) -> None:
    """Two cells run: what one worker does in 4 + 4 seconds takes 4."""
    store.add("small", record(seconds=4.0))
    store.start("small", Cell("MUTAG", "PGC", 0, 1), "worker-1", WHEN)
    store.start("small", Cell("PTC", "PGC", 0, 0), "worker-2", WHEN)
    state = group(store, "MUTAG", "PGC")
    assert (state.running, state.seconds_left) == (1, 4.0)


def test_the_marks_of_a_killed_run_are_not_running(path: Path) -> None:
    with Store.write(path) as store:
        store.register(card())
        store.add("small", record())
        store.start("small", Cell("MUTAG", "PGC", 0, 1), "worker-1", WHEN)
    with Store.read(path) as store:
        state = group(store, "MUTAG", "PGC")
        assert (state.running, state.seconds_left) == (0, 8.0)


def test_without_a_finished_cell_the_time_is_not_known(store: Store) -> None:
    store.start("small", Cell("MUTAG", "PGC", 0, 1), "worker-1", WHEN)
    assert group(store, "MUTAG", "PGC").seconds_left is None
    summary = total(*progress(store, store.card("small")))
    assert (summary.seconds_left, summary.seconds_per_cell) == (None, None)


def test_the_total_of_what_is_known_is_a_lower_bound(store: Store) -> None:
    store.add("small", record(seconds=3.0))
    groups, left = progress(store, store.card("small"))
    assert total(groups, left) == Progress("all", "all", 1, 12, 0, 0, 3.0, 6.0)
    assert left == TimeLeft(6.0, is_bound=True)


def test_where_nothing_is_left_no_time_is_left(store: Store) -> None:
    for fold in range(3):
        store.fail("small", failure("MUTAG", "PGC", 0, fold))
    assert group(store, "MUTAG", "PGC").seconds_left == 0


@pytest.mark.parametrize("seconds", [-1e9, 0.0, float("inf")])
def test_strange_clocks_give_no_strange_estimates(store: Store, seconds: float) -> None:
    store.add("small", record(seconds=seconds))
    left = group(store, "MUTAG", "PGC").seconds_left
    assert left is None if seconds > 0 else left == 0


def test_cells_whose_time_is_not_known_are_finished_all_the_same(store: Store) -> None:
    store.add("small", record(finished=""))
    state = group(store, "MUTAG", "PGC")
    assert (state.finished, state.seconds_per_cell, state.seconds_left) == (1, None, None)


A, B = ("D", "a"), ("D", "b")


@pytest.mark.parametrize(
    ("n_left", "words"),
    [
        ({A: 4}, "about 20 s left"),
        ({A: 4, B: 1}, "at least 20 s left"),
        ({A: 4, B: 0}, "about 20 s left"),
        ({B: 1}, "the time left is not known yet"),
        ({A: 0, B: -1}, "about 0 s left"),
        ({}, "about 0 s left"),
    ],
)
def test_time_left_in_words(n_left: dict[tuple[str, str], int], words: str) -> None:
    """Four cells of 10 s, two at once."""
    assert str(time_left(n_left, {A: (3, 10.0)}, 2)) == words
