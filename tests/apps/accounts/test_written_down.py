"""What members do with the organization's data is written into its audit log: who, what, from where."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import AuditEvent
from tests.cast import client_of


@pytest.fixture
def ana(cast):
    return client_of(cast.ana)


def upload(client, name: str = "plan.csv") -> None:
    file = SimpleUploadedFile(name, b"city,people\nOslo,10\n")
    assert client.post("/api/v3/files", {"file-0": file}, format="multipart").status_code == 200


def events(cast, action: str) -> list[AuditEvent]:
    return list(AuditEvent.objects.of(cast.acme).filter(action=action))


def test_an_upload_and_a_deletion_are_written_down(cast, ana):
    upload(ana)
    (added,) = events(cast, "source_added")
    assert (added.actor, added.target, added.address) == (cast.ana, "plan.csv", "127.0.0.1")
    assert added.details == {"bytes": 20}
    assert ana.delete("/api/v3/files?filename=plan.csv").status_code == 200
    (deleted,) = events(cast, "source_deleted")
    assert (deleted.actor, deleted.target) == (cast.ana, "plan.csv")


def test_a_refused_deletion_is_not(cast, ana):
    upload(ana)
    assert client_of(cast.ben).delete("/api/v3/files?filename=plan.csv").status_code == 403
    assert events(cast, "source_deleted") == []


def test_a_changed_context_is_written_down_without_its_words(cast, ana):
    upload(ana)
    ana.post("/api/v3/explanation", {"explanation": "We sell boats."}, format="json")
    ana.post("/api/v3/explanation", {"explanation": "We sell boats."}, format="json")  # nothing changed
    ana.post("/api/v3/explanation", {"explanation": "Cities.", "file": "plan.csv"}, format="json")
    ana.post("/api/v3/preferences", {"user_preferences": '{"keywords": {"ARR": "yearly"}}'}, format="json")
    written = events(cast, "context_changed")
    assert {event.target for event in written} == {
        "the organization's context", "plan.csv", "the organization's keywords",
    }  # fmt: skip
    assert len(written) == 3
    assert all(event.actor == cast.ana for event in written)
    assert "boats" not in str([event.details for event in written])


def test_nothing_of_it_stands_in_another_organizations_log(cast, ana):
    upload(ana)
    assert not AuditEvent.objects.of(cast.globex).filter(action="source_added").exists()
