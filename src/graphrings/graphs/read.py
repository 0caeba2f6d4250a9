"""Read a dataset without being told its format."""

from pathlib import Path

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import open_files
from graphrings.graphs.formats.dgcnn_text import read_dgcnn_text
from graphrings.graphs.formats.tu import INDICATOR, MARK, read_tu


def read(path: str | Path) -> Dataset:
    """Read a folder or a zip in the TU or in the DGCNN text format, whichever it is."""
    if not open_files(Path(path)).names:
        raise DatasetError(f"{path}: no text files; expected NAME{MARK} and its kin, or NAME.txt")
    return read_tu(path) if is_tu(Path(path)) else read_dgcnn_text(path)


def is_tu(path: Path) -> bool:
    """Whether the files are those of a TU dataset, if perhaps not all of them."""
    return any(name.endswith((MARK, INDICATOR)) for name in open_files(path).names)
