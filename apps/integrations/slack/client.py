"""The calls to Slack's Web API. Says what an answer means; decides nothing about our data.

Slack answers 200 with `ok: false` where something failed. A call that was refused for its rate waits as Slack says and
is tried again; a message is never sent twice for a failure that may have come after it was taken.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from apps.integrations import http
from apps.integrations.connector import ConnectorError, Tokens
from apps.integrations.slack import copy

NAME = "Slack"
SCOPES = ("chat:write", "commands", "app_mentions:read", "im:history", "im:write", "files:write")
TRIES = 3
LONGEST_PAUSE = 60.0
SIGN_IN_ERRORS = frozenset(
    {"invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive", "org_login_required",
     "invalid_refresh_token", "invalid_code", "code_already_used", "team_access_not_granted"}
)  # fmt: skip
PASSING_ERRORS = frozenset({"ratelimited", "rate_limited", "internal_error", "fatal_error", "service_unavailable",
                            "request_timeout"})  # fmt: skip

Pause = Callable[[float], None]


class SlackRefused(ConnectorError):
    """Slack said no; `error` is its word for why: channel_not_found, not_in_channel, msg_too_long ..."""

    def __init__(self, error: str) -> None:
        super().__init__(copy.CANNOT_POST.format(error=error), permanent=True, code=error[:60])
        self.error = error


# ---------------------------------------------------------------- OAuth
def exchange(*, code: str, redirect_uri: str) -> Tokens:
    """Turns the consent's code into a bot token and says whose workspace it is. Raises ConnectorError."""
    return _tokens(_oauth({"code": code, "redirect_uri": redirect_uri}))


def refresh(*, refresh_token: str) -> Tokens:
    """New tokens, where the app has rotation switched on. Raises ConnectorError."""
    return _tokens(_oauth({"grant_type": "refresh_token", "refresh_token": refresh_token}))


def revoke(*, access_token: str) -> None:
    """Tells Slack to forget the token; one it does not know any more is no error. Raises ConnectorError."""
    try:
        call(access_token, "auth.revoke", {})
    except ConnectorError as error:
        if not (error.needs_sign_in or isinstance(error, SlackRefused)):
            raise


def _oauth(form: Mapping[str, str]) -> Mapping[str, Any]:
    pair = f"{settings.SLACK_CLIENT_ID}:{settings.SLACK_CLIENT_SECRET}"
    headers = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    return _meant(http.call(NAME, "POST", settings.SLACK_URL, "/api/oauth.v2.access", form=form, headers=headers))


def _tokens(said: Mapping[str, Any]) -> Tokens:
    team = said.get("team") or {}
    if said.get("is_enterprise_install") or not team.get("id"):
        raise ConnectorError(copy.ENTERPRISE_INSTALL, permanent=True, code="enterprise_install")
    lifetime = said.get("expires_in")
    return Tokens(
        access_token=str(said["access_token"]),
        refresh_token=str(said.get("refresh_token") or ""),
        expires_in=float(lifetime) if isinstance(lifetime, int | float) else None,
        scopes=tuple(scope for scope in str(said.get("scope") or "").split(",") if scope),
        account_id=str(team["id"]),
        account_name=str(team.get("name") or ""),
        extra={"bot_user_id": str(said.get("bot_user_id") or ""), "app_id": str(said.get("app_id") or "")},
    )


# ---------------------------------------------------------------- messages
def post_message(
    token: str, *, channel: str, text: str, thread_ts: str = "", blocks: Sequence[Any] = (), pause: Pause = time.sleep
) -> str:
    """Posts into a channel (a thread of it) and returns the message's time stamp. Slack fetches no link of it."""
    said = call(token, "chat.postMessage", {**_message(channel, text, thread_ts, blocks), **_NO_UNFURLING}, pause=pause)
    return str(said.get("ts", ""))


def post_ephemeral(
    token: str,
    *,
    channel: str,
    user: str,
    text: str,
    thread_ts: str = "",
    blocks: Sequence[Any] = (),
    pause: Pause = time.sleep,
) -> None:
    """Posts what only this user sees. Raises ConnectorError."""
    call(token, "chat.postEphemeral", {**_message(channel, text, thread_ts, blocks), "user": user}, pause=pause)


