"""No text tells of another organization: what is taken or stands there is answered in the words, and with the work, of
what is taken here or of what is nowhere. Globex holds a look-alike of everything that Acme's people may name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import Invitation, Organization, User
from apps.accounts.services.members import member_invite
from tests.cast import client_of, enter
from tests.contract.rules import RULES
from tests.contract.test_matrix import taken_back
from tests.contract.test_tenancy import path_of
from tests.contract.world import Ids, plant

MARKER = "Zanzibar"
PRIVATE = ("Globex", "gus", "another organi", "other organi", "elsewhere", "already exists")
ACCEPT = "/api/v3/invitations/accept"
API = [route for route, rule in RULES.items() if rule.who in ("member", "signed in")]
NAMES = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27,}|\d{4}-\d\d-\d\dT[\d:.+Z]+|csrf\w+\" value=\"\w+|nonce-?=?\"?[\w+/=-]+")


@pytest.fixture
def globex(cast) -> Ids:
    return plant(cast.globex, cast.gus, MARKER)


def look_alikes(ids: Ids) -> dict[str, Any]:
    """Every name of Globex, under each name that a body or an address may have for it."""
    named = ("filename", "file_name", "file", "files", "table", "name")
    return {
        **dict.fromkeys(named, ids.file_name),
        "username": "gus",
        "email": "gus@example.com",
        "organization": "Globex",
        "thread_id": ids.thread,
        "run_id": ids.run,
        "message_id": ids.answer,
        "service": "hubspot",
        "explanation": "ours",
        "said": {"label": "ours"},
        "role": "basic",
    }


def told(answer: Any, sent: dict[str, Any]) -> str:
    """What is answered, without what was sent."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    text = content.decode(errors="replace")
    for value in sorted((str(value) for value in sent.values()), key=len, reverse=True):
        text = text.replace(value, "")
    return text


@pytest.mark.parametrize("route", API)
@pytest.mark.parametrize("username", ["ana", "ada"])
def test_no_route_tells_of_look_alikes(cast, globex, route, username):
    client, sent = client_of(User.objects.get(username=username)), look_alikes(globex)
    query = "&".join(f"{name}={value}" for name, value in sent.items() if isinstance(value, str))
    path = path_of(route)
    for method in ("get", "post", "put", "delete"):
        with taken_back():
            body = None if method == "get" else sent
            answer = getattr(client, method)(f"{path}?{query}", body, format=None if method == "get" else "json")
            words = told(answer, sent)
            assert not [word for word in (*PRIVATE, MARKER) if word in words], (method, words[:300])


# ---------------------------------------------------------------- joining
def accept(organization: Organization, by: User, *, email: str, username: str) -> tuple[int, str, int]:
    """Status, words and number of queries of an acceptance."""
    mail.outbox.clear()
    key = keyed(by, email)
    body = {"key": key, "username": username, "password": "First-word-of-9", "privacy_accepted": True}
    with CaptureQueriesContext(connection) as queries:
        answer = APIClient().post(ACCEPT, body, format="json")
    assert not User.objects.filter(organization=organization, username=username, email=email).exists()
    return answer.status_code, answer.content.decode(), len(queries)


def keyed(by: User, email: str) -> str:
    """The key of a fresh invitation."""
    from apps.accounts.models import OutgoingMail

    member_invite(actor=by, email=email)
    text = OutgoingMail.objects.filter(recipient=email).latest("created_at").text
    return re.search(r"key=([\w-]+)", text)[1]


def test_a_name_or_an_address_that_is_taken_anywhere_is_refused_alike_when_joining(cast):
    here = accept(cast.acme, cast.ada, email="new@example.com", username="ben")
    elsewhere = accept(cast.acme, cast.ada, email="new@example.com", username="GUS")
    address = accept(cast.acme, cast.ada, email="gus@example.com", username="newt")
    never = accept(cast.acme, cast.ada, email="new@example.com", username="two words")
    assert here[0] == 400
    assert here[:2] == elsewhere[:2] == address[:2] == never[:2]
    assert here[2] == elsewhere[2]


