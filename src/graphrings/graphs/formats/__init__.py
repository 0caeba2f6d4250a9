"""The file formats, in the order in which they are asked. A new one is a file and an entry here."""

from graphrings.errors import DatasetError
from graphrings.graphs.files import Files
from graphrings.graphs.formats.dgcnn_text import DGCNN_TEXT
from graphrings.graphs.formats.edge_csv import EDGE_CSV
from graphrings.graphs.formats.format import Format as Format
from graphrings.graphs.formats.gml import GML
from graphrings.graphs.formats.graph6 import GRAPH6
from graphrings.graphs.formats.graphml import GRAPHML
from graphrings.graphs.formats.mapped_folder import MAPPED_FOLDER
from graphrings.graphs.formats.molecule_tables import SDF, SMI, SMILES_TABLE, WORKBOOK
from graphrings.graphs.formats.node_link import NODE_LINK
from graphrings.graphs.formats.npz import NPZ
from graphrings.graphs.formats.tu import TU

FORMATS: tuple[Format, ...] = (
    *(NPZ, MAPPED_FOLDER, TU, DGCNN_TEXT),
    *(GRAPHML, GML, NODE_LINK, GRAPH6, EDGE_CSV),
    *(SMILES_TABLE, WORKBOOK, SMI, SDF),
)
SUFFIXES = tuple(dict.fromkeys(suffix for known in FORMATS for suffix in known.suffixes))


def recognise(files: Files) -> Format | None:
    """The first format that knows these files."""
    return next((known for known in FORMATS if known.recognises(files)), None)


def format_of(files: Files) -> Format:
    """The format of these files, which must have one."""
    recognised = recognise(files)
    if recognised is None:
        sought = "; ".join(f"{known.looks_for} ({known.name})" for known in FORMATS)
        raise DatasetError(f"{files.path}: no dataset; looked for {sought}")
    return recognised
