"""No text tells of another organization: what is taken or stands there is answered in the words, and with the work, of
what is nowhere, or of what is taken here. Globex holds a look-alike of everything that Acme's people may name."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import resolve
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analyst.approaches.models.reaching import NOT_PUBLIC
from apps.threads import copy
from tests.apps.integrations.consents import allow, start
from tests.cast import PASSWORD, client_of
from tests.contract.look_alike_calls import AUTH, LEFT_OUT, RESET_CODE, calls_of
from tests.contract.look_alikes import PRIVATE, Named, Said, look_alikes, made, named, without
from tests.contract.rules import RULES, Attempt
from tests.contract.test_matrix import taken_back
from tests.contract.test_tenancy import path_of
from tests.contract.world import routes

TRIED = [route for route in RULES if route not in LEFT_OUT]
BY_THE_CLOCK = {f"_allauth/app/v1/auth/{step}" for step in ("login", "password/request", "password/reset")}
"""An account costs queries of its own here; what can be told from that is measured (docs/benchmarks.md)."""
UNDERSTOOD = {
    "own_account": "the member is found: the caller",
    "member_exists": "the address is found: a member's",
    "incorrect_code": "a reset is under way",
    "same_table": "the table is found",
    "not_failed": "the file is found",
    "unreachable": "the sign-in at the service is the caller's, and goes on there",
    "sign_in_again": "the same",
    "key_missing": "the connection or the model is found",
    "nothing_to_check": "the answer is found",
    copy.NO_SUCH_READING: "the same",
    "conflict": "the model is found",
    NOT_PUBLIC: "the address is looked at",
}
"""Refusals, by kind or words, that an admin meets behind the parser with the organization's own things."""


@pytest.fixture
def acme(cast: Any, services: None) -> Named:
    """All that Ada has, who is signed in at Google, too."""
    found = named(cast.acme, cast.ada, "Acme's")
    back = allow(start(found.client, "google"), files="on")
    consent = {"authorization_code": back["code"], "state": back["state"]}
    body = {**consent, "redirect_uri": "http://testserver/google-callback"}
    assert found.client.post("/api/v3/google/token", body, format="json").status_code == 200
    return found


def begun(path: str, body: dict[str, str]) -> APIClient:
    """A visitor with the token of what a call of the way in has begun."""
    client = APIClient()
    token = client.post(f"{AUTH}{path}", body, format="json").json()["meta"]["session_token"]
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}", HTTP_X_PASSWORD_RESET_KEY=RESET_CODE)
    return client


def callers(route: str, cast: Any, acme: Named) -> list[APIClient]:
    """Who calls a route: visitors on the way in, else a member and an admin of Acme."""
    if route.endswith("auth/new-password"):
        User.objects.filter(pk=cast.ben.pk).update(must_change_password=True)
        return [begun("/auth/login", {"username": "ben", "password": PASSWORD})]
    if route.endswith(("auth/login", "password/request")) or RULES[route].who == "anyone":
        return [APIClient()]
    return [client_of(cast.ana), acme.client]


def answers(route: str, clients: list[APIClient], of: Named) -> list[tuple[Attempt, Said]]:
    """Every call of the route by each of them. A new password is for whoever has asked for one."""
    if route.endswith("password/reset"):
        clients = [begun("/auth/password/request", {"email": of.email})]
    return [(call, made(client, call)) for client in clients for call in calls_of(route, of)]


@pytest.mark.parametrize("route", TRIED)
def test_no_route_tells_of_look_alikes(cast, acme, route):
    clients = callers(route, cast, acme)
    with taken_back():
        of = look_alikes(cast.globex)
        planted = answers(route, clients, of)
    for (call, there), (_, nowhere) in zip(planted, answers(route, clients, of), strict=True):
        assert (there.status, there.words) == (nowhere.status, nowhere.words), call
        assert not [word for word in PRIVATE if word in without(there.words, call)], call
        assert there.queries == nowhere.queries or route in BY_THE_CLOCK, call


@pytest.mark.parametrize("route", TRIED)
def test_every_method_of_a_route_is_tried_with_what_it_takes_from_those_whose_it_is(cast, acme, route):
    tried = answers(route, callers(route, cast, acme)[-1:], acme)
    taken = [call for call, said in tried if is_taken(call, said)]
    assert taken
    assert [call for call, _ in tried if call not in taken and call not in RULES[route].attempts(acme.ids)] == []
    if route.startswith("api/"):
        methods = {method.upper() for method in resolve(path_of(route)).func.actions} - {"HEAD"}
        assert {method for method, _, _ in taken} == methods


def is_taken(call: Attempt, said: Said) -> bool:
    """Whether the body was read and what it names was found."""
    signed_out = said.status == 401 and call[1].startswith(AUTH) and not said.refusal
    return said.status < 400 or signed_out or said.refusal in UNDERSTOOD


def test_every_route_is_tried_or_it_is_said_why_not():
    forms = [route for route in routes() if route.startswith("admin/")]
    assert sorted([*TRIED, *LEFT_OUT, *forms]) == routes()
    assert all(LEFT_OUT.values())
