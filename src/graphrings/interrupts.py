"""Ctrl-C at a moment that can bear it."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN_AFTER = 0.05  # seconds: the callback that lost it has ended by then


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Ctrl-C comes a little late: it is noted, and sent again afterwards.

    Python handles it in the main thread alone, so that the others have nothing to hold back.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is None:  # or it is not Python's to handle
        yield
        return
    noted = list[int]()
    handler = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if noted:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Ctrl-C that comes inside a callback, where Python prints and drops it, comes again."""
    report = sys.unraisablehook

    def keep(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            again = threading.Timer(AGAIN_AFTER, _thread.interrupt_main)
            again.daemon = True
            again.start()
        else:
            report(lost)

    sys.unraisablehook = keep
    try:
        yield
    finally:
        sys.unraisablehook = report


def from_interrupt(error: BaseException) -> bool:
    """Whether an error is Ctrl-C, or what Python made of it: classes being defined wrap it."""
    seen = set[int]()
    chain: BaseException | None = error
    while chain is not None and id(chain) not in seen:
        if isinstance(chain, KeyboardInterrupt):
            return True
        seen.add(id(chain))
        chain = chain.__cause__ or chain.__context__
    return False
