"""Google's stand-in: consent, tokens, Drive, Sheets, and the picker's script. One account, its files in memory."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any
from urllib.parse import unquote, urlencode

from apps.integrations.fakes import names
from apps.integrations.fakes.base import FakeService, Reply, Request, Route
from apps.integrations.fakes.control import control_routes
from apps.integrations.fakes.google_contract import GoogleContract
from apps.integrations.fakes.google_files import FakeFile, NoSuchRange, planted
from apps.integrations.fakes.google_pages import consent_page, edit_page, picker_frame, picker_script

DRIVE_FILE = "https://www.googleapis.com/auth/drive.file"


@dataclass
class _Grant:
    """A consent: what its code, and later its refresh token, stands for."""

    redirect_uri: str
    challenge: str
    scope: str
    offline: bool


@dataclass
class _Access:
    scope: str
    ends: float
    refresh_token: str = field(repr=False, default="")


class FakeGoogle(FakeService):
    """Set `token_seconds`, `email` and `files`, call `revoke_all`, before or while it serves."""

    name = "Google's stand-in"

    def __init__(self) -> None:
        super().__init__(GoogleContract())
        self.email = "ana@sheets.example"
        self.account_id = "108000000000000000001"
        self.token_seconds = 3_599
        self.files: dict[str, FakeFile] = {file.file_id: file for file in planted()}
        self.codes: dict[str, _Grant] = {}
        self.refresh_tokens: dict[str, _Grant] = {}
        self.access_tokens: dict[str, _Access] = {}
        self.routes = [
            Route("GET", "/o/oauth2/v2/auth", "oauth.consent", self.consent),
            Route("GET", "/consent/allow", "oauth.allow", self.allow),
            Route("POST", "/token", "oauth.token", self.token),
            Route("POST", "/revoke", "oauth.revoke", self.revoke),
            Route("GET", "/oauth2/v2/userinfo", "oauth2.userinfo.get", self.userinfo),
            Route("GET", "/drive/v3/files/{file_id}", "drive.files.get", self.drive_file),
            Route("GET", "/v4/spreadsheets/{file_id}", "sheets.spreadsheets.get", self.spreadsheet),
            Route(
                "GET", "/v4/spreadsheets/{file_id}/values:batchGet", "sheets.spreadsheets.values.batchGet", self.values
            ),
            Route("GET", "/js/api.js", "picker.script", self.picker),
            Route("GET", "/picker", "pages", self.frame),
            Route("GET", "/", "pages", self.edit),
            Route("POST", "/edit", "pages", self.edited),
            *control_routes(self),
        ]

    def revoke_all(self) -> None:
        """As its user does in the account's settings: no token is good any more."""
        with self.lock:
            self.refresh_tokens.clear()
            self.access_tokens.clear()

    def expire_all(self) -> None:
        """All access tokens end now; refresh tokens stay good."""
        with self.lock:
            self.access_tokens.clear()

    # ------------------------------------------------------------ consent and tokens
    def consent(self, request: Request) -> Reply:
        query = request.query
        if query.get("client_id") != names.GOOGLE_CLIENT_ID or query.get("response_type") != "code":
            return Reply(400, html="<h1>Error 400: invalid_client</h1>")
        return Reply(html=consent_page(self.email, query))

    def allow(self, request: Request) -> Reply:
        """What the page's button leads to: back to the product with a code."""
        query = request.query
        code = f"4/{secrets.token_urlsafe(24)}"
        offline = query.get("access_type") == "offline" and query.get("prompt") == "consent"
        scope = query["scope"] if query.get("files") == "on" else query["scope"].replace(DRIVE_FILE, "").strip()
        self.codes[code] = _Grant(query["redirect_uri"], query.get("code_challenge", ""), scope, offline)
        back = urlencode({"state": query.get("state", ""), "code": code, "scope": scope})
        return Reply(302, headers={"location": f"{query['redirect_uri']}?{back}"})

    def token(self, request: Request) -> Reply:
        form = request.form
        if (form["client_id"], form["client_secret"]) != (names.GOOGLE_CLIENT_ID, names.GOOGLE_CLIENT_SECRET):
            return Reply(401, {"error": "invalid_client", "error_description": "Unauthorized"})
        if form["grant_type"] == "refresh_token":
            grant = self.refresh_tokens.get(form["refresh_token"])
            if grant is None:
                return _invalid_grant("Token has been expired or revoked.")
            return Reply(json=self._access(grant, form["refresh_token"]))
        grant = self.codes.pop(form["code"], None)
        if grant is None or grant.redirect_uri != form["redirect_uri"]:
            return _invalid_grant("Bad Request")
        if grant.challenge and grant.challenge != _challenge(form["code_verifier"]):
            return _invalid_grant("Missing code verifier.")
        refresh_token = f"1//{secrets.token_urlsafe(32)}" if grant.offline else ""
        if refresh_token:
            self.refresh_tokens[refresh_token] = grant
        return Reply(
            json={**self._access(grant, refresh_token), **({"refresh_token": refresh_token} if refresh_token else {})}
        )

    def _access(self, grant: _Grant, refresh_token: str) -> dict[str, Any]:
        token = f"ya29.{secrets.token_urlsafe(48)}"
        self.access_tokens[token] = _Access(grant.scope, time.time() + self.token_seconds, refresh_token)
        return {"access_token": token, "expires_in": self.token_seconds, "scope": grant.scope, "token_type": "Bearer"}

    def revoke(self, request: Request) -> Reply:
        token = request.form.get("token", "")
        if self.refresh_tokens.pop(token, None) is None and self.access_tokens.pop(token, None) is None:
            return Reply(400, {"error": "invalid_token", "error_description": "Token expired or revoked"})
        for access in [key for key, held in self.access_tokens.items() if held.refresh_token == token]:
            del self.access_tokens[access]
        return Reply(json={})

    def userinfo(self, request: Request) -> Reply:
        refused = self._refused(request)
        return refused or Reply(json={"id": self.account_id, "email": self.email, "verified_email": True})

    # ------------------------------------------------------------ Drive and Sheets
    def drive_file(self, request: Request, file_id: str) -> Reply:
        refused = self._refused(request, file_id)
        if refused:
            return refused
        file = self.files[unquote(file_id)]
        stamp = file.modified.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        kind = "application/vnd.google-apps.spreadsheet"
        said = {"id": file.file_id, "name": file.title, "mimeType": kind, "modifiedTime": stamp}
        return Reply(json={**said, "version": str(file.version), "trashed": file.trashed})

    def spreadsheet(self, request: Request, file_id: str) -> Reply:
        refused = self._refused(request, file_id)
        if refused:
            return refused
        file = self.files[unquote(file_id)]
        if "rowData" in request.query.get("fields", ""):
            try:
                asked = [file.read(one)["range"] for one in request.queries.get("ranges", [])]
            except NoSuchRange:
                return _error(400, f"Unable to parse range: {request.query.get('ranges')}", "INVALID_ARGUMENT")
            tabs = [
                tab for tab in file.tabs if any(one.startswith("'" + tab.title.replace("'", "''")) for one in asked)
            ]
            sheets = [
                {"properties": {"sheetId": tab.sheet_id} if tab.sheet_id else {}, "data": [tab.grid(30)]}
                for tab in tabs
            ]
            return Reply(json={"sheets": sheets})
        sheets = [{"properties": tab.properties(index)} for index, tab in enumerate(file.tabs)]
        properties = {"title": file.title, "locale": "en_GB", "timeZone": "Europe/London"}
        return Reply(json={"spreadsheetId": file.file_id, "properties": properties, "sheets": sheets})

    def values(self, request: Request, file_id: str) -> Reply:
        refused = self._refused(request, file_id)
        if refused:
            return refused
        file = self.files[unquote(file_id)]
        try:
            ranges = [file.read(asked) for asked in request.queries.get("ranges", [])]
        except NoSuchRange:
            return _error(400, f"Unable to parse range: {request.query.get('ranges')}", "INVALID_ARGUMENT")
        return Reply(json={"spreadsheetId": file.file_id, "valueRanges": ranges})

    def _refused(self, request: Request, file_id: str | None = None) -> Reply | None:
        held = self.access_tokens.get(request.bearer)
        if held is None or held.ends < time.time():
            return _error(401, "Request had invalid authentication credentials.", "UNAUTHENTICATED")
        if file_id is None:
            return None
        if DRIVE_FILE not in held.scope:
            reason = {"reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "domain": "googleapis.com"}
            return _error(403, "Request had insufficient authentication scopes.", "PERMISSION_DENIED", details=[reason])
        file = self.files.get(unquote(file_id))
        if file is None or not file.reachable:
            return _error(404, f"File not found: {file_id}.", "NOT_FOUND")
        return None

    # ------------------------------------------------------------ what browsers load
    def picker(self, request: Request) -> Reply:
        return Reply(html=picker_script(), headers={"content-type": "text/javascript; charset=utf-8"})

    def frame(self, request: Request) -> Reply:
        """What the picker shows on the page that loaded it."""
        offered = [{"id": file.file_id, "name": file.title} for file in self.files.values() if not file.trashed]
        return Reply(html=picker_frame(offered, request.query.get("origin", "")))

    def edit(self, request: Request) -> Reply:
        return Reply(html=edit_page(list(self.files.values())))

    def edited(self, request: Request) -> Reply:
        """A row more at the end of a tab, from the page at /."""
        form = request.form
        file = self.files[form["file"]]
        cells = [float(cell) if cell.replace(".", "", 1).isdigit() else cell for cell in form["row"].split(",")]
        file.tab(form["tab"]).rows.append(cells)
        file.touch()
        return Reply(302, headers={"location": "/"})


def _error(status: int, message: str, name: str, *, details: list[dict[str, str]] | None = None) -> Reply:
    error: dict[str, Any] = {"code": status, "message": message, "status": name}
    return Reply(status, {"error": {**error, **({"details": details} if details else {})}})


def _invalid_grant(description: str) -> Reply:
    return Reply(400, {"error": "invalid_grant", "error_description": description})


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
