"""The results that a name stands for: an experiment of a store, or what a file of it names."""

from __future__ import annotations

from pathlib import Path

from graphrings.errors import StoreError
from graphrings.protocol.shipped import experiment_path, shipped_experiments
from graphrings.results.results import Results
from graphrings.results.store import Store


def named_results(store: str | Path, name: str | None = None) -> Results:
    """The results in a store, of the experiment of that name or the only one there is.

    Several files may share an experiment, as ``table2`` and ``table3`` do: the name of such a file,
    or its path, stands for its own rows and datasets, in its order.
    """
    with Store.read(store) as opened:
        is_held = name is None or name in opened.experiments()
        if is_held or not (name in shipped_experiments() or Path(str(name)).is_file()):
            return Results.of(opened, name)
        from graphrings.protocol.experiment import read_experiment  # slow, and seldom needed

        file = read_experiment(experiment_path(str(name)))
        results = Results.of(opened, file.name)
    held = results.card
    methods = [row.name for row in file.methods if row.name in {card.name for card in held.methods}]
    datasets = [name for name in file.datasets if name in {card.name for card in held.datasets}]
    if not methods or not datasets:
        raise StoreError(f"{store}: nothing of {name} yet; `graphrings run {name}` adds it")
    return results.part(datasets, methods)
