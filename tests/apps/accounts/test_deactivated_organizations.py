"""An organization that staff deactivate: nobody of it comes in by any door, each says what it says to a deactivated
member, and once it is activated everything is as before."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.urls import reverse

from apps.accounts.models import AuditEvent, Invitation, Organization, OutgoingMail, Role, User
from apps.accounts.policy import Action, allowed
from apps.accounts.services import upkeep
from apps.accounts.services.delivery import mail_send
from apps.accounts.services.members import invitation_accept, member_deactivate, member_invite, member_move
from apps.accounts.services.organizations import organization_activate, organization_deactivate, organization_stops
from apps.core.errors import Conflict, NotFound
from apps.core.models import TenantQuerySet
from tests.cast import PASSWORD, client_of, cookie_client, enter, sign_in
from tests.contract.world import plant

LOGIN, RESET, NEW_PASSWORD = (f"/_allauth/app/v1/auth/{path}" for path in ("login", "password/request", "new-password"))
SIGN_IN_TOKEN = re.compile(r'"session_token": "[^"]+"')


def post(path: str, body: dict[str, Any], token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client().post(path, body, content_type="application/json", headers=headers)


def told(answer: Any) -> tuple[int, str]:
    """Status and words, without the token that differs each time."""
    return answer.status_code, SIGN_IN_TOKEN.sub("", answer.content.decode())


def door(username: str) -> Any:
    return Client().post(reverse("admin:login"), {"username": username, "password": PASSWORD})


def close(organization: Organization) -> None:
    organization_deactivate(organization=organization)


def deactivate_alone(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


# ---------------------------------------------------------------- the doors
def test_tokens_and_cookies_end_with_the_next_call(cast):
    ana, ada, gus = client_of(cast.ana), enter("ada"), client_of(cast.gus)
    close(cast.acme)
    answer = ana.get("/api/v3/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "signed_out")
    assert ada.get(reverse("admin:index")).status_code == 302
    assert gus.get("/api/v3/me").status_code == 200


def test_a_session_that_was_missed_opens_nothing_either(cast):
    ana, ada, ben = client_of(cast.ana), enter("ada"), cookie_client(cast.ben)
    Organization.objects.filter(pk=cast.acme.pk).update(is_active=False)
    assert ana.get("/api/v3/me").status_code == 401
    assert ana.get("/_allauth/app/v1/auth/session").status_code == 401
    assert ada.get(reverse("admin:index")).status_code == 302
    assert ben.get(reverse("admin:index")).status_code == 302


def test_the_sign_in_answers_as_it_answers_a_deactivated_member(cast):
    deactivate_alone(cast.gus)
    close(cast.acme)
    for password in (PASSWORD, "Wrong-horse-9"):
        closed = post(LOGIN, {"username": "ana", "password": password})
        alone = post(LOGIN, {"username": "gus", "password": password})
        assert told(closed) == told(alone)
        assert closed.status_code == (401 if password == PASSWORD else 400)
    assert "session_token" not in post(LOGIN, {"email": "ana@example.com", "password": PASSWORD}).content.decode()
    events = AuditEvent.objects.filter(action="sign_in_failed", target="ana")
    assert events.count() == AuditEvent.objects.filter(action="sign_in_failed", target="gus").count() == 2


def test_the_door_of_the_administration_answers_as_it_answers_a_deactivated_admin(cast):
    deactivate_alone(cast.gia)
    close(cast.acme)
    for username in ("ada", "gia"):
        answer = door(username)
        assert answer.status_code == 200
        assert "Only admins of an organization have access here." in answer.content.decode()


def test_no_code_for_a_new_password_is_sent_and_the_answer_does_not_tell(cast):
    close(cast.acme)
    closed, nobody = (post(RESET, {"email": f"{name}@example.com"}) for name in ("ana", "nobody"))
    assert told(closed) == told(nobody)
    assert not OutgoingMail.objects.exists()
    assert not AuditEvent.objects.filter(action="password_reset_asked").exists()


def test_a_sign_in_under_way_ends(cast):
    User.objects.filter(pk=cast.ana.pk).update(must_change_password=True)
    pending = post(LOGIN, {"username": "ana", "password": PASSWORD}).json()["meta"]["session_token"]
    close(cast.acme)
    assert post(NEW_PASSWORD, {"new_password": "My-own-word-7"}, pending).status_code == 410
    assert User.objects.get(pk=cast.ana.pk).check_password(PASSWORD)


def test_nobody_joins_by_an_invitation_and_its_mail_waits(cast):
    member_invite(actor=cast.ada, email="new@example.com")
    waiting = OutgoingMail.objects.get()
    OutgoingMail.objects.update(due_at="2026-01-01T00:00Z")
    close(cast.acme)
    mail_send(mail_id=waiting.pk)
    assert upkeep.mails_sweep() == 0
    assert mail.outbox == []
    key = re.search(r"key=([\w-]+)", waiting.text)[1]
    with pytest.raises(NotFound, match="no longer valid"):
        invitation_accept(key=key, username="new", password="First-word-of-9", privacy_accepted=True)

    organization_activate(organization=cast.acme)
    assert upkeep.mails_sweep() == 1
    mail_send(mail_id=waiting.pk)
    assert [message.to for message in mail.outbox] == [["new@example.com"]]
    assert invitation_accept(key=key, username="new", password="First-word-of-9", privacy_accepted=True)


def test_nothing_may_be_done_by_its_people(cast):
    close(cast.acme)
    ada = User.objects.get(pk=cast.ada.pk)
    assert not [action for action in Action if allowed(ada, action)]


def test_a_session_from_before_the_backend_had_its_name_still_signs_out(cast):
    token = sign_in("ana")
    row = Session.objects.get()
    data = row.get_decoded()
    data["_auth_user_backend"] = "allauth.account.auth_backends.AuthenticationBackend"
    row.session_data = Session.get_session_store_class()().encode(data)
    row.save()
    session = "/_allauth/app/v1/auth/session"
    headers = {"Authorization": f"Bearer {token}"}
    assert Client().get(session, headers=headers).status_code == 200
    assert Client().delete(session, headers=headers).status_code == 401
    assert Client().get("/api/v3/me", headers=headers).status_code == 401


# ---------------------------------------------------------------- and back
def test_once_it_is_activated_everything_is_as_before(cast):
    plant(cast.acme, cast.ben, "Plan")
    member_deactivate(actor=cast.ada, user=cast.ben)
    client, files = client_of(cast.ana), "/api/v3/files"
    before = client.get(files).json()
    rows = organization_stops(cast.acme)
    close(cast.acme)
    organization_activate(organization=cast.acme)
    assert client.get(files).status_code == 401  # who was signed out stays so
    assert client_of(cast.ana).get(files).json() == before
    assert organization_stops(cast.acme) == rows
    assert post(LOGIN, {"username": "ben", "password": PASSWORD}).status_code == 401  # deactivated himself
    assert enter("ada").get(reverse("admin:index")).status_code == 200


def test_both_are_written_down_once_with_who_did_it(cast):
    root = User.objects.create(username="root", is_superuser=True)
    client_of(cast.ana)
    for change in (organization_deactivate, organization_activate):
        change(organization=cast.acme, actor=root)
        change(organization=Organization.objects.get(pk=cast.acme.pk), actor=root)  # two at once
    events = AuditEvent.objects.of(cast.acme).filter(action__startswith="organization_", actor=root)
    assert [(event.action, event.target) for event in events.order_by("created_at")] == [
        ("organization_deactivated", "Acme"), ("organization_activated", "Acme"),
    ]  # fmt: skip
    assert events.get(action="organization_deactivated").details == {"sessions": 1}


def test_an_organization_that_staff_are_members_of_is_not_deactivated(cast):
    User.objects.filter(pk=cast.ben.pk).update(is_superuser=True)
    client = client_of(cast.ana)
    with pytest.raises(Conflict, match="ben is staff and a member of Acme: move that account first"):
        close(cast.acme)
    assert Organization.objects.get(pk=cast.acme.pk).is_active
    assert client.get("/api/v3/me").status_code == 200
    close(cast.globex)
    with pytest.raises(Conflict, match="Globex is deactivated"):
        member_move(user=User.objects.get(pk=cast.ben.pk), organization=cast.globex)


def test_nobody_is_invited_into_it(cast):
    root = User.objects.create(username="root", is_superuser=True)
    close(cast.acme)
    with pytest.raises(Conflict, match=r"Acme is deactivated\. Activate it first\."):
        member_invite(actor=root, email="new@example.com", role=Role.BASIC, organization=cast.acme)
    assert not Invitation.objects.exists()


def test_the_sessions_of_others_stay(cast):
    sign_in("ana")
    sign_in("gus")
    enter("ada")
    close(cast.acme)
    assert [session.user for session in UserSession.objects.all()] == [cast.gus]
    assert Session.objects.count() == 1


def test_every_model_of_an_organization_knows_what_is_at_work(cast):
    from django.apps import apps

    plant(cast.acme, cast.ben, "Acme's")
    plant(cast.globex, cast.gus, "Globex's")
    close(cast.acme)
    asked = 0
    for model in apps.get_models():
        if isinstance(manager := model._default_manager.all(), TenantQuerySet) and hasattr(model, "objects"):
            names = {field.name for field in model._meta.concrete_fields}
            if getattr(model, "tenant_path", "organization").split("__")[0] in names:
                assert set(manager.at_work()) == set(manager.of(cast.globex)), model
                asked += manager.of(cast.acme).exists()
    assert asked > 15
