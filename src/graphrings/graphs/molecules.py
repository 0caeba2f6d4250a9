"""From SMILES to graphs: atoms are nodes, bonds are edges, both with readable labels.

The label of an atom is what SMILES writes between brackets: the element, in lower case where the
atom is aromatic, then its hydrogens and its charge: ``CH3``, ``cH``, ``n``, ``NH3+``, ``O-``. Where
stereo is asked for, ``(R)`` or ``(S)`` follows. A bond is ``single``, ``double``, ``triple``,
``aromatic`` or what else rdkit calls it, with stereo also ``double (E)``.
"""

from __future__ import annotations

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
from graphrings.graphs.numbering import Numbered, sorted_names
from graphrings.graphs.pack import pack
from graphrings.graphs.smiles import LONGEST, Parser, fault_of, prepared, rdkit, silent

CIP = "_CIPCode"  # the property in which rdkit keeps R, S, E and Z


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
        chem = rdkit("Chem")
        self._chem = chem
        self._chemistry = chemistry
        self._parse = Parser(chemistry)
        self._needs_preparing = replace(chemistry, labels=USUAL.labels) != USUAL
        atom: dict[str, Callable[[Any], Any]] = {"number": chem.Atom.GetAtomicNum}
        if chemistry.labels == "atom":
            atom["charge"] = chem.Atom.GetFormalCharge
            atom["aromatic"] = chem.Atom.GetIsAromatic
            atom["hydrogens"] = chem.Atom.GetTotalNumHs
        bond: dict[str, Callable[[Any], Any]] = {"kind": chem.Bond.GetBondType}
        stereo = {"stereo": _stereo} if chemistry.stereo else {}
        self._atoms = _Labels({**atom, **stereo}, _atom_name)
        self._bonds = _Labels({**bond, **stereo}, _bond_name)
        self._tails, self._heads = array("i"), array("i")
        self._n_atoms, self._n_bonds = array("i"), array("i")
        self._smiles: list[str] = []

    def add(self, smiles: Iterable[str]) -> list[str]:
        """Read SMILES; the answer has "" for each that was read and else the reason."""
        with silent():
            return [self._add_text(text.strip()) for text in smiles]

    def add_mol(self, mol: Any) -> str:
        """Take a molecule of rdkit, whose atoms keep their order; the answer is as for ``add``."""
        chem = self._chem
        with silent():
            try:
                mol = chem.Mol(mol) if self._chemistry.hydrogens else chem.RemoveHs(mol)
                chem.SanitizeMol(mol)
            except ValueError as error:
                return f"does not parse: {error}"
            return self._add(mol, chem.MolToSmiles(mol))

    def _add_text(self, text: str) -> str:
        if not text:
            return "no molecule"
        if len(text) > LONGEST:
            return f"too long: {len(text):,} characters, at most {LONGEST:,} are read"
        mol = self._parse(text)
        if mol is None:
            return f"does not parse: {fault_of(lambda: self._parse(text))}"
        return self._add(mol, text)

    def _add(self, mol: Any, smiles: str) -> str:
        try:
            mol = prepared(mol, self._chemistry) if self._needs_preparing else mol
        except RuntimeError as error:  # the rules for R and S may have to look too far
            return f"stereo cannot be told: {' '.join(str(error).split())}"
        n_atoms, n_bonds = mol.GetNumAtoms(), mol.GetNumBonds()
        if n_atoms == 0:
            return "no atoms"
        bonds = list(map(mol.GetBondWithIdx, range(n_bonds)))  # faster than by GetBonds
        self._atoms.add(list(map(mol.GetAtomWithIdx, range(n_atoms))))
        self._bonds.add(bonds)
        self._tails.extend(map(self._chem.Bond.GetBeginAtomIdx, bonds))
        self._heads.extend(map(self._chem.Bond.GetEndAtomIdx, bonds))
        self._n_atoms.append(n_atoms)
        self._n_bonds.append(n_bonds)
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
            node_labels=self._atoms.numbered(),
            edge_labels=self._bonds.numbered(),
        )
        return dataset.changed(smiles=tuple(self._smiles), chemistry=self._chemistry)


class _Labels:
    """Labels of atoms, or of bonds: what rdkit answers to some questions, and a name for it."""

    def __init__(
        self, questions: Mapping[str, Callable[[Any], Any]], name: Callable[..., str]
    ) -> None:
        self._questions = dict(questions)
        self._name = name
        self._codes: dict[tuple[Any, ...], int] = defaultdict(count().__next__)
        self._of_all = array("i")

    def add(self, parts: list[Any]) -> None:
        answers = [map(question, parts) for question in self._questions.values()]
        self._of_all.extend(map(self._codes.__getitem__, zip(*answers, strict=True)))

    def numbered(self) -> Numbered:
        """Labels in the sorted order of their names, from codes in the order of first sight."""
        answers = [dict(zip(self._questions, key, strict=True)) for key in self._codes]
        names = [self._name(**answer) for answer in answers]
        ordered = sorted_names(set(names))
        number = {name: k for k, name in enumerate(ordered)}
        table = np.array([number[name] for name in names], dtype=np.int32)
        return table[np.array(self._of_all, dtype=np.int64)], ordered


def _stereo(part: Any) -> str:
    return str(part.GetProp(CIP)) if part.HasProp(CIP) else ""


def _atom_name(
    number: int, charge: int = 0, aromatic: bool = False, hydrogens: int = 0, stereo: str = ""
) -> str:
    """An atom as SMILES writes it between brackets."""
    symbol: str = rdkit("Chem").GetPeriodicTable().GetElementSymbol(number)
    symbol = symbol.lower() if aromatic else symbol
    held = "" if hydrogens == 0 else "H" if hydrogens == 1 else f"H{hydrogens}"
    sign = "" if charge == 0 else "-" if charge < 0 else "+"
    many = str(abs(charge)) if abs(charge) > 1 else ""
    chirality = f"({stereo})" if stereo else ""
    return f"{symbol}{held}{sign}{many}{chirality}"


def _bond_name(kind: Any, stereo: str = "") -> str:
    name: str = kind.name.lower()
    return f"{name} ({stereo})" if stereo else name
