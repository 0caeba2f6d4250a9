"""graphrings predict."""

import csv
import json
import sys
from pathlib import Path

import click

from graphrings.cli import options


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("names", nargs=-1, required=True, metavar="DATASET...")
@click.option("--proba", is_flag=True, help="Also the probability of every class.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["csv", "json"]),
    default="csv",
    show_default=True,
    help="How to print the result.",
)
@options.root
def predict(
    model: Path, names: tuple[str, ...], proba: bool, style: str, root: Path | None
) -> None:
    """Predict the classes of the graphs of DATASET with a trained MODEL.

    One row a graph goes to standard output, the accuracy on graphs whose classes are known to
    standard error.
    """
    from graphrings.errors import ModelError
    from graphrings.graphs.load import load
    from graphrings.learning.classes import with_classes
    from graphrings.learning.models import load_model

    classifier = load_model(model)
    if proba and not hasattr(classifier, "predict_proba"):
        raise ModelError(
            f"{model}: a model without probabilities; train it with --set probability=true"
        )
    rows: list[dict[str, object]] = []
    for name in names:
        dataset = load(name, root)
        chosen = classifier.predict(dataset)
        found = [
            {"dataset": dataset.name, "graph": i, "predicted": label}
            for i, label in enumerate(chosen.tolist())
        ]
        if proba:
            columns = [f"p({kind})" for kind in classifier.classes_.tolist()]
            for row, shares in zip(found, classifier.predict_proba(dataset).tolist(), strict=True):
                row |= dict(zip(columns, shares, strict=True))
        rows += found
        if dataset.targets is not None:
            _, known = with_classes(dataset)
            hits = (known.astype(str) == chosen.astype(str)).mean()
            click.echo(f"{dataset.name}: accuracy {hits:.1%} on {len(dataset):,} graphs", err=True)
    if style == "json":
        click.echo(json.dumps(rows, indent=2))
    else:
        writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
