"""Sealing: only ciphertext is kept, it is bound to its connection, and keys change without a new sign-in."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command

from apps.integrations import crypto
from apps.integrations.models import Connection
from apps.integrations.services.tokens import tokens_open, tokens_seal

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


def keys(*words: str):
    out = StringIO()
    call_command("encryption_keys", *words, "--json", stdout=out)
    return json.loads(out.getvalue())


def connection(organization, account: str) -> Connection:
    made = Connection(organization=organization, service="hubspot", account_id=account)
    made.sealed = tokens_seal(made.pk, access_token="access-words", refresh_token="refresh-words")
    made.save()
    return made


def test_the_row_holds_neither_token(cast):
    made = connection(cast.acme, "1")
    assert "words" not in made.sealed
    assert tokens_open(made.sealed, made.pk).refresh_token == "refresh-words"


def test_a_row_copied_over_another_opens_nothing(cast):
    ours, theirs = connection(cast.acme, "1"), connection(cast.globex, "2")
    with pytest.raises(crypto.Unopenable):
        tokens_open(theirs.sealed, ours.pk)


def test_a_new_first_key_takes_over_and_the_old_one_can_go(cast, settings):
    settings.CREDENTIAL_KEYS = [OLD]
    made = connection(cast.acme, "1")
    settings.CREDENTIAL_KEYS = [NEW, OLD]
    assert [row["rows"] for row in keys("list")] == [0, 1]
    assert keys("rotate", "--dry-run")["resealed"] == 1
    assert [row["rows"] for row in keys("list")] == [0, 1]
    assert keys("rotate") == {
        "key": crypto.fingerprint(NEW), "dry_run": False, "resealed": 1, "unopenable": 0, "unchanged": 0
    }  # fmt: skip
    settings.CREDENTIAL_KEYS = [NEW]
    made.refresh_from_db()
    assert tokens_open(made.sealed, made.pk).access_token == "access-words"
    assert keys("rotate")["unchanged"] == 1


def test_what_no_key_opens_is_counted_and_left(cast, settings):
    settings.CREDENTIAL_KEYS = [OLD]
    connection(cast.acme, "1")
    settings.CREDENTIAL_KEYS = [NEW]
    assert keys("list")[-1] == {"key": "none of them", "seals": False, "rows": 1}
    assert keys("rotate")["unopenable"] == 1
    assert OLD not in json.dumps(keys("list"))
