"""What is pushed about sources and to whom: to all members, and to the owner as the owner. Nothing is decided here."""

from __future__ import annotations

import json
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.core.live import organization_group, push, user_group
from apps.datasources.models import Source
from apps.datasources.selectors import source_row


def source_changed(source: Source) -> None:
    """Pushes the source as it is now, once the present transaction is committed."""
    transaction.on_commit(partial(_push_source, source))


def source_removed(*, organization_id: UUID, file_name: str) -> None:
    """Pushes that a source is gone, once the present transaction is committed."""
    event = {"type": "source_removed", "file_name": file_name}
    transaction.on_commit(partial(_push, organization_group(organization_id), event))


def _push_source(source: Source) -> None:
    shared = {"type": "source", "source": source_row(source, viewer_id=None)}
    _push(organization_group(source.organization_id), shared)
    if source.owner_id:
        own = {"type": "source", "source": source_row(source, viewer_id=source.owner_id)}
        _push(user_group(source.owner_id), own)


def _push(group: str, event: dict[str, Any]) -> None:
    push(group, {"text": json.dumps(event, ensure_ascii=False, separators=(",", ":"))})
