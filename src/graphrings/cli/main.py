"""The command ``graphrings``: joins the verbs, one a file, and turns mistakes into a line."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from graphrings import __version__
from graphrings.cli.audit import audit
from graphrings.cli.check import check
from graphrings.cli.convert import convert
from graphrings.cli.explain import explain
from graphrings.cli.export import export
from graphrings.cli.fetch import fetch
from graphrings.cli.fit import fit
from graphrings.cli.info import info
from graphrings.cli.kernel import kernel
from graphrings.cli.merge import merge
from graphrings.cli.methods import methods
from graphrings.cli.output import say
from graphrings.cli.predict import predict
from graphrings.cli.report import report
from graphrings.cli.rings import rings
from graphrings.cli.run import run
from graphrings.cli.running import INTERRUPTED
from graphrings.cli.status import status
from graphrings.cli.table import table
from graphrings.cli.train import train
from graphrings.errors import (
    ClusterNote,
    DamagedCellWarning,
    DatasetNote,
    GraphRingsError,
    InterruptedWarning,
    UnseenLabelWarning,
)
from graphrings.interrupts import from_interrupt, interrupts_kept
from graphrings.printable import one_line

NOTES = (ClusterNote, DamagedCellWarning, DatasetNote, InterruptedWarning, UnseenLabelWarning)


class Mistake(click.ClickException):
    """One line on standard error and exit status 2."""

    exit_code = 2


@contextmanager
def mistakes_in_one_line(ctx: click.Context) -> Iterator[None]:
    """Raise a mistake, the user's or the system's, as one line."""
    try:
        yield
    except click.UsageError as error:
        command = (error.ctx or ctx).command_path
        line = f"{error.format_message()} Try '{command} --help'."
        raise Mistake(one_line(line)) from error
    except GraphRingsError as error:
        raise Mistake(one_line(str(error))) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Mistake(
            one_line(f"{error.filename or 'system'}: {error.strerror or error}")
        ) from error


class Verbs(click.Group):
    """Commands whose mistakes end in one line, never in a traceback."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what stands before the verb; nothing at all asks for help."""
        if not args:
            return super().parse_args(ctx, args)
        with mistakes_in_one_line(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; an option that it takes once must not be given twice."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            refuse_repeated(click.Context(command, parent=ctx, info_name=name), rest)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; notes of the readers go to standard error, each once."""
        with warnings.catch_warnings():
            for note in NOTES:
                warnings.simplefilter("always", note)
            shown, said = warnings.showwarning, set[str]()

            def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
                if issubclass(category, NOTES):
                    note = one_line(str(message))
                    if note not in said:
                        said.add(note)
                        say(f"note: {note}", err=True)
                else:
                    shown(message, category, *place, **more)

            warnings.showwarning = show
            with mistakes_in_one_line(ctx), quiet_after_interrupt(ctx):
                return super().invoke(ctx)


def refuse_repeated(ctx: click.Context, args: list[str]) -> None:
    """Refuse an option that stands twice in a command: only one of its values could count."""
    _, _, given = ctx.command.make_parser(ctx).parse_args(list(args))
    for option in given:
        several = getattr(option, "multiple", True) or option.nargs == -1
        if not several and given.count(option) > 1:
            raise click.UsageError(f"{option.opts[-1]} is given {given.count(option)} times.", ctx)


@contextmanager
def quiet_after_interrupt(ctx: click.Context) -> Iterator[None]:
    """End by Ctrl-C without a word, with the status that shells give it."""
    try:
        with interrupts_kept():
            yield
    except (click.exceptions.Exit, click.ClickException):
        raise
    except BaseException as error:
        if not from_interrupt(error):
            raise
        ctx.exit(INTERRUPTED)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="graphrings")
def main() -> None:
    """Predict classes or values of graphs from the distance rings of their nodes.

    A dataset is a name from the catalogue (see `graphrings fetch`), any name of the TU collection,
    or the path of a file, folder or zip in one of the formats that `graphrings convert` lists.
    """


for verb in (
    *(info, audit, rings, kernel, fetch, convert),
    *(fit, methods, train, predict, explain),
    *(run, status, check, export, merge, table, report),
):
    main.add_command(verb)
