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
WIDTH, HEIGHT, MOLECULE = 720, 280, 330
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
        f'<svg x="6" y="6" width="480" height="{HEIGHT - 12}" '
        f'viewBox="0 0 {drawn.width} {drawn.height}" color="{INK}">{drawn.body}</svg>'
        f"{_legend()}{_bar(said)}</svg>\n"
    )


def _legend() -> str:
    parts = []
    for k, (name, fill) in enumerate(zip(NAMES, (*RINGS, BEYOND), strict=True)):
        y = 34 + 25 * k
        parts.append(f'<circle cx="506" cy="{y}" r="8" fill="{fill}"/>')
        parts.append(f'<text x="524" y="{y + 5}" font-size="15" fill="{INK}">{name}</text>')
    return "".join(parts)


def _bar(said: Prediction) -> str:
    filled = 190 * said.chance
    return (
        f'<text x="498" y="212" font-size="15" font-weight="600" fill="{INK}">mutagenic: '
        f"{said.chance:.2f}</text>"
        f'<rect x="498" y="222" width="190" height="12" rx="6" fill="#e6e9ed"/>'
        f'<rect x="498" y="222" width="{filled:.0f}" height="12" rx="6" fill="{RINGS[0]}"/>'
        f'<g font-size="12.5" fill="#4a5868">'
        f'<text x="498" y="253">by a forest on ring profiles</text>'
        f'<text x="498" y="270">that had not seen it, and right</text></g>'
    )


if __name__ == "__main__":
    with whole_file(PICTURE) as place:
        place.write_text(hero(), encoding="utf-8")
