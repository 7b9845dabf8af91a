"""The chat while things go slowly or wrong: a slow worker, lost connections, several tabs, and what is left of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.gallery import ADDRESS, hard_turns, long_thread, serve_thread
from tests.e2e.holding import held
from tests.e2e.places import PHONE
from tests.e2e.samples import choosing_turns
from tests.live import Product

QUESTION = "How many deals are there?"
SEND_FAILED = "Sorry, I'm having trouble sending your request. Please try again."
PROCESS_FAILED = "Sorry, I'm having trouble processing your request. Please try again."
SLOW_MS = 60_000
# On a machine that is busy the overlay may be gone before it was seen to fade.
OVERLAY_LEAVES = """let seen = false; new MutationObserver((_, watch) => {
    const overlay = document.querySelector('[aria-label^="Loading "]');
    seen ||= overlay !== null;
    if (!seen || (overlay && !overlay.hasAttribute('data-leaving'))) return;
    window.overlayLeft = performance.now();
    watch.disconnect();
}).observe(document, {subtree: true, childList: true, attributes: true})"""

# From the second frame on: what the last press moved belongs to the press.
MOVED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
    window.moved = 0;
    new PerformanceObserver(list => list.getEntries().forEach(one => { window.moved += one.value; }))
        .observe({type: 'layout-shift'});
    done();
})))"""


def start(page: Page, question: str = QUESTION) -> None:
    """Asks without waiting for the answer."""
    if not page.url.startswith("http"):
        page.goto("/chat")
    page.get_by_label("Message", exact=True).fill(question)
    page.get_by_label("Message", exact=True).press("Enter")


def answered(page: Page) -> None:
    expect(page.get_by_role("button", name="Copy answer").last).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_label("Message", exact=True)).to_have_attribute("placeholder", "Type Your Message")


def without_socket(page: Page) -> None:
    page.route("**/api/v3/socket-ticket", lambda route: route.abort())


def refusing(field: str) -> Callable[[Route], None]:
    """A server that fails on calls whose body has this field."""

    def answer(route: Route) -> None:
        if field in (route.request.post_data_json or {}):
            route.fulfill(status=502, body="")
        else:
            route.fallback()

    return answer


def test_a_slow_worker_is_waited_for_through_a_reload_and_in_two_tabs(signed_in: Page, product: Product) -> None:
    page = signed_in
    with held(product.data_dir) as hold:
        start(page)
        expect(page.get_by_placeholder("Please Wait...")).to_be_visible()
        shown = page.get_by_role("region", name="Messages")
        expect(
            shown.get_by_text(re.compile("^(Starting Plumbline AI processing algorithm|Searching|Analyzing)"))
        ).to_be_visible()
        expect(page.get_by_role("button", name="New Chat")).to_have_attribute("aria-disabled", "true")
        expect(page).to_have_url(re.compile("/chat/c/"))
        page.reload()
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        other = page.context.new_page()
        other.goto(page.url)
        expect(other.get_by_role("button", name="Stop")).to_be_visible()
        hold.let_go()
        answered(page)
        answered(other)
    expect(page.get_by_role("button", name="New Chat")).not_to_have_attribute("aria-disabled", "true")
    other.close()


def test_with_the_socket_blocked_the_poll_alone_brings_the_answer(signed_in: Page) -> None:
    without_socket(signed_in)
    start(signed_in)
    answered(signed_in)


def test_who_was_offline_finds_the_answer_when_back(signed_in: Page, product: Product) -> None:
    page = signed_in
    with held(product.data_dir) as hold:
        start(page)
        expect(page).to_have_url(re.compile("/chat/c/"))
        page.context.set_offline(True)
        with page.expect_event("requestfailed"):
            pass  # a poll that found no way
        hold.let_go()
        page.context.set_offline(False)
        answered(page)


