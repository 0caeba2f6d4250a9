from dataclasses import replace

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError, ExperimentError, SettingError
from graphrings.fit.plan import Wanted, plan


def test_the_plan_asks_the_data_where_the_user_says_nothing(
    mutag: gr.Dataset, values: gr.Dataset
) -> None:
    classes, numbers = plan(mutag), plan(values)
    assert (classes.task.name, classes.score.name) == ("classification", "accuracy")
    assert (numbers.task.name, numbers.score.name) == ("regression", "rmse")
    assert (classes.folds, classes.n_folds, classes.repetitions) == ("stratified", 10, 1)


def test_the_rarest_class_limits_the_folds_and_the_plan_says_so(mutag: gr.Dataset) -> None:
    few = plan(gr.from_graphs([*mutag], ["a"] * 4 + ["b"] * 56))
    assert few.n_folds == 4
    assert "4 folds instead of 10: class 'a' has only 4 graphs." in few.reasons


def test_few_values_have_as_many_folds_as_graphs(values: gr.Dataset) -> None:
    assert plan(values[:7]).n_folds == 7


def test_named_methods_are_chosen_among_and_the_baseline_is_run_beside_them(
    mutag: gr.Dataset,
) -> None:
    decided = plan(mutag, Wanted(methods=("wl", "gin", "wl")))
    assert [one.method for one in decided.candidates] == ["baseline-labels", "wl", "gin"]
    assert decided.contenders == ("wl", "gin")


def test_without_names_the_baseline_may_win(mutag: gr.Dataset) -> None:
    assert "baseline-labels" in plan(mutag).contenders


def test_what_is_too_slow_for_many_graphs_is_said_unless_methods_are_named(
    mutag: gr.Dataset,
) -> None:
    many = mutag[np.resize(np.arange(60), 10_020)]
    decided = plan(many)
    assert decided.contenders == ("baseline-labels", "ring-boosting", "wl")
    assert any("ring-forest and pgc-dgcnn are left out" in reason for reason in decided.reasons)
    named = plan(many, Wanted(methods=("ring-forest",)))
    assert named.contenders == ("ring-forest",)
    assert not any("left out" in reason for reason in named.reasons)


def test_graphs_without_targets_are_refused(mutag: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match="graphs without targets; expected one for every graph"):
        plan(replace(mutag, targets=None, class_names=()))


def test_an_unknown_method_is_refused(mutag: gr.Dataset) -> None:
    with pytest.raises(ExperimentError, match=r"unknown method 'gni'.*gin"):
        plan(mutag, Wanted(methods=("gni",)))
    with pytest.raises(SettingError, match="no methods"):
        plan(mutag, Wanted(methods=()))


def test_many_whole_numbers_may_be_classes_or_values(mutag: gr.Dataset) -> None:
    counted = gr.from_graphs([*mutag], np.arange(60) % 30)
    with pytest.raises(SettingError, match=r"30 different whole numbers.*--task"):
        plan(counted)
    assert plan(counted, Wanted(task="regression")).task.name == "regression"


@pytest.mark.parametrize("target", ["yes", 1, 2.5])
def test_one_target_for_all_is_refused(mutag: gr.Dataset, target: object) -> None:
    with pytest.raises(DatasetError, match=f"the target of all 60 graphs is {target}"):
        plan(gr.from_graphs([*mutag], [target] * 60))


def test_too_few_graphs_are_refused(mutag: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match="2 graphs; expected at least 6"):
        plan(mutag[[0, 59]])


def test_other_data_or_another_question_are_another_experiment(mutag: gr.Dataset) -> None:
    changed = gr.from_graphs([*mutag], 1 - np.asarray(mutag.targets), name=mutag.name)
    plans = [
        plan(mutag),
        plan(mutag, Wanted(score="mcc")),
        plan(mutag, Wanted(folds="grouped")),
        plan(mutag, Wanted(n_folds=5)),
        plan(mutag, Wanted(seed=1)),
        plan(changed),
    ]
    assert len({one.name for one in plans}) == len(plans)
    assert plan(mutag, Wanted(repetitions=2)).name == plans[0].name


def test_folds_of_an_unknown_kind_are_refused_in_the_words_of_a_user() -> None:
    expected = "folds 'scafold'; expected random, published, grouped, scaffold, or a path"
    with pytest.raises(SettingError, match=f"{expected} .*did you mean 'scaffold'"):
        plan(gr.load("MUTAG"), Wanted(folds="scafold"))
    assert plan(gr.load("MUTAG"), Wanted(folds="random")).folds == "stratified"
