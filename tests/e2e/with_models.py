"""What browser tests with a language model share: the product that may reach a local one, a page, and pictures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.e2e.axe import violations
from tests.e2e.conftest import faults_of, fresh_context
from tests.e2e.places import PHONE, WIDE
from tests.e2e.test_panels_and_popups import RULES
from tests.live import Product

PICTURES = os.environ.get("MODEL_PICTURES", "")
"""A folder for pictures, where wanted."""


@contextmanager
def product(folder: Path) -> Iterator[Product]:
    """The product on an installation that lets its organisations reach local models."""
    running = Product(folder / "data", environment={"MODEL_PRIVATE_ADDRESSES": "true"})
    running.start(timeout=240)
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def faultless_page(browser: Browser, running: Product) -> Iterator[Page]:
    """A page of a fresh visitor, on which nothing may go wrong."""
    context = fresh_context(browser, running)
    opened = context.new_page()
    faults = faults_of(opened)
    yield opened
    context.close()
    assert not faults, faults


def pictures(
    page: Page, name: str, *, sizes: tuple[dict[str, int], ...] = (WIDE, PHONE), before: Callable[[], object] = int
) -> None:
    """At these widths and in both themes; nothing may be unreadable. `before` each, what is looked at is shown."""
    stood = page.viewport_size or WIDE
    for size in sizes:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for theme in ("light", "dark"):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            before()
            found = violations(page, RULES)
            assert not found, found
            if PICTURES:
                page.screenshot(path=Path(PICTURES) / f"{name}-{theme}-{size['width']}.png")
    page.set_viewport_size(stood)
