"""What is done again and again: mails that wait are sent, sessions that are over are removed."""

from __future__ import annotations

from datetime import timedelta

from django.core.cache import cache
from django.utils import timezone

from apps.accounts import tasks
from apps.accounts.flows.session_store import SessionStore
from apps.accounts.models import OutgoingMail
from apps.accounts.selectors import mails_to_send

LATE = timedelta(seconds=10)
"""A mail that is due for so long has no message on its way any more."""
SWEPT_AT_ONCE = 100
CLEAR_SECONDS = 3600


def tick() -> None:
    """Every few seconds; expired sessions once an hour, whichever process comes first."""
    mails_sweep()
    if cache.add("accounts.sessions_cleared", True, CLEAR_SECONDS):
        SessionStore.clear_expired()


def mails_sweep() -> int:
    """Throws away what is over and sends again what waits. Returns how many were sent again."""
    now = timezone.now()
    OutgoingMail.objects.filter(expires_at__lte=now).delete()
    due = mails_to_send().filter(due_at__lte=now - LATE).order_by("due_at").values_list("pk", flat=True)
    waiting = list(due[:SWEPT_AT_ONCE])
    for pk in waiting:
        tasks.send_mail.send(str(pk))
    return len(waiting)
