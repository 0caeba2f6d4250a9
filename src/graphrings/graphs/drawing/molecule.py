"""A graph that came as a molecule, drawn as chemists draw molecules."""

from __future__ import annotations

import re
from html import escape
from math import inf
from statistics import median
from typing import Any

from graphrings.errors import MissingLibraryError
from graphrings.graphs.chemistry import USUAL
from graphrings.graphs.dataset import Graph
from graphrings.graphs.drawing.legend import legend
from graphrings.graphs.drawing.svg import Svg
from graphrings.graphs.smiles import prepared, rdkit, read_molecule

BODY = re.compile(r"<!-- END OF HEADER -->(.*)</svg>", re.DOTALL)
CLASSES = re.compile(r" class='[^']*'")
SHEET = '<rect width="{}" height="{}" rx="6" fill="#ffffff"/>'
MOST_ATOMS = 1_000  # that rdkit finds places for: time goes with their cube, to minutes at 3,000
SMALLEST_TEXT, SHORTEST_BOND = 11, 16.0  # in pixels: letters need room between atoms
# Elements in colours that can be read on light and on dark pages; all others are black or white.
ELEMENTS = {
    **{7: (0.20, 0.45, 0.90), 8: (0.86, 0.25, 0.20), 15: (0.85, 0.45, 0.10)},
    **{16: (0.70, 0.52, 0.00), 9: (0.10, 0.56, 0.30), 17: (0.10, 0.56, 0.30)},
    **{35: (0.65, 0.30, 0.15), 53: (0.60, 0.25, 0.75)},
}


def draw_molecule(graph: Graph, fills: list[str] | None, width: float) -> Svg | None:
    """The picture, or None where the graph is no molecule, a very large one, or rdkit is missing.

    Where bonds are too short for letters that can be read, the colours of bonds tell the elements,
    and a legend names them, unless atoms are filled: then there is no colour left for that.
    """
    mol = molecule_of(graph) if graph.n_nodes <= MOST_ATOMS else None
    if mol is None:
        return None
    size = round(width), round(width * min(0.75, 0.35 + graph.n_nodes / 60))
    pen = pen_after_drawing(mol, fills, size, letters=True)
    words, more = "", 0.0
    if bond_length(pen, mol) < SHORTEST_BOND:
        pen = pen_after_drawing(mol, fills, size, letters=False)
        words, more = legend({} if fills else element_colours(mol), width)
    body = BODY.search(pen.GetDrawingText())
    assert body is not None, "rdkit ends its header with a comment"
    text = CLASSES.sub("", body[1])
    # Black is the colour of the text around the picture, which is light on a dark page.
    sheet = SHEET.format(*size)
    text = text.replace("#000000", "currentColor") if fills is None else f"{sheet}{text}"
    if words:
        text += f'<g transform="translate(0 {size[1]})">{words}</g>'
    return Svg(text, size[0], size[1] + more, f"the molecule {escape(graph.smiles or '')}")


def pen_after_drawing(
    mol: Any, fills: list[str] | None, size: tuple[int, int], letters: bool
) -> Any:
    """Rdkit's pen, which knows the picture and where its atoms are."""
    pen = rdkit("Chem.Draw.rdMolDraw2D").MolDraw2DSVG(*size)
    options = pen.drawOptions()
    options.clearBackground = False
    options.padding = 0.06
    options.fixedBondLength = 30.0
    options.minFontSize = SMALLEST_TEXT
    options.noAtomLabels = not letters
    options.updateAtomPalette(ELEMENTS)
    shown = dict(enumerate(map(_channels, fills or [])))
    rdkit("Chem.Draw.rdMolDraw2D").PrepareAndDrawMolecule(
        pen,
        mol,
        highlightAtoms=list(shown),
        highlightBonds=[],
        highlightAtomColors=shown,
    )
    pen.FinishDrawing()
    return pen


def bond_length(pen: Any, mol: Any) -> float:
    """The median length of the bonds that were drawn, in pixels; infinite without bonds."""
    ends = ((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in mol.GetBonds())
    lengths = [
        (pen.GetDrawCoords(one) - pen.GetDrawCoords(other)).Length()
        for one, other in ends
        if max(one, other) < mol.GetNumAtoms()
    ]
    return median(lengths) if lengths else inf


def element_colours(mol: Any) -> dict[str, str]:
    """The elements of a molecule that have a colour of their own, by their symbols."""
    atoms = {atom.GetAtomicNum(): atom.GetSymbol() for atom in mol.GetAtoms()}
    shades = {symbol: ELEMENTS[n] for n, symbol in sorted(atoms.items()) if n in ELEMENTS}
    return {
        symbol: "#" + "".join(f"{round(255 * part):02x}" for part in shade)
        for symbol, shade in shades.items()
    }


def molecule_of(graph: Graph) -> Any:
    """The molecule of rdkit whose atoms are the nodes, if there is one."""
    if graph.smiles is None:
        return None
    try:
        with rdkit("rdBase").BlockLogs():
            read = read_molecule(graph.smiles)
            mol = None if read is None else prepared(read, graph.chemistry or USUAL)
    except MissingLibraryError:
        return None
    return mol if mol is not None and mol.GetNumAtoms() == graph.n_nodes else None


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue
