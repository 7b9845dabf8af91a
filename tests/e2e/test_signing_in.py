"""Every way into the product, by keyboard alone: each screen, each failure text, and no fault that axe can find."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.axe import violations_in_both_themes
from tests.e2e.keyboard import tab_to
from tests.e2e.places import token_of
from tests.e2e.screens import SCREENS
from tests.live import DEMO_PASSWORD, ROOT, Product

OWN = "My-own-word-7"
HINT = "longer than 8 characters"
FAILED = "Password Change Failed, Please make sure your passwords match and try again."
_numbers = count(1)


def manage(product: Product, *words: str) -> dict[str, Any]:
    """A staff command against the running product's data."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": product.settings, "DATA_DIR": str(product.data_dir)}
    done = subprocess.run(
        [sys.executable, "manage.py", *words, "--json"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def mail_to(product: Product, address: str, pattern: str, *, timeout: float = 20.0) -> str:
    """What the newest mail to that address holds; the local settings print every mail to the server's log."""
    log = product.data_dir.parent / f"{product.data_dir.name}.log"
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        mails = log.read_text(errors="replace").split("\nTo: ")[1:]
        found = [re.search(pattern, mail, re.M) for mail in mails if mail.startswith(address)]
        if found and found[-1]:
            return found[-1][1]
        time.sleep(0.1)
    raise TimeoutError(f"no mail to {address}")


@pytest.fixture
def newcomer(product: Product) -> dict[str, str]:
    """A member with a temporary password."""
    organization = product.call("GET", "/api/v3/me", token=product.sign_in())["organization"]
    name = f"mia{next(_numbers)}"
    email = f"{name}@example.com"
    facts = manage(product, "member", "create", organization, name, "--email", email)
    return {"username": name, "email": email, "password": facts["temporary_password"]}


@pytest.fixture
def invitation(product: Product) -> Callable[[], str]:
    """The address of a fresh invitation's screen, from its mail."""

    def invite() -> str:
        email = f"guest{next(_numbers)}@example.com"
        product.call("POST", "/api/v3/invitations", {"email": email, "role": "basic"}, token=product.sign_in())
        return mail_to(product, email, r"(/create-password\?key=\S+)")

    return invite


def press(page: Page, *keys: str) -> None:
    """Types words and presses keys: a word in angle brackets is a key."""
    for key in keys:
        if key.startswith("<"):
            page.keyboard.press(key.strip("<>"))
        else:
            page.keyboard.type(key)


def sign_in(page: Page, username: str, password: str) -> None:
    """By keyboard: the field for the name has the focus, the next Tab leads to the password."""
    if not page.url.endswith("/login"):
        page.goto("/login")
    expect(page.get_by_label("Username")).to_be_focused()
    press(page, username, "<Tab>", password, "<Enter>")


def new_password(page: Page, first: str, second: str) -> None:
    """Both fields by keyboard; between them stands the button that shows the first."""
    expect(page.get_by_label("New password")).to_be_focused()
    press(page, first, "<Tab>", "<Tab>", second, "<Enter>")


def in_the_chat(page: Page) -> None:
    expect(page.get_by_text("how can I support you today?")).to_be_visible()


def forgotten(page: Page, product: Product, email: str) -> str:
    """From /login over the link to /verify; returns the code from the inbox."""
    page.goto("/login")
    tab_to(page, page.get_by_role("link", name="Forgot Password"))
    press(page, "<Enter>")
    expect(page.get_by_label("Email")).to_be_focused()
    press(page, email, "<Enter>")
    expect(page).to_have_url(re.compile("/verify$"))
    return mail_to(product, email, r"^    (\S{4}-\S{4})$")


def test_a_temporary_password_becomes_an_own_one_and_then_signs_in(page: Page, newcomer: dict[str, str]) -> None:
    sign_in(page, newcomer["username"], newcomer["password"])
    expect(page).to_have_url(re.compile("/change-password$"))
    new_password(page, OWN, "Another-word-8")
    expect(page.get_by_role("alert")).to_contain_text(FAILED)
    expect(page.get_by_role("alert")).to_contain_text(HINT)
    for weak in ("short-1A", "Password-without-number", newcomer["password"]):
        new_password(page, weak, weak)
        expect(page.get_by_role("button", name="Submit")).to_be_enabled()
        expect(page.get_by_role("alert")).to_contain_text(FAILED)
    new_password(page, OWN, OWN)
    expect(page).to_have_url(re.compile("/login$"))
    sign_in(page, newcomer["username"], OWN)
    in_the_chat(page)


def test_a_forgotten_password_is_replaced_with_a_code_from_the_inbox(
    page: Page, product: Product, newcomer: dict[str, str]
) -> None:
    code = forgotten(page, product, newcomer["email"])
    expect(page.get_by_text(f"Enter the code sent to the inbox of {newcomer['email']}.")).to_be_visible()
    press(page, "<Enter>")
    expect(page.get_by_role("alert")).to_have_text("Verification Failed. Please check your code and try again.")
    press(page, "AAAA-BBBB", "<Enter>")
    expect(page.get_by_role("button", name="Submit")).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_text("Verification Failed. Please check your code and try again.")
    press(page, code, "<Enter>")  # what was refused is selected
    expect(page).to_have_url(re.compile("/change-password$"))
    new_password(page, OWN, OWN)
    expect(page).to_have_url(re.compile("/login$"))
    sign_in(page, newcomer["username"], OWN)
    in_the_chat(page)


def test_three_wrong_codes_end_the_attempt_and_a_new_code_is_offered(
    page: Page, product: Product, newcomer: dict[str, str]
) -> None:
    code = forgotten(page, product, newcomer["email"])
    for wrong in ("AAAA-BBBB", "CCCC-DDDD", "EEEE-FFFF"):
        page.get_by_label("Verification code").fill(wrong)
        press(page, "<Enter>")
        expect(page.get_by_role("button", name="Submit")).to_be_enabled()
    page.get_by_label("Verification code").fill(code)
    press(page, "<Enter>")
    expect(page.get_by_role("alert")).to_have_text("This code can no longer be used. Please request a new one.")
    expect(page.get_by_role("button", name="Submit")).to_have_count(0)
    tab_to(page, page.get_by_role("main").get_by_role("link", name="Request a new code"))
    press(page, "<Enter>")
    expect(page).to_have_url(re.compile("/forgot-password$"))


def test_an_unknown_address_looks_like_a_known_one_and_a_wrong_one_is_told(page: Page) -> None:
    page.goto("/forgot-password")
    expect(page.get_by_label("Email")).to_be_focused()
    press(page, "nobody.example.com", "<Enter>")
    expect(page.get_by_role("alert")).to_have_text("Incorrect Email Formatting. Please check your email and try again.")
    press(page, "nobody@example.com", "<Enter>")
    expect(page).to_have_url(re.compile("/verify$"))


def test_an_invitation_leads_to_an_account(page: Page, invitation: Callable[[], str]) -> None:
    address = invitation()
    name = f"guest-{next(_numbers)}"
    page.goto(address)
    expect(page.get_by_label("Username")).to_be_focused()
    expect(page.get_by_role("button", name="Submit")).to_be_disabled()
    press(page, name, "<Tab>", OWN, "<Tab>", "<Tab>", "Something-else-1", "<Enter>")
    expect(page).to_have_url(re.compile("/create-password"))  # Enter sends nothing while the box is not ticked
    tab_to(page, page.get_by_role("checkbox"))
    press(page, "<Space>")
    expect(page.get_by_role("button", name="Submit")).to_be_enabled()
    tab_to(page, page.get_by_label("Verify password"))
    press(page, "<Enter>")
    expect(page.get_by_role("alert")).to_have_text("Please make sure your passwords match and try again.")
    tab_to(page, page.get_by_label("Verify password"))
    press(page, "<Control+a>", OWN, "<Enter>")
    expect(page).to_have_url(re.compile("/login$"))
    sign_in(page, name, OWN)
    in_the_chat(page)

    page.context.clear_cookies()
    page.goto(address)
    expect(page.get_by_label("Username")).to_be_focused()
    press(page, "second", "<Tab>", OWN, "<Tab>", "<Tab>", OWN)
    tab_to(page, page.get_by_role("checkbox"))
    press(page, "<Space>")
    tab_to(page, page.get_by_role("button", name="Submit"))
    press(page, "<Enter>")
    expect(page.get_by_role("alert")).to_have_text("This invitation is no longer valid. Please ask for a new one.")


def test_a_wrong_password_is_told_and_the_right_one_opens_the_chat(page: Page) -> None:
    sign_in(page, "demo", "wrong")
    expect(page.get_by_role("alert")).to_have_text(
        "Issues signing in. Please check your login credentials and try again."
    )
    press(page, DEMO_PASSWORD, "<Enter>")  # what was refused is selected
    in_the_chat(page)
    page.goto("/")
    expect(page).to_have_url(re.compile("/chat"))  # already signed in


def test_while_signing_in_it_says_so(page: Page) -> None:
    held: list[Route] = []
    page.route("**/auth/login", lambda route: held.append(route))
    with page.expect_request("**/auth/login"):
        sign_in(page, "demo", DEMO_PASSWORD)
    expect(page.get_by_role("button", name="Logging in...")).to_be_visible()
    while not held:  # the page is seen by other messages than its calls: either may be the first
        page.wait_for_timeout(20)
    held[0].continue_()
    in_the_chat(page)


@pytest.mark.parametrize(
    ("address", "words", "lands"),
    [("/nowhere", "404 - Page Not Found", "/"), ("/chat", "Not Logged In", "/login")],
)
def test_a_page_that_shows_nothing_leads_on_by_keyboard(page: Page, address: str, words: str, lands: str) -> None:
    page.goto(address)
    expect(page.get_by_text(words)).to_be_visible()
    tab_to(page, page.get_by_role("main").get_by_role("link"))
    press(page, "<Enter>")
    expect(page).to_have_url(re.compile(f"{lands}$"))


def test_signing_out_revokes_the_token_and_goes_home(page: Page, product: Product) -> None:
    sign_in(page, "demo", DEMO_PASSWORD)
    in_the_chat(page)
    token = token_of(page)
    assert product.call("GET", "/api/v3/me", token=token)["username"] == "demo"
    tab_to(page, page.get_by_role("button", name="Settings", exact=True))
    press(page, "<Enter>")
    tab_to(page, page.get_by_role("button", name="Log Out"))
    page.route("**/auth/session", lambda route: route.fulfill(status=500, body="{}"))
    press(page, "<Enter>")
    expect(page.get_by_text("Error logging out. Please try again.")).to_be_visible()
    page.unroute("**/auth/session")
    tab_to(page, page.get_by_role("button", name="Log Out"))
    press(page, "<Enter>")
    expect(page).to_have_url(f"{product.url}/")
    expect(page.get_by_role("button", name="Login")).to_be_visible()
    answer = page.request.get("/api/v3/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.status == 401


@pytest.mark.parametrize(("address", "lands"), [("/verify", "/login"), ("/change-password", "/forgot-password")])
def test_a_screen_without_somebody_passed_on_redirects(page: Page, address: str, lands: str) -> None:
    page.goto(address)
    expect(page).to_have_url(re.compile(f"{lands}$"))


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing(page: Page, name: str) -> None:
    SCREENS[name](page)
    expect(page.get_by_role("main")).to_be_visible()
    assert violations_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
