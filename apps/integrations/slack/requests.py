"""What Slack sends, read into values: events and slash commands. Pure; the signature was checked before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs

from apps.integrations.slack.messages import plain_question

Kind = Literal["command", "mention", "direct"]


@dataclass(frozen=True, slots=True)
class Challenge:
    """Slack asks whether the address is ours."""

    challenge: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """A question, with everything that answering it needs."""

    delivery_id: str
    kind: Kind
    team_id: str
    user_id: str
    user_name: str
    channel_id: str
    thread_ts: str
    text: str
    response_url: str = ""


@dataclass(frozen=True, slots=True)
class Uninstalled:
    """The app was removed from the workspace, or its tokens were revoked."""

    team_id: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing for us: other kinds of events, messages of apps (ours among them), edits."""


Event = Challenge | Delivery | Uninstalled | Ignored


def event_of(body: bytes) -> Event:
    """Reads the body of an event; what is not one is ignored."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return Ignored()
    if not isinstance(said, Mapping):
        return Ignored()
    if said.get("type") == "url_verification":
        return Challenge(_text(said.get("challenge"), 1_000))
    event = said.get("event")
    if said.get("type") != "event_callback" or not isinstance(event, Mapping):
        return Ignored()
    team_id = _text(said.get("team_id"))
    kind = event.get("type")
    if kind in ("app_uninstalled", "tokens_revoked"):
        return Uninstalled(team_id)
    return _question(said, event, team_id)


def _question(said: Mapping[str, Any], event: Mapping[str, Any], team_id: str) -> Delivery | Ignored:
    mention = event.get("type") == "app_mention"
    direct = event.get("type") == "message" and event.get("channel_type") == "im"
    delivery_id, user_id, channel = _text(said.get("event_id")), _text(event.get("user")), _text(event.get("channel"))
    from_app = event.get("bot_id") or event.get("subtype") or user_id in _own_ids(said)
    if not (mention or direct) or from_app or not (delivery_id and user_id and channel and team_id):
        return Ignored()
    return Delivery(
        delivery_id=delivery_id,
        kind="mention" if mention else "direct",
        team_id=team_id,
        user_id=user_id,
        user_name="",
        channel_id=channel,
        thread_ts=_text(event.get("thread_ts")) or _text(event.get("ts")),
        text=plain_question(_text(event.get("text"), 40_000), bot_user_ids=_own_ids(said)),
    )


def command_of(body: bytes) -> Delivery | Ignored:
    """Reads the form of a slash command."""
    try:
        form = {name: values[0] for name, values in parse_qs(body.decode("utf-8")).items()}
    except ValueError:
        return Ignored()
    known = {name: _text(form.get(name)) for name in ("trigger_id", "team_id", "user_id", "user_name", "channel_id")}
    if not all(known[name] for name in ("trigger_id", "team_id", "user_id", "channel_id")):
        return Ignored()
    return Delivery(
        delivery_id=known["trigger_id"],
        kind="command",
        team_id=known["team_id"],
        user_id=known["user_id"],
        user_name=known["user_name"],
        channel_id=known["channel_id"],
        thread_ts="",
        text=plain_question(_text(form.get("text"), 40_000)),
        response_url=_text(form.get("response_url"), 1_000),
    )


def _own_ids(said: Mapping[str, Any]) -> frozenset[str]:
    """The user ids under which the app itself is in this workspace."""
    parts = said.get("authorizations")
    found = [part for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []
    return frozenset(_text(part.get("user_id")) for part in found if part.get("is_bot")) - {""}


def _text(value: object, length: int = 120) -> str:
    return value[:length].replace("\x00", "") if isinstance(value, str) else ""
