"""The audit log as the admin of an organization reads it in the product."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import AuditAction, AuditEvent
from apps.accounts.services.activity import PAGE
from tests.cast import client_of

LOG = "/api/v3/audit-log"


def happened(organization, who="ben", target="deals.csv", ago=0):
    return AuditEvent.objects.create(
        organization=organization,
        actor_name=who,
        action=AuditAction.SOURCE_DELETED,
        target=target,
        address="192.0.2.7",
        created_at=timezone.now() - timedelta(minutes=ago),
    )


def test_an_entry_says_who_did_what_when_and_from_where(cast):
    entry = happened(cast.acme)
    told = client_of(cast.ada).get(LOG).json()["entries"]
    assert {
        "id": str(entry.pk),
        "at": entry.created_at.isoformat(),
        "who": "ben",
        "what": "Source deleted",
        "target": "deals.csv",
        "address": "192.0.2.7",
    } in told


def test_only_admins_read_it_and_only_of_the_own_organization(cast):
    happened(cast.globex, target="globex secret.csv")
    assert client_of(cast.ana).get(LOG).status_code == 403
    answer = client_of(cast.ada).get(LOG)
    assert answer.status_code == 200
    assert "globex secret" not in answer.content.decode()


def test_the_newest_stand_first_and_older_ones_are_had_page_by_page(cast):
    ada = client_of(cast.ada)
    for ago in range(PAGE + 3):
        happened(cast.acme, target=f"file {ago}", ago=ago + 60)
    first = ada.get(LOG).json()
    assert len(first["entries"]) == PAGE
    assert first["more"] is True
    last = ada.get(LOG, {"before": first["entries"][-1]["at"]}).json()
    assert last["more"] is False
    told = [entry["target"] for entry in (*first["entries"], *last["entries"]) if entry["what"] == "Source deleted"]
    assert told == [f"file {ago}" for ago in range(PAGE + 3)]


def test_a_moment_that_is_none_is_refused(cast):
    answer = client_of(cast.ada).get(LOG, {"before": "yesterday"})
    assert answer.status_code == 400
