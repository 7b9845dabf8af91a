"""Jobs that failed again and again, put aside so that they hold up nothing and somebody can look at them.

A job is known by its actor and arguments, however often and by whom it is sent. After TRIES failures it is parked: sent
again it is passed over, until staff replay it. A success forgets the failures before it. Where servers could not be
reached, nothing is counted: that is no fault of the message.
"""

from __future__ import annotations

import hashlib
import json
import logging
import traceback
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import dramatiq
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from dramatiq import Message

from apps.core.metrics import Figure
from apps.core.models import ParkedMessage

logger = logging.getLogger("apps.parking")

TRIES = 3
UNREADABLE = "unreadable"
KEPT_TEXT = 1_000


def key_of(actor: str, arguments: Iterable[Any]) -> str:
    """The job's key."""
    return hashlib.sha256(json.dumps([actor, *arguments], default=str).encode()).hexdigest()


def place_of(error: BaseException) -> str:
    """The error's kind and where it was raised. Its text may hold what people wrote or a cell holds."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {frames[-1].filename.rsplit('/apps/', 1)[-1]}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


@transaction.atomic
def failed(actor: str, queue: str, arguments: Sequence[Any], failure: str, *, enough: int = TRIES) -> bool:
    """Counts a failure of the job; True once it is parked."""
    row, _ = ParkedMessage.objects.get_or_create(
        key=key_of(actor, arguments),
        defaults={"actor": actor[:100], "queue": queue[:100], "arguments": list(arguments), "failure": failure[:300]},
    )
    ParkedMessage.objects.filter(pk=row.pk).update(
        tries=F("tries") + 1, failure=failure[:300], last_failed_at=timezone.now()
    )
    ripe = ParkedMessage.objects.filter(pk=row.pk, tries__gte=enough)
    if ripe.filter(parked_at=None).update(parked_at=timezone.now()):
        logger.error("%s was parked after %d tries: %s", actor, enough, failure)
    return ripe.exists()


def park(actor: str, queue: str, arguments: Sequence[Any], failure: str) -> None:
    """Parks a job at once. Never raises: the message is in the broker's dead letters as well."""
    try:
        failed(actor, queue, arguments, failure, enough=1)
    except Exception:
        logger.exception("%s could not be parked", actor)


def park_unreadable(queue: str, data: bytes) -> None:
    """Parks what came through the broker and is no message."""
    park(UNREADABLE, queue, [data[:KEPT_TEXT].decode("utf-8", "backslashreplace")], "It is no message of this product.")


def known() -> tuple[frozenset[str], frozenset[str]]:
    """The keys of all jobs that failed, and of those among them that are parked."""
    rows = list(ParkedMessage.objects.values_list("key", "parked_at"))
    return frozenset(key for key, _ in rows), frozenset(key for key, parked_at in rows if parked_at is not None)


def forget(key: str) -> None:
    """The job went well: its failures count no more."""
    ParkedMessage.objects.filter(key=key).delete()


def replay(rows: Iterable[ParkedMessage]) -> tuple[int, int]:
    """Sends parked jobs to the workers again and forgets their failures. How many, and how many nobody takes."""
    broker = dramatiq.get_broker()
    sent = refused = 0
    for row in rows:
        if row.actor not in broker.actors:
            refused += 1
            continue
        row.delete()
        broker.enqueue(
            Message(queue_name=row.queue, actor_name=row.actor, args=tuple(row.arguments), kwargs={}, options={})
        )
        sent += 1
    return sent, refused


def parked_count() -> int:
    """How many jobs are parked."""
    return ParkedMessage.objects.filter(parked_at__isnull=False).count()


def figures() -> Iterator[Figure]:
    """Parked jobs by actor, and how many failed but are still tried."""
    rows = list(ParkedMessage.objects.values_list("actor", "parked_at"))
    parked = [actor for actor, parked_at in rows if parked_at is not None]
    for actor in sorted(set(parked)) or [""]:
        yield Figure("parked_messages", "Jobs put aside after failing too often", parked.count(actor), {"actor": actor})
    yield Figure("failing_messages", "Jobs that failed and are still tried", len(rows) - len(parked))
