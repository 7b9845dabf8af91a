"""Connected tabs of an organization that is deactivated: none is read, and all are once it is active again."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import Organization
from apps.accounts.services.organizations import organization_activate, organization_deactivate
from apps.integrations.google import client
from apps.integrations.google.connecting import scheduled_sweep, tabs_sweep
from apps.integrations.models import RefreshSchedule, SheetTab
from tests.apps.integrations.google.conftest import connect, read_all, tab


def test_a_tab_that_waits_is_read_only_once_the_organization_is_active_again(cast, google, signed_in):
    connect(signed_in(cast.ana), "Deals")
    organization_deactivate(organization=cast.acme)
    calls = len(google.log)
    SheetTab.objects.update(updated_at=timezone.now() - timedelta(hours=1))
    tabs_sweep()
    read_all()
    assert (tab("Deals").state, tab("Deals").attempt, len(google.log)) == ("waiting", 0, calls)
    organization_activate(organization=cast.acme)
    read_all()
    assert tab("Deals").state == "ready"


def test_the_clock_lets_no_tab_wait(cast, google, signed_in):
    connect(signed_in(cast.ana), "Deals")
    read_all()
    RefreshSchedule.objects.update(next_at=timezone.now() - timedelta(minutes=1))
    organization_deactivate(organization=cast.acme)
    scheduled_sweep()
    assert tab("Deals").state == "ready"
    organization_activate(organization=cast.acme)
    scheduled_sweep()
    assert tab("Deals").state == "waiting"


def test_a_tab_that_is_being_read_is_not_kept_and_not_given_up(cast, google, signed_in, monkeypatch):
    connect(signed_in(cast.ana), "Deals")
    formats = client.formats

    def meanwhile(*asked):
        Organization.objects.filter(pk=cast.acme.pk).update(is_active=False)
        return formats(*asked)

    monkeypatch.setattr(client, "formats", meanwhile)
    read_all()
    monkeypatch.setattr(client, "formats", formats)
    assert google.calls("sheets.spreadsheets.values.batchGet") == []
    past = timezone.now() - timedelta(minutes=1)
    for _ in range(4):
        SheetTab.objects.exclude(lease_until=None).update(lease_until=past)
        tabs_sweep()
        read_all()
    assert (tab("Deals").state, tab("Deals").attempt, tab("Deals").source) == ("reading", 1, None)

    organization_activate(organization=cast.acme)
    tabs_sweep()
    read_all()
    assert tab("Deals").state == "ready"
    assert tab("Deals").source is not None
