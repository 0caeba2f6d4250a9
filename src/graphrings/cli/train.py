"""graphrings train."""

from pathlib import Path
from typing import Any

import click

from graphrings.cli import options


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
    type=click.Choice(["pgc-dgcnn", "dgcnn", "pgc-dgcnn-released"]),
    default="pgc-dgcnn",
    show_default=True,
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
@click.option("--seed", "random_state", type=int, default=0, show_default=True)
@click.option("--quiet", is_flag=True, help="No progress bar.")
@options.root
def train(
    name: str, output: Path, method: str, root: Path | None, quiet: bool, **settings: Any
) -> None:
    """Train a network on DATASET and write it to a file.

    A share of the graphs is held out to stop early; the weights of the best epoch are kept, also
    after Ctrl-C.
    """
    from graphrings.errors import SettingError
    from graphrings.graphs.load import load
    from graphrings.learning.classifier import METHODS

    if not output.parent.is_dir():
        raise SettingError(f"{output.parent}: no such folder to write {output.name} to")
    chosen = {key: value for key, value in settings.items() if value is not None}
    known = METHODS[method]().get_params()
    if strangers := [key for key in chosen if key not in known]:
        raise SettingError(f"{method} has no setting --{strangers[0].replace('_', '-')}")
    dataset = load(name, root)
    classifier = METHODS[method](**chosen, verbose=not quiet)
    classifier.fit(dataset)
    classifier.save(output)
    best = classifier.history_.epochs[classifier.history_.best]
    click.echo(
        f"{output}: {method} on {len(dataset):,} graphs of {dataset.name}, "
        f"{len(classifier.history_.epochs)} epochs, the best was {best.number + 1} "
        f"(validation loss {best.validation_loss:.3f}, accuracy {best.validation_accuracy:.1%})"
    )
