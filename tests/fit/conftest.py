import numpy as np
import pytest

import graphrings as gr
from graphrings.fit import shortlist
from graphrings.fit.shortlist import Candidate

QUICK = (
    Candidate("baseline-labels", "counts labels", grid={"C": (0.01, 0.1)}),
    Candidate("wl", "a kernel", grid={"height": (1, 2), "C": (10.0,)}),
)


@pytest.fixture(scope="session")
def mutag() -> gr.Dataset:
    """Sixty molecules, 20 of the rarer class."""
    whole = gr.load("MUTAG")
    numbers = np.asarray(whole.targets)
    return whole[
        np.sort(np.concatenate([np.flatnonzero(numbers == k)[: 20 + 20 * k] for k in (0, 1)]))
    ]


@pytest.fixture(scope="session")
def values(mutag: gr.Dataset) -> gr.Dataset:
    """The same molecules with a value each: their number of atoms and some noise."""
    noise = np.random.default_rng(0).normal(size=len(mutag))
    return gr.from_graphs([*mutag], mutag.sizes + noise, name="sizes")


@pytest.fixture
def quick_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short list of a baseline and a kernel with two settings each."""
    monkeypatch.setattr(shortlist, "SHORT_LIST", QUICK)
