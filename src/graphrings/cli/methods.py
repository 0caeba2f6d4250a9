"""graphrings methods."""

import click

from graphrings.cli import options
from graphrings.cli.output import Column, show
from graphrings.methods import find, known_methods

METHOD_COLUMNS = (
    Column("name", "Method", left=True),
    Column("summary", "What it is", left=True),
    Column("tried", "Tried", left=True),
    Column("citation", "Whom to cite", left=True),
)
FEW_COLUMNS = (Column("name", "Setting", left=True), Column("all", "What it means", left=True))
SETTING_COLUMNS = (
    Column("name", "Setting", left=True),
    Column("default", "Default", left=True),
    Column("tried", "Tried", left=True),
    Column("allowed", "Allowed", left=True),
    Column("meaning", "Meaning", left=True),
)


@click.command()
@click.argument("name", required=False, metavar="[METHOD]")
@options.task
@options.style
def methods(name: str | None, task: str | None, style: str) -> None:
    """List the methods, or the settings of METHOD.

    `train --method` takes their names, with settings by `--set`, and so do experiments, which try
    the values shown where they say nothing else. Installed packages may add methods.
    """
    if name is None:
        rows = [
            {
                "name": m.name,
                "summary": m.summary,
                "tried": "; ".join(f"{k} {listed(v)}" for k, v in m.grid.items()),
                "citation": m.citation,
            }
            for m in known_methods().values()
        ]
        show(rows, METHOD_COLUMNS, style)
        return
    from graphrings.tasks import CLASSIFICATION, TASKS

    method = find(name)
    chosen = CLASSIFICATION if task is None else TASKS[task]
    values = method.parameters(chosen)
    settings = [
        {
            "name": setting,
            "default": repr(values[setting]),
            "tried": listed(method.grid.get(setting, ())),
            "allowed": described.allowed,
            "meaning": described.meaning,
        }
        for setting, described in method.described(chosen).items()
        if values[setting] != name  # which kernel or network it is
    ]
    title = f"{name}: {method.summary}" + (f" ({method.citation})" if method.citation else "")
    title += f"; sees {' and '.join(method.sees(chosen)) or 'structure alone'}"
    if style == "table":  # five columns do not fit a terminal
        few = [{"name": row["name"], "all": in_words(row)} for row in settings]
        show(few, FEW_COLUMNS, style, title=title)
    else:
        show(settings, SETTING_COLUMNS, style)


def in_words(row: dict[str, str]) -> str:
    """All that is known of a setting in one text."""
    tried = f", tried {row['tried']}" if row["tried"] else ""
    return f"{row['meaning']}: {row['allowed']} [default {row['default']}{tried}]"


def listed(values: tuple[object, ...]) -> str:
    """The values of a grid as one tries to remember them."""
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)
