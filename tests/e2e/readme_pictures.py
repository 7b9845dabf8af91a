"""The README's pictures, taken anew: `python -m tests.e2e.readme_pictures`. Real answers over the demo's data."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.axe import MOTION_ENDED
from tests.e2e.camera import DRAWN_MS
from tests.e2e.conftest import FLAGS, chromium
from tests.e2e.test_the_main_job import ask, sign_in
from tests.live import ROOT, Product

FOLDER = ROOT / "docs" / "pictures"
WIN_RATE = "What is our win rate by owner this year?"
BY_STAGE = "What is the total amount of open deals by stage?"
HEAD_AT_TOP = """panel => {
    const scroller = panel.closest('[role=region][aria-label=Messages]');
    scroller.scrollTop += panel.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 64;
}"""


def opened(browser: Browser, product: Product, width: int, height: int, theme: str) -> Page:
    context = browser.new_context(
        base_url=product.url, viewport={"width": width, "height": height}, has_touch=width < 600
    )
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('theme', '{theme}'); localStorage.setItem('audio', 'false')")
    sign_in(page)
    return page


def answered(page: Page, question: str) -> None:
    ask(page, question)
    expect(page.get_by_role("article").last.get_by_role("figure")).to_be_visible()
    page.wait_for_timeout(DRAWN_MS)


def take(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    expect(page.get_by_role("status").filter(has_text="loaded")).to_have_count(0)
    page.evaluate(MOTION_ENDED)
    page.screenshot(path=FOLDER / f"{name}.png")


def main() -> None:
    expect.set_options(timeout=60_000)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        product = Product(Path(data) / "data")
        product.start(timeout=300)
        browser = playwright.chromium.launch(executable_path=chromium(), chromium_sandbox=False, args=FLAGS)
        page = opened(browser, product, 1440, 900, "light")
        answered(page, WIN_RATE)
        take(page, "chat-light")
        page.get_by_role("button", name="Validate").click()
        panel = page.get_by_role("region", name="Validation")
        expect(panel).to_be_visible()
        page.wait_for_timeout(DRAWN_MS)
        panel.evaluate(HEAD_AT_TOP)
        take(page, "validation")
        page.get_by_role("button", name="New Chat").click()
        answered(page, BY_STAGE)
        take(page, "answer")
        phone = opened(browser, product, 390, 844, "dark")
        answered(phone, WIN_RATE)
        take(phone, "phone-dark")
        browser.close()
        product.stop()


if __name__ == "__main__":
    main()
