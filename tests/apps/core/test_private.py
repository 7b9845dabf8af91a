"""What stands behind a token is kept by nobody on the way; a wrong Host costs a line; a member has an own rate."""

from __future__ import annotations

import logging

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import Invitation
from apps.core import rates
from apps.datasources.models import StoredFile
from apps.datasources.services.ingestion import ingest_file
from tests.cast import client_of, cookie_client, sign_in

GETS = (
    "/api/v3/me", "/api/v3/files", "/api/v3/models", "/api/v3/nothing-here", "/_allauth/app/v1/auth/session",
    "/_allauth/app/v1/auth/sessions", "/admin/", "/admin/accounts/user/",
)  # fmt: skip


@pytest.mark.parametrize("path", GETS)
def test_every_answer_behind_a_sign_in_says_that_it_is_not_to_be_kept(cast, path):
    answers = [
        client_of(cast.ada).get(path),
        cookie_client(cast.ada).get(path),
        Client().get(path),
        Client().get(path, headers={"X-Session-Token": sign_in("ana")}),
    ]
    assert ["no-store" in answer.get("Cache-Control", "") for answer in answers] == [True] * 4


def test_a_refused_sign_in_is_not_to_be_kept_either(cast):
    answer = Client().post("/_allauth/app/v1/auth/login", "{}", content_type="application/json")
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("path", ["/", "/api/v3/me", "/admin/", "/healthz", "/static/nothing.css"])
def test_a_wrong_host_costs_one_line_and_no_trace(cast, path, caplog):
    with caplog.at_level(logging.INFO), caplog.at_level(logging.INFO, "apps.requests"):  # as deployments log
        answer = Client().get(path, headers={"Host": "evil.example"})
    told = caplog.records
    assert answer.status_code == 400
    assert [(record.name, record.exc_info) for record in told] == [("apps.hosts", None)]
    assert "evil" not in caplog.text


def test_a_members_questions_are_bounded_and_nobody_elses(cast, settings):
    settings.QUESTIONS_PER_MINUTE = 3
    body = {"prompt": "How many deals?", "thread_id": None, "models": None, "temperature": 1}
    ana, ben = client_of(cast.ana), client_of(cast.ben)
    states = [ana.post("/api/v3/ask", body, format="json") for _ in range(5)]
    assert [answer.status_code for answer in states] == [200, 200, 200, 429, 429]
    assert states[-1].json()["error"]["code"] == "too_often"
    assert "at most 3 questions a minute" in states[-1].json()["error"]["message"]
    assert ben.post("/api/v3/ask", body, format="json").status_code == 200


def test_a_members_uploads_are_bounded(cast, settings):
    settings.UPLOADS_PER_HOUR = 2
    files = {f"file-{n}": SimpleUploadedFile(f"f{n}.csv", b"a,b\n1,2\n") for n in range(3)}
    told = client_of(cast.ana).post("/api/v3/files", files).json()
    assert told["failed_uploads"] == 1
    assert "at most 2 files an hour" in str(told["errors"])


def invite(client, number):
    return client.post("/api/v3/invitations", {"email": f"p{number}@example.com", "role": "basic"}, format="json")


def test_an_admins_invitations_and_their_resending_are_bounded_together(cast, settings):
    settings.UPLOADS_PER_HOUR = 3
    ada = client_of(cast.ada)
    made = [invite(ada, 1), invite(ada, 2)]
    pk = Invitation.objects.get(email="p1@example.com").pk
    again = ada.post("/api/v3/invitations/resend", {"id": str(pk)}, format="json")
    pk = Invitation.objects.get(email="p1@example.com").pk
    late = [invite(ada, 3), ada.post("/api/v3/invitations/resend", {"id": str(pk)}, format="json")]
    assert [answer.status_code < 300 for answer in (*made, again)] == [True] * 3
    assert [answer.status_code for answer in late] == [429, 429]
    assert "at most 3 invitations an hour" in late[0].json()["error"]["message"]


def test_an_invitation_past_the_rate_is_refused_in_the_administration_too(cast, settings):
    settings.UPLOADS_PER_HOUR = 1
    invite(client_of(cast.ada), 1)
    answer = cookie_client(cast.ada).post(
        "/admin/accounts/invitation/add/", {"email": "p2@example.com", "role": "basic"}, follow=True
    )
    assert answer.status_code == 200
    assert "at most 1 invitations an hour" in answer.content.decode()
    assert not Invitation.objects.filter(email="p2@example.com").exists()


def test_a_members_exports_are_bounded(cast, settings):
    settings.UPLOADS_PER_HOUR = 2
    client_of(cast.ana).post("/api/v3/files", {"f": SimpleUploadedFile("f.csv", b"a,b\n1,2\n")})
    for stored in StoredFile.objects.all():
        ingest_file(stored.pk)
    ana = client_of(cast.ana)
    told = [ana.get("/api/v3/files/export", {"filename": "f.csv"}) for _ in range(3)]
    assert [answer.status_code for answer in told] == [200, 200, 429]
    assert "You can download at most 2 tables an hour" in told[-1].json()["error"]["message"]


def test_a_members_looks_at_dictionaries_are_bounded(cast, settings):
    settings.QUESTIONS_PER_MINUTE = 2
    client_of(cast.ana).post("/api/v3/files", {"f": SimpleUploadedFile("f.csv", b"a,b\n1,2\n")})
    for stored in StoredFile.objects.all():
        ingest_file(stored.pk)
    ana = client_of(cast.ana)
    told = [ana.get("/api/v3/files/dictionary", {"filename": "f.csv"}) for _ in range(3)]
    assert [answer.status_code for answer in told] == [200, 200, 429]
    assert "at most 2 data dictionaries a minute" in told[-1].json()["error"]["message"]


def test_the_rate_begins_anew_and_zero_is_no_limit(cast, monkeypatch):
    now = [1_000_020.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    for _ in range(500):
        rates.count("x", cast.ana.pk, most=0, seconds=60, words="")
    rates.count("x", cast.ana.pk, most=1, seconds=60, words="1 a minute")
    with pytest.raises(rates.TooOften, match="Please try again in"):
        rates.count("x", cast.ana.pk, most=1, seconds=60, words="1 a minute")
    now[0] += 60
    rates.count("x", cast.ana.pk, most=1, seconds=60, words="1 a minute")
