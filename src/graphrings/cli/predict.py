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
    """Predict the targets of the graphs of DATASET with a trained MODEL.

    One row per graph goes to standard output, the score on graphs whose targets are known to
    standard error.
    """
    from graphrings.errors import ModelError
    from graphrings.graphs.load import load
    from graphrings.graphs.targets import own_targets
    from graphrings.learning.models import load_model

    estimator = load_model(model)
    if proba and not hasattr(estimator, "predict_proba"):
        advice = "train it with --set probability=true" if hasattr(estimator, "classes_") else ""
        raise ModelError(
            f"{model}: a model without probabilities; {advice or 'it predicts values'}"
        )
    rows: list[dict[str, object]] = []
    for name in names:
        dataset = load(name, root)
        predicted = estimator.predict(dataset)
        own = [
            {"dataset": dataset.name, "graph": i, "predicted": value}
            for i, value in enumerate(predicted.tolist())
        ]
        if proba:
            columns = [f"p({kind})" for kind in estimator.classes_.tolist()]
            for row, shares in zip(own, estimator.predict_proba(dataset).tolist(), strict=True):
                row |= dict(zip(columns, shares, strict=True))
        rows += own
        if dataset.targets is not None:
            value = estimator.task.user_score(own_targets(dataset), predicted)
            score = estimator.task.main_score.written(value)
            click.echo(f"{dataset.name}: {score} on {len(dataset):,} graphs", err=True)
    if style == "json":
        click.echo(json.dumps(rows, indent=2))
    else:
        writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
