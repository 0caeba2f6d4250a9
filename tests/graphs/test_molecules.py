"""Molecules as graphs, with rdkit's own counts as the oracle."""

import sys
from collections import Counter
from dataclasses import replace
from itertools import product

import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import MissingLibraryError, SettingError
from graphrings.graphs.chemistry import CHEMISTRY, USUAL, Chemistry, chemistry_from
from graphrings.graphs.molecules import molecules
from graphrings.graphs.smiles import LONGEST, canonical

Chem = pytest.importorskip("rdkit.Chem")
SMILES = [
    "CCO",
    "c1ccc2[nH]ccc2c1",
    "C[N+](C)(C)CC([O-])=O",
    "[Na+].CC(=O)[O-]",
    "N[C@@H](C)C(=O)O",
    "F/C=C/F",
    "C#N",
    "[2H]C([2H])[2H]",
    "[H][H]",
    "[H]OC",
    "O=[Fe+3]",
    "N->[Pt]",
    "*CC",
    "[NH4+]",
    "C",
    "CCO named after the space",
]


@pytest.mark.parametrize("hydrogens", [False, True])
def test_atoms_bonds_and_degrees_are_those_of_rdkit(hydrogens: bool) -> None:
    parsed = molecules(SMILES, Chemistry(hydrogens=hydrogens))
    assert parsed.kept.tolist() == list(range(len(SMILES)))
    assert parsed.dataset.smiles == tuple(SMILES)
    for graph, text in zip(parsed.dataset, SMILES, strict=True):
        mol = Chem.MolFromSmiles(text)
        mol = Chem.AddHs(mol) if hydrogens else mol
        assert graph.n_nodes == mol.GetNumAtoms()
        assert np.diff(graph.indptr).tolist() == [atom.GetDegree() for atom in mol.GetAtoms()]
        expected = {
            frozenset((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())): bond.GetBondType().name
            for bond in mol.GetBonds()
        }
        tails = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr)).tolist()
        assert graph.edge_labels is not None
        bonds = {
            frozenset((u, v)): str(graph.edge_label_names[label]).upper()
            for u, v, label in zip(tails, graph.indices.tolist(), graph.edge_labels, strict=True)
        }
        assert bonds == expected


def labels(text: str, **choices: object) -> list[object]:
    graph = gr.from_smiles([text], **choices)[0]  # type: ignore[arg-type]
    assert graph.node_labels is not None
    return [graph.label_names[label] for label in graph.node_labels]


def test_an_atom_is_called_as_smiles_writes_it_between_brackets() -> None:
    assert labels("CCO") == ["CH3", "CH2", "OH"]
    assert labels("c1c[nH]cc1") == ["cH", "cH", "nH", "cH", "cH"]
    assert labels("[NH3+]CC([O-])=O") == ["NH3+", "CH2", "C", "O-", "O"]
    assert labels("[Fe+2].[O-2].*") == ["Fe+2", "O-2", "*"]
    assert labels("c1c[nH]cc1", labels="element") == ["C", "C", "N", "C", "C"]
    assert labels("C[OH2+]", hydrogens=True) == ["C", "O+", "H", "H", "H", "H", "H"]


def test_every_atom_in_brackets_reads_as_its_own_label() -> None:
    """The notation says all that it should: rdkit reads a label back as the same atom."""
    for text in SMILES:
        mol = Chem.MolFromSmiles(text)
        for atom, label in zip(mol.GetAtoms(), labels(text), strict=True):
            again = Chem.MolFromSmiles(f"[{label}]", sanitize=False).GetAtomWithIdx(0)
            assert (again.GetAtomicNum(), again.GetFormalCharge(), again.GetIsAromatic()) == (
                atom.GetAtomicNum(),
                atom.GetFormalCharge(),
                atom.GetIsAromatic(),
            )
            assert again.GetNumExplicitHs() == atom.GetTotalNumHs()


def test_stereo_is_in_the_labels_where_it_is_asked_for() -> None:
    left, right = "N[C@@H](C)C(=O)O", "N[C@H](C)C(=O)O"
    assert labels(left) == labels(right)
    assert labels(left, stereo=True)[1] == "CH(S)"
    assert labels(right, stereo=True)[1] == "CH(R)"
    names = [
        gr.from_smiles([text], stereo=True).edge_label_names for text in ("F/C=C/F", r"F/C=C\F")
    ]
    assert names == [("double (E)", "single"), ("double (Z)", "single")]


