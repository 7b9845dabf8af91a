"""Sending a queued e-mail, from a worker."""

from __future__ import annotations

from uuid import UUID

from django.core.mail import EmailMultiAlternatives

from apps.accounts.models import OutgoingMail


def mail_send(*, mail_id: UUID) -> None:
    """Sends the mail and forgets it. One already sent is passed over; a failure is raised for another try."""
    mail = OutgoingMail.objects.filter(pk=mail_id).first()
    if mail is None:
        return
    message = EmailMultiAlternatives(subject=mail.subject, body=mail.text, to=[mail.recipient])
    message.attach_alternative(mail.html, "text/html")
    message.send()
    mail.delete()
