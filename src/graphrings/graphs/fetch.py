"""Downloads into the user's cache: checked first, then moved there in one step."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any
from urllib.parse import urljoin

import pooch
import requests
import urllib3

from graphrings.errors import DatasetError, FetchError, GraphRingsError, UnknownDatasetError
from graphrings.graphs.catalogue import Entry
from graphrings.graphs.dataset import Dataset
from graphrings.printable import one_line

TU_SERVER = "https://www.chrsmrrs.com/graphkerneldatasets"
MIRROR_VARIABLE = "GRAPHRINGS_MIRROR"
CACHE_VARIABLE = "GRAPHRINGS_CACHE"
TIMEOUT = (10, 60)  # seconds to connect, and between two pieces of data
MOST_PATIENCE = 150  # seconds until the answer begins, wherever it is to be had
MOST_SECONDS = 3_600  # of a whole download
MOST_BYTES = 2 << 30
MOST_MOVES = 10  # addresses that lead to others
PIECE = 1 << 16
PLAIN = {"Accept-Encoding": "identity"}
DIGITS = re.compile("[0-9]{1,18}")
LONGEST_REASON = 200


def cache_folder() -> Path:
    """Where downloads are kept: ``$GRAPHRINGS_CACHE``, or the system's place for caches."""
    return Path(os.environ.get(CACHE_VARIABLE) or pooch.os_cache("graphrings"))


def cached(entry: Entry) -> Path:
    """Where the download of a dataset is kept, once it is there."""
    return cache_folder() / f"{entry.files[0]}.zip"


def fetch(entry: Entry, read: Callable[[Path], Dataset]) -> Dataset:
    """Download the TU zip of a dataset, read and check it, and only then keep it."""
    server = (os.environ.get(MIRROR_VARIABLE) or TU_SERVER).rstrip("/")
    url, kept = f"{server}/{entry.files[0]}.zip", cached(entry)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=kept.parent) as partial:
        arrived = Path(partial) / kept.name
        retrieve(url, arrived, entry.name)
        try:
            dataset = read(arrived)
        except DatasetError as error:
            reason = str(error).replace(str(arrived), "the file")
            raise FetchError(f"{url}: what arrived was not kept: {reason}") from error
        arrived.replace(kept)
    return dataset


def retrieve(url: str, destination: Path, name: str) -> None:
    """Download one file with a progress bar; every way to fail becomes one clear line.

    No more than ``MOST_BYTES`` are taken and no longer than ``MOST_SECONDS`` waited, all in all,
    whatever the server promises; only http and https are spoken.
    """
    check_address(url, url)
    bar = ProgressBar(f"Fetching {name}")
    try:
        with ask(url) as answer:
            check_answer(url, answer)
            with destination.open("wb") as file:
                for piece in pieces(url, answer, bar):
                    file.write(piece)
    except GraphRingsError:
        raise
    except requests.Timeout as error:
        raise FetchError(f"{url}: no answer in time; nothing was kept, try again") from error
    except (requests.exceptions.ChunkedEncodingError, urllib3.exceptions.ProtocolError) as error:
        raise cut_off(url, bar) from error
    except requests.ConnectionError as error:
        raise FetchError(f"{url}: no connection to the server") from error
    except (requests.RequestException, urllib3.exceptions.HTTPError, ValueError) as error:
        reason = " ".join(str(error).split())[:LONGEST_REASON]
        raise FetchError(f"{url}: no proper answer of the server ({reason})") from error
    finally:
        bar.close()


