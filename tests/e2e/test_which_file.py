"""Of files with the same columns none is taken in silence: the chat asks, and keeps what is chosen for always."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.axe import violations_in_both_themes
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_the_main_job import answer, ask, figures, ready, upload

ASKED = "What are the total kilos by plum?"


def plums(first: int) -> str:
    return "plum,kilos\n" + "".join(f"{('Mirabelle', 'Damson', 'Reine')[n % 3]},{first + n}\n" for n in range(12))


def test_which_of_two_files_is_asked_kept_for_always_and_given_up(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    (made_files / "plums uphill.csv").write_text(plums(10))
    (made_files / "plums lakeside.csv").write_text(plums(200))
    page.goto("/chat")
    upload(page, made_files / "plums uphill.csv", made_files / "plums lakeside.csv")
    ready(page, "plums uphill")
    ready(page, "plums lakeside")
    page.get_by_role("button", name="Manage Data", exact=True).click()
    ask(page, ASKED)
    back = page.get_by_role("article").last
    expect(back).to_contain_text("can answer this, and the figures differ.")
    choices = back.get_by_role("list", name="Which one do you mean?")
    expect(choices.get_by_role("button", name="plums uphill Reine: 66, …", exact=True)).to_be_visible()
    assert violations_in_both_themes(page, RULES) == []

    always = "Always: plums lakeside will be taken before plums uphill where a question names no file."
    choices.get_by_role("button", name=always).click()
    chips = page.get_by_role("article").last.get_by_role("list", name="Read as")
    expect(chips).to_contain_text("In plums lakeside")
    kilos = {float(sum(range(200 + n, 212, 3))) for n in range(3)}
    assert kilos <= set(figures(answer(page))), answer(page)

    page.get_by_role("button", name="New Chat", exact=True).click()
    ask(page, ASKED)
    chips = page.get_by_role("article").last.get_by_role("list", name="Read as")
    chips.get_by_role("button", name=re.compile("In plums lakeside")).click()
    others = page.get_by_role("group", name=re.compile("^Other readings of"))
    expect(others.get_by_role("button", name=re.compile("^In plums uphill"))).to_be_visible()

    page.get_by_role("button", name="Manage Data", exact=True).click()
    page.get_by_role("button", name="Preview plums lakeside", exact=True).click()
    page.get_by_role("tab", name="What it means").click()
    expect(page.get_by_text("taken before plums uphill")).to_be_visible()
    page.get_by_role("button", name="Edit what one row is").click()
    page.get_by_role("switch", name="Taken before plums uphill where a question names no file").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("taken before plums uphill")).to_have_count(0)
    assert violations_in_both_themes(page, RULES) == []
