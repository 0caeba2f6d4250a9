"""Every setting of every network says what it means, and its default is allowed."""

import pytest
from torch import nn

import graphrings as gr
from graphrings.networks.names import NETWORKS
from graphrings.networks.network import Network, build, network_settings
from graphrings.networks.settings import SHARED
from graphrings.settings import check_settings

networks = pytest.mark.parametrize("name", NETWORKS)


@networks
def test_every_setting_has_a_meaning_and_a_default_that_is_allowed(name: str) -> None:
    settings = network_settings(NETWORKS[name])
    assert settings
    for setting in settings.values():
        assert setting.meaning
        assert setting.allowed
        assert setting.type is not None
    check_settings({key: setting.default for key, setting in settings.items()}, settings)


@networks
def test_it_explains_no_setting_that_it_does_not_have(name: str) -> None:
    assert set(NETWORKS[name].settings) <= set(network_settings(NETWORKS[name]))


def test_every_shared_setting_is_shared() -> None:
    known = [set(network_settings(network)) for network in NETWORKS.values()]
    for name in SHARED:
        assert sum(name in settings for settings in known) > 1, name


def test_settings_of_a_base_class_come_after_those_of_its_own() -> None:
    settings = network_settings(NETWORKS["pgc-dgcnn"])
    assert list(settings)[:2] == ["radius", "channels"]
    assert settings["radius"].default == 2
    assert settings["radius"].type is int
    assert "radius" not in network_settings(NETWORKS["dgcnn"])
    assert "quantile" in settings


def test_a_setting_that_nobody_explains_is_our_mistake() -> None:
    class Odd(Network):
        def __init__(self, *, oddness: int = 1) -> None:
            super().__init__()
            self.oddness = oddness

    with pytest.raises(AssertionError, match="Odd: nobody says what 'oddness' means"):
        network_settings(Odd)


@networks
def test_it_is_built_from_its_settings_for_any_number_of_outputs(name: str) -> None:
    network, dataset = NETWORKS[name], gr.load("MUTAG")[:10]
    settings = {key: setting.default for key, setting in network_settings(network).items()}
    built = build(network, (7, 1), network.measure(dataset, **settings), settings)
    *_, last = (module for module in built.modules() if isinstance(module, nn.Linear))
    assert last.out_features == 1


def test_the_released_network_has_habits_of_its_own() -> None:
    released, other = NETWORKS["pgc-dgcnn-released"], NETWORKS["gin"]
    labelled, unlabelled = gr.load("MUTAG")[:2], gr.from_edges([[(0, 1)]])
    assert released.auto_features(labelled) == "label"
    assert released.auto_features(unlabelled) == "constant"
    assert other.auto_features(labelled) == "auto"
    assert (released.holds_out_last, released.drop_last) == (True, True)
    assert (other.holds_out_last, other.drop_last) == (False, False)


def test_networks_under_sortpooling_learn_more_slowly_by_default() -> None:
    slow = {name for name, network in NETWORKS.items() if network.training_settings}
    assert slow == {"pgc-dgcnn", "dgcnn", "pgc-dgcnn-released"}
    assert {NETWORKS[name].training_settings["learning_rate"] for name in slow} == {3e-4}
