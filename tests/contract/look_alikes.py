"""Look-alikes: one of everything that people may name, in an organization not theirs, and what they are told of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.accounts.models import Organization, Role, User
from apps.accounts.services.members import member_create
from apps.integrations.models import Connection, HubSpotCategory, SheetTab
from apps.integrations.slack.linking import link_address
from apps.threads.models import OwnModel
from tests.apps.integrations.consents import start
from tests.apps.integrations.google.conftest import PIPELINE
from tests.cast import PASSWORD, client_of
from tests.contract.rules import Attempt
from tests.contract.test_matrix import taken_back
from tests.contract.world import Ids, plant

SERVICES = ("hubspot", "google", "slack")
TAB = "Deals"
MARKER = "Zanzibar"
PRIVATE = ("Globex", MARKER, MARKER.casefold(), "another organi", "other organi", "elsewhere", "already exists")
OTHERS = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27,}|\d{4}-\d\d-\d\dT[\d:.+Z]+"
    r"|(?<=nonce-)[\w+/=-]+|(?<=nonce=\")[\w+/=-]+|(?<=state=)[\w-]+|(?<=code_challenge=)[\w-]+"
    r"|(?<=\"ticket\":\")[\w:.-]+|(?<=\"session_token\": \")[\w:.-]+"
)
"""What is another in each answer: ids, moments, keys."""


@dataclass(frozen=True)
class Named:
    """What may be named of an organization: its things, and one of its admins."""

    marker: str
    ids: Ids
    client: APIClient
    """The admin's own."""
    username: str
    email: str
    guess: str
    """What a caller takes for the admin's password."""
    session: str
    states: dict[str, str]
    """Of sign-ins at services that the admin has begun."""
    slack_key: str
    """Of a link that Slack showed."""

    @property
    def table(self) -> str:
        """The only table there is."""
        return self.ids.file_name.removesuffix(".csv")


def named(organization: Organization, admin: User, marker: str) -> Named:
    """Fills the organization with one of everything, and names all of it."""
    ids, client = plant(organization, admin, marker), client_of(admin)
    states = {service: parse_qs(urlsplit(start(client, service)).query)["state"][0] for service in SERVICES}
    for sealed in (Connection, OwnModel):
        sealed.objects.of(organization).update(sealed="opened by no key")  # so that nothing outside is called
    of_service = {one.service: one for one in Connection.objects.of(organization)}
    HubSpotCategory.objects.create(
        connection=of_service["hubspot"],
        category="deals",
        definitions=[{"name": f"{marker}_field", "label": f"{marker} field", "type": "string"}],
    )
    link = link_address(of_service["slack"], slack_user_id="U3", slack_name=f"{marker} in Slack")
    return Named(
        marker=marker,
        ids=ids,
        client=client,
        username=admin.username,
        email=admin.email,
        guess=PASSWORD,
        session=str(UserSession.objects.get(user=admin).pk),
        states=states,
        slack_key=parse_qs(urlsplit(link).query)["slack-link"][0],
    )


def look_alikes(organization: Organization) -> Named:
    """The same, of an admin who is new there and whose password is nobody else's to know. The tab of a spreadsheet that
    others may connect, too, is connected there."""
    admin = member_create(
        organization=organization,
        username=MARKER.casefold(),
        name=f"{MARKER} Look-alike",
        email=f"{MARKER.casefold()}@example.com",
        password=PASSWORD,
        role=Role.ADMIN,
        temporary=False,
    )
    found = replace(named(organization, admin, MARKER), guess="Wrong-horse-9")
    SheetTab.objects.of(organization).update(file_id=PIPELINE, sheet_id=0, tab_title=TAB)
    return found


@dataclass(frozen=True)
class Said:
    """What a call was told, and what it took."""

    status: int
    words: str
    queries: int

    @property
    def refusal(self) -> str:
        """The kind of a refusal; its words where the kind says little."""
        try:
            told = json.loads(self.words)
        except ValueError:
            return ""
        if not isinstance(told, dict):
            return ""
        found = told.get("error") or next(iter(told.get("errors", [])), {"code": ""})
        return str(found["message"] if found["code"] in ("not_found", "invalid") else found["code"])


def made(client: APIClient, call: Attempt) -> Said:
    """The call, twice: the first fills what the process keeps."""
    method, path, body = call
    send = getattr(client, method.lower())
    for _ in range(2):
        cache.clear()  # the rates
        with taken_back(), CaptureQueriesContext(connection) as queries:
            if body is not None and "multipart" in body:
                sent = {field: SimpleUploadedFile(*file) for field, file in body["multipart"].items()}
                answer = send(path, sent, format="multipart")
            else:
                answer = send(path, body, format=None if body is None else "json")
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return Said(answer.status_code, OTHERS.sub("*", content.decode(errors="replace")), len(queries))


def without(words: str, call: Attempt) -> str:
    """The words without what was sent, which an answer may repeat."""
    _, path, body = call
    sent = {value for values in parse_qs(urlsplit(path).query).values() for value in values} | set(texts_of(body))
    for value in sorted(sent, key=len, reverse=True):
        for said in (value, value.removesuffix(".csv")):
            words = words.replace(said, "")
    return words


def texts_of(body: Any) -> Iterator[str]:
    match body:
        case str():
            yield body
        case dict():
            for name, value in body.items():
                yield name
                yield from texts_of(value)
        case list() | tuple():
            for value in body:
                yield from texts_of(value)
