# %% [markdown]
# # For data scientists: from networkx to scikit-learn
#
# Graphs are rows, as far as scikit-learn is concerned: every estimator of graphrings has `fit`,
# `predict`, `predict_proba` and `get_params`, and works inside `cross_val_score`, `GridSearchCV`
# and pipelines.
#
# The graphs here are networks of 30 people who know four others each. In one class they know
# those who live near them, in the other one most acquaintances were shuffled. Everybody has four
# neighbours in both, so that degrees say nothing.

# %%
import networkx as nx
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler

import graphrings as gr


def village(n_swaps: int, seed: int) -> nx.Graph:
    """Four neighbours for everybody, and some pairs of edges that have changed their ends."""
    graph = nx.circulant_graph(30, [1, 2])
    return nx.double_edge_swap(graph, nswap=n_swaps, max_tries=10_000, seed=seed)


graphs = [village(n_swaps, seed) for seed in range(30) for n_swaps in (5, 25)]
targets = np.array(["near", "shuffled"] * 30)

# %% [markdown]
# ## A dataset
#
# `gr.from_networkx` packs them; labels and attributes of nodes and edges come along if there are
# any. igraph, PyTorch Geometric, scipy matrices and [many files](../data.md) work alike.

# %%
villages = gr.from_networkx(graphs, targets)
print(villages)
villages

# %% [markdown]
# ## An estimator is an estimator
#
# A list of networkx graphs is enough: what scikit-learn cuts out of it goes straight in.

# %%
baseline = gr.BaselineClassifier()
forest = gr.ForestClassifier(radius=2, n_trees=50, random_state=0)
for name, model in (("degrees alone", baseline), ("ring-forest", forest)):
    scores = cross_val_score(model, graphs, targets, cv=5)
    print(f"{name}: {scores.mean():.0%} right, from {scores.min():.0%} to {scores.max():.0%}")

# %% [markdown]
# ## Search as usual

# %%
kernel = gr.KernelClassifier("ring-wl", height=1, normalize=True)
search = GridSearchCV(kernel, {"radius": [1, 2, 3], "C": [1.0, 10.0]}, cv=3).fit(graphs, targets)
right = pd.DataFrame(search.cv_results_).groupby("param_radius")["mean_test_score"].max()
print(right.map("{:.0%}".format).to_string())

# %% [markdown]
# Radius 1 is the usual Weisfeiler-Lehman kernel. It cannot help here: everybody has four
# neighbours, who have four neighbours, and so on. Distances can.
#
# ## Or only the features
#
# The ring profile counts pairs of nodes at every distance, here by their degrees. It is a sparse
# matrix with names, for any model that you like.

# %%
profile = gr.ring_profile(villages, radius=3)
frame = pd.DataFrame(profile.matrix.toarray(), columns=profile.names)
print(frame.groupby(targets).mean().round(1).T.to_string())

# %%
pipeline = make_pipeline(
    FunctionTransformer(lambda rows: gr.ring_profile(gr.from_networkx(rows), radius=3).matrix),
    MaxAbsScaler(),
    LogisticRegression(),
)
print(f"pipeline: {cross_val_score(pipeline, graphs, targets, cv=5).mean():.0%} right")

# %% [markdown]
# In a shuffled village more people are two steps away: friends of friends are new people.

# %%
gr.draw(villages[0], centre=0)

# %%
gr.draw(villages[1], centre=0)

# %% [markdown]
# Further: [all estimators](../reference/estimators.md), [rare classes](../how-to/imbalance.md),
# [which method is which](../reference/methods.md).
