"""graphrings fit."""

from __future__ import annotations

import warnings
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from graphrings.cli import options, settings_option
from graphrings.cli.again import command_line
from graphrings.cli.output import say, say_json
from graphrings.cli.reading import with_task
from graphrings.cli.running import interruptible, show_progress, workers
from graphrings.cli.waiting import waiting
from graphrings.whole_files import STDOUT

if TYPE_CHECKING:
    from graphrings.fit.judgement import Judgement
    from graphrings.fit.plan import Plan
    from graphrings.fit.result import FitResult
    from graphrings.graphs.dataset import Dataset


@click.command()
@click.argument("name", metavar="DATASET")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The model to write, for example model.safetensors.",
)
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A page of HTML to write: the same story with pictures.",
)
@options.task
@click.option(
    "--folds",
    default="random",
    show_default=True,
    metavar="KIND",
    help="How graphs are split: random (stratified); grouped, which keeps twins together; "
    "scaffold, which keeps molecules of one Bemis-Murcko scaffold together; or a file of folds.",
)
@click.option(
    "--n-folds",
    type=click.IntRange(3),
    help="How many folds.  [default: 10; 5 for more than 5,000 graphs]",
)
@click.option("--repetitions", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--method",
    "methods",
    multiple=True,
    help="Skip the search and take this one; several are chosen among.",
)
@click.option(
    "--score",
    metavar="NAME",
    help="What to choose by: auroc, mcc, rmse, ...  [default: what suits the targets]",
)
@click.option("--scores", "all_scores", is_flag=True, help="Print every other score as well.")
@click.option("--budget", metavar="TIME", help="Stay inside a time, such as 90s, 10m or 2h.")
@options.cell_timeout
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file that keeps every cell.  [default: OUTPUT.fit.db]",
)
@click.option("--jobs", type=click.IntRange(1), help="Cells at once.  [default: all cores]")
@options.cluster
@settings_option.further
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--quiet", is_flag=True, help="No progress bar.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print the result.",
)
@options.root
@options.reading
def fit(
    name: str,
    output: Path,
    report: Path | None,
    budget: str | None,
    cell_timeout: str | None,
    store: Path | None,
    jobs: int | None,
    cluster: str | None,
    further: tuple[tuple[str, Any], ...],
    quiet: bool,
    style: str,
    all_scores: bool,
    root: Path | None,
    reading: dict[str, Any],
    **asked: Any,
) -> None:
    """Choose a method for DATASET, say honestly how good it is, and write the model.

    Looks at the data, compares a short list of methods by nested cross-validation, fits the winner
    on all graphs and writes it to a file together with what is known of it. The score is that of
    the whole procedure on graphs that it had not seen. May be stopped at any moment: the same
    command goes on.
    """
    if str(output) == STDOUT:
        raise click.UsageError("-o - is no place for a model: the verdict goes to standard output.")
    from graphrings.durations import seconds_of
    from graphrings.fit.estimate import Clock
    from graphrings.fit.findings import findings
    from graphrings.fit.plan import Wanted, plan
    from graphrings.fit.result import finish

    start = perf_counter()
    for place in filter(None, (output, report, store)):
        check_folder(place)
    clock = None if budget is None else Clock(start, seconds_of(budget))
    longest = None if cell_timeout is None else seconds_of(cell_timeout)
    with interruptible():
        methods = asked.pop("methods") or None
        dataset, notes = read_graphs(name, root, reading, asked["task"])
        decided = plan(dataset, Wanted(methods=methods, settings=dict(further), **asked))
        check_models(decided)
        with waiting(f"looking for twins in {name}", quiet):
            found = findings(decided, notes)
        for sentence in (*found.sentences, *decided.reasons):
            say(sentence, err=True)
        held = store or output.with_name(f"{output.name}.fit.db")
        judgement = estimated(decided, held, workers(jobs), cluster, longest, clock, quiet)
        if not quiet:
            say(f"fitting {judgement.winner().method} on all graphs", err=True)
        with waiting("fitting on all graphs", quiet):
            result = finish(judgement, found)
        result.save(output)
        if report is not None:
            result.report(report, command_line(click.get_current_context()))
    (print_json if style == "json" else print_text)(result, output, report, held, all_scores)


def check_folder(path: Path) -> None:
    """Refuse a file in a folder that is not there, before anything is computed for it."""
    from graphrings.errors import SettingError

    if not path.parent.is_dir():
        raise SettingError(f"{path.parent}: no such folder to write {path.name} to")


def check_models(decided: Plan) -> None:
    """Refuse methods whose models cannot be written, before anything is computed for them."""
    from graphrings.errors import SettingError
    from graphrings.methods import find
    from graphrings.own_methods import OwnMethod

    for method in decided.contenders:
        if isinstance(find(method), OwnMethod):
            raise SettingError(
                f"{method}: models of one's own methods cannot be written to a file; expected a "
                "method of `graphrings methods` (gr.fit_best in Python takes any)"
            )


def read_graphs(
    name: str, root: Path | None, reading: dict[str, Any], task: str | None
) -> tuple[Dataset, list[str]]:
    """The graphs to learn from, and what the reader had to say of them, without its folder."""
    from graphrings.errors import DatasetNote
    from graphrings.graphs.load import load

    options = with_task(name, reading, task)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", DatasetNote)
        dataset = load(name, root, **options)
    return dataset, [str(note.message).replace(name, Path(name).name) for note in said]


def estimated(
    decided: Plan,
    path: Path,
    n_jobs: int,
    cluster: str | None,
    cell_timeout: float | None,
    clock: Any,
    quiet: bool,
) -> Judgement:
    """Run what the store does not hold yet, and judge all of it."""
    from graphrings.fit.best import judged, launcher
    from graphrings.fit.estimate import Estimation
    from graphrings.results.store import Store

    with (
        Store.write(path) as store,
        launcher(path, n_jobs, cluster, cell_timeout) as launch,
    ):
        estimation = Estimation(decided, store, launch, n_jobs, clock)
        show_progress(estimation.events(), estimation.prepared, store, quiet)
        return judged(estimation, store)


def print_text(
    result: FitResult, output: Path, report: Path | None, store: Path, all_scores: bool
) -> None:
    """The verdict, a small table, and where everything lies."""
    from graphrings.cli.output import print_sheet
    from graphrings.fit.sheets import all_scores_sheet, score_sheet

    for sentence in result.sentences:
        say(sentence)
    say("")
    print_sheet(score_sheet(result.judgement), "table")
    if all_scores:
        print_sheet(all_scores_sheet(result.judgement), "table")
    say(f"{output}: the model, with its card (graphrings info {output.name} shows it)")
    if report is not None:
        say(f"{report}: {report.stat().st_size / 1000:,.0f} kB")
    say(f"{store}: every cell of the estimate")


def print_json(
    result: FitResult, output: Path, report: Path | None, store: Path, all_scores: bool
) -> None:
    """The same for programs; every score is there anyway."""
    from graphrings.fit.sheets import score_rows

    del all_scores
    content = {
        "verdict": list(result.sentences),
        "findings": list(result.findings.sentences),
        "reasons": list(result.judgement.plan.reasons),
        "scores": score_rows(result.judgement),
        "card": result.card,
        "model": str(output),
        "report": None if report is None else str(report),
        "store": str(store),
    }
    say_json(content)
