"""Tables and pictures of results: each stands on its page below the command that makes it.

`python docs/making/results.py` makes stores of the exports in `results/` and all of them anew.
"""

from __future__ import annotations

import re
import shlex
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from graphrings.cli.main import main
from graphrings.results.merge import merge
from graphrings.whole_files import whole_file

ROOT = Path(__file__).parents[2]
EXPORTS, STORES = ROOT / "results", ROOT / "build" / "results"
COMMAND = r"^<!-- graphrings ({verb} .*) -->\n\n"
TABLE = re.compile(COMMAND.format(verb="table") + r"((?:\|.*\n)+)", re.MULTILINE)
PICTURE = re.compile(COMMAND.format(verb="report"), re.MULTILINE)


def with_tables(page: str) -> str:
    """A page with the tables that its commands print; notes are the page's own."""

    def made(found: re.Match[str]) -> str:
        lines = run(found[1]).splitlines(keepends=True)
        return f"<!-- graphrings {found[1]} -->\n\n" + "".join(
            line for line in lines if line.startswith("|")
        )

    return TABLE.sub(made, page)


def run(command: str) -> str:
    """What a command prints when it is started in the folder of the project."""
    with chdir(ROOT):
        done = CliRunner().invoke(main, shlex.split(command), prog_name="graphrings")
    assert done.exit_code == 0, f"graphrings {command}\n{done.output}"
    return done.stdout


def make_stores() -> None:
    """A store of every export, and one of a folder of exports."""
    STORES.mkdir(parents=True, exist_ok=True)
    for export in EXPORTS.iterdir():
        store = STORES / f"{export.name.partition('.')[0]}.db"
        store.unlink(missing_ok=True)
        merge(sorted(export.iterdir()) if export.is_dir() else [export], store)


def write_pages() -> None:
    """Make all tables and pictures of all pages anew."""
    for path in (ROOT / "docs").glob("*.md"):
        page = path.read_text(encoding="utf-8")
        made = with_tables(page)
        for command in PICTURE.findall(page):
            run(command)
        if made != page:
            with whole_file(path) as place:
                place.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    make_stores()
    write_pages()