@pytest.mark.parametrize("stereo", [False, True])
def test_an_inchi_is_the_molecule_of_its_smiles(stereo: bool) -> None:
    smiles = ["CCO", "c1ccc2ccccc2c1", "C[N+](C)(C)C", "OC(=O)C1CCCN1", "C/C=C/C", "[Na+].[Cl-]"]
    inchi = [Chem.MolToInchi(Chem.MolFromSmiles(text)) for text in smiles]
    chemistry = Chemistry(stereo=stereo)
    from_smiles, from_inchi = (molecules(texts, chemistry) for texts in (smiles, inchi))
    assert not from_inchi.reasons
    assert from_inchi.dataset.smiles == tuple(inchi)
    alike = nx.algorithms.isomorphism.categorical_node_match("label", "")
    pairs = zip(from_smiles.dataset.to_networkx(), from_inchi.dataset.to_networkx(), strict=True)
    assert all(nx.is_isomorphic(*pair, alike, alike) for pair in pairs)
    assert canonical(inchi) == canonical(smiles)
    refused = molecules(["InChI=1S/C2H6O", "InChI=1S/C2H6O/c1-2-9/h3H"]).reasons
    assert all(reason.startswith("does not parse") for reason in refused.values())


def test_the_largest_part_is_kept_where_it_is_asked_for() -> None:
    assert len(labels("[Na+].CC(=O)[O-]")) == 5
    assert labels("[Na+].CC(=O)[O-]", fragments="largest") == ["CH3", "C", "O", "O-"]
    assert canonical(["[Na+].CC(=O)[O-]"], Chemistry(fragments="largest")) == ["CC(=O)[O-]"]


def test_leaving_out_the_search_for_stereo_changes_no_graph() -> None:
    """With stereo, rdkit goes the whole way; the plain labels are the same but for its marks."""
    for text in SMILES:
        quick, slow = labels(text), labels(text, stereo=True)
        assert quick == [str(label).partition("(")[0] for label in slow]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no molecule"),
        ("  ", "no molecule"),
        ("C1CC", "does not parse: unclosed ring"),
        ("C(C", "does not parse: extra open parentheses around position 2"),
        ("ethanol", "does not parse: syntax error around position 1"),
        ("N(C)(C)(C)C", "does not parse: explicit valence for atom # 0 N, 4, is greater than perm"),
        ("c1cccc1", "does not parse: can't kekulize mol. Unkekulized atoms: 0 1 2 3 4"),
        ("😀", "does not parse: syntax error around position 1"),
        ("C" * 10_001, "too long: 10,001 characters, at most 10,000 are read"),
        ("C(" * 500, "does not parse: "),
    ],
)
def test_what_cannot_be_read_has_a_reason_and_rdkit_stays_silent(
    text: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    parsed = molecules(["CC", text, "O"])
    assert parsed.kept.tolist() == [0, 2]
    assert parsed.dataset.smiles == ("CC", "O")
    assert list(parsed.reasons) == [1]
    assert parsed.reasons[1].startswith(reason)
    assert len(parsed.reasons[1]) < 150
    assert capfd.readouterr().err == ""


def test_ten_thousand_characters_are_a_molecule() -> None:
    chain = molecules(["C" * LONGEST]).dataset
    assert (chain.n_nodes, chain.n_edges) == (10_000, 9_999)


def test_no_molecules_are_a_dataset_of_none() -> None:
    empty = molecules(["x"]).dataset
    assert (len(empty), empty.label_names, empty.chemistry) == (0, (), USUAL)


def test_labels_are_numbered_in_sorted_order_whatever_comes_first() -> None:
    one, other = (molecules(texts).dataset for texts in (["OCC", "N"], ["N", "OCC"]))
    assert one.label_names == other.label_names == ("CH2", "CH3", "NH3", "OH")
    assert one[[1, 0]].fingerprint == other.fingerprint


def test_stereoisomers_are_no_duplicates_and_spellings_are() -> None:
    assert canonical(["OCC", "C(O)C"]) == ["CCO", "CCO"]
    assert len(set(canonical(["N[C@@H](C)C(=O)O", "N[C@H](C)C(=O)O"]))) == 2


def test_chemistry_is_checked_and_comes_back_from_its_parts() -> None:
    assert vars(USUAL) == {name: setting.default for name, setting in CHEMISTRY.items()}
    for choices in product(("atom", "element"), (False, True), ("all", "largest"), (False, True)):
        chosen = Chemistry(*choices)
        assert chemistry_from(vars(chosen)) == chosen
    with pytest.raises(SettingError, match="labels = 'atoms'; expected atom or element"):
        replace(USUAL, labels="atoms")
    for parts in ({"colour": 1}, {"stereo": 1}, [], None):
        with pytest.raises(SettingError, match="expected"):
            chemistry_from(parts)


def test_without_rdkit_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    with pytest.raises(MissingLibraryError) as error:
        gr.from_smiles(["C"])
    assert str(error.value) == (
        "reading molecules needs rdkit; install it with: pip install 'graphrings[chem]'"
    )


def test_names_of_bonds_are_those_that_occur() -> None:
    dataset = gr.from_smiles(["C=C", "CC", "c1ccccc1"])
    assert dataset.edge_labels is not None
    names = Counter(dataset.edge_label_names[label] for label in dataset.edge_labels.tolist())
    assert names == {"double": 2, "single": 2, "aromatic": 12}
