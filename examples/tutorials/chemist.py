# %% [markdown]
# # For chemists: from a CSV file to a model
#
# You have a table with a SMILES column and a column to predict. This page goes from there to a
# model with an honest score, and to predictions for new molecules. Every command is shown for
# Python; the last section has the same on the command line.
#
# The table here is made up, so that the right answer is known: benzenes with three groups, called
# *active* if an amine and a nitro group stand **para** to each other. Atom counts say nothing
# about that: ortho, meta and para isomers have the same atoms.

# %%
import csv
import itertools
import tempfile
from pathlib import Path

import graphrings as gr

GROUPS = {"N": "N", "nitro": "[N+](=O)[O-]", "Cl": "Cl", "OH": "O", "Me": "C", "CN": "C#N"}


def benzene(groups: dict[int, str]) -> str:
    """The SMILES of a benzene with groups at some of its places 0 to 5."""
    atoms = [f"c({GROUPS[groups[k]]})" if k in groups else "c" for k in range(6)]
    return f"{atoms[0].replace('c', 'c1', 1)}{''.join(atoms[1:5])}{atoms[5].replace('c', 'c1', 1)}"


rows = []
for place, third, other in itertools.product((1, 2, 3), (1, 2, 3, 4, 5), ("Cl", "OH", "Me", "CN")):
    if third != place:
        rows.append((benzene({0: "N", place: "nitro", third: other}), place == 3))

folder = Path(tempfile.mkdtemp())
with (folder / "molecules.csv").open("w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["smiles", "active"])
    writer.writerows((smiles, "yes" if active else "no") for smiles, active in rows)
    writer.writerow(["c1ccccc", "no"])  # somebody forgot to close the ring
    writer.writerow(["Nc1ccccc1", ""])  # never measured

# %% [markdown]
# ## Read it
#
# `gr.read_table` finds the columns and the separator, and keeps account of every row that cannot
# be used. Nothing is dropped without a word.

# %%
table = gr.read_table(folder / "molecules.csv", target="active")
for row in table.rejected:
    print(f"line {row.line}: {row.reason}")

molecules = table.dataset
print(molecules)

# %% [markdown]
# Notebooks show a dataset by itself:

# %%
molecules

# %% [markdown]
# ## What is wrong with the data?
#
# The audit looks for molecules that no method can tell apart, and for twins with different
# targets, which set a ceiling to the accuracy of any method.

# %%
audit = gr.audit(molecules)
print(f"{audit.n_distinct} of {len(molecules)} molecules are different")
print(f"no method can be right about more than {audit.ceiling:.1%}")

# %% [markdown]
# ## Fit
#
# `gr.fit_best` compares methods by nested cross-validation and fits the winner on all molecules.
# The verdict is in plain words. A baseline that only counts atoms always runs beside them. One
# method, a kernel that counts pairs of atoms at every distance, and three folds keep this page
# quick; without these arguments you get the usual short list and ten folds. `folds="grouped"`
# keeps twins together: some rows are the same molecule, written twice.

# %%
result = gr.fit_best(molecules, methods=["shortest-path"], n_folds=3, folds="grouped")
print(result.verdict)

# %% [markdown]
# ## What did it learn?
#
# A forest on the same pairs names those that its splits gain most by. Atoms carry their hydrogens
# and charges, so that `NH2` is the amine and `N+` the nitro group: at distance 5 is para.

# %%
forest = gr.ForestClassifier(radius=5, nodes="label", n_trees=100, random_state=0)
forest.fit(molecules)
for name, share in forest.importances()[:3]:
    print(f"{share:.2f}  {name}")

# %% [markdown]
# Here are the rings of one active molecule, by distance from its amine:

# %%
gr.draw(molecules[int(molecules.targets.argmax())], centre=1)

# %% [markdown]
# ## Predict
#
# The model is one file, without pickles. It carries the card of all that is known of it.

# %%
result.save(folder / "model.safetensors")
model = gr.load_model(folder / "model.safetensors")

new = gr.from_smiles(["Nc1ccc([N+](=O)[O-])c(Cl)c1Cl", "Nc1cccc([N+](=O)[O-])c1Cl"])
for smiles, said, chances in zip(new.smiles, model.predict(new), model.predict_proba(new)):
    print(f"{smiles:30} {said!s:4} {chances.max():.2f}")

# %% [markdown]
# ## The same on the command line
#
# ```
# graphrings fit molecules.csv --target active -o model.safetensors --report fit.html
# graphrings predict model.safetensors new.csv -o predicted.csv
# ```
#
# `--folds scaffold` keeps molecules of one scaffold together, `--budget 10m` stays inside a time.
# [All of `fit`](../fit.md), [all of `predict`](../predict.md), [what tables may look
# like](../data.md#tables-of-molecules).
