import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
import requests

import graphrings as gr
from conftest import CLOSED, Mirror
from graphrings.errors import FetchError, GraphRingsError, UnknownDatasetError
from graphrings.graphs import fetch
from graphrings.graphs.load import BUNDLED

MUTAG = (BUNDLED / "MUTAG.zip").read_bytes()


@pytest.fixture
def kept_nothing(cache_folder: Path) -> None:
    """After the test the cache is as empty as before it."""
    yield
    assert list(cache_folder.rglob("*")) == []


def test_a_download_is_read_kept_and_not_asked_for_again(
    mirror: Mirror, cache_folder: Path
) -> None:
    mirror.files["/MUTAG2.zip"] = MUTAG
    first, second = gr.load("MUTAG2"), gr.load("MUTAG2")
    assert (first.name, len(first)) == ("MUTAG2", 188)
    assert second.fingerprint == first.fingerprint
    assert mirror.asked == ["/MUTAG2.zip"]
    assert [path.name for path in cache_folder.rglob("*")] == ["MUTAG2.zip"]
    assert (cache_folder / "MUTAG2.zip").read_bytes() == MUTAG


@pytest.mark.usefixtures("kept_nothing")
def test_a_cut_connection_leaves_nothing_behind(mirror: Mirror) -> None:
    mirror.files["/MUTAG2.zip"], mirror.promised = MUTAG[:5000], len(MUTAG)
    message = f"cut after [1-5],[0-9]+ of {len(MUTAG):,} bytes; nothing was kept, try again"
    with pytest.raises(FetchError, match=message):
        gr.load("MUTAG2")


def test_after_a_cut_connection_the_next_try_starts_afresh(mirror: Mirror) -> None:
    mirror.files["/MUTAG2.zip"], mirror.promised = MUTAG[:5000], len(MUTAG)
    with pytest.raises(FetchError):
        gr.load("MUTAG2")
    mirror.files["/MUTAG2.zip"] = MUTAG
    assert len(gr.load("MUTAG2")) == 188


@pytest.mark.usefixtures("kept_nothing")
def test_a_page_in_the_place_of_an_archive_is_not_kept(mirror: Mirror) -> None:
    mirror.files["/NCI1.zip"] = b"<html>Please log in</html>"
    with pytest.raises(FetchError) as error:
        gr.load("NCI1")
    assert str(error.value).startswith(
        f"{mirror.url}/NCI1.zip: what arrived was not kept: the file: not a zip archive"
    )


@pytest.mark.usefixtures("kept_nothing")
def test_half_an_archive_is_not_kept(mirror: Mirror) -> None:
    mirror.files["/MUTAG2.zip"] = MUTAG[:5000]
    with pytest.raises(FetchError, match="what arrived was not kept: the file: not a zip archive"):
        gr.load("MUTAG2")


@pytest.mark.usefixtures("kept_nothing")
def test_another_dataset_than_promised_is_not_kept(mirror: Mirror) -> None:
    mirror.files["/NCI1.zip"] = MUTAG
    with pytest.raises(FetchError) as error:
        gr.load("NCI1")
    assert "not the NCI1 that everyone means: 188 graphs instead of 4,110" in str(error.value)


@pytest.mark.usefixtures("kept_nothing")
def test_a_name_that_the_server_does_not_know_is_unknown(mirror: Mirror) -> None:
    with pytest.raises(UnknownDatasetError, match="the server knows no such dataset; did you mean"):
        gr.load("PROTEIN")
    assert mirror.asked == ["/PROTEIN.zip"]


@pytest.mark.usefixtures("kept_nothing")
def test_a_server_in_trouble_is_told_by_its_status(mirror: Mirror) -> None:
    mirror.files["/NCI1.zip"], mirror.status = b"", 503
    with pytest.raises(FetchError, match=r"NCI1.zip: the server answered with status 503$"):
        gr.load("NCI1")


@pytest.mark.usefixtures("kept_nothing")
def test_no_network_is_told_in_one_line() -> None:
    with pytest.raises(FetchError) as error:
        gr.load("NCI1")
    assert str(error.value) == f"{CLOSED}/NCI1.zip: no connection to the server"


@pytest.mark.usefixtures("kept_nothing")
def test_a_silent_server_is_given_up(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_: object, **__: object) -> None:
        raise requests.ReadTimeout

    monkeypatch.setattr(requests.Session, "get", silent)
    with pytest.raises(FetchError, match="no answer in time; nothing was kept, try again"):
        gr.load("NCI1")
    assert mirror.asked == []


def test_an_address_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHRINGS_MIRROR", "nonsense")
    with pytest.raises(FetchError, match=r"nonsense/NCI1.zip: not an address that begins"):
        gr.load("NCI1")


def test_an_empty_variable_is_no_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setenv("GRAPHRINGS_MIRROR", "")
    monkeypatch.setattr(fetch, "retrieve", lambda url, *_: asked.append(url))
    with pytest.raises(FetchError):
        gr.load("NCI1")
    assert asked == [f"{fetch.TU_SERVER}/NCI1.zip"]


