"""graphrings kernel."""

from pathlib import Path
from typing import Any

import click

from graphrings.cli import options
from graphrings.cli.output import tell
from graphrings.cli.settings_option import further
from graphrings.cli.waiting import waiting
from graphrings.kernels.names import KERNELS


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
@further
@click.option("--normalize", is_flag=True, help="Divide by the norms, so that k(G, G) = 1.")
@options.root
@options.reading
def kernel(
    name: str,
    output: Path,
    kernel: str,
    further: tuple[tuple[str, Any], ...],
    normalize: bool,
    root: Path | None,
    reading: dict[str, Any],
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
    built = build(kernel, **{**chosen, **dict(further), "normalize": normalize})
    dataset = load(name, root, **reading)
    with waiting(f"{kernel} of {len(dataset):,} graphs of {dataset.name}"):
        gram = built.fit_transform(dataset)
    write_gram(output, gram, dataset)
    tell(output, f"{kernel} of {len(dataset):,} graphs of {dataset.name}")
