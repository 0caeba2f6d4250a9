"""Downloads into the user's cache: checked first, then moved there in one step."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pooch
import requests

from graphrings.errors import DatasetError, FetchError, UnknownDatasetError
from graphrings.graphs.catalogue import Entry
from graphrings.graphs.dataset import Dataset

TU_SERVER = "https://www.chrsmrrs.com/graphkerneldatasets"
MIRROR_VARIABLE = "GRAPHRINGS_MIRROR"
CACHE_VARIABLE = "GRAPHRINGS_CACHE"
TIMEOUT = (10, 60)  # seconds to connect, and between two pieces of data


def cache_folder() -> Path:
    """Where downloads are kept: ``$GRAPHRINGS_CACHE``, or the system's place for caches."""
    return Path(os.environ.get(CACHE_VARIABLE) or pooch.os_cache("graphrings"))


def cached(entry: Entry) -> Path:
    """Where the download of a dataset is kept, once it is there."""
    return cache_folder() / f"{entry.name}.zip"


def fetch(entry: Entry, read: Callable[[Path], Dataset]) -> Dataset:
    """Download the TU zip of a dataset, read and check it, and only then keep it."""
    server = (os.environ.get(MIRROR_VARIABLE) or TU_SERVER).rstrip("/")
    url, kept = f"{server}/{entry.name}.zip", cached(entry)
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
    """Download one file with a progress bar; every way to fail becomes one clear line."""
    bar = ProgressBar(f"Fetching {name}")
    download = pooch.HTTPDownloader(progressbar=bar, timeout=TIMEOUT)
    try:
        download(url, str(destination), None)
    except requests.HTTPError as error:
        response = error.response
        assert response is not None  # it is what the error is about
        response.close()  # the downloader leaves it open
        status = response.status_code
        if status == 404:
            raise UnknownDatasetError(f"{url}: the server knows no such dataset") from error
        raise FetchError(f"{url}: the server answered with status {status}") from error
    except requests.Timeout as error:
        raise FetchError(f"{url}: no answer in time; nothing was kept, try again") from error
    except requests.exceptions.ChunkedEncodingError as error:
        raise FetchError(
            f"{url}: the connection was cut after {bar.received:,} of {bar.total:,} bytes; "
            "nothing was kept, try again"
        ) from error
    except requests.ConnectionError as error:
        raise FetchError(f"{url}: no connection to the server") from error
    except requests.RequestException as error:
        raise FetchError(f"{url}: {error}") from error
    finally:
        bar.close()


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

        columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn()
        bar = Progress(*columns, console=Console(stderr=True))
        bar.add_task(self.text, total=None)
        bar.start()
        return bar
