"""Scaffolds against what rdkit's own function says of the ring part of a molecule."""

from dataclasses import replace

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.graphs.scaffolds import scaffold_groups

rdkit = pytest.importorskip("rdkit")


def molecules(*smiles: str) -> gr.Dataset:
    points = gr.from_edges([[]] * len(smiles), [0] * len(smiles), n_nodes=[1] * len(smiles))
    return replace(points, name="M", smiles=smiles)


def grouped(*smiles: str) -> list[int]:
    return scaffold_groups(molecules(*smiles)).tolist()


def test_side_chains_do_not_count_and_ring_atoms_do() -> None:
    toluene, phenol, pyridine, biphenyl = "Cc1ccccc1", "Oc1ccccc1", "c1ccncc1", "c1ccccc1-c1ccccc1"
    assert grouped(toluene, phenol, pyridine, biphenyl, "c1ccccc1") == [0, 0, 1, 2, 0]


def test_without_rings_the_skeleton_decides() -> None:
    pentane, ether, butanol, isopentane = "CCCCC", "CCOCC", "CCCCO", "CCC(C)C"
    assert grouped(pentane, ether, isopentane, butanol, "C=CCCC") == [0, 0, 1, 0, 0]


def test_atoms_with_many_neighbours_have_a_skeleton() -> None:
    """Six neighbours are too many for carbon, which a generic scaffold is made of."""
    assert grouped("FS(F)(F)(F)(F)F", "F[P-](F)(F)(F)(F)F", "C") == [0, 0, 1]


def test_how_a_molecule_is_written_does_not_matter() -> None:
    assert grouped("OCC1CCCCC1", "C1CCCCC1", "C1(CO)CCCCC1", "C[C@H](N)O", "C[C@@H](N)O") == [
        *(0, 0, 0),
        *(1, 1),
    ]


def test_groups_are_those_of_the_scaffold_that_rdkit_draws() -> None:
    from rdkit import Chem
    from rdkit.Chem.Scaffolds import MurckoScaffold

    smiles = ["CC1CC1", "C1CC1CCC1CC1", "c1ccc2ccccc2c1", "Cc1ccc2ccccc2c1O", "OC1CC1", "C1CC1"]
    drawn = [
        Chem.MolToSmiles(MurckoScaffold.GetScaffoldForMol(Chem.MolFromSmiles(one)))
        for one in smiles
    ]
    ours = np.array(grouped(*smiles))
    same = np.array([[a == b for b in drawn] for a in drawn])
    assert np.array_equal(ours[:, None] == ours, same)


def test_graphs_that_are_no_molecules() -> None:
    with pytest.raises(DatasetError, match="MUTAG: graphs that did not come as SMILES; scaffold"):
        scaffold_groups(gr.load("MUTAG"))
    with pytest.raises(DatasetError, match="M: graph 1 is 'C1CC'; expected SMILES"):
        scaffold_groups(molecules("C", "C1CC"))
