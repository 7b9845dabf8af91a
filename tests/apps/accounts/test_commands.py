"""What staff do at the command line, in words and in JSON."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from apps.accounts.holdings import holdings
from apps.accounts.models import AuditEvent, Organization, OutgoingMail, User
from tests.cast import client_of


def manage(*words: str) -> Any:
    out = StringIO()
    call_command(*words, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_an_organization_is_made_once_and_listed(db):
    assert manage("organization", "create", "Initech")["organization"] == "Initech"
    with pytest.raises(CommandError, match="already an organization named INITECH"):
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


def test_an_organization_is_deactivated_and_activated(cast):
    client = client_of(cast.ana)
    facts = manage("organization", "deactivate", "acme")
    assert (facts["organization"], facts["active"], facts["Members"], facts["Threads"]) == ("Acme", False, 3, 0)
    assert client.get("/api/v3/me").status_code == 401
    assert {row["organization"]: row["active"] for row in manage("organization", "list")} == {
        "Acme": False, "Globex": True,
    }  # fmt: skip
    assert manage("organization", "activate", "Acme") == {"organization": "Acme", "active": True}
    assert client_of(cast.ana).get("/api/v3/me").status_code == 200


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["member", "role", "nobody", "admin"], "no user named nobody"),
        (["member", "create", "Nowhere", "x"], "no organization named Nowhere"),
        (["member", "create", "Acme", "ANA"], "user name cannot be used"),
        (["member", "role", "ada", "basic"], "last admin"),
        (["member", "invite", "ana", "x@example.com"], "Only an admin"),
    ],
)
def test_what_cannot_be_done_is_said(cast, words, told):
    with pytest.raises(CommandError, match=told):
        manage(*words)
    assert Organization.objects.count() == 2


@pytest.mark.parametrize(
    "words",
    [
        ["organization", "create", "Initech"],
        ["member", "create", "Acme", "mia"],
        ["member", "invite", "ada", "new@example.com"],
        ["member", "role", "ana", "admin"],
        ["member", "move", "ana", "Globex"],
        ["member", "deactivate", "ana"],
        ["member", "activate", "ana"],
        ["member", "password", "ana"],
        ["member", "sessions", "ana"],
        ["member", "delete", "ana"],
        ["organization", "deactivate", "Acme"],
        ["organization", "activate", "Globex"],
        ["organization", "delete", "Globex"],
    ],
    ids=" ".join,
)
def test_a_dry_run_changes_nothing(cast, words):
    client_of(cast.ana)
    Organization.objects.filter(pk=cast.globex.pk).update(is_active=False)
    held = [held for subject in (cast.acme, cast.globex) for held in holdings(subject)]
    before = [list(one.rows.order_by("pk").values()) for one in held]
    facts = manage(*words, "--dry-run")
    assert facts.get("dry_run") or facts.get("deleted") is False
    assert "temporary_password" not in facts
    assert [list(one.rows.order_by("pk").values()) for one in held] == before
    assert Organization.objects.count() == 2


def test_what_is_done_at_the_command_line_is_written_down_as_that(cast):
    manage("member", "role", "ana", "admin")
    event = AuditEvent.objects.of(cast.acme).get(action="member_changed")
    assert event.actor is None
    assert event.actor_name.startswith("command line (")


def test_an_organizations_deletion_stays_in_the_log_of_all_without_its_name(cast):
    manage("organization", "delete", "Globex", "--yes")
    event = AuditEvent.objects.get(action="organization_deleted")
    assert (event.organization, event.details) == (None, {"members": 2})
    assert "Globex" not in event.target


@pytest.mark.parametrize("words", [["--json", "list"], ["list", "--json"], ["--json", "list", "--json"]])
def test_json_may_be_asked_for_before_the_verb_and_behind_it(words):
    for command in ("organization", "member", "encryption_keys"):
        parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
        assert parser.parse_args(words).json, command


def test_every_verb_tells_how_it_is_used(capsys):
    for command in ("organization", "member", "encryption_keys"):
        found = load_command_class(get_commands()[command], command)
        for verb in found.verbs:
            with pytest.raises(SystemExit) as ended:
                found.create_parser("manage.py", command).parse_args([verb, "--help"])
            assert ended.value.code == 0
            told = capsys.readouterr().out
            assert "--json" in told
            assert verb in ("list", "export") or "--dry-run" in told, (command, verb)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["organization", "list"], 0, ""),
        (["member", "role", "nobody", "admin"], 1, "no user named nobody"),
        (["member", "role", "nobody", "boss"], 2, "invalid choice"),
    ],
)
def test_the_exit_code_says_whether_it_was_done(cast, capsys, words, code, told):
    command = load_command_class(get_commands()[words[0]], words[0])
    try:
        command.run_from_argv(["manage.py", *words])
        ended = 0
    except SystemExit as exit_:
        ended = int(exit_.code or 0)
    assert (ended, told in capsys.readouterr().err) == (code, True)
