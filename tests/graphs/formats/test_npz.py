import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import ArchiveError, DatasetError
from graphrings.graphs.dataset import Fold
from written import write_zip

Members = dict[str, bytes]


def rich() -> gr.Dataset:
    """Two joined nodes beside a lonely one, and a triangle; with everything there is."""
    graphs = gr.from_edges(
        [[(0, 1)], [(0, 1), (1, 2), (0, 2)]],
        ["good", "bad"],
        node_labels=["CNO", "CCC"],
        node_attributes=[np.ones((3, 2)), np.zeros((3, 2))],
        edge_labels=["-", "-=="],
        n_nodes=[3, 3],
        name="rich",
    )
    fold = Fold(np.array([0], dtype=np.int32), np.array([1], dtype=np.int32))
    return replace(graphs, edge_attributes=np.arange(8.0)[:, None], folds=(fold,))


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Members:
    """What is in the file of the rich graphs."""
    path = tmp_path_factory.mktemp("rich") / "rich.npz"
    gr.write(rich(), path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def as_npy(values: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, values)
    return stream.getvalue()


def changed_header(members: Members, **changes: Any) -> bytes:
    return json.dumps({**json.loads(members["dataset.json"]), **changes}).encode()


def refusal(path: Path, members: Members) -> str:
    """The one line about a file with these members."""
    with pytest.raises(DatasetError) as error:
        gr.read(write_zip(path, members))
    line = str(error.value)
    assert line.startswith(str(path))
    assert "\n" not in line
    return line.removeprefix(str(path))


def test_numpy_opens_the_arrays_and_nothing_is_pickled(tmp_path: Path) -> None:
    gr.write(rich(), tmp_path / "rich.npz")
    with np.load(tmp_path / "rich.npz", allow_pickle=False) as file:
        assert file["graph_ptr"].tolist() == [0, 3, 6]
        assert json.loads(file["dataset.json"])["class_names"] == ["bad", "good"]


def test_graphs_without_targets_and_no_graphs_at_all_are_held(tmp_path: Path) -> None:
    for dataset in (gr.from_edges([[(0, 1)]]), gr.from_edges([]), rich()[:0]):
        gr.write(dataset, tmp_path / "x.npz")
        again = gr.read(tmp_path / "x.npz")
        assert (len(again), again.class_names) == (len(dataset), dataset.class_names)


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [
        ("graph_ptr", [0, 6, 6], "graph_ptr does not rise from 0 to 6, the number of nodes"),
        ("graph_ptr", [0, 3, 7], "graph_ptr does not rise from 0 to 6, the number of nodes"),
        ("graph_ptr", [0, -(2**31), 6], "graph_ptr does not rise from 0 to 6"),
        ("graph_ptr", [], "graph_ptr does not rise from 0 to 6"),
        ("indptr", [0, 1, 2, 2, 4, 3, 8], "indptr does not rise from 0 to 8"),
        ("indptr", [], "graph_ptr does not rise"),
        ("indices", [1, 0, 4, 5, 3, 5, 3, 6], "indices has nodes that are not of 0 to 5"),
        ("indices", [1, -1, 4, 5, 3, 5, 3, 4], "indices has nodes that are not of 0 to 5"),
        ("indices", [3, 0, 4, 5, 3, 5, 3, 4], "indices has an edge that leaves its graph"),
        ("indices", [0, 1, 4, 5, 3, 5, 3, 4], "indices has a self-loop, or neighbours that do"),
        ("indices", [1, 0, 5, 4, 3, 5, 3, 4], "indices has a self-loop, or neighbours that do"),
        ("indices", [1, 0, 4, 4, 3, 5, 3, 4], "indices has a self-loop, or neighbours that do"),
        ("indices", [2, 0, 4, 5, 3, 5, 3, 4], "indices has an edge in one direction only"),
        ("targets", [0, 2], "targets are not classes from 0 to 1"),
        ("targets", [0], "targets are 1 for 2 graphs"),
        ("node_labels", [0, 1, 2, 0, 0, 3], "node_labels are not 6 numbers from 0 to 2"),
        ("node_labels", [0], "node_labels are not 6 numbers from 0 to 2"),
        ("edge_labels", 8 * [-1], "edge_labels are not 8 numbers from 0 to 1"),
        ("fold_graphs", [0, 2], "fold 1 has graphs that are not of 0 to 1"),
        ("fold_graphs", [1, 1], "fold 1 has graph 1 in train and in test"),
        ("fold_graphs", [0], "fold_ptr and fold_graphs do not fit together"),
        ("fold_ptr", [0, 2], "fold_ptr and fold_graphs do not fit together"),
        ("fold_ptr", [0, 3, 2], "fold_ptr and fold_graphs do not fit together"),
    ],
)
def test_numbers_that_would_lead_astray_are_refused(
    tmp_path: Path, members: Members, field: str, values: list[int], message: str
) -> None:
    damaged = members | {f"{field}.npy": as_npy(np.array(values, dtype=np.int32))}
    assert refusal(tmp_path / "x.npz", damaged).startswith(f": {message}")


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [
        ("node_attributes", np.full((6, 2), np.nan), "node_attributes are not 6 rows of finite"),
        ("edge_attributes", np.ones((7, 1)), "edge_attributes are not 8 rows of finite numbers"),
        ("node_attributes", np.ones(6), "node_attributes is float64 of 1 dimensions; expected"),
        ("indices", np.ones(8), "indices is float64 of 1 dimensions; expected int32 of 1"),
        ("targets", np.ones(2), "targets is float64 of 1 dimensions; expected int32 of 1"),
    ],
)
def test_arrays_of_another_kind_are_refused(
    tmp_path: Path, members: Members, field: str, values: Any, message: str
) -> None:
    damaged = members | {f"{field}.npy": as_npy(values)}
    assert refusal(tmp_path / "x.npz", damaged).startswith(f": {message}")


