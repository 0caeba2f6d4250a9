"""Estimators that graphrings does not know, named in an experiment."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from graphrings.errors import ExperimentError
from graphrings.methods import METHODS, find, known_methods
from graphrings.own_methods import OwnMethod
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.tasks import CLASSIFICATION, REGRESSION

MODULE = """
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

class Mine(ClassifierMixin, BaseEstimator):
    def __init__(self, depth=3, random_state=None):
        self.depth, self.random_state = depth, random_state
    def fit(self, graphs, y):
        return self
    def predict(self, graphs):
        return [0] * len(graphs)

class Values(RegressorMixin, Mine):
    pass

class Plain:
    def __init__(self, must):
        if must < 0:
            raise ValueError("too small")
    def fit(self, graphs, y):
        pass
    def predict(self, graphs):
        pass

class NoPredict:
    def fit(self, graphs, y):
        pass

def pipeline():
    return make_pipeline(FunctionTransformer(), SVC())

def nothing():
    return 7

ready = Mine()
number = 7
"""
ROW = """
datasets = ["MUTAG"]
[methods.mine]
method = "{}"
{}
"""
Read = Callable[..., Experiment]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with the module foreign.py and others that cannot be imported."""
    (tmp_path / "foreign.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("1 / 0\n")
    (tmp_path / "needs.py").write_text("import not_installed_anywhere\n")
    before, known = list(sys.path), set(sys.modules)
    yield tmp_path
    sys.path[:] = before
    for name in set(sys.modules) - known:
        if name in ("foreign", "broken", "needs"):
            del sys.modules[name]


@pytest.fixture
def read(folder: Path) -> Read:
    """Reads an experiment with one row."""

    def row(method: str, more: str = "", head: str = "") -> Experiment:
        path = folder / "exp.toml"
        path.write_text(head + ROW.format(method, more))
        return read_experiment(path)

    return row


def refused(read: Read, *words: str) -> str:
    with pytest.raises(ExperimentError) as caught:
        read(*words)
    message = str(caught.value)
    assert "\n" not in message
    return message.partition("exp.toml:")[2]


def test_a_row_may_name_a_class_beside_the_file(read: Read, folder: Path) -> None:
    experiment = read("foreign:Mine", "settings = { depth = 5 }")
    (card,) = experiment.methods
    assert (card.method, card.settings, card.grid) == ("foreign:Mine", {"depth": 5}, {})
    assert experiment.home == folder
    estimator = find(card.method, folder).build(card.settings, 11, CLASSIFICATION).estimator
    assert (estimator.depth, estimator.random_state) == (5, 11)


def test_the_folder_comes_after_all_other_places(read: Read, folder: Path) -> None:
    """A file called like a library does not take its place."""
    (folder / "json.py").write_text("1 / 0\n")
    read("foreign:Mine")
    assert sys.path[-1] == str(folder)


def test_an_estimator_without_a_random_state_gets_none(folder: Path) -> None:
    assert find("foreign:Plain", folder).build({"must": 1}, 11, CLASSIFICATION).estimator


def test_a_function_may_make_the_estimator(read: Read, folder: Path) -> None:
    """What its signature does not name goes by set_params, as scikit-learn names it."""
    (card,) = read("foreign:pipeline", "grid = { svc__C = [1.0, 2.0] }").methods
    made = find(card.method, folder).build({"svc__C": 2.0}, 0, CLASSIFICATION).estimator
    assert made.get_params()["svc__C"] == 2.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere:Mine",), "4: nowhere:Mine: no module named 'nowhere'; expected one that is"),
        (("foriegn:Mine",), "did you mean 'foreign'?"),
        (("foreign.deep:Mine",), "4: foreign.deep:Mine: no module named 'foreign.deep'"),
        (("broken:Mine",), "4: broken:Mine: importing broken fails: ZeroDivisionError: division"),
        (("needs:Mine",), "importing needs fails: No module named 'not_installed_anywhere'"),
        (("foreign:Mien",), "foreign has no 'Mien'; expected a class with fit and predict, or a"),
        (("foreign:Mien",), "did you mean 'Mine'?"),
        (("foreign:number",), "foreign:number is of type int; expected a class with"),
        (("foreign:ready",), "foreign:ready is of type Mine; expected a class with"),
        (
            ("foreign:NoPredict",),
            "foreign:NoPredict is a class; expected a class with fit and predict",
        ),
        (("foreign:nothing",), "makes something of type int, which has no fit; expected a class"),
        (("foreign:Values",), "is a regressor; expected a classifier for task = 'classification'"),
        (("foreign:Plain",), "4: foreign:Plain refuses its settings: TypeError: "),
        (("foreign:Plain", "settings = { must = -1 }"), "refuses its settings: ValueError: too"),
        (("foreign:Mine", "settings = { deph = 3 }"), "no setting 'deph'; did you mean 'depth'"),
        (("foreign:Mine", "settings = { random_state = 3 }"), "has no setting 'random_state'"),
        (("foreign :Mine",), "4: 'foreign :Mine' is no import path; expected module:Class, such"),
        (("foreign:Mine()",), "4: 'foreign:Mine()' is no import path; expected module:Class"),
        (("foreign.Mine",), "a method of your own is named module:Class"),
    ],
)
def test_errors_teach(read: Read, words: tuple[str, ...], message: str) -> None:
    assert message in refused(read, *words)


