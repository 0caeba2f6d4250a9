"""The layer alone, in a network of one's own."""

import torch

import graphrings as gr

molecules = gr.load("MUTAG")
rings = gr.rings(molecules, radius=2)
atoms = torch.eye(molecules.n_labels)[torch.from_numpy(molecules.node_labels.copy()).long()]

conv = gr.layers.RingConv(molecules.n_labels, 16, radius=2)
pool = gr.layers.SortPool(k=10)
h = torch.tanh(conv(atoms, rings))
print(conv, "on", rings)
print("rows of all atoms:", tuple(h.shape))
print("sorted rows of all molecules:", tuple(pool(h, molecules.sizes).shape))
