"""Every panel and popup, wide and on a phone: it opens, nothing hurts axe's rules in either theme, nothing scrolls
sideways, and what a member sets there stays set."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.axe import lasting, violations_in_both_themes
from tests.e2e.places import PHONE, PLACES, WIDE, from_menu, leave, press, token_of, under_settings
from tests.e2e.test_the_main_job import ask
from tests.live import Product

RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
# A control that reaches over the window's side can be neither read nor pressed whole.
CUT_OFF = """() => [...document.querySelectorAll('button, input, textarea, select, a[href]')]
    .filter(one => one.checkVisibility({opacityProperty: true, visibilityProperty: true}))
    .map(one => [one.getAttribute('aria-label') || one.textContent || one.type, one.getBoundingClientRect()])
    .filter(([, {left, right, width}]) => width > 1 && (left < -0.5 || right > innerWidth + 0.5))
    .map(([name, {left, right}]) => `${name}: ${left} to ${right}`)"""
FOCUS_IS_INSIDE = "[document.body, ...document.querySelectorAll('[role=dialog] *')].includes(document.activeElement)"


NAMELESS = re.compile(r"^\s*- (?:button|link|textbox|combobox|checkbox|slider|switch|tab|figure)\b(?! \").*$", re.M)


def check(page: Page) -> None:
    """No violation of axe's rules, no control without a name, no sideways scrolling, once all stands still."""
    assert violations_in_both_themes(page, RULES) == []
    assert NAMELESS.findall(page.locator("body").aria_snapshot()) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def at_the_chat(page: Page, product: Product) -> None:
    """The chat of somebody who has asked something: the history holds it, and the usage counts it."""
    page.goto("/chat")
    product.ask(token_of(page), "What is our karma?")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_every_panel_and_popup_opens_and_hurts_no_rule(signed_in: Page, product: Product, size: dict[str, int]) -> None:
    page = signed_in
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    at_the_chat(page, product)
    for name, opened in PLACES.items():
        opened(page)
        try:
            check(page)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
        leave(page)


def cut_off(page: Page) -> list[str]:
    """The controls that last beyond the window; those of a panel that is still sliding in are none."""
    return lasting(page, lambda: page.evaluate(CUT_OFF), first=100)


@pytest.mark.parametrize(("width", "height"), [(720, 450), (320, 640)], ids=["at 200 percent", "at 320 pixels"])
def test_no_panel_or_popup_scrolls_sideways_where_there_is_little_room(
    signed_in: Page, product: Product, width: int, height: int
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": height})
    at_the_chat(page, product)
    for name, opened in PLACES.items():
        opened(page)
        assert cut_off(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        leave(page)


def test_chart_formatting_shapes_the_charts_at_once_and_stays(signed_in: Page) -> None:
    page = signed_in
    page.goto("/chat")
    ask(page, "Total amount of won deals by owner as a bar chart")
    bars = page.locator("[data-chart-plot] svg path[fill]")
    expect(bars.first).to_be_visible()
    under_settings("Chart Formatting")(page)
    swatch = page.get_by_label("Primary color", exact=True).bounding_box() or {}
    size = [swatch.get("width"), swatch.get("height")]
    assert size == pytest.approx([32, 38.4], abs=0.1), "2rem by 2.4rem (SPEC section 9)"
    page.get_by_label("Primary color as hex").fill("#22AA33")
    press(page, "Submit")
    expect(page.locator("[data-chart-plot] svg path[fill='#22AA33']").first).to_be_visible()
    page.reload()
    expect(page.locator("[data-chart-plot] svg path[fill='#22AA33']").first).to_be_visible()
    under_settings("Chart Formatting")(page)
    page.get_by_label("Primary color as hex").fill("#F75D2C")
    press(page, "Submit")


def test_keywords_are_saved_together_and_cancel_takes_them_back(signed_in: Page) -> None:
    page = signed_in
    page.goto("/chat")
    under_settings("Keywords")(page)
    page.get_by_label("Keyword", exact=True).fill("Whale")
    page.get_by_label("Definition", exact=True).fill("a deal with an amount above 300000")
    press(page, "Add")
    expect(page.get_by_text("Unsaved changes")).to_be_visible()
    press(page, "Submit")
    expect(page.get_by_text("Keywords updated")).to_be_visible()
    page.reload()
    under_settings("Keywords")(page)
    press(page, "Delete Whale")
    press(page, "Cancel")
    press(page, "Keywords")
    expect(page.get_by_role("button", name="Expand Whale")).to_be_visible()


def test_a_popup_keeps_the_focus_inside_and_gives_it_back(signed_in: Page) -> None:
    page = signed_in
    page.goto("/chat")
    opener = page.get_by_role("button", name="Help", exact=True)
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        inside = page.evaluate(FOCUS_IS_INSIDE)
        assert inside
    # Behind the last control the focus passes through the browser's own bar, and an Escape pressed there may be the
    # browser's: the key is pressed on a control, well behind the first one.
    controls = page.get_by_role("dialog").get_by_role("button")
    controls.first.focus()
    page.keyboard.press("Tab")
    expect(page.locator("[role=dialog] *:focus")).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_a_popup_that_was_left_while_its_program_was_on_its_way_does_not_open_over_the_page(signed_in: Page) -> None:
    page = signed_in
    page.set_viewport_size({"width": 320, "height": 640})
    waiting: list[Route] = []
    page.route("**/bundles/previews.*.js", lambda route: waiting.append(route))
    page.goto("/chat")
    PLACES["preview"](page)
    leave(page)
    assert waiting, "the program of the preview was fetched"
    with page.expect_response("**/bundles/previews.*.js"):
        waiting[0].continue_()
    page.wait_for_timeout(500)  # what was fetched would be drawn by now
    from_menu(page, "History")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
