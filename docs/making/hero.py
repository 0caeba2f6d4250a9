"""The picture of README and start page: rings of a molecule, and what a model says of it.

`python docs/making/hero.py` writes docs/pictures/rings.svg.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

import graphrings as gr
from graphrings.graphs.drawing.colours import BEYOND, RINGS
from graphrings.whole_files import whole_file

PICTURE = Path(__file__).parents[1] / "pictures" / "rings.svg"
SMILES = "[N+](=O)([O-])c1ccc2c(c1)Cc1ccccc12"  # 2-nitrofluorene, its nitrogen first
PLACE = 71  # of the same molecule in MUTAG
WIDTH, HEIGHT, MOLECULE = 480, 440, 330  # narrow enough for a phone, where text has 11 pixels then
NAMES = ("the atom itself", "one bond away", "two bonds", "three bonds", "four bonds", "farther")
INK = "#1f2d3d"


@dataclass(frozen=True)
class Prediction:
    """What a forest says of a molecule that it was not trained on."""

    chance: float
    is_right: bool


def predict_held_out() -> Prediction:
    """Train on the other 187 molecules of MUTAG, ask about this one."""
    molecules = gr.load("MUTAG")
    others = np.arange(len(molecules)) != PLACE
    forest = gr.ForestClassifier(random_state=0).fit(molecules[others])
    chance = float(forest.predict_proba(molecules[[PLACE]])[0, 1])
    return Prediction(chance, (chance > 0.5) == bool(molecules.targets[PLACE]))


def hero() -> str:
    """The picture as SVG, on a sheet of its own, for light and dark pages alike."""
    said = predict_held_out()
    assert said.is_right, "the caption says so"
    drawn = gr.draw(gr.from_smiles([SMILES])[0], centre=0, width=MOLECULE)
    title = (
        f"2-nitrofluorene, its atoms coloured by their distance from the nitrogen; a forest that "
        f"has not seen it calls it mutagenic with probability {said.chance:.2f}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" style="max-width:100%;height:auto" '
        f'font-family="system-ui, sans-serif"><title>{title}</title>'
        f'<rect width="100%" height="100%" rx="10" fill="#ffffff"/>'
        f'<svg x="6" y="6" width="{WIDTH - 12}" height="288" '
        f'viewBox="0 0 {drawn.width} {drawn.height}" color="{INK}">{drawn.body}</svg>'
        f"{_legend()}{_bar(said)}</svg>\n"
    )


def _legend() -> str:
    parts = []
    for k, (name, fill) in enumerate(zip(NAMES, (*RINGS, BEYOND), strict=True)):
        x, y = 26 + 160 * (k // 2), 316 + 26 * (k % 2)
        parts.append(f'<circle cx="{x}" cy="{y}" r="8" fill="{fill}"/>')
        parts.append(f'<text x="{x + 16}" y="{y + 5}" font-size="15" fill="{INK}">{name}</text>')
    return "".join(parts)


def _bar(said: Prediction) -> str:
    length = WIDTH - 36
    return (
        f'<g font-size="15" fill="{INK}"><text x="18" y="388" font-weight="600">mutagenic: '
        f"{said.chance:.2f}</text>"
        f'<text x="{WIDTH - 18}" y="388" text-anchor="end">says a forest that had not seen it'
        f"</text></g>"
        f'<rect x="18" y="402" width="{length}" height="14" rx="7" fill="#e6e9ed"/>'
        f'<rect x="18" y="402" width="{length * said.chance:.0f}" height="14" rx="7" '
        f'fill="{RINGS[0]}"/>'
    )


if __name__ == "__main__":
    with whole_file(PICTURE) as place:
        place.write_text(hero(), encoding="utf-8")
