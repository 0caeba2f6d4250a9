"""One thread for the libraries below: sums over several threads depend on their number."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, cast

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


def one_thread() -> AbstractContextManager[Any]:
    """Let every library that is loaded compute on one thread in the meantime."""
    return cast(AbstractContextManager[Any], _controller(len(sys.modules)).limit(limits=1))


@lru_cache(maxsize=1)
def _controller(n_modules: int) -> Any:
    """Who knows the libraries; looking for them takes as long as a small fit.

    A library comes with an import, so that nobody looks again before there is another module.
    """
    del n_modules
    return ThreadpoolController()
