"""The molecules on which kernels are compared with those of GraKeL."""

import pytest

import graphrings as gr


@pytest.fixture(params=["MUTAG", "PTC"])
def molecules(request: pytest.FixtureRequest) -> gr.Dataset:
    """MUTAG, which is always there, and PTC, which may be missing."""
    if request.param == "MUTAG":
        return gr.load("MUTAG")
    return request.getfixturevalue("paper_set")(request.param)  # type: ignore[no-any-return]
