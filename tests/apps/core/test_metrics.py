"""Prometheus reads what every process shares, with a token of its own; nobody else finds the page."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import yaml
from django.apps import apps
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from apps.core import readiness
from apps.threads.models import Message, Run, RunState, Thread
from tests.apps.conftest import Cast

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-the-tests"

Sample = tuple[str, tuple[tuple[str, str], ...]]


def read(token: str = TOKEN) -> dict[Sample, float]:
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def run_of(cast: Cast, state: str, *, asked: float, answered: float | None = None) -> None:
    """A run asked and answered so many seconds ago."""
    now = timezone.now()
    created = now - timedelta(seconds=asked)
    finished = None if answered is None else now - timedelta(seconds=answered)
    thread = Thread.objects.create(organization=cast.acme, owner=cast.ana, summary="asked", updated_at=now)
    run = Run(thread=thread, state=state, deadline_at=now, created_at=created, finished_at=finished)
    if state == RunState.RUNNING:
        run.owner, run.lease_until = "a worker", now + timedelta(seconds=30)
    run.question = Message(thread=thread, run=run, role="user", content="How many?", created_at=created)
    run.save()
    run.question.save()


@pytest.mark.parametrize("token", ["", "wrong", TOKEN + "x", "ü"])
def test_without_the_token_there_is_no_such_page(settings, token: str) -> None:
    settings.METRICS_TOKEN = TOKEN
    header = f"Bearer {token}".encode().decode("latin-1")
    assert Client().get("/metrics", headers={"Authorization": header}).status_code == 404


def test_where_no_token_is_set_an_empty_one_opens_nothing(settings) -> None:
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_the_figures_tell_what_waits_what_ended_and_how_long_answers_took(settings, cast: Cast) -> None:
    settings.METRICS_TOKEN = TOKEN
    run_of(cast, RunState.QUEUED, asked=40)
    run_of(cast, RunState.RUNNING, asked=5)
    run_of(cast, RunState.COMPLETED, asked=62, answered=60)
    run_of(cast, RunState.COMPLETED, asked=64, answered=60)
    run_of(cast, RunState.FAILED, asked=70, answered=60)
    run_of(cast, RunState.COMPLETED, asked=4_000, answered=3_600)  # too long ago to be told
    told = read()
    assert told["plumbline_runs_unfinished", (("state", "queued"),)] == 1
    assert told["plumbline_runs_unfinished", (("state", "running"),)] == 1
    assert told["plumbline_runs_ended_15m", (("state", "completed"),)] == 2
    assert told["plumbline_runs_ended_15m", (("state", "failed"),)] == 1
    assert told["plumbline_answer_seconds", (("quantile", "0.5"),)] == pytest.approx(3, abs=0.5)
    assert told["plumbline_queue_age_seconds", ()] == pytest.approx(40, abs=10)
    assert told["plumbline_run_age_seconds", ()] == pytest.approx(40, abs=10)
    assert told["plumbline_files", (("state", "queued"),)] == 0


def test_a_question_that_is_worked_on_for_long_shows_in_the_age_of_runs_and_not_of_jobs(settings, cast: Cast) -> None:
    settings.METRICS_TOKEN = TOKEN
    run_of(cast, RunState.RUNNING, asked=300)
    told = read()
    assert told["plumbline_run_age_seconds", ()] == pytest.approx(300, abs=10)
    assert told["plumbline_queue_age_seconds", ()] == 0


def test_each_part_that_the_deployment_needs_is_told_as_well_or_not(settings, cast: Cast) -> None:
    settings.METRICS_TOKEN = TOKEN
    run_of(cast, RunState.QUEUED, asked=readiness.WAITING_SECONDS + 5)
    told = read()
    parts = {dict(labels)["part"]: value for (name, labels), value in told.items() if name == "plumbline_ready"}
    assert set(parts) == set(readiness.CHECKS)
    assert (parts["queue"], parts["database"]) == (0, 1)


def watched(settings: Any) -> tuple[list[str], str, str]:
    """The names of what operators watch, the page that lists them, and its runbook."""
    page = (settings.BASE_DIR / "docs" / "operating.md").read_text()
    table, _, runbook = page.partition("## Watch")[2].partition("## When something is wrong")
    return re.findall(r"^\| (\w[^|]+?) \| (?:`|GET)", table, flags=re.MULTILINE), page, runbook


def test_every_figure_that_operators_are_to_watch_is_told_and_has_its_part_in_the_runbook(settings, cast: Cast) -> None:
    settings.METRICS_TOKEN = TOKEN
    for seconds in (62, 64):
        run_of(cast, RunState.COMPLETED, asked=seconds, answered=60)
    alarms, page, runbook = watched(settings)
    told = {name for name, _ in read()}
    assert {name for name in re.findall(r"`(plumbline_\w+)", page) if name not in told} == set()
    assert len(alarms) >= 9
    assert [alarm for alarm in alarms if f"- **{alarm}**: " not in runbook] == []


def test_prometheus_rules_are_those_of_the_table_and_ask_for_figures_that_are_told(settings, cast: Cast) -> None:
    settings.METRICS_TOKEN = TOKEN
    for seconds in (62, 64):
        run_of(cast, RunState.COMPLETED, asked=seconds, answered=60)
    rules = yaml.safe_load((settings.BASE_DIR / "deploy" / "alerts.yaml").read_text())["groups"][0]["rules"]
    assert [rule["alert"] for rule in rules] == watched(settings)[0]
    told = {(name, f'{label}="{value}"') for name, labels in read() for label, value in [*labels, ("", "")]}
    for rule in rules:
        asked = re.findall(r"(plumbline_\w+)(?:\{([^}]*)\})?", rule["expr"])
        assert asked or rule["expr"].startswith("up{"), rule["alert"]
        assert {(name, label or '=""') for name, label in asked} <= told, rule["alert"]


def broken() -> None:
    raise RuntimeError("no figures today")


def test_one_that_cannot_tell_does_not_keep_the_others_from_telling(settings, monkeypatch) -> None:
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(apps.get_app_config("datasources"), "metrics", f"{__name__}.broken")
    names = {name for name, labels in read()}
    assert "plumbline_runs_unfinished" in names
    assert "plumbline_files" not in names
