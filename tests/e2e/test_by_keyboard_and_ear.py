"""The chat without a mouse, without a screen, and on a phone in the dark."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.holding import held
from tests.e2e.keyboard import tab_to
from tests.e2e.places import PHONE, press
from tests.e2e.test_the_chat_under_way import answered, start
from tests.e2e.test_the_main_job import ask
from tests.live import Product

QUESTION = "Total amount of won deals by owner as a bar chart"


def test_a_question_is_asked_rated_and_found_again_by_keyboard_alone(signed_in: Page) -> None:
    page = signed_in
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/chat")
    field = page.get_by_label("Message", exact=True)
    expect(page.get_by_text("how can I support you today?")).to_be_visible()
    expect(field).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(field).not_to_be_focused()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type("How many deals")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("are there?")
    expect(field).to_have_value("How many deals\nare there?")
    page.keyboard.press("Enter")
    answered(page)
    expect(field).to_be_focused()

    page.keyboard.press("ArrowUp")  # the last question, to be asked once more in other words
    expect(field).to_have_value("How many deals\nare there?")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    copy = page.get_by_role("button", name="Copy answer").last
    page.get_by_role("region", name="Messages").focus()
    tab_to(page, copy)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Message copied")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Bad answer").last)  # a good one would be quoted by later answers
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_label("What can Plumbline do better?")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.keyboard.press("Control+Shift+o")
    expect(page.get_by_text("how can I support you today?")).to_be_visible()
    page.keyboard.press("Control+k")
    search = page.get_by_label("Search history")
    expect(search).to_be_focused()
    page.keyboard.type("how many deals")
    tab_to(page, page.get_by_role("region", name="Today").get_by_role("button").first)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/chat/c/"))
    expect(copy).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="History")).to_have_count(0)
    page.keyboard.press("Control+b")
    expect(page.get_by_role("button", name="make the menu large")).to_be_visible()


def test_the_message_input_grows_to_120_px_and_then_scrolls(signed_in: Page) -> None:
    page = signed_in
    page.goto("/chat")
    field = page.get_by_label("Message", exact=True)
    heights = []
    for lines in (1, 2, 40):
        field.fill("\n".join(["one more line"] * lines))
        heights.append((field.bounding_box() or {})["height"])
    assert heights[0] < heights[1] < heights[2] == 120
    assert field.evaluate("one => one.scrollHeight > one.clientHeight")
    expect(page.get_by_role("button", name="Send")).to_be_in_viewport()


def test_a_screen_reader_is_told_who_spoke_what_goes_on_and_that_the_answer_is_there(
    signed_in: Page, product: Product
) -> None:
    page = signed_in
    with held(product.data_dir) as hold:
        start(page, QUESTION)
        going = re.compile("^(Starting Plumbline AI processing algorithm|Searching|Analyzing)")
        expect(page.get_by_role("status").filter(has_text=going)).to_have_count(1)
        hold.let_go()
        answered(page)
    expect(page.get_by_role("status").filter(has_text=re.compile("^Answer ready$"))).to_have_count(1)
    messages = page.get_by_role("region", name="Messages").get_by_role("list").first
    turns = messages.get_by_role("article")
    expect(turns).to_have_count(2)
    expect(turns.nth(0).get_by_role("heading", name="You")).to_have_count(1)
    expect(turns.nth(1).get_by_role("heading", name="Plumbline")).to_have_count(1)
    chart = turns.nth(1).get_by_role("figure")
    expect(chart).to_have_accessible_name(re.compile("^Bar Chart.*[0-9]", re.S))
    turns.nth(1).get_by_role("tab", name="Table").click()
    expect(turns.nth(1).get_by_role("columnheader").first).to_be_visible()
    for landmark in ("main", "navigation"):
        expect(page.get_by_role(landmark)).to_have_count(1)  # type: ignore[arg-type]
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


def test_the_main_job_on_a_phone_in_the_dark(signed_in: Page) -> None:
    page = signed_in
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.add_init_script("localStorage.setItem('theme', 'dark')")
    page.goto("/chat")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    ask(page, QUESTION)
    answer = page.get_by_role("article").last
    expect(answer.get_by_role("figure")).to_be_visible()
    answer.get_by_role("tab", name="Table").click()
    expect(answer.get_by_role("table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    thread = page.url
    press(page, "New Chat")
    expect(page.get_by_text("how can I support you today?")).to_be_visible()
    press(page, "Menu")
    press(page, "History")
    page.get_by_role("region", name="Today").get_by_role("button").filter(has_text="won deals by owner").first.click()
    expect(page).to_have_url(thread)
    expect(page.get_by_role("heading", name="History")).to_have_count(0)
    expect(page.get_by_role("article").last.get_by_role("table")).to_be_visible()
