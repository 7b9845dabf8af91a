"""Thumbs are set once, feedback is kept, and empty words are refused as the specification says."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from apps.feedback.admin import FeedbackAdmin
from apps.feedback.models import Feedback
from apps.threads.models import Message, Run, Thread
from tests.apps.conftest import Cast
from tests.cast import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(cast: Cast) -> APIClient:
    return client_of(cast.ana)


@pytest.fixture
def ben(cast: Cast) -> APIClient:
    return client_of(cast.ben)


@pytest.fixture
def answer(cast: Cast) -> Message:
    now = timezone.now()
    thread = Thread.objects.create(organization=cast.acme, owner=cast.ana, summary="Revenue?")
    run = Run(thread=thread, state="completed", deadline_at=now, finished_at=now)
    question = Message(thread=thread, run=run, role="user", content="Revenue?")
    run.question = question
    run.save(force_insert=True)
    question.save(force_insert=True)
    return Message.objects.create(
        thread=thread, run=run, parent=question, role="assistant", model="builtin", content="5"
    )


def rate(client: APIClient, message: Message, thumb: Any) -> Any:
    body = {"thread_id": str(message.thread_id), "message_id": str(message.pk), "is_thumbs_up": thumb}
    return client.post("/api/v3/rate-answer", body, format="json")


def test_the_first_thumb_stays(ana: APIClient, answer: Message) -> None:
    assert (rate(ana, answer, True).status_code, rate(ana, answer, False).status_code) == (200, 200)
    answer.refresh_from_db()
    assert answer.is_thumbs_up is True


@pytest.mark.parametrize("thumb", ["True", "False", True, False])
def test_thumbs_may_be_words(ana: APIClient, answer: Message, thumb: Any) -> None:
    assert rate(ana, answer, thumb).json() == {}
    answer.refresh_from_db()
    assert answer.is_thumbs_up is (str(thumb) == "True")


def test_a_question_has_no_thumbs(ana: APIClient, answer: Message) -> None:
    assert answer.parent is not None
    assert rate(ana, answer.parent, True).status_code == 400


@pytest.mark.parametrize("thumb", [None, 1, 0, "yes", [], {}])
def test_a_thumb_is_up_or_down(ana: APIClient, answer: Message, thumb: Any) -> None:
    assert rate(ana, answer, thumb).json()["error"]["code"] == "not_a_flag"


def test_feedback_is_kept_with_who_said_it(ana: APIClient, cast: Cast) -> None:
    form = {
        "Datetime": "11/21/2026, 9:00:00 AM",
        "Feedback": " The chart is too small. ",
        "ChatHistory": "user: Revenue?\nassistant: 5",
        "UserSelectedFiles": "deals.csv\ncompanies.csv\n",
        "ThumbUp": "false",
    }
    assert ana.post("/api/v3/feedback", form, format="multipart").json() == {"status": "success"}
    kept = Feedback.objects.get()
    assert (kept.organization, kept.author, kept.kind, kept.is_thumbs_up) == (cast.acme, cast.ana, "thumbs", False)
    assert (kept.text, kept.files) == ("The chart is too small.", ["deals.csv", "companies.csv"])


def test_words_to_a_thumb_lead_an_admin_to_the_answer_with_its_evidence(
    ana: APIClient, answer: Message, cast: Cast
) -> None:
    rate(ana, answer, False)
    form = {
        "Feedback": "Use deals",
        "UserSelectedFiles": "deals.csv",
        "ThumbUp": "false",
        "ThreadId": str(answer.thread_id),
        "MessageId": str(answer.pk),
    }
    assert ana.post("/api/v3/feedback", form, format="multipart").status_code == 200
    kept = Feedback.objects.get()
    assert kept.answer == answer
    shown = FeedbackAdmin(Feedback, admin.site).evidence(kept)
    assert reverse("admin:threads_ratedanswer_change", args=[answer.pk]) in shown


def test_words_are_not_about_an_answer_of_somebody_else(ben: APIClient, answer: Message) -> None:
    form = {
        "Feedback": "Use deals",
        "ThumbUp": "false",
        "ThreadId": str(answer.thread_id),
        "MessageId": str(answer.pk),
    }
    assert ben.post("/api/v3/feedback", form, format="multipart").status_code == 404
    assert Feedback.objects.count() == 0


def test_a_wish_for_a_source_is_feedback_of_its_kind(ana: APIClient) -> None:
    ana.post("/api/v3/feedback", {"Feedback": "Our billing data", "kind": "source-request"}, format="multipart")
    assert Feedback.objects.get().kind == "source-request"


def test_empty_feedback_is_refused_with_the_specs_sentence(ana: APIClient) -> None:
    refused = ana.post("/api/v3/feedback", {"Feedback": "  "}, format="multipart")
    assert refused.status_code == 400
    assert refused.json()["error"]["message"] == "Please provide feedback before submitting."


@pytest.mark.parametrize(
    "body",
    [
        [],
        "text",
        {"Feedback": 5},
        {"Feedback": "x" * 20_001},
        {"Feedback": "a\x00b"},
        {"Feedback": "x", "kind": "praise"},
        {"Feedback": "x", "kind": ["feedback"]},
        {"Feedback": "x", "ThumbUp": "maybe"},
        {"Feedback": "x", "ChatHistory": {}},
        {"Feedback": "x", "UserSelectedFiles": "\n".join("f" for _ in range(1_001))},
    ],
)
def test_malformed_feedback_is_the_senders_error(ana: APIClient, body: Any) -> None:
    answer = ana.post("/api/v3/feedback", body, format="json")
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]
    assert Feedback.objects.count() == 0
