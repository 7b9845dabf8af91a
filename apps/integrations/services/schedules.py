"""Refreshes by the clock: how often a connection's data is refreshed by itself, and whose turn has come."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.accounts.policy import Action, demand
from apps.integrations.models import Connection, ConnectionState, RefreshSchedule
from apps.integrations.registry import connector_of
from apps.integrations.selectors import connected

if TYPE_CHECKING:
    from apps.accounts.models import User

SCHEDULES = (0, 1, 6, 12, 24, 168)
"""Hours between two refreshes that may be chosen; 0 is on demand only."""


def schedule_set(*, by: User, service: str, every_hours: int) -> RefreshSchedule:
    """An admin's choice for the organization's account, a member's for the own one. Raises Refused, Conflict."""
    if not connector_of(service).personal:
        demand(by, Action.MANAGE_CONNECTIONS)
    schedule = schedule_of(connected(by, service))
    schedule.every_hours = every_hours
    schedule.next_at = timezone.now() + timedelta(hours=every_hours) if every_hours else None
    schedule.save()
    return schedule


def schedule_of(connection: Connection) -> RefreshSchedule:
    """The connection's schedule; made with its defaults where there is none."""
    found, made = RefreshSchedule.objects.get_or_create(connection=connection)
    if made:
        found.next_at = timezone.now() + timedelta(hours=found.every_hours)
        found.save()
    return found


def schedules_due(service: str) -> Iterator[Connection]:
    """Whose turn has come. Each turn is taken by one conditional UPDATE, so that several processes start it once."""
    now = timezone.now()
    due = RefreshSchedule.objects.at_work().filter(connection__service=service, next_at__lte=now, every_hours__gt=0)
    for schedule in due.select_related("connection"):
        following = now + timedelta(hours=schedule.every_hours)
        mine = RefreshSchedule.objects.filter(pk=schedule.pk, next_at=schedule.next_at)
        if mine.update(next_at=following) and schedule.connection.state != ConnectionState.NEEDS_SIGN_IN:
            yield schedule.connection
