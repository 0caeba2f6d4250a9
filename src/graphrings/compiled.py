"""How the project compiles its inner loops, and keeps their machine code on disk.

The name of a kept file stands for all that its machine code depends on: the code of the loop and
of the loops that it calls, in whatever file they stand, the constants that they read, the options,
the types, the processor and the versions of Python and numba. So nothing that is kept can go stale,
and two processes that write the same file write the same machine code. They need not: where one
compiles a loop, the others wait for what it keeps.
"""

from __future__ import annotations

import gc
import hashlib
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

from graphrings.interrupts import interrupts_held_back
from graphrings.locks import take_lock

Loop = TypeVar("Loop", bound=Callable[..., object])

# The GIL is released, so that plain threads run loops side by side. Divisions are not checked for
# zero, since a check keeps a loop from being vectorised. Nobody calls loops from C.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
PATIENCE = 20.0  # seconds to wait for a process that compiles the same; a loop takes one or two


def compiled(loop: Loop) -> Loop:
    """Compile ``loop`` at its first call and keep the machine code on disk.

    Where no folder can be written to, every process compiles. With ``NUMBA_DISABLE_JIT=1`` loops
    stay Python functions, for a debugger.
    """
    return dispatched(loop, OPTIONS)


def inlined(loop: Loop) -> Loop:
    """The same for a part of other loops: it is compiled inside each of them, not by itself.

    That takes half the time where few loops call it.
    """
    return dispatched(loop, {**OPTIONS, "inline": "always"})


def dispatched(loop: Loop, options: dict[str, Any]) -> Loop:
    """What compiles a loop with some options when it is called."""
    dispatcher: Any = numba.njit(**options)(loop)
    if dispatcher is loop:
        return as_if_compiled(loop)
    dispatcher.compile = undisturbed(dispatcher.compile)
    dispatcher.get_call_template = without_literals(dispatcher.get_call_template)
    with suppress(RuntimeError):  # no folder can be written to
        dispatcher._cache = LoopCache(loop)
    return cast(Loop, dispatcher)


def as_if_compiled(loop: Loop) -> Loop:
    """The Python function itself; machine code says nothing where numbers overflow, and so here."""

    @wraps(loop)
    def called(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return loop(*arguments)

    return cast(Loop, called)


def undisturbed(compile_: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same, with Ctrl-C held back, of which the compiler loses one in the middle.

    Nor is garbage looked for: the compiler makes so many objects that this would be a tenth of it.
    """

    def alone(signature: Any) -> Any:
        with interrupts_held_back(), garbage_left(), TURNS.ended():
            return compile_(signature)

    return alone


def without_literals(template: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The same, with a constant that another loop passes as any number of its type.

    Otherwise a loop would be compiled for every such constant by itself.
    """
    plain: Callable[[Any], Any] = numba.types.unliteral

    def of_types(types: Any, keywords: Any) -> Any:
        named = {name: plain(type_) for name, type_ in keywords.items()}
        return template(tuple(map(plain, types)), named)

    return of_types


@contextmanager
def garbage_left() -> Iterator[None]:
    """Look for no garbage meanwhile."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()


class Turns(threading.local):
    """What this thread compiles while other processes wait for it."""

    def __init__(self) -> None:
        self._held: list[tuple[Path, sqlite3.Connection]] = []

    def take(self, path: Path) -> None:
        """Wait for who compiles the same, and let others wait from now on.

        For a loop inside another nobody is waited for, since others may be waiting for the outer
        one: who waits holds nothing. Where a folder knows no locks, everyone compiles.
        """
        with suppress(TimeoutError, sqlite3.Error):
            self._held.append((path, take_lock(path, 0 if self._held else PATIENCE)))

    @contextmanager
    def ended(self) -> Iterator[None]:
        """Give back what is taken meanwhile."""
        n_before = len(self._held)
        try:
            yield
        finally:
            while len(self._held) > n_before:
                path, lock = self._held.pop()
                lock.close()
                with suppress(OSError):  # another has it open, who will remove it
                    path.unlink()  # whoever still waits there finds what is kept


TURNS = Turns()


class LoopCache(FunctionCache):
    """What numba asks for the machine code of one loop; RuntimeError if there is no folder."""

    def __init__(self, loop: Callable[..., object]) -> None:
        super().__init__(loop)  # type: ignore[no-untyped-call]
        self._cache_file = self._files = LoopFiles(Path(self.cache_path), loop)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept for some types, or None: then it is this thread's turn to compile."""
        kept = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if kept is None:
            TURNS.take(self._files.lock_path(self._index_key(sig, target_context.codegen())))
            kept = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        return kept

    def _index_key(self, sig: Any, codegen: Any) -> tuple[str, str]:
        """Whom the machine code is for, and what it is made from."""
        made_from = [numba.__version__, repr(OPTIONS), *parts(self._py_func, set())]
        return digest([repr((sig, codegen.magic_tuple(), sys.version))]), digest(made_from)


class LoopFiles(IndexDataCacheFile):
    """The files of one loop, named by the two halves of a key; there is no index."""

    def __init__(self, folder: Path, loop: Callable[..., object]) -> None:
        name = f"{loop.__module__.rpartition('.')[2]}.{loop.__qualname__}"
        self._cache_path, self._name = folder, name.replace("<", "").replace(">", "")

    def load(self, key: tuple[str, str]) -> Any:
        """What is kept under a key, or None."""
        with suppress(FileNotFoundError):
            return self._load_data(self._data_name(key))  # type: ignore[no-untyped-call]
        return None

    def save(self, key: tuple[str, str], data: Any) -> None:
        """Keep machine code; what was made from older code for the same user goes."""
        self._save_data(self._data_name(key), data)  # type: ignore[no-untyped-call]
        self._remove((key[0], "*"), self._data_name(key))

    def lock_path(self, key: tuple[str, str]) -> Path:
        """What is locked while the machine code of a key is made."""
        return Path(self._cache_path, self._data_name(key)).with_suffix(".lock")

    def flush(self) -> None:
        """Remove all files of the loop."""
        self._remove(("*", "*"))

    def _data_name(self, key: tuple[str, str]) -> str:
        return f"{self._name}-{'-'.join(key)}.nbc"

    def _remove(self, key: tuple[str, str], but: str = "") -> None:
        for path in self._cache_path.glob(self._data_name(key)):
            if path.name != but:
                path.unlink(missing_ok=True)


def digest(texts: Iterable[str]) -> str:
    """A short name that stands for some texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def parts(function: Any, done: set[Any]) -> Iterator[str]:
    """What the machine code of a function follows from: its code, and all that it names."""
    yield f"{function.__module__}.{function.__qualname__}"
    if function in done:
        return
    done.add(function)
    names: list[str] = []
    yield from code_parts(function.__code__, names)
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    for value in [function.__defaults__, *cells, *named_values(function.__globals__, names)]:
        if isinstance(value, Dispatcher):
            yield from parts(value.py_func, done)
        else:
            yield described(value)
            for written in getattr(value, "made_from", ()):  # machine code by hand: hardware.py
                yield from parts(written, done)


def code_parts(code: CodeType, names: list[str]) -> Iterator[str]:
    """The instructions and constants of a function and of those inside it; collects ``names``."""
    names += code.co_names
    yield repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from code_parts(constant, names)
        else:
            yield repr(constant)


def named_values(variables: dict[str, Any], names: list[str]) -> Iterator[Any]:
    """The global values of names, and where one is a module, what the names mean inside it."""
    for name in names:
        value = variables.get(name)
        yield value
        if isinstance(value, ModuleType):
            yield from (vars(value).get(attribute) for attribute in names)


def described(value: Any) -> str:
    """A constant with its type and all digits; classes, functions and modules by their name."""
    if isinstance(value, tuple):
        return f"({', '.join(map(described, value))})"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes()!r}"
    name = getattr(value, "__qualname__", getattr(value, "__name__", None))
    kind: Any = type(value)
    if name is None and kind.__repr__ is object.__repr__:
        name = "of this type"  # its own words would be its place in memory
    return f"{kind.__name__} {name or repr(value)}"