def open_conversation(token: str, *, user: str, pause: Pause = time.sleep) -> str:
    """The id of the direct messages between the app and this user. Raises ConnectorError."""
    said = call(token, "conversations.open", {"users": user}, pause=pause)
    return str((said.get("channel") or {}).get("id", ""))


def respond(response_url: str, *, text: str, blocks: Sequence[Any] = ()) -> None:
    """Answers a slash command at the address it came with, for its user only. Raises ConnectorError."""
    base, path = _known_place(response_url, settings.SLACK_HOOKS_URL)
    body = {
        "response_type": "ephemeral",
        "replace_original": False,
        "text": text,
        **({"blocks": list(blocks)} if blocks else {}),
    }
    answer = http.call(NAME, "POST", base, path, body=body, secret_path=True)
    if answer.status >= 300:
        raise ConnectorError(copy.UNAVAILABLE, permanent=400 <= answer.status < 500, code="response_url")


def upload_picture(
    token: str, *, channel: str, thread_ts: str, name: str, title: str, content: bytes, pause: Pause = time.sleep
) -> None:
    """Shares a picture in a channel (a thread of it): asks for a place, sends the bytes, says where it belongs."""
    place = call(
        token, "files.getUploadURLExternal", {"filename": name, "length": len(content), "alt_txt": title}, pause=pause
    )
    base, path = _known_place(str(place.get("upload_url", "")), settings.SLACK_FILES_URL)
    answer = http.call(NAME, "POST", base, path, content=content, content_type="image/png", secret_path=True)
    if answer.status != 200:
        raise ConnectorError(copy.UNAVAILABLE, permanent=False, code="upload_failed")
    done = {"files": json.dumps([{"id": place.get("file_id"), "title": title}]), "channel_id": channel}
    call(
        token, "files.completeUploadExternal", {**done, **({"thread_ts": thread_ts} if thread_ts else {})}, pause=pause
    )


_NO_UNFURLING = {"unfurl_links": "false", "unfurl_media": "false"}


def _message(channel: str, text: str, thread_ts: str, blocks: Sequence[Any]) -> dict[str, str]:
    body = {"channel": channel, "text": text}
    if thread_ts:
        body["thread_ts"] = thread_ts
    if blocks:
        body["blocks"] = json.dumps(list(blocks))
    return body


def _known_place(address: str, expected: str) -> tuple[str, str]:
    """Base and path of an address that Slack named, if it is where it must be: nobody makes us call elsewhere."""
    named, known = urlsplit(address), urlsplit(expected)
    if (named.scheme, named.netloc) != (known.scheme, known.netloc):
        raise ConnectorError(copy.UNAVAILABLE, permanent=True, code="foreign_address")
    return expected, named.path + (f"?{named.query}" if named.query else "")


# ---------------------------------------------------------------- one call
def call(token: str, method: str, form: Mapping[str, Any], *, pause: Pause = time.sleep) -> Mapping[str, Any]:
    """One method of the Web API. Raises ConnectorError; waits and tries again where Slack says it was too much."""
    fields = {name: str(value) for name, value in form.items()}
    headers = {"Authorization": f"Bearer {token}"}
    for attempt in range(TRIES):
        answer = http.call(NAME, "POST", settings.SLACK_URL, f"/api/{method}", form=fields, headers=headers)
        if answer.status != 429 or attempt == TRIES - 1:
            break
        wait = answer.retry_after()
        wait = 1.0 if wait is None else wait
        if wait > LONGEST_PAUSE:
            break
        pause(wait)
    return _meant(answer)


def _meant(answer: http.Answer) -> Mapping[str, Any]:
    said = answer.json if isinstance(answer.json, Mapping) else {}
    if answer.status == 200 and said.get("ok") is True:
        return said
    error = str(said.get("error") or "")
    if answer.status == 429 or answer.status >= 500 or not error or error in PASSING_ERRORS:
        raise ConnectorError(copy.UNAVAILABLE, permanent=False, retry_after=answer.retry_after())
    if error in SIGN_IN_ERRORS:
        raise ConnectorError(copy.CONNECT_AGAIN, permanent=True, code=error, needs_sign_in=True)
    if error == "missing_scope":
        message = copy.MISSING_SCOPE.format(product=settings.PRODUCT_NAME)
        raise ConnectorError(message, permanent=True, code=error, needs_sign_in=True)
    raise SlackRefused(error)
