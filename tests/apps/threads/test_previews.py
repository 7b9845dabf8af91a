"""While a question is typed: how it would be read so far and what its words may become, without a model and a trace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache

from apps.analyst.dictionary.cache import _kept as kept
from apps.threads import engine, limits, previews
from apps.threads.api.previews import QuestionPreviewSerializer
from apps.threads.models import Message, Run, Thread
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member
from tests.apps.threads.readings import asked, asking
from tests.apps.threads.test_schema import differences
from tests.cast import client_of

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/api/v3/question-previews"
EMPTY: dict[str, list[Any]] = {"chips": [], "unread": [], "completions": []}


@pytest.fixture
def analyst(ana: Member, cast: Cast, tmp_path: Path) -> Iterator[Member]:
    """Ana, typing over forty orders."""
    cache.clear()
    yield from asking(ana, cast, tmp_path, "orders", "returns")
    cache.clear()


def typed(member: Member, text: str, **more: Any) -> Any:
    return member.post({"text": text, "before": text, **more}, PATH)


def labels(member: Member, text: str, **more: Any) -> list[str]:
    return [chip["label"] for chip in typed(member, text, **more).json()["chips"]]


def test_a_text_is_shown_as_it_would_be_read_and_nothing_is_kept(analyst: Member) -> None:
    found = typed(analyst, "Total net amount by reg", user_specified_files=["orders.csv"])
    assert found.status_code == 200, found.content
    said = found.json()
    assert differences(QuestionPreviewSerializer, said) == []
    assert {"text": "region", "where": "Column of orders", "replaces": "reg"} in said["completions"]
    assert labels(analyst, "Total net amount by region", user_specified_files=["orders.csv"]) == [
        "Total net amount",
        "By region",
    ]
    assert not Thread.objects.exists()
    assert not Run.objects.exists()
    assert not Message.objects.exists()


def test_a_word_without_a_place_is_named(analyst: Member) -> None:
    assert typed(analyst, "Total net amount of zebras by region").json()["unread"] == ["zebras"]


def test_the_name_of_the_product_needs_no_place(analyst: Member, settings: Any) -> None:
    settings.PRODUCT_NAME = "Ada"
    assert typed(analyst, "Ada, total net amount by region").json()["unread"] == []


def test_only_what_stands_before_the_cursor_is_completed(analyst: Member) -> None:
    found = analyst.post({"text": "Total net am by region", "before": "Total net am"}, PATH).json()
    assert [one["replaces"] for one in found["completions"]][:1] == ["net am"]
    assert found["completions"][0]["text"] == "net amount"


def test_in_a_thread_a_text_goes_on_from_the_answer_that_is_shown(analyst: Member) -> None:
    said = asked(analyst, "Total net amount by region in orders")
    thread_id = said["about"]["thread_id"]
    assert "By region" in labels(analyst, "only North", thread_id=thread_id)
    assert "By region" not in labels(analyst, "only North")


def test_no_model_is_asked(analyst: Member) -> None:
    def talk(*_: Any, **__: Any) -> Any:
        raise AssertionError("a text that is being typed was told to a model")

    engine.use(replace(engine.current(), talk=talk))
    assert labels(analyst, "Total net amount by region in orders")


def test_a_thread_of_somebody_else_is_not_there(analyst: Member, cast: Cast) -> None:
    said = asked(analyst, "Total net amount by region in orders")
    thread_id = said["about"]["thread_id"]
    for other in (cast.ben, cast.gus):
        answer = client_of(other).post(
            PATH, {"text": "only North", "before": "", "thread_id": thread_id}, format="json"
        )
        assert answer.status_code == 404
    assert typed(analyst, "only North", thread_id=str(uuid4())).status_code == 404


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"before": ""}, "not_text"),
        ({"text": "total"}, "not_text"),
        ({"text": "x" * 10_001, "before": ""}, "too_long"),
        ({"text": "total", "before": "", "thread_id": "x"}, "invalid_id"),
        ({"text": "total", "before": "", "user_specified_files": "x"}, "not_a_list"),
    ],
)
def test_what_is_no_text_is_refused(analyst: Member, body: dict[str, Any], code: str) -> None:
    answer = analyst.post(body, PATH)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


def test_a_busy_process_shows_nothing_instead_of_making_anybody_wait(analyst: Member) -> None:
    held = [previews.free.acquire(blocking=False) for _ in range(limits.PREVIEWS_AT_ONCE)]
    assert all(held)
    try:
        assert typed(analyst, "Total net amount by region in orders").json() == EMPTY
    finally:
        for _ in held:
            previews.free.release()
    assert labels(analyst, "Total net amount by region in orders")


def test_a_number_that_nothing_computes_with_shows_nothing_after_an_answer(analyst: Member) -> None:
    thread_id = asked(analyst, "Total net amount by region in orders")["about"]["thread_id"]
    for text in (f"total net amount above {'9' * 400}", f"only regions above {'9' * 400}"):
        assert typed(analyst, text, thread_id=thread_id).status_code == 200
    assert "By region" in labels(analyst, "only North", thread_id=thread_id)


def test_more_texts_than_anybody_types_are_refused(analyst: Member) -> None:
    statuses = {typed(analyst, "").status_code for _ in range(2 * limits.PREVIEWS_A_MINUTE + 1)}
    assert statuses == {200, 429}


def test_nothing_is_read_while_typing_over_tables_that_a_child_reads(ana: Member, cast: Cast, tmp_path: Path) -> None:
    cache.clear()
    for analyst in asking(ana, cast, tmp_path, "orders", "returns"):
        engine.use(replace(engine.current(), is_wide=lambda catalog: len(catalog.tables()) > 1))
        version = engine.current().catalog_of(cast.acme).version
        assert typed(analyst, "Total net amount by region").json() == EMPTY
        assert version not in kept
        assert cache.get(f"expected.{cast.acme.pk}"), "a worker is sent for"
        assert "By region" in labels(analyst, "Total net amount by region", user_specified_files=["orders.csv"])
