from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from graphrings.cli.again import command_line


@click.command()
@click.argument("name")
@click.option("-o", "--output", type=Path)
@click.option("--method", multiple=True)
@click.option("--strict/--no-strict", default=None)
@click.option("--quiet", is_flag=True)
@click.option("--seed", default=0)
def verb(**_: object) -> None:
    click.echo("\n".join(command_line(click.get_current_context())))


@pytest.mark.parametrize(
    ("words", "again"),
    [
        ("a.csv", "verb a.csv"),
        ("a.csv -o m --seed 0", "verb --output m --seed 0 a.csv"),
        ("--method x --method y a.csv --quiet", "verb --method x --method y --quiet a.csv"),
        ("--no-strict a.csv", "verb --no-strict a.csv"),
        ("--strict -- -a.csv", "verb --strict -- -a.csv"),
    ],
)
def test_what_was_given_is_said_again_and_nothing_else(words: str, again: str) -> None:
    """Given again, the words mean the same."""
    done = CliRunner().invoke(verb, words.split(), prog_name="verb")
    assert done.output.split() == again.split()
    assert CliRunner().invoke(verb, again.split()[1:], prog_name="verb").output == done.output
