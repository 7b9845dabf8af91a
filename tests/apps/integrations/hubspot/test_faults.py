"""Everything that HubSpot can do to a refresh: it ends connected or in a stated error, and old data stays usable."""

from __future__ import annotations

import pytest

from apps.integrations.fakes.base import Fault
from apps.integrations.fakes.hubspot import ALL_SCOPES, problem
from apps.integrations.fakes.hubspot_account import FIRST_ID
from apps.integrations.models import Connection, ConnectionState, HubSpotSync
from apps.integrations.services.tokens import access_token


@pytest.fixture
def refreshed(world):
    """Connected, with everything read once, and one deal changed since."""
    world.connect()
    world.refresh()
    world.hubspot.account.change("deals", FIRST_ID, amount="1")
    world.paused.clear()
    return world


def limited(policy: str, **headers: str) -> Fault:
    reply = problem(429, "You have reached your limit.", "RATE_LIMITS", policyName=policy)
    reply.headers = dict(headers)
    return Fault("objects.search", "status", reply)


def refusal(status: int, **headers: str) -> Fault:
    reply = problem(status, "no", "SOMETHING")
    reply.headers = dict(headers)
    return Fault("objects.search", "status", reply)


PASSING = {
    "one 401": (refusal(401), []),
    "429 with Retry-After": (limited("TEN_SECONDLY_ROLLING", **{"Retry-After": "3"}), [3]),
    "429 of ten seconds without": (limited("TEN_SECONDLY_ROLLING"), [5, 5]),
    "429 of a search": (limited("SECONDLY"), [1]),
    "423 locked": (refusal(423), [2]),
    "477 moving": (refusal(477, **{"Retry-After": "4"}), [4]),
    "500": (refusal(500), [1]),
    "502": (refusal(502), [1]),
    "524": (refusal(524), [1]),
    "cut": (Fault("objects.search", "cut"), [1]),
    "cut list": (Fault("objects.list", "cut"), [1]),
}


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_is_waited_for_as_hubspot_asks(refreshed, name):
    fault, waits = PASSING[name]
    refreshed.hubspot.faults.append(Fault(**vars(fault)))
    done = refreshed.refresh()
    assert (done.state, done.error) == ("done", "")
    assert [seconds for seconds in refreshed.paused if seconds >= 1] == waits
    assert refreshed.status()["state"] == "connected"
    assert refreshed.rows("deals")[0]["Amount"] == "1"


def test_a_slow_answer_is_asked_for_again(refreshed, settings):
    settings.INTEGRATIONS_TIMEOUT = 0.3
    refreshed.hubspot.fail("objects.search", "slow", seconds=1.0)
    assert refreshed.refresh().state == "done"


def everything_anew(world, fault: str) -> None:
    """Another choice of properties, so that all contacts are listed again; and lists go wrong."""
    chosen = {"fields": {"contacts": {"Lead Status": False, "Record ID": True}}}
    assert world.client().post("/api/v3/hubspot/fields", chosen, format="json").status_code == 200
    world.hubspot.fail("objects.list", fault, times=None)


LASTING = {
    "5xx": (lambda world: world.hubspot.fail("objects.search", status=503, times=None), "does not answer"),
    "cut": (lambda world: world.hubspot.fail("objects.search", "cut", times=None), "cannot be reached"),
    "nothing that is JSON": (
        lambda world: world.hubspot.fail("objects.search", status=200, json=["?"], times=None), "cannot be read"
    ),
    "looping cursor": (lambda world: everything_anew(world, "loop"), "leads back to itself"),
}  # fmt: skip


