"""One tiny dataset as the files of either format, ready to be spoiled by a test.

Three graphs: a triangle, an edge beside a lonely node, and a single node.
"""

import zipfile
from pathlib import Path

Texts = dict[str, bytes | str]

TU: Texts = {
    "TINY_A.txt": "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n",
    "TINY_graph_indicator.txt": "1\n1\n1\n2\n2\n2\n3\n",
    "TINY_graph_labels.txt": "1\n-1\n1\n",
    "TINY_node_labels.txt": "5\n7\n5\n7\n7\n9\n5\n",
}

DGCNN: Texts = {
    "TINY.txt": "3\n"
    "3 1\n5 2 1 2\n7 2 0 2\n5 2 0 1\n"  # a node: tag, number of neighbours, neighbours
    "3 -1\n7 1 1\n7 1 0\n9 0\n"
    "1 1\n5 0\n",
}

FOLDS: Texts = {
    "10fold_idx/train_idx-1.txt": "0\n1\n",
    "10fold_idx/test_idx-1.txt": "2\n",
    "10fold_idx/train_idx-2.txt": "2\n",
    "10fold_idx/test_idx-2.txt": "1\n0\n",
}


def renamed(texts: Texts, name: str) -> Texts:
    """The same files for a dataset of another name."""
    return {file.replace("TINY", name): text for file, text in texts.items()}


def write_folder(folder: Path, texts: Texts) -> Path:
    """Write text files into a folder."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_bytes(text))
    return folder


def write_zip(path: Path, texts: Texts, inside: str = "") -> Path:
    """Write text files into an archive, if told so inside a folder there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(inside + name, as_bytes(text))
    return path


def as_bytes(text: bytes | str) -> bytes:
    """The content of a file."""
    return text if isinstance(text, bytes) else text.encode()
