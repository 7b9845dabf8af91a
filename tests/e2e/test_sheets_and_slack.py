"""Google Sheets and Slack in the browser, through their consent pages and callbacks, and what goes wrong there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from apps.integrations.fakes.base import serving
from apps.integrations.fakes.google import FakeGoogle
from apps.integrations.fakes.slack import FakeSlack
from tests.e2e.axe import violations
from tests.e2e.conftest import faults_of, fresh_context
from tests.e2e.outside import google_at, slack_at
from tests.e2e.places import PHONE, WIDE, from_menu, press
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_the_main_job import ask, sign_in
from tests.live import Product

DONE = 60_000
PIPELINE = "1PlantedPipelineSheetId"
ANA = "U0ANA00001"


@dataclass
class World:
    """The product and the stand-ins it talks to."""

    product: Product
    google: FakeGoogle
    slack: FakeSlack


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, demo_data: Path) -> Iterator[World]:
    google, slack = FakeGoogle(), FakeSlack()
    data_dir = shutil.copytree(demo_data, tmp_path_factory.mktemp("sheets") / "data")
    with serving(google) as sheets, serving(slack) as chat:
        slack.address = chat
        running = Product(data_dir, environment={**google_at(sheets), **slack_at(chat)})
        running.start()
        slack.product = running.url
        yield World(running, google, slack)
        running.stop()
    assert google.violations == slack.violations == []


@pytest.fixture
def page(browser: Browser, world: World) -> Iterator[Page]:
    """A signed-in admin of the demo in a fresh window; nothing may break the page's policy."""
    world.google.heal()
    world.slack.heal()
    context = fresh_context(browser, world.product)
    opened = context.new_page()
    faults = faults_of(opened)
    sign_in(opened)
    yield opened
    context.close()
    assert not faults, faults


def sheets(page: Page) -> None:
    """Google's part of Manage Data."""
    if not page.get_by_role("heading", name="Manage Data").is_visible():
        from_menu(page, "Manage Data")
    page.get_by_role("group", name="Data sources").get_by_role("button", name="Google Sheets").click()


def sign_in_with_google(page: Page) -> None:
    sheets(page)
    with page.expect_popup() as opened:
        press(page, "Sign In")
    opened.value.get_by_role("button", name="Allow").click()
    expect(page.get_by_role("button", name="Upload Sheets")).to_be_visible()


def pick(page: Page, file: str) -> None:
    """In the picker's frame, which is another host's."""
    frame = page.get_by_role("dialog", name="Select a file").frame_locator("iframe")
    frame.get_by_role("button", name=file).click()


def connect(page: Page, *tabs: str) -> None:
    press(page, "Upload Sheets")
    pick(page, "Pipeline 2026")
    popup = page.get_by_role("dialog", name="Which tabs would you like to connect?")
    for tab in tabs:
        popup.get_by_role("button", name=tab).click()
    popup.get_by_role("button", name="Connect (").click()


def connected(page: Page, tab: str) -> None:
    expect(
        page.get_by_role("region", name="Connected Sheets").get_by_role("button", name=f"Preview {tab}")
    ).to_be_enabled(timeout=DONE)


def let_go(page: Page) -> None:
    press(page, "Disconnect Google")
    press(page, "Disconnect, delete files")
    expect(page.get_by_role("button", name="Sign In")).to_be_visible()


def until(there: Callable[[], object], page: Page) -> None:
    """Waits until the stand-in saw what the product does on its own time."""
    for _ in range(600):
        if there():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it did not happen")


def test_pick_connect_refresh_ask_and_disconnect_a_sheet(page: Page, world: World) -> None:
    sign_in_with_google(page)
    connect(page, "Deals", "Goals (draft)")
    expect(page.get_by_text("Data processed successfully")).to_be_visible(timeout=DONE)
    connected(page, "Deals")
    expect(page.get_by_text(world.google.email)).to_be_visible()
    spreadsheet = page.get_by_role("group", name="Pipeline 2026 2 tabs")
    expect(spreadsheet.get_by_role("listitem")).to_have_count(2)

    file = world.google.files[PIPELINE]
    file.tab("Deals").rows.append(["Rudder", "West", 900])
    file.touch()
    press(page, "Refresh Sheets")
    expect(page.get_by_text("Sheets refreshed")).to_be_visible(timeout=DONE)
    ask(page, "What is the total berths by region?")
    expect(page.get_by_role("article").last).to_contain_text("40,000")

    sheets(page)
    press(page, "Edit context of Deals")
    expect(page.get_by_role("heading", name=re.compile("Edit Context for"))).to_be_visible()
    press(page, "Back")
    press(page, "Disconnect Goals (draft)")
    press(page, "Disconnect")
    expect(page.get_by_text("Goals (draft) disconnected")).to_be_visible()
    expect(spreadsheet).to_have_count(0)
    let_go(page)
    until(lambda: world.google.calls("oauth.revoke"), page)


