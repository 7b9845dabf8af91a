"""HubSpot in the browser: connect through the consent page, choose, refresh, ask, disconnect; and what goes wrong."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from apps.integrations.fakes.base import serving
from apps.integrations.fakes.hubspot import FakeHubSpot
from apps.integrations.fakes.hubspot_account import FIRST_ID
from tests.e2e.axe import violations
from tests.e2e.conftest import faults_of, fresh_context
from tests.e2e.outside import hubspot_at
from tests.e2e.places import PHONE, WIDE, press, token_of
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_the_main_job import ask, sign_in
from tests.live import Product

DONE = 60_000


@pytest.fixture(scope="module")
def hubspot() -> Iterator[FakeHubSpot]:
    fake = FakeHubSpot()
    yield fake
    assert fake.violations == []


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory, demo_data: Path, hubspot: FakeHubSpot) -> Iterator[Product]:
    """A product of its own that talks to the stand-in."""
    data_dir = shutil.copytree(demo_data, tmp_path_factory.mktemp("hubspot") / "data")
    with serving(hubspot) as url:
        running = Product(data_dir, environment=hubspot_at(url))
        running.start()
        yield running
        running.stop()


@pytest.fixture
def member(browser: Browser, product: Product, hubspot: FakeHubSpot) -> Iterator[Page]:
    """A signed-in admin of the demo in a fresh window, with a healthy HubSpot."""
    hubspot.heal()
    context = fresh_context(browser, product)
    page = context.new_page()
    faults = faults_of(page)
    sign_in(page)
    yield page
    context.close()
    assert not faults, faults


def crm(page: Page) -> None:
    """The CRM's part of Manage Data."""
    if not page.get_by_role("heading", name="Manage Data").is_visible():
        page.get_by_role("button", name="Manage Data", exact=True).first.click()
    page.get_by_role("group", name="Data sources").get_by_role("button", name="HubSpot").click()


def connect(page: Page) -> None:
    crm(page)
    press(page, "Click to Connect")
    page.get_by_role("link", name="Connect app").click()
    expect(page.get_by_role("button", name="Connected", exact=True)).to_be_visible(timeout=DONE)


def refreshed(page: Page) -> None:
    expect(page.get_by_role("button", name="Refresh Data")).to_be_enabled(timeout=DONE)
    files = page.get_by_role("region", name="HubSpot")
    for name, rows in (("deals", 240), ("companies", 60)):
        row = files.get_by_role("listitem").filter(has_text=name)
        expect(row).to_contain_text(f"{rows} rows", timeout=DONE)


def settled(page: Page, product: Product, after: str = "") -> str:
    """When the last refresh ended, once none is under way and every file is read: the server knows it before the page.

    A refresh that is asked for while another is under way would be that one, and might miss what changed meanwhile.
    """
    token = token_of(page)
    for _ in range(600):
        stands = product.call("GET", "/api/v3/hubspot/status", token=token)
        if stands["state"] == "connected" and not stands["unread"] and stands["refreshed_at"] != after:
            return str(stands["refreshed_at"])
        page.wait_for_timeout(100)
    raise AssertionError(f"no refresh has ended: {stands}")


def disconnect(page: Page, what: str) -> None:
    press(page, "Disconnect")
    press(page, what)
    expect(page.get_by_text("HubSpot disconnected")).to_be_visible()
    expect(page.get_by_role("button", name="Click to Connect")).to_be_visible()


def test_connect_choose_refresh_ask_and_disconnect(member: Page, hubspot: FakeHubSpot, product: Product) -> None:
    page = member
    connect(page)
    assert "code=" not in page.url
    assert page.url.endswith("/chat")
    refreshed(page)
    expect(page.get_by_text("acme-sandbox.example").first).to_be_visible()

    page.get_by_role("group", name="Filter by").get_by_role("button", name="Deals").click()
    page.get_by_label("Search properties").fill("last mod")
    page.get_by_role("checkbox", name="Last Modified Date").click()
    press(page, "Update Selection (1)")
    expect(page.get_by_text("Successfully updated fields")).to_be_visible()
    ended = settled(page, product)
    refreshed(page)
    page.get_by_role("switch", name="Show selected properties only").click()
    expect(page.get_by_role("checkbox", name="Last Modified Date")).to_be_checked()

    hubspot.account.change("deals", FIRST_ID, dealname="Harbour crane")
    press(page, "Refresh Data")
    settled(page, product, after=ended)
    expect(page.get_by_text("HubSpot data refreshed")).to_be_visible(timeout=DONE)
    page.get_by_text("What changed").click()
    page.get_by_label("Since").select_option("Since 30 days ago")
    moved = page.get_by_role("listitem").filter(has_text="Harbour crane").filter(has_text="Changed")
    expect(moved).to_contain_text("→ Harbour crane")
    expect(page.get_by_text(re.compile("1 record changed since the first refresh"))).to_be_visible()

    ask(page, "How many deals are there?")
    expect(page.get_by_role("article").last).to_contain_text("240")

    crm(page)
    disconnect(page, "Disconnect, delete files")
    expect(page.get_by_text("Preview deals")).to_have_count(0)
    for _ in range(100):
        if hubspot.calls("oauth.revoke"):
            break
        page.wait_for_timeout(100)
    assert all(grant.revoked for grant in hubspot.refresh.values())


