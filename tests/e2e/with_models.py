"""What browser tests with a language model share: the product that may reach a local one, a page, and pictures."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from apps.analyst.approaches.models.fake import FakeProviders
from tests.e2e.axe import violations
from tests.e2e.conftest import faults_of, fresh_context
from tests.e2e.places import PHONE, WIDE, token_of
from tests.e2e.test_panels_and_popups import RULES
from tests.live import Product

PICTURES = os.environ.get("MODEL_PICTURES", "")
"""A folder for pictures, where wanted."""


def fixtures(say: Callable[[list[str]], str]) -> tuple[Any, Any, Any]:
    """For a module: a server whose model says this, the product that may reach it, and a page of the product."""

    @pytest.fixture(scope="module")
    def local() -> Iterator[FakeProviders]:
        with FakeProviders(say=say) as fake:
            yield fake

    @pytest.fixture(scope="module")
    def running(tmp_path_factory: pytest.TempPathFactory, demo_data: Path) -> Iterator[Product]:
        with product(shutil.copytree(demo_data, tmp_path_factory.mktemp("models") / "data")) as started:
            yield started

    @pytest.fixture
    def page(browser: Browser, running: Product) -> Iterator[Page]:
        with faultless_page(browser, running) as opened:
            yield opened

    return local, running, page


def add_model(page: Page, local: FakeProviders) -> None:
    """Adds the server's model to the organization of whoever is signed in, and shows the chat with it."""
    added = page.request.post(
        "/api/v3/models/own",
        headers={"Authorization": f"Bearer {token_of(page)}"},
        data={"provider": "openai", "model": "local-7b", "key": "k", "base_url": f"{local.address}/v1"},
    )
    assert added.status == 201, added.text()
    page.reload()


@contextmanager
def product(data_dir: Path) -> Iterator[Product]:
    """The product on an installation that lets its organizations reach local models."""
    running = Product(data_dir, environment={"MODEL_PRIVATE_ADDRESSES": "true"})
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
