from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote, SettingError
from graphrings.graphs.adapters.anything import as_dataset
from graphrings.graphs.chemistry import USUAL, Chemistry

Chem = pytest.importorskip("rdkit.Chem")


def test_smiles_become_a_dataset_with_targets_that_remembers_them() -> None:
    made = gr.from_smiles(["CCO", " c1ccccc1 "], ["a", "b"], name="M")
    assert (made.name, made.class_names, made.sizes.tolist()) == ("M", ("a", "b"), [3, 6])
    assert (made.smiles, made.chemistry) == (("CCO", "c1ccccc1"), USUAL)
    assert made[1].chemistry == made[:1].chemistry == USUAL


def test_one_that_cannot_be_read_is_an_error_that_names_it() -> None:
    with pytest.raises(DatasetError) as error:
        gr.from_smiles(["CCO", "C1CC", ""])
    assert str(error.value) == (
        "SMILES number 1, 'C1CC': does not parse: unclosed ring; on_error='skip' leaves such "
        "molecules out"
    )


def test_or_it_is_skipped_with_its_target_and_a_note() -> None:
    with pytest.warns(DatasetNote) as notes:
        made = gr.from_smiles(["CCO", "C1CC", "C"], [1.5, 2.5, 3.5], on_error="skip")
    assert [str(note.message) for note in notes] == [
        "molecules: 1 of 3 molecules are left out; the first is SMILES number 1, 'C1CC': "
        "does not parse: unclosed ring"
    ]
    assert made.targets is not None
    assert (made.smiles, made.targets.tolist()) == (("CCO", "C"), [1.5, 3.5])


@pytest.mark.parametrize(
    ("smiles", "more", "message"),
    [
        ("CCO", {}, "one SMILES, 'CCO'; expected a list of them"),
        (["C", None], {}, "SMILES number 1 is None of type NoneType; expected text"),
        (["C"], {"targets": [1, 2]}, "2 targets for 1 graphs"),
        (["C"], {"on_error": "ignore"}, "on_error = 'ignore'; expected raise or skip"),
        (["C"], {"fragments": "small"}, "fragments = 'small'; expected all or largest"),
    ],
)
def test_what_is_no_list_of_smiles_is_refused(
    smiles: Any, more: dict[str, Any], message: str
) -> None:
    with pytest.raises((DatasetError, SettingError), match=message):
        gr.from_smiles(smiles, **more)


def test_molecules_of_rdkit_are_graphs_whose_atoms_keep_their_order() -> None:
    mols = [Chem.MolFromSmiles("OCC"), Chem.AddHs(Chem.MolFromSmiles("N"))]
    made = as_dataset(mols, [0, 1])
    assert made.node_labels is not None
    assert [made.label_names[k] for k in made.node_labels] == ["OH", "CH2", "CH3", "NH3"]
    assert (made.smiles, made.chemistry) == (("CCO", "N"), USUAL)
    assert mols[1].GetNumAtoms() == 4
    bare = Chem.MolFromSmiles("c1ccccc1", sanitize=False)
    assert as_dataset([bare]).label_names == ("cH",)
    with pytest.raises(DatasetError, match=r"number 0: does not parse: .*valence"):
        as_dataset([Chem.MolFromSmiles("C(C)(C)(C)(C)C", sanitize=False)])


def test_a_list_of_text_is_sent_to_from_smiles() -> None:
    with pytest.raises(DatasetError, match=r"text such as 'CCO'; SMILES become graphs by gr.from_"):
        as_dataset(["CCO"])


def test_graphs_that_were_read_alike_are_joined_with_their_chemistry() -> None:
    one, other = gr.from_smiles(["CCO", "C"]), gr.from_smiles(["N"], labels="element")
    assert gr.from_graphs(list(one)).chemistry == USUAL
    assert gr.from_graphs([*one, *other]).chemistry is None
    assert gr.from_graphs(list(other)).chemistry == Chemistry(labels="element")
    assert np.array_equal(gr.from_graphs(list(one)).indices, one.indices)
