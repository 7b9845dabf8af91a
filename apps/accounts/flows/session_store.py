"""Sessions that end by themselves, after 12 hours without a call and after 7 days whatever happens, and whose rows open
nothing.

Django's `expire_date` carries both ends: each save and each touch sets it to whichever comes first. So reading a
session, which looks at that date anyway, enforces both without a query more; one in use is written to once in some
minutes.

What a caller carries is a secret; what is stored, and what the code calls `session_key`, is its digest. Cookies and
tokens are digested apart: the secret of one is none of the other, so no token of the API opens the administration.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Self

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import InterfaceError, OperationalError
from django.db.models import CharField, DateTimeField
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.core.prepared import Prepared

BEGUN = "begun_at"
TOUCH_EVERY = timedelta(minutes=5)
Carrier = Literal["cookie", "token"]
_LENGTH = 40
"""Characters of a stored key: 160 bits of the digest."""


_ALIVE: Prepared[AbstractBaseSession] = Prepared(
    lambda key, now: SessionStore.get_model_class().objects.filter(session_key=key, expire_date__gt=now),
    key=CharField(),
    now=DateTimeField(),
)


def stored_key(secret: str, carrier: Carrier) -> str:
    """Under which key the session of a secret is stored."""
    return hashlib.sha256(f"{carrier}:{secret}".encode(errors="replace")).hexdigest()[:_LENGTH]


class SessionStore(DatabaseStore):
    """The database's store with an absolute end beside the idle one (SESSION_COOKIE_AGE)."""

    _ends: datetime | None = None
    secret: str | None = None
    """What its caller carries; None where the session was found by its stored key."""
    carrier: Carrier = "token"

    @classmethod
    def carried(cls, secret: str | None, carrier: Carrier) -> Self:
        """The session of a secret that a caller brought, or a new one."""
        store = cls(stored_key(secret, carrier) if secret else None)
        store.secret, store.carrier = secret, carrier
        return store

    def _get_new_session_key(self) -> str:
        self.secret = secrets.token_urlsafe(32)
        return stored_key(self.secret, self.carrier)

    def touch(self) -> None:
        """The session is in use: its idle time starts anew. Changes nothing of a session that is over."""
        begun = self.get(BEGUN)
        if begun is None or self._ends is None:
            return
        ends = _end(begun)
        if ends - self._ends > TOUCH_EVERY:
            rows = self.model.objects.filter(session_key=self.session_key, expire_date__gt=timezone.now())
            rows.update(expire_date=ends)
            self._ends = ends

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        row = _ALIVE.first(key=self.session_key, now=timezone.now())
        if row is None:
            self._session_key = None
        self._ends = row.expire_date if row else None
        return row

    def load(self) -> dict[str, Any]:
        """There is one backend. Sessions that began when it had another name go on with it, and end with it."""
        data: dict[str, Any] = super().load()
        if BACKEND_SESSION_KEY in data:
            data[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        return data

    def save(self, must_create: bool = False) -> None:
        """A database that is locked or away is told as such: to Django every failed update is a session that was
        deleted. Whoever closes the session after that does not wait for the database a second time."""
        try:
            super().save(must_create)
        except (UpdateError, OperationalError, InterfaceError) as error:
            failure = error.__context__ if isinstance(error, UpdateError) else error
            if not isinstance(failure, OperationalError | InterfaceError):
                raise
            self.modified = False
            raise failure from failure.__cause__

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        begun = data.setdefault(BEGUN, timezone.now().timestamp())
        row: AbstractBaseSession = super().create_model_instance(data)
        row.expire_date = _end(begun)
        return row


def _end(begun: float) -> datetime:
    """When a session that began then ends, if it is used now and not again."""
    absolute = datetime.fromtimestamp(begun, UTC) + timedelta(seconds=settings.SESSION_ABSOLUTE_AGE)
    return min(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE), absolute)


class CookieSessions(SessionMiddleware):
    """Django's middleware with the secret in the cookie."""

    def process_request(self, request: HttpRequest) -> None:
        """The session of the cookie, or a new one."""
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        request.session = SessionStore.carried(cookie, "cookie")

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """What the middleware would write of the stored key is the secret instead."""
        answer = super().process_response(request, response)
        cookie = answer.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie.value:
            session = request.session
            assert isinstance(session, SessionStore)
            assert session.secret is not None, "a session of a cookie is opened or made with its secret"
            cookie.set(cookie.key, session.secret, session.secret)
        return answer
