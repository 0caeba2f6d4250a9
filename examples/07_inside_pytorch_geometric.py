"""The paper's layer inside a model of PyTorch Geometric, trained on graphs of TUDataset's shape."""

import torch
from torch import nn
from torch.nn import functional
from torch_geometric.loader import DataLoader
from torch_geometric.nn import global_mean_pool

import graphrings as gr


class RingNetwork(nn.Module):
    """Two ring convolutions and the mean over nodes."""

    def __init__(self, n_features: int, n_classes: int, radius: int) -> None:
        super().__init__()
        self.first = gr.pyg.RingConv(n_features, 16, radius)
        self.second = gr.pyg.RingConv(16 * (radius + 1), 16, radius)
        self.out = nn.Linear(16 * (radius + 1), n_classes)

    def forward(self, batch):
        """The outputs of every graph."""
        h = torch.relu(self.first(batch.x, batch.ring_index, batch.ring_distance))
        h = torch.relu(self.second(h, batch.ring_index, batch.ring_distance))
        return self.out(global_mean_pool(h, batch.batch))


torch.manual_seed(0)
add_rings = gr.pyg.AddRings(radius=2)  # also as TUDataset(..., pre_transform=add_rings)
molecules = [add_rings(data) for data in gr.load("MUTAG").to_pyg()]
print(molecules[0])

model = RingNetwork(molecules[0].num_features, n_classes=2, radius=2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
training = [data for i, data in enumerate(molecules) if i % 5]
for _ in range(30):
    for batch in DataLoader(training, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        functional.cross_entropy(model(batch), batch.y).backward()
        optimizer.step()

others = next(iter(DataLoader(molecules[::5], batch_size=100)))
with torch.no_grad():
    right = (model(others).argmax(dim=1) == others.y).float().mean()
print(f"{right:.0%} of the other molecules are right")
