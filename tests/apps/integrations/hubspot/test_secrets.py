"""What opens an account stays inside: eight secrets of a round trip, looked for wherever words come out."""

from __future__ import annotations

import logging
from io import StringIO
from zipfile import ZipFile

from django.core.management import call_command

from apps.integrations.fakes.hubspot import problem
from apps.integrations.models import Connection
from tests.apps.integrations.hubspot.conftest import CALLBACK
from tests.apps.integrations.places import admin_pages, dumped, found_in

QUOTED = "the-provider-quotes-a-secret"


def test_eight_secrets_are_in_no_log_answer_error_admin_page_dump_or_export(world, caplog, settings, tmp_path):
    caplog.set_level(logging.DEBUG)
    client = world.client()
    answers = []

    def call(method: str, path: str, body: object = None) -> None:
        answer = getattr(client, method)(path, body, format="json")
        answers.append(answer.content.decode())

    sent = {"service": "hubspot", "redirect_uri": CALLBACK}
    state = client.post("/api/v3/connections", sent, format="json").json()["authorize_url"].rpartition("state=")[2]
    code = world.hubspot.grant(CALLBACK)
    call("post", "/api/v3/hubspot/auth", {"hubspotCode": code, "redirect_uri": CALLBACK, "state": state})
    call("post", "/api/v3/hubspot/auth", {"hubspotCode": code, "redirect_uri": CALLBACK, "state": state})
    world.refresh()
    old_access, refresh_token = next(iter(world.hubspot.access)), next(iter(world.hubspot.refresh))
    world.hubspot.expire_tokens()
    world.refresh()  # ends in 401 and a renewal
    access = list(world.hubspot.access)[-1]
    assert access != old_access
    told = problem(400, f"{QUOTED} {refresh_token} {access}", QUOTED, correlationId=QUOTED)
    world.hubspot.fail("objects.search", status=400, json=told.json, headers={"X-Secret": QUOTED})
    assert world.refresh().state == "failed"
    for path in ("connections", "hubspot/status", "hubspot/direct-export", "hubspot/fields"):
        call("get", f"/api/v3/{path}")
    world.hubspot.fail("oauth.token", status=500, json={"message": QUOTED})
    call("post", "/api/v3/hubspot/direct-export", {})
    out = StringIO()
    call_command("encryption_keys", "list", stdout=out)
    call_command("organization", "export", "Acme", str(tmp_path / "acme.zip"), stdout=StringIO())
    with ZipFile(tmp_path / "acme.zip") as archive:
        exported = "\n".join(archive.read(name).decode(errors="replace") for name in archive.namelist())

    secrets = {
        "access token": access,
        "earlier access token": old_access,
        "refresh token": refresh_token,
        "code": code,
        "state": state,
        "client secret": settings.HUBSPOT_CLIENT_SECRET,
        "encryption key": settings.CREDENTIAL_KEYS[0],
        "what HubSpot quotes": QUOTED,
    }
    places = {
        "log": caplog.text,
        "answers": "".join(answers),
        "admin": admin_pages(),
        "dump": dumped(),
        "export": exported,
        "command": out.getvalue(),
        "reprs": f"{Connection.objects.get()!r} {vars(Connection.objects.get())}",
    }
    assert found_in(places, secrets) == []
    assert Connection.objects.get().sealed not in places["admin"] + places["answers"] + exported
