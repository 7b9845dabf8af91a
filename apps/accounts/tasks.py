"""Actors of this app: each takes an id, holds one line, and may run twice."""

from __future__ import annotations

from uuid import UUID

import dramatiq

from apps.accounts.services import delivery


@dramatiq.actor(actor_name="accounts.send_mail", queue_name="mails", max_retries=0)
def send_mail(mail_id: str, **_: object) -> None:
    """Sends a queued e-mail; the sweep brings back what could not be sent."""
    delivery.mail_send(mail_id=UUID(mail_id))
