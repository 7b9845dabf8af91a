"""Slack's stand-in: a workspace with consent page, Web API and files, which sends signed requests to the product."""

from __future__ import annotations

import base64
import json
import secrets
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlencode

from apps.integrations.fakes import names
from apps.integrations.fakes.base import FakeService, Reply, Request, Route
from apps.integrations.fakes.control import control_routes
from apps.integrations.fakes.slack_contract import EventContract, SlackContract
from apps.integrations.fakes.slack_pages import consent_page, workspace_page
from apps.integrations.fakes.slack_posts import Posted, Uploaded
from apps.integrations.slack.signing import signature

BOT = "UPLUMB001"
SCOPES = "chat:write,commands,app_mentions:read,im:history,im:write,files:write"


class FakeSlack(FakeService):
    """Set `product` (its address) to send from here; `posts` and `uploads` hold what the product put into Slack."""

    name = "Slack's stand-in"

    def __init__(self, product: str = "") -> None:
        super().__init__(SlackContract())
        self.product = product
        self.address = ""
        self.team_id, self.team_name = "T0ACME001", "Acme's workspace"
        self.users = {"U0ANA00001": "ana", "U0BEN00001": "ben"}
        self.channel, self.bot_channels = "C0GENERAL1", {"C0GENERAL1"}
        self.scopes = SCOPES
        self.rotation_seconds: int | None = None
        self.codes: dict[str, str] = {}
        self.tokens: dict[str, str] = {}
        self.refresh_tokens: set[str] = set()
        self.posts: list[Posted] = []
        self.uploads: dict[str, Uploaded] = {}
        self.responses: dict[str, tuple[str, str, int]] = {}
        self.events = EventContract()
        self._count = 0
        api = {
            "oauth.v2.access": self.access,
            "auth.revoke": self.revoke,
            "chat.postMessage": self.post_message,
            "chat.postEphemeral": self.post_ephemeral,
            "conversations.open": self.open_conversation,
            "files.getUploadURLExternal": self.upload_place,
            "files.completeUploadExternal": self.upload_complete,
        }
        self.routes = [
            Route("GET", "/oauth/v2/authorize", "oauth.consent", self.consent),
            Route("GET", "/consent/allow", "oauth.allow", self.allow),
            *(Route("POST", f"/api/{name}", name, handler) for name, handler in api.items()),
            Route("POST", "/upload/{file_id}", "files.upload", self.upload),
            Route("POST", "/commands/{team}/{key}", "response_url", self.respond),
            Route("GET", "/", "pages", self.look),
            Route("POST", "/type", "pages", self.typed),
            *control_routes(self),
        ]

    # ------------------------------------------------------------ consent and tokens
    def consent(self, request: Request) -> Reply:
        if request.query.get("client_id") != names.SLACK_CLIENT_ID:
            return Reply(400, html="<h1>Invalid client_id parameter</h1>")
        return Reply(html=consent_page(self.team_name, request.query))

    def allow(self, request: Request) -> Reply:
        code = f"10.20.{secrets.token_hex(16)}"
        self.codes[code] = request.query["redirect_uri"]
        back = urlencode({"code": code, "state": request.query.get("state", "")})
        return Reply(302, headers={"location": f"{request.query['redirect_uri']}?{back}"})

    def access(self, request: Request) -> Reply:
        pair = f"{names.SLACK_CLIENT_ID}:{names.SLACK_CLIENT_SECRET}"
        if request.headers.get("authorization") != f"Basic {base64.b64encode(pair.encode()).decode()}":
            return _no("bad_client_secret")
        form = request.form
        if form.get("grant_type") == "refresh_token":
            if form.get("refresh_token") not in self.refresh_tokens:
                return _no("invalid_refresh_token")
            self.refresh_tokens.discard(form["refresh_token"])
        elif self.codes.pop(form.get("code", ""), None) != form.get("redirect_uri"):
            return _no("invalid_code")
        token = f"xoxb-{secrets.token_urlsafe(24)}"
        self.tokens[token] = self.scopes
        said: dict[str, Any] = {
            "ok": True, "access_token": token, "token_type": "bot", "scope": self.scopes, "bot_user_id": BOT,
            "app_id": "A0PLUMB001", "team": {"id": self.team_id, "name": self.team_name}, "enterprise": None,
            "is_enterprise_install": False, "authed_user": {"id": "U0ANA00001"},
        }  # fmt: skip
        if self.rotation_seconds is not None:
            said["refresh_token"] = f"xoxe-{secrets.token_urlsafe(24)}"
            said["expires_in"] = self.rotation_seconds
            self.refresh_tokens.add(said["refresh_token"])
        return Reply(json=said)

    def revoke(self, request: Request) -> Reply:
        refused = self._refused(request, "")
        if refused:
            return refused
        del self.tokens[request.bearer]
        return Reply(json={"ok": True, "revoked": True})

    def _refused(self, request: Request, scope: str) -> Reply | None:
        if request.bearer not in self.tokens:
            return _no("token_revoked" if request.bearer else "not_authed")
        if scope and scope not in self.tokens[request.bearer].split(","):
            return _no("missing_scope", needed=scope)
        return None

    # ------------------------------------------------------------ messages and files
    def post_message(self, request: Request) -> Reply:
        form = request.form
        refused = self._refused(request, "chat:write") or self._not_there(form["channel"])
        if refused:
            return refused
        post = self._posted(form)
        post.unfurls = (form.get("unfurl_links"), form.get("unfurl_media")) != ("false", "false")
        message = {"type": "message", "user": BOT, "text": post.text, "ts": post.ts}
        return Reply(json={"ok": True, "channel": post.channel, "ts": post.ts, "message": message})

    def post_ephemeral(self, request: Request) -> Reply:
        form = request.form
        refused = self._refused(request, "chat:write") or self._not_there(form["channel"])
        if refused:
            return refused
        post = self._posted(form)
        post.user, post.unfurls = form["user"], False
        return Reply(json={"ok": True, "message_ts": post.ts})

    def open_conversation(self, request: Request) -> Reply:
        refused = self._refused(request, "im:write")
        return refused or Reply(json={"ok": True, "channel": {"id": direct_channel(request.form["users"])}})

    def upload_place(self, request: Request) -> Reply:
        refused = self._refused(request, "files:write")
        if refused:
            return refused
        file_id = f"F{secrets.token_hex(5).upper()}"
        self.uploads[file_id] = Uploaded(request.form["filename"], request.form.get("alt_txt", ""))
        return Reply(json={"ok": True, "upload_url": f"{self.address}/upload/{file_id}", "file_id": file_id})

    def upload(self, request: Request, file_id: str) -> Reply:
        self.uploads[file_id].content = request.body
        return Reply(html=f"OK - {len(request.body)}", headers={"content-type": "text/plain"})

    def upload_complete(self, request: Request) -> Reply:
        refused = self._refused(request, "files:write") or self._not_there(request.form["channel_id"])
        if refused:
            return refused
        done = json.loads(request.form["files"])
        for one in done:
            file = self.uploads[one["id"]]
            file.title, file.channel, file.thread_ts = (
                one["title"],
                request.form["channel_id"],
                request.form.get("thread_ts", ""),
            )
        return Reply(json={"ok": True, "files": [{"id": one["id"], "title": one["title"]} for one in done]})

    def respond(self, request: Request, team: str, key: str) -> Reply:
        """A response address: five answers within half an hour."""
        if key not in self.responses:
            return Reply(404, html="expired_url", headers={"content-type": "text/plain"})
        channel, user, used = self.responses[key]
        if used >= 5:
            return Reply(404, html="used_url", headers={"content-type": "text/plain"})
        self.responses[key] = (channel, user, used + 1)
        said = request.json
        eyes = "" if said.get("response_type") == "in_channel" else user
        self.posts.append(
            Posted(channel, said["text"], user=eyes, blocks=said.get("blocks", []), unfurls=False, ts=self._ts())
        )
        return Reply(html="ok", headers={"content-type": "text/plain"})

    def _posted(self, form: dict[str, str]) -> Posted:
        blocks = json.loads(form.get("blocks", "[]"))
        post = Posted(form["channel"], form["text"], form.get("thread_ts", ""), blocks=blocks, ts=self._ts())
        self.posts.append(post)
        return post

    def _not_there(self, channel: str) -> Reply | None:
        return None if channel in self.bot_channels or channel.startswith("D") else _no("not_in_channel")

    def _ts(self) -> str:
        self._count += 1
        return f"{int(time.time())}.{self._count:06d}"

    # ------------------------------------------------------------ what it sends to the product
    def signed(self, path: str, body: bytes, kind: str, *, stamp: str | None = None, sign: str | None = None) -> int:
        """Sends a request as Slack does; answers the status. Other stamps and signatures make it a stranger's."""
        at = stamp if stamp is not None else str(int(time.time()))
        request = urllib.request.Request(self.product + path, data=body, method="POST")  # noqa: S310 - our own address
        request.add_header("Content-Type", kind)
        request.add_header("X-Slack-Request-Timestamp", at)
        request.add_header("X-Slack-Signature", sign or signature(names.SLACK_SIGNING_SECRET, at, body))
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def command_body(self, user: str, text: str) -> bytes:
        """A slash command's form, with a response address of its own."""
        key = secrets.token_urlsafe(16)
        self.responses[key] = (self.channel, user, 0)
        form = {
            "token": "legacy", "team_id": self.team_id, "team_domain": "acme", "channel_id": self.channel,
            "channel_name": "general", "user_id": user, "user_name": self.users.get(user, user), "command": "/ask",
            "text": text, "api_app_id": "A0PLUMB001", "is_enterprise_install": "false",
            "response_url": f"{self.address}/commands/{self.team_id}/{key}", "trigger_id": f"13.{secrets.token_hex(8)}",
        }  # fmt: skip
        return urlencode(form).encode()

    def event_body(
        self, user: str, text: str, *, direct: bool = False, thread_ts: str = "", event_id: str = ""
    ) -> bytes:
        """A mention in the channel, or a direct message. Raises where it would not keep Slack's own contract."""
        ts = self._ts()
        channel = direct_channel(user) if direct else self.channel
        event = {
            "type": "message" if direct else "app_mention",
            "user": user,
            "channel": channel,
            "ts": ts,
            "event_ts": ts,
        }
        event["text"] = text if direct else f"<@{BOT}> {text}"
        if direct:
            event["channel_type"] = "im"
        if thread_ts:
            event["thread_ts"] = thread_ts
        wrapper = {
            "token": "legacy", "team_id": self.team_id, "api_app_id": "A0PLUMB001", "event": event,
            "type": "event_callback", "event_id": event_id or f"Ev{secrets.token_hex(6).upper()}",
            "event_time": int(time.time()), "authed_users": [BOT],
            "authorizations": [{"team_id": self.team_id, "enterprise_id": None, "user_id": BOT, "is_bot": True}],
        }  # fmt: skip
        assert not self.events.problems(wrapper)
        return json.dumps(wrapper).encode()

    # ------------------------------------------------------------ the page for people
    def look(self, request: Request) -> Reply:
        return Reply(html=workspace_page(self.team_name, self.users, self.posts, self.uploads.values()))

    def typed(self, request: Request) -> Reply:
        """Somebody typed into the page: the request goes to the product as from Slack."""
        form = request.form
        user, text = form["user"], form["text"]
        if form["how"] == "command":
            self.signed("/api/v3/slack/commands", self.command_body(user, text), "application/x-www-form-urlencoded")
        else:
            body = self.event_body(user, text, direct=form["how"] == "direct")
            self.signed("/api/v3/slack/events", body, "application/json")
        return Reply(302, headers={"location": "/"})


def direct_channel(user: str) -> str:
    """The channel between the app and a user."""
    return f"D{user[1:]}"


def _no(error: str, **more: str) -> Reply:
    return Reply(json={"ok": False, "error": error, **more})
