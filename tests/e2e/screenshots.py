"""`make screenshots`: every screen, panel, popup, state and chart type in both themes at three widths, as PNG files."""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.e2e.camera import DRAWN_MS, SIZES, Camera, Shot, camera_of, product_with_services, token_from
from tests.e2e.checked import CONFIRMED, FOUND, checked_answer
from tests.e2e.conftest import FLAGS, chromium
from tests.e2e.gallery import (
    chart_thread,
    each_type,
    hard_cases,
    hard_turns,
    models_listed,
    serve_thread,
)
from tests.e2e.places import PLACES, from_menu, leave, press, source
from tests.e2e.scenes import GREETING, at_work, choosing, files, moved, opened, settings, slack, toasts, under_way
from tests.e2e.scenes_admin import administration
from tests.e2e.scenes_kept import history, overview, papers
from tests.e2e.screens import SCREENS
from tests.e2e.states import NEEDS, NOTHING, WITH_THE_CHAT, answering, never, refused
from tests.e2e.test_the_main_job import ask
from tests.live import Product

THEMES = ("light", "dark")
QUESTIONS = (
    "What was the total amount of won deals in each of the last 12 months?",
    "Who are the top 5 owners by amount of won deals this year?",
    "How does the amount of won deals this quarter compare with last quarter?",
)


def screens(camera: Camera) -> None:
    for name, show in SCREENS.items():
        show(camera.page)
        expect(camera.page.get_by_role("main")).to_be_visible()
        camera.take(f"screen-{name}")


def panels(camera: Camera) -> None:
    page = camera.page
    expect(page.get_by_role("list", name="Example questions").get_by_role("button")).to_have_count(4)
    camera.take("chat-empty")
    for name, show in PLACES.items():
        show(page)
        page.wait_for_timeout(300)
        camera.take(f"panel-{name}")
        leave(page)
    if camera.page.viewport_size == {"width": 1440, "height": 900}:
        page.get_by_role("button", name="make the menu small").click()
        camera.take("chat-small-menu")
        page.get_by_role("button", name="make the menu large").click()


def states(camera: Camera) -> None:
    page = camera.page
    for place in NEEDS:
        if place not in WITH_THE_CHAT:
            with answering(page, place, never):
                page.wait_for_timeout(600)
                camera.take(f"loading-{place}")
        with answering(page, place, refused):
            page.wait_for_timeout(2_500)  # the second try of a failed call comes after a second
            camera.take(f"failed-{place}")
    for place, none in NOTHING.items():
        with answering(page, place, lambda route, none=none: route.fulfill(json=none)):  # type: ignore[misc]
            page.wait_for_timeout(300)
            camera.take(f"none-{place}")
            if place == "manage data":
                leave(page)
                expect(page.get_by_role("button", name="Upload a file")).to_be_visible()
                camera.take("greeting-without-data")
    page.goto("/chat")
    expect(page.get_by_text(GREETING)).to_be_visible()


def services(camera: Camera) -> None:
    """The connected services; they are let go again, so that the next camera meets them as this one did."""
    page = camera.page
    source("HubSpot")(page)
    press(page, "Click to Connect")
    page.get_by_role("link", name="Connect app").click()
    expect(page.get_by_role("group", name="Filter by")).to_be_visible()
    expect(page.get_by_role("button", name="Preview deals")).to_be_enabled(timeout=60_000)
    expect(page.get_by_role("button", name="Refresh Data")).to_be_enabled(timeout=60_000)
    camera.take("connected-crm")
    page.get_by_role("group", name="Filter by").get_by_role("button", name="Deals").click()
    page.get_by_label("Search properties").scroll_into_view_if_needed()
    camera.take("connected-crm-properties")
    moved(camera)
    press(page, "Disconnect")
    camera.take("connected-crm-letting-go")
    press(page, "Disconnect, delete files")
    expect(page.get_by_role("button", name="Click to Connect")).to_be_visible()
    page.get_by_role("group", name="Data sources").get_by_role("button", name="Google Sheets").click()
    with page.expect_popup() as opened:
        press(page, "Sign In")
    opened.value.get_by_role("button", name="Allow").click()
    press(page, "Upload Sheets")
    picker = page.get_by_role("dialog", name="Select a file").locator("iframe").content_frame
    picker.get_by_role("button", name="Pipeline 2026").click()
    popup = page.get_by_role("dialog", name="Which tabs would you like to connect?")
    popup.get_by_role("button", name="Deals").click()
    expect(page.get_by_role("button", name="Close message")).to_have_count(0, timeout=15_000)
    camera.take("popup-connect-tabs")
    popup.get_by_role("button", name="Connect (1)").click()
    row = page.get_by_role("region", name="Connected Sheets").get_by_role("button", name="Preview Deals")
    expect(row).to_be_enabled(timeout=60_000)
    expect(page.get_by_role("button", name="Upload Sheets")).to_be_enabled()
    camera.take("connected-sheets")
    press(page, "Disconnect Google")
    press(page, "Disconnect, delete files")
    expect(page.get_by_role("button", name="Sign In")).to_be_visible()
    leave(page)


