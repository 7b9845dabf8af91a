"""Reads of the CRM: pages, searches, single records, properties and owners, within HubSpot's limits.

Waits where HubSpot asks for it and renews the sign-in where it ended; what is left is raised as ConnectorError. Nothing
is written here, and nothing of an answer is quoted in a message or a log but HubSpot's correlation id.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from apps.integrations import http
from apps.integrations.connector import ConnectorError
from apps.integrations.hubspot import wire
from apps.integrations.hubspot.connector import NAME, SIGN_IN_AGAIN
from apps.integrations.hubspot.wire import Category
from apps.integrations.services.tokens import access_token, needs_sign_in

logger = logging.getLogger("apps.integrations.hubspot")

TRIES = 6
PATIENCE = 30.0
"""A longer wait is not made here: the refresh goes on later instead."""
FIRST_PAUSE = 1.0
LOCKED_PAUSE = 2.0
POLICY_PAUSES = {"TEN_SECONDLY_ROLLING": 10.0, "SECONDLY": 1.0}
DAILY_PAUSE = 3_600.0
PASSING = {423, 477, 500, 502, 503, 504, 524}
_CORRELATION = re.compile(r"[0-9a-fA-F-]{8,40}")
UNREADABLE = "HubSpot sent an answer that cannot be read."


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows as HubSpot sends them, and where the next ones start; `total` only of a search."""

    rows: Sequence[Mapping[str, Any]]
    after: str | None
    total: int = 0


@dataclass(slots=True)
class HubSpotClient:
    """One account. `pause` waits that many seconds; `calls` counts what was asked."""

    connection_id: UUID
    pause: Callable[[float], None] = time.sleep
    calls: int = 0
    _searched_at: float = field(default=0.0)
    _refused: str | None = None

    # ------------------------------------------------------------ reads
    def page(
        self,
        category: Category,
        *,
        properties: Sequence[str] = (),
        links: Sequence[str] = (),
        after: str | None = None,
        archived: bool = False,
    ) -> Page:
        """The records of a kind in the order of their ids, a hundred at a time."""
        query: dict[str, str] = {"limit": str(wire.LIST_PAGE), "archived": "true" if archived else "false"}
        if properties:
            query["properties"] = ",".join(properties)
        if links:
            query["associations"] = ",".join(links)
        if after:
            query["after"] = after
        return _page(self._call("GET", wire.objects_path(category), query=query), after)

    def changed(self, category: Category, *, since: datetime, properties: Sequence[str], after: str | None) -> Page:
        """Records changed then or later, the earliest change first; at most 10,000 of them in all."""
        known = wire.OBJECTS[category]
        body: dict[str, Any] = {
            "filterGroups": [
                {"filters": [{"propertyName": known.modified, "operator": "GTE", "value": str(_millis(since))}]}
            ],
            "sorts": [known.modified],
            "properties": [*properties, known.modified],
            "limit": wire.SEARCH_PAGE,
        }
        if after:
            body["after"] = after
        self._space_searches()
        return _page(self._call("POST", f"{wire.objects_path(category)}/search", body=body), after)

    def one(
        self, category: Category, record_id: str, *, properties: Sequence[str], links: Sequence[str]
    ) -> Mapping[str, Any] | None:
        """One record with its links; None where it is gone."""
        query = {"properties": ",".join(properties), "associations": ",".join(links)}
        try:
            answer = self._call("GET", f"{wire.objects_path(category)}/{record_id}", query=query)
        except ConnectorError as error:
            if error.code == "not_found":
                return None
            raise
        return answer if isinstance(answer, Mapping) else None

    def properties(self, category: Category) -> list[dict[str, Any]]:
        """The properties of a kind as HubSpot describes them."""
        answer = self._call("GET", wire.properties_path(category), query={"archived": "false"})
        return [dict(row) for row in _page(answer, None).rows]

    def owners(self) -> Iterator[Mapping[str, Any]]:
        """Everybody who owns records, those who left among them."""
        for archived in ("false", "true"):
            after: str | None = None
            while True:
                query = {"limit": "100", "archived": archived, **({"after": after} if after else {})}
                page = _page(self._call("GET", wire.OWNERS_PATH, query=query), after)
                yield from page.rows
                after = page.after
                if after is None:
                    break

    # ------------------------------------------------------------ one call, as often as it takes
    def _call(self, method: str, path: str, *, query: Mapping[str, str] | None = None, body: Any = None) -> Any:
        for attempt in range(TRIES):
            last = attempt == TRIES - 1
            token = access_token(self.connection_id, refused=self._refused, pause=self.pause)
            self.calls += 1
            try:
                answer = http.call(
                    NAME, method, settings.HUBSPOT_API_URL, path, query=query, body=body,
                    headers={"Authorization": f"Bearer {token}"},
                )  # fmt: skip
            except ConnectorError:
                if last:
                    raise
                self.pause(FIRST_PAUSE * 2**attempt)
                continue
            if answer.status < 300:
                self._refused = None
                self._slow_down(answer)
                return answer.json
            if answer.status == 401 and self._refused is None:
                self._refused = token
                continue
            self._give_up_or_wait(answer, attempt, last=last)
        raise AssertionError("the last attempt ends by an answer or an error")

    def _give_up_or_wait(self, answer: http.Answer, attempt: int, *, last: bool) -> None:
        error = self._error(answer)
        logger.warning("HubSpot answered %s (%s), correlation %s", answer.status, error.code, _correlation(answer))
        if error.needs_sign_in:
            needs_sign_in(self.connection_id, error.message)
        least = LOCKED_PAUSE if answer.status == 423 else FIRST_PAUSE
        wait = error.retry_after if error.retry_after is not None else max(least, FIRST_PAUSE * 2**attempt)
        if error.permanent or last or wait > PATIENCE:
            raise error
        self.pause(wait)

    def _error(self, answer: http.Answer) -> ConnectorError:
        """What a refusal means, with the seconds that HubSpot asks us to wait."""
        match answer.status:
            case 401:
                return ConnectorError(SIGN_IN_AGAIN, permanent=True, needs_sign_in=True, code="needs_sign_in")
            case 403:
                return ConnectorError(
                    f"HubSpot does not let us read this: the permission {_missing_scope(answer)} is missing.",
                    permanent=True,
                    code="missing_scope",
                )
            case 404:
                return ConnectorError("HubSpot does not have this any more.", permanent=True, code="not_found")
            case 429:
                return _limited(answer)
            case status if status in PASSING or status >= 500:
                return ConnectorError(
                    "HubSpot does not answer at the moment. The refresh goes on where it stopped.",
                    permanent=False,
                    code="unavailable",
                    retry_after=answer.retry_after(),
                )
        return ConnectorError(f"HubSpot refused a request ({answer.status}).", permanent=True, code="refused")

    def _slow_down(self, answer: http.Answer) -> None:
        """Waits out the interval before the last allowed call, so that others of the account get through too."""
        left, interval = (
            _number(answer.headers.get(f"x-hubspot-ratelimit-{name}"))
            for name in ("remaining", "interval-milliseconds")
        )
        if left is not None and interval is not None and left <= 1:
            self.pause(min(interval / 1_000, PATIENCE))

    def _space_searches(self) -> None:
        now = time.monotonic()
        early = self._searched_at + wire.SEARCH_SPACING - now
        if early > 0:
            self.pause(early)
        self._searched_at = max(now, now + early)


