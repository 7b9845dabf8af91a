"""The calls to Google: OAuth, Drive and Sheets. Says what an answer means; decides nothing about our data.

Waits and tries again where Google asks for it (429, 5xx, and 403 with a rate limit as its reason). 404, and any other
403, mean that this file is gone or was never picked: only that spreadsheet is concerned, not the sign-in.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from django.conf import settings

from apps.integrations import http
from apps.integrations.connector import ConnectorError, Tokens
from apps.integrations.google import copy
from apps.integrations.google.cells import ColumnFormat
from apps.integrations.google.tabs import Spreadsheet, formats_of, spreadsheet_of, values_of

NAME = "Google"
SCOPES = (
    "openid",
    "https://www.googleapis.com/auth/userinfo.email",
    "https://www.googleapis.com/auth/drive.file",
    "https://www.googleapis.com/auth/spreadsheets",
)
NEEDED_SCOPE = "https://www.googleapis.com/auth/drive.file"
"""Enough to read what was picked; consent may be given to fewer scopes than were asked for."""
TRIES = 4
LONGEST_PAUSE = 20.0
_RATE_LIMITS = {"rateLimitExceeded", "userRateLimitExceeded", "RESOURCE_EXHAUSTED"}
_SCOPE_REASONS = {"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"}
_TAB_FIELDS = (
    "spreadsheetId,properties(title,timeZone,locale),"
    "sheets.properties(sheetId,title,index,sheetType,hidden,gridProperties(rowCount,columnCount))"
)
_FORMAT_FIELDS = "sheets(properties(sheetId),data(rowData(values(effectiveFormat(numberFormat)))))"

Pause = Callable[[float], None]


class Unauthorized(ConnectorError):
    """The access token was refused; a renewed one may do."""

    code = "unauthorized"


class FileGone(ConnectorError):
    """The file was deleted, moved out of reach, or access to it taken back."""

    code = "file_gone"


# ---------------------------------------------------------------- OAuth
def exchange(*, code: str, redirect_uri: str, verifier: str) -> Tokens:
    """Turns the consent's code into tokens, with the account's e-mail as its name. Raises ConnectorError."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri,
        "client_id": settings.GOOGLE_CLIENT_ID,
        "client_secret": settings.GOOGLE_CLIENT_SECRET,
        "code_verifier": verifier,
    }
    tokens = _tokens(_token_call(form))
    if NEEDED_SCOPE not in tokens.scopes:
        raise ConnectorError(copy.MISSING_SCOPE, permanent=True, code="missing_scope", needs_sign_in=True)
    account = _read(tokens.access_token, settings.GOOGLE_API_URL, "/oauth2/v2/userinfo", {})
    return Tokens(
        access_token=tokens.access_token,
        refresh_token=tokens.refresh_token,
        expires_in=tokens.expires_in,
        scopes=tokens.scopes,
        account_id=str(account.get("id", "")),
        account_name=str(account.get("email", "")),
    )


def refresh(*, refresh_token: str) -> Tokens:
    """New tokens; Google mostly keeps the refresh token as it is. Raises ConnectorError."""
    form = {
        "grant_type": "refresh_token",
        "refresh_token": refresh_token,
        "client_id": settings.GOOGLE_CLIENT_ID,
        "client_secret": settings.GOOGLE_CLIENT_SECRET,
    }
    return _tokens(_token_call(form))


def revoke(*, token: str) -> None:
    """Tells Google to forget the sign-in; one it does not know any more is no error. Raises ConnectorError."""
    answer = http.call(NAME, "POST", settings.GOOGLE_OAUTH_URL, "/revoke", form={"token": token})
    if answer.status >= 500 or answer.status == 429:
        raise ConnectorError(copy.UNAVAILABLE, permanent=False, retry_after=answer.retry_after())


def _token_call(form: Mapping[str, str]) -> Mapping[str, Any]:
    answer = http.call(NAME, "POST", settings.GOOGLE_OAUTH_URL, "/token", form=form)
    said = answer.json if isinstance(answer.json, Mapping) else {}
    if answer.status == 200 and said.get("access_token"):
        return said
    if answer.status >= 500 or answer.status == 429:
        raise ConnectorError(copy.UNAVAILABLE, permanent=False, retry_after=answer.retry_after())
    # invalid_grant: the code was used or is old, or the sign-in was revoked, unused for long, or of a test project
    raise ConnectorError(copy.SIGN_IN_AGAIN, permanent=True, code="sign_in_again", needs_sign_in=True)


def _tokens(said: Mapping[str, Any]) -> Tokens:
    lifetime = said.get("expires_in")
    return Tokens(
        access_token=str(said["access_token"]),
        refresh_token=str(said.get("refresh_token") or ""),
        expires_in=float(lifetime) if isinstance(lifetime, int | float) else None,
        scopes=tuple(str(said.get("scope") or "").split()),
    )


