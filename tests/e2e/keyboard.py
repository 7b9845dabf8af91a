"""Getting about with the keyboard alone."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def tab_to(page: Page, target: Locator) -> None:
    """Tab, and Tab again, until it has the focus."""
    expect(target).to_be_visible()
    for _ in range(80):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target}")
