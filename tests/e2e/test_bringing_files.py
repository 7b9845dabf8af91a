"""Files are brought to the chat itself: dropped anywhere or by the paper clip, told of, and asked about by a click."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import violations_in_both_themes
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_the_main_job import figures, ready, upload

DROP = """({names, text}) => {
    const files = new DataTransfer();
    for (const name of names) files.items.add(new File([text], name, {type: 'text/csv'}));
    const over = document.querySelector('main [aria-label="Message"]');
    for (const kind of ['dragenter', 'dragover'])
        over.dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: files}));
    window.letGo = () =>
        over.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: files}));
}"""


def sales(rows: int) -> str:
    """Sales of a ferry line: figures, groups and a date for each."""
    return "ticket_no,sold_on,route,fare\n" + "".join(
        f"T{4000 + number},{date(2024, 3, 2) + timedelta(days=number)},{('Oslo', 'Riga', 'Turku')[number % 3]},"
        f"{40 + number % 7}.50\n"
        for number in range(rows)
    )


def drag(page: Page, *names: str, text: str) -> None:
    """Files are held over the message box."""
    page.evaluate(DROP, {"names": list(names), "text": text})


def brought(page: Page) -> Locator:
    return page.get_by_role("region", name="What you brought")


def test_an_upload_is_told_with_questions_of_which_each_click_is_answered(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    (made_files / "ferry tickets.csv").write_text(sales(200), encoding="utf-8")
    page.goto("/chat")
    upload(page, made_files / "ferry tickets.csv")
    expect(brought(page)).to_contain_text(re.compile(r"ferry tickets: 200 .*tickets, Mar 2024 to Sep 2024"))
    questions = brought(page).get_by_role("list", name="Questions worth asking").get_by_role("button")
    expect(questions).to_have_count(3)
    assert violations_in_both_themes(page, RULES) == []
    asked = questions.first.inner_text()
    questions.first.press("Enter")
    expect(brought(page)).to_have_count(0)
    expect(page.get_by_role("article").first).to_contain_text(asked)
    expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    assert figures(page.get_by_role("article").last.inner_text())
    page.reload()
    expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    expect(brought(page)).to_have_count(0)


def test_files_dropped_on_an_open_thread_are_taken_and_asked_about_in_it(signed_in: Page) -> None:
    page = signed_in
    page.goto("/chat")
    page.get_by_label("Message", exact=True).fill("How many deals are there?")
    page.get_by_label("Message", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    thread = page.url
    drag(page, "canal tolls.csv", "notes.txt", text=sales(90))
    expect(page.get_by_text("Drop .csv or .xlsx files")).to_be_visible()
    page.evaluate("letGo()")
    expect(page.get_by_text("Drop .csv or .xlsx files")).to_have_count(0)
    expect(page.get_by_role("alert")).to_contain_text("We apologize. Plumbline does not support this file type yet.")
    page.get_by_role("button", name="Hide these messages").click()
    expect(brought(page)).to_contain_text("canal tolls: 90")
    brought(page).get_by_role("list", name="Questions worth asking").get_by_role("button").last.click()
    expect(page.get_by_role("button", name="Copy answer")).to_have_count(2)
    expect(page.get_by_role("article").last).to_contain_text("canal tolls")
    assert page.url == thread


def test_the_paper_clip_takes_files_by_keyboard_and_the_card_is_put_away(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    (made_files / "lock keepers.csv").write_text("keeper,lock\nAnn,Upper\nBo,Lower\nCy,Upper\n", encoding="utf-8")
    page.goto("/chat")
    page.get_by_role("button", name="Choose files for this question").press("Enter")
    with page.expect_file_chooser() as chosen:
        page.get_by_role("dialog").get_by_role("button", name="Upload a file").press("Enter")
    chosen.value.set_files(str(made_files / "lock keepers.csv"))
    expect(brought(page)).to_contain_text("lock keepers: 3")
    brought(page).get_by_role("button", name="Dismiss").press("Enter")
    expect(brought(page)).to_have_count(0)
    page.get_by_role("button", name="Manage Data", exact=True).click()
    ready(page, "lock keepers")


def test_the_files_of_a_conversation_are_named_and_end_with_it(signed_in: Page) -> None:
    page = signed_in
    page.goto("/chat")
    page.get_by_role("button", name="Choose files for this question").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile(r"^deals")).click()
    page.get_by_role("button", name="Confirm (1)").click()
    chips = page.get_by_role("list", name="Chosen files")
    expect(chips.get_by_text("Only deals", exact=True)).to_be_visible()
    page.get_by_role("button", name="New Chat").click()
    expect(chips.get_by_role("listitem")).to_have_count(0)
