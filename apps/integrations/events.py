"""What is pushed about connections and to whom: the organization's to all members, a member's own to that member.

A push says only that something changed; how the connection stands is read by the route.
"""

from __future__ import annotations

import json
from functools import partial

from django.db import transaction

from apps.core.live import organization_group, push, user_group
from apps.integrations.models import Connection


def connection_changed(connection: Connection) -> None:
    """Pushes that the connection is another now, or gone, once the present transaction is committed."""
    member_id = connection.member_id
    group = user_group(member_id) if member_id else organization_group(connection.organization_id)
    event = {"type": "connection", "service": connection.service}
    transaction.on_commit(partial(push, group, {"text": json.dumps(event, separators=(",", ":"))}))
