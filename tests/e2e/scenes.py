"""Pictures that need a page set up for them: work under way, answers side by side, files in every state, toasts."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.e2e.camera import Camera
from tests.e2e.checked import checked_answer
from tests.e2e.gallery import ADDRESS, models_listed, serve_thread
from tests.e2e.holding import held
from tests.e2e.places import PLACES, from_menu, leave, press, source
from tests.e2e.samples import (
    FILES_TO_DOWNLOAD,
    SLACK_CONNECTION,
    SLACK_STATUS,
    choosing_turns,
    kept_keywords,
    listed_sources,
    moved_records,
    old_threads,
    one_answer_a_model,
    with_files,
    working_run,
)
from tests.e2e.states import ASK, never, refused

GREETING = "how can I support you today?"
LOADED = "Messages loaded!"
MANY_KEYWORDS = {
    "Churned": "a company whose lifecycle stage is Former Customer",
    "Net revenue retention of existing customers": "what customers of a year ago pay today, divided by what they paid",
    "ARR": "the amount of won deals of a year",
}


def opened(page: Page) -> None:
    """The made-up thread, once its words about loading have gone."""
    page.goto(ADDRESS)
    expect(page.get_by_role("status").filter(has_text=LOADED)).to_be_visible()
    expect(page.get_by_role("button", name="Close message")).to_have_count(0, timeout=15_000)


def at_work(camera: Camera) -> None:
    """An answer in the making, its check in the making, and the page before it is loaded."""
    page = camera.page
    question, run = working_run()
    serve_thread(page, question, run=run)
    opened(page)
    expect(page.get_by_text("Writing the answer").first).to_be_visible()
    camera.take("run-with-steps")
    serve_thread(page, checked_answer("A"), validation={**run, "kind": "validation", "user_message_id": "user-0"})
    opened(page)
    expect(page.get_by_role("button", name="Validating...")).to_be_visible()
    camera.take("validation-going")
    serve_thread(page, checked_answer("A"))
    page.route("**/api/v3/preferences", never)
    page.goto(ADDRESS)
    page.wait_for_timeout(1_000)
    camera.take("chat-loading")
    page.unroute("**/api/v3/preferences")


def under_way(camera: Camera) -> None:
    """A question at work, a failed one, a stopped one; a thread that is on its way or cannot be had."""
    page = camera.page
    page.goto("/chat")
    with held(camera.product.data_dir):
        field = page.get_by_label("Message", exact=True)
        field.fill("How many deals are there?")
        field.press("Enter")
        page.wait_for_timeout(4_000)
        camera.take("run-waiting")
        on_its_way: list[Route] = []
        page.route("**/cancel", lambda route: on_its_way.append(route))
        with page.expect_request("**/cancel"):
            press(page, "Stop")
        expect(page.get_by_text("Stopping...").first).to_be_visible()
        camera.take("run-stopping")
        for route in on_its_way:
            route.continue_()
        page.unroute("**/cancel")
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()
    camera.take("run-stopped")
    page.route(ASK, refused)
    page.goto("/chat")
    field.fill("How many deals are there?")
    field.press("Enter")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    camera.take("run-failed")
    page.goto(ADDRESS)
    expect(page.get_by_text(GREETING)).to_be_visible()
    camera.take("thread-failed")
    page.unroute(ASK)
    page.route(ASK, _unless_listing)
    page.goto(ADDRESS)
    page.wait_for_timeout(2_000)
    camera.take("thread-loading")
    page.unroute(ASK)


def _unless_listing(route: Route) -> None:
    if "give" in (route.request.post_data_json or {}):
        route.fallback()


def choosing(camera: Camera) -> None:
    """Questions back, refusals that lead on, and the answers of several models to one question."""
    page = camera.page
    serve_thread(page, choosing_turns())
    opened(page)
    camera.take_each_answer("choices", with_chart=False)
    page.get_by_role("button", name="None of these").last.click()
    camera.take("choices-none-of-these")
    page.get_by_role("textbox", name="Message", exact=True).fill("")
    page.route("**/api/v3/models", models_listed)
    serve_thread(page, one_answer_a_model())
    opened(page)
    page.get_by_role("button", name="Models: ").click()
    page.get_by_role("switch", name="Show all answers").click()
    page.keyboard.press("Escape")
    camera.take_each_answer("models-answer", with_chart=False)
    page.get_by_role("region", name="Messages").evaluate("one => one.scrollTo(0, 0)")
    camera.take("models-side-by-side")
    page.unroute("**/api/v3/models")


def files(camera: Camera) -> None:
    """Files of every state in Manage Data, and what an answer's files are shown as."""
    page = camera.page
    page.route("**/api/v3/files", lambda route: route.fulfill(json=listed_sources()))
    page.goto("/chat")
    source("Uploaded Files")(page)
    expect(page.get_by_text("Reading the file")).to_be_visible()
    camera.take("files-of-every-state")
    press(page, "Delete targets")
    camera.take("files-delete-asked")
    page.unroute("**/api/v3/files")
    serve_thread(page, with_files())
    opened(page)
    for file in FILES_TO_DOWNLOAD:
        name = str(file["filename"])
        page.get_by_role("button", name=f"Preview {name}").click()
        expect(page.get_by_role("dialog", name=f"File Preview for: {name}")).to_be_visible()
        camera.take(f"popup-preview-{name.rsplit('.')[-1]}")
        leave(page)


