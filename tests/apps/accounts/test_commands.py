"""What staff do at the command line, in words and in JSON."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import Organization, OutgoingMail, User
from tests.cast import client_of


def manage(*words: str) -> Any:
    out = StringIO()
    call_command(*words, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_an_organisation_is_made_once_and_listed(db):
    assert manage("organization", "create", "Initech")["organization"] == "Initech"
    with pytest.raises(CommandError, match="already an organisation named INITECH"):
        manage("organization", "create", "INITECH")
    assert [row["organization"] for row in manage("organization", "list")] == ["Initech"]


def test_a_made_member_must_choose_an_own_password(cast):
    facts = manage("member", "create", "Acme", "mia", "--role", "admin", "--email", "mia@example.com")
    mia = User.objects.get(username="mia")
    assert mia.check_password(facts["temporary_password"])
    assert (mia.organization, mia.role, mia.must_change_password) == (cast.acme, "admin", True)


def test_members_are_invited_listed_re_roled_and_moved(cast):
    assert manage("member", "invite", "ada", "new@example.com")["role"] == "basic"
    assert OutgoingMail.objects.get().recipient == "new@example.com"
    assert {row["username"] for row in manage("member", "list", "Globex")} == {"gus", "gia"}
    assert manage("member", "role", "ana", "admin")["role"] == "admin"
    client = client_of(cast.ana)
    assert manage("member", "move", "ana", "globex") == {
        "username": "ana", "organization": "Globex", "role": "basic", "active": True,
    }  # fmt: skip
    assert client.get("/api/v3/me").status_code == 401


def test_sessions_end_and_passwords_become_temporary(cast):
    client = client_of(cast.ana)
    assert manage("member", "sessions", "ana")["sessions_ended"] == 1
    assert client.get("/api/v3/me").status_code == 401
    facts = manage("member", "password", "ana")
    assert User.objects.get(pk=cast.ana.pk).check_password(facts["temporary_password"])


def test_deactivation_and_activation(cast):
    assert manage("member", "deactivate", "ana")["active"] is False
    with pytest.raises(CommandError, match="deactivated"):
        manage("member", "password", "ana")
    assert manage("member", "activate", "ana")["active"] is True


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["member", "role", "nobody", "admin"], "no user named nobody"),
        (["member", "create", "Nowhere", "x"], "no organisation named Nowhere"),
        (["member", "create", "Acme", "ANA"], "already a user named ANA"),
        (["member", "role", "ada", "basic"], "last admin"),
        (["member", "invite", "ana", "x@example.com"], "Only an admin"),
    ],
)
def test_what_cannot_be_done_is_said(cast, words, told):
    with pytest.raises(CommandError, match=told):
        manage(*words)
    assert Organization.objects.count() == 2
