"""What names stand for in a store: an experiment of it, or what files of one name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphrings.errors import StoreError
from graphrings.protocol.shipped import experiment_path, shipped_experiments
from graphrings.results.record import ExperimentCard
from graphrings.results.results import Results
from graphrings.results.store import Store

Named = str | Path | Sequence[str | Path] | None  # what is asked for


def named_results(
    store: str | Path, experiment: Named = None, beside: str | None = None
) -> Results:
    """The results in a store that ``named_card`` says."""
    with Store.read(store) as opened:
        card = named_card(opened, experiment, beside)
        results = Results.of(opened, card.name)
    rows, sets = ([one.name for one in cards] for cards in (card.methods, card.datasets))
    return results.part(sets, rows)


def named_card(store: Store, experiment: Named = None, beside: str | None = None) -> ExperimentCard:
    """The experiment of that name, or the only one there is; or a part of one.

    Several files may share an experiment, as ``table2`` and ``table3`` do: the name of such a file,
    or its path, stands for its own rows and datasets, in its order, and several for those of all.
    The row ``beside`` them may be any of the experiment.
    """
    named = [experiment] if isinstance(experiment, str | Path) else experiment or ()
    names = [str(name) for name in named]
    files = [name for name in names if name not in store.experiments() and _is_file(name)]
    if not names or (len(names) == 1 and not files):
        return store.card(store.choose(names[0] if names else None))
    if strange := [name for name in names if name not in files]:
        raise StoreError(
            f"{strange[0]!r} is not the file of an experiment; where several are named, each "
            "must be one, such as table2"
        )
    from graphrings.protocol.experiment import read_experiment  # slow, and seldom needed

    read = [read_experiment(experiment_path(name)) for name in files]
    if len(own := list(dict.fromkeys(file.name for file in read))) > 1:
        raise StoreError(f"{' and '.join(names)} are of several experiments: {', '.join(own)}")
    card = store.card(store.choose(own[0]))
    rows, sets = ({one.name for one in cards} for cards in (card.methods, card.datasets))
    methods, datasets = list[str](), list[str]()
    for name, file in zip(files, read, strict=True):
        held = [row.name for row in file.methods if row.name in rows]
        known = [dataset for dataset in file.datasets if dataset in sets]
        if not held or not known:
            raise StoreError(
                f"{store.path}: nothing of {name} yet; `graphrings run {name}` adds it"
            )
        methods += held
        datasets += known
    if beside is not None and beside in rows:
        methods.append(beside)
    return card.part(datasets, methods)


def _is_file(name: str) -> bool:
    return name in shipped_experiments() or Path(name).is_file()
