"""The command line, run inside the tests."""

from click.testing import CliRunner, Result

from graphrings.cli.main import main


def run(*words: object) -> Result:
    """Run ``graphrings`` with these words."""
    return CliRunner().invoke(
        main, [str(word) for word in words], prog_name="graphrings", catch_exceptions=False
    )


def output(*words: object) -> str:
    """What a command that goes well prints."""
    done = run(*words)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def mistake(*words: object) -> str:
    """The one line of a command that ends in a mistake."""
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("Error: ").rstrip("\n")
