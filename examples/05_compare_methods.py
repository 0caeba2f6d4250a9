"""Compare methods by nested cross-validation from Python; `graphrings run` does the same.

The experiment is small, to be quick: three folds, few epochs.
"""

import tempfile
from functools import partial
from pathlib import Path

from graphrings.protocol.experiment import read_experiment
from graphrings.protocol.local import run_local
from graphrings.protocol.run import prepare_missing, run
from graphrings.report.rendering import markdown
from graphrings.report.sheets import comparison_sheet
from graphrings.report.tables import compare
from graphrings.results.record import Record
from graphrings.results.store import Store

EXPERIMENT = """
datasets = ["MUTAG"]
n_folds = 3
repetitions = 1

[methods.pgc-dgcnn]
settings = { max_epochs = 10 }
grid = { radius = [1, 2] }

[methods.baseline-labels]
"""


def main(folder: Path) -> None:
    """Run all cells in two processes, then print the table."""
    path = folder / "small.toml"
    path.write_text(EXPERIMENT)
    experiment = read_experiment(path)
    with Store.write(folder / "small.db") as store:
        prepared = prepare_missing(experiment, store)
        for event in run(prepared, store, partial(run_local, n_workers=2, folder=folder / "data")):
            if isinstance(event, Record):
                print(f"{event.cell}: {event.scores['accuracy']:.1%}, chosen {dict(event.setting)}")
        table = compare(store.card(experiment.name), store.records(experiment.name))
    print(markdown(comparison_sheet(table)))


if __name__ == "__main__":  # the processes of a run import this file again
    with tempfile.TemporaryDirectory() as scratch:
        main(Path(scratch))
