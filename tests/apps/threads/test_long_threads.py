"""A thread's messages hang on each other; the longest thread is loaded, polled and pushed like any other."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from apps.core import deep_json
from apps.threads.events import run_text
from apps.threads.models import Message, Run, Thread
from tests.apps.conftest import Cast
from tests.cast import client_of

MESSAGES = 1_200
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)


@given(values)
def test_deep_json_writes_what_json_writes(value: Any) -> None:
    pieces = "".join(deep_json._pieces(value, None))
    assert pieces == deep_json.dumps(value)
    assert json.loads(pieces) == value


def test_what_json_has_no_word_for_is_asked_for_or_refused() -> None:
    deep: Any = {"at": datetime(2026, 1, 1, tzinfo=UTC)}
    for _ in range(5_000):
        deep = [deep]
    assert '"2026-01-01T00:00:00+00:00"' in deep_json.dumps(deep, default=datetime.isoformat)
    with pytest.raises(ValueError, match="not JSON compliant"):
        deep_json.dumps({"x": math.nan})


@pytest.fixture
def long_run(cast: Cast) -> Run:
    """The newest run of a thread that was talked in for a long time."""
    start = timezone.now() - timedelta(days=1)
    thread = Thread.objects.create(organization=cast.acme, owner=cast.ana, summary="How many deals?")
    messages: list[Message] = []
    for number in range(MESSAGES // 2):
        run = Run(thread=thread, state="completed", deadline_at=start, finished_at=start)
        parent = messages[-1] if messages else None
        question = Message(thread=thread, run=run, role="user", content=f"q{number}", parent=parent)
        run.question = question
        reply = Message(
            thread=thread, run=run, role="assistant", model="builtin", content="5", parent=question,
            is_selected_assistant=True,
        )  # fmt: skip
        messages += [question, reply]
    for number, message in enumerate(messages):
        message.created_at = start + timedelta(seconds=number)
    Run.objects.bulk_create([message.run for message in messages[::2]])
    Message.objects.bulk_create(messages)
    return messages[-1].run


@pytest.mark.django_db
def test_it_is_loaded_polled_and_pushed(cast: Cast, long_run: Run) -> None:
    """Texts are compared: Python's own reader of JSON does not go so deep, browsers do."""
    ana, thread = client_of(cast.ana), str(long_run.thread_id)
    loaded = ana.post("/api/v3/ask", {"thread_id": thread}, format="json")
    assert loaded.status_code == 200
    text = loaded.content.decode()
    assert (text.count('"message_id":'), text.count('"children":[]')) == (MESSAGES, 1)
    assert text.index('"content":"q0"') < text.index(f'"content":"q{MESSAGES // 2 - 1}"')
    poll = {"thread_id": thread, "run_id": str(long_run.pk), "models": None, "parent_message_id": None}
    polled = ana.post("/api/v3/ask", poll, format="json")
    assert polled.status_code == 200
    assert run_text(long_run) == f'{{"type":"run","run":{polled.content.decode()}}}'
