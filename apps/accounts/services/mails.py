"""E-mails leave through a worker: a slow or failing mail server never holds up a page, and an answer takes the same
time whether there was a mail to send or not."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from apps.accounts import tasks
from apps.accounts.models import Organization, OutgoingMail, User
from apps.core.jobs.sending import send_after_commit


def mail_queue(
    *,
    recipient: str,
    template: str,
    context: Mapping[str, object],
    lifetime: timedelta,
    organization: Organization | None = None,
    sender: User | None = None,
) -> None:
    """Renders `email/<template>` (subject, text, HTML) and hands it to a worker once the transaction is kept.

    A mail server that does not answer is tried again for as long as `lifetime`: what it tells is no longer good then.
    With the organization that it is about, or the member who sends it, an unsent one is deleted.
    """
    words = {"product": settings.PRODUCT_NAME, **context}
    mail = OutgoingMail.objects.create(
        recipient=recipient,
        organization=organization,
        sender=sender,
        subject=" ".join(render_to_string(f"email/{template}.subject.txt", words).split()),
        text=render_to_string(f"email/{template}.txt", words).strip() + "\n",
        html=render_to_string(f"email/{template}.html", words),
        expires_at=timezone.now() + lifetime,
    )
    send_after_commit(tasks.send_mail, mail.pk)
