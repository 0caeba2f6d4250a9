"""graphrings train."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from graphrings.cli import options, settings_option
from graphrings.cli.output import tell
from graphrings.cli.reading import with_task
from graphrings.cli.running import INTERRUPTED
from graphrings.cli.waiting import waiting
from graphrings.learning.training_settings import CALIBRATE, CLASS_WEIGHT, TRAINING
from graphrings.methods import METHODS

Verb = TypeVar("Verb", bound=Callable[..., Any])
NOT_OPTIONS = ("random_state", "verbose")  # --seed and --quiet


class Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers separated by commas."""

    name = "n,n,..."

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        """The numbers as a tuple."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(number) for number in value.split(","))
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers such as 32,32,32,1", param, ctx)


def training_options(command: Verb) -> Verb:
    """An option for every setting of the training that a word can say."""
    of_classes = {"class_weight": CLASS_WEIGHT, "calibrate": CALIBRATE}
    for name, setting in reversed({**TRAINING, **of_classes}.items()):
        if name not in NOT_OPTIONS:
            flags = [f"--{name.replace('_', '-')}"]
            kind = setting.type if setting.type in (int, float) else str
            if setting.type is bool:
                flags, kind = [f"{flags[0]}/--no-{name}"], bool
            text = f"{setting.meaning[0].upper()}{setting.meaning[1:]}: {setting.allowed}."
            command = click.option(*flags, name, type=kind, default=None, help=text)(command)
    return command


@click.command()
@click.argument("name", metavar="DATASET")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write, for example model.safetensors.",
)
@click.option(
    "--method",
    type=click.Choice(list(METHODS)),
    default="ring-forest",
    show_default=True,
    help="What to train: trees, a network, a kernel, the baseline.",
)
@click.option("--radius", type=int, help="Largest distance that the method sees.")
@click.option("--channels", type=Numbers(), help="Of a network: filters per layer, 32,32,32,1.")
@click.option("--activation", help="Of a network: the function after a convolution.")
@click.option("--quantile", type=float, help="Of the graph sizes, for the k of SortPooling.")
@click.option("--dropout", type=float, help="Of a network: the share before the last layer.")
@training_options
@settings_option.further
@click.option("--seed", "random_state", type=int, default=0, show_default=True)
@click.option("--quiet", is_flag=True, help="No progress bar.")
@options.task
@options.root
@options.reading
def train(
    name: str,
    output: Path,
    method: str,
    task: str | None,
    root: Path | None,
    reading: dict[str, Any],
    quiet: bool,
    further: tuple[tuple[str, Any], ...],
    **settings: Any,
) -> None:
    """Train a model on DATASET and write it to a file.

    The default, trees on ring profiles, is the method that leads most of our tables; the paper's
    network is --method pgc-dgcnn. `graphrings methods METHOD` shows all settings of a method and
    their defaults. A network holds out a part of the graphs to stop early; the weights of the best
    epoch are kept, also after Ctrl-C. Probabilities are calibrated where the method can do so;
    --no-calibrate leaves them alone.
    """
    from graphrings.errors import SettingError
    from graphrings.graphs.load import load
    from graphrings.tasks import TASKS, task_of

    if not output.parent.is_dir():
        raise SettingError(f"{output.parent}: no such folder to write {output.name} to")
    chosen = {key: value for key, value in settings.items() if value is not None}
    chosen |= dict(further)
    check_names(method, chosen, None if task is None else TASKS[task])
    dataset = load(name, root, **with_task(name, reading, task))
    model = METHODS[method].build({}, 0, TASKS[task] if task else task_of(dataset))
    if "calibrate" in model.get_params():
        model.set_params(calibrate=True)
    model.set_params(**chosen)
    if "verbose" in model.get_params():
        model.set_params(verbose=not quiet)  # and it shows its epochs
        quiet = True
    with waiting(f"{method} on {len(dataset):,} graphs of {dataset.name}", quiet):
        model.fit(dataset)
    model.save(output)
    tell(output, f"{method} on {len(dataset):,} graphs of {dataset.name}{ended(model)}")
    if getattr(model, "history_", None) is not None and model.history_.interrupted:
        click.get_current_context().exit(INTERRUPTED)


def check_names(method: str, chosen: dict[str, Any], task: Any) -> None:
    """Refuse settings that a method does not have, before anything is read."""
    from graphrings.errors import SettingError
    from graphrings.spelling import suggestion

    known = METHODS[method].build({}, 0, task).get_params()
    if strangers := [key for key in chosen if key not in known]:
        near = suggestion(strangers[0], known) or f"; {_who_has(strangers[0], task, known)}"
        raise SettingError(f"{method} has no setting {strangers[0]!r}{near}")


def _who_has(setting: str, task: Any, known: Iterable[str]) -> str:
    """The first methods with such a setting; where there are none, the settings there are."""
    built = ((name, method.build({}, 0, task)) for name, method in METHODS.items())
    having = [name for name, model in built if setting in model.get_params()]
    if having:
        return f"methods that have it: {', '.join(having[:3])}"
    return f"it has {', '.join(known)}"


def ended(model: Any) -> str:
    """How the training went, if there were epochs."""
    from graphrings.tasks.scores import SCORES

    history = getattr(model, "history_", None)
    if history is None:
        return ""
    best = history.epochs[history.best]
    return (
        f", {len(history.epochs)} epochs, the best was {best.number + 1} "
        f"(validation loss {best.validation_loss:.3f}, "
        f"{SCORES[model.task.epoch_score].written(best.validation_score)})"
    )
