import csv
import io
import json
from pathlib import Path

import pytest

from cli.commands import mistake, output
from conftest import CLOSED, Mirror
from graphrings.graphs.load import BUNDLED
from written import TU, write_zip

MUTAG = BUNDLED / "MUTAG.zip"


def test_without_names_the_catalogue_is_listed(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "data" / "D&D.zip", TU)
    words = ("fetch", "--root", tmp_path / "data", "--format", "json")
    where = {row["name"]: row["where"] for row in json.loads(output(*words))}
    assert len(where) == 13
    assert (where["MUTAG"], where["DD"]) == (str(MUTAG), str(path))
    assert (where["PTC"], where["NCI1"]) == ("not found", "to download")


@pytest.mark.parametrize("style", ["table", "md", "csv"])
def test_the_catalogue_comes_in_every_format(style: str) -> None:
    printed = output("fetch", "--format", style)
    assert "IMDB-MULTI" in printed
    if style == "csv":
        graphs = {row["name"]: row["graphs"] for row in csv.DictReader(io.StringIO(printed))}
        assert graphs["NCI1"] == "4110"


def test_a_download_tells_where_it_is_kept(mirror: Mirror, cache_folder: Path) -> None:
    mirror.files["/MUTAG2.zip"] = MUTAG.read_bytes()
    expected = f"MUTAG2: {cache_folder / 'MUTAG2.zip'}\n"
    assert output("fetch", "MUTAG2") == output("fetch", "MUTAG2") == expected
    assert mirror.asked == ["/MUTAG2.zip"]


def test_what_is_there_is_downloaded_again_only_by_force(
    mirror: Mirror, cache_folder: Path
) -> None:
    mirror.files["/MUTAG.zip"] = MUTAG.read_bytes()
    assert output("fetch", "MUTAG") == f"MUTAG: {MUTAG}\n"
    assert mirror.asked == []
    assert output("fetch", "--force", "mutag") == f"MUTAG: {cache_folder / 'MUTAG.zip'}\n"
    assert mirror.asked == ["/MUTAG.zip"]


def test_failures_end_in_one_line_and_leave_nothing(mirror: Mirror, cache_folder: Path) -> None:
    mirror.files["/NCI1.zip"] = b"<html>"
    assert "NCI1.zip: what arrived was not kept" in mistake("fetch", "NCI1")
    assert mistake("fetch", "NCI2").endswith("knows no such dataset; did you mean 'NCI1'?")
    mirror.promised = 100
    assert "the connection was cut" in mistake("fetch", "NCI1")
    assert list(cache_folder.iterdir()) == []


def test_no_network_ends_in_one_line() -> None:
    assert mistake("fetch", "NCI1") == f"{CLOSED}/NCI1.zip: no connection to the server"


def test_what_cannot_be_downloaded_ends_in_one_line() -> None:
    assert mistake("fetch", "PTC").startswith("PTC cannot be downloaded: it exists only as DGCNN")


def test_a_cache_that_cannot_be_written_ends_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GRAPHRINGS_CACHE", str(tmp_path / "file" / "cache"))
    assert mistake("fetch", "NCI1") == f"{tmp_path}/file/cache: Not a directory"
