"""graphrings info."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphrings.cli import options
from graphrings.cli.drawing import check_picture, draw_rows
from graphrings.cli.output import Column, say_json, show

if TYPE_CHECKING:
    from graphrings.graphs.dataset import Dataset

CLASSES = (Column("classes", "Classes"), Column("class_sizes", "Balance %", left=True))
VALUES = (Column("targets", "Targets", left=True),)
CARD = (Column("what", "What", left=True), Column("said", "The model says", left=True))
MODEL_START = b'{"__metadata__":'  # behind a length of eight bytes


@click.command()
@options.names
@options.root
@options.reading
@options.style
@options.draw
def info(
    names: tuple[str, ...],
    root: Path | None,
    reading: dict[str, Any],
    style: str,
    picture: Path | None,
) -> None:
    """Show sizes, targets and labels of datasets: the rows of the paper's Table I.

    Of a model file its card is shown: what it was trained on, how, and what is known of its worth.
    With --draw, a few graphs of every class go to a picture.
    """
    check_picture(picture, sum(not is_model(name) for name in names))
    for model in filter(is_model, names):
        show_card(model, style)
    if datasets := tuple(name for name in names if not is_model(name)):
        show_datasets(datasets, root, reading, style, picture)


def is_model(name: str) -> bool:
    """Whether a name is that of a model file, by its ending or by its first bytes."""
    path = Path(name)
    if path.suffix == ".safetensors" or not path.is_file():
        return path.suffix == ".safetensors"
    with path.open("rb") as file:
        return file.read(8 + len(MODEL_START)).endswith(MODEL_START)


def show_card(path: str, style: str) -> None:
    """Print the card of a model, entry after entry; as JSON it is the card itself."""
    from graphrings.learning.card import card_rows
    from graphrings.learning.persistence import read_card

    card = read_card(path)
    if style == "json":
        say_json(card)
        return
    rows = [{"what": what, "said": said} for what, said in card_rows(card)]
    show(rows, CARD, style, title=path)


def show_datasets(
    names: tuple[str, ...],
    root: Path | None,
    reading: dict[str, Any],
    style: str,
    picture: Path | None,
) -> None:
    """Print a row per dataset."""
    from graphrings.graphs.drawing.page import of_each_class
    from graphrings.graphs.load import load

    datasets = [load(name, root, **reading) for name in names]
    rows = [_row(dataset) for dataset in datasets]
    with_values = [row["target_min"] is not None for row in rows]
    columns = (
        Column("name", "Dataset", left=True),
        Column("graphs", "Graphs", ","),
        Column("nodes_max", "Nodes\nmax", ","),
        Column("nodes_avg", "Nodes\navg", ",.2f"),
        Column("edges_avg", "Edges\navg", ",.2f"),
        *(() if all(with_values) else CLASSES),
        *(VALUES if any(with_values) else ()),
        Column("labels", "Labels"),
        Column("isolated_nodes", "Isolated\nnodes", ","),
    )
    show(rows, columns, style)
    if picture is not None:
        draw_rows(picture, datasets[0], of_each_class, "graphs, a class each")


def _row(dataset: "Dataset") -> dict[str, Any]:
    """The statistics of a dataset, and its targets in a few words."""
    from graphrings.graphs.statistics import statistics
    from graphrings.tasks import task_of

    targets = None if dataset.targets is None else task_of(dataset).described(dataset)
    return {**asdict(statistics(dataset)), "targets": targets}
