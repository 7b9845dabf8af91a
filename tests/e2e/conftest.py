"""Chromium against the real product: a server process for each file of tests, a browser for each test process, a fresh
context a test. What one file brings and teaches the product no other file's questions meet."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.live import Product
from tests.prepared import made_once

PATIENCE_MS = 60_000
"""For a state to come, on a machine that does other things too; who waits for less says so."""
expect.set_options(timeout=PATIENCE_MS)

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    """The installed browser: CHROMIUM names it, else the usual names are looked for."""
    named = os.environ.get("CHROMIUM", "")
    found = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not found:
        raise RuntimeError("No Chromium was found: run `make setup`, or name one in CHROMIUM.")
    return found


@pytest.fixture(scope="session")
def demo_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a product that was started once: migrated, the demo loaded. Each begins with a copy."""

    def start(folder: Path) -> None:
        first = Product(folder / "data", settings="tests.e2e.settings")
        first.start()
        first.stop()

    return made_once(tmp_path_factory, "demo", start) / "data"


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory, demo_data: Path) -> Iterator[Product]:
    """The product with its demo organization, on data of its own."""
    data_dir = shutil.copytree(demo_data, tmp_path_factory.mktemp("product") / "data")
    running = Product(data_dir, settings="tests.e2e.settings")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), chromium_sandbox=False, args=FLAGS)
        yield started
        started.close()


def fresh_context(browser: Browser, product: Product) -> BrowserContext:
    """A browser of somebody who has never been here."""
    made = browser.new_context(base_url=product.url, viewport={"width": 1280, "height": 900})
    made.set_default_timeout(PATIENCE_MS)
    # Chromium hands its pages over to the routes of a test by a message of its own: a key pressed right after a test's
    # first route may be quicker than it. With a route from the start no test has a first one.
    made.route("**/asked-for-by-nobody", lambda route: route.abort())
    return made


@pytest.fixture
def context(browser: Browser, product: Product) -> Iterator[BrowserContext]:
    made = fresh_context(browser, product)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails its test where its script raised an error or the policy refused something."""
    opened = context.new_page()
    faults = faults_of(opened)
    yield opened
    assert not faults, faults


def faults_of(page: Page) -> list[str]:
    """Fills while the page is used: errors of its scripts, and what its Content-Security-Policy refused."""
    faults: list[str] = []

    def said(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(f"{page.url}: {message.text}")

    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    page.on("console", said)
    return faults


@pytest.fixture(scope="module")
def token(product: Product) -> str:
    """A session of the demo's member, for tests that are not about signing in."""
    return product.sign_in()


@pytest.fixture
def signed_in(page: Page, token: str) -> Page:
    """The page, signed in before its first address."""
    page.context.add_init_script(f"localStorage?.setItem('session', '{token}')")  # a PDF's frame has none
    return page


@pytest.fixture
def made_files(tmp_path: Path) -> Path:
    """A folder for the files a test uploads."""
    folder = tmp_path / "files"
    folder.mkdir()
    return folder
