import csv
import io
import json
from pathlib import Path

import pytest

from cli.commands import mistake, output
from written import TU, write_zip


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A triangle, an edge beside a lonely node, and a single node."""
    return write_zip(tmp_path / "TINY.zip", TU)


def test_json_has_a_row_for_every_ring(tiny: Path) -> None:
    """Of seven nodes three have two neighbours, two have one, two have none."""
    rows = json.loads(output("rings", tiny, "--radius", 1, "--format", "json"))
    assert [row["pairs"] for row in rows] == [7, 8]
    assert (rows[1]["members_max"], rows[1]["empty_share"]) == (2, pytest.approx(2 / 7))


def test_walks_come_back_where_shortest_paths_do_not(tiny: Path) -> None:
    words = (tiny, "--radius", 2, "--format", "csv")
    paths = list(csv.DictReader(io.StringIO(output("rings", *words))))
    walks = list(csv.DictReader(io.StringIO(output("rings", *words, "--walks"))))
    assert [row["pairs"] for row in paths] == ["7", "8", "0"]
    assert int(walks[2]["pairs"]) > 0


def test_people_read_the_quotient_too(tiny: Path) -> None:
    told = output("rings", tiny)
    assert "Rings of TINY" in told
    assert "Quotient of radius 2: 7 nodes in " in told
    assert "Quotient" not in output("rings", tiny, "--format", "md")
    assert "Walk rings of TINY" in output("rings", tiny, "--walks")


def test_a_radius_that_is_none_ends_in_one_line() -> None:
    assert "-1" in mistake("rings", "MUTAG", "--radius", -1)
    assert mistake("rings", "MUTAG", "--radius", "1.5") == (
        "Invalid value for '--radius': '1.5' is not a valid integer. Try 'graphrings rings --help'."
    )
