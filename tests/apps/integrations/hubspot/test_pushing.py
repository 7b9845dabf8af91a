"""What of a refresh is pushed to the organization's members, and to nobody else: its end, and each file that is read.

With either push a client asks how HubSpot stands, so the route must know by then what was pushed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import ingest
from apps.core.live import organization_group
from apps.datasources.models import StoredFile
from apps.datasources.services.ingestion import Reader, ingest_file
from apps.integrations.models import HubSpotSync
from tests.apps.datasources.test_pushing import listen

CHANGED = {"type": "connection", "service": "hubspot"}


@pytest.fixture
def committed(django_capture_on_commit_callbacks) -> Callable[[Callable[[], object]], None]:
    """Does something, and what waits for its commit."""

    def do(act: Callable[[], object]) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            act()

    return do


@pytest.fixture
def asked(world, committed) -> HubSpotSync:
    """A refresh that somebody asked for, and that no worker has taken yet."""
    committed(world.connect)
    committed(lambda: world.client().post("/api/v3/hubspot/direct-export", {}, format="json"))
    return HubSpotSync.objects.get()


def unreadable(*_: object) -> list[object]:
    raise ReadFailed("It holds no table.")


@pytest.mark.parametrize("read", [ingest, unreadable], ids=["well", "not"])
def test_members_hear_of_the_end_of_a_refresh_and_of_each_file_that_is_read(world, committed, asked, read: Reader):
    members = listen(organization_group(world.cast.acme.pk), "test.members")
    foreign = listen(organization_group(world.cast.globex.pk), "test.foreign")
    committed(partial(world.work, asked))
    assert members()[-1] == CHANGED
    waiting = list(StoredFile.objects.filter(state="queued"))
    assert (world.status()["state"], world.status()["unread"]) == ("connected", len(waiting))
    for left, stored in zip(reversed(range(len(waiting))), waiting, strict=True):
        committed(partial(ingest_file, stored.pk, read=read))
        told = members()[-1]
        assert told["type"] == "source"
        source = told["source"]
        assert (source["file_name"], source["group"]) == (stored.name, "crm")
        assert source["state"] == ("ready" if read is ingest else "failed")
        assert world.status()["unread"] == left
    assert foreign() == []


@pytest.mark.parametrize(
    ("trouble", "state"),
    [
        (lambda hubspot: hubspot.fail("objects.list", status=503, times=None), "failed"),
        (lambda hubspot: hubspot.revoke_all(), "needs_sign_in"),
    ],
    ids=["failed", "needs a sign-in"],
)
def test_members_hear_of_a_refresh_that_comes_to_nothing(world, committed, asked, trouble, state):
    members = listen(organization_group(world.cast.acme.pk), "test.members")
    foreign = listen(organization_group(world.cast.globex.pk), "test.foreign")
    trouble(world.hubspot)
    committed(partial(world.work, asked))
    assert CHANGED in members()
    assert world.status()["state"] == state
    assert foreign() == []
