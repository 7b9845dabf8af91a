"""Acme and its HubSpot: the stand-in on a loopback port, a consent by Ada, refreshes worked off here and now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from apps.accounts.models import User
from apps.datasources.models import Source, StoredFile
from apps.datasources.services.ingestion import ingest_file
from apps.integrations.fakes.base import serving
from apps.integrations.fakes.hubspot import CLIENT_ID, CLIENT_SECRET, FakeHubSpot
from apps.integrations.fakes.hubspot_account import Account
from apps.integrations.hubspot.sync import sync_run
from apps.integrations.models import Connection, HubSpotSync
from tests.cast import client_of

CALLBACK = "http://testserver/hubspot-callback"


@dataclass
class World:
    """What a test does and sees. `paused` holds every wait that was asked for; none is made."""

    hubspot: FakeHubSpot
    cast: Any
    url: str
    paused: list[float] = field(default_factory=list)

    def client(self, user: User | None = None) -> Any:
        return client_of(user or self.cast.ada)

    def connect(self, user: User | None = None) -> Connection:
        """The whole round trip but for the browser."""
        client = self.client(user)
        sent = {"service": "hubspot", "redirect_uri": CALLBACK}
        started = client.post("/api/v3/connections", sent, format="json")
        assert started.status_code == 201, started.content
        state = started.json()["authorize_url"].rpartition("state=")[2]
        body = {"hubspotCode": self.hubspot.grant(CALLBACK), "redirect_uri": CALLBACK, "state": state}
        answer = client.post("/api/v3/hubspot/auth", body, format="json")
        assert answer.status_code == 200, answer.content
        return Connection.objects.get(service="hubspot", organization=(user or self.cast.ada).organization)

    def refresh(self, user: User | None = None) -> HubSpotSync:
        """A refresh, worked off at once; files are stored, not yet read."""
        answer = self.client(user).post("/api/v3/hubspot/direct-export", {}, format="json")
        assert answer.status_code == 200, answer.content
        sync = HubSpotSync.objects.filter(state__in=["queued", "running"]).get()
        return self.work(sync)

    def work(self, sync: HubSpotSync) -> HubSpotSync:
        sync_run(sync.pk, pause=self.paused.append)
        sync.refresh_from_db()
        return sync

    def status(self) -> dict[str, Any]:
        return self.client().get("/api/v3/hubspot/status").json()

    def changes(self, since: datetime) -> dict[str, Any]:
        """What the page is told of the deals that moved since."""
        sent = {"category": "deals", "since": since.isoformat()}
        return self.client().get("/api/v3/hubspot/changes", sent).json()

    def rows(self, category: str) -> list[dict[str, str]]:
        """The newest stored bytes of a kind's file."""
        import csv
        import io

        from apps.datasources import files

        stored = StoredFile.objects.filter(name=f"hubspot_{category}.csv").order_by("-created_at").first()
        with files.open_original(stored.key) as file:
            return list(csv.DictReader(io.StringIO(file.read().decode())))

    def read_files(self) -> None:
        """What a worker does with the stored files."""
        from apps.analyst.tables import ingest

        for stored in StoredFile.objects.filter(state="queued"):
            ingest_file(stored.pk, read=ingest)

    def sources(self) -> dict[str, Source]:
        return {source.file_name: source for source in Source.objects.of(self.cast.acme)}


@pytest.fixture
def hubspot() -> Iterator[FakeHubSpot]:
    fake = FakeHubSpot(Account({"companies": 12, "contacts": 210, "deals": 30, "tickets": 8, "emails": 8}))
    yield fake
    assert fake.violations == []


@pytest.fixture
def world(cast, hubspot, settings) -> Iterator[World]:
    settings.HUBSPOT_CLIENT_ID, settings.HUBSPOT_CLIENT_SECRET = CLIENT_ID, CLIENT_SECRET
    with serving(hubspot) as url:
        settings.HUBSPOT_API_URL, settings.HUBSPOT_AUTHORIZE_URL = url, f"{url}/oauth/authorize"
        yield World(hubspot, cast, url)