def test_the_cache_is_the_systems_unless_named(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fetch.cache_folder() == cache_folder
    monkeypatch.setenv("GRAPHRINGS_CACHE", "")
    assert fetch.cache_folder().name == "graphrings"


def test_progress_is_drawn_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bar = fetch.ProgressBar("Fetching NCI1")
    bar.total = 2000
    bar.update(2000)
    bar.close()
    drawn = capsys.readouterr()
    assert "Fetching NCI1" in drawn.err
    assert "2.0/2.0 kB" in drawn.err
    assert drawn.out == ""


def test_progress_is_only_counted_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    bar = fetch.ProgressBar("Fetching NCI1")
    bar.update(10)
    bar.update(5)
    assert bar.received == 15
    bar.reset()
    assert bar.received == 0
    bar.close()
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("kept_nothing")
def test_a_download_has_an_end_in_bytes(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "MOST_BYTES", 1000)
    mirror.files["/NCI1.zip"] = MUTAG
    with pytest.raises(FetchError, match=rf"a file of {len(MUTAG):,} bytes; at most 1,000 are ta"):
        gr.load("NCI1")


def answered(answer: bytes, folder: Path, drip: float = 0.0) -> str:
    """What is said of a server that sends these bytes, one by one if it drips."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_send, args=(server, answer, drip), daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/X.zip"
        with pytest.raises(GraphRingsError) as error:
            fetch.retrieve(url, folder / "X.zip", "X")
    return str(error.value).removeprefix(f"{url}: ")


def _send(server: socket.socket, answer: bytes, drip: float) -> None:
    try:
        connection, _ = server.accept()
        with connection:
            connection.recv(65536)
            for at in range(0, len(answer), 1 if drip else len(answer)):
                connection.sendall(answer[at : at + 1] if drip else answer)
                time.sleep(drip)
    except OSError:
        return  # nobody listens any more


OK = b"HTTP/1.1 200 OK\r\n"
MOVED = b"HTTP/1.1 302 Found\r\nLocation: %s\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (OK + b"Content-Length: 999999999999\r\n\r\nx", "a file of 999,999,999,999 bytes; at most"),
        (OK + b"Content-Length: 9\r\n\r\nx", "the connection was cut after 1 of 9 bytes; nothing"),
        (OK + b"Content-Encoding: gzip\r\n\r\nx", "an answer packed as 'gzip'; expected the file"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", "the connection was cut after 0 bytes"),
        (MOVED % b"http://[::1/x", "no proper answer of the server (Invalid IPv6 URL)"),
        (MOVED % b"\xff", "no proper answer of the server ('utf-8' codec can't decode byte 0xff"),
        (
            MOVED % b"file:///etc/x",
            "the server leads to file:///etc/x: not an address th",
        ),
        (b"nonsense", "no connection to the server"),
    ],
)
def test_whatever_a_server_says_is_told_in_one_line(
    tmp_path: Path, answer: bytes, message: str
) -> None:
    assert answered(answer, tmp_path).startswith(message)


def test_an_answer_that_drips_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "MOST_SECONDS", 0.2)
    body = OK + b"Content-Length: 500\r\n\r\n" + 500 * b"x"
    assert "not done in 0.2 seconds, after" in answered(body, tmp_path, drip=0.002)


def test_a_header_that_drips_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "MOST_PATIENCE", 0.2)
    said = answered(OK + b"X: " + 5000 * b"x", tmp_path, drip=0.002)
    assert said == "no answer in time; nothing was kept, try again"


def test_of_an_answer_that_leads_elsewhere_nothing_else_is_read(tmp_path: Path) -> None:
    """It need not have an end: the server still has most of it when it is asked no more."""
    answer, sent = (MOVED % b"ftp://x/y") + bytes(64 << 20), []

    def send(server: socket.socket) -> None:
        connection, _ = server.accept()
        connection.recv(65536)
        with connection, suppress(OSError):
            for at in range(0, len(answer), 1 << 16):
                sent.append(connection.send(answer[at : at + (1 << 16)]))

    with socket.create_server(("127.0.0.1", 0)) as server:
        sending = threading.Thread(target=send, args=(server,))
        sending.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/X.zip"
        with pytest.raises(FetchError, match="the server leads to ftp://x/y: not an address that"):
            fetch.retrieve(url, tmp_path / "X.zip", "X")
        sending.join()
    assert sum(sent) < len(answer) // 2


def test_an_address_may_lead_to_the_file_but_not_for_ever(tmp_path: Path) -> None:
    answers = [MOVED % b"/Y.zip", MOVED % b"/Z.zip", OK + b"Content-Length: 4\r\n\r\nfile"]

    def send(server: socket.socket, answers: list[bytes]) -> None:
        with suppress(OSError):
            for answer in answers:
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/X.zip"
        threading.Thread(target=send, args=(server, answers), daemon=True).start()
        fetch.retrieve(url, tmp_path / "X.zip", "X")
        assert (tmp_path / "X.zip").read_bytes() == b"file"
        threading.Thread(target=send, args=(server, 30 * answers[:1]), daemon=True).start()
        with pytest.raises(FetchError, match="the server leads elsewhere more than 10 times"):
            fetch.retrieve(url, tmp_path / "X.zip", "X")


@pytest.mark.parametrize("address", ["file:///etc", "ftp://127.0.0.1"])
def test_only_http_is_spoken(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHRINGS_MIRROR", address)
    with pytest.raises(FetchError, match="not an address that begins with http:// or https://"):
        gr.load("NCI1")
