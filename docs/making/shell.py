"""The command line by its own help."""

from click.testing import CliRunner

from graphrings.cli.main import main

WIDTH = 96


def command_page() -> str:
    """One section per verb, with what `graphrings VERB --help` prints."""
    parts = [
        "# Command line\n\nWhat every command prints with `--help`. Results go to standard output, "
        "progress and notes to standard error; a mistake is one line and exit status 2.\n",
        _printed(),
    ]
    parts.extend(f"## graphrings {verb}\n\n{_printed(verb)}" for verb in main.commands)
    return "\n".join(parts)


def _printed(*verb: str) -> str:
    asked = [*verb, "--help"]
    width = {"terminal_width": WIDTH, "max_content_width": WIDTH}
    done = CliRunner().invoke(main, asked, prog_name="graphrings", **width)
    assert done.exit_code == 0, done.output
    return f"```text\n$ graphrings {' '.join(asked)}\n{done.output}```\n"
