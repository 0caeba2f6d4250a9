"""The tasks by name. A new one is a file of its own and an entry here."""

from collections.abc import Mapping

from graphrings.graphs.dataset import Dataset
from graphrings.tasks.classification import Classification
from graphrings.tasks.regression import Regression
from graphrings.tasks.task import Task as Task

CLASSIFICATION, REGRESSION = Classification(), Regression()
TASKS: Mapping[str, Task] = {task.name: task for task in (CLASSIFICATION, REGRESSION)}


def task_of(dataset: Dataset) -> Task:
    """The task that the targets of a dataset set: classes have names."""
    values = dataset.targets is not None and not dataset.class_names
    return REGRESSION if values else CLASSIFICATION
