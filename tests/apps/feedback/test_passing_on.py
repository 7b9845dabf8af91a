"""Feedback reaches an outside endpoint from a worker: late, twice or never heard of, nothing of it is lost."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.services.organizations import organization_activate, organization_deactivate
from apps.feedback.fields import new_york_time
from apps.feedback.models import Feedback, Passing
from apps.feedback.services.passing import GIVE_UP_AFTER, feedback_pass_on, feedback_sweep
from tests.apps.conftest import Cast
from tests.cast import PASSWORD, client_of

pytestmark = pytest.mark.django_db(transaction=True)


class Endpoint(HTTPServer):
    """A spreadsheet's web app of our own: it keeps the forms it takes, and answers as it is told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taker)
        self.forms: list[dict[str, str]] = []
        self.status = 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/exec"


class _Taker(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        found = re.findall(r'name="(\w+)"\r\n[^\r]*\r\n\r\n(.*?)\r\n--', body, re.S)
        self.server.forms.append(dict(found))
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(b'{"result": "success"}')

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def endpoint(settings) -> Iterator[Endpoint]:
    server = Endpoint()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    settings.FEEDBACK_WEBHOOK_URL = server.url
    yield server
    server.shutdown()
    server.server_close()


def give(cast: Cast, text: str = "The chart is too small.", **more: str) -> Feedback:
    answer = client_of(cast.ana).post("/api/v3/feedback", {"Feedback": text, **more}, format="multipart")
    assert answer.status_code == 200
    return Feedback.objects.get(text=text)


def due_again(feedback: Feedback) -> None:
    Feedback.objects.filter(pk=feedback.pk).update(next_try_at=timezone.now() - timedelta(seconds=1))


def test_the_endpoint_gets_the_fields_of_the_specification_once(cast: Cast, endpoint: Endpoint) -> None:
    words = {"ChatHistory": "user: Café?\nassistant: 5", "UserSelectedFiles": "a.csv\nb.csv", "ThumbUp": "false"}
    feedback = give(cast, "Größer, bitte", **words)
    assert endpoint.forms == [], "nothing leaves within the request"
    feedback_pass_on(feedback.pk)
    feedback_pass_on(feedback.pk)
    feedback.refresh_from_db()
    assert endpoint.forms == [
        {
            "Id": str(feedback.pk),
            "Kind": "thumbs",
            "Datetime": new_york_time(feedback.created_at),
            "Feedback": "Größer, bitte",
            **words,
        }
    ]
    assert (feedback.passing, feedback.next_try_at) == (Passing.PASSED_ON, None)


def test_a_failing_endpoint_loses_nothing_and_is_tried_again_with_growing_pauses(
    cast: Cast, endpoint: Endpoint
) -> None:
    endpoint.status = 500
    feedback = give(cast)
    pauses = []
    for _ in range(3):
        before = timezone.now()
        feedback_pass_on(feedback.pk)
        feedback.refresh_from_db()
        assert (feedback.passing, feedback.last_failure) == (Passing.WAITING, "The endpoint answered 500.")
        assert feedback.next_try_at is not None
        pauses.append(round((feedback.next_try_at - before).total_seconds()))
        assert feedback_sweep() == 0, "not before its time"
        due_again(feedback)
        assert feedback_sweep() == 1
    assert pauses == [30, 60, 120]
    endpoint.status = 200
    feedback_pass_on(feedback.pk)
    feedback.refresh_from_db()
    assert feedback.passing == Passing.PASSED_ON
    assert len(endpoint.forms) == 4
    assert {form["Id"] for form in endpoint.forms} == {str(feedback.pk)}


def test_an_endpoint_that_is_not_there_is_told_in_the_row_and_given_up_after_a_week(cast: Cast, settings) -> None:
    settings.FEEDBACK_WEBHOOK_URL = "http://127.0.0.1:1/exec"
    feedback = give(cast)
    feedback_pass_on(feedback.pk)
    feedback.refresh_from_db()
    assert (feedback.passing, feedback.tries) == (Passing.WAITING, 1)
    assert "not reached" in feedback.last_failure
    due_again(feedback)
    Feedback.objects.filter(pk=feedback.pk).update(created_at=timezone.now() - GIVE_UP_AFTER - timedelta(hours=1))
    feedback_pass_on(feedback.pk)
    feedback.refresh_from_db()
    assert (feedback.passing, feedback.text) == (Passing.GIVEN_UP, "The chart is too small.")


def test_what_an_organization_said_before_it_was_deactivated_waits_until_it_is_activated(
    cast: Cast, endpoint: Endpoint
) -> None:
    feedback = give(cast)
    organization_deactivate(organization=cast.acme)
    assert feedback_sweep() == 0
    feedback_pass_on(feedback.pk)
    assert endpoint.forms == []
    organization_activate(organization=cast.acme)
    assert feedback_sweep() == 1
    feedback_pass_on(feedback.pk)
    assert [form["Id"] for form in endpoint.forms] == [str(feedback.pk)]


def test_without_an_endpoint_feedback_is_kept_here_and_nothing_waits(cast: Cast) -> None:
    assert give(cast).passing == Passing.KEPT
    assert feedback_sweep() == 0


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (datetime(2026, 1, 15, 18, 30, tzinfo=UTC), "1/15/2026, 1:30:00 PM"),
        (datetime(2026, 7, 1, 4, 5, 9, tzinfo=UTC), "7/1/2026, 12:05:09 AM"),
    ],
)
def test_times_are_new_yorks_in_winter_and_in_summer(moment: datetime, told: str) -> None:
    assert new_york_time(moment) == told


def in_the_admin(client, username: str) -> None:
    assert client.post(reverse("admin:login"), {"username": username, "password": PASSWORD}).status_code == 302


def test_an_admin_filters_and_exports_what_the_own_organization_said(cast: Cast, client) -> None:
    give(cast, "=HYPERLINK(1)")
    client_of(cast.gus).post("/api/v3/feedback", {"Feedback": "Globex says"}, format="multipart")
    wish = give(cast, "Our billing data", kind="source-request")
    in_the_admin(client, "ada")
    address = reverse("admin:feedback_feedback_changelist")
    filtered = client.get(f"{address}?kind__exact=source-request").content.decode()
    assert "Our billing data" in filtered
    assert "HYPERLINK" not in filtered
    assert new_york_time(wish.created_at) in filtered
    chosen = [str(pk) for pk in Feedback.objects.values_list("pk", flat=True)]
    answer = client.post(address, {"action": "export_csv", "_selected_action": chosen})
    exported = b"".join(answer.streaming_content).decode()
    assert answer["Content-Disposition"] == 'attachment; filename="feedback.csv"'
    assert "'=HYPERLINK(1)" in exported
    assert "Acme,ana,Source request,Our billing data" in exported
    assert "Globex" not in exported


def test_staff_let_feedback_be_passed_on_again_and_admins_do_not(cast: Cast, client, endpoint: Endpoint) -> None:
    feedback = give(cast)
    feedback_pass_on(feedback.pk)
    address, chosen = reverse("admin:feedback_feedback_changelist"), {"_selected_action": [str(feedback.pk)]}
    in_the_admin(client, "ada")
    client.post(address, {"action": "pass_again", **chosen})
    assert feedback_sweep() == 0
    type(cast.ada).objects.filter(pk=cast.ada.pk).update(is_superuser=True, is_staff=True)
    client.post(address, {"action": "pass_again", **chosen})
    assert feedback_sweep() == 1
