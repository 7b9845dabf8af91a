"""Whatever goes wrong at Google: the connection says how it stands, and the rows read before stay usable."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection as database
from django.utils import timezone

from apps.datasources.models import Source
from apps.integrations import crypto
from apps.integrations.fakes.google import FakeGoogle
from apps.integrations.models import Connection, SheetTab
from tests.apps.integrations.consents import allow, start
from tests.apps.integrations.google.conftest import PIPELINE, connect, read_all
from tests.apps.integrations.places import admin_pages, dumped, found_in
from tests.cast import client_of

SHEETS = "/api/v3/google/manage-sheets"
VALUES, TABS, FILE = "sheets.spreadsheets.values.batchGet", "sheets.spreadsheets.get", "drive.files.get"
AGAIN = "Login credentials error, please sign in again"
LATER = "Google cannot answer at the moment. Please try again later."
QUOTED = "the-provider-quotes-a-secret"
Break = Callable[[FakeGoogle], None]

PASSING: dict[str, Break] = {
    "an expired token": lambda fake: fake.expire_all(),
    "429 with Retry-After": lambda fake: fake.fail(VALUES, status=429, headers={"retry-after": "0"}, times=2),
    "429 without": lambda fake: fake.fail(FILE, status=429, times=2),
    "a rate limit said as 403": lambda fake: fake.fail(
        FILE, status=403, json={"error": {"code": 403, "message": "x", "errors": [{"reason": "userRateLimitExceeded"}]}}
    ),
    "500": lambda fake: fake.fail(TABS, status=500),
    "503 three times": lambda fake: fake.fail("*", status=503, times=3),
    "a cut answer": lambda fake: fake.fail(VALUES, "cut"),
    "a slow answer": lambda fake: fake.fail(VALUES, "slow", seconds=1.5),
}
LASTING: dict[str, tuple[Break, str, str]] = {
    "429 for an hour": (lambda fake: fake.fail(FILE, status=429, headers={"retry-after": "3600"}), "failed", LATER),
    "500 for good": (lambda fake: fake.fail("*", status=500, times=None), "failed", LATER),
    "only cut answers": (lambda fake: fake.fail(VALUES, "cut", times=None), "failed", "cannot be reached"),
    "silence": (lambda fake: fake.fail(VALUES, "slow", seconds=3, times=None), "failed", "cannot be reached"),
    "revoked": (lambda fake: fake.revoke_all(), "needs_sign_in", AGAIN),
    "401 whatever token": (lambda fake: fake.fail(TABS, status=401, times=None), "needs_sign_in", AGAIN),
    "a scope that is missing": (
        lambda fake: fake.fail(
            TABS,
            status=403,
            json={"error": {"code": 403, "message": "x", "details": [{"reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT"}]}},
        ),
        "needs_sign_in",
        "Google did not allow reading the files you pick. Please sign in again and allow it.",
    ),
}


@pytest.fixture
def connected(cast, google, signed_in, settings, monkeypatch):
    """Ana with a tab that was read once and has changed since."""
    monkeypatch.setattr("apps.integrations.google.client.random.random", lambda: -0.49)
    monkeypatch.setattr("apps.integrations.google.client.LONGEST_PAUSE", 1.0)
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    google.files[PIPELINE].tab("Deals").rows.append(["Rudder", "West", 900])
    google.files[PIPELINE].touch()
    settings.INTEGRATIONS_TIMEOUT = 2
    return client


def refresh(client) -> dict:
    client.post(SHEETS)
    read_all()
    return client.get(SHEETS).json()["sheets"][0]


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_is_waited_out(google, connected, name):
    PASSING[name](google)
    assert refresh(connected)["state"] == "ready"
    assert Connection.objects.get().state == "connected"


@pytest.mark.parametrize("name", LASTING)
def test_what_lasts_is_said_and_takes_nothing_away(cast, google, connected, settings, name):
    settings.INTEGRATIONS_TIMEOUT = 1
    kept = Source.objects.of(cast.acme).get().stored.key
    spoil, state, reason = LASTING[name]
    spoil(google)
    sheet = refresh(connected)
    assert sheet["state"] == "failed"
    assert reason in sheet["reason"]
    connection = Connection.objects.get()
    assert (connection.state, reason in connection.reason) == (state, True)
    assert Source.objects.of(cast.acme).get().stored.key == kept
    row = next(row for row in connected.get("/api/v3/connections").json() if row["service"] == "google")
    assert (row["state"], row["reason"]) == (state, connection.reason)

    google.heal()
    if state == "failed":
        assert refresh(connected)["state"] == "ready"
        assert Connection.objects.get().state == "connected"


def test_a_dead_sign_in_is_said_in_the_words_of_the_specification(google, connected):
    google.revoke_all()
    Connection.objects.update(expires_at=timezone.now())
    answer = connected.post(SHEETS)
    assert answer.json()["error"]["message"] == AGAIN
    assert connected.post("/api/v3/google/auth-check").json()["access_token"] is None


def test_signing_in_again_goes_on_where_it_stopped(cast, google, connected, signed_in):
    google.revoke_all()
    assert refresh(connected)["state"] == "failed"
    assert refresh(signed_in(cast.ana))["state"] == "ready"


def test_another_spreadsheets_fault_is_not_this_ones(google, connected):
    connect(connected, "Daily", file_id="1PlantedVisitsSheetId")
    google.files["1PlantedVisitsSheetId"].reachable = False
    connected.post(SHEETS)
    read_all()
    states = {sheet["tab_title"]: sheet["state"] for sheet in connected.get(SHEETS).json()["sheets"]}
    assert states == {"Deals": "ready", "Daily": "failed"}


def test_a_state_is_good_once_and_for_its_own_session(cast, google):
    ana, ben = client_of(cast.ana), client_of(cast.ben)
    back = allow(start(ana, "google"), files="on")
    body = {"authorization_code": back["code"], "redirect_uri": "http://testserver/google-callback"}
    for client, state in ((ben, back["state"]), (client_of(cast.ana), back["state"]), (ana, "made up"), (ana, "")):
        assert client.post("/api/v3/google/token", {**body, "state": state}, format="json").status_code == 400
    elsewhere = {**body, "state": back["state"], "redirect_uri": "http://evil.example/google-callback"}
    assert ana.post("/api/v3/google/token", elsewhere, format="json").status_code == 400
    assert ana.post("/api/v3/google/token", {**body, "state": back["state"]}, format="json").status_code == 200
    assert ana.post("/api/v3/google/token", {**body, "state": back["state"]}, format="json").status_code == 400


def test_no_secret_of_google_is_in_a_log_answer_error_admin_page_or_dump(cast, google, connected, caplog, settings):
    """The access token alone is answered, to its own member's sign-in."""
    caplog.set_level(logging.DEBUG)
    back = allow(start(connected, "google"), files="on")
    body = {
        "authorization_code": back["code"], "state": back["state"], "redirect_uri": "http://testserver/google-callback"
    }  # fmt: skip
    assert connected.post("/api/v3/google/token", body, format="json").status_code == 200
    said = [connected.post("/api/v3/google/token", body, format="json").content.decode()]
    google.fail("*", status=500, json={"error": {"code": 500, "message": QUOTED}}, times=None)
    refresh(connected)
    said += [client_of(user).get(path).content.decode() for user in (cast.ana, cast.ben, cast.ada)
             for path in (SHEETS, "/api/v3/connections", "/api/v3/files")]  # fmt: skip
    secrets = {
        **{f"refresh token {n}": token for n, token in enumerate(google.refresh_tokens)},
        **{f"access token {n}": token for n, token in enumerate(google.access_tokens)},
        "code": back["code"],
        "state": back["state"],
        "client secret": settings.GOOGLE_CLIENT_SECRET,
        "encryption key": settings.CREDENTIAL_KEYS[0],
        "what Google quotes": QUOTED,
    }
    places = {"log": caplog.text, "answers": "".join(said), "admin": admin_pages(), "dump": dumped()}
    assert found_in(places, secrets) == []
    sealed = Connection.objects.get().sealed
    assert sealed not in places["admin"] + places["answers"]
    assert any(token in crypto.unseal(sealed) for token in google.refresh_tokens)


@pytest.mark.django_db(transaction=True)
def test_fifty_workers_with_an_ended_token_renew_it_once(cast, google, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    Connection.objects.update(expires_at=timezone.now())
    renewals = len(google.calls("oauth.token"))
    from apps.integrations.services.tokens import access_token

    pk = Connection.objects.get().pk

    def one(_: int) -> str:
        try:
            return access_token(pk)
        finally:
            database.close()

    with ThreadPoolExecutor(50) as workers:
        tokens = set(workers.map(one, range(50)))
    assert len(tokens) == 1
    assert len(google.calls("oauth.token")) == renewals + 1
    assert SheetTab.objects.count() == 1
