"""The matrix: every route of the URL configuration, every kind of caller, every method. Nothing leaks or changes.

Ben of Acme owns planted data that carries the marker. Against him stand a visitor, a member and an admin of another
organization, a member and the admin of his own, and one who was deactivated while signed in. Each call is taken back.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from rest_framework.test import APIClient

from apps.accounts.holdings import Subject, holdings
from apps.accounts.models import User
from apps.integrations.models import Connection
from apps.threads.models import OwnModel
from tests.cast import client_of
from tests.contract.rules import RULES, Attempt
from tests.contract.test_tenancy import MARKER, make, path_of
from tests.contract.world import Ids, plant

METHODS = ("get", "head", "options", "post", "put", "patch", "delete")
OUTSIDE = ("visitor", "other member", "other admin", "deactivated")
INSIDE = ("member", "admin")
CALLERS = (*OUTSIDE, *INSIDE)
LEFT_OUT = {"accounts.AuditEvent", "usersessions.UserSession"}
"""A failed try is written down, whoever tries."""
API = {route: rule for route, rule in RULES.items() if rule.who in ("member", "signed in")}
ATTEMPTED = [route for route, rule in API.items() if rule.attempts(Ids.absent())]
SHARED_ROUTES = {route for route in API if route.startswith(("api/v3/files", "api/v3/explanation", "api/v3/ask"))}
"""Here a file's name is the organization's; every other id is its owner's alone."""
BY_POSSESSION = {"api/v3/slack/link"}
"""Whoever of the organization holds the link that Slack was sent may use it."""
OF_MEMBERS = {"api/v3/members", "api/v3/invitations", "api/v3/invitations/resend", "api/v3/audit-log", "api/v3/usage"}
BY_ADMINS = {
    "api/v3/files/dictionary/undo",
    "api/v3/models/own",
    "api/v3/models/own/test",
    *OF_MEMBERS,
    "api/v3/files/dictionary/joins/undo",
}
"""Here not even who brought a file is answered, but the admin."""
OF_THE_ORGANIZATION = {"own_model", "invitation", "colleague"}
"""Ids of things that are nobody's own."""


@dataclasses.dataclass(frozen=True)
class World:
    """Ben's data, and a client for each caller."""

    cast: Any
    ids: Ids
    clients: dict[str, APIClient]
    owner: APIClient


@pytest.fixture
def world(cast) -> World:
    ids = plant(cast.acme, cast.ben, MARKER)
    for sealed in (Connection, OwnModel):
        sealed.objects.update(sealed="opened by no key")  # so that nothing outside is called
    gone = User(username="dee", organization=cast.acme, email="dee@example.com")
    gone.password = cast.ana.password
    gone.save()
    clients = {
        "visitor": APIClient(),
        "other member": client_of(cast.gus),
        "other admin": client_of(cast.gia),
        "deactivated": client_of(gone),
        "member": client_of(cast.ana),
        "admin": client_of(cast.ada),
    }
    User.objects.filter(pk=gone.pk).update(is_active=False)
    return World(cast, ids, clients, client_of(cast.ben))


@contextmanager
def taken_back() -> Iterator[None]:
    """What a call changes in the database is undone after it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def told(answer: Any, ids: Ids | None = None) -> str:
    """All that an answer says, its headers included; without the names that the caller sent, which errors repeat."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    words = f"{answer.headers}{content.decode(errors='replace')}"
    return words.replace(ids.file_name, "").replace(ids.chart, "") if ids else words


class Kept:
    """Every row held on an organization or a person, whichever app it is of, as it was."""

    def __init__(self, subject: Subject) -> None:
        # Written as SQL once: the rows are looked at after every call.
        self._queries = [
            held.rows.order_by("pk").values().query.sql_with_params()
            for held in holdings(subject)
            if held.label not in LEFT_OUT
        ]
        self._before = self._rows()

    def unchanged(self) -> bool:
        return self._rows() == self._before

    def _rows(self) -> list[list[tuple[Any, ...]]]:
        found = []
        with connection.cursor() as cursor:
            for query in self._queries:
                cursor.execute(*query)
                found.append(cursor.fetchall())
        return found


def is_private(route: str, attempt: Attempt, ids: Ids) -> bool:
    """Whether the attempt names something that is its owner's alone."""
    words = json.dumps([attempt[1], attempt[2]])
    shared = OF_THE_ORGANIZATION | ({"file_name"} if route in SHARED_ROUTES else set())
    names = {field.name for field in dataclasses.fields(ids)} - shared
    return route not in BY_POSSESSION and any(str(getattr(ids, name)) in words for name in names)


