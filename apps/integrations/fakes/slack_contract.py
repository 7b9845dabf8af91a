"""Slack's contract: the published description of its methods, both ways, and what that description is too old for.

Added by hand, from INTEGRATIONS.md section 3: oauth.v2.access takes a POST with its credentials as HTTP Basic and a
refresh token; files are uploaded in three steps; a message of blocks carries them as JSON in a form field.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator

from apps.integrations.fakes.base import Reply, Request

_FOLDER = Path(__file__).parent / "contracts" / "slack"
_NEWER: dict[str, set[str]] = {
    "oauth.v2.access": {"code", "redirect_uri", "grant_type", "refresh_token"},
    "files.getUploadURLExternal": {"filename", "length", "alt_txt", "snippet_type"},
    "files.completeUploadExternal": {"files", "channel_id", "thread_ts", "initial_comment"},
}
"""Methods whose fields stand here rather than in the description."""
_NEWER_ERRORS = {"ratelimited", "missing_scope", "not_in_channel", "token_expired", "invalid_refresh_token",
                 "code_already_used", "invalid_code", "channel_not_found", "internal_error"}  # fmt: skip
_NEWER_PARAMETERS = {"blocks", "thread_ts"}


class SlackContract:
    """apps.integrations.fakes.base.Contract for Slack."""

    def __init__(self) -> None:
        document = json.loads((_FOLDER / "web_api_subset.json").read_text())
        definitions = {name: _alternatives(shape) for name, shape in document["definitions"].items()}
        self.fields: dict[str, set[str]] = dict(_NEWER)
        self.needed: dict[str, set[str]] = {}
        self.good: dict[str, Draft4Validator] = {}
        for path, methods in document["paths"].items():
            described = next(iter(methods.values()))
            name = path.removeprefix("/")
            fields = {p["name"]: p for p in described["parameters"] if p["in"] != "header" and p["name"] != "token"}
            self.fields.setdefault(name, {*fields, *_NEWER_PARAMETERS} if name.startswith("chat.") else set(fields))
            self.needed[name] = {key for key, p in fields.items() if p.get("required")} & self.fields[name]
            schema = {**_alternatives(described["responses"]["200"]["schema"]), "definitions": definitions}
            self.good[name] = Draft4Validator(schema)

    def request_problems(self, operation: str, request: Request) -> Sequence[str]:
        fields = self.fields.get(operation)
        if fields is None:
            return []
        form, scheme = request.form, "Basic " if operation == "oauth.v2.access" else "Bearer "
        problems = [f"unknown field {name}" for name in set(form) - fields]
        if form.get("grant_type") != "refresh_token":
            problems += [f"{name} is missing" for name in self.needed.get(operation, set()) - set(form)]
        if not request.headers.get("authorization", "").startswith(scheme):
            problems.append(f"the authorization is no {scheme.strip()}")
        if request.headers.get("content-type") != "application/x-www-form-urlencoded":
            problems.append("the body is no form")
        problems += _block_problems(form.get("blocks"))
        if len(form.get("text", "")) > 40_000:
            problems.append("the text is too long")
        return problems

    def reply_problems(self, operation: str, reply: Reply) -> Sequence[str]:
        if operation not in self.fields or reply.status != 200:
            return []
        said = reply.json if isinstance(reply.json, Mapping) else {}
        if said.get("ok") is not True:
            return [] if said.get("ok") is False and said.get("error") else ["neither ok nor an error"]
        schema = self.good.get(operation)
        return [f"{e.json_path}: {e.message[:200]}" for e in schema.iter_errors(said)] if schema else []


class EventContract:
    """The outer shape of events, as the stand-in sends them to the product."""

    def __init__(self) -> None:
        schema = json.loads((_FOLDER / "event_wrapper.schema.json").read_text())
        self.wrapper = Draft4Validator({name: part for name, part in schema.items() if name != "$schema"})

    def problems(self, event: Mapping[str, Any]) -> list[str]:
        return [f"{error.json_path}: {error.message[:200]}" for error in self.wrapper.iter_errors(event)]


def _block_problems(blocks: str | None) -> list[str]:
    """Slack's limits on what is shown (INTEGRATIONS.md section 3.2 and its block reference)."""
    if blocks is None:
        return []
    shown = json.loads(blocks)
    problems = ["more than 50 blocks"] if len(shown) > 50 else []
    for block in shown:
        text = block.get("text", {}).get("text", "x")
        if block["type"] == "section" and not 0 < len(text) <= 3_000:
            problems.append(f"a section of {len(text)} characters")
    return problems


def _alternatives(shape: Any) -> Any:
    """The description writes "one of these" as a list of items without a type."""
    if isinstance(shape, list):
        return [_alternatives(part) for part in shape]
    if not isinstance(shape, dict):
        return shape
    kept = {name: _alternatives(part) for name, part in shape.items()}
    if isinstance(kept.get("items"), list) and "type" not in kept:
        kept["anyOf"] = kept.pop("items")
    return kept
