"""Chunks answered in order by the workers of a Dask cluster, with the same numbers as here."""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import graphrings
from graphrings.errors import ClusterError
from graphrings.learning.models import load_model
from graphrings.prediction.inputs import Chunk, Question
from graphrings.prediction.replies import AHEAD, Ask, Reply, reply
from graphrings.protocol.cluster import PATIENCE, connect, foreign_workers
from graphrings.threads import one_thread

_models: dict[str, Any] = {}  # the one of a worker, by what its file holds
_one_at_a_time = threading.Lock()  # torch's threads belong to the whole process


@contextmanager
def on_cluster(path: Path, address: str, n_workers: int = 1) -> Iterator[Ask]:
    """Somebody to ask: the workers of a scheduler, to whom the model of a file travels once."""
    content = path.read_bytes()
    with connect(address, n_workers, PATIENCE) as client:
        for worker, version in foreign_workers(client).items():
            raise ClusterError(
                f"{worker}: the worker has graphrings {version}; "
                f"expected {graphrings.__version__}, as here"
            )
        name = hashlib.sha256(content).hexdigest()
        model = client.scatter(content, broadcast=True, hash=False)
        yield lambda chunks: _answered(client, model, name, chunks, address)


def _answered(
    client: Any, model: Any, name: str, chunks: Iterable[Chunk], address: str
) -> Generator[tuple[Chunk, Reply], None, None]:
    """Every chunk with its reply, in order; so many at once that no worker waits for the next."""
    at_work: deque[tuple[Chunk, Any]] = deque()
    try:
        for chunk in chunks:
            future = client.submit(work, model, name, chunk.question, pure=False)
            at_work.append((chunk, future))
            if len(at_work) >= AHEAD * max(1, len(client.nthreads())):
                yield _received(address, *at_work.popleft())
        while at_work:
            yield _received(address, *at_work.popleft())
    finally:
        client.cancel([future for _, future in at_work], force=True)


def _received(address: str, chunk: Chunk, future: Any) -> tuple[Chunk, Reply]:
    from distributed import CancelledError, KilledWorker

    try:
        return chunk, future.result()
    except KilledWorker as error:
        raise ClusterError(
            f"{address}: several workers died over a chunk; have they enough memory?"
        ) from error
    except CancelledError as error:
        raise ClusterError(f"{address}: the scheduler is gone") from error


def work(content: bytes, name: str, question: Question) -> Reply:
    """What the model of a file says of some rows; a worker opens it once."""
    with _one_at_a_time, one_thread():
        if name not in _models:
            _models.clear()
            with TemporaryDirectory() as folder:
                path = Path(folder) / "model"
                path.write_bytes(content)
                _models[name] = load_model(path)
        return reply(_models[name], question)
