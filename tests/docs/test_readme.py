import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text of a section."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def figures(text: str) -> list[str]:
    """All numbers in the cells of tables."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return re.findall(r"(?<=\| )\d+\.\d+", "\n".join(rows))


def test_it_is_short() -> None:
    assert len(README.splitlines()) < 100


@pytest.mark.parametrize(("title", "page"), [("Results", "results.md"), ("Speed", "benchmarks.md")])
def test_figures_of_tables_are_those_of_the_docs(title: str, page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    shown = figures(section(title))
    assert len(shown) >= 10
    assert [figure for figure in shown if not re.search(rf"\b{re.escape(figure)}\b", text)] == []


def test_it_says_that_digits_of_the_demo_depend_on_the_processor() -> None:
    assert "digits of the demo depend on the processor" in " ".join(README.split())


def test_links_lead_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    pictures = re.findall(r'src="([^"]+)"', README)
    assert len(links) > 20
    assert [path for path in links + pictures if not (ROOT / path).exists()] == []
