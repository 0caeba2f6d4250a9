"""Predictions and curves as a few bytes, and back, to the last bit of every number."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence

import numpy as np

from graphrings.results.record import Curve
from graphrings.tasks.predictions import Predictions

HEAD = struct.Struct("<BBII")  # format, which arrays there are, number of graphs, of classes
FORMAT = 1
TARGETS = ("truth", "predicted")
OPTIONAL = {"probabilities": 1, "margin": 2}  # by the bit that says that they are there


MOST_BYTES = 1 << 28  # that a few packed ones may become


def pack_predictions(predictions: Predictions) -> bytes:
    """Compressed little-endian arrays behind a small head; never a pickle."""
    flags = sum(bit for name, bit in OPTIONAL.items() if getattr(predictions, name) is not None)
    shape = len(predictions), predictions.n_classes
    arrays = [
        getattr(predictions, name).astype(dtype).tobytes()
        for name, dtype, _ in _layout(flags, *shape)
    ]
    return zlib.compress(b"".join([HEAD.pack(FORMAT, flags, *shape), *arrays]), 9)


def unpack_predictions(packed: bytes) -> Predictions:
    """The predictions that were packed; ValueError if these bytes are something else."""
    try:
        content = _unpacked(packed)
        version, flags, n_graphs, n_classes = HEAD.unpack_from(content)
    except (zlib.error, struct.error) as error:
        raise ValueError(f"predictions that are damaged ({error})") from error
    if version != FORMAT:
        raise ValueError(f"predictions of format {version}; expected {FORMAT}")
    layout = _layout(flags, n_graphs, n_classes)
    sizes = [np.dtype(dtype).itemsize * count for _, dtype, count in layout]
    if len(content) != HEAD.size + sum(sizes):
        raise ValueError(f"predictions of {n_graphs} graphs in {len(content)} bytes")
    arrays, at = {}, HEAD.size
    for (name, dtype, count), size in zip(layout, sizes, strict=True):
        arrays[name] = np.frombuffer(content, dtype, count, at)
        at += size
    if n_classes and max(arrays[name].max(initial=0) for name in TARGETS) >= n_classes:
        raise ValueError(f"predictions with more than {n_classes} classes")
    if "probabilities" in arrays:
        arrays["probabilities"] = arrays["probabilities"].reshape(n_graphs, n_classes)
    return Predictions(**arrays, n_classes=n_classes)


def _layout(flags: int, n_graphs: int, n_classes: int) -> list[tuple[str, str, int]]:
    """Name, type and length of every array that is packed."""
    target = "<f8" if n_classes == 0 else "<u1" if n_classes <= 256 else "<u4"
    lengths = {"probabilities": n_graphs * n_classes, "margin": n_graphs}
    return [
        ("graphs", "<u4", n_graphs),
        *((name, target, n_graphs) for name in TARGETS),
        *((name, "<f4", lengths[name]) for name, bit in OPTIONAL.items() if flags & bit),
    ]


def pack_curves(curves: Sequence[Curve | None]) -> bytes | None:
    """The curves of all trials as compressed JSON; None where there is none."""
    if not any(curves):
        return None
    return zlib.compress(json.dumps([curve and curve_columns(curve) for curve in curves]).encode())


def unpack_curves(packed: bytes) -> list[Curve | None]:
    """The curves that were packed; ValueError if these bytes are something else."""
    try:
        columns = json.loads(_unpacked(packed))
        return [curve and Curve(*map(tuple, curve)) for curve in columns]
    except (zlib.error, TypeError, RecursionError) as error:
        raise ValueError(f"curves that are damaged ({error})") from error


def _unpacked(packed: bytes) -> bytes:
    """What was compressed, as far as it is no more than anybody packs; zlib.error else."""
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(packed, MOST_BYTES)
    if not unpacking.eof:
        raise zlib.error("cut off, or far too large")
    return content


def curve_columns(curve: Curve) -> list[list[float]]:
    """The figures of a curve as JSON knows them, in the order of its fields."""
    return [[float(value) for value in column] for column in vars(curve).values()]
