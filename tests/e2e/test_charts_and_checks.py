"""Charts of every kind and checked answers in the browser: drawn, named, recoloured, saved, and no fault for axe."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.axe import violations_in_both_themes
from tests.e2e.checked import FOUND, checked_answer
from tests.e2e.gallery import (
    ADDRESS,
    chart_thread,
    each_type,
    hard_cases,
    hard_turns,
    serve_thread,
)
from tests.e2e.places import PHONE, leave, press
from tests.e2e.samples import FILES_TO_DOWNLOAD, with_files
from tests.e2e.test_panels_and_popups import RULES, check

DRAWN = "svg.recharts-surface"
NOT_A_PATH = """() => [...document.querySelectorAll('svg *')].flatMap(one => [...one.attributes]
    .filter(({value}) => /NaN|Infinity|undefined/.test(value))
    .map(({name, value}) => `${one.tagName} ${name}=${value}`))"""
# What a move of the pointer brings is drawn by then, however slow the machine.
THREE_FRAMES = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
    () => requestAnimationFrame(done))))"""
COPIED_PICTURE = """async () => {
    const [item] = await navigator.clipboard.read();
    const picture = await createImageBitmap(await item.getType('image/png'));
    return [picture.width, picture.height];
}"""
FIGURE = re.compile(r"^\$\d{1,3}(,\d{3})*(\.\d\d)?$")
NOT_DRAWN = {
    "No data": "No rows match, so there is nothing to draw.",
    "Not for pies": "Plumbline doesn't support this chart type for this data set. Please try another one.",
}


def drawn(page: Page, name: str, index: int) -> None:
    """The chart of an answer is there, or says why it is not."""
    answer = page.get_by_role("article").filter(has=page.get_by_role("button", name="Copy answer")).nth(index)
    answer.evaluate("one => one.scrollIntoView({block: 'center'})")
    figure = answer.get_by_role("figure")
    if name in NOT_DRAWN:
        expect(figure).to_contain_text(NOT_DRAWN[name])
    else:
        expect(figure.locator(DRAWN).first, name).to_be_visible()
    assert page.evaluate(NOT_A_PATH) == [], name


def test_every_chart_is_drawn_on_a_phone_whatever_it_holds(signed_in: Page) -> None:
    page = signed_in
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    cases = [*each_type(), *hard_cases()]
    serve_thread(page, chart_thread(iter(cases)))
    page.goto(ADDRESS)
    expect(page.get_by_role("article").first).to_be_attached()
    for index, (name, _) in enumerate(cases):
        drawn(page, name, index)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_pointer_meets_the_exact_figure_with_its_currency_in_every_type(signed_in: Page) -> None:
    page = signed_in
    cases = list(each_type())
    serve_thread(page, chart_thread(iter(cases)))
    page.goto(ADDRESS)
    expect(page.get_by_role("article").first).to_be_attached()
    for index, (name, _) in enumerate(cases):
        drawn(page, name, index)
        figure = page.get_by_role("article").filter(has=page.get_by_role("button", name="Copy answer")).nth(index)
        told = figure.locator(".recharts-tooltip-wrapper").get_by_text(FIGURE)
        places = itertools.cycle(itertools.product((0.5, 0.4, 0.3, 0.6, 0.7), repeat=2))
        for across, down in itertools.islice(places, 100):
            box = figure.locator("[data-chart-plot]").bounding_box() or {}
            page.mouse.move(box["x"] + box["width"] * across, box["y"] + box["height"] * down)
            page.evaluate(THREE_FRAMES)
            if told.count():
                break
        expect(told.first, name).to_be_visible()
        page.mouse.move(0, 0)


