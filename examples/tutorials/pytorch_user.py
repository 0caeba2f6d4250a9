# %% [markdown]
# # For PyTorch users: the layer
#
# The paper's filter is one layer. It averages every distance ring of a node on its own and lays
# the results side by side: \(H' = \Vert_{j=0}^{r} \, (\hat D^j)^{-1} SP^j H W^j\). This page puts
# it into a network of your own, and shows a task that one layer of radius 1 cannot learn.

# %%
import torch
from torch import nn

import graphrings as gr

torch.set_num_threads(1)  # graphs of this size gain nothing from more

# %% [markdown]
# ## A task with a known answer
#
# In `gr.synthetic.ring_two` all that lies nearer than 2 is the same in both classes.

# %%
graphs = gr.synthetic.ring_two(200, seed=0)
training, others = graphs[:100], graphs[100:]
print(graphs)
gr.draw(graphs[0], centre=0)

# %% [markdown]
# ## The network
#
# `gr.layers.RingConv` takes rows of features and the rings of their nodes. A dataset is packed:
# the rows of all graphs are one tensor, and `owner` says which graph a row belongs to, so that a
# batch needs no padding.


# %%
class RingNetwork(nn.Module):
    """One ring convolution, a dense layer for every node, the mean over nodes, a linear map."""

    def __init__(self, n_labels: int, n_classes: int, radius: int) -> None:
        super().__init__()
        self.conv = gr.layers.RingConv(n_labels, 16, radius=radius)
        self.mix = nn.Linear(16 * (radius + 1), 32)
        self.out = nn.Linear(32, n_classes)

    def forward(self, dataset: gr.Dataset, rings: gr.Rings) -> torch.Tensor:
        """One row of outputs per graph."""
        labels = torch.tensor(dataset.node_labels).long()
        h = nn.functional.one_hot(labels, dataset.n_labels).float()
        h = torch.relu(self.mix(torch.relu(self.conv(h, rings))))
        owner = torch.tensor(dataset.owner).long()
        sums = torch.zeros(len(dataset), 32).index_add(0, owner, h)
        return self.out(sums / torch.tensor(dataset.sizes)[:, None])


# %% [markdown]
# ## Training, as always

# %%
for radius in (1, 2):
    torch.manual_seed(0)
    network = RingNetwork(graphs.n_labels, graphs.n_classes, radius)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.02)
    goals = torch.tensor(training.targets).long()
    rings = gr.rings(training, radius)  # once: they do not change
    for _ in range(60):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(training, rings), goals)
        loss.backward()
        optimizer.step()
    said = network(others, gr.rings(others, radius)).argmax(dim=1).numpy()
    print(f"radius {radius}: loss {loss:.2f}, {(said == others.targets).mean():.0%} of new graphs")

# %% [markdown]
# Radius 1 guesses; two of its layers, or one of radius 2, see the answer. What filters can do
# that stacks cannot, and the reverse: [filter size](../filter-size.md).
#
# ## The whole network of the paper, trained
#
# `gr.PGCClassifier` stacks the layer under SortPooling, with batches, early stopping and compiled
# code on the CPU. `model.network_` is the `nn.Module`, if you want it.

# %%
model = gr.PGCClassifier(radius=2, max_epochs=20, random_state=0).fit(training)
print(f"{model.score(others):.0%} of new graphs after {len(model.history_.epochs)} epochs")

# %% [markdown]
# In PyTorch Geometric: `gr.pyg.AddRings(radius=2)` is a transform and `gr.pyg.RingConv` the layer
# ([how-to](../pyg.md)). [All layers](../reference/layers.md), [all networks](../networks.md).
