"""Access and deletion as the privacy page promises them: 50 markers in every place there is, all in the export, and
none anywhere after the deletion. The places come from the app registry, so those of a new app are looked at as well."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import dramatiq
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.holdings import Subject, holdings
from apps.accounts.models import AuditEvent, Organization, OutgoingMail, User
from apps.accounts.services.exports import SECRET
from apps.accounts.services.members import invitation_accept, member_correct, member_invite
from apps.feedback.models import Feedback
from apps.preferences.models import Preferences
from apps.threads.models import Thread
from tests.cast import client_of
from tests.contract.world import plant

MARK = "Ouagadougou"
KEPT_AS_THEY_ARE = {"username", "name_key", "key", "values_key", "encoding", "state", "type", "email", "file_name"}


def manage(*words: str) -> Any:
    out = StringIO()
    call_command(*words, "--json", stdout=out)
    return json.loads(out.getvalue())


def fillable(model: type[models.Model]) -> Iterator[models.Field]:
    """The fields that can hold a person's words."""
    for field in model._meta.concrete_fields:
        words = isinstance(field, models.TextField | models.JSONField) or (
            isinstance(field, models.CharField) and (field.max_length or 0) >= 30
        )
        if words and not field.choices and field.name not in KEPT_AS_THEY_ARE | SECRET:
            yield field


def mark_every_field(subject: Subject) -> list[str]:
    """Puts a marker of its own into every text of every row held on the subject."""
    markers = []
    for holding in holdings(subject):
        if holding.model is Organization or (isinstance(subject, User) and keeps(holding.model)):
            continue
        for field in fillable(holding.model):
            for pk in list(holding.rows.values_list("pk", flat=True)):
                marker = f"{MARK}{len(markers)}."
                value: Any = {"owner": marker} if isinstance(field, models.JSONField) else marker
                models.QuerySet(holding.model).filter(pk=pk).update(**{field.name: value})
                markers.append(marker)
    return markers


def keeps(model: type[models.Model]) -> bool:
    """Rows of the organization that only mention a person."""
    return getattr(model, "outlives_member", False)


def plant_all(organization: Organization, user: User) -> list[str]:
    """One of everything, with a session, a reset under way, a mail, a file's bytes and a name in the audit log."""
    plant(organization, user, MARK)
    Feedback.objects.create(organization=organization, author=user, text="x")
    Preferences.objects.create(user=user)
    stored = organization.stored_files.get()
    default_storage.delete(stored.key)
    stored.key = default_storage.save("originals/planted", ContentFile(f"name\n{MARK}-bytes.\n".encode()))
    stored.save()
    table = organization.tables.get()
    default_storage.delete(table.key)
    table.key = default_storage.save("tables/planted", ContentFile(f"{MARK}-table".encode()))
    table.save()
    cached = Path(settings.DATA_DIR) / "cache" / stored.key
    cached.parent.mkdir(parents=True, exist_ok=True)
    cached.write_text(f"{MARK}-cached")
    User.objects.filter(pk=user.pk).update(username=f"{MARK}-user.", email=f"{MARK}-mail.@example.com")
    user.refresh_from_db()
    client_of(user)
    Client().post("/_allauth/app/v1/auth/login", {"username": user.username, "password": "wrong"}, "application/json")
    Client().post("/_allauth/app/v1/auth/password/request", {"email": user.email}, "application/json")
    return [f"{MARK}-bytes.", f"{MARK}-user.", f"{MARK}-mail."]


def everything_in_the_database() -> str:
    with connection.cursor() as cursor:
        parts = []
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            parts += [str(row) for row in cursor.fetchall()]
    return "\n".join(parts)


def everything_on_disk() -> str:
    return "\n".join(
        str(path) + path.read_bytes().decode(errors="replace")
        for path in Path(settings.DATA_DIR).rglob("*")
        if path.is_file()
    )


def everything_cached() -> str:
    return str(getattr(cache, "_cache", "")) + str(getattr(cache, "_connections", ""))


def everything_queued() -> str:
    """Messages that wait for a worker, and those that failed for good."""
    broker: Any = dramatiq.get_broker()
    waiting = [message for queue in broker.queues.values() for message in list(queue.queue)]
    return str([*waiting, *(message.asdict() for dead in broker.dead_letters_by_queue.values() for message in dead)])


def left() -> list[str]:
    places = {
        "database": everything_in_the_database(),
        "disk": everything_on_disk(),
        "cache": everything_cached(),
        "queues": everything_queued(),
    }
    return [place for place, text in places.items() if MARK in text or MARK.lower() in text.lower()]


def exported(path: Path) -> str:
    with ZipFile(path) as archive:
        assert archive.testzip() is None
        return "\n".join(name + archive.read(name).decode(errors="replace") for name in archive.namelist())


@pytest.fixture
def planted(cast) -> tuple[Any, list[str]]:
    markers = plant_all(cast.globex, cast.gus)
    return cast, markers


def test_an_organization_is_exported_whole_and_deleted_without_a_trace(
    planted, tmp_path, django_capture_on_commit_callbacks
):
    cast, markers = planted
    markers += mark_every_field(cast.globex)
    assert len(markers) >= 50
    target = tmp_path / "globex.zip"
    facts = manage("organization", "export", "Globex", str(target))
    assert facts["files"] == 1
    assert target.stat().st_mode & 0o077 == 0
    text = exported(target)
    assert [marker for marker in markers if marker not in text] == []
    event = AuditEvent.objects.of(cast.globex).get(action="exported", target="Globex")
    assert event.actor_name.startswith("command line")

    tried = manage("organization", "delete", "Globex", "--dry-run")
    assert Organization.objects.filter(name="Globex").exists()
    assert {"database", "disk"} <= set(left())
    assert tried["rows"]["threads.Message"] == 2
    with django_capture_on_commit_callbacks(execute=True):
        done = manage("organization", "delete", "Globex", "--yes")
    assert done["rows"] == tried["rows"]
    assert left() == []
    assert Organization.objects.get().name == "Acme"
    assert User.objects.filter(organization=cast.acme).count() == 3