def test_a_chart_changes_its_type_and_colour_and_is_saved_under_its_name(signed_in: Page) -> None:
    page = signed_in
    serve_thread(page, chart_thread(case for case in each_type() if case[0] == "bar chart"))
    page.goto(ADDRESS)
    expect(page.locator(DRAWN).first).to_be_visible()
    press(page, "Colors")
    page.get_by_label("Hex color of Iberia").fill("#117733")
    page.get_by_label("Hex color of Iberia").blur()
    expect(page.locator("[data-chart-plot] svg path[fill='#117733']").first).to_be_visible()
    press(page, "Chart type")
    expect(page.get_by_label("Hex color of Iberia")).to_have_count(0)
    for name in ("Line Chart", "Radar Chart", "Scatter Chart", "Bar Chart"):
        press(page, name)
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        expect(page.locator(DRAWN).first).to_be_visible()
        assert page.evaluate(NOT_A_PATH) == [], name
    with page.expect_download() as saved:
        press(page, "Download as PNG")
    assert saved.value.suggested_filename == "bar chart.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_chart_is_copied_as_a_picture_and_it_is_said_where_the_browser_refuses(signed_in: Page) -> None:
    page = signed_in
    serve_thread(page, chart_thread(case for case in each_type() if case[0] == "bar chart"))
    page.goto(ADDRESS)
    expect(page.locator(DRAWN).first).to_be_visible()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, "Copy image")
    expect(page.get_by_text("Image copied")).to_be_visible()
    width, height = page.evaluate(COPIED_PICTURE)
    assert width > 400
    assert height > 200
    page.evaluate("() => { navigator.clipboard.write = () => Promise.reject(new Error('refused')) }")
    press(page, "Copy image")
    expect(page.get_by_text("Error copying image to clipboard")).to_be_visible()


def test_charts_checks_and_popups_of_an_answer_hurt_no_rule(signed_in: Page) -> None:
    page = signed_in
    for groups, found in (("AAA", "agree"), ("AAA", "unconfirmed"), ("AAA", "doubted"), ("ABB", "agree")):
        serve_thread(page, checked_answer(groups, len(groups) - 1, FOUND[found]))
        page.goto(ADDRESS)
        page.get_by_role("button", name=re.compile("agree|Reading")).click()
        expect(page.get_by_role("region", name="Validation")).to_be_visible()
        check(page)
    page.get_by_role("tab", name="Approach 2").click()
    press(page, "Models: Built-in analyst")
    check(page)
    page.keyboard.press("Escape")
    press(page, "Bad answer")
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)
    leave(page)
    page.unroute("**/api/v3/ask")
    serve_thread(page, with_files())
    page.goto(ADDRESS)
    press(page, "Good answer")
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)
    leave(page)
    for file in FILES_TO_DOWNLOAD:
        press(page, f"Preview {file['filename']}")
        expect(page.get_by_role("dialog")).to_be_visible()
        check(page)
        leave(page)
    press(page, "Choose files for this question")
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)
    page.unroute("**/api/v3/ask")
    serve_thread(page, chart_thread(each_type()))
    page.goto(ADDRESS)
    expect(page.locator(DRAWN).first).to_be_visible()
    for picker in ("Chart type", "Colors"):
        page.get_by_role("button", name=picker).last.click()
        assert violations_in_both_themes(page, RULES) == []


@pytest.mark.parametrize(
    ("found", "headed"), [("unconfirmed", "Reading not confirmed"), ("doubted", "Reading uncertain")]
)
def test_one_reading_that_was_only_computed_again_is_not_called_agreed(
    signed_in: Page, found: str, headed: str
) -> None:
    page = signed_in
    serve_thread(page, checked_answer("AAA", 0, FOUND[found]))
    page.goto(ADDRESS)
    page.get_by_role("button", name=headed).click()
    panel = page.get_by_role("region", name="Validation")
    expect(panel.get_by_role("heading", name=headed)).to_be_visible()
    lines = [*FOUND[found].doubts, FOUND[found].recomputed, FOUND[found].read]
    expect(panel.get_by_role("list", name="What was checked").get_by_role("listitem")).to_have_text(lines)
    expect(page.get_by_text("All methods agree")).to_have_count(0)


