"""Graphs from molecules: SMILES, or molecules of rdkit."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.chemistry import CHEMISTRY, USUAL, Chemistry
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.molecules import MoleculeBuilder, molecules
from graphrings.graphs.targets import numbered_targets, target_column
from graphrings.settings import check_settings, one_of

ON_ERROR = one_of("what a SMILES that cannot be read does", ("raise", "skip"), default="raise")


def from_smiles(
    smiles: Iterable[str],
    targets: Any = None,
    *,
    labels: str = CHEMISTRY["labels"].default,
    hydrogens: bool = CHEMISTRY["hydrogens"].default,
    fragments: str = CHEMISTRY["fragments"].default,
    stereo: bool = CHEMISTRY["stereo"].default,
    on_error: str = ON_ERROR.default,
    name: str = "molecules",
) -> Dataset:
    """Make a dataset of molecules that are given as SMILES.

    Atoms are nodes, bonds are edges. ``labels`` is ``"atom"`` (element, charge, aromaticity and
    hydrogens: ``CH3``, ``n``, ``O-``) or ``"element"``. With ``hydrogens`` these are nodes too.
    ``fragments`` keeps ``"all"`` parts of a salt, or the ``"largest"``. ``stereo`` puts R, S, E and
    Z into the labels. A SMILES that cannot be read is an error; with ``on_error="skip"`` it is
    left out together with its target, and a ``DatasetNote`` says so.
    """
    check_settings({"on_error": on_error}, {"on_error": ON_ERROR})
    if isinstance(smiles, str):
        raise DatasetError(f"one SMILES, {smiles!r}; expected a list of them")
    listed = list(smiles)
    _check_texts(listed)
    chemistry = Chemistry(labels, hydrogens, fragments, stereo)
    parsed = molecules(listed, chemistry, name)
    if parsed.reasons:
        position, reason = next(iter(parsed.reasons.items()))
        first = f"SMILES number {position}, {listed[position]!r}: {reason}"
        if on_error == "raise":
            raise DatasetError(f"{first}; on_error='skip' leaves such molecules out")
        warnings.warn(
            f"{name}: {len(parsed.reasons):,} of {len(listed):,} molecules are left out; the first "
            f"is {first}",
            DatasetNote,
            stacklevel=2,
        )
    if targets is None:
        return parsed.dataset
    column = target_column(targets, len(listed))[parsed.kept]
    numbers, class_names = numbered_targets(column, len(parsed.kept))
    return parsed.dataset.changed(targets=numbers, class_names=class_names)


def from_mols(mols: Sequence[Any], targets: Any = None, chemistry: Chemistry = USUAL) -> Dataset:
    """Make a dataset of molecules of rdkit; atoms keep their order."""
    builder = MoleculeBuilder(chemistry)
    for i, mol in enumerate(mols):
        if reason := builder.add_mol(mol):
            raise DatasetError(f"molecule number {i}: {reason}")
    numbers, class_names = numbered_targets(targets, len(mols))
    return builder.dataset("molecules").changed(targets=numbers, class_names=class_names)


def is_mol(graph: Any) -> bool:
    """Whether this is a molecule of rdkit, which is not imported to find out."""
    return any(
        kind.__module__.startswith("rdkit.") and kind.__name__ == "Mol"
        for kind in type(graph).__mro__
    )


def _check_texts(listed: list[Any]) -> None:
    for i, text in enumerate(listed):
        if not isinstance(text, str):
            raise DatasetError(
                f"SMILES number {i} is {text!r} of type {type(text).__name__}; expected text"
            )
