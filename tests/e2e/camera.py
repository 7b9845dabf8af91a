"""A page of one width and theme, before a product with all its services, and the folder its pictures go to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from apps.integrations.fakes.base import serving
from apps.integrations.fakes.google import FakeGoogle
from apps.integrations.fakes.hubspot import FakeHubSpot
from apps.integrations.fakes.slack import FakeSlack
from tests.e2e.axe import MOTION_ENDED
from tests.e2e.outside import google_at, hubspot_at, slack_at
from tests.live import DEMO_PASSWORD, Product

SIZES = {1440: 900, 820: 1180, 390: 844}
DRAWN_MS = 900
"""A chart is drawn in 700 ms (SPEC section 9)."""
AROUND = 12
"""Pixels around an answer: its mark reaches to its edge."""
TO_THE_MIDDLE = "one => one.scrollIntoView({block: 'center'})"
LACKING = """(one, around) => {
    const room = one.closest('[aria-label="Messages"]').clientHeight;
    return Math.max(0, Math.ceil(one.offsetHeight + 2 * around - room));
}"""
CUT = """(one, around) => {
    const {x, y, width, height} = one.getBoundingClientRect();
    const hidden = parseFloat(getComputedStyle(one).paddingBottom);  // the place of buttons that nobody points at
    return {x: Math.max(0, x - around), y: y - around, width: width + 2 * around, height: height - hidden + 2 * around};
}"""
HIDE_NEWEST = """on => document.querySelectorAll('[aria-label=Newest]').forEach((one) => {
    one.style.visibility = on ? 'hidden' : '';
})"""
"""Set on the element: the page's policy refuses a style sheet of the camera's own."""


@dataclass(frozen=True)
class Shot:
    """Where pictures go, and the width and the theme of what is on them."""

    folder: Path
    width: int
    theme: str

    def file(self, name: str) -> Path:
        return self.folder / f"{name.replace(' ', '-')}-{self.theme}-{self.width}.png"


class Camera:
    """One page of one width and theme."""

    def __init__(self, page: Page, product: Product, shot: Shot) -> None:
        self.page, self.product, self.shot = page, product, shot

    def take(self, name: str) -> None:
        self.page.mouse.move(0, 0)  # what is under the pointer looks another way
        self.page.evaluate(MOTION_ENDED)
        self.page.screenshot(path=self.shot.file(name))

    def take_each_answer(self, name: str, *, with_chart: bool = True) -> None:
        """One picture of each answer: what is far from the window is drawn when the window comes near."""
        answers = self.page.get_by_role("article").filter(has=self.page.get_by_role("button", name="Copy answer"))
        expect(answers.first).to_be_visible()
        self.page.mouse.move(0, 0)
        for number in range(answers.count()):
            with self._window_for(answers.nth(number)) as answer:
                if with_chart:
                    expect(answer.get_by_role("figure")).to_be_visible()
                self.page.wait_for_timeout(DRAWN_MS)
                file = self.shot.file(f"{name}-{number:02d}")
                self.page.evaluate(HIDE_NEWEST, True)
                self.page.screenshot(path=file, clip=answer.evaluate(CUT, AROUND))
                self.page.evaluate(HIDE_NEWEST, False)

    @contextmanager
    def _window_for(self, answer: Locator) -> Iterator[Locator]:
        """The answer in the middle of a window that holds it whole: a higher one than usual where it must be."""
        usual = self.page.viewport_size
        assert usual is not None
        answer.evaluate(TO_THE_MIDDLE)  # what is out of view has no height of its own yet
        lacking = answer.evaluate(LACKING, AROUND)
        if lacking > 0:
            self.page.set_viewport_size({"width": usual["width"], "height": usual["height"] + lacking})
        answer.evaluate(TO_THE_MIDDLE)
        yield answer
        self.page.set_viewport_size(usual)


@contextmanager
def camera_of(browser: Browser, product: Product, shot: Shot, token: str | None) -> Iterator[Camera]:
    """A page of its own, signed in with the token where there is one."""
    context = browser.new_context(
        base_url=product.url,
        viewport={"width": shot.width, "height": SIZES[shot.width]},
        has_touch=shot.width < 600,
        color_scheme="dark" if shot.theme == "dark" else "light",
    )
    context.set_default_timeout(30_000)
    kept = {"theme": shot.theme, "audio": "false", **({"session": token} if token else {})}
    context.add_init_script(  # not in frames of other hosts, which have no storage
        f"if (top === window) for (const [key, value] of Object.entries({json.dumps(kept)})) localStorage[key] = value"
    )
    yield Camera(context.new_page(), product, shot)
    context.close()


def token_from(browser: Browser, product: Product) -> str:
    """A session that is the browser's own, by its name."""
    context = browser.new_context(base_url=product.url)
    who = {"username": "demo", "password": DEMO_PASSWORD}
    answer = context.request.post("/_allauth/app/v1/auth/login", data=who).json()
    context.close()
    return str(answer["meta"]["session_token"])


@contextmanager
def product_with_services(data: Path) -> Iterator[Product]:
    """The product beside stand-ins of its outside services, with a worker that can be held up."""
    slack = FakeSlack()
    with ExitStack() as stack:
        hubspot, google, chat = (stack.enter_context(serving(fake)) for fake in (FakeHubSpot(), FakeGoogle(), slack))
        slack.address = chat
        environment = {**hubspot_at(hubspot), **google_at(google), **slack_at(chat)}
        product = Product(data, settings="tests.e2e.settings", environment=environment)
        product.start(timeout=300)  # on a machine that does other things too
        stack.callback(product.stop)
        yield product
