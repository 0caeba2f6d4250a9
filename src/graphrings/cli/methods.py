"""graphrings methods."""

import click

from graphrings.cli import options
from graphrings.cli.output import Column, show
from graphrings.methods import METHODS, find

METHOD_COLUMNS = (
    Column("name", "Method", left=True),
    Column("tried", "Tried", left=True),
    Column("citation", "Whom to cite", left=True),
)
SETTING_COLUMNS = (
    Column("name", "Setting", left=True),
    Column("default", "Default", left=True),
    Column("tried", "Tried", left=True),
)


@click.command()
@click.argument("name", required=False, metavar="[METHOD]")
@options.style
def methods(name: str | None, style: str) -> None:
    """List the methods, or the settings of METHOD.

    `train --method` takes their names, with settings by `--set`, and so do experiments, which try
    the values shown where they say nothing else.
    """
    if name is None:
        rows = [
            {"name": m.name, "tried": "; ".join(f"{k} {said(v)}" for k, v in m.grid.items())}
            | {"citation": m.citation}
            for m in METHODS.values()
        ]
        show(rows, METHOD_COLUMNS, style)
        return
    method = find(name)
    settings = [
        {"name": setting, "default": repr(value), "tried": said(method.grid.get(setting, ()))}
        for setting, value in method.parameters().items()
        if value != name  # which kernel or network it is
    ]
    show(settings, SETTING_COLUMNS, style, title=f"{name} ({method.citation})")


def said(values: tuple[object, ...]) -> str:
    """The values of a grid as one tries to remember them."""
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)
