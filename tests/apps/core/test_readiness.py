"""What a deployment lacks is named with its remedy, to programs by /readyz and to people by the doctor."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.core.readiness import WAITING_SECONDS
from apps.threads.models import Message, Run, Thread
from tests.apps.conftest import Cast

pytestmark = pytest.mark.django_db


def asked_long_ago(cast: Cast, seconds: float) -> Run:
    """A question that no worker has taken."""
    moment = timezone.now() - timedelta(seconds=seconds)
    thread = Thread.objects.create(organization=cast.acme, owner=cast.ana, summary="waits", updated_at=moment)
    run = Run(thread=thread, deadline_at=moment, created_at=moment)
    run.question = Message(thread=thread, run=run, role="user", content="How many?", created_at=moment)
    run.save()
    run.question.save()
    return run


def told() -> str:
    out = StringIO()
    call_command("doctor", stdout=out)
    return out.getvalue()


def test_a_process_that_can_be_sent_work_says_so_and_nothing_about_itself(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, set(answer.json().values())) == (200, {"ok"})


def test_a_question_that_waits_too_long_makes_the_deployment_unready(cast: Cast, client: Client) -> None:
    run = asked_long_ago(cast, WAITING_SECONDS + 5)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["queue"]) == (503, "failed")
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now())
    assert client.get("/readyz").status_code == 200


def test_the_doctor_says_what_was_seen_and_how_to_mend_it(cast: Cast) -> None:
    assert "ok    database: sqlite answers." in told()
    asked_long_ago(cast, WAITING_SECONDS + 5)
    out = StringIO()
    with pytest.raises(CommandError, match=r"To mend: .*queue"):
        call_command("doctor", stdout=out)
    assert "MEND  queue: The oldest job waits for 3" in out.getvalue()
    assert "Start more workers" in out.getvalue()


def test_a_mail_server_that_is_not_there_is_named_when_asked_for(settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    out = StringIO()
    with pytest.raises(CommandError, match="mail"):
        call_command("doctor", mail=True, stdout=out)
    assert "Check EMAIL_URL" in out.getvalue()


def test_a_cluster_that_is_configured_and_away_is_named_with_its_remedy(settings, tmp_path) -> None:
    settings.SPARK_MASTER, settings.SPARK_PYTHON = "spark://127.0.0.1:1", tmp_path
    out = StringIO()
    with pytest.raises(CommandError, match="spark"):
        call_command("doctor", stdout=out)
    assert "DuckDB answers instead" in out.getvalue()
    assert "Start the master" in out.getvalue()


def test_a_cluster_without_its_environment_is_named_with_its_remedy(settings, tmp_path) -> None:
    settings.SPARK_MASTER, settings.SPARK_PYTHON = "spark://127.0.0.1:1", tmp_path / "python"
    out = StringIO()
    with pytest.raises(CommandError, match="spark"):
        call_command("doctor", stdout=out)
    assert "make setup-spark" in out.getvalue()
