"""graphrings run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphrings.cli import options
from graphrings.cli.output import say
from graphrings.cli.running import interruptible, run_with_progress, workers

if TYPE_CHECKING:
    from graphrings.protocol.prepare import Prepared


class WithShipped(click.Command):
    """A command whose help names the experiments that come with the package."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help, with their names."""
        from graphrings.protocol.shipped import shipped_experiments

        assert self.help is not None
        self.help = self.help.replace("{shipped}", ", ".join(shipped_experiments()))
        super().format_help_text(ctx, formatter)


@click.command(cls=WithShipped)
@click.argument("name", metavar="EXPERIMENT")
@options.store
@click.option("--jobs", type=click.IntRange(1), help="Cells at once.  [default: all cores]")
@options.cluster
@options.datasets
@options.methods
@click.option("--repetitions", type=click.IntRange(1), help="Only the first so many.")
@click.option("--fold", "folds", type=click.IntRange(1), multiple=True, help="Only this one.")
@click.option("--retry-failed", is_flag=True, help="Also run the cells that failed before.")
@options.cell_timeout
@click.option(
    "--portable", is_flag=True, help="The same bits on any x86-64 processor, in more time."
)
@click.option(
    "--fits",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep fitted networks here; one that is there is not fitted again.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be run and about how long.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@options.root
def run(
    name: str,
    store: Path,
    jobs: int | None,
    cluster: str | None,
    retry_failed: bool,
    cell_timeout: str | None,
    portable: bool,
    fits: Path | None,
    dry_run: bool,
    quiet: bool,
    root: Path | None,
    **chosen: Any,
) -> None:
    """Run the cells of EXPERIMENT that the store does not hold yet.

    EXPERIMENT is a TOML file, or the name of one that comes with graphrings: {shipped}. Trust a
    file as you trust a program: methods that it names as module:Class are imported. A run may be
    ended at any moment, also by pulling the plug: the same command goes on where it stopped. The
    exit status is 1 if cells have failed.
    """
    from graphrings.cli.forecast import forecast
    from graphrings.protocol.experiment import read_experiment
    from graphrings.protocol.run import prepare_missing
    from graphrings.protocol.shipped import experiment_path
    from graphrings.protocol.whole_run import executor
    from graphrings.results.store import Store

    if (first := chosen.pop("repetitions")) is not None:
        chosen["repetitions"] = range(1, first + 1)
    n_workers = workers(jobs)
    execute = executor(store, n_workers, cluster, cell_timeout, portable)
    with interruptible():
        experiment = read_experiment(experiment_path(name)).chosen(**chosen)
        if dry_run:
            forecast(experiment, store, n_workers, root, retry_failed=retry_failed)
            return
        with Store.write(store) as opened:
            prepared = prepare_missing(
                experiment,
                opened,
                root,
                retry_failed=retry_failed,
                fits=None if fits is None else fits.absolute(),
            )
            _say_ignored(prepared, quiet)
            status = run_with_progress(prepared, opened, execute, quiet)
    click.get_current_context().exit(status)


def _say_ignored(prepared: Prepared, quiet: bool) -> None:
    """What some rows do not see: attributes in any case, edge labels where people look on."""
    from rich.console import Console

    from graphrings.graphs.carried import ATTRIBUTES, EDGE_LABELS
    from graphrings.protocol.ignored import ignored_parts

    watched = not quiet and Console(stderr=True).is_terminal
    for line in ignored_parts(prepared, (*ATTRIBUTES, *([EDGE_LABELS] if watched else []))):
        say(f"note: {line}", err=True)
