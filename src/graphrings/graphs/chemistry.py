"""How molecules become graphs: the choices, each said once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphrings.errors import SettingError
from graphrings.settings import Settings, check_settings, one_of, switch

CHEMISTRY: Settings = {
    "labels": one_of(
        "what the label of an atom says: element, charge, aromaticity and hydrogens, or the "
        "element alone",
        ("atom", "element"),
        default="atom",
    ),
    "hydrogens": switch("whether hydrogens are nodes of their own", default=False),
    "fragments": one_of(
        "which parts of a molecule in several parts, such as a salt, are kept",
        ("all", "largest"),
        default="all",
    ),
    "stereo": switch(
        "whether labels tell R from S at atoms and E from Z at double bonds", default=False
    ),
}


@dataclass(frozen=True)
class Chemistry:
    """How molecules are read; ``CHEMISTRY`` says what each choice means."""

    labels: str = CHEMISTRY["labels"].default
    hydrogens: bool = CHEMISTRY["hydrogens"].default
    fragments: str = CHEMISTRY["fragments"].default
    stereo: bool = CHEMISTRY["stereo"].default

    def __post_init__(self) -> None:
        check_settings(vars(self), CHEMISTRY)


USUAL = Chemistry()


def chemistry_from(parts: Any) -> Chemistry:
    """A chemistry from its choices by name, as a file keeps them; nothing in them is trusted."""
    if not isinstance(parts, dict) or not CHEMISTRY.keys() >= parts.keys():
        raise SettingError(f"chemistry = {parts!r}; expected choices of {', '.join(CHEMISTRY)}")
    return Chemistry(**parts)
