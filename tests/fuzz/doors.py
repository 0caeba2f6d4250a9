"""The doors: every reader of what comes from elsewhere, with good inputs and how to change them."""

from __future__ import annotations

import io
import json
import re
import socket
import struct
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

import numpy as np

import graphrings as gr
from fuzz.models import committees, editing, models, predict, sealed_all
from fuzz.mutators import Files, Mutator, mutated_bytes, mutated_tree, one_of_the_files
from fuzz.pages import read_page
from fuzz.parquet import edited_parquet, parquet_seeds
from fuzz.stores import (
    edited_export,
    edited_store,
    export_seeds,
    read_export,
    read_store,
    store_seeds,
)
from fuzz.workbook import edited_workbook, workbook_seeds
from graphrings.graphs import fetch
from graphrings.protocol.experiment import read_experiment

SMILES = ["CCO", "c1ccccc1", "C[N+](=O)[O-]", "C1CC1", "O=C=O", "[Na+].[Cl-]", "C/C=C/C"]


@dataclass(frozen=True)
class Door:
    """Where inputs enter: ``seeds`` are good ones, ``enter`` is given a folder with a changed one.

    ``count`` is how many the tests try.
    """

    name: str
    seeds: Callable[[], list[Files]]
    enter: Callable[[Path], object]
    mutate: Mutator = one_of_the_files
    count: int = 60


def only_file(folder: Path) -> Path:
    """The file of an input that is one file; or the folder, if it is not."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return files[0] if len(files) == 1 and files[0].parent == folder else folder


def alone(enter: Callable[[Path], object]) -> Callable[[Path], object]:
    """The way in for an input that is one file."""
    return lambda folder: enter(only_file(folder))


def read(folder: Path) -> object:
    """Read a dataset, and look at what it is."""
    dataset = gr.read(only_file(folder))
    return repr(dataset), dataset.fingerprint


@cache
def graphs() -> gr.Dataset:
    """Graphs that carry everything."""
    few = gr.load("MUTAG")[:4]
    rng = np.random.default_rng(0)
    return few.changed(
        name="X",
        node_attributes=rng.normal(size=(few.n_nodes, 2)).round(2),
        edge_attributes=rng.normal(size=(len(few.indices), 1)).round(1),
    )


def written(*formats: tuple[str, str]) -> list[Files]:
    """Good graphs in some formats, by path and format."""
    from tempfile import TemporaryDirectory

    seeds = []
    plain = gr.load("MUTAG")[:3]
    for dataset in (graphs(), plain):
        for path, style in formats:
            with TemporaryDirectory() as folder:
                gr.write(dataset.changed(name="X"), Path(folder) / path, style)
                seeds.append(contents(Path(folder) / path))
    return seeds


def contents(path: Path) -> Files:
    """The files of a folder, or one file."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    inside = [file for file in sorted(path.rglob("*")) if file.is_file()]
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in inside}


def texts(**files: str) -> Files:
    """Files by name, a double underscore for the dot."""
    return {name.replace("__", "."): text.encode() for name, text in files.items()}


def dgcnn_seeds() -> list[Files]:
    text = "2\n3 0\n0 2 1 2\n1 1 0\n2 1 0\n2 1\n0 1 1\n1 1 0\n"
    with_attributes = "2\n2 0\n0 1 1 .5 1e3\n1 1 0 1 -2\n1 5\n0 0 0 0.25\n"
    folds = {f"10fold_idx/{side}_idx-1.txt": b"0\n" for side in ("train",)}
    folds |= {"10fold_idx/test_idx-1.txt": b"1\n"}
    return [
        {"X.txt": text.encode()},
        {"X.txt": with_attributes.encode()},
        {"X.txt": text.encode(), **folds},
    ]


def table_seeds() -> list[Files]:
    rows = [(text, k % 2, k * 1.5) for k, text in enumerate(SMILES)]
    comma = "smiles,active,value\n" + "".join(f"{s},{a},{v}\n" for s, a, v in rows)
    lines = "".join(json.dumps({"smiles": s, "active": a}) + "\n" for s, a, _ in rows)
    return [
        texts(mols__csv="smiles,active\n" + "".join(f"{s},{a}\n" for s, a, _ in rows)),
        texts(mols__csv=comma.replace(",active", ",", 1)),
        texts(mols__tsv=comma.replace(",", "\t")),
        texts(mols__smi="".join(f"{s} m{k}\n" for k, (s, _, _) in enumerate(rows))),
        texts(mols__jsonl=lines),
    ]


def sdf_seeds() -> list[Files]:
    from rdkit import Chem

    blocks = []
    for k, text in enumerate(SMILES[:4]):
        block = Chem.MolToMolBlock(Chem.MolFromSmiles(text))
        blocks.append(f"{block}>  <active>\n{k % 2}\n\n$$$$\n")
    return [texts(mols__sdf="".join(blocks)), texts(mols__sdf=blocks[0])]