def test_another_approach_is_taken_by_keyboard_alone(signed_in: Page) -> None:
    page = signed_in
    serve_thread(page, checked_answer("ABB", best=1))
    page.route(
        "**/api/v3/ask",
        lambda route: route.fulfill(json={}) if "selected_assistant" in route.request.post_data else route.fallback(),
    )
    page.goto(ADDRESS)
    page.get_by_role("button", name="Methods disagree").press("Enter")
    panel = page.get_by_role("region", name="Validation")
    panel.get_by_role("tab", name="Selected Approach").press("ArrowRight")
    expect(panel.get_by_role("tab", name="Approach 2")).to_be_focused()
    panel.get_by_role("button", name="Select").press("Enter")
    expect(panel.get_by_role("tab", name="Selected Approach")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("article").last).to_contain_text("43 deals were won in 2025.")


def test_at_200_percent_and_at_320_pixels_nothing_scrolls_sideways(signed_in: Page) -> None:
    page = signed_in
    serve_thread(page, checked_answer("ABB", best=1))
    for width, height in ((720, 450), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(ADDRESS)
        page.get_by_role("button", name="Methods disagree").click()
        expect(page.get_by_role("region", name="Validation")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.get_by_label("Message", exact=True)).to_be_in_viewport()
        page.get_by_role("button", name="Models").click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.get_by_role("group", name="Models")).to_be_in_viewport(ratio=1)


CUT_OFF = """() => {
    const clips = part => !['visible', 'auto', 'scroll'].includes(getComputedStyle(part).overflowX);
    const scrolls = part => ['auto', 'scroll'].includes(getComputedStyle(part).overflowX);
    const cut = part => {
        const own = part.getBoundingClientRect();
        if (!own.width || part.closest('.visually-hidden')) return false;
        for (let around = part.parentElement; around && !scrolls(around); around = around.parentElement) {
            const frame = around.getBoundingClientRect();
            if (clips(around)) return own.right > frame.right + 1 || own.left < frame.left - 1;
        }
        return false;
    };
    return [...document.querySelectorAll('main *')].filter(cut).map(part => part.outerHTML.slice(0, 90));
}"""
"""What a frame that does not scroll cuts off at its sides."""


@pytest.mark.parametrize("messages", [hard_turns(), chart_thread(each_type())], ids=["hard turns", "charts"])
def test_a_page_that_is_narrowed_after_it_was_loaded_cuts_nothing_off(
    signed_in: Page, messages: list[dict[str, Any]]
) -> None:
    page = signed_in
    serve_thread(page, messages)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(ADDRESS)
    expect(page.get_by_role("article").last).to_be_visible()
    page.wait_for_timeout(1_500)  # the charts come in a part of their own
    for width in (1024, 600, 390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_timeout(500)  # charts are laid out anew once the window rests
        assert page.evaluate(CUT_OFF) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


def test_a_question_with_files_of_long_names_is_read_whole_on_a_phone(signed_in: Page) -> None:
    page = signed_in
    serve_thread(page, hard_turns())
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(ADDRESS)
        files = page.get_by_role("list", name="Files for this question")
        expect(files.get_by_role("listitem")).to_have_count(2)
        question = page.get_by_role("article").filter(has=files)
        beyond = question.evaluate("""one => [...one.querySelectorAll('*')]
            .map(part => part.getBoundingClientRect())
            .filter(({left, right}) => left < 0 || right > innerWidth).length""")
        assert beyond == 0, width


def test_with_reduced_motion_charts_stand_at_once_and_nothing_slides(context: BrowserContext, signed_in: Page) -> None:
    page = signed_in
    page.emulate_media(reduced_motion="reduce")
    serve_thread(page, chart_thread(case for case in each_type() if case[0] == "bar chart"))
    page.goto(ADDRESS)
    expect(page.locator("[data-chart-plot] svg path[fill]").first).to_be_visible()
    press(page, "History")
    press(page, "Help")
    # What lasts a millisecond is over before it is drawn, though a busy machine may still list it.
    moving = page.evaluate("""() => document.getAnimations()
        .filter(one => one instanceof CSSTransition || one.effect.getComputedTiming().activeDuration > 1)
        .filter(one => one.effect.getKeyframes().some(frame => (frame.transform ?? 'none') !== 'none'))
        .map(one => one.effect.target.outerHTML)""")
    assert moving == []
