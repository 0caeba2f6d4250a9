import pytest

from graphrings.graphs.catalogue import CATALOGUE
from graphrings.results.published import ROWS, TABLES, published_row
from graphrings.results.record import MethodCard

BEST = {
    "MUTAG": 87.22,
    "PTC": 61.06,
    "NCI1": 84.46,
    "PROTEINS": 76.45,
    "DD": 79.37,
    "COLLAB": 75.00,
    "IMDB-BINARY": 71.62,
    "IMDB-MULTI": 47.83,
}
DASHES = {
    ("ECC", "PROTEINS"),
    ("ECC", "COLLAB"),
    ("ECC", "IMDB-BINARY"),
    ("ECC", "IMDB-MULTI"),
    ("DGK", "DD"),
}


def card(method: str, settings: object = None, **grid: tuple[object, ...]) -> MethodCard:
    return MethodCard("a row", method, settings or {}, grid)


def test_every_row_of_a_table_has_its_datasets_but_for_the_dashes() -> None:
    for table in TABLES.values():
        missing = {(row.name, d) for row in table.rows for d in table.datasets} - {
            (row.name, d) for row in table.rows for d in row.values
        }
        assert missing == (DASHES if table.number == "III" else set())


def test_no_row_names_a_dataset_that_its_tables_lack() -> None:
    for row in ROWS:
        shown = {d for table in TABLES.values() if row in table.rows for d in table.datasets}
        assert set(row.values) <= shown


def test_the_best_of_both_tables() -> None:
    best = {
        name: max(row.values[name].mean or 0 for row in ROWS if name in row.values) for name in BEST
    }
    assert best == BEST


def test_datasets_have_the_names_of_the_catalogue() -> None:
    assert set(BEST) <= {entry.name for entry in CATALOGUE}
    assert {name for row in ROWS for name in row.values} == set(BEST)


def test_an_entry_without_a_number_says_why() -> None:
    silent = {(row.name, name) for row in ROWS for name, v in row.values.items() if v.mean is None}
    assert silent == {("RW", "NCI1"), ("RW", "DD")}
    assert {row.values[name].note for row in ROWS for name in row.values} == {"", "> 3 days"}


def test_only_ecc_has_no_deviations() -> None:
    bare = {
        (row.name, name)
        for row in ROWS
        for name, value in row.values.items()
        if value.mean is not None and value.deviation is None
    }
    assert bare == {("ECC", "NCI1"), ("ECC", "DD")}


def test_numbers_are_percents_with_small_deviations() -> None:
    values = [v for row in ROWS for v in row.values.values() if v.mean is not None]
    assert all(33 < (v.mean or 0) < 88 and (v.deviation or 0) < 3 for v in values)
    assert len(values) == 4 * 5 + 4 * 6 + 2 * 8 - 2 - 5


def test_no_method_belongs_to_two_rows() -> None:
    methods = [method for row in ROWS for method in row.methods]
    assert len(methods) == len(set(methods))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_is_found_by_its_method(row: object) -> None:
    assert published_row(card(row.methods[0])) is row  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("mine", "spoken_of"),
    [
        (card("pgc-dgcnn", {"radius": 2}), True),
        (card("pgc-dgcnn", {"radius": 3}), False),
        (card("pgc-dgcnn", radius=(1, 2, 3)), True),
        (card("pgc-dgcnn", radius=(0, 1)), False),
        (card("pgc-dgcnn-released"), True),
        (card("baseline-labels"), False),
    ],
)
def test_the_paper_speaks_of_radius_two_only(mine: MethodCard, spoken_of: bool) -> None:
    assert (published_row(mine) is not None) is spoken_of