def node_link_seeds() -> list[Files]:
    return written(("X.json", "node-link JSON"))


def node_link(rng: Random, files: Files) -> Files:
    """Change the tree of the JSON, or its text."""
    if rng.random() < 0.4:
        return one_of_the_files(rng, files)
    name = rng.choice(sorted(files))
    try:
        tree = mutated_tree(rng, json.loads(files[name]))
    except ValueError:
        return one_of_the_files(rng, files)
    return {**files, name: json.dumps(tree).encode()}


def archive_seeds() -> list[Files]:
    zips = []
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        memory = io.BytesIO()
        with zipfile.ZipFile(memory, "w", compression) as archive:
            for name, content in written(("X", "TU"))[1].items():
                archive.writestr(f"X/{name}", content)
        zips.append({"X.zip": memory.getvalue()})
    return zips


def archive(rng: Random, files: Files) -> Files:
    """Change bytes, the numbers of a header, or what is inside."""
    ((name, content),) = files.items()
    if rng.random() < 0.4:
        return {name: mutated_bytes(rng, content)}
    changed = bytearray(content)
    for _ in range(rng.choice((1, 2, 3))):
        marks = [mark.start() for mark in re.finditer(b"PK", changed[:-45])]
        at = rng.choice(marks or [0]) + rng.randrange(4, 46)
        if at + 4 <= len(changed):
            value = rng.choice((0, 1, 8, 14, 255, 65535, 2**31, 2**32 - 1, rng.randrange(2**32)))
            changed[at : at + rng.choice((1, 2, 4))] = struct.pack("<L", value)[
                : rng.choice((1, 2, 4))
            ]
    return {name: bytes(changed)}


def toml_seeds() -> list[Files]:
    folder = Path(gr.__file__).parent / "experiments"
    shipped = [{path.name: path.read_bytes()} for path in sorted(folder.glob("*.toml"))]
    own = """
name = "x"
task = "classification"
seed = 3
folds = "stratified"
n_folds = 3
repetitions = 2
datasets = ["MUTAG"]

[methods.a]
method = "wl"
settings = {normalize = true}
grid = {height = [1, 2], C = [0.1, 1.0]}
"""
    return [*shipped, texts(x__toml=own), texts(x__toml=own)]


ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: %d\r\n\r\n%s"
MOVED = b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"


def http_seeds() -> list[Files]:
    body = b"PK\x03\x04" + 40 * b"abc"
    packed = ANSWER.replace(b"Content-Type", b"Content-Encoding: gzip\r\nContent-Type")
    answers = [
        ANSWER % (len(body), body),
        packed % (len(body), body),
        MOVED % b"http://[::1/x",
        MOVED % b"file:///etc/passwd",
        CHUNKED,
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    ]
    return [{"answer": answer} for answer in answers]


def download(folder: Path) -> object:
    """Download from a server that answers with the file, whatever it says."""
    answer = only_file(folder).read_bytes()
    fetch.TIMEOUT, fetch.MOST_SECONDS, fetch.MOST_PATIENCE = (0.5, 0.5), 2, 2
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_answer, args=(server, answer), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/X.zip"
        try:
            fetch.retrieve(url, folder / "arrived", "X")
        finally:
            server.shutdown(socket.SHUT_RDWR)  # or the thread would wait for ever
    return (folder / "arrived").stat().st_size


def _answer(server: socket.socket, answer: bytes) -> None:
    try:
        while True:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)
    except OSError:
        return  # it was closed


DOORS = {
    door.name: door
    for door in (
        Door("tu", lambda: written(("X", "TU")), read),
        Door("dgcnn", dgcnn_seeds, read),
        Door("table", table_seeds, read),
        Door("sdf", sdf_seeds, read),
        Door("graphml", partial(written, ("X.graphml", "GraphML")), read),
        Door("gml", partial(written, ("X", "GML")), read),
        Door("node-link", node_link_seeds, read, node_link),
        Door("graph6", lambda: [texts(X__g6="Bw\nC~\nDQc\n"), texts(X__s6=":Fa@x^\n")], read),
        Door("edge-csv", partial(written, ("X", "edge list CSV")), read),
        Door("archive", archive_seeds, read, archive),
        Door("npz", partial(written, ("X.npz", "graphrings")), read, archive),
        Door("mapped", partial(written, ("X.graphs", "mapped")), read),
        Door("parquet", parquet_seeds, read, edited_parquet),
        Door("workbook", workbook_seeds, read, edited_workbook),
        Door("model", lambda: sealed_all(models()), alone(predict), editing(models)),
        Door(
            "committee", lambda: sealed_all(committees()), alone(predict), editing(committees), 50
        ),
        Door("store", store_seeds, alone(read_store), edited_store),
        Door("export", export_seeds, alone(read_export), edited_export),
        Door("page", store_seeds, alone(read_page), edited_store, count=12),
        Door("toml", toml_seeds, alone(read_experiment)),
        Door("http", http_seeds, download),
    )
}
