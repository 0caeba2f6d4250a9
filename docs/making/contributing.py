"""Pages from files that lie beside the folder `docs`."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def contributing_page() -> str:
    """CONTRIBUTING.md, with links that lead from inside the site."""
    return _page("CONTRIBUTING.md")


def changelog_page() -> str:
    """CHANGELOG.md."""
    return _page("CHANGELOG.md")


def _page(name: str) -> str:
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.sub(r"\]\(docs/", "](", text)