def test_values_that_are_not_finite_are_refused(tmp_path: Path, members: Members) -> None:
    damaged = members | {
        "targets.npy": as_npy(np.array([1, np.inf])),
        "dataset.json": changed_header(members, class_names=[]),
    }
    assert refusal(tmp_path / "x.npz", damaged) == ": targets are not finite numbers"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an array of numpy"),
        (b"\x93NUMPY\x09\x00", "not an array of numpy"),
        (as_npy(np.arange(3, dtype=np.int32))[:-1], "11 bytes for int32 of shape (3,); expected"),
        (as_npy(np.arange(3, dtype=np.int32)) + b"0", "13 bytes for int32 of shape (3,)"),
        (as_npy(np.arange(3, dtype=np.int64)), "24 bytes for int64 of shape (3,)"),
        (as_npy(np.arange(3, dtype=">i4")), "12 bytes for >i4 of shape (3,)"),
        (as_npy(np.array([{}])), " bytes for object of shape (1,)"),
        (as_npy(np.asfortranarray(np.ones((2, 2)))), "32 bytes for float64 of shape (2, 2)"),
        (as_npy(np.int32(1)), "4 bytes for int32 of shape ()"),
    ],
)
def test_members_that_are_no_arrays_are_refused(
    tmp_path: Path, members: Members, content: bytes, message: str
) -> None:
    line = refusal(tmp_path / "x.npz", members | {"graph_ptr.npy": content})
    assert line.startswith("/graph_ptr.npy: ")
    assert message in line


