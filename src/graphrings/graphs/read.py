"""Read a dataset without being told its format."""

from pathlib import Path

from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import open_files
from graphrings.graphs.formats import format_of


def read(path: str | Path) -> Dataset:
    """Read the dataset in a file, a folder or a zip, whichever format it is in."""
    files = open_files(Path(path))
    return format_of(files).read(files)
