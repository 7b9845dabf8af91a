"""Taking in what Slack sends: one row a delivery, the work is a worker's. Slack waits for three seconds."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from django.db import IntegrityError, transaction

from apps.core.jobs.sending import send_after_commit
from apps.core.writes import write_promptly
from apps.integrations import crypto, tasks
from apps.integrations.models import Connection, Service
from apps.integrations.services.tokens import needs_sign_in
from apps.integrations.slack import copy
from apps.integrations.slack.models import SlackQuestion
from apps.integrations.slack.requests import Delivery


def workspace(team_id: str) -> Connection | None:
    """The connection of the workspace; at most one organization has it."""
    return Connection.objects.filter(service=Service.SLACK, account_id=team_id, member=None).first()


def delivery_take(delivery: Delivery) -> bool:
    """Keeps the delivery and queues its answer; one that came before is nothing new. False for unknown workspaces."""
    connection = workspace(delivery.team_id)
    if connection is None:
        return False
    if SlackQuestion.objects.filter(connection=connection, delivery_id=delivery.delivery_id).exists():
        return True  # without waiting for the right to write
    question = SlackQuestion(
        organization_id=connection.organization_id,
        connection=connection,
        delivery_id=delivery.delivery_id,
        kind=delivery.kind,
        slack_user_id=delivery.user_id,
        slack_name=delivery.user_name,
        channel_id=delivery.channel_id,
        thread_ts=delivery.thread_ts,
        text=delivery.text,
        sealed=crypto.seal(delivery.response_url),
    )
    with suppress(IntegrityError):  # the same one came twice at once
        write_promptly(partial(_keep, question))
    return True


def _keep(question: SlackQuestion) -> None:
    with transaction.atomic():
        question.save(force_insert=True)
        send_after_commit(tasks.answer_slack, question.pk)


def workspace_left(team_id: str) -> None:
    """The app was removed over there: people see that the workspace has to be connected again."""
    connection = workspace(team_id)
    if connection is not None:
        needs_sign_in(connection.pk, copy.CONNECT_AGAIN)
