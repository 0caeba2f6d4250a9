import subprocess
import sys

import numpy as np
from threadpoolctl import threadpool_info

from graphrings.threads import one_thread


def numbers_of_threads() -> list[int]:
    np.ones((2, 2)) @ np.ones((2, 2))  # so that there is a library
    return [library["num_threads"] for library in threadpool_info()]


def test_all_libraries_have_one_thread_and_then_what_they_had() -> None:
    before = numbers_of_threads()
    assert before
    with one_thread():
        assert set(numbers_of_threads()) == {1}
        with one_thread():
            assert set(numbers_of_threads()) == {1}
        assert set(numbers_of_threads()) == {1}
    assert numbers_of_threads() == before


def test_a_library_that_is_imported_later_is_limited_too() -> None:
    """Numpy is there at first, and scikit-learn brings OpenMP."""
    script = """
import os; os.environ.pop("OMP_NUM_THREADS", None)
import numpy
from graphrings.threads import one_thread
from threadpoolctl import threadpool_info
with one_thread():
    pass
n_before = len(threadpool_info())
import sklearn.svm
with one_thread():
    told = threadpool_info()
    assert len(told) > n_before
    assert {library["num_threads"] for library in told} == {1}
"""
    subprocess.run([sys.executable, "-c", script], check=True)
