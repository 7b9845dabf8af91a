"""Questions from Slack are the member's own: in a thread, with the answer as people read it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from apps.core.errors import NotFound
from apps.integrations.models import Connection, SlackQuestion
from apps.integrations.slack.desk import ShownTable, desk
from apps.threads.models import Thread
from apps.threads.runner import execute


def test_a_question_becomes_a_thread_of_the_member_and_its_answer_is_read_from_it(cast, script):
    asked = desk().ask(member=cast.ana, prompt="Revenue by region?", thread_id=None)
    assert desk().answered(member=cast.ana, run_id=asked.run_id) is None
    execute(asked.run_id)
    answer = desk().answered(member=cast.ana, run_id=asked.run_id)
    assert answer.text.splitlines() == ["**West** leads with 20.", "- By owner: Ben, …"]
    assert answer.table == ShownTable(
        names=["region", "revenue"], right=[False, True], rows=[["West", "$20"], ["East", "$10"]], total_rows=2
    )
    assert len(answer.charts) == 1
    assert Thread.objects.get().owner == cast.ana
    with pytest.raises(NotFound):
        desk().answered(member=cast.ben, run_id=asked.run_id)


def test_a_following_question_stays_in_its_thread_and_one_that_is_gone_is_no_hindrance(cast, script):
    first = desk().ask(member=cast.ana, prompt="Revenue?", thread_id=None)
    assert desk().ask(member=cast.ana, prompt="And by owner?", thread_id=first.thread_id).thread_id == first.thread_id
    assert desk().ask(member=cast.ana, prompt="And by month?", thread_id=uuid4()).thread_id != first.thread_id


def test_a_run_that_ended_wakes_its_question_from_slack(cast, script, django_capture_on_commit_callbacks):
    import dramatiq

    connection = Connection.objects.create(organization=cast.acme, service="slack", account_id="T1", sealed="x")
    asked = desk().ask(member=cast.ana, prompt="Revenue by region?", thread_id=None)
    SlackQuestion.objects.create(
        organization=cast.acme, connection=connection, member=cast.ana, delivery_id="E1", kind="direct", state="asked",
        slack_user_id="U1", channel_id="D1", sealed="x", run_id=asked.run_id,
    )  # fmt: skip
    queue = dramatiq.get_broker().queues["slack"]
    before = queue.qsize()
    with django_capture_on_commit_callbacks(execute=True):
        execute(asked.run_id)
    assert queue.qsize() == before + 1
