"""A write that is waited for, while others hold the database."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from django.db import OperationalError, connection, transaction

from apps.accounts.models import Organization
from apps.core import writes
from apps.core.writes import write_promptly

pytestmark = pytest.mark.django_db(transaction=True)


def add() -> None:
    with transaction.atomic():
        Organization.objects.create(name="Acme")


def waiting_time() -> int:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        return int(cursor.fetchone()[0])


def test_it_is_kept_once_the_other_one_is_done_and_waiting_is_as_usual_again(monkeypatch):
    usual = waiting_time()
    refused = threading.Event()
    ends: list[str] = []

    def busy() -> None:
        """Begins while another transaction is open; the other one ends after the first refusal."""
        try:
            add()
        except OperationalError:
            refused.set()
            raise
        ends.append("kept")

    path = connection.settings_dict["NAME"]
    other = sqlite3.connect(path, uri=str(path).startswith("file:"), isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Thread(target=lambda: (refused.wait(30), other.execute("COMMIT"))).start()
    write_promptly(busy)
    other.close()
    assert refused.is_set()
    assert ends == ["kept"]
    assert Organization.objects.get().name == "Acme"
    assert waiting_time() == usual


def test_what_is_wrong_with_the_write_itself_is_said_at_once():
    add()
    with pytest.raises(Exception, match="UNIQUE"):
        write_promptly(add)
    assert Organization.objects.count() == 1


def test_in_a_transaction_of_the_caller_it_is_a_part_of_that(monkeypatch):
    monkeypatch.setattr(writes, "PATIENCE_SECONDS", 0)
    with transaction.atomic():
        write_promptly(add)
        transaction.set_rollback(True)
    assert not Organization.objects.exists()