def test_each_stage_that_fails_says_so_and_can_be_tried_again(signed_in: Page) -> None:
    page = signed_in
    without_socket(page)
    page.goto("/chat")
    expect(page.get_by_text("how can I support you today?")).to_be_visible()
    page.route("**/api/v3/ask", refusing("prompt"))
    start(page)
    shown = page.get_by_role("region", name="Messages")
    expect(shown.get_by_text(SEND_FAILED)).to_be_visible()
    expect(page.get_by_text(QUESTION).first).to_be_visible()
    page.unroute("**/api/v3/ask")
    page.route("**/api/v3/ask", refusing("run_id"))
    page.get_by_role("button", name="Try again").click()
    expect(shown.get_by_text(PROCESS_FAILED)).to_be_visible(timeout=SLOW_MS)
    page.unroute("**/api/v3/ask")
    page.get_by_role("button", name="Try again").click()
    answered(page)
    asked = page.get_by_role("article").filter(has=page.get_by_role("heading", name="You"))
    expect(asked.filter(has_text=QUESTION)).to_have_count(1)


def test_addresses_go_back_and_forward(signed_in: Page) -> None:
    page = signed_in
    page.goto("/chat")
    addresses = []
    for question in (QUESTION, "How many companies are there?"):
        start(page, question)
        answered(page)
        addresses.append(page.url)
        page.get_by_role("button", name="New Chat").click()
        expect(page.get_by_text("how can I support you today?")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(addresses[1])
    expect(page.get_by_role("article").first).to_contain_text("companies")
    page.go_back()
    page.go_back()
    expect(page).to_have_url(addresses[0])
    expect(page.get_by_role("article").first).to_contain_text("deals")
    page.go_forward()
    expect(page.get_by_text("how can I support you today?")).to_be_visible()


def test_a_thread_of_500_messages_opens_at_its_end_and_takes_keys(signed_in: Page) -> None:
    page = signed_in
    serve_thread(page, long_thread(500))
    page.goto(ADDRESS)
    expect(page.get_by_text("How did month 249 go?")).to_be_in_viewport()
    assert page.get_by_role("article").count() <= 90, "older turns wait until the reader scrolls up to them"
    page.get_by_label("Message", exact=True).fill("and the next month?")
    page.get_by_role("region", name="Messages").evaluate("one => one.scrollTo(0, 0)")
    expect(page.get_by_text("How did month 180 go?")).to_be_attached()
    page.get_by_role("button", name="Newest").click()
    expect(page.get_by_text("How did month 249 go?")).to_be_in_viewport()
    expect(page.get_by_label("Message", exact=True)).to_have_value("and the next month?")


HALF_UNDER_NEWEST = """() => {
    const newest = document.querySelector('[aria-label=Newest]')?.getBoundingClientRect();
    if (!newest) return [];
    const end = document.querySelector('[aria-label=Messages]').getBoundingClientRect().bottom - 1;
    const along = (from, to) => [0.02, 0.2, 0.4, 0.6, 0.8, 0.98].map(share => from + (to - from) * share);
    const under = along(newest.top, end).flatMap(y => along(newest.left, newest.right)
        .flatMap(x => document.elementsFromPoint(x, y).map(one => one.closest('article button, article a'))));
    const beside = part => {
        const {left, right, top, bottom} = part.getBoundingClientRect();
        const y = (Math.max(top, newest.top) + Math.min(bottom, end)) / 2;
        return along(left, right).some(x => part.contains(document.elementFromPoint(x, y)));
    };
    return [...new Set(under)].filter(part => part && beside(part))
        .map(part => part.getAttribute('aria-label') ?? part.textContent);
}"""
"""What can be pressed in the messages and is seen beside or below the button to the newest, which lies over it."""


@pytest.mark.parametrize("width", [320, 390, 834, 1440])
@pytest.mark.parametrize("messages", [hard_turns(), choosing_turns()], ids=["hard turns", "choosing"])
def test_the_button_to_the_newest_lies_over_nothing_that_can_be_pressed(
    signed_in: Page, width: int, messages: list[dict[str, Any]]
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 640})
    serve_thread(page, messages)
    page.goto(ADDRESS)
    expect(page.get_by_role("article").last).to_be_visible()
    region = page.get_by_role("region", name="Messages")
    covered = set()
    for top in range(0, int(region.evaluate("one => one.scrollHeight - one.clientHeight")), 12):
        region.evaluate("(one, top) => one.scrollTo(0, top)", top)
        covered |= set(page.evaluate(HALF_UNDER_NEWEST))
    assert covered == set()


