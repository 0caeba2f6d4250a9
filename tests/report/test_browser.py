"""The page in a real browser: Chromium without a window, driven by Playwright."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import (
    IN_A_BROWSER,
    OPEN_ALL,
    OVERFLOW,
    PATIENCE,
    TOO_SMALL,
    WIDTHS,
    serious_faults,
    windows,
)
from graphrings.report.page import page as written_page
from report.records import METHODS, experiment, failure, records

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = IN_A_BROWSER


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with everything: two datasets, the paper's numbers, one cell that failed."""
    card = experiment(n_folds=3, methods=METHODS)
    first, *rest = records(card)
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(written_page(card, rest, [failure(first.cell)]), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def show(browser: Any, address: str, said: list[str]) -> Iterator[Any]:
    """Open the page in a window of its own: a width, and options of the window."""
    with windows(browser, said) as opened:
        yield lambda width=1440, **options: opened(address, width, **options)


def column(window: Any, table: str, number: int) -> list[str]:
    """The words of a column, from the top."""
    cells = window.locator(f"{table} > tbody > tr > :nth-child({number})")
    return [re.split(r"[\s±/]", words)[0] for words in cells.all_inner_texts()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows_nothing_is_too_small_and_the_console_stays_empty(
    show: Any, said: list[str], width: int, scheme: str
) -> None:
    window = show(width, color_scheme=scheme)
    window.evaluate(OPEN_ALL)
    assert window.evaluate(OVERFLOW) <= 0
    assert window.evaluate(TOO_SMALL, 11) == []
    assert said == []


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_axe_finds_no_serious_fault(show: Any, width: int, scheme: str) -> None:
    window = show(width, color_scheme=scheme)
    window.evaluate(OPEN_ALL)
    assert serious_faults(window) == []


def test_tables_are_sorted_by_the_mouse_and_by_keys(show: Any) -> None:
    window = show()
    table = ".of-accuracy .results"
    head = window.locator(f"{table} th", has_text="MUTAG")
    assert column(window, table, 1) == ["pgc-dgcnn", "dgcnn", "baseline-labels"]
    head.get_by_role("button").click()
    falling = [float(value) for value in column(window, table, 2)]
    assert falling == sorted(falling, reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    head.get_by_role("button").focus()
    window.keyboard.press("Enter")
    assert [float(value) for value in column(window, table, 2)] == falling[::-1]
    assert head.get_attribute("aria-sort") == "ascending"
    window.locator(f"{table} th", has_text="Method").get_by_role("button").press("Space")
    assert column(window, table, 1) == ["baseline-labels", "dgcnn", "pgc-dgcnn"]
    assert head.get_attribute("aria-sort") is None


@pytest.mark.parametrize("scripts", [True, False])
def test_the_score_is_chosen_by_the_mouse_and_by_keys(show: Any, scripts: bool) -> None:
    window = show(java_script_enabled=scripts)
    shown = window.locator("table.results:visible caption")
    assert shown.all_inner_texts() == ["Test accuracy, percent"]
    window.get_by_text("MCC", exact=True).first.click()
    assert shown.all_inner_texts() == ["Test MCC"]
    assert "highest mean MCC" in window.locator("header .headline:visible").inner_text()
    for section in ("folds", "cost"):
        pictures = window.locator(f"section:has(#{section}) [role=img]:visible").all()
        told = [picture.get_attribute("aria-label") for picture in pictures]
        assert len(told) == 2
        assert all("MCC" in words for words in told)
    words = window.locator(".intro:has(> #radius)").inner_text()
    assert "The cells do not tell it by MCC." in words  # validation folds have accuracy alone
    window.locator("#score-mcc").focus()
    window.keyboard.press("ArrowRight")
    assert shown.all_inner_texts() == ["Test AUROC, percent"]


def test_marks_tell_their_values_to_the_mouse_and_to_keys(show: Any) -> None:
    window = show()
    chart = window.locator("header .by-score:visible .chart").first
    marks = chart.locator(".t")
    marks.first.locator("circle").last.hover()
    first = window.locator("#tip").inner_text()
    assert re.fullmatch(r"\S+ on MUTAG: [\d.]+ %, 95 % interval .*, \d+( of \d+)? folds", first)
    window.mouse.move(0, 0)
    assert window.locator("#tip").inner_text() == ""
    chart.focus()
    assert window.locator("#tip").inner_text() == first
    window.keyboard.press("ArrowDown")
    assert window.locator("#tip").inner_text() == marks.nth(1).get_attribute("data-tip")
    assert window.locator("#tip").inner_text() != first
    window.keyboard.press("Escape")
    assert window.locator("#tip").inner_text() == ""


def test_without_scripts_everything_is_there(show: Any) -> None:
    window = show(java_script_enabled=False)
    sections = [link.get_attribute("href") for link in window.locator("nav a").all()]
    assert len(sections) > 10
    for section in sections:
        assert window.locator(f"h2{section}").is_visible()
    assert window.locator(".chart:visible").count() > 3
    assert "on MUTAG: " in window.locator(".chart .t title").first.text_content()
    assert not window.locator(".copy").first.is_visible()
    summary = window.locator("#curves").locator("xpath=../..").locator("summary").first
    summary.click()
    assert window.get_by_text("pgc-dgcnn, by radius").first.is_visible()


def test_code_is_copied(show: Any) -> None:
    window = show(permissions=["clipboard-read", "clipboard-write"])
    code = window.locator("header details.code")
    code.locator("summary").click()
    code.get_by_role("button").click()
    playwright.expect(code.get_by_role("button")).to_have_text("Copied", timeout=PATIENCE)
    assert window.evaluate("navigator.clipboard.readText()") == code.locator("pre").inner_text()


def test_the_contents_stay_in_sight_and_say_where_one_is(show: Any) -> None:
    for width in (390, 1440):
        window = show(width)
        window.locator("nav a", has_text="Confusion").evaluate("link => link.click()")
        current = window.locator("nav a[aria-current]")
        playwright.expect(current).to_have_text("Confusion", timeout=PATIENCE)
        assert window.locator("nav ul").bounding_box()["y"] >= -1
        assert window.locator("h2#confusion").bounding_box()["y"] >= 0


def test_no_other_script_runs(show: Any, said: list[str], address: str, tmp_path: Path) -> None:
    text = Path(address.removeprefix("file://")).read_text(encoding="utf-8")
    other = tmp_path / "other.html"
    bad = "<script>window.bad = 1</script><img src=x onerror='window.bad = 2'></main>"
    other.write_text(text.replace("</main>", bad), encoding="utf-8")
    window = show()
    assert said == []
    window.goto(other.as_uri())
    assert window.evaluate("window.bad") is None
    assert any("Content Security Policy" in words for words in said)


def test_the_page_is_printed_whole(show: Any, tmp_path: Path) -> None:
    window = show()
    printed = window.pdf(path=tmp_path / "page.pdf", format="A4")
    assert printed.startswith(b"%PDF")
    assert 4 <= len(re.findall(rb"/Type\s*/Page\b", printed)) < 60
    window.emulate_media(media="print")
    assert not window.locator("nav").is_visible()
    assert window.locator("table.results:visible").count() == 1
    assert window.locator("figure:visible svg").count() > 10
    for intro in window.locator(".intro").all():
        assert intro.evaluate("one => getComputedStyle(one).breakInside") == "avoid"