def answers(camera: Camera) -> None:
    page = camera.page
    for question in QUESTIONS:
        ask(page, question)
    page.wait_for_timeout(DRAWN_MS)
    camera.take("chat-answer")
    page.get_by_role("button", name="How this was computed").last.click()
    page.wait_for_timeout(300)
    camera.take("chat-evidence")
    for name, thumb in (("thumbs-down", "Bad answer"), ("thumbs-up", "Good answer")):
        page.get_by_role("button", name=thumb).nth(0 if name == "thumbs-up" else -1).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        camera.take(f"popup-{name}")
        leave(page)
    press(page, "Choose files for this question")
    popup = page.get_by_role("dialog")
    popup.get_by_role("button", name=re.compile("^deals")).click()
    camera.take("popup-context")
    popup.get_by_role("button", name="Confirm").click()
    camera.take("composer-with-files")
    from_menu(page, "History")
    page.wait_for_timeout(300)
    camera.take("panel-history-with-threads")
    leave(page)


def checks(camera: Camera) -> None:
    agreed = [(name, "AAA", 0, found) for name, found in FOUND.items()]
    for name, groups, best, found in (*agreed, ("mixed", "AAB", 0, CONFIRMED), ("disagree", "ABB", 1, CONFIRMED)):
        serve_thread(camera.page, checked_answer(groups, best, found))
        opened(camera.page)
        camera.page.get_by_role("button", name=re.compile("agree|Reading")).click()
        panel = camera.page.get_by_role("region", name="Validation")
        expect(panel).to_be_visible()
        camera.take(f"validation-{name}")
        if name == "disagree":
            panel.get_by_role("tab", name="Approach 2").click()
            camera.take("validation-recommended")


def messages(camera: Camera) -> None:
    """Hard answers: wide and long tables, long questions, files, all models' answers; the picker of models."""
    page = camera.page
    page.route("**/api/v3/models", models_listed)
    serve_thread(page, hard_turns())
    opened(page)
    camera.take_each_answer("answer", with_chart=False)
    for part in ("top", "bottom"):
        page.get_by_role("region", name="Messages").evaluate(
            "(one, part) => one.scrollTo(0, part === 'top' ? 0 : one.scrollHeight)", part
        )
        page.wait_for_timeout(300)
        camera.take(f"messages-{part}")
    page.get_by_role("button", name="Models: ").click()
    for name in ("Thinker", "Writer"):
        page.get_by_role("group", name="Models").get_by_role("button", name=name).click()
        camera.take(f"models-{name.lower()}")
    page.keyboard.press("Escape")


def charts(camera: Camera) -> None:
    for name, cases in (("chart", each_type), ("hard", hard_cases)):
        serve_thread(camera.page, chart_thread(cases()))
        opened(camera.page)
        camera.take_each_answer(name)
    serve_thread(camera.page, chart_thread(iter([next(each_type())])))
    opened(camera.page)
    for picker in ("Chart type", "Colors", "Show as table"):
        press(camera.page, picker)
        camera.page.wait_for_timeout(DRAWN_MS)
        camera.take(f"chart-{picker.lower()}")


PARTS: dict[str, Callable[[Camera], None]] = {
    "screens": screens,
    "panels": panels,
    "states": states,
    "answers": answers,
    "settings": settings,
    "files": files,
    "history": history,
    "papers": papers,
    "overview": overview,
    "under-way": under_way,
    "at-work": at_work,
    "choosing": choosing,
    "toasts": toasts,
    "slack": slack,
    "checks": checks,
    "messages": messages,
    "charts": charts,
    "services": services,
    "administration": administration,
}
SIGNED_OUT = frozenset({"screens", "administration"})
LATER = frozenset({"services"})
"""What changes the demo's data: done when all else is done."""


def photograph(browser: Browser, product: Product, token: str, shot: Shot, part: str) -> str | None:
    """One part on a page of its own, at the chat unless it shows who is signed out; tells what went wrong."""
    with camera_of(browser, product, shot, None if part in SIGNED_OUT else token) as camera:
        try:
            if part not in SIGNED_OUT:
                camera.page.goto("/chat")
                expect(camera.page.get_by_text(GREETING)).to_be_visible()
            PARTS[part](camera)
        except (AssertionError, PlaywrightError) as error:
            return f"{part}, {shot.theme} {shot.width}: {error}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--widths", nargs="*", type=int, choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--themes", nargs="*", choices=THEMES, default=list(THEMES))
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    parts = sorted((part for part in PARTS if part in chosen.only), key=LATER.__contains__)
    failures: list[str] = []
    with (
        tempfile.TemporaryDirectory() as data,
        sync_playwright() as playwright,
        product_with_services(Path(data) / "data") as product,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), chromium_sandbox=False, args=FLAGS)
        token = token_from(browser, product)
        for part, theme, width in itertools.product(parts, chosen.themes, chosen.widths):
            failure = photograph(browser, product, token, Shot(chosen.folder, width, theme), part)
            print(failure or f"{part}, {theme} {width}", flush=True)
            failures += [failure] if failure else []
        browser.close()
    print(f"{len(list(chosen.folder.glob('*.png')))} pictures in {chosen.folder}; {len(failures)} parts failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
