"""E-mails on their way: from a worker, again where the server did not take them, no longer than they are good."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zipfile import ZipFile

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import call_command
from django.db import connection

from apps.accounts.models import OutgoingMail
from apps.accounts.services import upkeep
from apps.accounts.services.delivery import mail_send
from apps.accounts.services.mails import mail_queue
from apps.core.backup import backup_write


class NobodyThere(BaseEmailBackend):
    """A mail server that cannot be reached."""

    def send_messages(self, messages: Any) -> int:
        raise ConnectionRefusedError("nobody there")


@pytest.fixture
def queued(db) -> OutgoingMail:
    words = {"code": "ABCD-EFGH", "minutes": 10}
    mail_queue(
        recipient="ana@example.com", template="password_reset_code", context=words, lifetime=timedelta(minutes=10)
    )
    return OutgoingMail.objects.get()


def pass_time(**span: float) -> None:
    """Everything that waits has waited so much longer."""
    for row in OutgoingMail.objects.all():
        row.due_at -= timedelta(**span)
        row.expires_at -= timedelta(**span)
        row.save()


def test_a_mail_that_was_not_taken_waits_and_is_sent_later(queued, settings, caplog):
    settings.EMAIL_BACKEND = "tests.apps.accounts.test_mails.NobodyThere"
    mail_send(mail_id=queued.pk)
    assert OutgoingMail.objects.get().tries == 1
    assert "not taken" in caplog.text
    assert "ABCD-EFGH" not in caplog.text
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail_send(mail_id=queued.pk)  # too early: its pause is not over
    assert mail.outbox == []
    pass_time(minutes=1)
    mail_send(mail_id=queued.pk)
    assert [message.to for message in mail.outbox] == [["ana@example.com"]]
    assert not OutgoingMail.objects.exists()


def test_a_mail_whose_message_was_lost_is_found_again(queued):
    assert upkeep.mails_sweep() == 0  # its message may still be on its way
    pass_time(seconds=11)
    assert upkeep.mails_sweep() == 1


def test_what_is_no_longer_good_is_thrown_away_unsent(queued):
    pass_time(minutes=10)
    mail_send(mail_id=queued.pk)
    assert mail.outbox == []
    upkeep.mails_sweep()
    assert not OutgoingMail.objects.exists()


def test_a_mail_says_the_product_and_the_code_in_text_and_in_html(queued, settings):
    mail_send(mail_id=queued.pk)
    (sent,) = mail.outbox
    assert sent.subject == f"Your {settings.PRODUCT_NAME} verification code"
    for words in (sent.body, sent.alternatives[0].content):
        assert "ABCD-EFGH" in words
        assert "10 minutes" in words
        assert settings.PRODUCT_NAME in words


def stored_words() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT text, html FROM accounts_outgoingmail")
        return str(cursor.fetchall())


def test_a_waiting_mail_is_sealed_in_the_database(queued):
    assert "ABCD-EFGH" in queued.text
    assert "ABCD" not in stored_words()
    mail_send(mail_id=queued.pk)
    assert "ABCD-EFGH" in mail.outbox[0].body


@pytest.mark.django_db(transaction=True)
def test_mails_that_wait_are_sealed_by_the_migration_and_opened_on_the_way_back(queued):
    try:
        call_command("migrate", "accounts", "0012", verbosity=0)
        assert "ABCD-EFGH" in stored_words()
    finally:
        call_command("migrate", "accounts", verbosity=0)
    assert "ABCD-EFGH" not in stored_words()
    assert "ABCD-EFGH" in OutgoingMail.objects.get().text


def test_a_mail_sealed_with_another_key_is_thrown_away_unsent(queued, settings, caplog):
    settings.SECRET_KEY = "another-one-0123456789-0123456789-0123456789-0123456789"
    mail_send(mail_id=queued.pk)
    assert mail.outbox == []
    assert not OutgoingMail.objects.exists()
    assert "sealed with a SECRET_KEY" in caplog.text


def test_what_a_waiting_mail_opens_stands_in_no_backup(queued, tmp_path):
    backup_write(tmp_path / "all.zip")
    with ZipFile(tmp_path / "all.zip") as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    assert b"ABCD-EFGH" in queued.text.encode()
    assert [name for name, content in kept.items() if b"ABCD-EFGH" in content or "outgoingmail" in name] == []
