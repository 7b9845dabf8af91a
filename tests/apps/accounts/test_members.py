"""Inviting, changing and sending away members; the audit log that remembers it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.audit import record
from apps.accounts.models import AppendOnlyError, AuditAction, AuditEvent, Invitation, OutgoingMail, Role, User
from apps.accounts.services.members import (
    member_activate,
    member_deactivate,
    member_set_role,
    member_set_temporary_password,
)
from apps.core.errors import Conflict
from tests.cast import client_of, sign_in

INVITATIONS = "/api/v3/invitations"
ACCEPT = "/api/v3/invitations/accept"


def invite(cast, email="new@example.com", role="basic") -> str:
    answer = client_of(cast.ada).post(INVITATIONS, {"email": email, "role": role}, format="json")
    assert answer.status_code == 201, answer.content
    return re.search(r"key=(\S+)", OutgoingMail.objects.latest("created_at").text)[1]


def accept(key: str, **changes):
    body = {"key": key, "username": "newt", "password": "First-word-of-9", "privacy_accepted": True, **changes}
    return APIClient().post(ACCEPT, body, format="json")


def test_an_invited_person_chooses_a_password_and_is_a_member(cast):
    answer = accept(invite(cast, role="admin"))
    assert answer.status_code == 201
    user = User.objects.get(username="newt")
    assert (user.organization, user.role, user.email) == (cast.acme, "admin", "new@example.com")
    assert user.privacy_accepted_at
    assert user.check_password("First-word-of-9")


def test_an_invitation_works_once_expires_and_is_replaced_by_a_newer_one(cast):
    key = invite(cast)
    newer = invite(cast)
    assert accept(key).status_code == 404
    assert accept(newer).status_code == 201
    assert accept(newer, username="other").status_code == 404
    late = invite(cast, "late@example.com")
    Invitation.objects.filter(accepted_at=None).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert accept(late, username="late").status_code == 404


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"privacy_accepted": False}, "privacy"),
        ({"password": "weak"}, "password"),
        ({"username": "ana"}, "username"),
        ({"username": "two words"}, "username"),
    ],
)
def test_what_cannot_be_accepted_leaves_the_invitation_open(cast, changes, code):
    key = invite(cast)
    answer = accept(key, **changes)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code
    assert accept(key).status_code == 201


def test_a_member_who_was_given_no_role_is_basic(cast):
    body = {"email": "new@example.com"}
    assert client_of(cast.ada).post(INVITATIONS, body, format="json").json()["role"] == "basic"
    key = re.search(r"key=(\S+)", OutgoingMail.objects.latest("created_at").text)[1]
    assert accept(key).json()["role"] == "basic"
    newt = APIClient()
    newt.credentials(HTTP_AUTHORIZATION=f"Bearer {sign_in('newt', 'First-word-of-9')}")
    assert newt.get("/api/v3/me").json()["role"] == "basic"


def test_only_an_admin_invites_and_only_into_the_own_organization(cast):
    assert client_of(cast.ana).post(INVITATIONS, {"email": "x@example.com"}, format="json").status_code == 403
    body = {"email": "x@example.com", "organization": "Globex", "role": "basic"}
    assert client_of(cast.ada).post(INVITATIONS, body, format="json").status_code == 201
    assert Invitation.objects.get().organization == cast.acme


def test_a_member_of_the_organization_is_not_invited_again(cast):
    answer = client_of(cast.ada).post(INVITATIONS, {"email": "ANA@example.com"}, format="json")
    assert answer.status_code == 409


def test_a_deactivated_member_is_out_at_once_and_comes_back_when_activated(cast):
    client = client_of(cast.ana)
    member_deactivate(actor=cast.ada, user=cast.ana)
    assert client.get("/api/v3/me").status_code == 401
    member_activate(actor=cast.ada, user=cast.ana)
    assert client_of(cast.ana).get("/api/v3/me").status_code == 200


def test_an_organization_keeps_its_last_admin(cast):
    with pytest.raises(Conflict):
        member_set_role(actor=cast.ada, user=cast.ada, role=Role.BASIC)
    with pytest.raises(Conflict):
        member_deactivate(actor=cast.ada, user=cast.ada)
    member_set_role(actor=cast.ada, user=cast.ana, role=Role.ADMIN)
    member_set_role(actor=cast.ana, user=cast.ada, role=Role.BASIC)
    assert User.objects.get(pk=cast.ada.pk).role == Role.BASIC


def test_temporary_passwords_are_random_and_end_every_session(cast):
    client = client_of(cast.ana)
    first = member_set_temporary_password(actor=cast.ada, user=cast.ana)
    second = member_set_temporary_password(actor=cast.ada, user=cast.ana)
    assert first != second
    assert len(first) > 16
    assert client.get("/api/v3/me").status_code == 401
    assert User.objects.get(pk=cast.ana.pk).must_change_password


def test_the_audit_log_is_only_ever_added_to(cast):
    record(AuditAction.MEMBER_CHANGED, organization=cast.acme, actor=cast.ada, target="ana", role="admin")
    event = AuditEvent.objects.of(cast.acme).first()
    event.target = "somebody else"
    for change in (
        event.save,
        event.delete,
        AuditEvent.objects.all().delete,
        lambda: AuditEvent.objects.update(target=""),
    ):
        with pytest.raises(AppendOnlyError):
            change()
    assert AuditEvent.objects.of(cast.acme).first().target == "ana"


def test_signing_in_failing_and_signing_out_are_written_down_for_the_right_organization(cast):
    client = client_of(cast.ana)
    client.delete("/_allauth/app/v1/auth/session")
    APIClient().post("/_allauth/app/v1/auth/login", {"username": "ana", "password": "x"}, format="json")
    actions = list(AuditEvent.objects.of(cast.acme).filter(target="ana").values_list("action", flat=True))
    assert actions[:3] == ["sign_in_failed", "signed_out", "signed_in"]
    assert not AuditEvent.objects.of(cast.globex).filter(target="ana").exists()


def test_a_failed_sign_in_by_e_mail_is_the_organizations_too(cast):
    APIClient().post("/_allauth/app/v1/auth/login", {"email": "Ana@example.com", "password": "x"}, format="json")
    event = AuditEvent.objects.of(cast.acme).get(action="sign_in_failed")
    assert event.target == "ana@example.com"


def test_the_audit_log_goes_with_its_organization(cast):
    record(AuditAction.MEMBER_CHANGED, organization=cast.acme, actor=cast.ada, target="ana")
    cast.acme.delete()
    assert not AuditEvent.objects.filter(target="ana", action="member_changed").exists()