@pytest.mark.parametrize("name", LASTING)
def test_what_lasts_ends_in_a_stated_error_and_old_data_stays(refreshed, name):
    order, words = LASTING[name]
    before = {name: source.stored_id for name, source in refreshed.sources().items()}
    order(refreshed)
    failed = refreshed.refresh()
    assert failed.state == "failed"
    assert words in failed.error
    told = refreshed.status()
    assert (told["state"], told["reason"]) == ("failed", failed.error)
    assert told["state_at"]
    assert {name: source.stored_id for name, source in refreshed.sources().items()} == before
    refreshed.hubspot.heal()
    assert refreshed.refresh().state == "done"
    assert refreshed.status()["reason"] is None


def test_a_taken_back_consent_needs_a_new_sign_in_and_keeps_the_files(refreshed):
    refreshed.hubspot.revoke_all()
    failed = refreshed.refresh()
    told = refreshed.status()
    assert failed.state == "failed"
    assert (told["state"], told["reason"]) == (
        "needs_sign_in", "HubSpot no longer accepts this sign-in. Please connect again."
    )  # fmt: skip
    assert "hubspot_deals.csv" in refreshed.sources()
    asked = len(refreshed.hubspot.log)
    assert refreshed.refresh().state == "failed"
    assert len(refreshed.hubspot.log) == asked  # a dead sign-in is not tried again and again
    refreshed.connect()
    assert refreshed.refresh().state == "done"
    assert refreshed.status()["state"] == "connected"


def test_a_daily_limit_puts_the_refresh_off_and_it_goes_on_by_itself(refreshed):
    refreshed.hubspot.faults.append(limited("DAILY"))
    waiting = refreshed.refresh()
    assert waiting.state == "queued"
    told = refreshed.status()
    assert told["state"] == "refreshing"
    assert told["reason"].startswith("HubSpot's limit for today is reached")
    assert told["progress"]["waiting_until"]
    assert refreshed.work(waiting).state == "queued"  # not before its time
    HubSpotSync.objects.update(due_at=waiting.created_at)
    assert refreshed.work(waiting).state == "done"


def test_a_missing_scope_leaves_that_kind_out_and_says_so(world):
    world.hubspot.account_scopes = tuple(scope for scope in ALL_SCOPES if scope != "tickets")
    world.connect()
    assert world.refresh().state == "done"
    told = world.status()
    assert told["state"] == "connected"
    assert told["problems"] == {"tickets": "HubSpot does not let us read this: the permission tickets is missing."}
    assert "hubspot_tickets.csv" not in world.sources()
    assert "hubspot_deals.csv" in world.sources()


def test_the_account_keeps_its_limits_because_the_headers_are_read(world):
    world.hubspot.per_ten_seconds = 12
    world.connect()

    def waited(seconds: float) -> None:
        world.paused.append(seconds)
        if sum(world.paused[-2:]) >= 10:
            world.hubspot._recent.clear()

    from apps.integrations.hubspot.sync import sync_run

    world.client().post("/api/v3/hubspot/direct-export", {}, format="json")
    sync = HubSpotSync.objects.get()
    sync_run(sync.pk, pause=waited)
    sync.refresh_from_db()
    assert sync.state == "done"
    assert [call for call in world.hubspot.log if call.status == 429] == []


def test_a_token_that_ends_is_renewed_before_it_does(refreshed):
    refreshed.hubspot.expire_tokens()
    Connection.objects.update(expires_at=refreshed.cast.acme.created_at)
    refreshed.hubspot.log.clear()
    assert refreshed.refresh().state == "done"
    assert len(refreshed.hubspot.calls("oauth.token")) == 1
    assert [call for call in refreshed.hubspot.log if call.status == 401] == []


def test_a_service_that_is_down_for_a_moment_does_not_cost_a_token_that_is_still_good(refreshed):
    connection = Connection.objects.get()
    from datetime import timedelta

    from django.utils import timezone

    Connection.objects.update(expires_at=timezone.now() + timedelta(minutes=2))
    refreshed.hubspot.fail("oauth.token", status=503)
    assert access_token(connection.pk) in refreshed.hubspot.access
    assert Connection.objects.get().state == ConnectionState.CONNECTED
