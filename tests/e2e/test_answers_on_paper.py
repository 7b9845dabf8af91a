"""Answers that people take home on paper: as text, PDF and Word, with the previews of SPEC sections 5, 8 and 9."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.test_the_chat_under_way import answered, start

ASKED = "Total amount of won deals by owner"
NAME = "total-amount-of-won-deals-by-owner"


def preview(page: Page, ending: str, words: str) -> Locator:
    """Asks for the answer as such a file, and opens what came."""
    page.goto("/chat")
    start(page, f"{ASKED} {words}")
    answered(page)
    page.get_by_role("button", name=f"Preview {NAME}.{ending}").click()
    opened = page.get_by_role("dialog")
    expect(opened).to_contain_text(f"File Preview for: {NAME}.{ending}")
    return opened


def taken_home(page: Page, opened: Locator) -> bytes:
    with page.expect_download() as download:
        opened.get_by_role("button", name="Download").click()
    return Path(download.value.path()).read_bytes()


def test_a_text_file_shows_its_first_280_characters(signed_in: Page) -> None:
    opened = preview(signed_in, "txt", "as a text file")
    expect(opened).to_contain_text(ASKED)
    expect(opened).to_contain_text("The first 280 characters.")
    assert taken_home(signed_in, opened).startswith(ASKED.encode())


def test_a_pdf_is_shown_in_a_frame(signed_in: Page) -> None:
    opened = preview(signed_in, "pdf", "as a PDF")
    frame = opened.get_by_title(f"{NAME}.pdf")
    expect(frame).to_have_attribute("height", "500")
    assert taken_home(signed_in, opened).startswith(b"%PDF-")


def test_a_word_file_is_to_be_downloaded(signed_in: Page) -> None:
    opened = preview(signed_in, "docx", "as a Word document")
    expect(opened).to_contain_text("Word files do not support previews. Please download the file to view.")
    assert taken_home(signed_in, opened).startswith(b"PK")
