"""Write the DGCNN text format, and say what it cannot hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset, Names
from graphrings.graphs.formats.tu_writing import check_stem
from graphrings.graphs.formats.writing import files_at, holds_integer, is_folder, say, write_file

SUFFIX = ".txt"


def write_dgcnn_text(dataset: Dataset, path: Path) -> None:
    """Write NAME.txt, in a new folder or a zip with the folds beside it.

    Classes and labels that are no integers become numbers, in the order of their names.
    """
    if len(dataset) == 0 or dataset.targets is None or dataset.has_values:
        raise DatasetError(
            f"{dataset.name}: no graphs, or graphs without classes; DGCNN text holds graphs with "
            "classes only (an .npz file holds any)"
        )
    if any(len(side) == 0 for fold in dataset.folds for side in fold):
        raise DatasetError(f"{dataset.name}: a fold with nothing to train on or to test on")
    alone = not is_folder(path) and path.suffix.lower() == SUFFIX
    classes, tags, notes = _numbers(dataset)
    if alone and dataset.folds:
        notes.append(f"the {len(dataset.folds)} folds are left out, which only a folder or zip has")
    lines = _lines(dataset, classes, tags)
    if alone:
        write_file(path, lines)
    else:
        check_stem(dataset)
        with files_at(path, inside=dataset.name) as create:
            with create(f"{dataset.name}{SUFFIX}") as file:
                file.writelines(lines)
            for k, fold in enumerate(dataset.folds, start=1):
                for side in ("train", "test"):
                    with create(f"10fold_idx/{side}_idx-{k}.txt") as file:
                        numbers = getattr(fold, side).tolist()
                        file.write("".join(f"{number}\n" for number in numbers).encode())
    say(path, notes)


def _numbers(dataset: Dataset) -> tuple[NDArray[np.int64], NDArray[np.int64], list[str]]:
    """The class of every graph and the tag of every node as integers, and what is to be noted."""
    assert dataset.targets is not None, "the dataset was checked"
    notes = [
        f"{what} are written as numbers, in the order of their names"
        for what, names in (("classes", dataset.class_names), ("node labels", dataset.label_names))
        if not all(map(holds_integer, names))
    ]
    lost = {
        "edge labels": bool(dataset.edge_label_names),
        "edge attributes": dataset.edge_attributes is not None and dataset.n_edges > 0,
        "SMILES": bool(dataset.smiles),
    }
    words = [what for what, is_lost in lost.items() if is_lost]
    if words:
        notes.append(f"{' and '.join(words)} are left out, since DGCNN text has no place for them")
    tags = np.zeros(dataset.n_nodes, dtype=np.int64)
    if dataset.node_labels is not None:
        tags = _integers(dataset.label_names)[dataset.node_labels]
        if np.ptp(tags) == 0:
            notes.append("all nodes have one label, which is read as none")
    return _integers(dataset.class_names)[dataset.targets], tags, notes


def _integers(names: Names) -> NDArray[np.int64]:
    plain = all(map(holds_integer, names))
    return np.array(names if plain else range(len(names)), dtype=np.int64)


def _lines(
    dataset: Dataset, classes: NDArray[np.int64], tags: NDArray[np.int64]
) -> Iterator[bytes]:
    """The number of graphs; per graph its nodes and class; per node tag, neighbours, attributes."""
    yield f"{len(dataset)}\n".encode()
    heads = (
        dataset.indices - dataset.graph_ptr[:-1][dataset.owner].repeat(dataset.degrees)
    ).tolist()
    bounds, listed = list(pairwise(dataset.indptr.tolist())), tags.tolist()
    attributes = dataset.node_attributes
    rests = None if attributes is None else attributes.tolist()
    for i, (first, last) in enumerate(pairwise(dataset.graph_ptr.tolist())):
        lines = [f"{last - first} {classes[i]}"]
        for node in range(first, last):
            start, stop = bounds[node]
            rest = () if rests is None else map(repr, rests[node])
            cells = (listed[node], stop - start, *heads[start:stop], *rest)
            lines.append(" ".join(map(str, cells)))
        yield ("\n".join(lines) + "\n").encode()