def _page(answer: Any, given: str | None) -> Page:
    """The rows of an answer. A cursor that leads back to itself would never end: it is refused."""
    rows = answer.get("results") if isinstance(answer, Mapping) else None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise ConnectorError(UNREADABLE, permanent=False, code="unreadable")
    following = ((answer.get("paging") or {}).get("next") or {}).get("after")
    if following is not None and str(following) == given:
        raise repeats_itself()
    total = answer.get("total")
    return Page(rows, None if following is None else str(following), total if isinstance(total, int) else 0)


def repeats_itself() -> ConnectorError:
    """HubSpot's pages lead in a circle."""
    return ConnectorError(
        "HubSpot's list leads back to itself. Please refresh again later.", permanent=True, code="loop"
    )


def _limited(answer: http.Answer) -> ConnectorError:
    policy = answer.json.get("policyName") if isinstance(answer.json, Mapping) else None
    if policy == "DAILY":
        message, pause = (
            "HubSpot's limit for today is reached. The refresh goes on when HubSpot allows it.",
            DAILY_PAUSE,
        )
    else:
        message = "HubSpot asks us to slow down. The refresh goes on by itself."
        pause = POLICY_PAUSES.get(str(policy), POLICY_PAUSES["TEN_SECONDLY_ROLLING"])
    asked = answer.retry_after()
    return ConnectorError(
        message, permanent=False, code="rate_limited", retry_after=pause if asked is None else max(asked, 0.1)
    )


def _missing_scope(answer: http.Answer) -> str:
    """The scope's name where HubSpot says one; only what looks like one is repeated."""
    errors = answer.json.get("errors") if isinstance(answer.json, Mapping) else None
    for error in errors if isinstance(errors, list) else []:
        context = error.get("context") if isinstance(error, Mapping) else None
        for scopes in context.values() if isinstance(context, Mapping) else []:
            for scope in scopes if isinstance(scopes, list) else []:
                if isinstance(scope, str) and len(scope) < 60 and scope.replace(".", "").replace("-", "").isalnum():
                    return scope
    return "for it"


def _correlation(answer: http.Answer) -> str:
    said = answer.json.get("correlationId") if isinstance(answer.json, Mapping) else None
    return said if isinstance(said, str) and _CORRELATION.fullmatch(said) else "none"


def _millis(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000)


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None
