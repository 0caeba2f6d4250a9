"""Tutorials: percent scripts that are run, and shown with all that they print and draw."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import jupytext
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import CapturedIO, capture_output
from mkdocs.exceptions import PluginError

FOLDER = Path(__file__).parents[2] / "examples" / "tutorials"
TAGS = re.compile(r"\x1b\[[0-9;]*m")


def tutorial_pages() -> dict[str, str | bytes]:
    """Every tutorial as a page with its output, and as a notebook to take along."""
    pages: dict[str, str | bytes] = {}
    for path in sorted(FOLDER.glob("*.py")):
        name = path.stem.replace("_", "-")
        notebook = jupytext.read(path)
        pages[f"tutorials/{name}.md"] = run_page(path, notebook.cells)
        pages[f"tutorials/{name}.ipynb"] = jupytext.writes(notebook, fmt="ipynb").encode()
    return pages


def run_page(path: Path, cells: list[Any]) -> str:
    """Run the cells one after the other; text stays, code is followed by its output."""
    shell = InteractiveShell.instance()
    shell.reset(new_session=True)
    parts = []
    for cell in cells:
        parts.append(
            cell.source if cell.cell_type == "markdown" else _run(path, shell, cell.source)
        )
    name = path.stem.replace("_", "-")
    parts.insert(1, f"[This page as a notebook]({name}.ipynb){{ .md-button download }}\n")
    return "\n\n".join(parts)


def _run(path: Path, shell: InteractiveShell, source: str) -> str:
    usual = shell.display_trap.hook
    with capture_output() as captured:
        shell.display_trap.hook = sys.displayhook  # the one that captures
        result = shell.run_cell(source, store_history=False)
    shell.display_trap.hook = usual
    if not result.success:
        error = result.error_before_exec or result.error_in_exec
        raise PluginError(f"{path.name}: the cell {source.splitlines()[0]!r} fails with {error!r}")
    return f"```python\n{source}\n```\n\n{shown_output(captured)}"


def shown_output(captured: CapturedIO) -> str:
    """What a cell printed, then what it showed: pictures as such, anything else as text."""
    parts = []
    printed = TAGS.sub("", captured.stdout + captured.stderr).rstrip()
    if printed:
        parts.append(f'```{{ .text .output title="Output" }}\n{printed}\n```')
    parts.extend(_rich(output.data) for output in captured.outputs)
    return "\n\n".join(parts)


def _rich(data: dict[str, str]) -> str:
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            lines = " ".join(data[kind].split("\n"))
            return f'<div class="shown">{lines}</div>'
    return f'```{{ .text .output title="Output" }}\n{data["text/plain"]}\n```'