def test_a_member_is_exported_whole_and_deleted_without_a_trace(planted, tmp_path, django_capture_on_commit_callbacks):
    cast, markers = planted
    markers += mark_every_field(cast.gus)
    # what the organization tells about itself is not the member's
    cast.globex.context.delete()
    cast.globex.invitations.all().delete()
    cast.globex.connections.filter(service="hubspot").delete()
    cast.globex.own_models.all().delete()
    for table in cast.globex.sources.all():
        cast.globex.file_contexts.update(file_name=table.file_name, text=f"{MARK} about the file")
    assert len(markers) >= 50
    target = tmp_path / "gus.zip"
    manage("member", "export", cast.gus.username, str(target))
    text = exported(target)
    assert [marker for marker in markers if marker not in text] == []

    name = cast.gus.username
    tried = manage("member", "delete", name, "--dry-run")
    assert User.objects.filter(pk=cast.gus.pk).exists()
    assert {"database", "disk"} <= set(left())
    with django_capture_on_commit_callbacks(execute=True):
        done = manage("member", "delete", name, "--yes")
    assert done["rows"] == tried["rows"]
    assert left() == []
    events = AuditEvent.objects.of(cast.globex)
    assert events.filter(action="member_deleted", target="a deleted member").exists()
    assert events.filter(action="signed_in", actor_name="a deleted member").exists()  # what happened stays
    assert User.objects.filter(username="gia").exists()


def test_an_invited_member_is_deleted_with_the_invitation_and_every_former_address(
    cast, django_capture_on_commit_callbacks
):
    member_invite(actor=cast.ada, email=f"{MARK}@example.com")
    key = OutgoingMail.objects.get().text.split("key=")[1].split()[0]
    user = invitation_accept(key=key, username="newt", password="First-word-of-9", privacy_accepted=True)
    APIClient().post("/_allauth/app/v1/auth/login", {"email": user.email, "password": "wrong"}, format="json")
    member_correct(actor=cast.ada, user=user, name=f"{MARK} Newt", email="newt@example.com")
    assert "database" in left()
    with django_capture_on_commit_callbacks(execute=True):
        manage("member", "delete", "newt", "--yes")
    assert left() == []


def test_a_members_files_can_stay_with_the_organization(planted, django_capture_on_commit_callbacks):
    cast, _ = planted
    with django_capture_on_commit_callbacks(execute=True):
        manage("member", "delete", cast.gus.username, "--keep-files", "--yes")
    source = cast.globex.sources.get()
    assert source.owner is None
    assert default_storage.exists(source.stored.key)
    assert not Thread.objects.of(cast.globex).exists()


def test_neither_export_nor_deletion_touches_anybody_else(cast, tmp_path, django_capture_on_commit_callbacks):
    plant(cast.acme, cast.ben, "Neighbour")
    plant(cast.globex, cast.gus, MARK)
    manage("organization", "export", "Globex", str(tmp_path / "one.zip"))
    assert "Neighbour" not in exported(tmp_path / "one.zip")
    manage("member", "export", "ana", str(tmp_path / "two.zip"))
    assert "Neighbour" not in exported(tmp_path / "two.zip")
    before = {holding.label: holding.rows.count() for holding in holdings(cast.acme)}
    with django_capture_on_commit_callbacks(execute=True):
        manage("organization", "delete", "Globex", "--yes")
    assert {holding.label: holding.rows.count() for holding in holdings(cast.acme)} == before


def test_an_export_never_holds_what_opens_something(cast, tmp_path):
    client_of(cast.ana)
    manage("organization", "export", "Acme", str(tmp_path / "acme.zip"))
    text = exported(tmp_path / "acme.zip")
    for user in User.objects.filter(organization=cast.acme):
        assert user.password not in text
    assert "session_key" not in text


def test_a_cell_that_a_spreadsheet_would_run_is_text_in_the_csv(cast, tmp_path):
    User.objects.filter(pk=cast.ana.pk).update(name="=HYPERLINK(1)")
    manage("member", "export", "ana", str(tmp_path / "ana.zip"))
    with ZipFile(tmp_path / "ana.zip") as archive:
        assert "'=HYPERLINK(1)" in archive.read("csv/accounts.User.csv").decode("utf-8-sig")
        assert json.loads(archive.read("json/accounts.User.json"))[0]["name"] == "=HYPERLINK(1)"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["member", "delete", "gia", "--yes"], "last admin"),
        (["member", "delete", "gia", "--dry-run"], "last admin"),
        (["organization", "delete", "Nowhere", "--yes"], "no organization named Nowhere"),
        (["organization", "delete", "Acme"], "one of the arguments --dry-run --yes is required"),
        (["member", "export", "ana", "/"], "exists already"),
    ],
)
def test_what_is_refused_is_said_and_changes_nothing(cast, words, told):
    with pytest.raises((CommandError, SystemExit)) as refusal:
        manage(*words)
    assert told in str(refusal.value) or isinstance(refusal.value, SystemExit)
    assert User.objects.count() == 5


def test_staff_do_not_vanish_with_an_organization(cast):
    User.objects.filter(pk=cast.ana.pk).update(is_superuser=True)
    with pytest.raises(CommandError, match="is staff"):
        manage("organization", "delete", "Acme", "--yes")