def ask(url: str) -> requests.Response:
    """The beginning of the server's answer, wherever it leads us for it.

    Every byte of a header may come late; so somebody else waits for it, who can be left behind.
    """
    came: SimpleQueue[requests.Response | Exception] = SimpleQueue()

    def wait() -> None:
        try:
            came.put(followed(url))
        except (
            FetchError,
            requests.RequestException,
            urllib3.exceptions.HTTPError,
            ValueError,
        ) as error:
            came.put(error)

    Thread(target=wait, daemon=True).start()
    try:
        answer = came.get(timeout=MOST_PATIENCE)
    except Empty:
        raise requests.Timeout from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def followed(url: str) -> requests.Response:
    """The answer at the end of the addresses that lead to it."""
    address = url
    with Unmoved() as session:
        for _ in range(MOST_MOVES):
            answer = session.get(address, timeout=TIMEOUT, stream=True, headers=PLAIN)
            with ExitStack() as otherwise:
                otherwise.callback(answer.close)
                target = super(Unmoved, session).get_redirect_target(answer)
                if target is None:
                    otherwise.pop_all()
                    return answer
            address = urljoin(address, target)
            check_address(address, f"{url}: the server leads to {address}")
    raise FetchError(f"{url}: the server leads elsewhere more than {MOST_MOVES} times")


class Unmoved(requests.Session):
    """Stays at an address that leads elsewhere: requests would read all of such an answer first.

    That need not have an end, nor be as small as it arrives.
    """

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Nowhere."""


def check_address(address: str, where: str) -> None:
    """Refuse what is not spoken to."""
    if address.partition("://")[0].lower() not in ("http", "https"):
        raise FetchError(f"{where}: not an address that begins with http:// or https://")


def check_answer(url: str, answer: requests.Response) -> None:
    """Refuse what is not the file that was asked for."""
    if answer.status_code == 404:
        raise UnknownDatasetError(f"{url}: the server knows no such dataset")
    if answer.status_code != 200:
        raise FetchError(f"{url}: the server answered with status {answer.status_code}")
    packing = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if packing != "identity":
        raise FetchError(f"{url}: an answer packed as {packing[:20]!r}; expected the file itself")


def pieces(url: str, answer: requests.Response, bar: ProgressBar) -> Iterator[bytes]:
    """The bytes of an answer as they arrive, within the limits of size and time."""
    promised = answer.headers.get("Content-Length", "")
    bar.total = int(promised) if DIGITS.fullmatch(promised) else 0
    if bar.total > MOST_BYTES:
        raise FetchError(f"{url}: a file of {bar.total:,} bytes; at most {MOST_BYTES:,} are taken")
    end = monotonic() + MOST_SECONDS
    while piece := answer.raw.read1(PIECE):
        bar.update(len(piece))
        if bar.received > MOST_BYTES:
            raise FetchError(f"{url}: more than {MOST_BYTES:,} bytes; nothing was kept")
        if monotonic() > end:
            raise FetchError(
                f"{url}: not done in {MOST_SECONDS:,} seconds, after {bar.received:,} bytes; "
                "nothing was kept"
            )
        yield piece
    if bar.received < bar.total:
        raise cut_off(url, bar)


def cut_off(url: str, bar: ProgressBar) -> FetchError:
    """What to say of an answer that is not whole."""
    of = f" of {bar.total:,}" if bar.total else ""
    return FetchError(
        f"{url}: the connection was cut after {bar.received:,}{of} bytes; "
        "nothing was kept, try again"
    )


class ProgressBar:
    """A bar on standard error, in the form that pooch drives."""

    def __init__(self, text: str) -> None:
        self.text, self.total, self.received = text, 0, 0
        self._bar: Any = None

    def update(self, amount: int) -> None:
        """Count bytes that arrived."""
        if self._bar is None and sys.stderr.isatty():
            self._bar = self._start()
        self.received += amount
        if self._bar is not None:
            self._bar.update(0, completed=self.received, total=self.total or None)

    def reset(self) -> None:
        """Start to count again."""
        self.received = 0

    def close(self) -> None:
        """Leave the bar as it is."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _start(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

        columns = TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn()
        bar = Progress(*columns, console=Console(stderr=True))
        bar.add_task(one_line(self.text), total=None)
        bar.start()
        return bar
