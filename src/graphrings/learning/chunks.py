"""Many graphs answered some at a time: memory does not grow with them, and cores share the work."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import UnseenLabelWarning
from graphrings.graphs.dataset import Dataset

AT_ONCE = 1000  # graphs: not a setting, since sums in single precision depend on who is beside whom
MOST_NODES = 250_000  # of a chunk, unless a single graph has more
ALONE = 4  # chunks that are done before it is worth starting threads

Answers = NDArray[Any]


def in_chunks(
    answer: Callable[[Dataset], Answers],
    dataset: Dataset,
    at_once: int = AT_ONCE,
    most_nodes: int = MOST_NODES,
) -> Answers:
    """What ``answer`` says of every graph, a row each, asked for one chunk after the other.

    Where the chunks end depends on the dataset alone, and many of them are answered by as many
    threads as there are cores: the answers are the same for any number. Labels that training never
    saw are warned of once.
    """
    parts = chunks(dataset.graph_ptr, at_once, most_nodes)
    if len(parts) == 1:
        return answer(dataset)

    def said(part: tuple[int, int]) -> Answers:
        return answer(dataset[slice(*part)])

    with added_up():
        if len(parts) <= ALONE or n_threads() == 1:
            return np.concatenate([said(part) for part in parts])
        with ThreadPoolExecutor(n_threads()) as pool:
            # A thread knows nothing of the context that it is started in, such as the lane.
            asked = [pool.submit(copy_context().run, said, part) for part in parts]
            try:
                return np.concatenate([future.result() for future in asked])
            finally:
                pool.shutdown(cancel_futures=True)


def chunks(graph_ptr: NDArray[np.int32], at_once: int, most_nodes: int) -> list[tuple[int, int]]:
    """Where chunks begin and end.

    The thousands are cut first, and those with many nodes then, so that whoever asks for a
    thousand graphs at a time has the same chunks.
    """
    parts, n_graphs = [], len(graph_ptr) - 1
    for start in range(0, n_graphs, at_once):
        first, stop = start, min(start + at_once, n_graphs)
        while first < stop:
            most = int(graph_ptr[first]) + most_nodes
            fits = int(np.searchsorted(graph_ptr[: stop + 1], most, side="right")) - 1
            last = max(first + 1, fits)
            parts.append((first, last))
            first = last
    return parts or [(0, 0)]


def n_threads() -> int:
    """The cores that this process may use, or what OMP_NUM_THREADS says."""
    said = os.environ.get("OMP_NUM_THREADS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores or 1


@contextmanager
def added_up() -> Iterator[None]:
    """Say what is warned of many times once, with labels that training never saw added up."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    unseen = dict[tuple[str, str], int]()
    others = dict[tuple[str, type[Warning]], None]()
    for warning in caught:
        message = warning.message
        if isinstance(message, UnseenLabelWarning) and message.count:
            key = message.place, message.what
            unseen[key] = unseen.get(key, 0) + message.count
        else:
            others[str(message), warning.category] = None
    for (place, what), count in unseen.items():
        warnings.warn(UnseenLabelWarning.counted(place, count, what), stacklevel=5)
    for text, category in others:
        warnings.warn(text, category, stacklevel=5)
