"""Giving sign-ins back: the row goes at once, the service is told by a worker, again where it cannot be reached."""

from __future__ import annotations

from django.utils import timezone

from apps.accounts.models import Organization, User
from apps.core.jobs.sending import send_after_commit
from apps.integrations import tasks
from apps.integrations.models import Connection, Revocation


def revocation_queue(connection: Connection) -> None:
    """Keeps the tokens only for telling the service to forget them. Call it in the transaction that ends the row."""
    queued = Revocation.objects.create(
        service=connection.service, connection_id=connection.pk, sealed=connection.sealed
    )
    send_after_commit(tasks.revoke, queued.pk)


def connections_give_back(subject: Organization | User) -> None:
    """Before an organization or a person is deleted: their sign-ins are given back (apps.accounts.holdings)."""
    mine = {"member": subject} if isinstance(subject, User) else {"organization": subject}
    for connection in Connection.objects.filter(**mine):
        revocation_queue(connection)


def revocations_sweep() -> None:
    """Sends those again whose time has come."""
    for pk in Revocation.objects.filter(due_at__lte=timezone.now()).values_list("pk", flat=True):
        tasks.revoke.send(str(pk))
