"""The script ``graphrings``: quiet also where Ctrl-C comes while the commands are loaded."""

import sys

INTERRUPTED = 130  # as cli.running has it, which takes its time to load


def main() -> None:
    """Load the commands and run the one that is asked for."""
    try:
        from graphrings.cli.main import main as command
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    command(prog_name="graphrings")
