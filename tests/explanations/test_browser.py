"""The page of an explanation in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import graphrings as gr
from browsing import (
    IN_A_BROWSER,
    OPEN_ALL,
    OVERFLOW,
    TOO_SMALL,
    WIDTHS,
    serious_faults,
    windows,
)

pytestmark = IN_A_BROWSER
LONG = "CC(C)CC(NC(=O)C(CO)NC(=O)C(CS)NC(=O)CNC(=O)C(CC(=O)O)NC(=O)C(C)N)C(=O)O"


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Graphs of a file, small and large; molecules; three classes."""
    folder = tmp_path_factory.mktemp("pages")
    graphs = gr.synthetic.molecules(36, n_nodes=(3, 60))
    smiles = ["CCO", "c1ccccc1N", LONG, "CCCl", "CC(=O)O", "c1ccccc1[N+](=O)[O-]"] * 3
    molecules = gr.from_smiles(smiles, [0, 1, 0] * 6)
    three = gr.from_smiles(smiles, ["low", "middle", "high"] * 6)
    forest = gr.ForestClassifier(n_trees=10, random_state=0)
    for name, dataset in (("graphs", graphs), ("molecules", molecules), ("three", three)):
        gr.explain(forest.fit(dataset), dataset).save(folder / f"{name}.html")
    return {path.stem: path.as_uri() for path in folder.iterdir()}


@pytest.fixture
def show(browser: Any, addresses: dict[str, str], said: list[str]) -> Iterator[Any]:
    """Open a page by its name."""
    with windows(browser, said) as opened:
        yield lambda name, width=1440, **options: opened(addresses[name], width, **options)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows_nothing_is_too_small_and_the_console_stays_empty(
    show: Any, said: list[str], width: int
) -> None:
    for name, scheme in (("graphs", "light"), ("molecules", "dark"), ("three", "dark")):
        window = show(name, width, color_scheme=scheme)
        window.evaluate(OPEN_ALL)
        assert window.evaluate(OVERFLOW) <= 0
        assert window.evaluate(TOO_SMALL, 11) == []
        assert said == []


@pytest.mark.parametrize(
    ("name", "width", "scheme"), [("three", 390, "dark"), ("molecules", 1440, "light")]
)
def test_axe_finds_no_serious_fault(show: Any, name: str, width: int, scheme: str) -> None:
    window = show(name, width, color_scheme=scheme)
    window.evaluate(OPEN_ALL)
    assert serious_faults(window) == []


def test_without_scripts_everything_is_there(show: Any, tmp_path: Path) -> None:
    window = show("graphs", java_script_enabled=False)
    for title in ("All graphs together", "Single graphs"):
        assert window.get_by_role("heading", name=title).is_visible()
    assert window.locator("article .shape svg:visible").count() == 12
    assert window.locator("article > svg:visible").count() == 12
    assert window.locator("table:visible").count() == 2
    assert window.pdf(path=tmp_path / "page.pdf", format="A4").startswith(b"%PDF")
