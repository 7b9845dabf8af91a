"""An admin adds a model under Settings, tries it, limits it and takes it away; a local server stands in."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from apps.analyst.approaches.models.fake import FakeProviders
from apps.analyst.approaches.models.fake_words import asks_for_words
from tests.e2e.places import PHONE, WIDE, from_menu, press
from tests.e2e.test_the_main_job import sign_in
from tests.e2e.with_models import fixtures, pictures

KEY = "sk-not-to-be-seen"


def say(texts: list[str]) -> str:
    """A model that counts deals, whatever it is asked."""
    return "There you are." if asks_for_words(texts) else json.dumps({"sql": "SELECT count(*) AS deals FROM Deals"})


local, running, page = fixtures(say)


def picture(page: Page, name: str, size: dict[str, int]) -> None:
    """The section at one width."""
    heading = page.get_by_role("heading", name="Language models")
    pictures(page, name, sizes=(size,), before=lambda: heading.evaluate("one => one.scrollIntoView({block: 'start'})"))


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_model_is_added_tried_limited_and_taken_away(page: Page, local: FakeProviders, size: dict[str, int]) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    sign_in(page)
    from_menu(page, "Settings")
    expect(page.get_by_text("The built-in analyst answers.")).to_be_visible()
    picture(page, "none", size)
    press(page, "Add a model")
    form = page.get_by_role("form", name="Add a model")
    form.get_by_label("Provider").select_option("other")
    form.get_by_label("Address").fill(f"{local.address}/v1")
    form.get_by_label("Key, if it needs one").fill(KEY)
    press(page, "List models")
    expect(form.get_by_text("2 to choose from above.")).to_be_visible()
    form.get_by_label("Model", exact=True).fill("local-7b")
    form.get_by_label("Price told").fill("2")
    form.get_by_label("Price said").fill("8")
    picture(page, "form", size)
    press(page, "Add")
    section = page.get_by_role("region", name="local-7b")
    expect(section).to_be_visible()
    assert KEY not in page.content()
    section.get_by_role("button", name="Test").click()
    expect(section.get_by_role("status")).to_contain_text("It took")
    picture(page, "added", size)

    budget = page.get_by_label("Monthly budget for your models")
    budget.fill(str(size["width"]))
    press(page, "Save budget")
    expect(page.get_by_role("button", name="Save budget")).to_have_count(0)

    section.get_by_role("button", name="Remove").click()
    press(page, "Remove for everybody")
    expect(section).to_have_count(0)
