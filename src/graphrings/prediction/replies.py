"""Chunks answered in order, in this process or in several, with the same numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from graphrings.errors import ModelError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.molecules import molecules
from graphrings.learning.models import load_model
from graphrings.prediction.answers import Answer, answers
from graphrings.prediction.inputs import Chunk, Question
from graphrings.protocol.local import no_interrupts, one_thread

ALONE = 4  # chunks that are done before it is worth starting other processes
AHEAD = 2  # chunks for every process that are read before the first is answered
Reply = list[Answer | str]  # for every row what the model says, or why it cannot say anything
Ask = Callable[[Iterable[Chunk]], Iterator[tuple[Chunk, Reply]]]
_models: list[Any] = []  # the one of a worker


def answered(
    model: Any, path: Path, chunks: Iterable[Chunk], n_jobs: int
) -> Iterator[tuple[Chunk, Reply]]:
    """Every chunk with its reply, in order; the model of the file ``path`` answers."""
    waiting = iter(chunks)
    for chunk in waiting if n_jobs == 1 else islice(waiting, ALONE):
        yield chunk, reply(model, chunk.question)
    yield from _in_processes(path, waiting, n_jobs)


def reply(model: Any, question: Question) -> Reply:
    """What a model says of every row of a question."""
    said: Reply = [question.faults.get(i, "") for i in range(len(question.graphs))]
    good = [i for i, fault in enumerate(said) if not fault]
    graphs = question.graphs
    if not isinstance(graphs, Dataset):
        parsed = molecules([graphs[i] for i in good], model.chemistry_)
        for place, reason in parsed.reasons.items():
            said[good[place]] = reason
        good, graphs = [good[place] for place in parsed.kept.tolist()], parsed.dataset
    for i, answer in zip(good, answers(model, graphs), strict=True):
        said[i] = answer
    return said


def _in_processes(
    path: Path, chunks: Iterator[Chunk], n_jobs: int
) -> Generator[tuple[Chunk, Reply], None, None]:
    at_work: deque[tuple[Chunk, Future[Reply]]] = deque()
    pool = ProcessPoolExecutor(n_jobs, get_context("spawn"), _start, (str(path),))
    try:
        for chunk in chunks:
            with one_thread(), no_interrupts():  # a process may be started
                at_work.append((chunk, pool.submit(_work, chunk.question)))
            if len(at_work) >= AHEAD * n_jobs:
                yield _received(path, *at_work.popleft())
        while at_work:
            yield _received(path, *at_work.popleft())
    finally:
        pool.shutdown(cancel_futures=True)


def _received(path: Path, chunk: Chunk, future: Future[Reply]) -> tuple[Chunk, Reply]:
    try:
        return chunk, future.result()
    except BrokenProcessPool as error:
        raise ModelError(
            f"{path}: a process that used the model was ended; is there enough memory?"
        ) from error


def _start(path: str) -> None:
    """Open the model, once for every process."""
    _models[:] = [load_model(path)]


def _work(question: Question) -> Reply:
    return reply(_models[0], question)