@pytest.mark.parametrize("shape", ["(10**15,)", "(-3,)", "(0, 10**30)", "(1" + 70 * ", 1" + ")"])
def test_a_shape_that_claims_more_than_there_is_takes_no_memory(
    tmp_path: Path, members: Members, shape: str
) -> None:
    shape = repr(eval(shape))  # noqa: S307, written above
    text = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    content = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
    assert " bytes for int32 of shape " in refusal(
        tmp_path / "x.npz", members | {"indices.npy": content}
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _: b"{", "not JSON"),
        (lambda _: b"\xff", "not JSON"),
        (lambda _: b"[" * 100_000, "not JSON"),
        (lambda _: b"[]", "version None; this graphrings reads version 1"),
        (lambda members: changed_header(members, version=2), "version 2; this graphrings reads"),
        (lambda members: changed_header(members, name=1), "damaged; expected a name"),
        (lambda members: changed_header(members, class_names="ab"), "damaged; expected a name"),
        (lambda members: changed_header(members, label_names=[{}]), "damaged; expected a name"),
        (lambda members: changed_header(members, repairs=[0]), "damaged; expected a name"),
        (lambda members: changed_header(members, smiles="CC"), "damaged; expected a name"),
        (lambda members: changed_header(members, smiles=[1]), "damaged; expected a name"),
        (lambda members: changed_header(members, chemistry={"labels": 1}), "damaged; labels = 1"),
        (lambda members: changed_header(members, chemistry=[]), "damaged; chemistry = []"),
        (lambda members: changed_header(members, repairs=[0, -1, 0]), "damaged; expected a name"),
        (
            lambda members: changed_header(
                members, class_names=[json.loads(500 * "[" + 500 * "]")]
            ),
            "damaged; expected a name",
        ),
    ],
)
def test_a_header_that_is_none_is_refused(
    tmp_path: Path, members: Members, change: Callable[[Members], bytes], message: str
) -> None:
    line = refusal(tmp_path / "x.npz", members | {"dataset.json": change(members)})
    assert line.startswith(f"/dataset.json: {message}")


def test_names_that_are_there_twice_are_refused(tmp_path: Path, members: Members) -> None:
    header = changed_header(members, class_names=["a", "a"])
    line = refusal(tmp_path / "x.npz", members | {"dataset.json": header})
    assert line == ": class_names has a name twice"


@pytest.mark.parametrize("name", ["graph_ptr", "indptr", "indices"])
def test_a_missing_array_is_named(tmp_path: Path, members: Members, name: str) -> None:
    rest = {member: content for member, content in members.items() if name not in member}
    line = refusal(tmp_path / "x.npz", rest)
    assert line == f"/{name}.npy: missing; every dataset has this"


def test_half_of_the_folds_are_refused(tmp_path: Path, members: Members) -> None:
    rest = {name: content for name, content in members.items() if name != "fold_graphs.npy"}
    rest["fold_ptr.npy"] = as_npy(np.array([0, 1, 3], dtype=np.int32))  # fits itself
    assert "do not fit together" in refusal(tmp_path / "x.npz", rest)


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    gr.write(rich(), path)
    content = path.read_bytes()
    for length in range(0, len(content), 97):
        path.write_bytes(content[:length])
        with pytest.raises(ArchiveError, match="cut off or damaged"):
            gr.read(path)


@given(data=st.data())
def test_whatever_is_changed_is_refused_or_makes_sound_graphs(
    tmp_path_factory: pytest.TempPathFactory, members: Members, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(members)))
    content = bytearray(members[name])
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = write_zip(tmp_path_factory.mktemp("fuzz") / "x.npz", members | {name: bytes(content)})
    line = str(path)
    try:
        assert len(gr.twin_groups(gr.read(path))) == 2
    except DatasetError as error:
        line = str(error)
    assert line.startswith(str(path))
    assert "\n" not in line


@pytest.mark.parametrize("name", [frozenset({1}), b"C", (1, (2, object()))])
def test_names_that_no_file_can_hold_are_refused(tmp_path: Path, name: Any) -> None:
    labelled = gr.from_edges([[(0, 1)]], node_labels=[[name, name]])
    with pytest.raises(DatasetError, match=r"a label or class is called .*; use numbers, text"):
        gr.write(labelled, tmp_path / "x.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.npz"
    gr.write(rich(), path)
    monkeypatch.setattr(np.lib.format, "write_array", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        gr.write(rich()[:1], path)
    assert len(gr.read(path)) == 2
    assert list(tmp_path.iterdir()) == [path]
