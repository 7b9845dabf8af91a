"""Google's stand-in on a loopback port, and members who signed in there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.integrations.fakes import names
from apps.integrations.fakes.base import serving
from apps.integrations.fakes.google import FakeGoogle
from apps.integrations.google import client as google_client
from apps.integrations.google.reading import tabs_read
from apps.integrations.models import Connection, SheetTab
from tests.apps.integrations.consents import allow, start
from tests.cast import client_of

PIPELINE = "1PlantedPipelineSheetId"


@pytest.fixture
def google(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGoogle]:
    """The stand-in; at the end nothing that was said kept the contract less than it had to. Pauses take no time."""
    fake = FakeGoogle()
    monkeypatch.setattr(google_client, "LONGEST_PAUSE", 0.02)
    with serving(fake) as address:
        settings.GOOGLE_CLIENT_ID, settings.GOOGLE_CLIENT_SECRET = names.GOOGLE_CLIENT_ID, names.GOOGLE_CLIENT_SECRET
        settings.GOOGLE_AUTHORIZE_URL = f"{address}/o/oauth2/v2/auth"
        settings.GOOGLE_OAUTH_URL = settings.GOOGLE_API_URL = settings.GOOGLE_SHEETS_URL = address
        settings.INTEGRATIONS_TIMEOUT = 5
        yield fake
    assert fake.violations == []


@pytest.fixture
def signed_in(google: FakeGoogle) -> Callable[[User], APIClient]:
    """Signs a member in with Google, through the real routes; answers the member's client."""

    def sign_in(user: User) -> APIClient:
        client = client_of(user)
        back = allow(start(client, "google"), files="on")
        body = {
            "authorization_code": back["code"],
            "state": back["state"],
            "redirect_uri": "http://testserver/google-callback",
            "user_role": "admin",
            "organization": "Globex",
        }
        answer = client.post("/api/v3/google/token", body, format="json")
        assert answer.status_code == 200, answer.content
        assert answer.json()["access_token"].startswith("ya29.")
        return client

    return sign_in


def connect(client: APIClient, *tabs: str, file_id: str = PIPELINE) -> Any:
    """Connects tabs through the route; nothing is read yet."""
    return client.put("/api/v3/google/manage-sheets", {"file_id": file_id, "tab_names": list(tabs)}, format="json")


def read_all() -> None:
    """What the workers do with the tabs that wait."""
    for connection in Connection.objects.filter(service="google"):
        tabs_read(connection.pk)


def tab(title: str) -> SheetTab:
    return SheetTab.objects.select_related("source__stored").get(tab_title=title)
