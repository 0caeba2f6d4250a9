"""Read a dataset without being told its format."""

from pathlib import Path
from typing import Any

from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import open_files
from graphrings.graphs.formats import format_of


def read(path: str | Path, **options: Any) -> Dataset:
    """Read the dataset in a file, a folder or a zip, whichever format it is in.

    Some formats have options: ``gr.read("molecules.csv", smiles="smiles", target="active")``.
    """
    files = open_files(Path(path))
    form = format_of(files)
    form.check_options(options, str(path))
    return form.read(files, **options)