def test_the_end_of_a_refresh_is_told_with_the_panel_closed_and_in_another_tab(member: Page, product: Product) -> None:
    page, told = member, "HubSpot data refreshed"
    connect(page)
    refreshed(page)
    expect(page.get_by_text(told)).to_be_visible(timeout=DONE)
    ended = settled(page, product)
    press(page, "Refresh Data")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Manage Data")).to_have_count(0)
    press(page, "History")
    settled(page, product, after=ended)
    expect(page.get_by_text(told)).to_be_visible(timeout=DONE)

    other = page.context.new_page()
    page.evaluate("localStorage.setItem('session', sessionStorage.getItem('session'))")  # as "Keep me signed in" does
    other.goto("/chat")
    expect(other.get_by_role("button", name="Manage Data", exact=True).first).to_be_visible(timeout=DONE)
    page.evaluate("localStorage.setItem('crm-refresh', JSON.stringify({ since: Date.now(), told: false }))")
    expect(other.get_by_text(told)).to_be_visible(timeout=DONE)
    other.goto("/privacy")  # a screen without the chat
    expect(other.get_by_role("heading", name="Privacy Policy")).to_be_visible(timeout=DONE)
    page.evaluate("localStorage.setItem('crm-refresh', JSON.stringify({ since: Date.now(), told: false }))")
    expect(other.get_by_text(told)).to_be_visible(timeout=DONE)
    other.close()
    crm(page)
    disconnect(page, "Disconnect, delete files")


def test_a_refused_consent_leads_to_the_error_page(member: Page) -> None:
    crm(member)
    press(member, "Click to Connect")
    member.get_by_role("link", name="Cancel").click()
    member.wait_for_url("**/error")
    expect(member.get_by_text("Something went wrong")).to_be_visible()


def test_a_code_that_was_not_asked_for_here_connects_nothing(
    member: Page, hubspot: FakeHubSpot, product: Product
) -> None:
    code = hubspot.grant(f"{product.url}/hubspot-callback")
    member.goto(f"/hubspot-callback?code={code}&state=made-up")
    expect(member.get_by_text("This sign-in was not started here")).to_be_visible()
    expect(member.get_by_role("button", name="Click to Connect")).to_be_visible()


def test_a_choice_that_cannot_be_saved_and_a_dead_sign_in_are_said_in_the_specifications_words(
    member: Page, hubspot: FakeHubSpot, product: Product
) -> None:
    page = member
    connect(page)
    refreshed(page)
    page.get_by_role("group", name="Filter by").get_by_role("button", name="Deals").click()
    expect(page.get_by_role("checkbox", name="Next step")).to_be_checked()
    page.get_by_role("checkbox", name="Next step").click()
    page.route("**/api/v3/hubspot/fields", lambda route: route.fulfill(status=502, json={}))
    press(page, "Update Selection (1)")
    expect(page.get_by_text("Failed to update CRM Properties. Reconnecting to the CRM.")).to_be_visible()
    page.unroute("**/api/v3/hubspot/fields")
    page.get_by_role("link", name="Connect app").click()
    expect(page.get_by_role("button", name="Connected", exact=True)).to_be_visible(timeout=DONE)
    page.get_by_role("group", name="Filter by").get_by_role("button", name="Deals").click()
    expect(page.get_by_role("checkbox", name="Next step")).not_to_be_checked()
    expect(page.get_by_role("button", name="Update Selection", exact=True)).to_be_disabled()
    settled(page, product)

    hubspot.revoke_all()
    press(page, "Refresh Data")
    expect(page.get_by_text("HubSpot no longer accepts this sign-in. Please connect again.").first).to_be_visible(
        timeout=DONE
    )
    expect(page.get_by_role("button", name="Preview deals")).to_be_enabled()
    connect(page)
    refreshed(page)
    disconnect(page, "Disconnect, keep files")
    expect(page.get_by_role("button", name="Preview deals")).to_be_enabled()


@pytest.mark.parametrize(("size", "theme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide light", "phone dark"])
def test_the_section_hurts_no_rule_connected_or_not(
    browser: Browser, product: Product, size: dict[str, int], theme: str
) -> None:
    context = browser.new_context(base_url=product.url, viewport={"width": size["width"], "height": size["height"]})
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    sign_in(page)
    if size == PHONE:
        press(page, "Menu")
    crm(page)
    expect(page.get_by_role("button", name="Click to Connect")).to_be_visible()
    assert violations(page, RULES) == []
    press(page, "Click to Connect")
    page.get_by_role("link", name="Connect app").click()
    expect(page.get_by_role("button", name="Connected", exact=True)).to_be_visible(timeout=DONE)
    refreshed(page)
    page.get_by_role("group", name="Filter by").get_by_role("button", name="Contacts").click()
    assert violations(page, RULES) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    disconnect(page, "Disconnect, keep files")
    context.close()