def test_the_overlay_stays_for_800_ms_at_least(signed_in: Page) -> None:
    page = signed_in
    page.add_init_script(OVERLAY_LEAVES)
    page.goto("/chat")
    expect(page.get_by_text("how can I support you today?")).to_be_visible()
    expect(page.get_by_role("status", name="Loading Plumbline")).to_have_count(0)
    assert page.evaluate("window.overlayLeft") >= 799


def test_the_overlay_is_there_before_any_script(browser: Browser, product: Product) -> None:
    context = browser.new_context(base_url=product.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/chat")
    expect(page.get_by_role("status", name="Loading Plumbline")).to_be_visible()
    context.close()


def test_where_a_part_of_the_program_cannot_be_fetched_the_words_stand_and_a_fresh_page_helps(signed_in: Page) -> None:
    page = signed_in
    page.route("**/bundles/answer.*.js", lambda route: route.abort())
    start(page, "Total amount of won deals by owner as a bar chart")
    answered(page)
    answer = page.get_by_role("article").last
    expect(answer).to_contain_text("highest total amount of won deals")
    expect(answer).not_to_contain_text("**")
    page.unroute("**/bundles/answer.*.js")
    page.get_by_role("button", name="Load the page again").click()
    expect(answer.get_by_role("figure")).to_be_visible()


def test_a_finished_check_moves_nothing_that_is_seen(signed_in: Page, product: Product) -> None:
    page = signed_in
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    start(page, "What was the total amount of won deals in each of the last 12 months?")
    answered(page)
    with held(product.data_dir):
        page.get_by_role("button", name="Validate").click()
        expect(page.get_by_role("button", name="Validating...")).to_be_visible()
        page.evaluate(MOVED)
    panel = page.get_by_role("region", name="Validation")
    expect(panel.get_by_role("table")).to_be_visible()
    expect(panel.get_by_text("How this method went")).to_be_attached()
    expect(page.get_by_role("list", name="Follow-up questions")).to_be_attached()
    assert page.evaluate("window.moved") < 0.1


def test_stop_before_the_first_reply_says_that_the_request_is_canceled(signed_in: Page, product: Product) -> None:
    page = signed_in
    page.goto("/chat")
    waiting: list[Route] = []

    def late(route: Route) -> None:
        if "prompt" in (route.request.post_data_json or {}) and not waiting:
            waiting.append(route)
        else:
            route.continue_()

    page.route("**/api/v3/ask", late)
    with held(product.data_dir):
        start(page)
        page.get_by_role("button", name="Stop").click()
        messages = page.get_by_role("region", name="Messages")
        expect(messages.get_by_text("Request is canceled by user")).to_be_visible()
        waiting[0].continue_()
        expect(page.get_by_label("Message", exact=True)).to_have_attribute("placeholder", "Type Your Message")
    expect(messages.get_by_text("Request is canceled by user")).to_be_visible()
    page.get_by_role("button", name="Ask again").click()
    answered(page)


def test_while_a_question_waits_its_likely_sources_are_named(signed_in: Page, product: Product) -> None:
    page = signed_in
    page.goto("/chat")
    with held(product.data_dir):
        start(page, "How many companies are there?")
        messages = page.get_by_role("region", name="Messages")
        expect(messages.get_by_text("Analyzing: companies")).to_be_visible()
    answered(page)
