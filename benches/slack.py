"""Signed requests of Slack against the running product: acknowledged how soon, and each answered once."""

from __future__ import annotations

import os
import re
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from apps.integrations.fakes import names
from apps.integrations.fakes.base import serving
from apps.integrations.fakes.slack import FakeSlack
from tests.live import Product

REQUESTS = int(os.environ.get("SLACK_REQUESTS", "1000"))
DELIVERIES = 3
SENDERS = 4
ANA = "U0ANA00001"


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


def run(folder: Path) -> None:
    slack = FakeSlack()
    with serving(slack) as address:
        slack.address = address
        product = Product(
            folder / "data",
            environment={
                "SLACK_CLIENT_ID": names.SLACK_CLIENT_ID,
                "SLACK_CLIENT_SECRET": names.SLACK_CLIENT_SECRET,
                "SLACK_SIGNING_SECRET": names.SLACK_SIGNING_SECRET,
                **dict.fromkeys(("SLACK_URL", "SLACK_HOOKS_URL", "SLACK_FILES_URL"), address),
            },
        )
        product.start()
        try:
            slack.product = product.url
            _connect(product, slack)
            _measure(slack)
        finally:
            product.stop()


def _connect(product: Product, slack: FakeSlack) -> None:
    """The workspace, and Ana as its member."""
    token = product.sign_in()
    back = f"{product.url}/slack-callback"
    started = product.call("POST", "/api/v3/connections", {"service": "slack", "redirect_uri": back}, token=token)
    state = parse_qs(urlsplit(started["authorize_url"]).query)["state"][0]
    try:
        query = urlencode({"redirect_uri": back, "state": state})
        urllib.request.build_opener(_Stay).open(f"{slack.address}/consent/allow?{query}")
    except urllib.error.HTTPError as redirect:
        brought = dict(parse_qsl(urlsplit(redirect.headers["location"]).query))
    body = {"slackCode": brought["code"], "state": brought["state"], "redirect_uri": back}
    product.call("POST", "/api/v3/slack/auth", body, token=token)
    slack.signed("/api/v3/slack/events", slack.event_body(ANA, "hello", direct=True), "application/json")
    _until(lambda: bool(slack.posts))
    key = re.search(r"slack-link=([\w-]+)", slack.posts[0].text)
    assert key is not None
    product.call("POST", "/api/v3/slack/link", {"code": key[1]}, token=token)
    slack.posts.clear()


def _measure(slack: FakeSlack) -> None:
    bodies = [
        slack.event_body(ANA, "How many deals are there?", direct=True, event_id=f"EvBench{number // DELIVERIES}")
        for number in range(REQUESTS)
    ]

    def one(body: bytes) -> float:
        begun = time.perf_counter()
        assert slack.signed("/api/v3/slack/events", body, "application/json") == 200
        return time.perf_counter() - begun

    begun = time.perf_counter()
    with ThreadPoolExecutor(SENDERS) as senders:
        spans = sorted(senders.map(one, bodies))
    seconds = time.perf_counter() - begun
    questions = -(-REQUESTS // DELIVERIES)
    _until(lambda: len(slack.posts) >= questions)
    time.sleep(3.0)
    print(f"   {REQUESTS} signed requests in {seconds:.1f} s ({REQUESTS / seconds:.0f} a second)")
    p50, p99 = (spans[int(len(spans) * share) - 1] * 1000 for share in (0.5, 0.99))
    print(f"   acknowledged p50 {p50:.0f} ms, p99 {p99:.0f} ms")
    print(f"   {questions} questions, {len(slack.posts)} answers, after {time.perf_counter() - begun:.0f} s")
    assert len(slack.posts) == questions


def _until(there: Any, seconds: float = 900.0) -> None:
    end = time.monotonic() + seconds
    while not there():
        if time.monotonic() > end:
            raise TimeoutError("the product did not answer")
        time.sleep(0.05)
