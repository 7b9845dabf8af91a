"""Sessions that end by themselves: after 12 hours without a call, and after 7 days whatever happens.

Django's `expire_date` carries both: each save and each touch sets it to whichever comes first. So reading a session,
which looks at that date anyway, enforces both without a query more; one in use is written to once in some minutes.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.utils import timezone

BEGUN = "begun_at"
TOUCH_EVERY = timedelta(minutes=5)


class SessionStore(DatabaseStore):
    """The database's store with an absolute end beside the idle one (SESSION_COOKIE_AGE)."""

    _ends: datetime | None = None

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
        row: AbstractBaseSession | None = super()._get_session_from_db()  # type: ignore[misc]
        self._ends = row.expire_date if row else None
        return row

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        begun = data.setdefault(BEGUN, timezone.now().timestamp())
        row: AbstractBaseSession = super().create_model_instance(data)
        row.expire_date = _end(begun)
        return row


def _end(begun: float) -> datetime:
    """When a session that began then ends, if it is used now and not again."""
    absolute = datetime.fromtimestamp(begun, UTC) + timedelta(seconds=settings.SESSION_ABSOLUTE_AGE)
    return min(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE), absolute)