def test_the_task_decides_which_kind_is_right(read: Read) -> None:
    head = 'task = "regression"\n'
    assert "is a classifier; expected a regressor" in refused(read, "foreign:Mine", "", head)
    (card,) = read("foreign:Values", "", head).methods
    assert card.method == "foreign:Values"


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that offers two methods, one of them under a name that is taken."""
    info = folder / "foreign_methods-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-methods\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(
        dedent(
            """
            [graphrings.methods]
            foreign-one = foreign:Mine
            wl = foreign:Mine
            """
        )
    )
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.mark.usefixtures("installed")
def test_an_installed_package_may_add_names(read: Read) -> None:
    method = known_methods()["foreign-one"]
    assert method.summary == "foreign:Mine, from the package foreign-methods"
    assert method.versions == {"foreign-methods": "1.5"}
    assert known_methods()["wl"] is METHODS["wl"]
    assert list(known_methods())[: len(METHODS)] == list(METHODS)
    (card,) = read("foreign-one", "settings = { depth = 4 }").methods
    assert card.method == "foreign-one"
    with pytest.raises(ExperimentError, match="did you mean 'foreign-one'"):
        find("foreign-oen")


@pytest.mark.usefixtures("installed")
def test_listing_imports_nothing() -> None:
    known_methods()
    assert "foreign" not in sys.modules


def test_two_packages_that_offer_one_name(installed: Path) -> None:
    info = installed / "other-2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 2\n")
    (info / "entry_points.txt").write_text("[graphrings.methods]\nforeign-one = foreign:Values\n")
    with pytest.raises(ExperimentError, match=r"several .* 'foreign-one': foreign-methods, other;"):
        find("foreign-one")


def test_settings_are_those_of_the_signature(folder: Path) -> None:
    method = OwnMethod("foreign:Mine", "foreign:Mine", folder)
    assert method.parameters(REGRESSION) == {"depth": 3}
    assert OwnMethod("foreign:Plain", "foreign:Plain", folder).parameters() == {"must": None}


def test_stores_and_tables_import_nothing_that_they_name(folder: Path) -> None:
    """Only an experiment leads to an import: a table of its results does not."""
    code = """
        from pathlib import Path
        import sys
        import graphrings.cli.main, graphrings.report.page, graphrings.results.merge
        from graphrings.results.store import Store
        from graphrings.results.record import ExperimentCard, MethodCard
        rows = (MethodCard("row", "broken:Mine", {}, {}),)
        with Store.write("r.db") as store:
            store.register(ExperimentCard("x", "classification", 0, "stratified", 3, 1, (), rows))
        sys.path.append(str(Path.cwd()))
        from graphrings.cli.main import main
        for verb in ("table", "status", "export"):
            main([verb, "--store", "r.db"], standalone_mode=False)
        assert "broken" not in sys.modules
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(code)], cwd=folder, capture_output=True, text=True
    )
    assert done.stderr == ""
