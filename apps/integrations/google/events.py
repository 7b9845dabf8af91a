"""What is pushed about connected tabs: to all members, that something changed. The route tells what."""

from __future__ import annotations

import json
from functools import partial
from uuid import UUID

from django.db import transaction

from apps.core.live import organization_group, push


def tabs_changed(organization_id: UUID) -> None:
    """Pushes, once the present transaction is committed, that what is known of Google Sheets is old."""
    event = {"text": json.dumps({"type": "connection", "service": "google"}, separators=(",", ":"))}
    transaction.on_commit(partial(push, organization_group(organization_id), event))
