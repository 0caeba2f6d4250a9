"""Read a dataset without being told its format."""

from pathlib import Path

from graphrings.graphs.dataset import Dataset
from graphrings.graphs.dgcnn_text import read_dgcnn_text
from graphrings.graphs.files import open_files
from graphrings.graphs.tu import MARK, read_tu


def read(path: str | Path) -> Dataset:
    """Read a folder or a zip in the TU or in the DGCNN text format, whichever it is."""
    return read_tu(path) if is_tu(Path(path)) else read_dgcnn_text(path)


def is_tu(path: Path) -> bool:
    """Whether the files are those of a TU dataset."""
    return any(name.endswith(MARK) for name in open_files(path).names)