# ---------------------------------------------------------------- Sheets and Drive
def spreadsheet(token: str, file_id: str, *, pause: Pause = time.sleep, tries: int = TRIES) -> Spreadsheet:
    """The spreadsheet's tabs. Raises ConnectorError."""
    path = f"/v4/spreadsheets/{quote(file_id, safe='')}"
    return spreadsheet_of(
        _read(token, settings.GOOGLE_SHEETS_URL, path, {"fields": _TAB_FIELDS}, pause=pause, tries=tries)
    )


def formats(
    token: str, file_id: str, ranges: Sequence[str], *, pause: Pause = time.sleep
) -> dict[int, list[ColumnFormat]]:
    """The number formats of the ranges' columns, by sheet id. Raises ConnectorError."""
    path = f"/v4/spreadsheets/{quote(file_id, safe='')}"
    query = {"ranges": list(ranges), "fields": _FORMAT_FIELDS}
    return formats_of(_read(token, settings.GOOGLE_SHEETS_URL, path, query, pause=pause))


def values(
    token: str, file_id: str, ranges: Sequence[str], *, pause: Pause = time.sleep
) -> list[Sequence[Sequence[Any]]]:
    """The rows of each range: numbers as numbers, dates as day counts. Raises ConnectorError."""
    path = f"/v4/spreadsheets/{quote(file_id, safe='')}/values:batchGet"
    query = {
        "ranges": list(ranges),
        "majorDimension": "ROWS",
        "valueRenderOption": "UNFORMATTED_VALUE",
        "dateTimeRenderOption": "SERIAL_NUMBER",
    }
    return values_of(_read(token, settings.GOOGLE_SHEETS_URL, path, query, pause=pause), len(ranges))


def modified_ms(token: str, file_id: str, *, pause: Pause = time.sleep) -> int:
    """When the file was last changed, in milliseconds since the epoch. Raises ConnectorError; FileGone from the bin."""
    query = {"fields": "id,name,mimeType,modifiedTime,version,trashed", "supportsAllDrives": "true"}
    file = _read(token, settings.GOOGLE_API_URL, f"/drive/v3/files/{quote(file_id, safe='')}", query, pause=pause)
    if file.get("trashed"):
        raise FileGone(copy.FILE_GONE, permanent=True)
    try:
        moment = datetime.fromisoformat(str(file["modifiedTime"]))
    except (KeyError, ValueError):
        raise ConnectorError(copy.UNREADABLE, permanent=False, code="unreadable") from None
    return round(moment.astimezone(UTC).timestamp() * 1000)


def _read(
    token: str, base: str, path: str, query: Mapping[str, Any], *, pause: Pause = time.sleep, tries: int = TRIES
) -> Mapping[str, Any]:
    """A GET, tried again while Google says that trying again helps."""
    for attempt in range(tries):
        try:
            return _once(token, base, path, query)
        except ConnectorError as error:
            if error.permanent or isinstance(error, Unauthorized) or attempt == tries - 1:
                raise
            wait = error.retry_after if error.retry_after is not None else 2**attempt * (0.5 + random.random())  # noqa: S311
            if wait > LONGEST_PAUSE:
                raise
            pause(wait)
    raise AssertionError("the last try returns or raises")


def _once(token: str, base: str, path: str, query: Mapping[str, Any]) -> Mapping[str, Any]:
    answer = http.call(NAME, "GET", base, path, query=query, headers={"Authorization": f"Bearer {token}"})
    if answer.status == 200 and isinstance(answer.json, Mapping):
        return answer.json
    reasons = _reasons(answer.json)
    if answer.status == 401:
        raise Unauthorized(copy.SIGN_IN_AGAIN, permanent=False)
    if answer.status == 403 and reasons & _SCOPE_REASONS:
        raise ConnectorError(copy.MISSING_SCOPE, permanent=True, code="missing_scope", needs_sign_in=True)
    if answer.status in (429, 200) or answer.status >= 500 or (answer.status == 403 and reasons & _RATE_LIMITS):
        raise ConnectorError(copy.UNAVAILABLE, permanent=False, retry_after=answer.retry_after())
    if answer.status in (403, 404):
        raise FileGone(copy.FILE_GONE, permanent=True)
    raise ConnectorError(copy.REFUSED, permanent=True, code="refused")


def _reasons(said: Any) -> set[str]:
    """Every reason an error answer gives: `errors[].reason` of the older form, `status` and details of the newer."""
    error = said.get("error") if isinstance(said, Mapping) else None
    if not isinstance(error, Mapping):
        return set()
    parts = [*error.get("errors", []), *error.get("details", [])]
    return {str(part.get("reason")) for part in parts if isinstance(part, Mapping)} | {str(error.get("status"))}
