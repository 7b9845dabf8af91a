"""An admin invites somebody under Settings, gives them a role and takes the account away; a basic member sees none of
it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import faults_of, fresh_context
from tests.e2e.places import PHONE, WIDE, from_menu, press, token_of, under_settings
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_signing_in import OWN, in_the_chat, mail_to
from tests.live import Product

PICTURES = os.environ.get("MEMBER_PICTURES", "")
"""A folder for pictures of the screen, where wanted."""


@pytest.fixture
def guest(browser: Browser, product: Product) -> Iterator[Page]:
    """Another person's browser."""
    context = fresh_context(browser, product)
    opened = context.new_page()
    faults = faults_of(opened)
    yield opened
    context.close()
    assert not [fault for fault in faults if "401" not in fault], faults  # the session that is over


def picture(page: Page, name: str) -> None:
    """The screen in both themes; nothing on it may be unreadable."""
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert violations(page, RULES) == []
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"{name}-{theme}-{(page.viewport_size or WIDE)['width']}.png")


def accept(page: Page, address: str, username: str) -> None:
    """The invited person's first password, then the sign-in."""
    page.goto(address)
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill(OWN)
    page.get_by_label("Verify password").fill(OWN)
    page.get_by_role("checkbox").check()
    press(page, "Submit")
    expect(page.get_by_role("button", name="Login")).to_be_visible()
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill(OWN)
    page.get_by_label("Password", exact=True).press("Enter")
    in_the_chat(page)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_somebody_is_invited_made_an_admin_and_sent_away(
    signed_in: Page, guest: Page, product: Product, size: dict[str, int]
) -> None:
    page, name = signed_in, f"lena{size['width']}"
    email = f"{name}@example.com"
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto("/chat")
    under_settings("Members")(page)
    own = page.get_by_role("listitem").filter(has_text="You")
    expect(own).to_contain_text("Only another admin can change your role")
    expect(own.get_by_role("button")).to_have_count(0)
    picture(page, "first")

    page.get_by_label("Invite by e-mail").fill(email)
    press(page, "Send invitation")
    invited = page.get_by_role("region", name="Open invitations").get_by_role("listitem").filter(has_text=email)
    expect(invited).to_contain_text("link good until")
    picture(page, "invited")
    first = mail_to(product, email, r"(/create-password\?key=\S+)")
    invited.get_by_role("button", name="again").click()
    expect(page.get_by_text(f"An invitation is on its way to {email}.")).to_be_visible()
    while (address := mail_to(product, email, r"(/create-password\?key=\S+)")) == first:
        page.wait_for_timeout(100)
    accept(guest, address, name)

    from_menu(guest, "Settings")
    expect(guest.get_by_role("button", name="Keywords", exact=True)).to_be_visible()
    expect(guest.get_by_role("button", name="Members", exact=True)).to_have_count(0)
    headers = {"Authorization": f"Bearer {token_of(guest)}"}
    assert guest.request.get(f"{product.url}/api/v3/members", headers=headers).status == 403

    press(page, "Back")
    press(page, "Members")
    member = page.get_by_role("region", name="People").get_by_role("listitem").filter(has_text=email)
    expect(member).to_contain_text("Last seen today")
    member.get_by_role("combobox").select_option("admin")
    expect(member).to_contain_text(f"Make {name} an admin?")
    picture(page, "asked")
    member.get_by_role("button", name="Make admin").click()
    expect(member.get_by_role("combobox")).to_have_value("admin")
    member.get_by_role("button", name="Deactivate").click()
    member.get_by_role("button", name="Deactivate", exact=True).click()
    expect(member.get_by_role("button", name=f"Reactivate {name}")).to_be_visible()
    picture(page, "deactivated")
    assert guest.request.get(f"{product.url}/api/v3/me", headers=headers).status == 401


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_usage_and_the_audit_log_are_read_in_the_product(
    signed_in: Page, product: Product, size: dict[str, int]
) -> None:
    page = signed_in
    page.goto("/chat")
    product.ask(token_of(page), "How many deals did we win last quarter?")
    product.ask(token_of(page), "What is our karma?")
    page.set_viewport_size(size)  # type: ignore[arg-type]
    under_settings("Usage")(page)
    own = page.get_by_role("region", name="By member, last 30 days").get_by_role("listitem")
    expect(own).to_contain_text(re.compile(r"demo\s*\d+ questions\s*· \d+ answered"))
    picture(page, "usage")
    press(page, "Back")
    press(page, "Audit Log")
    expect(page.get_by_role("listitem").filter(has_text="Signed in: demo").first).to_contain_text("127.0.0.1")
    picture(page, "audit")


def test_an_invitation_is_withdrawn_and_its_link_opens_nothing(signed_in: Page, guest: Page, product: Product) -> None:
    email = "mistyped@example.com"
    signed_in.goto("/chat")
    under_settings("Members")(signed_in)
    signed_in.get_by_label("Invite by e-mail").fill(email)
    press(signed_in, "Send invitation")
    invited = signed_in.get_by_role("listitem").filter(has_text=email)
    address = mail_to(product, email, r"(/create-password\?key=\S+)")
    invited.get_by_role("button", name="Withdraw").click()
    invited.get_by_role("button", name="Withdraw", exact=True).click()
    expect(invited).to_have_count(0)
    key = address.partition("key=")[2]
    body = {"key": key, "username": "late", "password": OWN, "privacy_accepted": True}
    assert guest.request.post(f"{product.url}/api/v3/invitations/accept", data=body).status == 404
