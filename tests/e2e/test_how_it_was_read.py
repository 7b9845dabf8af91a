"""How a question was read: the parts under an answer, changing one, going back, and a refusal that leads on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations_in_both_themes
from tests.e2e.gallery import ADDRESS, serve_thread
from tests.e2e.samples import parted_at_length
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_the_main_job import ask, ready, upload

ORDERS = "order id,harbour,net amount,gross amount,order date,ship date\n" + "\n".join(
    f"{n},{('Oslo', 'Riga')[n % 2]},{10 * n},{12 * n},2024-0{1 + n % 6}-10,2024-0{2 + n % 6}-11" for n in range(1, 41)
)
ASKED = "What is the glorious total net amount by harbour?"


def asked(page: Page, folder: Path, question: str) -> None:
    """The question, put about forty orders of two harbours."""
    (folder / "harbour orders.csv").write_text(ORDERS)
    page.goto("/chat")
    upload(page, folder / "harbour orders.csv")
    ready(page, "harbour orders")
    page.get_by_role("button", name="Manage Data", exact=True).click()
    ask(page, question)


def test_a_part_of_the_reading_is_changed_in_place_and_the_former_answer_stays(
    signed_in: Page, made_files: Path
) -> None:
    page = signed_in
    asked(page, made_files, ASKED)
    answer = page.get_by_role("article").last
    parts = answer.get_by_role("list", name="Read as").get_by_role("listitem")
    expect(parts.first).to_contain_text("Total net amount")
    expect(page.get_by_role("article").get_by_role("mark")).to_have_text(re.compile("^glorious"))
    expect(answer).to_contain_text("4,200")

    parts.first.get_by_role("button").press("Enter")
    others = answer.get_by_role("group", name="Other readings of: Total net amount")
    gross = others.get_by_role("button", name=re.compile("^Total gross amount"))
    expect(gross).to_contain_text("5,040")
    assert violations_in_both_themes(page, RULES) == []
    gross.press("Enter")
    expect(answer).to_contain_text("5,040")
    expect(parts.first).to_contain_text("Total gross amount")
    expect(answer.get_by_role("group", name="Read as")).to_be_focused()

    versions = answer.get_by_role("group", name="Answer 2 of 2")
    versions.get_by_role("button", name="Earlier answer").press("Enter")
    expect(answer).to_contain_text("4,200")
    expect(answer.get_by_role("group", name="Answer 1 of 2")).to_be_focused()
    page.reload()
    expect(page.get_by_role("article").last).to_contain_text("4,200")
    expect(page.get_by_role("group", name="Answer 1 of 2")).to_be_visible()


def test_escape_closes_the_readings_of_a_part(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    asked(page, made_files, "What is the total net amount by harbour?")
    part = page.get_by_role("list", name="Read as").get_by_role("button").first
    part.click()
    expect(page.get_by_role("group", name=re.compile("^Other readings of"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name=re.compile("^Other readings of"))).to_have_count(0)
    expect(part).to_be_focused()


def test_a_refusal_leads_on_to_an_answer(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    asked(page, made_files, "frobnicated brouhaha per snark of the harbour orders")
    refusal = page.get_by_role("article").last
    expect(page.get_by_role("article").get_by_role("mark").first).to_be_visible()
    choice = refusal.get_by_role("list", name=re.compile("word may mean|come close|these questions")).first
    choice.get_by_role("button").first.click()
    expect(page.get_by_role("article").last.get_by_role("list", name="Read as")).to_be_visible()


def test_always_keeps_the_date_that_periods_go_by_and_the_dictionary_says_so(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    asked(page, made_files, "What was the total net amount in March 2024?")
    answer = page.get_by_role("article").last
    answer.get_by_role("list", name="Read as").get_by_role("button", name=re.compile("by order date")).click()
    others = answer.get_by_role("group", name=re.compile("^Other readings of"))
    others.get_by_role("switch", name="Always read it as I choose, for everybody here").click()
    expect(others).to_contain_text("Periods of harbour orders will go by ship date.")
    others.get_by_role("button", name=re.compile("^By ship date")).click()
    expect(answer.get_by_role("list", name="Read as")).to_contain_text("by ship date")
    expect(answer.get_by_role("group", name="Answer 2 of 2")).to_be_visible()

    page.get_by_role("button", name="New Chat", exact=True).click()
    ask(page, "What was the total net amount in April 2024?")
    expect(page.get_by_role("article").last.get_by_role("list", name="Read as")).to_contain_text("by ship date")
    page.get_by_role("button", name="Manage Data", exact=True).click()
    page.get_by_role("button", name="Preview harbour orders", exact=True).click()
    page.get_by_role("tab", name="What it means").click()
    expect(page.get_by_text("dated by ship date")).to_be_visible()
    page.get_by_role("button", name="Edit what one row is").click()
    expect(page.get_by_role("combobox", name="Periods go by")).to_have_value("ship date")
    assert violations_in_both_themes(page, RULES) == []


CUT_WORDS = """one => [...one.querySelectorAll(':not(.visually-hidden)')]
    .filter(part => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible')
    .map(part => part.textContent)"""


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_the_parts_of_a_reading_are_read_whole_at_every_width(signed_in: Page, width: int) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 844})
    serve_thread(page, parted_at_length())
    page.goto(ADDRESS)
    parts = page.get_by_role("list", name="Read as")
    expect(parts.get_by_role("listitem")).to_have_count(4)
    assert parts.evaluate(CUT_WORDS) == []
    for part in parts.get_by_role("listitem").all():
        words = part.locator("[title]")
        expect(part).to_contain_text(words.get_attribute("title") or "no title")
        frame = words.bounding_box()
        assert frame is not None
        assert frame["x"] >= 0, "nothing reaches out of the window"
        assert frame["x"] + frame["width"] <= width, "nothing reaches out of the window"


STATES = ("Shipped", "Cancelled", "Returned", "Shipped")
PARCELS = "parcel id,state,weight,sent on\n" + "\n".join(
    f"{n},{STATES[n % 4]},{10 * n},2024-0{1 + n % 6}-10" for n in range(1, 61)
)
WIBBLED = "How many wibbled parcels were there?"


def test_an_unread_word_is_taught_as_a_stored_value_and_none_of_these_gives_the_question_back(
    signed_in: Page, made_files: Path
) -> None:
    page = signed_in
    (made_files / "parcels.csv").write_text(PARCELS)
    page.goto("/chat")
    upload(page, made_files / "parcels.csv")
    ready(page, "parcels")
    page.get_by_role("button", name="Manage Data", exact=True).click()
    ask(page, WIBBLED)
    refusal = page.get_by_role("article").last
    meanings = refusal.get_by_role("list", name="What the word may mean")
    expect(meanings.get_by_role("button", name="State is Cancelled", exact=True)).to_be_visible()
    assert violations_in_both_themes(page, RULES) == []

    refusal.get_by_role("button", name="None of these").click()
    message = page.get_by_role("textbox", name="Message", exact=True)
    expect(message).to_have_value(WIBBLED)
    expect(message).to_be_focused()
    assert message.evaluate("one => one.value.slice(one.selectionStart, one.selectionEnd)") == "wibbled"
    expect(refusal.get_by_role("status")).to_contain_text("say in Manage Data what “wibbled” means")
    page.keyboard.type("cancelled")
    expect(message).to_have_value("How many cancelled parcels were there?")
    message.fill("")

    meanings.get_by_role("button", name="Always: “wibbled” will mean “Cancelled” in state in parcels.").click()
    answered = page.get_by_role("article").last
    expect(answered.get_by_role("list", name="Read as")).to_contain_text("State is Cancelled")
    expect(answered).to_contain_text("15")
    page.get_by_role("button", name="New Chat", exact=True).click()
    ask(page, WIBBLED)
    expect(page.get_by_role("article").last.get_by_role("list", name="Read as")).to_contain_text("State is Cancelled")
