"""graphrings convert."""

from pathlib import Path
from typing import Any

import click

from graphrings.cli import options
from graphrings.cli.output import say
from graphrings.cli.waiting import waiting


class Convert(click.Command):
    """A command whose help lists the formats, which are looked up only when it is asked for."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The formats, from their list."""
        from graphrings.graphs.formats import FORMATS

        with formatter.section("Formats"):
            formatter.write_dl([(known.word, _described(known)) for known in FORMATS])
        super().format_epilog(ctx, formatter)


def _described(known: Any) -> str:
    endings = ", ".join(suffix or "a folder" for suffix in known.suffixes)
    written = f"written to {endings}" if known.write is not None else "read only"
    return f"{known.looks_for}; {written}"


@click.command(cls=Convert)
@click.argument("source", metavar="DATASET")
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "style",
    metavar="NAME",
    help="The format to write, where the end of PATH leaves a choice.  [default: the first below]",
)
@options.root
@options.reading
def convert(
    source: str, path: Path, style: str | None, root: Path | None, reading: dict[str, Any]
) -> None:
    """Write DATASET, a name or a path in any format, to PATH in another format.

    The end of PATH says which: .npz holds everything, a folder or a .zip is TU unless --format
    names another. What a format cannot hold is refused, or said.
    """
    from graphrings.graphs.load import load
    from graphrings.graphs.write import format_for, write

    chosen = format_for(path, style)
    dataset = load(source, root, **reading)
    with waiting(f"writing {path.name}"):
        write(dataset, path, style)
    say(f"{path}: {len(dataset):,} graphs of {dataset.name} as {chosen.name}")
