"""From files to an explanation in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphrings.errors import DatasetError, ModelError
from graphrings.explanations.explain import explain
from graphrings.explanations.explanation import Explanation
from graphrings.explanations.summary import surest
from graphrings.explanations.writing import kind_of, write
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.load import load
from graphrings.learning.models import load_model
from graphrings.prediction.inputs import is_table
from graphrings.spreadsheets import Cells


def explain_file(
    model: Path,
    name: str,
    output: Path,
    numbers: Sequence[int],
    top: int | None,
    masking: bool,
    root: Path | None,
    reading: dict[str, Any],
    cells: Cells | None = None,
) -> Explanation:
    """Explain what a model file says of a dataset, and write it down."""
    kind_of(output)  # before anything is computed for it
    estimator = load_model(model)
    dataset = graphs_of(name, root, reading, estimator.chemistry_)
    if numbers and max(numbers) >= len(dataset):
        raise DatasetError(
            f"{name}: graph {max(numbers)}; expected a number from 0 to {len(dataset) - 1}"
        )
    explanation = explain(estimator, dataset, masking=masking)
    chosen = list(numbers) or (surest(explanation, top) if top else None)
    write(explanation, output, chosen, cells)
    return explanation


def graphs_of(name: str, root: Path | None, reading: dict[str, Any], chemistry: Any) -> Dataset:
    """The graphs of a file; molecules of a table are read as those of the training were."""
    if is_table(name):
        if chemistry is None:
            raise ModelError(
                f"{name}: a table of molecules, but the model was trained on other graphs, not on "
                "molecules; expected a dataset like that"
            )
        reading = {"target": "", **vars(chemistry), **reading}
    dataset = load(name, root, **reading)
    if dataset.chemistry is not None and chemistry not in (None, dataset.chemistry):
        raise ModelError(
            f"{name}: molecules read as {dataset.chemistry}; the model was trained on molecules "
            f"read as {chemistry}"
        )
    return dataset
