"""A reading that is not what was meant: corrected in words, taught for always, and never confirmed by Validate."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import violations_in_both_themes
from tests.e2e.places import PLACES
from tests.e2e.test_how_it_was_read import asked
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_the_main_job import ask, ready, upload
from tests.live import Product

SIDES = ("North", "South", "East", "West")
FERRIES = "ferry,customer region,harbour region,freight\n" + "\n".join(
    f"{n},{SIDES[n * 3 % 7 % 4]},{SIDES[n * 5 % 11 % 4]},{10 * n}" for n in range(1, 81)
)


def chips(article: Locator) -> Locator:
    return article.get_by_role("list", name="Read as").get_by_role("listitem")


def test_a_figure_that_was_not_meant_is_corrected_in_words_and_the_former_answer_stays(
    signed_in: Page, made_files: Path
) -> None:
    page = signed_in
    asked(page, made_files, "What is the total net amount by harbour?")
    former = page.get_by_role("article").last
    expect(former).to_contain_text("4,200")
    ask(page, "no, I meant gross amount")
    answer = page.get_by_role("article").last
    expect(chips(answer).first).to_contain_text("Total gross amount")
    expect(chips(answer).filter(has_text="By harbour")).to_have_count(1)
    expect(answer).to_contain_text("5,040")
    expect(page.get_by_role("article").filter(has_text="4,200")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("article").filter(has_text="4,200")).to_be_visible()
    expect(page.get_by_role("article").last).to_contain_text("5,040")


def test_what_a_word_groups_by_is_taught_seen_by_an_admin_and_taken_back(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    (made_files / "ferries.csv").write_text(FERRIES)
    page.goto("/chat")
    upload(page, made_files / "ferries.csv")
    ready(page, "ferries")
    page.get_by_role("button", name="Manage Data", exact=True).click()
    ask(page, "ferries by area")
    readings = page.get_by_role("list", name="Which one do you mean?")
    expect(readings.get_by_role("listitem")).to_have_count(2)
    assert violations_in_both_themes(page, RULES) == []
    readings.get_by_role("button", name="Always: “area” will mean customer region in ferries.").click()
    expect(chips(page.get_by_role("article").last).filter(has_text="By customer region")).to_have_count(1)
    page.get_by_role("button", name="New Chat", exact=True).click()
    ask(page, "ferries by area")
    expect(chips(page.get_by_role("article").last).filter(has_text="By customer region")).to_have_count(1)

    PLACES["audit log"](page)
    log = page.get_by_role("region", name="Audit Log").get_by_role("listitem")
    expect(log.filter(has_text="ferries").first).to_contain_text("customer region")
    page.get_by_role("button", name="Manage Data", exact=True).click()
    page.get_by_role("button", name="Preview ferries", exact=True).click()
    page.get_by_role("tab", name="What it means").click()
    column = page.get_by_role("list", name="What the columns mean").get_by_role("listitem").filter(has_text="area")
    expect(column).to_contain_text("Also called area")
    expect(column).to_contain_text("demo")
    column.get_by_role("button", name="Undo the last change of customer region").click()
    expect(page.get_by_text("Also called area")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New Chat", exact=True).click()
    ask(page, "ferries by area")
    expect(page.get_by_role("list", name="Which one do you mean?")).to_be_visible()


def without_its_filter(product: Product, right: str, wrong: str) -> None:
    """The newest answer as it would stand had its question been read without its filter: another plan and figure."""
    with sqlite3.connect(product.data_dir / "product.sqlite3", timeout=30) as database:
        number, plan, parts, content = database.execute(
            "SELECT id, plan, answer, content FROM threads_message WHERE role = 'assistant' ORDER BY created_at DESC"
        ).fetchone()
        misread = json.dumps({**json.loads(plan), "where": None, "noun": "", "scope": ""})
        bare = right.replace(",", "")
        told = [text.replace(right, wrong).replace(bare, wrong.replace(",", "")) for text in (parts, content)]
        assert told[1] != content, content
        database.execute(
            "UPDATE threads_message SET plan = ?, answer = ?, content = ? WHERE id = ?", (misread, *told, number)
        )


def test_validate_never_confirms_an_answer_that_passed_over_its_filter(
    signed_in: Page, product: Product, made_files: Path
) -> None:
    page = signed_in
    (made_files / "crossings.csv").write_text(FERRIES.replace("ferry,", "crossing,"))
    page.goto("/chat")
    upload(page, made_files / "crossings.csv")
    ready(page, "crossings")
    page.get_by_role("button", name="Manage Data", exact=True).click()
    agreed = page.get_by_role("button", name="All methods agree")
    other = page.get_by_role("button", name=re.compile("disagree|^Reading "))
    ask(page, "What is the total freight of crossings where customer region is West?")
    expect(page.get_by_role("article").last).to_contain_text("4,740")
    without_its_filter(product, "4,740", "32,400")
    page.reload()
    expect(page.get_by_role("article").last).to_contain_text("32,400")
    page.get_by_role("button", name="Validate", exact=True).last.click()
    expect(agreed.or_(other)).to_be_visible()
    expect(other).to_be_visible()
    expect(page.get_by_text("All methods agree")).to_have_count(0)
    panel = page.get_by_role("region", name="Validation")
    expect(panel.get_by_role("list", name="What was checked")).to_contain_text("another result")
    assert violations_in_both_themes(page, RULES) == []

    page.get_by_role("button", name="New Chat", exact=True).click()
    ask(page, "What is the total freight of crossings where customer region is North?")
    page.get_by_role("button", name="Validate", exact=True).last.click()
    expect(agreed).to_be_visible()
