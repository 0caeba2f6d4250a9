"""A method that graphrings does not know: a forest on what the rings of a graph hold.

All that an experiment asks of it is ``fit(graphs, y)`` and ``predict(graphs)``. ``graphs`` is a
``graphrings.Dataset`` without targets; ``y`` are the numbers of the classes, 0, 1, ...
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier

import graphrings as gr


class RingForest(ClassifierMixin, BaseEstimator):
    """A random forest on the mean sizes of the rings and the shares of the node labels."""

    def __init__(self, radius=3, n_trees=50, random_state=None):
        self.radius = radius
        self.n_trees = n_trees
        self.random_state = random_state

    def fit(self, graphs, y):
        """Learn from graphs and their classes."""
        self.forest_ = RandomForestClassifier(self.n_trees, random_state=self.random_state)
        self.forest_.fit(self.rows(graphs), y)
        self.classes_ = self.forest_.classes_
        return self

    def predict(self, graphs):
        """The class of every graph."""
        return self.forest_.predict(self.rows(graphs))

    def predict_proba(self, graphs):
        """The probability of every class."""
        return self.forest_.predict_proba(self.rows(graphs))

    def rows(self, graphs):
        """One row of numbers for every graph."""
        per_node = np.hstack(
            [gr.rings(graphs, self.radius).sizes, np.eye(graphs.n_labels)[graphs.node_labels]]
        )
        return np.add.reduceat(per_node, graphs.graph_ptr[:-1]) / graphs.sizes[:, None]