def test_an_address_that_is_taken_elsewhere_is_invited_like_a_free_one(cast):
    client, answers = client_of(cast.ada), []
    for email in ("gus@example.com", "nobody@example.com"):
        with CaptureQueriesContext(connection) as queries:
            answer = client.post("/api/v3/invitations", {"email": email}, format="json")
        answers.append((answer.status_code, sorted(answer.json()), len(queries)))
    assert answers[0] == answers[1]
    assert answers[0][0] == 201


def test_a_file_named_like_one_elsewhere_is_taken_like_any_other(cast, globex):
    from django.core.files.uploadedfile import SimpleUploadedFile

    client, answers = client_of(cast.ana), []
    for name in (globex.file_name, f"{'x' * len(MARKER)} plan.csv"):
        answer = client.post("/api/v3/files", {"file-0": SimpleUploadedFile(name, b"a,b\n1,2\n3,4\n")})
        answers.append((answer.status_code, answer.json()["failed_uploads"], answer.json()["errors"]))
    assert answers[0] == answers[1] == (200, 0, [])


# ---------------------------------------------------------------- the administration
@pytest.fixture
def ada(cast) -> Client:
    return enter("ada")


FORMS = sorted(
    f"{model._meta.app_label}_{model._meta.model_name}"
    for model, shown in admin.site._registry.items()
    if (shown.may_add or shown.may_change) and not shown.staff_only
)


@pytest.mark.parametrize("name", FORMS)
def test_no_form_of_the_administration_tells_of_look_alikes(cast, globex, ada, name):
    plant(cast.acme, cast.ben, "Acme's")
    model = {f"{m._meta.app_label}_{m._meta.model_name}": m for m in admin.site._registry}[name]
    path = getattr(model, "tenant_path", "organization")
    own = cast.acme if name == "accounts_organization" else model._default_manager.filter(**{path: cast.acme}).first()
    sent = {**look_alikes(globex), "organization": str(cast.globex.pk), "owner": str(cast.gus.pk), "text": "ours"}
    for address in (reverse(f"admin:{name}_add"), reverse(f"admin:{name}_change", args=[own.pk])):
        with taken_back():
            words = told(ada.post(address, {key: str(value) for key, value in sent.items()}, follow=True), sent)
            assert not [word for word in (*PRIVATE, MARKER) if word in words], address


@pytest.mark.parametrize(
    ("field", "here", "elsewhere"),
    [("username", "ben", "gus"), ("email", "ben@example.com", "gus@example.com")],
)
def test_the_form_of_a_member_refuses_both_in_the_same_words_and_with_the_same_work(cast, ada, field, here, elsewhere):
    answers = []
    for value in (here, here, elsewhere):  # the first fills what the process keeps
        sent = {"username": "newt", "name": "", "email": "newt@example.com", "role": "basic", field: value}
        with CaptureQueriesContext(connection) as queries:
            answer = ada.post(reverse("admin:accounts_user_add"), sent)
        assert answer.status_code == 200
        answers.append((NAMES.sub("", told(answer, {field: value})), len(queries)))
    assert answers[1] == answers[2]
    assert not Invitation.objects.exists()


def test_an_address_is_not_given_to_a_second_member_and_nobody_is_told_whose_it_is(cast, ada):
    page = reverse("admin:accounts_user_change", args=[cast.ana.pk])
    answers = []
    for value in ("ben@example.com", "gus@example.com"):
        words = told(ada.post(page, {"name": "Ana", "email": value, "role": "basic"}), {"email": value})
        answers.append(NAMES.sub("", words))
    assert answers[0] == answers[1]
    assert User.objects.get(pk=cast.ana.pk).email == "ana@example.com"
