"""Pictures of the administration, as an organization's admin and as staff see it."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from playwright.sync_api import Page, expect

from tests.e2e.camera import Camera
from tests.e2e.gallery import LONG
from tests.live import DEMO_PASSWORD, ROOT, Product

DECLINED = ("What is our karma?", f"What is the weather at {LONG[0]}, and how does it compare with last year?")
STAFF, STAFF_PASSWORD = "root", "Staff-Password-1"


def administration(camera: Camera) -> None:
    """What an organization's admin sees at a glance, a list, a record and a form; what was declined; what is asked
    before somebody or something goes."""
    page = camera.page
    page.goto("/admin/")
    camera.take("admin-door")
    _enter(page, "demo", DEMO_PASSWORD)
    camera.take("admin-dashboard")
    pages = {"members": "accounts/user", "audit": "accounts/auditevent", "sources": "datasources/source"}
    for name, address in pages.items():
        page.goto(f"/admin/{address}/")
        camera.take(f"admin-{name}")
    page.goto("/admin/accounts/invitation/add/")
    camera.take("admin-invitation")
    _declined(camera)
    _going(camera)
    page.context.clear_cookies()
    _as_staff(camera)


def _enter(page: Page, username: str, password: str) -> None:
    page.get_by_label(re.compile("Username")).fill(username)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Members")).to_be_visible()


def _declined(camera: Camera) -> None:
    page, product = camera.page, camera.product
    token = product.sign_in()
    for question in DECLINED:
        product.ask(token, question)
    page.goto("/admin/threads/declinedanswer/")
    camera.take("admin-declined-questions")
    page.locator("#result_list tbody th a").last.click()
    expect(page.get_by_role("heading", name="Declined question (")).to_be_visible()
    camera.take("admin-declined-question")


def _going(camera: Camera) -> None:
    """What is asked before an invitation is withdrawn, and a member deactivated or deleted; one that may not go."""
    page, name = camera.page, f"mara-{camera.shot.theme}-{camera.shot.width}"
    page.goto("/admin/accounts/user/add/")
    page.get_by_label(re.compile("^Username")).fill(name)
    page.get_by_label(re.compile("^Name")).fill("Mara Lindqvist")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(f"Temporary password of {name}")).to_be_visible()
    camera.take("admin-member-made")
    page.get_by_role("checkbox", name=re.compile(name)).check()
    page.get_by_label(re.compile("^Action")).select_option("deactivate")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_role("heading", name="Deactivate members")).to_be_visible()
    camera.take("admin-asked-deactivate")
    for whose, taken in ((name, "delete"), ("demo", "refused")):
        page.goto("/admin/accounts/user/")
        page.get_by_role("link", name=whose, exact=True).click()
        page.get_by_role("link", name="Delete").click()
        expect(page.get_by_role("heading", name=f"Delete {whose}")).to_be_visible()
        camera.take(f"admin-asked-{taken}")


def _as_staff(camera: Camera) -> None:
    """What is asked before an organization is closed for a time, and before it goes: then its name must be typed."""
    page = camera.page
    _make_staff(camera.product)
    page.goto("/admin/")
    _enter(page, STAFF, STAFF_PASSWORD)
    page.goto("/admin/accounts/organization/")
    page.locator("#result_list tbody input[type=checkbox]").first.check()
    page.get_by_label(re.compile("^Action")).select_option("deactivate")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_role("heading", name=re.compile("Deactivate"))).to_be_visible()
    camera.take("admin-asked-organization-closed")
    page.goto("/admin/accounts/organization/")
    page.locator("#result_list tbody th a").first.click()
    page.get_by_role("link", name="Delete").click()
    expect(page.get_by_label("To confirm, type the name")).to_be_visible()
    camera.take("admin-asked-organization")
    page.get_by_role("link", name="Cancel").scroll_into_view_if_needed()
    camera.take("admin-asked-organization-end")
    page.get_by_label("To confirm, type the name").fill("Another")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("alert")).to_be_visible()
    camera.take("admin-asked-organization-missed")


def _make_staff(product: Product) -> None:
    """Staff's first account. It is there already where a camera before this one made it: the command then refuses."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": product.settings,
        "DATA_DIR": str(product.data_dir),
        "DJANGO_SUPERUSER_PASSWORD": STAFF_PASSWORD,
    }
    command = [sys.executable, "manage.py", "createsuperuser", "--noinput", "--username", STAFF]
    words = [*command, "--email", "root@example.com"]
    subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, timeout=120, check=False)
