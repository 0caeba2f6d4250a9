"""The command line by its own help."""

import click

from graphrings.cli.main import main

WIDTH = 96


def command_page() -> str:
    """One section per verb, with what `graphrings VERB --help` prints."""
    parts = [
        "# Command line\n\nWhat every command prints with `--help`. Results go to standard output, "
        "progress and notes to standard error; a mistake is one line and exit status 2.\n",
        _printed("graphrings", main),
    ]
    for name, command in main.commands.items():
        parts.append(f"## graphrings {name}\n\n{_printed(f'graphrings {name}', command)}")
    return "\n".join(parts)


def _printed(path: str, command: click.Command) -> str:
    context = click.Context(command, info_name=path, terminal_width=WIDTH, max_content_width=WIDTH)
    return f"```text\n$ {path} --help\n{command.get_help(context)}\n```\n"
