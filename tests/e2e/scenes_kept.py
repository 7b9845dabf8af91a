"""Pictures of what stays of the work: conversations and what is done with them, answers on paper, the usage and the
audit log of an organization that is long at it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.camera import Camera
from tests.e2e.places import PLACES, from_menu, leave, press
from tests.e2e.samples_kept import busy_usage, long_audit_log
from tests.e2e.scenes import TO_THE_END
from tests.e2e.test_answers_on_paper import ASKED, NAME
from tests.e2e.test_the_main_job import ask

PAPERS = {"txt": "as a text file", "pdf": "as a PDF", "docx": "as a Word document"}
MORE = "Rename, archive or delete"


def history(camera: Camera) -> None:
    """What can be done with a conversation, each taken back again."""
    page = camera.page
    ask(page, "How many deals are there?")
    from_menu(page, "History")
    panel = page.get_by_role("region", name="History")
    row = panel.locator("li", has=page.locator("[aria-current=true]"))
    row.get_by_role("button", name=MORE).click()
    camera.take("history-actions")
    row.get_by_role("button", name="Rename", exact=True).click()
    camera.take("history-naming")
    row.get_by_role("button", name="Cancel").click()
    row.get_by_role("button", name=MORE).click()
    row.get_by_role("button", name="Archive", exact=True).click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    camera.take("history-archived")
    panel.locator("summary").click()
    panel.get_by_role("group").get_by_role("button", name=MORE).first.click()
    panel.get_by_role("button", name="Restore", exact=True).scroll_into_view_if_needed()
    camera.take("history-archive-open")
    press(page, "Undo")
    row.get_by_role("button", name=MORE).click()
    row.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    camera.take("history-deleted")
    press(page, "Undo")
    leave(page)


def papers(camera: Camera) -> None:
    """An answer as text, PDF and Word, each as it is shown before it is taken home."""
    page = camera.page
    for ending, words in PAPERS.items():
        ask(page, f"{ASKED} {words}")
        page.get_by_role("button", name=f"Preview {NAME}.{ending}").last.click()
        opened = page.get_by_role("dialog", name=f"File Preview for: {NAME}.{ending}")
        expect(opened.get_by_role("button", name="Download")).to_be_visible()
        page.wait_for_timeout(5_000 if ending == "pdf" else 300)  # the browser's own view of it draws itself
        camera.take(f"popup-paper-{ending}")
        leave(page)


def overview(camera: Camera) -> None:
    """The usage of many members and weeks, and an audit log of more than a page."""
    page = camera.page
    page.route("**/api/v3/usage", lambda route: route.fulfill(json=busy_usage()))
    page.route("**/api/v3/audit-log*", lambda route: route.fulfill(json=long_audit_log()))
    for place, shown, title in (
        ("usage", "Language models this month", "Usage"),
        ("audit log", "Show older entries", "Audit Log"),
    ):
        PLACES[place](page)
        expect(page.get_by_text(shown)).to_be_attached()
        camera.take(f"panel-{place}-busy")
        _to_the_end(page, title)
        camera.take(f"panel-{place}-busy-end")
        leave(page)
    page.unroute("**/api/v3/usage")
    page.unroute("**/api/v3/audit-log*")


def _to_the_end(page: Page, title: str) -> None:
    page.get_by_role("heading", name=title).first.evaluate(TO_THE_END)
