import struct
import zlib

import numpy as np
import pytest
from hypothesis import given

from graphrings.results.packing import HEAD, pack_predictions, unpack_predictions
from graphrings.tasks.predictions import Predictions
from results.samples import TEST, predictions


@given(predictions())
def test_predictions_come_back_to_the_last_bit(made: Predictions) -> None:
    back = unpack_predictions(pack_predictions(made))
    assert back == made
    for name in ("truth", "predicted", "probabilities", "margin"):
        one, other = getattr(back, name), getattr(made, name)
        assert (one is None) == (other is None)
        if one is not None:
            assert (one.dtype, one.tobytes()) == (other.dtype, other.tobytes())


def test_a_graph_takes_a_few_bytes() -> None:
    """Number, class, answer and two probabilities; of these the probabilities are 8 bytes."""
    rng = np.random.default_rng(0)
    graphs = np.sort(rng.choice(5000, 500, replace=False))
    shares = rng.dirichlet([1, 1], 500)
    truth = rng.integers(0, 2, 500)
    made = Predictions(graphs, truth, shares.argmax(axis=1), 2, shares)
    assert len(pack_predictions(made)) < 12 * 500
    bare = Predictions(graphs, truth, shares.argmax(axis=1), 2)
    assert len(pack_predictions(bare)) < 3 * 500


def changed(**changes: int) -> bytes:
    content = zlib.decompress(pack_predictions(TEST))
    names = ("version", "flags", "n_graphs", "n_classes")
    head = dict(zip(names, HEAD.unpack_from(content), strict=True)) | changes
    return zlib.compress(struct.pack(HEAD.format, *head.values()) + content[HEAD.size :])


@pytest.mark.parametrize(
    ("packed", "reason"),
    [
        (b"", "damaged"),
        (b"x" * 20, "damaged"),
        (zlib.compress(b"abc"), "damaged"),
        (changed(version=2), "format 2; expected 1"),
        (changed(n_graphs=3), "3 graphs in 38 bytes"),
        (changed(n_graphs=2**31), "2147483648 graphs in 38 bytes"),
        (changed(flags=0), "2 graphs in 38 bytes"),
        (changed(n_classes=1, flags=3), "more than 1 classes"),
    ],
    ids=range(8),
)
def test_other_bytes_are_refused(packed: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        unpack_predictions(packed)
