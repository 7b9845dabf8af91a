"""Panels and popups while what they show is on its way, cannot be had, or is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.e2e.places import PLACES

ASK = "**/api/v3/ask"
Answer = Callable[[Route], None]

NEEDS: dict[str, tuple[str, str]] = {
    "keywords": ("**/api/v3/preferences", ""),
    "chart formatting": ("**/api/v3/preferences", ""),
    "company intake": ("**/api/v3/explanation*", ""),
    "file context": ("**/api/v3/explanation*", ""),
    "preview": ("**/api/v3/files/profile*", ""),
    "manage data": ("**/api/v3/files", ""),
    "history": (ASK, "give"),
    "crm": ("**/api/v3/hubspot/status", ""),
    "sheets": ("**/api/v3/connections", ""),
    "members": ("**/api/v3/members", ""),
    "usage": ("**/api/v3/usage", ""),
    "audit log": ("**/api/v3/audit-log*", ""),
}
"""Place -> the address it asks, and the field that marks the call where the address has several uses."""

WITH_THE_CHAT = ("keywords", "chart formatting")
"""Their data comes before the chat is shown, so nobody sees them wait for it."""

NOTHING: dict[str, Any] = {
    "history": [],
    "manage data": {"content": [], "sources": []},
    "keywords": {"explanation": "", "user_preferences": "{}"},
    "audit log": {"entries": [], "more": False},
}
"""Place -> the answer of an organization that has none of it."""


def never(route: Route) -> None:
    """An answer that does not come while the page looks on."""


def refused(route: Route) -> None:
    """A server that fails."""
    route.fulfill(status=500, json={})


@contextmanager
def answering(page: Page, place: str, answer: Answer) -> Iterator[None]:
    """The place gets this answer, on a page that has nothing from before."""
    address, field = NEEDS[place]

    def one(route: Route) -> None:
        if field and field not in (route.request.post_data_json or {}):
            route.fallback()
        else:
            answer(route)

    page.route(address, one)
    page.goto("/chat")
    expect(page.get_by_role("list", name="Example questions").get_by_role("button")).to_have_count(4)
    PLACES[place](page)
    yield
    page.unroute(address, one)
