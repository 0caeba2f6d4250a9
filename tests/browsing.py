"""A real browser for tests: Chromium without a window, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
IN_A_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]
PATIENCE = 120_000.0  # milliseconds: machines may be busy
WIDTHS = (390, 768, 1440)
SERIOUS = ("serious", "critical")
OPEN_ALL = "document.querySelectorAll('details').forEach(one => one.open = true)"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOO_SMALL = """least => [...document.querySelectorAll("body *")].filter(element => {
    const words = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!words || !element.checkVisibility()) return false;
    const svg = element.closest("svg[viewBox]");
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    return scale > 0 && scale * parseFloat(getComputedStyle(element).fontSize) < least;
}).map(element => element.outerHTML.slice(0, 90))"""


@contextmanager
def launched() -> Iterator[Any]:
    """A browser; tests are skipped where Playwright is not installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    sandbox = [] if getattr(os, "geteuid", lambda: 1)() else ["--no-sandbox"]
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(
            executable_path=CHROMIUM, args=sandbox, timeout=PATIENCE, chromium_sandbox=not sandbox
        )
        yield opened
        opened.close()


@contextmanager
def windows(browser: Any, said: list[str]) -> Iterator[Callable[..., Any]]:
    """A function that opens an address in a window of its own: its width, and further options.

    ``said`` gets what the browser says on its console, and every error.
    """
    contexts = []

    def opened(address: str, width: int = 1440, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        window = context.new_page()
        window.on("console", lambda message: said.append(message.text))
        window.on("pageerror", lambda error: said.append(str(error)))
        window.goto(address)
        return window

    yield opened
    for context in contexts:
        context.close()


def serious_faults(window: Any) -> list[str]:
    """What axe-core finds wrong with a page, and how."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    response = axe.Axe().run(window).response
    assert "color-contrast" in {rule["id"] for rule in response["passes"]}
    return [
        f"{fault['id']}: {node['target']} {node.get('failureSummary', '')}"
        for fault in response["violations"]
        if fault["impact"] in SERIOUS
        for node in fault["nodes"][:3]
    ]
