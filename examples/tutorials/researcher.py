# %% [markdown]
# # For researchers: a fair table
#
# A table in a paper compares methods fairly if all had the same folds, all chose their settings
# without seeing a test fold, and the differences come with a test. `graphrings run` does that and
# nothing else: nested cross-validation, every cell stored, any run can be stopped and goes on.
#
# The experiment here is small, to be quick: MUTAG, three folds, few epochs and trees. `graphrings
# run table2` is the table of the paper.

# %%
import tempfile
from pathlib import Path

import graphrings as gr

experiment = gr.experiment(
    datasets=["MUTAG"],
    methods={
        "pgc-dgcnn": {
            "settings": {"learning_rate": 3e-3, "max_epochs": 20},
            "grid": {"radius": [2]},
        },
        "ring-forest": {"settings": {"n_trees": 50}, "grid": {"radius": [1, 3]}},
        "wl": {"grid": {"height": [1, 3], "C": [1.0, 100.0]}},
        "baseline-labels": {"grid": {"C": [0.1, 1.0, 10.0]}},
    },
    n_folds=3,
    repetitions=1,
)

# %% [markdown]
# The same as a file, for `graphrings run experiment.toml --store results.db`:
#
# ```toml
# datasets = ["MUTAG"]
# n_folds = 3
# repetitions = 1
#
# [methods.pgc-dgcnn]
# settings = { learning_rate = 3e-3, max_epochs = 20 }
# grid = { radius = [2] }
#
# [methods.ring-forest]
# settings = { n_trees = 50 }
# grid = { radius = [1, 3] }
#
# [methods.wl]
# grid = { height = [1, 3], C = [1.0, 100.0] }
#
# [methods.baseline-labels]
# grid = { C = [0.1, 1.0, 10.0] }
# ```
#
# ## Run it
#
# A cell is one method on one test fold. The seed of a cell follows from what it is for, so that
# any number of processes gives the same numbers (`jobs=0` uses none beside this one; a script
# that wants more calls `gr.run` under `if __name__ == "__main__":`).

# %%
folder = Path(tempfile.mkdtemp())
results = gr.run(experiment, store=folder / "results.db", jobs=0)
for record in results.records[:4]:
    print(f"{record.cell}: {record.scores['accuracy']:.1%}, chosen {dict(record.setting)}")

# %% [markdown]
# ## The table
#
# Mean, and how it varies over all test folds. Any score can be asked for later, since the store
# keeps what was predicted.

# %%
print(gr.table(results))
print(gr.table(results, score="auroc"))

# %% [markdown]
# ## Is it more than noise?
#
# `against` tests every difference over the folds by the corrected resampled t-test, which allows
# for training graphs that folds share, and over the graphs by an exact test. Three folds show
# next to nothing, and the p values say so.

# %%
print(gr.table(results, against="baseline-labels"))

# %% [markdown]
# ## A page for the supplement
#
# One self-contained file with tables, differences, learning curves and the graphs that every
# method gets wrong.

# %%
gr.report(results, folder / "report.html")
print((folder / "report.html").name, "is written")

# %% [markdown]
# Everything can be exported: `graphrings export --store results.db --predictions -o said.csv` has
# what every method said of every test graph.
#
# Further: [the protocol](../protocol.md), [a method of your own in the
# table](../how-to/own-methods.md), [many cores and clusters](../how-to/clusters.md), [our own
# tables](../results.md).
