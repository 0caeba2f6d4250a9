"""graphrings kernel."""

import json
from pathlib import Path
from typing import Any

import click

from graphrings.cli import options
from graphrings.kernels.names import KERNELS


class Setting(click.ParamType[tuple[str, Any]]):
    """A name and a value, such as decay=0.1."""

    name = "name=value"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Any]:
        """The value as a number, true or false where it reads like one, else as text."""
        if isinstance(value, tuple):
            return value
        name, sign, text = value.partition("=")
        if not sign:
            self.fail(f"{value!r} is not a setting such as decay=0.1", param, ctx)
        try:
            return name, json.loads(text)
        except ValueError:
            return name, text


@click.command()
@click.argument("name", metavar="DATASET")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write, for example gram.npz.",
)
@click.option("--kernel", type=click.Choice(list(KERNELS)), default="wl", show_default=True)
@click.option("--height", type=int, help="Rounds, or steps, of kernels that have them.")
@click.option("--radius", type=int, help="Largest distance of kernels that have one.")
@click.option("--seed", "random_state", type=int, help="Of kernels that draw.")
@click.option("--set", "others", multiple=True, type=Setting(), help="Any other setting.")
@click.option("--normalize", is_flag=True, help="Divide by the norms, so that k(G, G) = 1.")
@options.root
def kernel(
    name: str,
    output: Path,
    kernel: str,
    others: tuple[tuple[str, Any], ...],
    normalize: bool,
    root: Path | None,
    **settings: Any,
) -> None:
    """Compare the graphs of DATASET with each other and write the Gram matrix.

    The file holds gram, and targets and class_names where graphs have classes:
    numpy.load("gram.npz")["gram"].
    """
    from graphrings.errors import SettingError
    from graphrings.graphs.load import load
    from graphrings.kernels.gram_file import write_gram
    from graphrings.kernels.names import build

    if not output.parent.is_dir():
        raise SettingError(f"{output.parent}: no such folder to write {output.name} to")
    chosen = {key: value for key, value in settings.items() if value is not None}
    built = build(kernel, **{**chosen, **dict(others), "normalize": normalize})
    dataset = load(name, root)
    gram = built.fit_transform(dataset)
    write_gram(output, gram, dataset)
    click.echo(f"{output}: {kernel} of {len(dataset):,} graphs of {dataset.name}")
