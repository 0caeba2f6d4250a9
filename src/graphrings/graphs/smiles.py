"""What rdkit makes of SMILES and InChI: a molecule, its canonical form, or why it is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from graphrings.graphs.chemistry import USUAL, Chemistry
from graphrings.graphs.libraries import library

LONGEST = 10_000  # characters of a SMILES
INCHI = "InChI="  # how an InChI begins, and no SMILES
HYDROGEN = re.compile(r"\[\d*H")  # as an atom, which rdkit has to take away
LOG_LINE = re.compile(r"^\[[\d:]+\] (?:SMILES Parse Error: )?(.*?)(?: while parsing| for input|$)")
POSITION = re.compile(r"around position (\d+)")
LONGEST_REASON = 90  # characters
UNSAID = "not valid"


def rdkit(module: str) -> Any:
    """A module of rdkit."""
    return library(f"rdkit.{module}", "chem", "reading molecules")


def silent() -> Any:
    """A context in which rdkit writes nothing to standard error."""
    return rdkit("rdBase").BlockLogs()


class Parser:
    """Reads SMILES for a chemistry."""

    def __init__(self, chemistry: Chemistry) -> None:
        self._chem = rdkit("Chem")
        self._bare = self._chem.SmilesParserParams()
        self._bare.sanitize = self._bare.removeHs = False
        self._sane = self._chem.SanitizeFlags.SANITIZE_NONE
        self._stereo_counts = chemistry.stereo or chemistry.fragments == "largest"

    def __call__(self, text: str) -> Any:
        """The molecule, or None; the search for stereo, 40 % of the time, is made if it counts."""
        plain = not (self._stereo_counts or " " in text or HYDROGEN.search(text))
        if plain and not text.startswith(INCHI):
            mol = self._chem.MolFromSmiles(text, self._bare)
            if mol is not None and self._chem.SanitizeMol(mol, catchErrors=True) == self._sane:
                return mol
        return read_molecule(text)


def read_molecule(text: str) -> Any:
    """The molecule that a SMILES or an InChI stands for, or None."""
    chem = rdkit("Chem")
    return chem.MolFromInchi(text) if text.startswith(INCHI) else chem.MolFromSmiles(text)


def is_smiles(text: str, least_atoms: int = 1) -> bool:
    """Whether a text can be read as a molecule of some atoms."""
    if not 0 < len(text.strip()) <= LONGEST:
        return False
    with silent():
        mol = read_molecule(text.strip())
    return mol is not None and mol.GetNumAtoms() >= least_atoms


def prepared(mol: Any, chemistry: Chemistry) -> Any:
    """A molecule with the parts and the hydrogens that the chemistry asks for, stereo told."""
    chem = rdkit("Chem")
    if chemistry.fragments == "largest" and len(chem.GetMolFrags(mol)) > 1:
        mol = rdkit("Chem.MolStandardize.rdMolStandardize").LargestFragmentChooser().choose(mol)
    if chemistry.hydrogens:
        mol = chem.AddHs(mol)
    if chemistry.stereo:
        rdkit("Chem.rdCIPLabeler").AssignCIPLabels(mol)
    return mol


def canonical(smiles: Sequence[str], chemistry: Chemistry = USUAL) -> list[str]:
    """The canonical SMILES of molecules that can be read, of the parts that are kept.

    Stereo always counts, also where labels leave it out: stereoisomers are no duplicates.
    """
    chem = rdkit("Chem")
    parts = replace(chemistry, hydrogens=False, stereo=False)
    with silent():
        return [chem.MolToSmiles(prepared(read_molecule(text), parts)) for text in smiles]


def fault_of(parse: Callable[[], Any]) -> str:
    """What rdkit says while it fails to read a molecule, in one short clause."""
    base = rdkit("rdBase")
    if not hasattr(base, "CaptureErrorLog"):  # older versions only print it
        return UNSAID
    with base.CaptureErrorLog() as log:
        parse()
    try:
        messages = log.messages
    except UnicodeDecodeError:  # it has cut a letter in two
        return UNSAID
    said = LOG_LINE.match(messages.partition("\n")[0])
    clause = " ".join(said[1].split())[:LONGEST_REASON] if said else ""
    position = POSITION.search(messages)
    where = f" around position {position[1]}" if position else ""
    return f"{clause[0].lower()}{clause[1:]}{where}" if clause else UNSAID
