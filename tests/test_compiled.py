import pkgutil
from importlib import import_module

from numba.core.dispatcher import Dispatcher

import graphrings


def test_kernels_call_only_kernels_of_their_own_file() -> None:
    """The code kept on disk is renewed with its own file only, so that others would go stale."""
    for found in pkgutil.walk_packages(graphrings.__path__, "graphrings."):
        module = import_module(found.name)
        for kernel in vars(module).values():
            if isinstance(kernel, Dispatcher) and kernel.py_func.__module__ == found.name:
                used = {vars(module).get(name) for name in kernel.py_func.__code__.co_names}
                strangers = {
                    other.py_func.__name__
                    for other in used
                    if isinstance(other, Dispatcher) and other.py_func.__module__ != found.name
                }
                assert not strangers, f"{found.name}.{kernel.py_func.__name__} calls {strangers}"
