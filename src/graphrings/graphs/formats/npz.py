"""Our own format: the arrays of a dataset in one ``.npz`` file, with a header in JSON.

``dataset.json`` holds the version, the names and the repairs; every array is a ``.npy`` beside it,
which ``numpy.load`` opens too. Nothing is pickled, and nothing is compressed.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from graphrings.errors import DatasetError, SettingError
from graphrings.graphs.arrays import (
    ARRAYS,
    NAMES,
    arrays_of,
    dataset_from,
    is_plain_name,
    names_of,
)
from graphrings.graphs.check import bounds, check_dataset, within
from graphrings.graphs.dataset import Dataset, Fold, Repairs
from graphrings.graphs.files import Files
from graphrings.graphs.formats.format import Format
from graphrings.whole_files import whole_file

HEADER, VERSION = "dataset.json", 1
FOLDS = ("fold_ptr", "fold_graphs")  # training and test graphs of every fold, end to end
TYPES = {dtype.newbyteorder("<"): dtype for dtype in (np.dtype(np.int32), np.dtype(np.float64))}
TIMELESS = (1980, 1, 1, 0, 0, 0)  # equal datasets are equal files


def recognises(files: Files) -> bool:
    """Whether this is an archive with our header."""
    return files.zipped and HEADER in files.names


def read_npz(files: Files) -> Dataset:
    """Read and check a dataset; nothing in the file is trusted."""
    dataset = assembled(files, _array)
    check_dataset(dataset, str(files.path))
    return dataset


def assembled(files: Files, array: Callable[[Files, str], NDArray[Any]]) -> Dataset:
    """The dataset that header and arrays make; whether the arrays fit together is not looked at."""
    header = read_header(files)
    arrays = {
        name: array(files, f"{name}.npy")
        for name in (*ARRAYS, *FOLDS)
        if f"{name}.npy" in files.names
    }
    for name in ("graph_ptr", "indptr", "indices"):
        if name not in arrays:
            raise DatasetError(f"{files.place(f'{name}.npy')}: missing; every dataset has this")
    folds, repairs = _folds(files, arrays), Repairs(*header["repairs"])
    try:
        return dataset_from(header["name"], header, arrays, folds=folds, repairs=repairs)
    except SettingError as error:
        raise DatasetError(f"{files.place(HEADER)}: damaged; {error}") from error


def write_npz(dataset: Dataset, path: Path) -> None:
    """Write everything that a dataset holds."""
    with whole_file(path) as place, zipfile.ZipFile(place, "w") as archive:
        archive.writestr(zipfile.ZipInfo(HEADER, TIMELESS), header_of(dataset))
        for name, values in everything_of(dataset).items():
            member = zipfile.ZipInfo(f"{name}.npy", TIMELESS)
            with archive.open(member, "w", force_zip64=True) as file:
                npy.write_array(file, values, allow_pickle=False)


def header_of(dataset: Dataset) -> str:
    """All that is no array, in JSON."""
    names = {"name": dataset.name, **names_of(dataset), "repairs": dataset.repairs}
    return json.dumps({"version": VERSION, **names})


def everything_of(dataset: Dataset) -> dict[str, NDArray[Any]]:
    """All arrays by name, also those of the folds, as they lie in a file."""
    arrays, sides = arrays_of(dataset), [side for fold in dataset.folds for side in fold]
    if sides:
        arrays["fold_ptr"] = np.cumsum([0, *map(len, sides)], dtype=np.int32)
        arrays["fold_graphs"] = np.concatenate(sides).astype(np.int32)
    return {
        name: np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
        for name, values in arrays.items()
    }


def read_header(files: Files) -> dict[str, Any]:
    """The header, which has all its parts and each of the right type."""
    place = files.place(HEADER)
    try:
        header = json.loads(files.read(HEADER))
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{place}: not JSON ({error})") from error
    version = header.get("version") if isinstance(header, dict) else None
    if version != VERSION:
        raise DatasetError(f"{place}: version {version!r}; this graphrings reads version {VERSION}")
    repairs = header.get("repairs")
    good = (
        isinstance(header.get("name"), str)
        and all(isinstance(header.get(field), list) for field in NAMES)
        and all(is_plain_name(name) for field in NAMES for name in header[field])
        and isinstance(repairs, list)
        and len(repairs) == len(Repairs())
        and all(type(count) is int and count >= 0 for count in repairs)
        and isinstance(header.get("smiles", []), list)
        and all(isinstance(text, str) for text in header.get("smiles", []))
    )
    if not good:
        raise DatasetError(
            f"{place}: damaged; expected a name, lists of the names of classes and labels, perhaps "
            "of SMILES, and the repairs"
        )
    return dict(header)


def _array(files: Files, name: str) -> NDArray[Any]:
    """The array of a member whose size is what its own header says: no memory is claimed."""
    content = files.read(name)
    shape, dtype, start = array_shape(io.BytesIO(content), len(content), files.place(name))
    values = np.frombuffer(content, dtype, math.prod(shape), start).reshape(shape)
    return np.require(values, TYPES[dtype], "A")


def array_shape(
    stream: IO[bytes], n_bytes: int, place: str
) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape, type and beginning of an array in so many bytes, which must be what these hold."""
    try:
        version = npy.read_magic(stream)
        if version != (1, 0):
            raise ValueError(f"version {version} of its format")
        shape, by_columns, dtype = npy.read_array_header_1_0(stream)
    except (ValueError, SyntaxError, TokenError, RecursionError, MemoryError) as error:
        reason = " ".join(str(error).split())
        raise DatasetError(f"{place}: not an array of numpy ({reason})") from error
    n_bytes -= stream.tell()
    good = dtype in TYPES and not by_columns and 0 < len(shape) <= 2
    if (
        not good
        or n_bytes != dtype.itemsize * math.prod(shape)
        or not within(np.array(shape), 1 << 31)
    ):
        raise DatasetError(
            f"{place}: {n_bytes:,} bytes for {dtype} of shape {shape}; expected as many 32-bit "
            "integers or 64-bit numbers as the shape says, by rows"
        )
    return shape, dtype, stream.tell()


def _folds(files: Files, arrays: dict[str, NDArray[Any]]) -> tuple[Fold, ...]:
    """The folds that two flat arrays hold; whether they make sense is looked at later."""
    given = [arrays[name] for name in FOLDS if name in arrays]
    if not given:
        return ()
    ptr, graphs = given[0], given[-1]
    good = (
        len(given) == len(FOLDS)
        and all(values.dtype == np.int32 and values.ndim == 1 for values in given)
        and len(ptr) % 2 == 1
        and bounds(ptr, len(graphs))
    )
    if not good:
        raise DatasetError(f"{files.path}: fold_ptr and fold_graphs do not fit together")
    sides = np.split(graphs, ptr[1:-1])
    return tuple(Fold(*sides[k : k + 2]) for k in range(0, len(ptr) - 1, 2))


NPZ = Format(
    name="graphrings",
    looks_for=f"{HEADER} beside arrays in an .npz file",
    suffixes=(".npz",),
    recognises=recognises,
    read=read_npz,
    write=write_npz,
    keeps_folds=True,
)
