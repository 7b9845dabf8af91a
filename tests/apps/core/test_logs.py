"""Log lines say which request or job they belong to and for whom, and nothing that a person wrote."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from smtplib import SMTPRecipientsRefused
from typing import Any

import duckdb
import pytest
from django.db import IntegrityError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from dramatiq import Message
from dramatiq.broker import MessageProxy
from dramatiq.brokers.stub import StubBroker

from apps.core.logs import HEADER, JobLogMiddleware, PlainFormatter, RequestLogMiddleware, json_formatter, trace_of
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
def test_a_requests_line_names_request_organization_and_route_but_not_the_address(cast: Cast, lines: Lines) -> None:
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
def test_one_requests_organization_is_not_told_of_the_next(cast: Cast, lines: Lines) -> None:
    client_of(cast.ana).get("/api/v3/preferences")
    Client().get("/privacy")
    first, second = requests_in(lines())[-2:]
    assert "organization" in first
    assert "organization" not in second
    assert first["request"] != second["request"]


CELL = "Ana earns 7,000"


def told(error: BaseException, before: BaseException | None = None, *, shown: bool = True) -> str:
    """The traceback of an error that is raised, after another one where there is one `before`."""
    try:
        try:
            raise before or error
        except Exception as first:
            if before is None:
                raise
            raise error from (first if shown else None)
    except Exception as raised:
        return trace_of(raised)


def test_a_failing_request_is_told_with_its_place_but_without_the_values_in_it(lines: Lines) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        try:
            raise ValueError(CELL)
        except ValueError:
            logging.getLogger("apps.view").exception("the view failed")
        return HttpResponse()

    RequestLogMiddleware(view)(RequestFactory().get("/"))
    failed = next(line for line in lines() if line["logger"] == "apps.view")
    assert failed["exception"].splitlines()[-1] == "ValueError"
    assert "test_logs.py" in failed["exception"]
    assert "request" in failed
    assert CELL not in json.dumps(failed)


def test_sentences_keep_the_same_silence(settings) -> None:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(PlainFormatter("%(message)s"))
    logger = logging.getLogger("tests.sentences")
    logger.addHandler(handler)
    try:
        raise ValueError(CELL)
    except ValueError:
        logger.exception("it failed")
    finally:
        logger.removeHandler(handler)
    assert written.getvalue().startswith("it failed\nTraceback (most recent call last):\n")
    assert CELL not in written.getvalue()
    assert settings.LOGGING["formatters"]["plain"]["()"] == "apps.core.logs.PlainFormatter"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OperationalError("connection refused"), "OperationalError: connection refused"),
        (OSError(28, "No space left on device", "/data/Ana.csv"), "OSError: No space left on device"),
        (AttributeError("'Run' object has no attribute 'x'"), "AttributeError: 'Run' object has no attribute 'x'"),
        (SMTPRecipientsRefused({"ana@example.com": (550, b"no")}), "SMTPRecipientsRefused"),
        (IntegrityError("Key (username)=(ana) already exists."), "IntegrityError"),
        (duckdb.ConversionException("Could not convert string 'Ana' to INT32"), "ConversionException"),
        (KeyError("Ana"), "KeyError"),
    ],
)
def test_an_errors_words_are_told_only_where_they_speak_of_servers_or_code(error: Exception, words: str) -> None:
    assert told(error).splitlines()[-1] == words


def test_what_went_before_an_error_is_told_alike_unless_it_was_left_out() -> None:
    both = told(OperationalError("gone"), KeyError(CELL))
    assert "KeyError\n\nThen:\n" in both
    assert CELL not in both
    assert "LookupError" not in told(OperationalError("gone"), LookupError(CELL), shown=False)
    group = told(ExceptionGroup("two went wrong", [ValueError(CELL), OperationalError("gone")]))
    assert ("OperationalError: gone" in group, CELL in group) == (True, False)


@pytest.mark.django_db
def test_the_line_of_a_question_names_the_run_that_answers_it(cast: Cast, lines: Lines) -> None:
    body = {"prompt": "How many deals did Ana win?", "thread_id": None, "models": None, "temperature": 1,
            "parent_message_id": None}  # fmt: skip
    sent = client_of(cast.ana).post("/api/v3/ask", body, content_type="application/json").json()
    assert requests_in(lines())[-1]["run"] == sent["run_id"]
    assert "Ana win" not in json.dumps(lines())


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
