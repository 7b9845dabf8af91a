"""Members and open invitations as the admin of an organization sees and changes them in the product."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import AuditEvent, Invitation, OutgoingMail, User
from apps.accounts.services.roster import INVITATION_GONE, OWN_ACCOUNT
from apps.accounts.sessions import SEEN_EVERY
from tests.cast import client_of

MEMBERS = "/api/v3/members"
INVITATIONS = "/api/v3/invitations"


@pytest.fixture
def ada(cast):
    return client_of(cast.ada)


def listed(client, kind="members"):
    return client.get(MEMBERS).json()[kind]


def change(client, user, **said):
    return client.put(MEMBERS, {"id": str(user.pk), **said}, format="json")


def invited(client, email="new@example.com", role="basic"):
    return client.post(INVITATIONS, {"email": email, "role": role}, format="json").json()["id"]


def test_an_admin_sees_the_members_of_the_own_organization_by_name(cast, ada):
    members = listed(ada)
    assert [one["name"] for one in members] == ["Ada", "Ana", "Ben"]
    assert members[1] == {
        "id": str(cast.ana.pk),
        "username": "ana",
        "name": "Ana",
        "email": "ana@example.com",
        "role": "basic",
        "active": True,
        "last_seen": None,
        "you": False,
    }
    assert [one["you"] for one in members] == [True, False, False]


def test_a_member_was_last_seen_with_the_last_call_to_some_hours(cast, ada):
    def seen() -> datetime:
        return datetime.fromisoformat(next(one["last_seen"] for one in listed(ada) if one["username"] == "ana"))

    ana = client_of(cast.ana)
    ana.get("/api/v3/me")
    first = seen()
    assert timezone.now() - first < timedelta(minutes=1)
    ana.get("/api/v3/me")
    assert seen() == first
    long_ago = timezone.now() - SEEN_EVERY - timedelta(days=3)
    User.objects.filter(pk=cast.ana.pk).update(last_seen_at=long_ago, last_login=long_ago)
    assert seen() == long_ago
    ana.get("/api/v3/me")
    assert seen() > first


def test_a_role_is_given_and_taken(cast, ada):
    answer = change(ada, cast.ana, role="admin")
    assert [one["role"] for one in answer.json()["members"]] == ["admin", "admin", "basic"]
    assert client_of(cast.ana).get(MEMBERS).status_code == 200
    assert change(ada, cast.ana, role="basic").status_code == 200
    assert client_of(cast.ana).get(MEMBERS).status_code == 403
    assert AuditEvent.objects.of(cast.acme).filter(action="member_changed", actor=cast.ada).count() == 2


def test_a_deactivated_member_is_out_at_once_and_is_let_in_again(cast, ada):
    ana = client_of(cast.ana)
    answer = change(ada, cast.ana, active=False)
    assert [one["active"] for one in answer.json()["members"]] == [True, False, True]
    assert ana.get("/api/v3/me").status_code == 401
    change(ada, cast.ana, active=True)
    assert client_of(cast.ana).get("/api/v3/me").status_code == 200


@pytest.mark.parametrize("said", [{"active": False}, {"role": "basic"}])
def test_nobody_changes_the_own_account(cast, ada, said):
    answer = change(ada, cast.ada, **said)
    assert (answer.status_code, answer.json()["error"]["message"]) == (409, OWN_ACCOUNT)
    kept = User.objects.get(pk=cast.ada.pk)
    assert (kept.is_active, kept.role) == (True, "admin")


@pytest.mark.parametrize("said", [{"active": False}, {"role": "basic"}])
def test_the_last_admin_stays_one_even_where_staff_ask(cast, said):
    User.objects.filter(pk=cast.ben.pk).update(is_superuser=True)
    answer = change(client_of(cast.ben), cast.ada, **said)
    assert answer.status_code == 409
    assert answer.json()["error"]["message"] == "ada is the last admin of Acme. Make somebody else an admin first."
    kept = User.objects.get(pk=cast.ada.pk)
    assert (kept.is_active, kept.role) == (True, "admin")


def test_a_refused_change_leaves_nothing_half_done(cast):
    User.objects.filter(pk=cast.ben.pk).update(is_superuser=True)
    User.objects.filter(pk=cast.ana.pk).update(role="admin", is_active=False)
    answer = change(client_of(cast.ben), cast.ada, role="basic", active=False)
    assert answer.status_code == 409
    assert User.objects.get(pk=cast.ada.pk).role == "admin"


def test_an_account_of_staff_is_neither_shown_to_an_admin_nor_changed(cast, ada):
    User.objects.filter(pk=cast.ben.pk).update(is_superuser=True)
    assert [one["username"] for one in listed(ada)] == ["ada", "ana"]
    assert change(ada, cast.ben, active=False).status_code == 404
    assert User.objects.get(pk=cast.ben.pk).is_active


def test_basic_members_are_refused_in_words(cast):
    ana = client_of(cast.ana)
    answers = [
        ana.get(MEMBERS),
        change(ana, cast.ben, active=False),
        ana.post(INVITATIONS, {"email": "x@example.com"}, format="json"),
        ana.delete(f"{INVITATIONS}?id={cast.ana.pk}"),
        ana.post(f"{INVITATIONS}/resend", {"id": str(cast.ana.pk)}, format="json"),
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert "Only an admin" in answers[0].json()["error"]["message"]
    assert User.objects.get(pk=cast.ben.pk).is_active


def test_open_invitations_are_listed_the_newest_first_and_accepted_ones_are_not(cast, ada):
    for email in ("first@example.com", "late@example.com", "new@example.com"):
        invited(ada, email)
    Invitation.objects.filter(email="first@example.com").update(accepted_at=timezone.now())
    Invitation.objects.filter(email="late@example.com").update(expires_at=timezone.now())
    assert [(one["email"], one["expired"]) for one in listed(ada, "invitations")] == [
        ("new@example.com", False),
        ("late@example.com", True),
    ]


def test_an_invitation_sent_again_has_a_new_link_and_the_former_one_ends(cast, ada):
    pk = invited(ada, role="admin")
    former = Invitation.objects.get(pk=pk).key_digest
    answer = ada.post(f"{INVITATIONS}/resend", {"id": pk}, format="json")
    [kept] = answer.json()["invitations"]
    assert (kept["email"], kept["role"]) == ("new@example.com", "admin")
    assert Invitation.objects.get().key_digest != former
    assert OutgoingMail.objects.filter(recipient="new@example.com").count() == 2


def test_a_withdrawn_invitation_is_gone_and_so_is_one_that_was_accepted(cast, ada):
    pk = invited(ada)
    assert ada.delete(f"{INVITATIONS}?id={pk}").json()["invitations"] == []
    assert not Invitation.objects.exists()
    accepted = invited(ada, "here@example.com")
    Invitation.objects.filter(pk=accepted).update(accepted_at=timezone.now())
    for absent in (pk, accepted, "nothing"):
        answer = ada.delete(f"{INVITATIONS}?id={absent}")
        assert (answer.status_code, answer.json()["error"]["message"]) == (404, INVITATION_GONE)
    again = ada.post(f"{INVITATIONS}/resend", {"id": accepted}, format="json")
    assert again.status_code == 404
