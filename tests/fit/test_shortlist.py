import pytest

from graphrings.fit.shortlist import (
    MOST_PAIRED,
    MOST_SORTED,
    SHORT_LIST,
    Candidate,
    candidate,
    short_list,
    too_slow,
)
from graphrings.methods import find
from graphrings.protocol.experiment import grid_points
from graphrings.protocol.refit import of_estimator
from graphrings.tasks import CLASSIFICATION, TASKS, Task


@pytest.mark.parametrize("one", SHORT_LIST, ids=lambda one: one.method)
@pytest.mark.parametrize("task", TASKS.values(), ids=str)
def test_every_candidate_can_be_built_for_both_tasks(one: Candidate, task: Task) -> None:
    for setting in grid_points(one.card(task)):
        find(one.method).check(of_estimator(setting), task)


@pytest.mark.parametrize("n_graphs", [10, MOST_PAIRED, MOST_PAIRED + 1, 10**6])
def test_there_is_one_kernel_for_any_number_of_graphs(n_graphs: int) -> None:
    names = [one.method for one in short_list(n_graphs)]
    assert len({"wl", "wl-oa"} & set(names)) == 1
    assert {"baseline-labels", "ring-boosting"} <= set(names)


def test_what_takes_hours_is_left_out_for_many_graphs_and_named() -> None:
    slow = {"ring-forest", "pgc-dgcnn"}
    for n_graphs in (10, MOST_SORTED, MOST_SORTED + 1, 10**6):
        listed = {one.method for one in short_list(n_graphs)}
        assert set(too_slow(n_graphs)) == slow - listed
        assert slow & listed == (slow if n_graphs <= MOST_SORTED else set())


def test_a_table_of_all_pairs_is_never_made_for_many_graphs() -> None:
    (kernel,) = (one for one in short_list(MOST_PAIRED + 1) if one.method.startswith("wl"))
    assert kernel.card(CLASSIFICATION).settings["linear"] is True


def test_a_committee_sits_where_its_kernels_can() -> None:
    assert "committee" in {one.method for one in short_list(MOST_PAIRED)}
    assert "committee" not in {one.method for one in short_list(MOST_PAIRED + 1)}


@pytest.mark.parametrize("task", TASKS.values(), ids=str)
def test_what_a_user_fixes_is_fixed_in_members_too(task: Task) -> None:
    committee = candidate("committee", 100)
    assert {"height", "distance", "members"} <= committee.settings_known(task)
    assert "hieght" not in committee.settings_known(task)
    seats = committee.fixing({"height": 2, "random_state": 7}, task).card(task).settings["members"]
    kernel = next(seat for seat in seats if seat["method"] == "wl-oa")
    assert kernel["settings"] == {"height": 2}
    assert "height" not in kernel["grid"]
    assert "C" in kernel["grid"]
    assert all("height" not in seat["settings"] for seat in seats if seat is not kernel)


def test_a_fixed_setting_leaves_the_grid() -> None:
    card = Candidate("wl", "", settings={"C": 1.0}).card(CLASSIFICATION)
    assert (card.settings["C"], "C" in card.grid, "height" in card.grid) == (1.0, False, True)


def test_a_method_outside_the_list_comes_as_it_is_registered() -> None:
    assert candidate("gin", 100).card(CLASSIFICATION).grid == find("gin").grid
