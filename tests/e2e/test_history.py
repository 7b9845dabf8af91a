"""A conversation is renamed, archived and deleted from History, and each of it is taken back."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.places import PHONE, WIDE, from_menu, leave, press
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_the_main_job import ask

PICTURES = os.environ.get("HISTORY_PICTURES", "")
"""A folder for pictures of the panel, where wanted."""


def picture(page: Page, name: str) -> None:
    """The panel in both themes; nothing on it may be unreadable."""
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert violations(page, RULES) == []
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"{name}-{theme}-{(page.viewport_size or WIDE)['width']}.png")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_what_is_done_with_a_conversation_can_be_undone(signed_in: Page, size: dict[str, int]) -> None:
    page = signed_in
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto("/chat")
    ask(page, "How many deals are there?")
    expect(page).to_have_url(re.compile("/chat/c/"))
    address = page.url
    from_menu(page, "History")
    panel = page.get_by_role("region", name="History")
    row = panel.locator("li", has=page.locator("[aria-current=true]"))

    row.get_by_role("button", name="Rename, archive or delete").click()
    picture(page, "actions")
    row.get_by_role("button", name="Rename", exact=True).click()
    row.get_by_label("Name of the conversation").fill("Our deals")
    picture(page, "naming")
    row.get_by_label("Name of the conversation").press("Enter")
    expect(panel.get_by_text("Our deals")).to_be_visible()
    press(page, "Undo")
    expect(panel.get_by_text("Our deals")).to_have_count(0)

    row.get_by_role("button", name="Rename, archive or delete").click()
    row.get_by_role("button", name="Archive", exact=True).click()
    expect(panel.get_by_text(re.compile(r"^Archived \("))).to_be_visible()
    picture(page, "archived")
    press(page, "Undo")
    expect(row.get_by_role("button", name="Rename, archive or delete")).to_be_visible()

    row.get_by_role("button", name="Rename, archive or delete").click()
    row.get_by_role("button", name="Delete", exact=True).click()
    expect(page).to_have_url(re.compile("/chat$"))
    press(page, "Undo")
    expect(page).to_have_url(address)
    leave(page)
    expect(page.get_by_role("article").first).to_be_visible()