def settings(camera: Camera) -> None:
    """What stands below the window's edge, panels with much in them, and edits that are not saved yet."""
    page = camera.page
    page.goto("/chat")
    for name, label in (("settings", "Settings"), ("chart formatting", "Chart Formatting")):
        PLACES[name](page)
        page.get_by_role("heading", name=label).first.evaluate(TO_THE_END)
        camera.take(f"panel-{name}-end")
        leave(page)
    page.route("**/api/v3/preferences", kept_keywords(MANY_KEYWORDS))
    page.goto("/chat")
    PLACES["keywords"](page)
    press(page, "Expand ARR")
    page.get_by_label("Definition of ARR").fill("the amount of won deals of the last 12 months")
    camera.take("panel-keywords-edited")
    page.unroute("**/api/v3/preferences")
    page.route(ASK, old_threads)
    page.goto("/chat")
    from_menu(page, "History")
    expect(page.get_by_role("region", name="Before")).to_be_visible()
    camera.take("panel-history-of-all-times")
    page.get_by_label("Search history").fill("nowhere")
    camera.take("panel-history-without-a-hit")
    page.unroute(ASK)
    page.goto("/chat")
    from_menu(page, "Help")
    for part in ("Reading an answer", "Your data", "Keys"):
        page.get_by_role("dialog").get_by_role("heading", name=part).evaluate("one => one.scrollIntoView()")
        page.wait_for_timeout(300)
        camera.take(f"panel-help-{part}")
    leave(page)


TO_THE_END = """heading => {
    for (let one = heading; one; one = one.parentElement)
        for (const inner of one.children)
            if (inner.scrollHeight > inner.clientHeight + 8 && /auto|scroll/.test(getComputedStyle(inner).overflowY))
                return inner.scrollTo(0, inner.scrollHeight);
}"""


def toasts(camera: Camera) -> None:
    page = camera.page
    serve_thread(page, checked_answer("A"))
    page.goto(ADDRESS)
    expect(page.get_by_text(LOADED)).to_be_visible()
    camera.take("toast-complete")
    press(page, "Leave feedback")
    page.get_by_role("dialog").get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Please provide feedback before submitting.")).to_be_visible()
    camera.take("toast-error")
    leave(page)
    PLACES["company intake"](page)
    page.get_by_role("textbox").first.press_sequentially(" ")
    press(page, "Submit")
    expect(page.get_by_role("button", name="Close message")).to_be_visible()
    camera.take("toast-over-a-panel")
    leave(page)


def moved(camera: Camera) -> None:
    """In the connected CRM's section: what moved, a refresh under way, and a sign-in that is no longer accepted."""
    page = camera.page
    page.route("**/api/v3/hubspot/changes*", lambda route: route.fulfill(json=moved_records()))
    page.get_by_text("What changed", exact=True).click()
    expect(page.get_by_text("Bauer renewal")).to_be_visible()
    camera.take("connected-crm-moved")
    page.get_by_text("Bauer renewal").evaluate("one => one.closest('li').scrollIntoView({block: 'start'})")
    camera.take("connected-crm-moved-records")
    page.unroute("**/api/v3/hubspot/changes*")


def slack(camera: Camera) -> None:
    """Slack as an admin sees it once it is connected, and the question of a link that Slack showed."""
    page = camera.page
    page.route("**/api/v3/slack/auth", lambda route: route.fulfill(json=SLACK_STATUS))
    page.route("**/api/v3/connections", lambda route: route.fulfill(json=[SLACK_CONNECTION]))
    page.route("**/api/v3/slack/link*", lambda route: route.fulfill(json={"workspace": "Acme", "slack_name": "ana"}))
    page.goto("/chat?slack-link=a-key")
    expect(page.get_by_role("dialog", name="Link your Slack account?").get_by_text("Slack workspace")).to_be_visible()
    camera.take("popup-slack-link")
    leave(page)
    from_menu(page, "Settings")
    page.get_by_role("button", name="Disconnect Slack").scroll_into_view_if_needed()
    camera.take("panel-settings-slack")
