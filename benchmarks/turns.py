"""CPU times of several sides, taken in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

from graphrings.threads import one_thread


def milliseconds(
    runs: Mapping[str, Callable[[], object]], n_batches: int = 25, warm_up: int = 5
) -> dict[str, float]:
    """The median CPU time of every side, taken in turns, all libraries on one thread."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    with one_thread():
        for _ in range(warm_up + n_batches):
            for name, run in runs.items():
                start = time.process_time()
                run()
                times[name].append(1000 * (time.process_time() - start))
    return {name: float(np.median(series[warm_up:])) for name, series in times.items()}
