"""From SMILES to graphs: atoms are nodes, bonds are edges, both with readable labels.

The label of an atom is what SMILES writes between brackets: the element, in lower case where the
atom is aromatic, then its hydrogens and its charge: ``CH3``, ``cH``, ``n``, ``NH3+``, ``O-``. Where
stereo is asked for, ``(R)`` or ``(S)`` follows. A bond is ``single``, ``double``, ``triple``,
``aromatic`` or what else rdkit calls it, with stereo also ``double (E)``.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.chemistry import USUAL, Chemistry
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.libraries import library
from graphrings.graphs.numbering import Numbered, sorted_names
from graphrings.graphs.pack import pack

LONGEST = 10_000  # characters of a SMILES
CIP = "_CIPCode"  # the property in which rdkit keeps R, S, E and Z
LOG_LINE = re.compile(r"^\[[\d:]+\] (?:SMILES Parse Error: )?(.*?)(?: while parsing| for input|$)")
UNSAID = "not valid"
POSITION = re.compile(r"around position (\d+)")

Key = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Parsed:
    """The molecules that could be read, where they stood, and why the others could not be.

    ``kept`` are positions in what was given, ascending; ``reasons`` has one for every other
    position.
    """

    dataset: Dataset
    kept: NDArray[np.int64]
    reasons: Mapping[int, str]


def molecules(
    smiles: Sequence[str], chemistry: Chemistry = USUAL, name: str = "molecules"
) -> Parsed:
    """Read SMILES into one dataset; those that cannot be read are left out with a reason."""
    builder = MoleculeBuilder(chemistry)
    refused = builder.add(smiles)
    kept = [i for i, reason in enumerate(refused) if not reason]
    reasons = {i: reason for i, reason in enumerate(refused) if reason}
    return Parsed(builder.dataset(name), np.array(kept, dtype=np.int64), reasons)


class MoleculeBuilder:
    """Molecules as they come, a few at a time, which make one dataset in the end."""

    def __init__(self, chemistry: Chemistry = USUAL) -> None:
        self._chemistry = chemistry
        self._rdkit = rdkit("Chem")
        self._smiles: list[str] = []
        self._n_atoms, self._n_bonds = array("i"), array("i")
        self._tails, self._heads = array("i"), array("i")
        self._atoms, self._bonds = array("i"), array("i")
        self._atom_codes: dict[Key, int] = defaultdict(count().__next__)
        self._bond_codes: dict[Key, int] = defaultdict(count().__next__)

    def add(self, smiles: Iterable[str]) -> list[str]:
        """Read SMILES; the answer has "" for each that was read and else the reason."""
        with rdkit("rdBase").BlockLogs():
            return [self._add_text(text.strip()) for text in smiles]

    def add_mol(self, mol: Any) -> str:
        """Take a molecule of rdkit, whose atoms keep their order; the answer is as for ``add``."""
        with rdkit("rdBase").BlockLogs():
            if not self._chemistry.hydrogens:
                mol = self._rdkit.RemoveHs(mol)
            return self._add_mol(mol, self._rdkit.MolToSmiles(mol))

    def _add_text(self, text: str) -> str:
        if not text:
            return "no molecule"
        if len(text) > LONGEST:
            return f"too long: {len(text):,} characters, at most {LONGEST:,} are read"
        mol = self._rdkit.MolFromSmiles(text)
        if mol is None:
            return f"does not parse: {fault_of(lambda: self._rdkit.MolFromSmiles(text))}"
        return self._add_mol(mol, text)

    def _add_mol(self, mol: Any, smiles: str) -> str:
        mol = prepared(mol, self._chemistry)
        if mol.GetNumAtoms() == 0:
            return "no atoms"
        codes = self._atom_codes
        self._atoms.extend([codes[key] for key in _atom_keys(mol, self._chemistry)])
        bonds = list(mol.GetBonds())
        codes = self._bond_codes
        self._bonds.extend([codes[key] for key in _bond_keys(bonds, self._chemistry)])
        self._tails.extend([bond.GetBeginAtomIdx() for bond in bonds])
        self._heads.extend([bond.GetEndAtomIdx() for bond in bonds])
        self._n_atoms.append(mol.GetNumAtoms())
        self._n_bonds.append(len(bonds))
        self._smiles.append(smiles)
        return ""

    def dataset(self, name: str) -> Dataset:
        """All molecules that were read."""
        graph_ptr = np.concatenate([[0], np.cumsum(self._n_atoms, dtype=np.int64)])
        first = np.repeat(graph_ptr[:-1], self._n_bonds)
        dataset = pack(
            name,
            graph_ptr,
            np.array(self._tails, dtype=np.int64) + first,
            np.array(self._heads, dtype=np.int64) + first,
            directed=False,
            node_labels=_named(self._atoms, [_atom_name(*key) for key in self._atom_codes]),
            edge_labels=_named(self._bonds, [_bond_name(*key) for key in self._bond_codes]),
        )
        return replace(dataset, smiles=tuple(self._smiles), chemistry=self._chemistry)


def rdkit(module: str) -> Any:
    """A module of rdkit."""
    return library(f"rdkit.{module}", "chem", "reading molecules")


def is_smiles(text: str, least_atoms: int = 1) -> bool:
    """Whether a text can be read as a molecule of some atoms."""
    if not 0 < len(text.strip()) <= LONGEST:
        return False
    with rdkit("rdBase").BlockLogs():
        mol = rdkit("Chem").MolFromSmiles(text.strip())
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


def fault_of(parse: Callable[[], Any]) -> str:
    """What rdkit says while it fails to read a molecule, in one short clause."""
    base = rdkit("rdBase")
    if not hasattr(base, "CaptureErrorLog"):  # older versions only print it
        return UNSAID
    with base.CaptureErrorLog() as log:
        parse()
    said = LOG_LINE.match(log.messages.partition("\n")[0])
    clause = " ".join(said[1].split())[:90] if said else ""
    position = POSITION.search(log.messages)
    where = f" around position {position[1]}" if position else ""
    return f"{clause[0].lower()}{clause[1:]}{where}" if clause else UNSAID


def canonical(smiles: Sequence[str], chemistry: Chemistry = USUAL) -> list[str]:
    """The canonical SMILES of molecules that can be read, of the parts that are kept.

    Stereo always counts, also where labels leave it out: stereoisomers are no duplicates.
    """
    chem = rdkit("Chem")
    parts = replace(chemistry, hydrogens=False, stereo=False)
    with rdkit("rdBase").BlockLogs():
        return [chem.MolToSmiles(prepared(chem.MolFromSmiles(text), parts)) for text in smiles]


def _atom_keys(mol: Any, chemistry: Chemistry) -> list[Key]:
    """What tells atoms apart: element, charge, aromaticity, hydrogens and perhaps stereo."""
    atoms = mol.GetAtoms()
    if chemistry.labels == "element":
        keys: list[Key] = [(atom.GetAtomicNum(), 0, False, 0) for atom in atoms]
    else:
        keys = [
            (
                atom.GetAtomicNum(),
                atom.GetFormalCharge(),
                atom.GetIsAromatic(),
                atom.GetTotalNumHs(),
            )
            for atom in atoms
        ]
    return _with_stereo(keys, mol.GetAtoms()) if chemistry.stereo else keys


def _bond_keys(bonds: list[Any], chemistry: Chemistry) -> list[Key]:
    keys: list[Key] = [(bond.GetBondType(),) for bond in bonds]
    return _with_stereo(keys, bonds) if chemistry.stereo else keys


def _with_stereo(keys: list[Key], parts: Iterable[Any]) -> list[Key]:
    codes = [part.GetProp(CIP) if part.HasProp(CIP) else "" for part in parts]
    return [(*key, code) for key, code in zip(keys, codes, strict=True)]


def _atom_name(number: int, charge: int, aromatic: bool, hydrogens: int, stereo: str = "") -> str:
    """An atom as SMILES writes it between brackets."""
    symbol: str = rdkit("Chem").GetPeriodicTable().GetElementSymbol(number)
    symbol = symbol.lower() if aromatic else symbol
    held = "" if hydrogens == 0 else "H" if hydrogens == 1 else f"H{hydrogens}"
    sign = "" if charge == 0 else "-" if charge < 0 else "+"
    many = str(abs(charge)) if abs(charge) > 1 else ""
    chirality = f"({stereo})" if stereo else ""
    return f"{symbol}{held}{sign}{many}{chirality}"


def _bond_name(kind: Any, stereo: str = "") -> str:
    return f"{kind.name.lower()} ({stereo})" if stereo else kind.name.lower()


def _named(codes: array[int], names: list[str]) -> Numbered:
    """Labels in the sorted order of their names, from codes in the order of first sight."""
    ordered = sorted_names(set(names))
    number = {name: k for k, name in enumerate(ordered)}
    table = np.array([number[name] for name in names], dtype=np.int32)
    return table[np.array(codes, dtype=np.int64)], ordered
