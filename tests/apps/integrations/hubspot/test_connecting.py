"""Connecting and letting go: one account for an organization, states as they are, sign-ins given back."""

from __future__ import annotations

import urllib.request
from urllib.parse import parse_qsl, urlsplit

import pytest

from apps.accounts.models import AuditEvent
from apps.integrations.hubspot import wire
from apps.integrations.models import Connection, HubSpotRecord, Revocation
from apps.integrations.services.giving_back import revocations_sweep
from apps.integrations.services.revocations import revocation_try
from tests.apps.integrations.hubspot.conftest import CALLBACK


def start(world, user=None, redirect_uri=CALLBACK):
    sent = {"service": "hubspot", "redirect_uri": redirect_uri}
    return world.client(user).post("/api/v3/connections", sent, format="json")


def consent(world, client):
    """The round trip in one session."""
    sent = {"service": "hubspot", "redirect_uri": CALLBACK}
    state = client.post("/api/v3/connections", sent, format="json").json()["authorize_url"].rpartition("state=")[2]
    body = {"hubspotCode": world.hubspot.grant(CALLBACK), "redirect_uri": CALLBACK, "state": state}
    return client.post("/api/v3/hubspot/auth", body, format="json")


def test_the_consent_page_is_asked_for_reading_and_nothing_else(world):
    address = start(world).json()["authorize_url"]
    assert address.startswith(f"{world.url}/oauth/authorize?client_id=fake-hubspot-client")
    asked = {name: value.split() for name, value in parse_qsl(urlsplit(address).query) if "scope" in name}
    assert asked == {
        "scope": ["oauth", *(f"crm.objects.{kind}.read" for kind in ("contacts", "companies", "deals", "owners"))],
        "optional_scope": ["tickets", "sales-email-read", "crm.export"],
    }
    assert "write" not in address


def test_an_account_without_the_optional_scopes_can_be_connected_all_the_same(world):
    world.hubspot.account_scopes = wire.SCOPES
    page = urllib.request.urlopen(start(world).json()["authorize_url"], timeout=10)
    assert page.status == 200
    world.connect()
    assert Connection.objects.get().scopes == list(wire.SCOPES)


def test_the_fields_are_asked_for_with_our_own_address_or_none(world):
    world.connect()
    client, path = world.client(), "/api/v3/hubspot/fields"
    assert client.get(path, {"redirect_uri": CALLBACK}).json() == client.get(path).json()
    refused = client.get(path, {"redirect_uri": "https://evil.example/hubspot-callback"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "redirect_uri")


@pytest.mark.parametrize(
    "address", ["https://evil.example/hubspot-callback", "http://testserver/chat", "//testserver/hubspot-callback", ""]
)
def test_it_never_leads_to_a_page_of_somebody_else(world, address):
    assert start(world, redirect_uri=address).status_code == 400


def test_basic_members_see_how_it_stands_and_may_refresh_but_not_connect_or_choose(world):
    assert start(world, world.cast.ana).status_code == 403
    world.connect()
    client = world.client(world.cast.ana)
    assert client.get("/api/v3/hubspot/status").json()["may_manage"] is False
    assert client.post("/api/v3/hubspot/fields", {"fields": {}}, format="json").status_code == 403
    assert client.post("/api/v3/hubspot/schedule", {"every_hours": 6}, format="json").status_code == 403
    assert client.delete("/api/v3/connections?service=hubspot&data=keep").status_code == 403
    assert world.refresh(world.cast.ana).state == "done"


def test_success_means_connected(world):
    client = world.client()
    refused = client.get("/api/v3/hubspot/direct-export")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_connected")
    assert client.post("/api/v3/hubspot/direct-export", {}, format="json").status_code == 409
    world.connect()
    assert client.get("/api/v3/hubspot/direct-export").json()["state"] == "connected"
    assert client.get("/api/v3/hubspot/direct-export").json()["account_name"] == "acme-sandbox.example"


def test_one_account_belongs_to_one_organization(world):
    world.connect()
    client = world.client(world.cast.gia)
    answer = consent(world, client)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_connectable")
    assert "organi" not in answer.json()["error"]["message"]
    assert client.get("/api/v3/hubspot/status").json()["state"] == "not_connected"


def test_another_account_does_not_slip_into_the_place_of_the_connected_one(world):
    world.connect()
    world.hubspot.hub_id = 99
    answer = consent(world, world.client())
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "other_account")


def test_without_the_state_of_this_session_a_code_connects_nothing(world):
    state = start(world).json()["authorize_url"].rpartition("state=")[2]
    code = world.hubspot.grant(CALLBACK)
    other_session = world.client()
    for sent in ({"state": state}, {"state": "guessed"}, {}):
        body = {"hubspotCode": code, "redirect_uri": CALLBACK, **sent}
        assert other_session.post("/api/v3/hubspot/auth", body, format="json").status_code == 400
    assert not Connection.objects.exists()
    assert world.hubspot.calls("oauth.token") == []


def test_disconnecting_asks_what_becomes_of_the_data(world, django_capture_on_commit_callbacks):
    world.connect()
    world.refresh()
    client = world.client()
    assert client.delete("/api/v3/connections?service=hubspot").status_code == 400
    assert client.delete("/api/v3/connections?service=hubspot&data=keep").status_code == 200
    assert "hubspot_deals.csv" in world.sources()
    assert not HubSpotRecord.objects.exists()
    world.connect()
    assert client.delete("/api/v3/connections?service=hubspot&data=delete").status_code == 200
    assert world.sources() == {}
    assert client.get("/api/v3/hubspot/status").json()["state"] == "not_connected"
    written = AuditEvent.objects.of(world.cast.acme).filter(action="disconnected").order_by("created_at")
    assert [event.details["data"] for event in written] == ["kept", "deleted"]


def test_the_sign_in_is_given_back_even_where_hubspot_cannot_be_reached_at_first(world):
    world.connect()
    world.hubspot.fail("oauth.revoke", status=503)
    world.client().delete("/api/v3/connections?service=hubspot&data=delete")
    queued = Revocation.objects.get()
    revocation_try(queued.pk)
    assert not any(grant.revoked for grant in world.hubspot.refresh.values())
    revocation_try(queued.pk)  # not its time yet
    assert len(world.hubspot.calls("oauth.revoke")) == 1
    Revocation.objects.update(due_at=queued.due_at)
    revocation_try(queued.pk)
    assert all(grant.revoked for grant in world.hubspot.refresh.values())
    assert not Revocation.objects.exists()
    revocations_sweep()


def test_deleting_the_organization_gives_its_sign_in_back(world):
    from apps.accounts.services.erasure import organization_delete

    world.connect()
    organization_delete(organization=world.cast.acme)
    revocation_try(Revocation.objects.get().pk)
    assert all(grant.revoked for grant in world.hubspot.refresh.values())


def test_a_server_without_the_apps_settings_says_so(world, settings):
    settings.HUBSPOT_CLIENT_ID = ""
    answer = start(world)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not_configured")
    assert world.status()["configured"] is False
