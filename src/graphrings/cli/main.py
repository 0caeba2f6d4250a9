"""The command ``graphrings``: joins the verbs, one a file, and turns mistakes into a line."""

import warnings
from typing import Any

import click

from graphrings import __version__
from graphrings.cli.audit import audit
from graphrings.cli.fetch import fetch
from graphrings.cli.info import info
from graphrings.cli.rings import rings
from graphrings.errors import DatasetNote, GraphRingsError


class Mistake(click.ClickException):
    """One line on standard error and exit status 2."""

    exit_code = 2


class Verbs(click.Group):
    """Commands whose mistakes end in one line, never in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; notes of the readers go to standard error."""
        with warnings.catch_warnings():
            warnings.simplefilter("always", DatasetNote)
            shown = warnings.showwarning

            def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
                if issubclass(category, DatasetNote):
                    click.echo(f"note: {message}", err=True)
                else:
                    shown(message, category, *place, **more)

            warnings.showwarning = show
            try:
                return super().invoke(ctx)
            except GraphRingsError as error:
                raise Mistake(" ".join(str(error).split())) from error
            except BrokenPipeError:
                raise
            except OSError as error:
                raise Mistake(f"{error.filename or 'system'}: {error.strerror or error}") from error


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="graphrings")
def main() -> None:
    """Classify graphs by the distance rings of their nodes.

    A dataset is a name from the catalogue (see `graphrings fetch`), any name of the TU collection,
    or the path of a folder or zip with TU or DGCNN text files.
    """


for verb in (info, audit, rings, fetch):
    main.add_command(verb)
