"""Sending queued e-mails, from a worker: with growing pauses while the mail server does not take them.

The row is what lasts. A message to a worker may come twice or never; whoever claims the row sends it.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from uuid import UUID

from django.core.mail import EmailMultiAlternatives
from django.db.models import F
from django.utils import timezone

from apps.accounts.models import OutgoingMail
from apps.accounts.selectors import mails_to_send

logger = logging.getLogger("apps.mails")

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)


def mail_send(*, mail_id: UUID) -> None:
    """Sends the mail and forgets it. One already sent, or being sent by another worker, is passed over."""
    mail = _claim(mail_id)
    if mail is None:
        return
    if not mail.text:
        logger.error("mail %s was sealed with a SECRET_KEY that is not there any more, and is thrown away", mail.pk)
        mail.delete()
        return
    message = EmailMultiAlternatives(subject=mail.subject, body=mail.text, to=[mail.recipient])
    message.attach_alternative(mail.html, "text/html")
    try:
        message.send()
    except OSError as error:  # all of smtplib's errors are; what the mail says stays out of the log
        logger.warning("mail %s was not taken in try %s: %s", mail.pk, mail.tries, type(error).__name__)
        return
    mail.delete()


def _claim(mail_id: UUID) -> OutgoingMail | None:
    """The mail, if it is due; nobody else gets it until the pause is over."""
    now = timezone.now()
    mail = mails_to_send().filter(pk=mail_id, due_at__lte=now, expires_at__gt=now).first()
    if mail is None:
        return None
    seen = OutgoingMail.objects.filter(pk=mail.pk, tries=mail.tries)
    pause = min(FIRST_PAUSE * 2**mail.tries, LONGEST_PAUSE)
    if not seen.update(tries=F("tries") + 1, due_at=now + pause):
        return None
    mail.tries += 1
    return mail
