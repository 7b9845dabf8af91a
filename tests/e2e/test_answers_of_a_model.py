"""What an answer through a model shows: how it read, the other reading, a question back, and who stood in for it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from apps.analyst.approaches.models.fake import FakeProviders
from apps.analyst.approaches.models.fake_words import asks_for_words
from tests.e2e.places import WIDE, press
from tests.e2e.test_the_main_job import ask, ready, sign_in, upload
from tests.e2e.with_models import add_model, fixtures, pictures

ORDERS = "order_no,region,amount,status,ordered_on\n" + "".join(
    f"O{n:03},{('North', 'South')[n % 2]},{10 * n},{('closed', 'open', 'closed')[n % 3]},2025-0{1 + n % 6}-10\n"
    for n in range(1, 61)
)
BY_REGION = "How many orders are there by region?"
CLOSED = "What is the total amount by region?"
VAGUE = "How is the North doing?"
COUNTED = "How many orders are there in the North?"
PAIRS = "How many pairs of orders are there where one is larger?"
FAILS = "What is the average amount of orders?"
REPLIES: dict[str, object] = {
    BY_REGION: {"sql": "SELECT region, count(*) AS orders FROM orders GROUP BY region", "read": []},
    CLOSED: {
        "sql": "SELECT region, sum(amount) AS total_amount FROM orders WHERE status = 'closed' GROUP BY region",
        "read": ["closed orders only"],
    },
    VAGUE: {
        "ask": "What should be told of the North?",
        "choices": [COUNTED, "What is the total amount of orders in the North?"],
    },
    COUNTED: {"sql": "SELECT count(*) AS orders FROM orders WHERE region = 'North'", "read": []},
    PAIRS: {"sql": "SELECT count(*) AS pairs FROM orders a JOIN orders b ON a.amount < b.amount", "read": []},
    FAILS: "I would rather not.",
}


def say(texts: list[str]) -> str:
    """A model that knows these questions, and words nothing of its own."""
    if asks_for_words(texts):
        return ""
    asked = next(text for text in reversed(texts) if "\nQuestion: " in text).rsplit("\nQuestion: ", 1)[1]
    reply = REPLIES[asked.split("\n")[0]]
    return reply if isinstance(reply, str) else json.dumps(reply)


local, running, page = fixtures(say)


def last(page: Page) -> Locator:
    return page.get_by_role("article").last


def shown(page: Page, name: str) -> None:
    """Pictures of the newest answer."""
    pictures(page, name, before=lambda: last(page).evaluate("one => one.scrollIntoView({block: 'start'})"))


def test_a_model_says_how_it_read_asks_back_and_is_held_against_the_built_in_analyst(
    page: Page, local: FakeProviders, tmp_path: Path
) -> None:
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    sign_in(page)
    hint = page.get_by_text("A language model would understand freer words")
    expect(hint).to_be_visible()
    pictures(page, "hint")
    press(page, "Language models in Settings")
    expect(page.get_by_role("heading", name="Language models")).to_be_visible()
    (tmp_path / "orders.csv").write_text(ORDERS)
    upload(page, tmp_path / "orders.csv")
    ready(page, "orders")
    add_model(page, local)
    picker = page.get_by_role("button", name="Models: local-7b")
    expect(picker).to_be_visible()
    expect(hint).to_have_count(0)
    picker.click()
    expect(page.get_by_role("group", name="Models").get_by_role("button", name=re.compile("Built-in"))).to_be_visible()
    pictures(page, "picker", sizes=(WIDE,))
    page.keyboard.press("Escape")

    ask(page, BY_REGION)
    expect(last(page)).to_contain_text("The built-in analyst reads it the same.")
    shown(page, "same")

    ask(page, CLOSED)
    expect(last(page).get_by_role("list", name="Read as")).to_contain_text("closed orders only")
    expect(last(page)).to_contain_text("The built-in analyst comes to another result.")
    shown(page, "other")
    last(page).get_by_role("button", name="The other result").click()
    other = last(page).get_by_role("group", name="The other result")
    expect(other.get_by_role("button", name="As the built-in analyst reads it")).to_contain_text("9,300")
    shown(page, "other-result")
    page.keyboard.press("Escape")
    last(page).get_by_role("button", name=re.compile("Status is closed")).first.click()
    others = last(page).get_by_role("group", name=re.compile("^Other readings of"))
    expect(others.get_by_role("button")).to_have_count(2)
    expect(others.get_by_role("button", name=re.compile("Status is open"))).to_be_visible()
    shown(page, "both")
    others.get_by_role("button").first.click()
    expect(last(page)).to_contain_text("9,300")

    ask(page, VAGUE)
    expect(last(page)).to_contain_text("What should be told of the North?")
    shown(page, "asked-back")
    last(page).get_by_role("button", name=COUNTED).click()
    expect(last(page)).to_contain_text("30", timeout=30_000)
    shown(page, "chosen")

    ask(page, PAIRS)
    expect(last(page)).to_contain_text("1,770")
    expect(last(page)).to_contain_text("Source: orders. 60 rows.")
    shown(page, "query")

    ask(page, FAILS)
    expect(last(page)).to_contain_text("305")
    expect(last(page)).to_contain_text("The built-in analyst answered instead.")
    shown(page, "instead")
