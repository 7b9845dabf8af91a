"""A conversation that is open says quietly what becomes of the files that it answered from."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.test_the_chat_under_way import answered, start
from tests.live import Product

SINCE = "since this thread was last used: orchards"


def test_a_file_that_is_removed_or_brought_anew_is_told_in_the_open_thread_and_nothing_scrolls(
    signed_in: Page, product: Product, token: str, made_files: Path
) -> None:
    page, file = signed_in, made_files / "orchards.csv"
    file.write_text("Orchard,Crates\n" + "".join(f"Hill {number},{number}\n" for number in range(1, 30)))
    product.upload(token, file)
    product.wait_ready(token, "orchards.csv")
    start(page, "Total crates by orchard in orchards")
    answered(page)
    messages = page.get_by_role("region", name="Messages")
    messages.evaluate("box => box.scrollTo(0, box.scrollHeight)")
    page.wait_for_timeout(500)  # the scrolling and the chart come to rest
    top = messages.evaluate("box => box.scrollTop")

    product.call("DELETE", "/api/v3/files?filename=orchards.csv", token=token)
    expect(page.get_by_text(f"Data removed {SINCE}")).to_be_attached()
    assert messages.evaluate("box => box.scrollTop") == top
    product.upload(token, file)
    expect(page.get_by_text(f"Data replaced {SINCE}")).to_be_attached()
    expect(page.get_by_text(SINCE)).to_have_count(1)
    assert messages.evaluate("box => box.scrollTop") == top
    assert page.get_by_role("article").count() == 2, "a notice is no turn"

    page.reload()
    expect(page.get_by_text(f"Data replaced {SINCE}")).to_be_visible()
    start(page, "What is the total of crates in orchards?")
    answered(page)
    notice = page.get_by_text(f"Data replaced {SINCE}")
    expect(notice).to_have_count(1)
    below = notice.evaluate("one => document.querySelectorAll('article')[2].compareDocumentPosition(one)")
    assert below == 2, "the notice keeps its place before the question that came after it"
