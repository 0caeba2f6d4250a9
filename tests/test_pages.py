"""Memory of large results behaves like numpy's."""

import os
import subprocess
import sys

import numpy as np
import pytest

import graphrings as gr
from graphrings import pages
from graphrings.pages import zeros


@pytest.mark.parametrize("length", [0, 5, pages.LARGE // 8])
def test_zeros_can_be_written_to(length: int) -> None:
    array = zeros(length, np.int64)
    assert (array.shape, array.dtype, array.any()) == ((length,), np.int64, False)
    array[-1:] = 7
    assert array.sum() == (7 if length else 0)


def test_too_much_is_no_memory() -> None:
    with pytest.raises(MemoryError, match="no room for 1,152,921,504,606,846,976 bytes"):
        zeros(2**60, np.int8)


def test_rings_do_not_depend_on_where_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)], []], n_nodes=[4, 2])
    usual = gr.rings(graphs, 2)
    monkeypatch.setattr(pages, "LARGE", 1)
    paged = gr.rings(graphs, 2)
    assert not paged.indices.flags.owndata
    assert not paged.indptr.flags.owndata
    assert np.array_equal(paged.indices, usual.indices)
    assert np.array_equal(paged.indptr, usual.indptr)


FORK = """
import os
import numpy as np
from graphrings.pages import LARGE, zeros
array = zeros(LARGE, np.int8)
if not (child := os.fork()):
    array[0] = 1
    os._exit(0)
os.waitpid(child, 0)
print(array[0])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_writes_to_pages_of_its_own() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", FORK]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"]