@pytest.mark.parametrize("route", RULES)
def test_no_caller_gets_anything_of_it_by_any_method(world, route):
    who = RULES[route].who
    path = path_of(route).replace("^", "").replace("(?:/.*)?$", "/c/1")
    bens, globex = Kept(world.cast.ben), Kept(world.cast.globex)
    for caller in CALLERS:
        with taken_back():
            for method in METHODS:
                answer = getattr(world.clients[caller], method)(path)
                assert answer.status_code < 500 or answer.status_code == 503, (caller, method)
                assert caller in INSIDE or MARKER not in told(answer), (caller, method)
                if who in ("member", "signed in"):
                    refused = caller in ("visitor", "deactivated")
                    assert (answer.status_code == 401) is refused, (caller, method, answer.status_code)
            if who == "anyone":
                continue
            assert bens.unchanged(), caller
            assert globex.unchanged() or caller in ("other member", "other admin"), caller


@pytest.mark.parametrize("route", ATTEMPTED)
def test_an_id_that_is_not_the_callers_answers_like_an_absent_one(world, route):
    bens, absent = Kept(world.cast.ben), Ids.absent()
    for caller in CALLERS:
        client = world.clients[caller]
        for theirs, nothing in zip(API[route].attempts(world.ids), API[route].attempts(absent), strict=True):
            with taken_back():
                answer = make(client, theirs)
                if caller in ("visitor", "deactivated"):
                    assert answer.status_code == 401, (caller, theirs)
                elif caller in OUTSIDE or is_private(route, theirs, world.ids):
                    assert answer.status_code == make(client, nothing).status_code, (caller, theirs)
                    assert MARKER not in told(answer, world.ids), (caller, theirs)
                    assert bens.unchanged() or route in SHARED_ROUTES, (caller, theirs)
                else:
                    shared_within_the_organization(caller, theirs, answer)


def shared_within_the_organization(caller: str, attempt: Attempt, answer: Any) -> None:
    """Members read each other's files; what destroys one, reads it anew or says what it means is its owner's and the
    admin's."""
    path = attempt[1].split("?")[0].lstrip("/")
    if path == "api/v3/files/dictionary/joins" and attempt[0] == "PUT":
        assert answer.status_code == (400 if caller == "admin" else 403), attempt  # a table is not joined to itself
    elif (
        attempt[0] == "DELETE"
        or path in OF_MEMBERS
        or (attempt[0] != "GET" and attempt[1].startswith("/api/v3/files/dictionary"))
    ):
        assert answer.status_code == (200 if caller == "admin" else 403), attempt
    elif attempt[1].startswith("/api/v3/models/own"):
        assert answer.status_code == (503 if caller == "admin" else 403), attempt  # no key opens it
    elif attempt[1].startswith("/api/v3/files/retry"):
        assert answer.status_code == (400 if caller == "admin" else 403), attempt  # it was read well
    else:
        assert answer.status_code < 400, attempt


@pytest.mark.parametrize("route", ATTEMPTED)
def test_the_owner_is_answered_so_that_the_attempts_are_none_at_nothing(world, route):
    answered = []
    for attempt in API[route].attempts(world.ids):
        with taken_back():
            caller = world.clients["admin"] if route in BY_ADMINS else world.owner
            answered.append(make(caller, attempt).status_code not in (401, 403, 404, 405))
    assert any(answered)


def test_an_organization_or_role_in_a_body_or_address_changes_nothing(world):
    sent = {"organization": "Acme", "user_role": "admin", "role": "admin", "is_superuser": True}
    stranger, member = world.clients["other member"], world.clients["member"]
    for route, rule in API.items():
        for path in rule.reads:
            words = told(stranger.get(path, sent))
            assert MARKER not in words, route
        for method, path, body in rule.attempts(world.ids):
            with taken_back():
                bare = make(stranger, (method, path, body))
                if body is None:
                    path += f"{'&' if '?' in path else '?'}organization=Acme&user_role=admin&role=admin"
                dressed = make(stranger, (method, path, {**body, **sent} if body is not None else None))
                assert (dressed.status_code, MARKER in told(dressed, world.ids)) == (bare.status_code, False), path
    with taken_back():
        answer = member.post("/api/v3/invitations", {**sent, "email": "x@example.com", "role": "basic"}, format="json")
        assert answer.status_code == 403
    assert member.get("/api/v3/me", sent).json()["role"] == "basic"
