"""Telling a service to forget a sign-in that nobody has any more. What a worker does; queueing is `giving_back`."""

from __future__ import annotations

import logging
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from apps.integrations import crypto, limits
from apps.integrations.connector import ConnectorError
from apps.integrations.models import Revocation
from apps.integrations.registry import connector_of
from apps.integrations.services.tokens import tokens_open

logger = logging.getLogger("apps.integrations.revocations")


def revocation_try(revocation_id: UUID) -> None:
    """Tells the service, once. Gives up after a day's worth of tries, or where telling cannot help."""
    now = timezone.now()
    queued = Revocation.objects.filter(pk=revocation_id, due_at__lte=now)
    if not queued.update(tries=F("tries") + 1, due_at=now + limits.REVOCATION_PAUSE):
        return
    revocation = Revocation.objects.get(pk=revocation_id)
    try:
        held = tokens_open(revocation.sealed, revocation.connection_id)
        connector_of(revocation.service).revoke(access_token=held.access_token, refresh_token=held.refresh_token)
    except crypto.Unopenable:
        logger.warning("a sign-in at %s could not be opened to be given back", revocation.service)
    except ConnectorError as error:
        if not error.permanent and revocation.tries < limits.REVOCATION_TRIES:
            return
        logger.warning("%s did not take a sign-in back: %s", revocation.service, error.code)
    Revocation.objects.filter(pk=revocation_id).delete()
