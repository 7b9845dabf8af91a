"""Text of a model that would call somebody or run something: in the real page nothing is called and nothing runs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.e2e.test_the_chat_under_way import answered, start
from tests.live import Product

EVIL = "https://evil.example"
RUN = "window.ran=1"
_ADDRESSES = (
    f"javascript:{RUN}", f"JaVaScRiPt:{RUN}", f"java\tscript:{RUN}", f"&#106;avascript:{RUN}",
    f"javascript&colon;{RUN}",
    f"\x01javascript:{RUN}", f"data:text/html,<script>{RUN}</script>", f"data:image/svg+xml,<svg onload={RUN}>",
    "vbscript:x", "//evil.example/x", "\\\\evil.example\\x", "/\\evil.example", "blob:https://evil.example/1",
    "file:///etc/passwd", "%6aavascript:window.ran=1", "jav&#x0A;ascript:window.ran=1",
)  # fmt: skip
_HTML = (
    "<script>{run}</script>", "<script src={evil}/x.js></script>", "<img src={evil}/1.png onerror={run}>",
    "<img srcset='{evil}/2.png 2x'>", "<svg onload={run}></svg>", "<svg><image href={evil}/3.png></svg>",
    "<svg><script>{run}</script></svg>", "<math><mtext><img src={evil}/4.png></mtext></math>",
    "<iframe src={evil}></iframe>", "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    "<object data={evil}/5></object>", "<embed src={evil}/6>", "<video src={evil}/7 autoplay></video>",
    "<audio src={evil}/8 autoplay></audio>", "<video poster={evil}/9.png></video>",
    "<link rel=stylesheet href={evil}/a.css>",
    "<link rel=preload as=image href={evil}/b.png>", "<style>@import '{evil}/c.css';</style>",
    "<style>body{{background:url({evil}/d.png)}}</style>", "<div style='background:url({evil}/e.png)'>x</div>",
    "<meta http-equiv=refresh content='0;url={evil}'>", "<base href={evil}>",
    "<form action={evil}><button>x</button></form>",
    "<input autofocus onfocus={run}>", "<details open ontoggle={run}>x</details>", "<body onload={run}>",
    "<table background={evil}/f.png><tr><td>x</table>", "<marquee onstart={run}>x</marquee>",
    "<a href='javascript:{run}'>x</a>", "<a ping={evil} href=https://example.com>x</a>", "<b onmouseover={run}>x</b>",
    "<noscript><p title='</noscript><img src={evil}/g onerror={run}>'>", "<template><img src={evil}/h></template>",
    "<frameset onload={run}>", "<portal src={evil}></portal>", "<isindex action={evil}>", "<bgsound src={evil}/i>",
    "<!--><img src={evil}/j onerror={run}>-->", "<![CDATA[<img src={evil}/k>]]>", "<xmp><img src={evil}/l></xmp>",
    "<textarea><img src={evil}/m></textarea>", "</article><img src={evil}/n>",
    "<picture><source srcset={evil}/o></picture>",
    "<input type=image src={evil}/p>",
)  # fmt: skip
_MARKDOWN = (
    "![x]({evil}/1.png)", "![x][y]\n\n[y]: {evil}/2.png", "[![x]({evil}/3.png)](https://example.com)",
    "![x](<{evil}/4.png>)", "| a |\n| - |\n| ![x]({evil}/5.png) |", "- ![x]({evil}/6.png)", "> ![x]({evil}/7.png)",
    "# ![x]({evil}/8.png)", "<{evil}/9>", "```html\n<img src={evil}/a.png>\n```", "`<img src={evil}/b.png>`",
    "[x]({evil}/c 'onmouseover={run}')", "![x]({evil}/d.png 'x\" onerror=\"{run}')", "[^1]\n\n[^1]: ![x]({evil}/e.png)",
    "$$\\href{{javascript:{run}}}{{x}}$$", "```mermaid\ngraph TD; A-->B; click A \"javascript:{run}\"\n```",
    "![x](\n{evil}/f.png)", "~~![x]({evil}/g.png)~~", "- [ ] ![x]({evil}/h.png)", "![x](//evil.example/i.png)",
    "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9InBhcmVudC5yYW49MSI+)", "{evil}/bare.png", "![x]({evil}/j.png)" * 3,
)  # fmt: skip
PAYLOADS = [
    *(f"See [this]({address})." for address in _ADDRESSES),
    *(html.format(evil=EVIL, run=RUN) for html in _HTML),
    *(text.format(evil=EVIL, run=RUN) for text in _MARKDOWN),
]


AT_ONCE = 35
"""A long thread shows its last turns first."""


def turns(like: dict[str, Any], payloads: Sequence[str]) -> list[dict[str, Any]]:
    """A question and an answer for each payload, made after a real one."""
    made = []
    for payload in payloads:
        question: dict[str, Any] = json.loads(json.dumps(like))
        said: dict[str, Any] = question["children"][0]
        question["message_id"], said["message_id"] = str(uuid.uuid4()), str(uuid.uuid4())
        said.update(parent_message_id=question["message_id"], content=payload, output_files=[])
        said["answer"].update(text=payload, table=None, headline=None, follow_ups=[], choices=[])
        made.append(question)
    return made


def test_no_text_of_a_model_calls_anybody_or_runs_anything(signed_in: Page, product: Product) -> None:
    assert len(PAYLOADS) >= 80
    page, foreign = signed_in, list[str]()
    start(page, "How many deals did we win?")
    answered(page)
    page.on("request", lambda one: None if _own(one.url, product.url) else foreign.append(one.url))
    page.on("dialog", lambda dialog: foreign.append(dialog.message))
    shown: list[str] = []

    def told(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        if isinstance(body, dict) and body.get("messages"):
            body["messages"] = turns(body["messages"][0], shown)
        route.fulfill(response=answer, json=body)

    page.route("**/api/v3/ask", told)
    for first in range(0, len(PAYLOADS), AT_ONCE):
        shown[:] = [*PAYLOADS[first : first + AT_ONCE], "See [the policy](https://example.com/policy)."]
        page.reload()
        expect(page.get_by_role("article")).to_have_count(2 * len(shown))
        expect(page.get_by_role("link", name="the policy")).to_be_attached()  # so Markdown is drawn
        page.wait_for_timeout(1_000)  # what would load or run has had its moment
        harmless(page)
    assert foreign == []


def harmless(page: Page) -> None:
    """Nothing of what is shown runs, loads, or leads where links may not."""
    assert page.evaluate("window.ran") is None
    inside = ("script", "iframe", "object", "embed", "video", "audio", "form", "base", "meta", "link", "style")
    assert page.locator(f"article :is({', '.join(inside)})").count() == 0
    assert page.locator("article :is(img, image, source)").count() == 0
    led = page.locator("article a[href]").evaluate_all("all => all.map(one => one.protocol)")
    assert set(led) <= {"http:", "https:", "mailto:"}


def _own(address: str, home: str) -> bool:
    return address.startswith((home, home.replace("http", "ws", 1), "data:", "blob:", "about:"))
