"""graphrings train."""

import tomllib
from pathlib import Path
from typing import Any

import click

from graphrings.cli import options
from graphrings.methods import METHODS

WITHOUT_FILE = ("baseline-labels",)  # it takes a moment to fit again


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


class Setting(click.ParamType[tuple[str, Any]]):
    """A name and a value as TOML writes it; a word needs no quotes."""

    name = "name=value"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Any]:
        """The setting as a pair."""
        if isinstance(value, tuple):
            return value
        name, separator, text = value.partition("=")
        if not separator or not name.isidentifier():
            self.fail(f"{value!r} is not a setting such as channels=[32, 32]", param, ctx)
        try:
            return name, tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            return name, text


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
    type=click.Choice([name for name in METHODS if name not in WITHOUT_FILE]),
    default="pgc-dgcnn",
    show_default=True,
    help="A network or a kernel.",
)
@click.option("--radius", type=int, help="Largest distance a filter sees.  [default: 2]")
@click.option("--channels", type=Numbers(), help="Filters per layer.  [default: 32,32,32,1]")
@click.option(
    "--features", help="auto, or label, degree, attributes, ring-sizes, constant joined by +."
)
@click.option("--activation", help="Of the graph convolutions.  [default: tanh]")
@click.option("--quantile", type=float, help="Of the graph sizes, for the k of SortPooling.")
@click.option("--dropout", type=float, help="Before the last layer.  [default: 0.5]")
@click.option("--learning-rate", type=float, help="Of Adam.  [default: 0.0003]")
@click.option("--batch-size", type=int, help="Graphs a batch.  [default: 50]")
@click.option("--max-epochs", type=int, help="At most so many.  [default: 300]")
@click.option("--patience", type=int, help="Epochs without improvement.  [default: 30]")
@click.option("--validation-fraction", type=float, help="Held out to stop early.  [default: 0.1]")
@click.option("--class-weight", type=click.Choice(["balanced"]), help="For imbalanced classes.")
@click.option(
    "--set", "further", type=Setting(), multiple=True, help="Any other setting of the method."
)
@click.option("--seed", "random_state", type=int, default=0, show_default=True)
@click.option("--quiet", is_flag=True, help="No progress bar.")
@options.root
def train(
    name: str,
    output: Path,
    method: str,
    root: Path | None,
    quiet: bool,
    further: tuple[tuple[str, Any], ...],
    **settings: Any,
) -> None:
    """Train a classifier on DATASET and write it to a file.

    A network holds out a share of the graphs to stop early; the weights of the best epoch are kept,
    also after Ctrl-C. The defaults shown are those of pgc-dgcnn.
    """
    from graphrings.errors import SettingError
    from graphrings.graphs.load import load

    if not output.parent.is_dir():
        raise SettingError(f"{output.parent}: no such folder to write {output.name} to")
    chosen = {key: value for key, value in settings.items() if value is not None}
    known = METHODS[method].build({}, 0).get_params()
    if strangers := [key for key in chosen if key not in known]:
        raise SettingError(f"{method} has no setting --{strangers[0].replace('_', '-')}")
    if strangers := [key for key, _ in further if key not in known]:
        raise SettingError(f"{method} has no setting {strangers[0]!r}; it has {', '.join(known)}")
    chosen |= {key: tuple(v) if isinstance(v, list) else v for key, v in further}
    classifier = METHODS[method].build({}, 0).set_params(**chosen)
    if "verbose" in known:
        classifier.set_params(verbose=not quiet)
    dataset = load(name, root)
    classifier.fit(dataset)
    classifier.save(output)
    click.echo(
        f"{output}: {method} on {len(dataset):,} graphs of {dataset.name}{ended(classifier)}"
    )


def ended(classifier: Any) -> str:
    """How the training went, if there were epochs."""
    history = getattr(classifier, "history_", None)
    if history is None:
        return ""
    best = history.epochs[history.best]
    return (
        f", {len(history.epochs)} epochs, the best was {best.number + 1} "
        f"(validation loss {best.validation_loss:.3f}, accuracy {best.validation_accuracy:.1%})"
    )
