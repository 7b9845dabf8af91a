"""HubSpot's stand-in: consent page, tokens that end, lists, search with its cap, properties, owners, and its refusals.

Of its own faults: "loop" at objects.list or objects.search repeats the cursor it was given.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any, cast
from urllib.parse import urlencode

from apps.integrations.fakes.base import FakeService, Reply, Request, Route
from apps.integrations.fakes.control import control_routes
from apps.integrations.fakes.hubspot_account import Account, Record, stamp
from apps.integrations.fakes.hubspot_contract import HubSpotContract
from apps.integrations.fakes.hubspot_words import OWNERS, property_rows
from apps.integrations.fakes.names import HUBSPOT_CLIENT_ID as CLIENT_ID
from apps.integrations.fakes.names import HUBSPOT_CLIENT_SECRET as CLIENT_SECRET
from apps.integrations.hubspot import wire
from apps.integrations.hubspot.wire import Category

HUB_ID, HUB_DOMAIN = 4_400_001, "acme-sandbox.example"
ALL_SCOPES = (*wire.SCOPES, *wire.OPTIONAL_SCOPES)
_READ_SCOPE = {category: known.scope for category, known in wire.OBJECTS.items()}


@dataclass
class Grant:
    """A consent: whose account, what may be read, and whether it was taken back."""

    hub_id: int
    scopes: tuple[str, ...]
    revoked: bool = False


@dataclass
class Refusal(Exception):
    """An answer that ends the call early."""

    reply: Reply


def problem(status: int, message: str, category: str, **more: Any) -> Reply:
    """An error as HubSpot words it."""
    body = {"status": "error", "message": message, "correlationId": secrets.token_hex(16), "category": category}
    return Reply(status, {**body, **more})


class FakeHubSpot(FakeService):
    """One app, one account. `account`, `account_scopes`, `token_seconds` and the limits may be set while it serves."""

    name = "HubSpot's stand-in"

    def __init__(self, account: Account | None = None, *, check: bool = True) -> None:
        super().__init__(HubSpotContract() if check else None)
        self.account = account or Account()
        self.hub_id, self.hub_domain = HUB_ID, HUB_DOMAIN
        self.account_scopes: tuple[str, ...] = ALL_SCOPES
        self.token_seconds = 1_800.0
        self.per_ten_seconds: int | None = None
        self.searches_per_second: int | None = None
        self.codes: dict[str, tuple[str, Grant]] = {}
        self.access: dict[str, tuple[float, Grant]] = {}
        self.refresh: dict[str, Grant] = {}
        self._recent: deque[float] = deque()
        self._searches: deque[float] = deque()
        kind = cast(Category, "{kind}")
        objects = wire.objects_path(kind)
        self.routes = [
            Route("GET", "/oauth/authorize", "consent", self.consent),
            Route("POST", wire.TOKEN_PATH, "oauth.token", self.token),
            Route("POST", f"{wire.TOKEN_PATH}/introspect", "oauth.introspect", self.introspect),
            Route("POST", f"{wire.TOKEN_PATH}/revoke", "oauth.revoke", self.revoke),
            Route("GET", wire.OWNERS_PATH, "owners.list", self._guarded(self.owners, "crm.objects.owners.read")),
            Route("GET", wire.properties_path(kind), "properties.list", self._guarded(self.properties)),
            Route("POST", f"{objects}/search", "objects.search", self._guarded(self.search)),
            Route("GET", objects, "objects.list", self._guarded(self.listed)),
            Route("GET", f"{objects}/{{number}}", "objects.get", self._guarded(self.one)),
            *control_routes(self),
        ]

    # ------------------------------------------------------------ what a person or HubSpot does from outside
    def grant(self, redirect_uri: str, *, scopes: Sequence[str] = ALL_SCOPES) -> str:
        """A member consents: the code that the browser brings back."""
        code = secrets.token_urlsafe(24)
        granted = tuple(scope for scope in scopes if scope in self.account_scopes)
        self.codes[code] = (redirect_uri, Grant(self.hub_id, granted))
        return code

    def expire_tokens(self) -> None:
        """Every access token has ended; refresh tokens are still good."""
        with self.lock:
            self.access = {token: (0.0, grant) for token, (_, grant) in self.access.items()}

    def revoke_all(self) -> None:
        """The app was taken out of the account."""
        with self.lock:
            for grant in [*self.refresh.values(), *(grant for _, grant in self.access.values())]:
                grant.revoked = True

    # ------------------------------------------------------------ OAuth
    def consent(self, request: Request) -> Reply:
        query = request.query
        wanted = query.get("scope", "").split()
        missing = [scope for scope in wanted if scope not in self.account_scopes]
        if query.get("client_id") != CLIENT_ID or not query.get("redirect_uri") or missing:
            return Reply(
                400, html=_page("This app cannot be connected", f"<p>Not granted: {escape(' '.join(missing))}")
            )
        back, state = query["redirect_uri"], {"state": query["state"]} if "state" in query else {}
        yes = f"{back}?{urlencode({'code': self.grant(back, scopes=wanted + self._optional(request)), **state})}"
        no = f"{back}?{urlencode({'error': 'access_denied', **state})}"
        listed = "".join(f"<li>{escape(scope)}</li>" for scope in wanted + self._optional(request))
        return Reply(
            html=_page(
                f"Connect an app to {self.hub_domain}",
                f'<ul>{listed}</ul><p><a href="{escape(yes)}">Connect app</a> <a href="{escape(no)}">Cancel</a></p>',
            )
        )

    def _optional(self, request: Request) -> list[str]:
        return [scope for scope in request.query.get("optional_scope", "").split() if scope in self.account_scopes]

    def token(self, request: Request) -> Reply:
        form = request.form
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return problem(401, "invalid client", "BAD_CLIENT")
        if form.get("grant_type") == "authorization_code":
            redirect_uri, grant = self.codes.pop(form.get("code", ""), ("", None))
            if grant is None or redirect_uri != form.get("redirect_uri"):
                return problem(400, "missing or unknown auth code", "BAD_AUTH_CODE")
            refresh_token = f"refresh-{secrets.token_urlsafe(40)}"
            self.refresh[refresh_token] = grant
        else:
            refresh_token = form.get("refresh_token", "")
            found = self.refresh.get(refresh_token)
            if form.get("grant_type") != "refresh_token" or found is None or found.revoked:
                return problem(400, "missing or invalid refresh token", "BAD_REFRESH_TOKEN")
            grant = found
        access_token = f"access-{secrets.token_urlsafe(240)}"
        self.access[access_token] = (time.time() + self.token_seconds, grant)
        return Reply(json={
            "access_token": access_token, "refresh_token": refresh_token, "expires_in": int(self.token_seconds),
            "token_type": "bearer", "hub_id": grant.hub_id, "scopes": list(grant.scopes),
        })  # fmt: skip

    def introspect(self, request: Request) -> Reply:
        _, grant = self.access.get(request.form.get("token", ""), (0.0, None))
        if grant is None:
            return problem(404, "unknown token", "NOT_FOUND")
        return Reply(json={"hub_id": grant.hub_id, "hub_domain": self.hub_domain, "scopes": list(grant.scopes)})

    def revoke(self, request: Request) -> Reply:
        grant = self.refresh.get(request.form.get("token", ""))
        if grant is None:
            return problem(404, "unknown token", "NOT_FOUND")
        grant.revoked = True
        return Reply(204)

    # ------------------------------------------------------------ the CRM
    def _guarded(self, handler: Any, scope: str | None = None) -> Any:
        """The checks before every call of the CRM: token, kind, scope, limits."""

        def guarded(request: Request, **names: str) -> Reply:
            ends, grant = self.access.get(request.bearer, (0.0, None))
            if grant is None or grant.revoked or ends < time.time():
                return problem(401, "The OAuth token used to make this call expired.", "EXPIRED_AUTHENTICATION")
            kind = names.get("kind")
            if kind is not None and kind not in wire.OBJECTS:
                return problem(400, f"Unable to infer object type from: {kind}", "VALIDATION_ERROR")
            needed = scope or _READ_SCOPE[cast(Category, kind)]
            if needed not in grant.scopes:
                return problem(
                    403, "This app hasn't been granted all required scopes to make this call.", "MISSING_SCOPES",
                    errors=[{"message": "A scope is missing.", "context": {"requiredGranularScopes": [needed]}}],
                )  # fmt: skip
            try:
                headers = self._counted(search=handler == self.search)
                reply: Reply = handler(request, **names)
            except Refusal as refusal:
                return refusal.reply
            reply.headers.update(headers)
            return reply

        return guarded

    def _counted(self, *, search: bool) -> dict[str, str]:
        now = time.monotonic()
        if search:
            _forget(self._searches, now - 1)
            if self.searches_per_second is not None and len(self._searches) >= self.searches_per_second:
                raise Refusal(_limited("You have reached your secondly limit.", "SECONDLY"))
            self._searches.append(now)
            return {}
        _forget(self._recent, now - 10)
        if self.per_ten_seconds is None:
            return {}
        if len(self._recent) >= self.per_ten_seconds:
            raise Refusal(_limited("You have reached your ten_secondly_rolling limit.", "TEN_SECONDLY_ROLLING"))
        self._recent.append(now)
        return {
            "X-HubSpot-RateLimit-Max": str(self.per_ten_seconds),
            "X-HubSpot-RateLimit-Remaining": str(self.per_ten_seconds - len(self._recent)),
            "X-HubSpot-RateLimit-Interval-Milliseconds": "10000",
        }

    def owners(self, request: Request) -> Reply:
        since = stamp(self.account.planted)
        rows = [
            {"id": str(number), "firstName": first, "lastName": last, "email": email, "userId": number,
             "type": "PERSON", "archived": False, "createdAt": since, "updatedAt": since}
            for number, first, last, email in OWNERS
        ]  # fmt: skip
        if request.query.get("archived") == "true":
            rows = []
        return self._paged("owners.list", request, rows, int(request.query.get("after", "0") or 0))

    def properties(self, request: Request, kind: str) -> Reply:
        return Reply(json={"results": property_rows(kind, self.account.currencies)})

    def listed(self, request: Request, kind: str) -> Reply:
        query, category = request.query, cast(Category, kind)
        limit, after = _limit(query, wire.LIST_PAGE), query.get("after", "")
        found = self.account.after(
            category, int(after or 0), limit + 1, archived=query.get("archived", "false") == "true"
        )
        page, more = found[:limit], len(found) > limit
        rows = [self._row(category, record, query) for record in page]
        return self._rows("objects.list", rows, str(page[-1].id) if more else None, after)

    def one(self, request: Request, kind: str, number: str) -> Reply:
        category = cast(Category, kind)
        record = self.account.get(category, int(number)) if number.isdigit() else None
        if record is None or record.archived:
            return problem(404, "resource not found", "OBJECT_NOT_FOUND")
        return Reply(json=self._row(category, record, request.query))

    def search(self, request: Request, kind: str) -> Reply:
        body, category = request.json, cast(Category, kind)
        limit, offset = int(body.get("limit", 10)), int(body.get("after") or 0)
        if limit > wire.SEARCH_PAGE or offset + limit > wire.SEARCH_CAP:
            return problem(400, "There was a problem with the request: paging beyond the limit.", "VALIDATION_ERROR")
        known = wire.OBJECTS[category]
        filters = [one for group in body.get("filterGroups", []) for one in group["filters"]]
        if [(one["propertyName"], one["operator"]) for one in filters] != [(known.modified, "GTE")]:
            return problem(400, "The stand-in searches by the time of the last change only.", "VALIDATION_ERROR")
        since = datetime.fromtimestamp(int(filters[0]["value"]) / 1_000, UTC)
        found = self.account.modified_since(category, since)
        wanted = {"properties": ",".join(body.get("properties", []))}
        rows = [self._row(category, record, wanted) for record in found[offset : offset + limit]]
        following = str(offset + limit) if offset + limit < min(len(found), wire.SEARCH_CAP) else None
        reply = self._rows("objects.search", rows, following, str(body.get("after") or ""))
        reply.json["total"] = len(found)
        return reply

    def _row(self, category: Category, record: Record, query: dict[str, str]) -> dict[str, Any]:
        asked = {name for name in query.get("properties", "").split(",") if name}
        kept = {**record.properties, wire.OBJECTS[category].modified: stamp(record.updated)}
        row: dict[str, Any] = {
            "id": str(record.id),
            "properties": {name: kept.get(name) for name in sorted(asked | {"hs_object_id"})},
            "createdAt": stamp(record.created),
            "updatedAt": stamp(record.updated),
            "archived": record.archived,
        }
        if record.archived:
            row["archivedAt"] = stamp(record.updated)
        links = {
            other: {
                "results": [{"id": str(number), "type": f"{category}_to_{other}"} for number in record.links[other]]
            }
            for other in query.get("associations", "").split(",")
            if record.links.get(other)
        }
        return {**row, "associations": links} if links else row

    def _paged(self, operation: str, request: Request, rows: list[Any], offset: int) -> Reply:
        limit = _limit(request.query, 500)
        following = str(offset + limit) if offset + limit < len(rows) else None
        return self._rows(operation, rows[offset : offset + limit], following, request.query.get("after", ""))

    def _rows(self, operation: str, rows: list[Any], following: str | None, given: str) -> Reply:
        if following is not None and given and self.ordered(operation, "loop"):
            following = given
        paging = {"paging": {"next": {"after": following}}} if following is not None else {}
        return Reply(json={"results": rows, **paging})


def _limit(query: dict[str, str], most: int) -> int:
    limit = int(query.get("limit", "10"))
    if limit > most:
        raise Refusal(problem(400, f"limit may be at most {most}", "VALIDATION_ERROR"))
    return limit


def _limited(message: str, policy: str) -> Reply:
    return problem(429, message, "RATE_LIMITS", policyName=policy)


def _forget(moments: deque[float], before: float) -> None:
    while moments and moments[0] < before:
        moments.popleft()


def _page(title: str, body: str) -> str:
    return f'<!doctype html><html lang="en"><title>{escape(title)}</title><h1>{escape(title)}</h1>{body}</html>'
