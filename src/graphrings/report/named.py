"""The results that names stand for: an experiment of a store, or what files of it name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphrings.errors import StoreError
from graphrings.protocol.shipped import experiment_path, shipped_experiments
from graphrings.results.results import Results
from graphrings.results.store import Store

Named = str | Path | Sequence[str | Path] | None  # what results are asked for


def named_results(
    store: str | Path, experiment: Named = None, beside: str | None = None
) -> Results:
    """The results in a store, of the experiment of that name or the only one there is.

    Several files may share an experiment, as ``table2`` and ``table3`` do: the name of such a file,
    or its path, stands for its own rows and datasets, in its order, and several for those of all.
    The row ``beside`` them may be any of the experiment.
    """
    named = [experiment] if isinstance(experiment, str | Path) else experiment or ()
    names = [str(name) for name in named]
    with Store.read(store) as opened:
        files = [name for name in names if name not in opened.experiments() and _is_file(name)]
        if not names or (len(names) == 1 and not files):
            return Results.of(opened, names[0] if names else None)
        if strange := [name for name in names if name not in files]:
            raise StoreError(
                f"{strange[0]!r} is not the file of an experiment; where several are named, each "
                "must be one, such as table2"
            )
        from graphrings.protocol.experiment import read_experiment  # slow, and seldom needed

        read = [read_experiment(experiment_path(name)) for name in files]
        if len(own := list(dict.fromkeys(file.name for file in read))) > 1:
            raise StoreError(f"{' and '.join(names)} are of several experiments: {', '.join(own)}")
        results = Results.of(opened, own[0])
    rows = {card.name for card in results.card.methods}
    sets = {card.name for card in results.card.datasets}
    methods, datasets = list[str](), list[str]()
    for name, file in zip(files, read, strict=True):
        held = [row.name for row in file.methods if row.name in rows]
        known = [dataset for dataset in file.datasets if dataset in sets]
        if not held or not known:
            raise StoreError(f"{store}: nothing of {name} yet; `graphrings run {name}` adds it")
        methods += held
        datasets += known
    if beside is not None and beside in rows:
        methods.append(beside)
    return results.part(datasets, methods)


def _is_file(name: str) -> bool:
    return name in shipped_experiments() or Path(name).is_file()
