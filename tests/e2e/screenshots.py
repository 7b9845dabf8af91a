"""`make screenshots`: every screen, panel, popup, state and chart type in both themes at three widths, as PNG files."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.axe import MOTION_ENDED
from tests.e2e.conftest import FLAGS, chromium
from tests.e2e.gallery import ADDRESS, chart_thread, checked_answer, each_type, hard_cases, serve_thread
from tests.e2e.places import PLACES, leave, press
from tests.e2e.test_the_main_job import ask, sign_in
from tests.live import Product

SIZES = {1440: 900, 820: 1180, 390: 844}
THEMES = ("light", "dark")
QUESTIONS = (
    "What was the total amount of won deals in each of the last 12 months?",
    "Who are the top 5 owners by amount of won deals this year?",
    "How does the amount of won deals this quarter compare with last quarter?",
)
DRAWN_MS = 900
"""A chart is drawn in 700 ms (SPEC section 9)."""
SIGNED_OUT = ("/login", "/forgot-password", "/privacy", "/error", "/nowhere", "/chat", "/create-password?key=none")


class Camera:
    """One page of one width and theme, and the folder its pictures go to."""

    def __init__(self, page: Page, folder: Path, mark: str) -> None:
        self.page, self.folder, self.mark = page, folder, mark

    def take(self, name: str) -> None:
        self.page.evaluate(MOTION_ENDED)
        self.page.screenshot(path=self.folder / f"{name.replace(' ', '-')}-{self.mark}.png")

    def take_each_answer(self, name: str) -> None:
        """One picture of each answer: what is far from the window is drawn when the window comes near."""
        answers = self.page.get_by_role("article").filter(has=self.page.get_by_role("button", name="Copy answer"))
        expect(answers.first).to_be_visible()
        for number in range(answers.count()):
            answer = answers.nth(number)
            answer.evaluate("one => one.scrollIntoView({block: 'center'})")
            expect(answer.get_by_role("figure")).to_be_visible()
            self.page.wait_for_timeout(DRAWN_MS)
            answer.screenshot(path=self.folder / f"{name}-{number:02d}-{self.mark}.png")


def screens(camera: Camera) -> None:
    for address in SIGNED_OUT:
        camera.page.goto(address)
        expect(camera.page.get_by_role("main")).to_be_visible()
        camera.take("screen" + address.split("?")[0].replace("/", "-"))


def panels(camera: Camera) -> None:
    expect(camera.page.get_by_role("list", name="Example questions").get_by_role("button")).to_have_count(4)
    camera.take("chat-empty")
    for name, opened in PLACES.items():
        opened(camera.page)
        camera.page.wait_for_timeout(300)
        camera.take(f"panel-{name}")
        leave(camera.page)


def answers(camera: Camera) -> None:
    for question in QUESTIONS:
        ask(camera.page, question)
    camera.page.wait_for_timeout(900)
    camera.take("chat-answer")
    thumb = camera.page.get_by_role("button", name="Bad answer").last
    thumb.click()
    expect(camera.page.get_by_role("dialog")).to_be_visible()
    camera.take("popup-thumbs-down")
    leave(camera.page)
    press(camera.page, "Choose files for this question")
    expect(camera.page.get_by_role("dialog")).to_be_visible()
    camera.take("popup-context")
    leave(camera.page)


def checks(camera: Camera) -> None:
    for name, groups, best in (("agree", "AAA", 0), ("mixed", "AAB", 0), ("disagree", "ABB", 1)):
        serve_thread(camera.page, checked_answer(groups, best))
        camera.page.goto(ADDRESS)
        camera.page.get_by_role("button", name="agree").click()
        expect(camera.page.get_by_role("region", name="Validation")).to_be_visible()
        camera.take(f"validation-{name}")


def charts(camera: Camera) -> None:
    for name, cases in (("chart", each_type), ("hard", hard_cases)):
        serve_thread(camera.page, chart_thread(cases()))
        camera.page.goto(ADDRESS)
        camera.take_each_answer(name)
    serve_thread(camera.page, chart_thread(iter([next(each_type())])))
    camera.page.goto(ADDRESS)
    for picker in ("Chart type", "Colors", "Show as table"):
        press(camera.page, picker)
        camera.page.wait_for_timeout(DRAWN_MS)
        camera.take(f"chart-{picker.lower()}")


PARTS: dict[str, Callable[[Camera], None]] = {"panels": panels, "answers": answers, "checks": checks, "charts": charts}


@contextmanager
def camera_of(browser: Browser, product: Product, folder: Path, width: int, theme: str) -> Iterator[Camera]:
    context = browser.new_context(
        base_url=product.url, viewport={"width": width, "height": SIZES[width]}, has_touch=width < 600
    )
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('theme', '{theme}'); localStorage.setItem('audio', 'false')")
    yield Camera(page, folder, f"{theme}-{width}")
    context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", choices=["screens", *PARTS], default=["screens", *PARTS])
    parser.add_argument("--widths", nargs="*", type=int, choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--themes", nargs="*", choices=THEMES, default=list(THEMES))
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        product = Product(Path(data) / "data")
        product.start()
        browser = playwright.chromium.launch(executable_path=chromium(), chromium_sandbox=False, args=FLAGS)
        try:
            for theme in chosen.themes:
                for width in chosen.widths:
                    with camera_of(browser, product, chosen.folder, width, theme) as camera:
                        if "screens" in chosen.only:
                            screens(camera)
                        sign_in(camera.page)
                        for name in (name for name in PARTS if name in chosen.only):
                            PARTS[name](camera)
                    print(f"{theme} {width}", flush=True)
        finally:
            browser.close()
            product.stop()
    print(f"{len(list(chosen.folder.glob('*.png')))} pictures in {chosen.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
