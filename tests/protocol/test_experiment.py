from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphrings.errors import ExperimentError
from graphrings.graphs.catalogue import CATALOGUE
from graphrings.methods import METHODS, find
from graphrings.protocol.experiment import Experiment, grid_points, read_experiment
from graphrings.protocol.shipped import SHIPPED
from graphrings.results.published import TABLES
from graphrings.results.record import Cell, MethodCard

FILES = sorted(SHIPPED.glob("*.toml"))
KNOWN = f"known methods are {', '.join(METHODS)}"
Read = Callable[[str], Experiment]

WHOLE = """
name = "a table"
task = "classification"
seed = 7
folds = "grouped"
n_folds = 3
repetitions = 2
datasets = ["MUTAG", "PTC"]
[methods.dgcnn]
[methods."PGC-DGCNN, r = 2"]
method = "pgc-dgcnn"
settings = { radius = 2, channels = [8, 1] }
grid = { learning_rate = [1e-3, 3e-4], bias = [true, false] }
"""
SHORT = 'datasets = ["MUTAG"]\n[methods.dgcnn]\n'


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Reads a text as if it stood in the file exp.toml here."""
    monkeypatch.chdir(tmp_path)

    def written(text: str) -> Experiment:
        Path("exp.toml").write_text(text)
        return read_experiment("exp.toml")

    return written


def test_a_whole_file(read: Read) -> None:
    whole = read(WHOLE)
    assert (whole.name, whole.seed, whole.folds) == ("a table", 7, "grouped")
    assert (whole.n_folds, whole.repetitions) == (3, 2)
    assert whole.datasets == {"MUTAG": "MUTAG", "PTC": "PTC"}
    assert whole.path == Path("exp.toml")
    assert whole.methods == (
        MethodCard("dgcnn", "dgcnn", {}, {}, find("dgcnn").citation),
        MethodCard(
            "PGC-DGCNN, r = 2",
            "pgc-dgcnn",
            {"radius": 2, "channels": [8, 1]},
            {"learning_rate": (1e-3, 3e-4), "bias": (True, False)},
            find("pgc-dgcnn").citation,
            find("pgc-dgcnn").revision,
        ),
    )


def test_what_holds_where_nothing_is_said(read: Read) -> None:
    short = read(SHORT)
    assert (short.name, short.seed, short.folds) == ("exp", 0, "stratified")
    assert short.task == "classification"
    assert (short.n_folds, short.repetitions) == (10, 10)


@pytest.mark.parametrize(
    ("row", "settings", "grid"),
    [
        ("", {}, {"radius": (1, 2, 3)}),
        ("settings = { radius = 0 }", {"radius": 0}, {}),
        ("settings = { dropout = 0.1 }", {"dropout": 0.1}, {"radius": (1, 2, 3)}),
        ("grid = { dropout = [0.1] }", {}, {"dropout": (0.1,)}),
        ("grid = {}", {}, {}),
        ("[methods.pgc-dgcnn.settings]\nradius = 1", {"radius": 1}, {}),
        ("grid.channels = [[8, 1], [4, 1]]", {}, {"channels": ([8, 1], [4, 1])}),
    ],
)
def test_settings_and_grid(
    read: Read, row: str, settings: dict[str, Any], grid: dict[str, Any]
) -> None:
    (card,) = read(f'datasets = ["MUTAG"]\n[methods.pgc-dgcnn]\n{row}').methods
    assert (card.settings, card.grid) == (settings, grid)


def test_registered_settings_give_way(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphrings.methods.METHODS", {"m": _method_with_settings()})
    text = 'datasets = ["MUTAG"]\n[methods.m]\n{}\n[methods.n]\nmethod = "m"\n'
    plain, also = read(text.format("")).methods
    assert plain.settings == also.settings == {"dropout": 0.25, "dense": 4}
    fixed, _ = read(text.format("settings = { dense = 8 }")).methods
    assert fixed.settings == {"dropout": 0.25, "dense": 8}
    tried, _ = read(text.format("grid = { dense = [8, 9] }")).methods
    assert (tried.settings, tried.grid) == ({"dropout": 0.25}, {"dense": (8, 9)})


def _method_with_settings() -> Any:
    from graphrings.methods import Method

    registered = find("dgcnn")
    return Method("m", registered.estimator, "a row", settings={"dropout": 0.25, "dense": 4})


def test_every_setting_of_a_grid_with_the_last_changing_fastest(read: Read) -> None:
    fixed = {"radius": 2, "channels": [8, 1]}
    assert grid_points(read(WHOLE).methods[1]) == [
        {**fixed, "learning_rate": 1e-3, "bias": True},
        {**fixed, "learning_rate": 1e-3, "bias": False},
        {**fixed, "learning_rate": 3e-4, "bias": True},
        {**fixed, "learning_rate": 3e-4, "bias": False},
    ]
    assert grid_points(read(WHOLE).methods[0]) == [{}]


def test_grid_points_every_row_build_an_estimator(read: Read) -> None:
    for card in read(WHOLE).methods:
        for setting in grid_points(card):
            assert find(card.method).build(setting, 0).random_state == 0


def test_a_whole_table_comes_before_the_second_repetition(read: Read) -> None:
    cells = list(read(WHOLE).cells())
    assert len(cells) == len(set(cells)) == 2 * 2 * 3 * 2
    assert cells[:3] == [
        Cell("MUTAG", "dgcnn", 0, 0),
        Cell("MUTAG", "PGC-DGCNN, r = 2", 0, 0),
        Cell("MUTAG", "dgcnn", 0, 1),
    ]
    assert cells[6] == Cell("PTC", "dgcnn", 0, 0)
    assert cells[12] == Cell("MUTAG", "dgcnn", 1, 0)


def test_a_part_for_a_quick_look(read: Read) -> None:
    experiment = read(WHOLE)
    part = experiment.chosen(datasets=["PTC"], methods=["dgcnn"], repetitions=[2], folds=[3, 1, 3])
    assert list(part.cells()) == [Cell("PTC", "dgcnn", 1, 0), Cell("PTC", "dgcnn", 1, 2)]
    assert list(part.datasets) == ["PTC"]
    assert (part.repetitions, part.n_folds) == (2, 3)
    assert experiment.chosen() == experiment == experiment.chosen((), (), (), ())
    first = experiment.chosen(repetitions=range(1, 3), folds=range(2, 4))
    assert (first.repetition_numbers, first.fold_numbers) == (range(2), range(1, 3))


def test_a_part_keeps_the_order_of_the_file(read: Read) -> None:
    part = read(WHOLE).chosen(datasets=["PTC", "MUTAG"], repetitions=[1], folds=[2, 1])
    assert [(cell.dataset, cell.fold) for cell in part.cells()][::2] == [
        ("MUTAG", 0),
        ("MUTAG", 1),
        ("PTC", 0),
        ("PTC", 1),
    ]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (
            {"datasets": ["MUTAGG"]},
            "a table has no dataset 'MUTAGG'; expected one of MUTAG, PTC; did you mean 'MUTAG'?",
        ),
        (
            {"methods": ["zzz"]},
            "a table has no method 'zzz'; expected one of dgcnn, PGC-DGCNN, r = 2",
        ),
        ({"repetitions": [3]}, "a table has no repetition 3; expected 1 to 2"),
        ({"folds": [1, 0]}, "a table has no fold 0; expected 1 to 3"),
        ({"folds": [1, 4]}, "a table has no fold 4; expected 1 to 3"),
    ],
)
def test_a_part_that_is_not_there(read: Read, wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        read(WHOLE).chosen(**wanted)
    assert str(caught.value) == message


def test_datasets_by_name_and_place(read: Read, tmp_path: Path) -> None:
    (tmp_path / "archives").mkdir()
    (tmp_path / "archives" / "MUTAG.zip").touch()
    places = read(
        '[datasets]\n"MUTAG, published order" = "archives/MUTAG.zip"\n'
        'elsewhere = "archives/PTC.zip"\nmine = "NCI1"\n[methods.dgcnn]'
    ).datasets
    assert places == {
        "MUTAG, published order": str(tmp_path / "archives" / "MUTAG.zip"),
        "elsewhere": "archives/PTC.zip",
        "mine": "NCI1",
    }


def test_a_path_is_meant_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    (folder / "X.zip").touch()
    (folder / "exp.toml").write_text('datasets = ["X.zip"]\n[methods.dgcnn]')
    monkeypatch.chdir(tmp_path)
    assert read_experiment(Path("there/exp.toml")).datasets == {"X.zip": str(folder / "X.zip")}


def refused(read: Read, text: str) -> str:
    with pytest.raises(ExperimentError) as caught:
        read(text)
    message = str(caught.value)
    assert "\n" not in message
    return message


ABOVE = 'datasets = ["MUTAG"]\n[methods.pgc-dgcnn]\n'
SETTINGS = ", ".join(find("baseline-labels").parameters())
ALLOWED = {name: setting.allowed for name, setting in find("pgc-dgcnn").described().items()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # What is no TOML.
        (f"seed = {2000 * '['}", " not TOML that can be read: nested too deeply"),
        (f"seed = {5000 * '9'}\n", " not TOML that can be read: Exceeds the limit (4300 digits)"),
        (300_000 * "#", " a file of more than 262,144 bytes; expected fewer"),
        ("seed 1\n", "1: not TOML: Expected '=' after a key in a key/value pair"),
        (SHORT + "[methods.dgcnn]\n", "3: not TOML: Cannot declare ('methods', 'dgcnn') twice"),
        ("seed = 1\nseed = 2\n", "2: not TOML: Cannot overwrite a value"),
        ("seed = 1\nname = [\n\n", "2: not TOML: Invalid value"),
        # Keys.
        ("seed = 1\nrepetition = 1\n", "2: unknown key 'repetition'; did you mean 'repetitions'?"),
        (
            "zzz = 1\n",
            "1: unknown key 'zzz'; expected one of name, task, seed, folds, n_folds, repetitions, "
            "refit, halving, datasets, methods",
        ),
        (ABOVE + "\nsetting = {}\n", "4: unknown key 'setting'; did you mean 'settings'?"),
        (
            ABOVE + "x = {}\n",
            "3: unknown key 'x'; expected one of method, settings, grid, refit, halving",
        ),
        # Numbers and words.
        ("seed = true\n" + SHORT, "1: seed = True; expected a whole number of at least 0"),
        ("seed = -1\n" + SHORT, "1: seed = -1; expected a whole number of at least 0"),
        ("n_folds = 2\n" + SHORT, "1: n_folds = 2; expected a whole number of at least 3"),
        ("n_folds = 10.0\n" + SHORT, "1: n_folds = 10.0; expected a whole number of at least 3"),
        ("repetitions = 0\n" + SHORT, "1: repetitions = 0; expected a whole number of at least 1"),
        ('name = ""\n' + SHORT, "1: name = ''; expected text of one line"),
        ("name = '''a\nb'''\n" + SHORT, "1: name = 'a\\nb'; expected text of one line"),
        ("name = 3\n" + SHORT, "1: name = 3; expected text of one line"),
        (
            'folds = "group"\n' + SHORT,
            "1: folds = 'group'; expected stratified, published, grouped, scaffold, or a path "
            "that ends in .csv or .json; did you mean 'grouped'?",
        ),
        (
            'task = "regresion"\n' + SHORT,
            "1: task = 'regresion'; expected classification or regression; did you mean "
            "'regression'?",
        ),
        ("task = 3\n" + SHORT, "1: task = 3; expected text of one line"),
        # Datasets.
        ('datasets = "MUTAG"\n', "1: datasets = 'MUTAG'; expected a list or a table"),
        (
            'datasets = ["MUTAG", "PTC", "MUTAG"]\n',
            "1: dataset 'MUTAG' stands there twice; expected it once",
        ),
        ("datasets = [3]\n", "1: dataset 3; expected a name or a path, text of one line"),
        ("datasets = [[]]\n", "1: dataset []; expected a name or a path, text of one line"),
        (
            '\n[datasets]\na = "MUTAG"\nb = ""\n',
            "4: dataset ''; expected a name or a path, text of one line",
        ),
        (
            '[datasets]\n" " = "MUTAG"\n',
            "2: dataset ' '; expected a name or a path, text of one line",
        ),
        (
            'datasets = ["MUTAG!"]\n',
            "1: 'MUTAG!' is not a dataset name; did you mean 'MUTAG'?",
        ),
        # Methods.
        ('datasets = ["MUTAG"]\nmethods = 3\n', "2: methods = 3; expected a table"),
        (
            'datasets = ["MUTAG"]\nmethods = ["dgcnn"]\n',
            "2: methods = ['dgcnn']; expected a table",
        ),
        ('datasets = ["MUTAG"]\n[methods]\ndgcnn = 1\n', "3: dgcnn = 1; expected a table"),
        (
            'datasets = ["MUTAG"]\n\n[methods.dgcn]\n',
            f"3: unknown method 'dgcn'; {KNOWN}; did you mean 'dgcnn'?",
        ),
        (
            'datasets = ["MUTAG"]\n[methods."r = 2"]\n',
            f"2: unknown method 'r = 2'; {KNOWN}; a row of another name says method = \"...\"",
        ),
        (
            'datasets = ["MUTAG"]\n[methods."r = 2"]\n\nmethod = "xyz"\n',
            f"4: unknown method 'xyz'; {KNOWN}",
        ),
        (ABOVE + "method = 3\n", "3: method = 3; expected text of one line"),
        (
            'datasets = ["MUTAG"]\n[methods."a\\nb"]\nmethod = "dgcnn"\n',
            "2: a row called 'a\\nb'; expected text of one line",
        ),
        # Settings.
        (ABOVE + "settings = 3\n", "3: settings = 3; expected a table"),
        (
            ABOVE + "settings = { raduis = 2 }\n",
            "3: pgc-dgcnn has no setting 'raduis'; did you mean 'radius'?",
        ),
        (
            'datasets = ["MUTAG"]\n[methods.baseline-labels]\nsettings = { random_state = 2 }\n',
            f"3: baseline-labels has no setting 'random_state'; expected one of {SETTINGS}",
        ),
        *(
            (
                ABOVE + f"settings = {{ {name} = {toml} }}\n",
                f"3: {name} = {said}; expected {ALLOWED[name]}",
            )
            for name, toml, said in (
                ("radius", '"2"', "'2'"),
                ("radius", "true", "True"),
                ("radius", "-1", "-1"),
                ("bias", "1", "1"),
                ("learning_rate", "inf", "inf"),
                ("learning_rate", "true", "True"),
                ("channels", "32", "32"),
                ("channels", "[]", "[]"),
            )
        ),
        (
            ABOVE + "[methods.pgc-dgcnn.settings]\nradius = 1\ndropout = 2\n",
            f"5: dropout = 2; expected {ALLOWED['dropout']}",
        ),
        # Grids.
        (ABOVE + "grid = [1]\n", "3: grid = [1]; expected a table"),
        (
            ABOVE + "grid = { radius = 2 }\n",
            "3: grid: radius = 2; expected a list of values to try",
        ),
        (
            ABOVE + "grid = { radius = [] }\n",
            "3: grid: radius = []; expected a list of values to try",
        ),
        (
            ABOVE
            + f"grid = {{ radius = {list(range(320))}, batch_size = {list(range(1, 321))} }}\n",
            "3: grid: 102,400 points; expected at most 100,000",
        ),
        (
            ABOVE + "grid = { radius = [1, 2, 1] }\n",
            "3: grid: radius = [1, 2, 1]; expected every value once",
        ),
        (
            ABOVE + "grid = { radius = [1, 2.5] }\n",
            f"3: radius = 2.5; expected {ALLOWED['radius']}",
        ),
        (
            ABOVE + "grid = { verbose = [true] }\n",
            "3: pgc-dgcnn has no setting 'verbose'; expected one of "
            + ", ".join(find("pgc-dgcnn").parameters()),
        ),
        (
            ABOVE + "settings = { radius = 1 }\ngrid = { radius = [1, 2] }\n",
            "4: radius stands in settings and in grid; expected it in one of them",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(read: Read, text: str, message: str) -> None:
    assert refused(read, text) == f"exp.toml:{message}"


@pytest.mark.parametrize("text", ["[methods.dgcnn]\n", "datasets = []\n[methods.dgcnn]\n", ""])
def test_no_datasets(read: Read, text: str) -> None:
    wanted = 'exp.toml: no datasets; expected datasets = ["MUTAG"] or more'
    assert refused(read, text) == wanted


@pytest.mark.parametrize("text", ['datasets = ["MUTAG"]\n', 'datasets = ["MUTAG"]\n[methods]\n'])
def test_no_methods(read: Read, text: str) -> None:
    wanted = "exp.toml: no methods; expected a table such as [methods.dgcnn]"
    assert refused(read, text) == wanted


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"nowhere\.toml: no such file or directory$"):
        read_experiment(tmp_path / "nowhere.toml")
    with pytest.raises(ExperimentError, match=r"is a directory$"):
        read_experiment(tmp_path)
    (tmp_path / "exp.toml").write_bytes(b'name = "\xff"\n')
    with pytest.raises(ExperimentError, match=r"exp\.toml: not a text in UTF-8$"):
        read_experiment(tmp_path / "exp.toml")


def test_files_of_other_editors(tmp_path: Path) -> None:
    path = tmp_path / "exp.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SHORT.replace("\n", "\r\n").encode())
    assert read_experiment(path).name == "exp"
    path.write_bytes(b"\xef\xbb\xbf" + f"{SHORT}x = 1".replace("\n", "\r\n").encode())
    with pytest.raises(ExperimentError, match=r"exp\.toml:3: unknown key 'x'"):
        read_experiment(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_our_own_files(path: Path) -> None:
    experiment = read_experiment(path)
    catalogue = {entry.name for entry in CATALOGUE}
    joined = dict.fromkeys(("table2", "table3", "others", "more"), "tables") | {
        "radius-labels": "radius"
    }
    assert experiment.name == joined.get(path.stem, path.stem)
    assert set(experiment.datasets) <= catalogue
    for card in experiment.methods:
        assert grid_points(card)


def test_the_files_of_the_paper_are_there() -> None:
    assert {"demo", "table2", "table3", "radius"} <= {path.stem for path in FILES}
    tables = {path.stem: read_experiment(path) for path in FILES}
    assert list(tables["table2"].datasets) == ["MUTAG", "PTC", "NCI1", "PROTEINS", "DD"]
    assert len({*tables["table2"].datasets, *tables["table3"].datasets}) == 8
    assert tables["table2"].methods == tables["table3"].methods  # both are one experiment
    printed = {row.name: row.methods for table in TABLES.values() for row in table.rows}
    methods = {card.method for card in tables["table2"].methods}
    assert all(methods.intersection(named) for named in printed.values())
    again = {card.name for card in tables["others"].methods}
    assert again.isdisjoint(card.name for card in tables["table2"].methods)
    rows = {card.name: card for card in tables["radius"].methods}
    assert [rows[f"r = {r}"].settings["radius"] for r in range(6)] == [0, 1, 2, 3, 4, 5]
    assert list(tables["demo"].datasets) == ["MUTAG"]
    assert tables["demo"].repetitions == 1
