"""The documentation site in a real browser, where ``make docs`` has built it."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from browsing import IN_A_BROWSER, OVERFLOW, WIDTHS, serious_faults, windows

SITE = Path(__file__).parents[2] / "build" / "site"
PAGES = ("index", "tutorials/chemist", "methods", "results", "explain", "filter-size")
pytestmark = [
    *IN_A_BROWSER,
    pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="no site; make docs builds it"),
]


class Quiet(SimpleHTTPRequestHandler):
    """A server that does not tell what it is asked for."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def show(browser: Any, address: str, said: list[str]) -> Iterator[Any]:
    """Open a page of the site by its name."""
    with windows(browser, said) as opened:
        yield lambda page, width=1440, **options: opened(f"{address}/{page}.html", width, **options)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows_and_the_console_stays_empty(
    show: Any, said: list[str], width: int
) -> None:
    for page in PAGES:
        assert show(page, width).evaluate(OVERFLOW) <= 0, page
        assert said == [], page


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_axe_finds_no_serious_fault(show: Any, width: int, scheme: str) -> None:
    for page in PAGES:
        window = show(page, width, color_scheme=scheme)
        window.wait_for_load_state("networkidle")
        assert serious_faults(window) == [], page


def test_without_scripts_everything_is_there(show: Any) -> None:
    window = show("index", java_script_enabled=False)
    assert window.locator("h1").first.is_visible()
    assert window.locator("article img:visible, article svg:visible").count() > 0
    assert window.locator("article pre:visible").count() > 0
    for page in PAGES:
        window = show(page, java_script_enabled=False)
        hidden = window.locator("article :is(p, li, pre, td, th):not(details *)").all()
        assert len(hidden) > 3
        assert all(one.is_visible() for one in hidden[:40]), page


def test_the_search_works_from_the_disk(browser: Any, said: list[str]) -> None:
    with windows(browser, said) as opened:
        window = opened(f"file://{SITE}/index.html")
        assert found(window, "SortPooling") > 3
        assert said == []


def found(window: Any, words: str) -> int:
    """How many pages the search finds."""
    field = window.locator(".md-search__input")
    field.click()
    field.press_sequentially(words)
    results = window.locator(".md-search-result__item")
    results.first.wait_for()
    return int(results.count())
