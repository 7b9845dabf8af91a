"""While a question is typed: how it would be read stands below, words are completed, and it can be turned off."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, Request, expect

from tests.e2e.axe import violations_in_both_themes
from tests.e2e.test_how_it_was_read import asked
from tests.e2e.test_panels_and_popups import RULES


def test_a_question_is_read_along_completed_by_keyboard_and_answered_as_it_was_previewed(
    signed_in: Page, made_files: Path
) -> None:
    page = signed_in
    asked(page, made_files, "How many harbour orders are there?")
    message = page.get_by_role("textbox", name="Message", exact=True)
    below = page.get_by_role("group", name="Read as").last
    words = page.get_by_role("listbox", name="What this may become")

    message.press_sequentially("total gross amount of snarks by harb")
    expect(words.get_by_role("option", name="harbour Column of harbour orders")).to_be_visible()
    expect(below).to_contain_text("Not read: snarks")
    assert violations_in_both_themes(page, RULES) == []
    high = message.bounding_box()
    message.press("ArrowDown")
    expect(words.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    message.press("Enter")
    expect(message).to_have_value("total gross amount of snarks by harbour")
    expect(words).to_have_count(0)
    assert message.bounding_box() == high

    message.fill("total gross amount by harbour")
    expect(below.get_by_role("listitem")).to_have_text(["Total gross amount", "By harbour", "In harbour orders"])
    message.press("Enter")
    answer = page.get_by_role("article").last
    expect(answer.get_by_role("list", name="Read as").get_by_role("listitem").first).to_contain_text(
        "Total gross amount"
    )


def test_where_a_line_is_too_short_for_all_parts_the_period_with_its_date_stays_whole(
    signed_in: Page, made_files: Path
) -> None:
    page = signed_in
    asked(page, made_files, "How many harbour orders are there?")
    page.set_viewport_size({"width": 760, "height": 844})
    message = page.get_by_role("textbox", name="Message", exact=True)
    message.fill("total net amount and total gross amount by harbour in March 2024 where harbour is Oslo")
    parts = page.get_by_role("group", name="Read as").last.get_by_role("listitem")
    period = parts.filter(has_text="March 2024, by order date")
    expect(period).to_have_attribute("title", "March 2024, by order date")
    cut = "one => one.scrollWidth > one.clientWidth"
    assert parts.last.evaluate(cut), "the line is too short for all of it"
    assert not period.evaluate(cut)


def test_it_is_turned_off_in_settings_and_stays_so(signed_in: Page) -> None:
    page = signed_in
    sent: list[Request] = []
    page.on("request", lambda one: sent.append(one) if one.url.endswith("/question-previews") else None)
    page.goto("/chat")
    message = page.get_by_role("textbox", name="Message", exact=True)
    message.press_sequentially("total amount by owner")
    expect(page.get_by_role("group", name="Read as")).to_be_visible()
    assert sent
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_role("switch", name="Preview while typing").click()
    expect(page.get_by_role("group", name="Read as")).to_have_count(0)
    page.reload()
    sent.clear()
    message.press_sequentially(" in 2025")
    page.wait_for_timeout(600)
    assert not sent
