"""Where the panels and popups of the chat are found: a newcomer's clicks to each of them."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


def is_phone(page: Page) -> bool:
    """Below this width the menu is a drawer (UI.md 4)."""
    return (page.viewport_size or WIDE)["width"] < 600


def token_of(page: Page) -> str:
    """The token of the session, where the page keeps it (assets/api/session.ts)."""
    return str(page.evaluate("sessionStorage.getItem('session') || localStorage.getItem('session')"))


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def from_menu(page: Page, name: str) -> None:
    """A button of the menu, which a phone keeps in a drawer."""
    if is_phone(page):
        press(page, "Menu")
    press(page, name)


def leave(page: Page) -> None:
    """Closes whatever is open, the topmost first."""
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def under_settings(label: str) -> Callable[[Page], None]:
    def opened(page: Page) -> None:
        from_menu(page, "Settings")
        press(page, label)
        expect(page.get_by_role("heading", name=label)).to_be_visible()

    return opened


def in_manage_data(opens: str) -> Callable[[Page], None]:
    def opened(page: Page) -> None:
        from_menu(page, "Manage Data")
        press(page, opens)

    return opened


def source(name: str) -> Callable[[Page], None]:
    def opened(page: Page) -> None:
        from_menu(page, "Manage Data")
        page.get_by_role("group", name="Data sources").get_by_role("button", name=name).click()

    return opened


def topics(page: Page) -> None:
    """Five of them, in the large menu or in the drawer."""
    from_menu(page, "Trending Topics")
    expect(page.get_by_role("region", name="Trending Topics").get_by_role("listitem")).to_have_count(5)


def prompts(page: Page) -> None:
    topics(page)
    page.get_by_role("region", name="Trending Topics").get_by_role("button").first.click()


def settings(page: Page) -> None:
    from_menu(page, "Settings")
    expect(page.get_by_text("This session")).to_be_attached()
    expect(page.get_by_text("Loading Slack...")).to_have_count(0)


def of_menu(name: str) -> Callable[[Page], None]:
    return lambda page: from_menu(page, name)


PLACES: dict[str, Callable[[Page], None]] = {
    "settings": settings,
    "company intake": under_settings("Company Intake"),
    "chart formatting": under_settings("Chart Formatting"),
    "keywords": under_settings("Keywords"),
    "members": under_settings("Members"),
    "usage": under_settings("Usage"),
    "audit log": under_settings("Audit Log"),
    "manage data": of_menu("Manage Data"),
    "file context": in_manage_data("Edit context of targets"),
    "preview": in_manage_data("Preview targets"),
    "request a source": in_manage_data("Request Source"),
    "crm": source("HubSpot"),
    "sheets": source("Google Sheets"),
    "history": of_menu("History"),
    "trending topics": topics,
    "prompts of a topic": prompts,
    "help": of_menu("Help"),
    "feedback": lambda page: page.get_by_role("button", name="Leave feedback").click(),
}
