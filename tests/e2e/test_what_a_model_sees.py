"""A column is made private, what models see is limited, and what one saw for an answer is read word for word."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from apps.analyst.approaches.models.fake import FakeProviders
from apps.analyst.approaches.models.fake_words import asks_for_words
from tests.e2e.places import WIDE, from_menu, leave, press
from tests.e2e.test_the_main_job import ask, ready, sign_in, upload
from tests.e2e.with_models import add_model, fixtures, pictures

SECRET, VALUE = "blood_group", "Rh-null golden"
DONORS = f"donor_no,town,{SECRET}\n" + "".join(
    f"D{n:03},{('Leeds', 'York')[n % 2]},{VALUE if n % 3 else 'A plus'}\n" for n in range(1, 41)
)


def say(texts: list[str]) -> str:
    """A model that counts donors by town, whatever it is asked."""
    sql = "SELECT town, count(*) AS donors FROM donors GROUP BY town"
    return "Both towns have 20 donors." if asks_for_words(texts) else json.dumps({"sql": sql})


local, running, page = fixtures(say)


def test_a_private_column_stays_in_the_house_and_what_left_it_can_be_read(
    page: Page, local: FakeProviders, tmp_path: Path
) -> None:
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    sign_in(page)
    (tmp_path / "donors.csv").write_text(DONORS)
    upload(page, tmp_path / "donors.csv")
    ready(page, "donors")
    page.get_by_role("button", name="Preview donors").click()
    page.get_by_role("tab", name="What it means").click()
    lock = page.get_by_role("button", name=f"Keep {SECRET} from language models")
    lock.click()
    expect(lock).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Private: no language model is told its name or its values.")).to_be_visible()
    pictures(page, "private")
    leave(page)

    add_model(page, local)
    from_menu(page, "Settings")
    level = page.get_by_label("What models see")
    expect(level).to_have_value("values")
    level.evaluate("one => one.scrollIntoView({block: 'center'})")
    pictures(page, "policy")
    press(page, "Settings")

    expect(page.get_by_role("button", name="Models: local-7b")).to_be_visible()
    ask(page, "How many donors are there by town?")
    answer = page.get_by_role("article").last
    expect(answer).to_contain_text("Sent to local-7b.")
    pictures(page, "answer")
    answer.get_by_role("button", name="What a model sees").click()
    popup = page.get_by_role("dialog", name="What a model sees")
    expect(popup.get_by_text('table "donors": 40 rows')).to_be_visible()
    expect(popup.get_by_text("GROUP BY town").first).to_be_visible()
    pictures(page, "told")
    sent = json.dumps([body for _, body in local.requests])
    assert "donors" in sent
    for private in (SECRET, VALUE):
        assert private not in sent
        assert private not in popup.inner_text()
    leave(page)

    before = len(local.requests)
    ask(page, f"How many donors are there with the blood group '{VALUE}'?")
    expect(page.get_by_role("article").last).not_to_contain_text("Sent to")
    assert len(local.requests) == before
