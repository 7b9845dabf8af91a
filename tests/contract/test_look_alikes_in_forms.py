"""No form tells of another organization, be it of the administration, of those who join or of an upload: what is taken
there is refused in the words, and with the work, of what is taken here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import Invitation, Organization, OutgoingMail, User
from apps.accounts.services.members import member_invite
from apps.accounts.services.names import ADDRESS_REFUSED, USERNAME_REFUSED
from tests.cast import client_of, enter
from tests.contract.look_alikes import MARKER, OTHERS, PRIVATE, Named, look_alikes, without
from tests.contract.test_matrix import taken_back
from tests.contract.world import plant

ACCEPT = "/api/v3/invitations/accept"
OTHERS_IN_PAGES = re.compile(
    r"(?<=csrfmiddlewaretoken\" value=\")\w+|(?<=shown only now: )[\w-]+|\d+ \w{3} \d{4}, \d\d:\d\d UTC"
)
"""What is another in each page: the form's token, a password that is told once, moments."""


# ---------------------------------------------------------------- joining, inviting, uploading
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


def test_a_file_named_like_one_elsewhere_is_taken_like_any_other(cast):
    elsewhere = plant(cast.globex, cast.gus, MARKER).file_name
    client, answers = client_of(cast.ana), []
    for name in (elsewhere, f"{'x' * len(MARKER)} plan.csv"):
        answer = client.post("/api/v3/files", {"file-0": SimpleUploadedFile(name, b"a,b\n1,2\n3,4\n")})
        answers.append((answer.status_code, answer.json()["failed_uploads"], answer.json()["errors"]))
    assert answers[0] == answers[1] == (200, 0, [])


# ---------------------------------------------------------------- the administration
FORMS = sorted(
    f"{model._meta.app_label}_{model._meta.model_name}"
    for model, shown in admin.site._registry.items()
    if (shown.may_add or shown.may_change) and not shown.staff_only
)
FILLED: dict[str, Callable[[Named], dict[str, str]]] = {
    "accounts_invitation": lambda of: {"email": of.email, "role": "basic"},
    "accounts_organization": lambda of: {"members_edit_context": "on", "name": "Globex"},
    "accounts_user": lambda of: {
        "username": "newt", "name": f"{MARKER} Look-alike", "email": "newt@example.com", "role": "basic"
    },
    "preferences_filecontext": lambda of: {"text": f"{MARKER} file context"},
    "preferences_organizationcontext": lambda of: {"text": f"{MARKER} context", "words": f"{MARKER} word: meaning"},
}  # fmt: skip
"""What an admin sends in a form. A member's name and address, which are one for all organizations, have tests below."""
BY_STAFF = {"threads_modelbudget"}
"""Forms that no organization's admin may send."""


@pytest.fixture
def ada(cast) -> Client:
    return enter("ada")


def told(answer: Any, sent: dict[str, str]) -> str:
    """The page without what was sent, which it repeats."""
    words = OTHERS_IN_PAGES.sub("*", OTHERS.sub("*", answer.content.decode()))
    return without(words, ("POST", "", sent))


def test_every_form_of_the_administration_is_tried():
    assert set(FORMS) == FILLED.keys() | BY_STAFF


@pytest.mark.parametrize("name", FILLED)
def test_no_form_of_the_administration_tells_of_look_alikes(cast, ada, services, name):
    plant(cast.acme, cast.ben, "Acme's")
    model = {f"{m._meta.app_label}_{m._meta.model_name}": m for m in admin.site._registry}[name]
    path = getattr(model, "tenant_path", "organization")
    own = cast.acme if name == "accounts_organization" else model._default_manager.filter(**{path: cast.acme}).first()
    addresses = (reverse(f"admin:{name}_add"), reverse(f"admin:{name}_change", args=[own.pk]))

    def sent_by(of: Named) -> list[tuple[int, str, bool]]:
        """Status and page of each form, and whether it was taken."""
        sent, found = {**FILLED[name](of), "organization": str(cast.globex.pk), "owner": str(cast.gus.pk)}, []
        for address in addresses:
            with taken_back():
                answer = ada.post(address, sent, follow=True)
                found.append((answer.status_code, told(answer, sent), bool(answer.redirect_chain)))
        return found

    with taken_back():
        of = look_alikes(cast.globex)
        there = sent_by(of)
    assert there == sent_by(of)
    assert any(taken for _, _, taken in there)
    assert not [word for word in PRIVATE for _, words, _ in there if word in words]


def test_the_door_of_the_administration_tells_no_names(cast, services):
    def turned_away(of: Named) -> str:
        sent = {"username": of.username, "password": of.guess}
        answer = Client().post(reverse("admin:login"), sent)
        assert answer.status_code == 200
        return told(answer, sent)

    with taken_back():
        of = look_alikes(cast.globex)
        there = turned_away(of)
    assert there == turned_away(of)


@pytest.mark.parametrize(
    ("here", "elsewhere", "refusals"),
    [
        ({"username": "ben"}, {"username": "gus"}, [USERNAME_REFUSED]),
        ({"email": "ben@example.com"}, {"email": "gus@example.com"}, [ADDRESS_REFUSED]),
        (
            {"username": "ben", "email": "ben@example.com"},
            {"username": "gus", "email": "gus@example.com"},
            [USERNAME_REFUSED, ADDRESS_REFUSED],
        ),
    ],
    ids=["name", "address", "both"],
)
def test_the_form_of_a_member_refuses_both_in_the_same_words_and_with_the_same_work(
    cast, ada, here, elsewhere, refusals
):
    answers = []
    for taken in (here, here, elsewhere):  # the first fills what the process keeps
        sent = {"username": "newt", "name": "", "email": "newt@example.com", "role": "basic", **taken}
        with CaptureQueriesContext(connection) as queries:
            answer = ada.post(reverse("admin:accounts_user_add"), sent)
        assert answer.status_code == 200
        errors = [error for found in answer.context["adminform"].form.errors.values() for error in found]
        answers.append((told(answer, taken), errors, len(queries)))
    assert answers[1] == answers[2]
    assert answers[1][1] == refusals
    assert not Invitation.objects.exists()


def test_an_address_is_not_given_to_a_second_member_and_nobody_is_told_whose_it_is(cast, ada):
    page = reverse("admin:accounts_user_change", args=[cast.ana.pk])
    sent = [{"name": "Ana", "email": f"{name}@example.com", "role": "basic"} for name in ("ben", "gus")]
    here, elsewhere = (told(ada.post(page, body), {"email": body["email"]}) for body in sent)
    assert here == elsewhere
    assert User.objects.get(pk=cast.ana.pk).email == "ana@example.com"
