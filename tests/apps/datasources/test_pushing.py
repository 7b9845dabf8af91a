"""What is pushed about sources: to every member of the organization, to the owner as the owner, and to nobody else."""

from __future__ import annotations

import json

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from apps.core.live import organization_group, user_group
from apps.datasources.services.removal import source_remove
from tests.apps.datasources.conftest import SALES


def listen(group: str, channel: str):
    """All events of a group so far, each time it is called."""
    layer = get_channel_layer()
    async_to_sync(layer.group_add)(group, channel)

    def heard() -> list[dict]:
        waiting = layer.channels.get(channel)
        events = []
        while waiting is not None and not waiting.empty():
            events.append(json.loads(waiting.get_nowait()[1]["event"]["text"]))
        return events

    return heard


def test_members_hear_of_a_file_from_its_arrival_to_its_deletion(upload, cast, django_capture_on_commit_callbacks):
    members, owner, foreign = (
        listen(organization_group(cast.acme.pk), "test.members"),
        listen(user_group(cast.ana.pk), "test.owner"),
        listen(organization_group(cast.globex.pk), "test.foreign"),
    )
    upload(("sales.csv", SALES))
    heard = members()
    states = [event["source"]["state"] for event in heard]
    assert states[0] == "received"
    assert "reading" in states
    assert states[-1] == "ready"
    assert heard[-1]["source"]["rows"] == 3
    assert not any(event["source"]["mine"] for event in heard)
    assert all(event["source"]["mine"] for event in owner())
    with django_capture_on_commit_callbacks(execute=True):
        source_remove(by=cast.ana, file_name="sales.csv")
    assert members() == [{"type": "source_removed", "file_name": "sales.csv"}]
    assert foreign() == []
