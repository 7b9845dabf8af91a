"""Refreshes of an organization that is deactivated: none begins, one under way stops, and all go on where they were."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import Organization
from apps.accounts.services.organizations import organization_activate, organization_deactivate
from apps.integrations.hubspot.starting import scheduled_sweep, syncs_sweep, syncs_take_over
from apps.integrations.hubspot.sync import sync_run
from apps.integrations.models import Connection, HubSpotSync, RefreshSchedule


def long_ago() -> None:
    """Everything that waits or is held has been so for long."""
    past = timezone.now() - timedelta(minutes=10)
    HubSpotSync.objects.update(updated_at=past, due_at=past)
    HubSpotSync.objects.exclude(lease_until=None).update(lease_until=past)
    RefreshSchedule.objects.update(next_at=past)


def test_the_clock_starts_none_until_it_is_active_again(world):
    world.connect()
    world.refresh()
    organization_deactivate(organization=world.cast.acme)
    long_ago()
    before = RefreshSchedule.objects.get().next_at
    calls = len(world.hubspot.log)
    scheduled_sweep()
    assert HubSpotSync.objects.count() == 1
    assert RefreshSchedule.objects.get().next_at == before  # its turn is kept
    assert len(world.hubspot.log) == calls
    organization_activate(organization=world.cast.acme)
    scheduled_sweep()
    assert HubSpotSync.objects.count() == 2


def test_one_that_waits_is_not_begun_and_not_given_up(world):
    world.connect()
    client = world.client()
    assert client.post("/api/v3/hubspot/direct-export", {}, format="json").status_code == 200
    organization_deactivate(organization=world.cast.acme)
    waiting = HubSpotSync.objects.get()
    for _ in range(4):
        long_ago()
        syncs_sweep()
        syncs_take_over()
        world.work(waiting)
    assert (waiting.state, waiting.attempt, waiting.read) == ("queued", 0, 0)
    organization_activate(organization=world.cast.acme)
    assert world.work(waiting).state == "done"
    assert Connection.objects.get().state == "connected"


def test_one_under_way_stops_and_goes_on_from_its_place(world):
    world.connect()
    client = world.client()
    client.post("/api/v3/hubspot/direct-export", {}, format="json")
    sync = HubSpotSync.objects.get()
    world.hubspot.fail("objects.list", status=503, skip=2)  # so that it waits, in the middle

    def meanwhile(seconds: float) -> None:
        Organization.objects.filter(pk=world.cast.acme.pk).update(is_active=False)

    sync_run(sync.pk, pause=meanwhile)
    sync.refresh_from_db()
    read = sync.read
    assert (sync.state, read > 0) == ("running", True)
    calls = len(world.hubspot.log)
    long_ago()
    syncs_sweep()
    world.work(sync)
    assert (sync.state, len(world.hubspot.log)) == ("running", calls)

    organization_activate(organization=world.cast.acme)
    long_ago()
    syncs_sweep()
    assert world.work(sync).state == "done"
    assert sync.read > read
