"""From a pause in typing to the picture with the parts under the message box, over the demo's data.

The pause ends where the page asks the server; the picture is the first one that shows other parts than before. Each
question is asked once, so that nothing of it is kept from before; the first ones, which ready the server, do not count.
"""

from __future__ import annotations

import statistics
from pathlib import Path

from playwright.sync_api import Page, expect

from benches.chromium import opened, sign_in
from tests.live import Product

AIM_MS = 60.0
READYING = ("total amount of deals", "deals by owner")
FIGURES = ("total amount of deals", "number of deals", "average deal amount", "highest deal amount")
ENDINGS = ("by owner", "by stage", "in 2025", "last quarter", "by month", "in 2024 by owner")
SHOWN = """() => new Promise((resolve) => {
    const line = () => document.querySelector('[data-preview]')?.textContent ?? '';
    const before = line();
    const ours = (one) => one.name.endsWith('/question-previews');
    const asked = () => performance.getEntriesByType('resource').filter(ours);
    const known = asked().length;
    const late = performance.now() + 5000;
    const look = () => {
        const now = performance.now();
        if (line() !== before && asked().length > known) resolve(now - asked().at(-1).startTime);
        else if (now > late) resolve(null);
        else requestAnimationFrame(look);
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
            page.goto("/chat")
            expect(page.get_by_text("how can I support you today?")).to_be_visible()
            for text in READYING:
                seen(page, text)
                page.wait_for_timeout(3_000)
            times = [seen(page, f"{figure} {ending}") for figure in FIGURES for ending in ENDINGS]
    finally:
        product.stop()
    found = [time for time in times if time is not None]
    p95 = statistics.quantiles(found, n=20)[-1]
    print(
        f"   {len(found)} of {len(times)} pauses: parts after p50 {statistics.median(found):.0f} ms, p95 {p95:.0f} ms "
        f"(aim: p50 {AIM_MS:g} ms)"
    )


def seen(page: Page, text: str) -> float | None:
    """Milliseconds from the pause after the text to its parts; None where none came that differ."""
    field = page.get_by_label("Message", exact=True)
    field.fill("")
    page.wait_for_timeout(300)
    field.press_sequentially(text[:-1], delay=5)
    page.wait_for_timeout(20)
    field.press_sequentially(text[-1])
    return page.evaluate(SHOWN)
