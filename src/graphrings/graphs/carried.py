"""What graphs carry besides their structure, and what of it somebody does not see."""

from __future__ import annotations

from collections.abc import Collection

from graphrings.graphs.dataset import Dataset

NODE_LABELS, NODE_ATTRIBUTES = "node labels", "node attributes"
EDGE_LABELS, EDGE_ATTRIBUTES = "edge labels", "edge attributes"
ATTRIBUTES = (NODE_ATTRIBUTES, EDGE_ATTRIBUTES)
EVERYTHING = (NODE_LABELS, NODE_ATTRIBUTES, EDGE_LABELS, EDGE_ATTRIBUTES)


def carried(dataset: Dataset) -> dict[str, int]:
    """How many labels and attributes there are; one label alone says nothing."""
    node_attributes, edge_attributes = dataset.node_attributes, dataset.edge_attributes
    counts = {
        NODE_LABELS: dataset.n_labels if dataset.n_labels > 1 else 0,
        NODE_ATTRIBUTES: 0 if node_attributes is None else node_attributes.shape[1],
        EDGE_LABELS: len(dataset.edge_label_names) if len(dataset.edge_label_names) > 1 else 0,
        EDGE_ATTRIBUTES: 0 if edge_attributes is None else edge_attributes.shape[1],
    }
    return {part: count for part, count in counts.items() if count}


def ignored(dataset: Dataset, sees: Collection[str]) -> tuple[str, ...]:
    """The parts that a method with these eyes does not see."""
    return tuple(part for part in carried(dataset) if part not in sees)


def in_words(dataset: Dataset, parts: Collection[str]) -> str:
    """Parts of a dataset as a message names them: 1 node attribute and edge labels."""
    counts, words = carried(dataset), []
    for part in parts:
        numbered = f"{counts[part]} {part if counts[part] > 1 else part.removesuffix('s')}"
        words.append(numbered if part in ATTRIBUTES else part)
    return " and ".join(words)
