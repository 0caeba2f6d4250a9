"""Why a molecule counts as mutagenic: which atoms, and what they show at which distance."""

import tempfile
from pathlib import Path

import numpy as np

import graphrings as gr

ATOMS = ("C", "N", "O", "F", "I", "Cl", "Br")  # what the numbers of MUTAG's labels stand for

molecules = gr.load("MUTAG")
forest = gr.ForestClassifier(n_trees=200, random_state=0).fit(molecules)
explanation = gr.explain(forest, molecules)

surest = int(np.argmax(explanation.score[:, 0]))
strongest = np.argsort(-explanation.of(surest))[:4]
atoms = [ATOMS[molecules[surest].node_labels[atom]] for atom in strongest]
print(f"molecule {surest}: P(mutagenic) = {explanation.score[surest, 0]:.2f}; on average, "
      f"{explanation.base[surest, 0]:.2f}")  # fmt: skip
print("the atoms that push most:", ", ".join(map("{} {}".format, atoms, strongest)))
print("by distance 0, 1, ...:", explanation.rings[surest, :, 0].round(3).tolist())

names = np.array(ATOMS)[molecules.node_labels]
tails, heads = explanation.edge_ends.T
neighbours = [np.r_[heads[tails == v], tails[heads == v]] for v in np.flatnonzero(names == "N")]
nitro = [np.count_nonzero(names[near] == "O") == 2 for near in neighbours]
worth = explanation.nodes[names == "N", 0]
print(f"mean contribution of {sum(nitro)} nitrogens of nitro groups {worth[nitro].mean():+.4f}, "
      f"of {len(nitro) - sum(nitro)} others {worth[~np.array(nitro)].mean():+.4f}")  # fmt: skip

with tempfile.TemporaryDirectory() as folder:
    page = Path(folder) / "explain.html"
    explanation.save(page)  # or .csv with all numbers, or .svg
    print(f"a page of {page.stat().st_size // 1000} kB, with the surest molecules drawn")