def test_what_goes_wrong_with_google_is_said_in_the_specifications_words(page: Page, world: World) -> None:
    sheets(page)
    with page.expect_popup() as opened:
        press(page, "Sign In")
    opened.value.get_by_role("link", name="Cancel").click()
    opened.value.wait_for_url("**/error")
    opened.value.close()
    expect(page.get_by_text("The sign-in with Google was not finished.")).to_be_visible()

    sign_in_with_google(page)
    page.route("**/api/v3/google/manage-sheets", lambda route: route.fulfill(status=502, json={}))
    connect(page, "Deals")
    expect(page.get_by_text("Failed to connect tabs. Please try again later.")).to_be_visible()
    page.unroute("**/api/v3/google/manage-sheets")
    sheets(page)
    connect(page, "Deals")
    expect(page.get_by_text("Data processed successfully")).to_be_visible(timeout=DONE)
    connected(page, "Deals")

    page.route("**/api/v3/google/manage-sheets?*", lambda route: route.fulfill(status=502, json={}))
    press(page, "Disconnect Deals")
    press(page, "Disconnect")
    expect(page.get_by_text("Error disconnecting Pipeline 2026: Deals. Please try again.")).to_be_visible()
    page.unroute("**/api/v3/google/manage-sheets?*")
    press(page, "Keep")

    world.google.fail("drive.files.get", status=404, json={"error": {"code": 404, "message": "gone"}})
    world.google.files[PIPELINE].touch()
    press(page, "Refresh Sheets")
    expect(page.get_by_text("Error Refreshing Sheets")).to_be_visible(timeout=DONE)
    connected(page, "Deals")

    world.google.revoke_all()
    press(page, "Refresh Sheets")
    expect(page.get_by_role("alert").get_by_text("Login credentials error, please sign in again")).to_be_visible(
        timeout=DONE
    )
    connected(page, "Deals")
    sign_in_with_google(page)
    let_go(page)


def test_a_message_that_is_not_the_popups_signs_nobody_in(page: Page, world: World) -> None:
    sheets(page)
    with page.expect_popup() as opened:
        press(page, "Sign In")
    expect(opened.value.get_by_role("button", name="Allow")).to_be_visible()
    page.evaluate("window.postMessage({authorizationCode: 'made up', state: 'made up'}, location.origin)")
    exchanges = len(world.google.calls("oauth.token"))
    opened.value.get_by_role("button", name="Allow").click()
    expect(page.get_by_role("button", name="Upload Sheets")).to_be_visible()
    assert len(world.google.calls("oauth.token")) == exchanges + 1
    let_go(page)


def test_a_callback_without_a_code_leads_to_the_error_page(page: Page) -> None:
    for address in ("/google-callback", "/slack-callback", "/slack-callback?error=access_denied&code=x"):
        page.goto(address)
        page.wait_for_url("**/error")


def test_connect_slack_link_oneself_ask_and_disconnect(page: Page, world: World) -> None:
    slack = world.slack
    press(page, "Settings")
    press(page, "Connect Slack")
    page.get_by_role("button", name="Allow").click()
    expect(page.get_by_text("Acme's workspace is connected.")).to_be_visible()

    def command(text: str) -> None:
        assert (
            slack.signed("/api/v3/slack/commands", slack.command_body(ANA, text), "application/x-www-form-urlencoded")
            == 200
        )

    command("How many deals are there?")
    until(lambda: slack.posts, page)
    page.goto(re.search(r"<(http[^|]+)\|", slack.posts[-1].text)[1])
    popup = page.get_by_role("dialog", name="Link your Slack account?")
    expect(popup.get_by_text("ana", exact=True)).to_be_visible()
    popup.get_by_role("button", name="Link").click()
    expect(page.get_by_text("You are ana in Slack now")).to_be_visible()

    command("Total amount of won deals by owner as a bar chart")
    until(lambda: len(slack.posts) == 2 and [f for f in slack.uploads.values() if f.channel], page)
    answer = slack.posts[-1]
    assert answer.user == ANA
    end = answer.blocks[-1]["elements"][0]["text"]
    page.goto(re.search(r"<(http[^|]+)\|Open in", end)[1])
    expect(page.get_by_text("Total amount of won deals by owner as a bar chart").first).to_be_visible()

    press(page, "Settings")
    press(page, "Unlink")
    expect(page.get_by_text("it shows you a link")).to_be_visible()
    press(page, "Disconnect Slack")
    press(page, "Disconnect for everybody")
    expect(page.get_by_role("button", name="Connect Slack")).to_be_visible()
    until(lambda: slack.calls("auth.revoke"), page)


@pytest.mark.parametrize(("size", "theme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide", "phone"])
def test_the_sections_and_the_popup_hurt_no_rule(
    browser: Browser, world: World, size: dict[str, int], theme: str
) -> None:
    context = browser.new_context(
        base_url=world.product.url, viewport={"width": size["width"], "height": size["height"]}
    )
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    sign_in(page)
    sign_in_with_google(page)
    press(page, "Upload Sheets")
    pick(page, "Pipeline 2026")
    popup = page.get_by_role("dialog", name="Which tabs would you like to connect?")
    popup.get_by_role("button", name="Deals").click()
    assert violations(page, RULES) == []
    popup.get_by_role("button", name="Connect (").click()
    connected(page, "Deals")
    assert violations(page, RULES) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    let_go(page)
    context.close()
