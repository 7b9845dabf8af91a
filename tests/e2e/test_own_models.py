"""An admin adds a model under Settings, tries it, limits what it may cost and see, and takes it away; a local server
stands in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from apps.analyst.approaches.models import trial
from apps.analyst.approaches.models.fake import FakeProviders
from apps.analyst.approaches.models.fake_words import asks_for_words
from tests.e2e.places import PHONE, WIDE, from_menu, leave, press
from tests.e2e.test_the_main_job import ask, ready, sign_in, upload
from tests.e2e.with_models import fixtures, pictures

KEY = "sk-not-to-be-seen"
SECRET, VALUE = "blood_group", "Rh-null golden"
TRIED = "SELECT sum(amount) AS total FROM orders WHERE status = 'open' AND year(ordered_on) = 2025"
COUNTED = "SELECT count(*) AS donors FROM {table}"


def say(texts: list[str]) -> str:
    """A model that answers a test rightly, and else counts donors, whatever it is asked."""
    if asks_for_words(texts):
        return ""
    table = next((name for name in ("donors_1440", "donors_390") if name in texts[-1]), "")
    return json.dumps({"sql": TRIED if trial.QUESTION in texts[-1] else COUNTED.format(table=table)})


local, running, page = fixtures(say)


def picture(page: Page, name: str, size: dict[str, int]) -> None:
    """The section at one width."""
    heading = page.get_by_role("heading", name="Language models")
    pictures(page, name, sizes=(size,), before=lambda: heading.evaluate("one => one.scrollIntoView({block: 'start'})"))


def set_budget(page: Page, monthly: str) -> None:
    page.get_by_label("Monthly budget for your models").fill(monthly)
    press(page, "Save budget")
    expect(page.get_by_role("button", name="Save budget")).to_have_count(0)


def last(page: Page) -> Locator:
    return page.get_by_role("article").last


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_model_is_added_tried_limited_and_taken_away(
    page: Page, local: FakeProviders, size: dict[str, int], tmp_path: Path
) -> None:
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    sign_in(page)
    table = f"donors_{size['width']}"
    rows = "".join(f"D{n:03},{('Leeds', 'York')[n % 2]},{VALUE if n % 3 else 'A plus'}\n" for n in range(1, 41))
    (tmp_path / f"{table}.csv").write_text(f"donor_no,town,{SECRET}\n{rows}")
    upload(page, tmp_path / f"{table}.csv")
    ready(page, table)
    page.get_by_role("button", name=f"Preview {table}").click()
    page.get_by_role("tab", name="What it means").click()
    lock = page.get_by_role("button", name=f"Keep {SECRET} from language models")
    lock.click()
    expect(lock).to_have_attribute("aria-pressed", "true")
    leave(page)
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.reload()

    from_menu(page, "Settings")
    expect(page.get_by_text("The built-in analyst answers.", exact=False).first).to_be_visible()
    picture(page, "none", size)
    press(page, "Add a model")
    form = page.get_by_role("form", name="Add a model")
    form.get_by_label("Provider").select_option("other")
    form.get_by_label("Address").fill(f"{local.address}/v1")
    form.get_by_label("Key, if it needs one").fill(KEY)
    press(page, "List models")
    expect(form.get_by_text("2 to choose from above.")).to_be_visible()
    form.get_by_label("Model", exact=True).fill("local-7b")
    form.get_by_label("Price told").fill("2000")
    form.get_by_label("Price said").fill("8000")
    picture(page, "form", size)
    press(page, "Add")
    section = page.get_by_role("region", name="local-7b")
    expect(section).to_be_visible()
    assert KEY not in page.content()
    section.get_by_role("button", name="Test").click()
    expect(section.get_by_role("status")).to_contain_text("It answered the test question correctly. It took")
    expect(page.get_by_text("spent this month")).not_to_contain_text("0.00 spent")
    picture(page, "added", size)

    set_budget(page, "0.5")
    leave(page)
    sent = len(local.requests)
    ask(page, f"How many rows are there in {table}?")
    expect(last(page)).to_contain_text("budget for language models is spent for this month.")
    expect(last(page)).to_contain_text("The built-in analyst answered instead.")
    assert len(local.requests) == sent
    pictures(page, "spent", sizes=(size,))

    from_menu(page, "Settings")
    set_budget(page, "0")
    leave(page)
    ask(page, f"How many rows of {table} are there?")
    expect(last(page)).to_contain_text("Sent to local-7b.")
    expect(last(page)).to_contain_text("40")
    asked = json.dumps([body for _, body in local.requests[sent:]])
    assert table in asked
    assert SECRET not in asked
    assert VALUE not in asked
    sent = len(local.requests)
    ask(page, f"How many donors of {table} have the blood group '{VALUE}'?")
    expect(last(page)).to_contain_text("The question speaks of a private column, so no model was asked.")
    assert len(local.requests) == sent
    pictures(page, "private-asked", sizes=(size,))

    from_menu(page, "Settings")
    section.get_by_role("button", name="Remove").click()
    press(page, "Remove for everybody")
    expect(section).to_have_count(0)
