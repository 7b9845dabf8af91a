"""The main job as a newcomer does it: sign in, bring files, ask, check the figures, come back to the thread."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import faults_of, fresh_context
from tests.live import DEMO_PASSWORD, Product

REGIONS = ["Nordics", "Iberia", "Benelux", "Alps"]


def make_orders(folder: Path) -> pd.DataFrame:
    """A semicolon CSV in Latin-1 with decimal commas, as a German export has it."""
    chance = random.Random(7)
    rows = [
        {
            "Bestellung": 1000 + number,
            "Region": chance.choice(REGIONS),
            "Verkäufer": chance.choice(["Jörg", "Anaïs", "Zoë"]),
            "Datum": date(2025, 1, 1) + timedelta(days=chance.randrange(365)),
            "Umsatz": chance.randrange(1_000, 900_000) / 100,
        }
        for number in range(400)
    ]
    frame = pd.DataFrame(rows)
    frame.to_csv(folder / "orders export.csv", sep=";", decimal=",", index=False, encoding="latin-1")
    return frame


def make_budget(folder: Path) -> pd.DataFrame:
    """A workbook of one sheet."""
    frame = pd.DataFrame({"Team": ["North", "South", "East"], "Budget": [120_000, 95_500, 71_250], "Heads": [12, 9, 7]})
    frame.to_excel(folder / "budget.xlsx", index=False)
    return frame


def sign_in(page: Page) -> None:
    page.goto("/login")
    page.get_by_label("Username").fill("demo")
    page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    page.get_by_label("Password", exact=True).press("Enter")
    expect(page.get_by_text("Hi demo, how can I support you today?")).to_be_visible()


def upload(page: Page, *paths: Path) -> None:
    if not page.get_by_role("region", name="Manage Data").is_visible():
        page.get_by_role("button", name="Manage Data", exact=True).click()
    page.get_by_test_id("upload").set_input_files([str(path) for path in paths])


def ready(page: Page, display_name: str) -> None:
    expect(page.get_by_role("button", name=f"Preview {display_name}", exact=True)).to_be_visible(timeout=60_000)


def ask(page: Page, question: str) -> None:
    page.get_by_label("Message", exact=True).fill(question)
    page.get_by_label("Message", exact=True).press("Enter")
    expect(page.get_by_text(question).last).to_be_visible()
    expect(page.get_by_label("Message", exact=True)).to_have_attribute(
        "placeholder", "Type Your Message", timeout=30_000
    )


def answer(page: Page) -> str:
    """The text of the newest answer."""
    return page.get_by_role("article").last.inner_text()


def figures(text: str) -> list[float]:
    """The numbers of a text, thousands marks aside."""
    return [float(found.replace(",", "").replace("−", "-")) for found in re.findall(r"[-−]?\d[\d,]*(?:\.\d+)?", text)]


@pytest.fixture
def newcomer(browser: Browser, demo_data: Path, tmp_path: Path) -> Iterator[Page]:
    """A page of a product that holds the demo alone, and no file that another test has brought."""
    running = Product(shutil.copytree(demo_data, tmp_path / "data"), settings="tests.e2e.settings")
    running.start()
    context = fresh_context(browser, running)
    opened = context.new_page()
    faults = faults_of(opened)
    yield opened
    context.close()
    running.stop()
    assert not faults, faults


def test_a_newcomer_brings_files_asks_and_finds_the_thread_again(newcomer: Page, made_files: Path) -> None:
    page = newcomer
    orders, budget = make_orders(made_files), make_budget(made_files)
    sign_in(page)
    upload(page, made_files / "orders export.csv", made_files / "budget.xlsx")
    ready(page, "orders export")
    ready(page, "budget")

    ask(page, "What is the total Umsatz by Region in orders export?")
    expect(page.get_by_role("figure").first).to_be_visible()
    page.get_by_role("tab", name="Table").last.click()
    shown = figures(answer(page))
    for region, total in orders.groupby("Region")["Umsatz"].sum().items():
        assert any(abs(total - figure) < 0.006 for figure in shown), (region, total, shown)

    ask(page, "How many orders were there in March 2025?")
    in_march = int((pd.to_datetime(orders["Datum"]).dt.month == 3).sum())
    assert float(in_march) in figures(answer(page))

    ask(page, "Which team has the highest budget?")
    best = budget.loc[budget["Budget"].idxmax()]
    assert best["Team"] in answer(page)
    assert float(best["Budget"]) in figures(answer(page))

    thread = page.url
    assert "/chat/c/" in thread
    page.reload()
    expect(page.get_by_text("Which team has the highest budget?").first).to_be_visible()
    page.get_by_role("button", name="New Chat").click()
    expect(page.get_by_text("Hi demo, how can I support you today?")).to_be_visible()
    page.get_by_role("button", name="History").click()
    page.get_by_role("region", name="Today").get_by_role("button").filter(has_text="Umsatz").first.click()
    expect(page).to_have_url(thread)
    expect(page.get_by_text("How many orders were there in March 2025?").first).to_be_visible()


def test_what_is_asked_right_after_an_upload_is_answered_from_the_file(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    (made_files / "harvest.csv").write_text("Orchard,Bins\nLarkhill,411\nWestbrook,322\nLarkhill,206\n")
    page.goto("/chat")
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/files")):
        upload(page, made_files / "harvest.csv")
    page.get_by_label("Message", exact=True).fill("Total bins for Larkhill?")
    page.get_by_label("Message", exact=True).press("Enter")
    expect(page.get_by_role("article").last).to_contain_text("617")


def test_bad_files_are_told_one_by_one_and_the_good_one_is_kept(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    (made_files / "plan (1).csv").write_text("a,b\n1,2\n")
    (made_files / "notes.txt").write_text("hello")
    (made_files / "hubspot_mine.csv").write_text("a,b\n1,2\n")
    (made_files / "good one.csv").write_text("city,people\nOslo,10\nRiga,20\n")
    page.goto("/chat")
    names = ("plan (1).csv", "notes.txt", "hubspot_mine.csv", "good one.csv")
    upload(page, *(made_files / name for name in names))
    told = page.get_by_role("alert")
    expect(told).to_contain_text("Please remove parentheses from: plan (1).csv")
    expect(told).to_contain_text("We apologize. Plumbline does not support this file type yet.")
    expect(told).to_contain_text("Please remove the prefix: hubspot_ from hubspot_mine.csv")
    ready(page, "good one")

    upload(page, made_files / "good one.csv")
    expect(page.get_by_role("alert")).to_contain_text(
        "A file with the name: good one.csv already exists. Please delete it and try again."
    )


def test_what_cannot_be_read_gets_an_honest_answer_with_questions_that_can_be(signed_in: Page) -> None:
    page = signed_in
    page.goto("/chat")
    ask(page, "Why is the sky over our competitors so green?")
    said = page.get_by_role("article").last
    expect(said.get_by_role("button").first).to_be_visible()
    assert not re.search(r"\d{3,}", said.inner_text().split("?")[0])
