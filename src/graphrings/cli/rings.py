"""graphrings rings."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from graphrings.cli import options
from graphrings.cli.output import Column, say, show
from graphrings.cli.waiting import waiting

COLUMNS = (
    Column("ring", "Ring", left=True),
    Column("members_avg", "Members (avg)", ",.2f"),
    Column("members_max", "Members (max)", ","),
    Column("empty_share", "Empty", ".1%"),
    Column("pairs", "Pairs", ","),
)


@click.command()
@click.argument("name", metavar="DATASET")
@click.option("--radius", default=2, show_default=True, help="The largest distance.")
@click.option("--walks", is_flag=True, help="Count walks in the place of shortest paths.")
@options.root
@options.reading
@options.style
def rings(
    name: str, radius: int, walks: bool, root: Path | None, reading: dict[str, Any], style: str
) -> None:
    """Show how large the rings of a dataset are: what a filter of a radius would see.

    Ring j of a node are the nodes at shortest-path distance j. The quotient merges nodes that a
    network of this radius cannot tell apart.
    """
    from graphrings.distances.quotient import quotient
    from graphrings.distances.ring_summary import summarise
    from graphrings.distances.rings import rings as distance_rings
    from graphrings.distances.walks import walk_rings
    from graphrings.graphs.load import load

    dataset = load(name, root, **reading)
    with waiting(f"rings of {dataset.n_nodes:,} nodes of {dataset.name}"):
        near = (walk_rings if walks else distance_rings)(dataset, radius)
    kind = "Walk rings" if walks else "Rings"
    show([asdict(ring) for ring in summarise(near)], COLUMNS, style, f"{kind} of {dataset.name}")
    if style == "table" and not walks:
        with waiting(f"quotient of {dataset.name}"):
            merged = quotient(dataset, radius)
        say(
            f"Quotient of radius {radius}: {dataset.n_nodes:,} nodes in {merged.n_classes:,} "
            f"classes, {len(near.indices):,} ring entries in {len(merged.rings.indices):,}."
        )
