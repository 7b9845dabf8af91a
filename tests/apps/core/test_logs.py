"""Log lines say which request or job they belong to and for whom, and nothing that a person wrote."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from dramatiq import Message
from dramatiq.broker import MessageProxy
from dramatiq.brokers.stub import StubBroker

from apps.core.logs import HEADER, JobLogMiddleware, RequestLogMiddleware, json_formatter
from tests.apps.conftest import Cast
from tests.cast import client_of

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """What was logged since, as the objects a log service would read."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(json_formatter())
    requests = logging.getLogger("apps.requests")
    level = requests.level
    logging.getLogger("apps").addHandler(handler)
    requests.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    requests.setLevel(level)
    logging.getLogger("apps").removeHandler(handler)


def requests_in(logged: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in logged if line["logger"] == "apps.requests"]


@pytest.mark.django_db
def test_a_requests_line_names_request_organisation_and_route_but_not_the_address(cast: Cast, lines: Lines) -> None:
    client = client_of(cast.ana)
    answer = client.get("/api/v3/preferences?ticket=a-secret", headers={HEADER: "proxy-0123456789"})
    assert answer[HEADER] == "proxy-0123456789"
    line = requests_in(lines())[-1]
    assert line["event"].startswith("GET api/v3/preferences: 200 in ")
    assert (line["request"], line["organization"]) == ("proxy-0123456789", str(cast.acme.pk))
    assert (line["level"], line["timestamp"][-1]) == ("info", "Z")
    assert "a-secret" not in json.dumps(lines())


@pytest.mark.django_db
@pytest.mark.parametrize("sent", ["", "short", "x" * 65, "two lines\nof it", '{"forged": "line"}'])
def test_an_id_that_is_none_is_replaced(sent: str) -> None:
    answer = Client().get("/privacy", headers={HEADER: sent})
    assert answer[HEADER] != sent
    assert len(answer[HEADER]) == 32


@pytest.mark.django_db
def test_one_requests_organisation_is_not_told_of_the_next(cast: Cast, lines: Lines) -> None:
    client_of(cast.ana).get("/api/v3/preferences")
    Client().get("/privacy")
    first, second = requests_in(lines())[-2:]
    assert "organization" in first
    assert "organization" not in second
    assert first["request"] != second["request"]


def test_a_failing_request_is_told_with_its_traceback_but_without_the_values_in_it(lines: Lines) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        cell = " ".join(("the", "cell's", "value"))
        try:
            raise ValueError(len(cell))
        except ValueError:
            logging.getLogger("apps.view").exception("the view failed")
        return HttpResponse()

    RequestLogMiddleware(view)(RequestFactory().get("/"))
    failed = next(line for line in lines() if line["logger"] == "apps.view")
    assert "ValueError: 16" in failed["exception"]
    assert "request" in failed
    assert "the cell's value" not in failed["exception"]


def test_a_jobs_lines_name_its_actor_and_what_it_works_on(lines: Lines) -> None:
    broker, told = StubBroker(middleware=[]), JobLogMiddleware()
    message = MessageProxy(Message("default", "threads.answer_run", ("7c1d",), {}, {}))
    told.before_process_message(broker, message)
    logging.getLogger("apps.work").warning("working")
    told.after_process_message(broker, message)
    logging.getLogger("apps.work").warning("idle")
    during, after = lines()
    assert (during["job"], during["id"]) == ("threads.answer_run", "7c1d")
    assert "job" not in after
