"""The screens outside the chat, each by its address and in the state in which something went wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

PASSWORD = "My-own-word-7"


def _plain(address: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.goto(address)

    return show


def _told(page: Page) -> None:
    expect(page.get_by_role("alert")).to_be_visible()


def _handed_on(page: Page, key: str, **what: Any) -> None:
    """What an earlier screen left for the next one."""
    page.goto("/privacy")
    kept = json.dumps({**what, "token": "none", "until": (time.time() + 60) * 1000})
    page.evaluate("([key, kept]) => sessionStorage.setItem(key, kept)", [key, kept])


def _login_failed(page: Page) -> None:
    page.goto("/login")
    page.get_by_label("Username").fill("nobody-at-all")
    page.get_by_label("Password", exact=True).fill("wrong")
    page.get_by_role("button", name="Login").click()
    _told(page)


def _forgot_failed(page: Page) -> None:
    page.goto("/forgot-password")
    page.get_by_role("button", name="Submit").click()
    _told(page)


def _verify_failed(page: Page) -> None:
    _handed_on(page, "pending-reset", username="ana@example.com")
    page.goto("/verify")
    page.get_by_role("button", name="Submit").click()
    _told(page)


def _change(page: Page) -> None:
    _handed_on(page, "pending-sign-in", username="ana", keep=False)
    page.goto("/change-password")


def _change_with_a_code(page: Page) -> None:
    _handed_on(page, "pending-reset", username="ana@example.com", code="ABCD-EFGH")
    page.goto("/change-password")


def _refused(page: Page, again: str) -> None:
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("Verify password").fill(again)
    page.get_by_role("button", name="Submit").click()
    _told(page)


def _change_failed(page: Page) -> None:
    _change(page)
    _refused(page, again=PASSWORD)


def _change_differing(page: Page) -> None:
    _change_with_a_code(page)
    _refused(page, again=PASSWORD[:-1])


def _create_failed(page: Page) -> None:
    page.goto("/create-password?key=none")
    page.get_by_label("Username").fill("ana")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Submit").click()
    _told(page)


SCREENS: dict[str, Callable[[Page], None]] = {
    "login": _plain("/login"),
    "login failed": _login_failed,
    "forgot-password": _plain("/forgot-password"),
    "forgot-password failed": _forgot_failed,
    "verify failed": _verify_failed,
    "change-password": _change,
    "change-password with a code": _change_with_a_code,
    "change-password differing": _change_differing,
    "change-password failed": _change_failed,
    "create-password": _plain("/create-password?key=none"),
    "create-password failed": _create_failed,
    "create-password without a key": _plain("/create-password"),
    "privacy": _plain("/privacy"),
    "error": _plain("/error"),
    "not found": _plain("/nowhere"),
    "not logged in": _plain("/chat"),
}
