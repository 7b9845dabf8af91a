"""E-mails leave through a worker: a slow or failing mail server never holds up a page, and an answer takes the same
time whether there was a mail to send or not."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string

from apps.accounts import tasks
from apps.accounts.models import OutgoingMail


def mail_queue(*, recipient: str, template: str, context: Mapping[str, object]) -> None:
    """Renders `email/<template>` (subject, text, HTML) and hands it to a worker once the transaction is kept."""
    words = {"product": settings.PRODUCT_NAME, **context}
    mail = OutgoingMail.objects.create(
        recipient=recipient,
        subject=" ".join(render_to_string(f"email/{template}.subject.txt", words).split()),
        text=render_to_string(f"email/{template}.txt", words).strip() + "\n",
        html=render_to_string(f"email/{template}.html", words),
    )
    transaction.on_commit(lambda: tasks.send_mail.send(str(mail.pk)))
