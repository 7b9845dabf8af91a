"""A Chromium of the benches' own before a running product."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, expect, sync_playwright

from tests.e2e.conftest import FLAGS, chromium
from tests.live import DEMO_PASSWORD, Product, free_port


@contextmanager
def opened(product: Product, folder: Path) -> Iterator[tuple[BrowserContext, int]]:
    """A browser with a profile of its own, and the port by which other tools may drive it."""
    port = free_port()
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=chromium(),
            chromium_sandbox=False,
            args=[*FLAGS, f"--remote-debugging-port={port}"],
            base_url=product.url,
            viewport={"width": 1440, "height": 900},
        )
        yield context, port
        context.close()


def sign_in(context: BrowserContext) -> None:
    """All tabs of the browser are signed in from now on."""
    page = context.new_page()
    page.goto("/login")
    page.get_by_label("Username").fill("demo")
    page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    page.get_by_role("checkbox").check()  # stay signed in: in this browser, not in this tab
    page.get_by_role("button", name="Login").click()
    expect(page.get_by_text("how can I support you today?")).to_be_visible(timeout=60_000)
    page.close()
