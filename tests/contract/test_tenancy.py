"""Every route of the product: who may call it, and that nothing of one organization is reached from another."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import Invitation, Organization, User
from apps.datasources.models import Source
from apps.preferences.models import FileContext
from apps.threads.models import Message, Run, Thread
from tests.cast import client_of
from tests.contract.rules import RULES, Attempt, rule_of
from tests.contract.world import Ids, plant, routes

MARKER = "Zanzibar"
METHODS = ("get", "post", "put", "patch", "delete")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@pytest.fixture
def foreign(cast) -> Ids:
    """Data of Globex, every text of which carries the marker."""
    return plant(cast.globex, cast.gus, MARKER)


def make(client: APIClient, attempt: Attempt) -> Any:
    method, path, body = attempt
    return getattr(client, method.lower())(path, body, format="json" if body is not None else None)


def path_of(route: str) -> str:
    return "/" + route.replace("<uuid:run_id>", "00000000-0000-4000-8000-000000000000")


def state() -> tuple[Any, ...]:
    """What of Globex a foreign call might have changed."""
    return (
        list(Thread.objects.order_by("pk").values("pk", "summary", "archived", "deleted_at")),
        list(Run.objects.order_by("pk").values("pk", "state")),
        list(Message.objects.order_by("pk").values("pk", "is_selected_assistant", "is_thumbs_up")),
        list(Source.objects.order_by("pk").values("pk", "state")),
        list(FileContext.objects.order_by("pk").values("pk", "text")),
        list(User.objects.order_by("pk").values("pk", "role", "is_active")),
        list(Invitation.objects.order_by("pk").values("pk", "key_digest")),
    )


def test_every_route_has_a_rule_and_every_rule_its_route():
    assert [route for route in routes() if rule_of(route) is None] == []
    assert set(RULES) <= set(routes())


@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule.who in ("member", "signed in")])
def test_without_a_token_every_method_answers_401(db, route):
    for method in METHODS:
        assert getattr(APIClient(), method)(path_of(route)).status_code == 401, method


@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule.who == "member"])
def test_a_signed_in_person_without_an_organization_is_refused(cast, route):
    client = client_of(cast.ana)
    User.objects.filter(pk=cast.ana.pk).update(organization=None)
    for method in METHODS:
        assert getattr(client, method)(path_of(route)).status_code == 403, method


@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule.who in ("member", "signed in")])
def test_a_deactivated_member_is_refused(cast, route):
    client = client_of(cast.ana)
    User.objects.filter(pk=cast.ana.pk).update(is_active=False)
    for method in METHODS:
        assert getattr(client, method)(path_of(route)).status_code == 401, method


@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule.who in ("member", "signed in")])
@pytest.mark.parametrize("username", ["ana", "ada"])
def test_members_and_admins_of_a_deactivated_organization_are_refused(cast, route, username):
    client = client_of(User.objects.get(username=username))
    Organization.objects.filter(pk=cast.acme.pk).update(is_active=False)
    for method in METHODS:
        assert getattr(client, method)(path_of(route)).status_code == 401, method


@pytest.mark.parametrize("route", [route for route in RULES if RULES[route].attempts(Ids.absent())])
@pytest.mark.parametrize("username", ["ana", "ada"])
def test_foreign_ids_answer_like_absent_ones_and_change_nothing(cast, foreign, route, username):
    client = client_of(User.objects.get(username=username))
    before = state()
    absent = Ids.absent()
    for theirs, nothing in zip(RULES[route].attempts(foreign), RULES[route].attempts(absent), strict=True):
        answers = []
        for attempt, ids in ((theirs, foreign), (nothing, absent)):
            answer = make(client, attempt)
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            text = content.decode(errors="replace")
            answers.append((answer.status_code, UUID.sub("an id", _without_names(text, ids))))
        assert answers[0] == answers[1], theirs
        assert answers[0][0] < 500, theirs
        assert MARKER not in answers[0][1], theirs
    if "explanation" not in route:  # a context may be written for any name, within the own organization
        assert state() == before
    else:
        assert FileContext.objects.get(organization=cast.globex).text.startswith(MARKER)


@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule.reads])
@pytest.mark.parametrize("username", ["ana", "ada"])
def test_lists_hold_nothing_of_another_organization(cast, foreign, route, username):
    client = client_of(User.objects.get(username=username))
    for path in RULES[route].reads:
        answer = client.get(path)
        assert answer.status_code == 200
        assert MARKER not in answer.content.decode()
    threads = client.post("/api/v3/ask", {"give": "threads"}, format="json")
    assert threads.json() == []


def test_threads_are_their_owners_alone_within_the_organization_too(cast):
    ids = plant(cast.acme, cast.ben, MARKER)
    client = client_of(cast.ana)
    for attempt in RULES["api/v3/ask"].attempts(ids):
        if "user_specified_files" in attempt[2]:
            continue  # files are the organization's
        assert make(client, attempt).status_code == 404, attempt


def test_an_organization_or_role_sent_along_is_ignored(cast, foreign):
    client = client_of(cast.ana)
    body = {"give": "threads", "organization": "Globex", "user_role": "admin"}
    assert client.post("/api/v3/ask", body, format="json").json() == []
    assert client.get("/api/v3/files?organization=Globex").json()["sources"] == []


def _without_names(text: str, ids: Ids) -> str:
    """The answer without the names the caller sent: an error may repeat them."""
    for name in (ids.file_name, ids.chart):
        text = text.replace(name, "a name")
    return text
