"""The kinds of folds, in words: what messages and notes say of them."""

from __future__ import annotations

from dataclasses import dataclass

OWN = "own:"  # before the hash of folds that were drawn elsewhere
OWN_NOTE = "drawn elsewhere and named by a hash of which graph is in which fold"


@dataclass(frozen=True)
class FoldKind:
    """A kind of folds.

    ``note`` says what is unusual about it. Where graphs are grouped, ``counted`` is what the groups
    are called, and ``alike`` why one of them may hold a whole class.
    """

    note: str = ""
    counted: str = ""
    alike: str = ""


FOLD_KINDS = {
    "stratified": FoldKind(),
    "published": FoldKind(),
    "grouped": FoldKind(
        "graphs that the audit cannot tell apart stay on one side of every split",
        "groups of graphs that can be told apart",
        "its graphs are too many twins of each other",
    ),
    "scaffold": FoldKind(
        "molecules with the same Bemis-Murcko scaffold, or without rings the same skeleton, stay "
        "on one side of every split",
        "scaffolds",
        "too many of its molecules share a scaffold",
    ),
}


def note_on(folds: str) -> str:
    """What is unusual about the folds of an experiment; nothing about the usual ones."""
    return OWN_NOTE if folds.startswith(OWN) else FOLD_KINDS.get(folds, FoldKind()).note
