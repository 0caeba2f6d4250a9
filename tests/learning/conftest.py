from collections.abc import Iterator

import pytest
import torch

import graphrings as gr


@pytest.fixture(autouse=True)
def global_state() -> Iterator[None]:
    """Torch's random numbers and threads belong to the user: no test may change them for good."""
    threads, state = torch.get_num_threads(), torch.random.get_rng_state()
    yield
    torch.set_num_threads(threads)
    torch.random.set_rng_state(state)


@pytest.fixture(scope="session")
def egos() -> gr.Dataset:
    """Many small cliques around the ego, or few large ones: easy to tell apart."""
    return gr.synthetic.ego_networks(40)


@pytest.fixture(scope="session")
def molecules() -> gr.Dataset:
    return gr.synthetic.molecules(40, n_nodes=(5, 15))
