"""The administration in the browser: its pages can be read by all, and keep to the product's policy."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.live import DEMO_PASSWORD, Product

LONG = "What did the sales of spare parts for industrial valves to public buyers come to, and how is our karma there?"


def enter(page: Page) -> None:
    """By keyboard, from the door."""
    page.goto("/admin/")
    expect(page.get_by_label("Username")).to_be_focused()
    page.keyboard.type("demo")
    page.keyboard.press("Tab")
    page.keyboard.type(DEMO_PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Members")).to_be_visible()


def test_the_administration_can_be_read_by_all(page: Page) -> None:
    page.goto("/admin/")
    assert violations(page) == []
    enter(page)
    for address in (
        "/admin/",
        "/admin/accounts/user/",
        "/admin/accounts/auditevent/",
        "/admin/accounts/invitation/add/",
        "/admin/threads/declinedanswer/",
    ):
        page.goto(address)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert violations(page) == [], (address, scheme)


def test_what_is_too_wide_for_the_window_says_so_and_can_be_read(page: Page) -> None:
    """At the widths of a tablet and a phone: the page holds still, its table moves, a shadow says that more follows."""
    enter(page)
    page.goto("/admin/datasources/source/")
    rows = page.get_by_role("region", name="Rows")
    frame = page.locator(".edge", has=rows)
    for width in (820, 390):
        page.set_viewport_size({"width": width, "height": 900})
        expect(frame).to_have_attribute("data-more", "")
        rows.evaluate("one => { one.scrollLeft = one.scrollWidth }")
        expect(frame).not_to_have_attribute("data-more", "")
        expect(rows.get_by_role("columnheader", name="Refreshed at")).to_be_in_viewport()
        expect(rows.get_by_role("rowheader", name="hubspot_deals.csv")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        rows.evaluate("one => { one.scrollLeft = 0 }")


def test_a_declined_question_and_what_was_said_are_read_side_by_side(page: Page, product: Product) -> None:
    product.ask(product.sign_in(), LONG)
    enter(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/admin/threads/declinedanswer/")
    expect(page.get_by_role("cell", name=LONG)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("columnheader", name="What was said")).to_be_in_viewport(ratio=1)
    expect(page.locator(".edge", has=page.get_by_role("region", name="Rows"))).not_to_have_attribute("data-more", "")


def test_what_asks_before_a_member_goes_can_be_read_by_all(page: Page) -> None:
    enter(page)
    page.goto("/admin/accounts/user/add/")
    page.get_by_label("Username").fill("mara.of.the.nordic.sales.office.for.spare.parts")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("link", name="mara.of").last.click()
    page.get_by_role("link", name="Delete").click()
    expect(page.get_by_role("table", name="What this affects")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert violations(page) == [], scheme
    page.get_by_role("button", name="Delete mara.of").click()
    expect(page.get_by_text("Deleted: mara.of")).to_be_visible()


def test_a_member_is_invited_from_the_list_of_members(page: Page) -> None:
    enter(page)
    page.goto("/admin/accounts/user/")
    page.get_by_role("link", name="Invite a member").click()
    expect(page.get_by_text("The invitation is sent to this address at once.")).to_be_visible()
    page.get_by_label("Email").fill("mara@example.com")
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_text("An invitation is on its way to mara@example.com.")).to_be_visible()
    expect(page.get_by_role("link", name="mara@example.com")).to_be_visible()


def test_every_page_of_the_administration_keeps_to_the_policy(page: Page) -> None:
    """Each list, its newest row and that row's history; the page itself fails where something was refused."""
    enter(page)
    links = page.locator("#content-main th a").all()
    lists = [str(link.get_attribute("href")) for link in links]
    assert len(lists) > 10
    for address in lists:
        page.goto(address)
        first = page.locator("#result_list tbody th a").first
        if first.count():
            first.click()
            expect(page.locator("form, .readonly").first).to_be_visible()
            page.goto(f"{page.url.split('/change/')[0]}/history/")
    page.goto("/admin/accounts/user/")
    page.get_by_role("button", name="Toggle theme").first.click()
    page.locator("#result_list input[type=checkbox]").first.check()
    expect(page.get_by_text("1 of")).to_be_visible()
