"""What every page says to the browser about itself."""

from __future__ import annotations

import re

import pytest
from django.test import Client

PAGES = ["/", "/login", "/forgot-password", "/verify", "/change-password", "/create-password", "/privacy", "/error",
         "/hubspot-callback", "/chat", "/nowhere", "/admin/login/"]  # fmt: skip

OPENERS = {"/chat": "same-origin-allow-popups", "/google-callback": "unsafe-none"}
"""The chat opens the provider's sign-in as a popup; the page that this comes back to tells it the code."""


@pytest.mark.parametrize("address", PAGES)
def test_a_page_allows_no_inline_script_no_frame_and_no_stranger(db, address):
    answer = Client(headers={"host": "localhost"}).get(address)
    policy = dict(part.strip().partition(" ")[::2] for part in answer["Content-Security-Policy"].split(";"))
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert re.search(r"'nonce-[\w+/=-]{16,}'|'self'", policy["script-src"])
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "http" not in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == OPENERS.get(address, "same-origin")


@pytest.mark.parametrize("address", [page for page in PAGES if not page.startswith("/admin")])
def test_a_page_of_the_product_sets_no_cookie_and_says_nothing_of_anybody(db, address):
    first, second = (Client(headers={"host": "localhost"}).get(address) for _ in range(2))
    assert not first.cookies
    bodies = [re.sub(r'nonce="[^"]*"', "", page.content.decode()) for page in (first, second)]
    assert bodies[0] == bodies[1]


def test_the_admins_cookies_are_kept_from_scripts_and_other_sites(db):
    cookie = Client().get("/admin/login/").cookies["csrftoken"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_terms_lead_to_the_document_outside(db, settings):
    answer = Client().get("/terms")
    assert (answer.status_code, answer["Location"]) == (302, settings.TERMS_URL)


def test_googles_picker_is_let_in_on_the_chat_alone(db, settings):
    settings.GOOGLE_CLIENT_ID = "an-id"
    pages = {page: Client(headers={"host": "localhost"}).get(page)["Content-Security-Policy"] for page in PAGES}
    chat = dict(part.strip().partition(" ")[::2] for part in pages.pop("/chat").split(";"))
    assert "https://apis.google.com" in chat["script-src"].split()
    assert chat["frame-src"].split() == [
        "blob:", "https://docs.google.com", "https://drive.google.com", "https://accounts.google.com",
    ]  # fmt: skip
    assert "unsafe" not in str(chat)
    assert not [page for page, policy in pages.items() if "google" in policy]
