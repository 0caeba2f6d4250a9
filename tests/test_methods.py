import re
import subprocess
import sys
from typing import Any

import pytest
from sklearn.base import clone, is_classifier

from graphrings.errors import ExperimentError, SettingError
from graphrings.kernels.names import KERNELS
from graphrings.methods import METHODS, REVISIONS, find, suggestion
from graphrings.networks.names import NETWORKS

every_method = pytest.mark.parametrize("name", METHODS)


def test_the_methods() -> None:
    others = [
        "pgc-dgcnn",
        "dgcnn",
        "pgc-dgcnn-released",
        "ring-forest",
        "ring-boosting",
        "committee",
        "baseline-labels",
    ]
    assert set(METHODS) == {*others, *NETWORKS, *KERNELS}
    assert all(name == method.name for name, method in METHODS.items())


def test_every_revision_is_that_of_a_method() -> None:
    assert set(REVISIONS) <= set(METHODS)
    assert find("pgc-dgcnn").revision == 2
    assert find("wl").revision == 1


def test_reading_the_registry_imports_no_heavy_library() -> None:
    code = (
        "import sys, graphrings.methods as m; m.find('dgcnn'); "
        "print([name for name in ('torch', 'sklearn', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["baseline-labels", "wl"])
def test_what_is_no_network_does_without_torch(name: str) -> None:
    code = (
        f"import sys, graphrings.methods as m; m.find({name!r}).build({{}}, 0); "
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@every_method
def test_an_estimator_has_its_seed_and_settings(name: str) -> None:
    method = find(name)
    settings = {setting: values[-1] for setting, values in method.grid.items()}
    estimator = method.build(settings, 17)
    found = estimator.get_params()
    assert is_classifier(clone(estimator))
    assert found["random_state"] == 17
    assert {**found, **settings} == found


@every_method
def test_seed_and_verbosity_are_no_settings(name: str) -> None:
    method = find(name)
    parameters = method.parameters()
    assert not {"random_state", "verbose"} & set(parameters)
    assert set(method.grid) <= set(parameters)
    assert method.described().keys() == parameters.keys()


@every_method
def test_every_value_of_a_registered_grid_is_allowed(name: str) -> None:
    method = find(name)
    for setting, values in method.grid.items():
        for value in values:
            method.check({setting: value})


@every_method
def test_whom_to_cite(name: str) -> None:
    assert re.search(r"20[012]\d", find(name).citation)


def test_defaults_and_types() -> None:
    method = find("pgc-dgcnn")
    assert method.parameters()["radius"] == 2
    assert method.described()["radius"].type is int
    assert method.described()["quantile"].type == float | str


def test_the_grids() -> None:
    assert find("pgc-dgcnn").grid == {"radius": (1, 2, 3)}
    assert find("dgcnn").grid == {}
    for name in ("baseline-labels", *KERNELS):
        assert find(name).grid["C"] == pytest.approx([10.0**k for k in range(-3, 4)])
    for name in ("wl", "wl-oa", "ring-wl", "propagation"):
        assert find(name).grid["height"] == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("dgcnn", {"dropout": 2}, "dropout = 2; expected a number from 0 to below 1"),
        ("baseline-labels", {"kind": "sum"}, "kind = 'sum'; expected counts or shares"),
        ("wl", {"height": -1}, "height = -1; expected a whole number, 0 or larger"),
        ("wl", {"C": 0}, "C = 0; expected a number above 0"),
    ],
)
def test_a_value_that_makes_no_sense(name: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        find(name).check(settings)
    assert str(caught.value) == message


def test_an_unknown_method() -> None:
    known = f"known methods are {', '.join(METHODS)}"
    with pytest.raises(ExperimentError) as caught:
        find("DGCN")
    assert str(caught.value) == f"unknown method 'DGCN'; {known}; did you mean 'dgcnn'?"
    with pytest.raises(ExperimentError) as caught:
        find("qqq")
    assert str(caught.value) == f"unknown method 'qqq'; {known}"


def test_a_suggestion_keeps_the_known_spelling() -> None:
    assert suggestion("mutga", ["MUTAG", "PTC"]) == "; did you mean 'MUTAG'?"
    assert suggestion("xyz", ["MUTAG", "PTC"]) == ""
