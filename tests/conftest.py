"""No test reaches the network or the user's cache; the paper's datasets come by a variable."""

import gc
import multiprocessing
import os
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import graphrings as gr
import strategies  # noqa: F401, its settings of hypothesis hold for all tests
from browsing import launched
from graphrings.errors import DatasetNote
from graphrings.graphs.load import load

DATA = os.environ.get("GRAPHRINGS_DATA")
CLOSED = "http://127.0.0.1:9"  # nobody listens there
LONG = (  # files of tests, begun with: at the end a core would wait for the other
    "cli/test_run.py",
    "test_examples.py",
    "explanations/test_explain.py",
    "protocol/test_cluster.py",
    "test_compiled.py",
    "contracts/test_kernels.py",
    "contracts/test_methods.py",
    "protocol/test_local.py",
    "protocol/test_whole_run.py",
    "torture/test_rounds.py",
    "fuzz/test_doors.py",
    "prediction/test_on_cluster.py",
    "protocol/test_committed_results.py",
    "report/test_page.py",
    "learning/test_shards.py",
    "laws/test_networks.py",
    "learning/test_scikit_learn.py",
    "report/test_plots.py",
    "prediction/test_replies.py",
    "learning/test_kernel_classifier.py",
    "kernels/test_nspdk.py",
    "graphs/test_read_table.py",
    "kernels/test_graphlet.py",
    "learning/test_persistence.py",
    "kernels/test_wl_optimal_assignment.py",
    "graphs/formats/test_text_round_trips.py",
    "kernels/test_weisfeiler_lehman.py",
    "results/test_faults.py",
    "networks/test_lanes.py",
    "laws/test_ring_conv.py",
    "fit/test_best.py",
    "learning/test_regressors.py",
    "test_portable.py",
    "kernels/test_deep_graph.py",
    "cli/test_explain.py",
)
LEARNERS = ["baseline", "kernel_estimators", "named_networks"]


def pytest_collection() -> None:
    """Look for no garbage meanwhile: imports make many objects that stay."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long: files are given to whoever is free, one after the other."""
    places = {Path(__file__).parent / name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path, len(LONG)))


def pytest_collection_finish() -> None:
    """Spare the garbage collector what all tests have imported."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all tests of a file."""
    with launched() as opened:
        yield opened


@pytest.fixture
def copied_processes(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Workers begin as copies of a process that has imported all; other tests start fresh ones.

    Where the start is not in question that saves two seconds each.
    """
    context = multiprocessing.get_context("forkserver")
    rooms = ["protocol.local", "prediction.replies", *(f"learning.{name}" for name in LEARNERS)]
    context.set_forkserver_preload([f"graphrings.{room}" for room in rooms])
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: context)
    return context


@pytest.fixture
def said() -> list[str]:
    """What the browser says on its console, and every error."""
    return []


@pytest.fixture(scope="session")
def datasets() -> Path:
    """The folder with the datasets of the paper."""
    if not DATA:
        pytest.skip("GRAPHRINGS_DATA is not set")
    if not Path(DATA).is_dir():
        pytest.skip(f"GRAPHRINGS_DATA names {DATA}, which is no folder")
    return Path(DATA)


@pytest.fixture(scope="session")
def paper_set(datasets: Path) -> Callable[[str], gr.Dataset]:
    """A dataset of the paper by its name, read once for all tests."""

    @cache
    def once(name: str) -> gr.Dataset:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DatasetNote)
            return load(name, datasets)

    return once


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no server to download from."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("GRAPHRINGS_CACHE", str(folder))
    monkeypatch.setenv("GRAPHRINGS_MIRROR", CLOSED)
    return folder


@dataclass
class Mirror:
    """A server of files on this machine: what it answers, and what it was asked for."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    status: int = 200
    promised: int | None = None  # bytes, if not as many as are sent
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """A real HTTP server in the place of the TU collection."""
    answers = Mirror()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answers.asked.append(self.path)
            body = answers.files.get(self.path)
            self.send_response(404 if body is None else answers.status)
            body = body or b""
            length = len(body) if answers.promised is None else answers.promised
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: Any) -> None:
            """Stay silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        answers.url = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("GRAPHRINGS_MIRROR", answers.url)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield answers
        server.shutdown()
        thread.join()
