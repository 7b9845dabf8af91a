"""A thread of 500 messages: how long it takes to show once its data is there, and how late a typed key is heard.

The thread is served to the browser as the API would answer it; the rest is the real product. A key's delay is the time
from the key to its handler, the frame the time from the key to the next picture.
"""

from __future__ import annotations

import statistics
from pathlib import Path

from playwright.sync_api import Page, expect

from benches.chromium import opened, sign_in
from tests.e2e.gallery import ADDRESS, long_thread, serve_thread
from tests.live import Product

MESSAGES = 500
KEYS = 200
OPEN_AIM_S, DELAY_AIM_MS = 1.0, 50.0
LISTEN = """() => {
    window.keys = [];
    document.addEventListener('keydown', (event) => {
        const delay = performance.now() - event.timeStamp;
        requestAnimationFrame(() => setTimeout(() =>
            window.keys.push([delay, performance.now() - event.timeStamp])));
    }, true);
}"""
# From the answer that holds the thread to the first picture with its last message.
OPENED = """last => new Promise((resolve) => {
    const look = () => {
        const shown = [...document.querySelectorAll('article')].at(-1);
        if (!shown || !shown.textContent.includes(last)) return requestAnimationFrame(look);
        const asked = performance.getEntriesByType('resource').filter(one => one.name.endsWith('/api/v3/ask'));
        setTimeout(() => resolve(performance.now() - asked.at(-1).responseEnd));
    };
    look();
})"""


def run(folder: Path) -> None:
    product = Product(folder / "data")
    product.start()
    try:
        with opened(product, folder) as (context, _):
            sign_in(context)
            page = context.new_page()
            serve_thread(page, long_thread(MESSAGES))
            times = [open_thread(page) for _ in range(3)]
            delays, frames = type_keys(page)
    finally:
        product.stop()
    print(f"   {MESSAGES} messages shown in {statistics.median(times):.2f} s after the data (aim: {OPEN_AIM_S:g} s)")
    for name, values, aim in (("heard", delays, f" (aim: p95 {DELAY_AIM_MS:g} ms)"), ("seen", frames, "")):
        p95 = statistics.quantiles(values, n=20)[-1]
        print(f"   {len(values)} keys {name}: p50 {statistics.median(values):.1f} ms, p95 {p95:.1f} ms{aim}")


def open_thread(page: Page) -> float:
    """Seconds from the data to the picture, on a page whose scripts are there."""
    page.goto("/chat")
    expect(page.get_by_text("how can I support you today?")).to_be_visible()
    page.wait_for_timeout(1_500)  # what is fetched when idle is there
    page.evaluate("address => { history.pushState(null, '', address); }", ADDRESS)
    return float(page.evaluate(OPENED, f"In month {MESSAGES // 2 - 1}")) / 1000


def type_keys(page: Page) -> tuple[list[float], list[float]]:
    """Delays and frames of typing into the composer below the thread, in ms."""
    page.evaluate(LISTEN)
    field = page.get_by_label("Message", exact=True)
    field.click()
    for at in range(KEYS):
        page.keyboard.press("a" if at % 6 else "Space")
    page.wait_for_timeout(200)
    pairs = page.evaluate("window.keys")
    return [delay for delay, _ in pairs], [frame for _, frame in pairs]
