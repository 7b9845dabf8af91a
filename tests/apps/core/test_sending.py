"""A message goes out with the commit of its row, and a broker that is away undoes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from dramatiq.errors import ConnectionClosed

from apps.core.jobs.sending import send_after_commit

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Workers:
    """An actor whose broker is there, or is not."""

    away: bool = False
    actor_name: str = "tests.work"
    sent: list[str] = field(default_factory=list)

    def send(self, key: str) -> None:
        if self.away:
            raise ConnectionClosed("the broker is away")
        self.sent.append(key)


def test_a_row_is_sent_once_it_is_committed_and_not_before() -> None:
    workers: Any = Workers()
    with transaction.atomic():
        send_after_commit(workers, 7)
        assert workers.sent == []
    assert workers.sent == ["7"]


def test_a_row_that_is_rolled_back_is_never_sent() -> None:
    workers: Any = Workers()
    with transaction.atomic():
        send_after_commit(workers, 7)
        transaction.set_rollback(True)
    assert workers.sent == []


def test_where_the_broker_is_away_the_commit_stands_and_whatever_else_was_to_follow_it() -> None:
    away: Any = Workers(away=True)
    followed: list[str] = []
    with transaction.atomic():
        send_after_commit(away, 7)
        transaction.on_commit(lambda: followed.append("a push"))
    assert followed == ["a push"]
