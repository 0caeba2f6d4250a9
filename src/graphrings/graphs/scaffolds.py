"""Molecules grouped by what chemists call their scaffold: the rings and what joins them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.libraries import library
from graphrings.graphs.smiles import read_molecule


def scaffold_groups(dataset: Dataset) -> NDArray[np.int32]:
    """The group of every molecule: those with the same Bemis-Murcko scaffold have the same.

    Molecules without rings have no scaffold. They are half of some sets, so that one group for all
    of them would fill several folds; those with the same skeleton, elements and bond orders left
    aside, make a group: pentane, diethyl ether and butanol are one.
    """
    if not dataset.smiles:
        raise DatasetError(
            f"{dataset.name}: graphs that did not come as SMILES; scaffold folds need molecules"
        )
    chemistry = library("rdkit.Chem", "chem", "a scaffold")
    murcko = library("rdkit.Chem.Scaffolds.MurckoScaffold", "chem", "a scaffold")
    groups: dict[str, int] = {}
    numbers = np.empty(len(dataset), dtype=np.int32)
    for i, smiles in enumerate(dataset.smiles):
        molecule = read_molecule(smiles)
        if molecule is None:
            raise DatasetError(f"{dataset.name}: graph {i} is {smiles!r}; expected SMILES")
        name = murcko.MurckoScaffoldSmiles(mol=molecule) or skeleton(molecule, chemistry)
        numbers[i] = groups.setdefault(name, len(groups))
    return numbers


def skeleton(molecule: Any, chemistry: Any) -> str:
    """Which atom is joined to which, whatever they are; no scaffold is written like this."""
    bare = chemistry.RWMol()
    for _ in molecule.GetAtoms():
        bare.AddAtom(chemistry.Atom(0))
    for bond in molecule.GetBonds():
        ends = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        bare.AddBond(*ends, chemistry.BondType.SINGLE)
    return str(chemistry.MolToSmiles(bare))
