"""A rule for every route: who may call it, and the calls that try to reach another organization's data through it.

A route that the URL configuration has and this table has not fails the build, and so does a rule without its route.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from tests.contract.world import Ids

Who = Literal["anyone", "slack", "sign-in", "signed in", "member", "django admin"]
Attempt = tuple[str, str, Any]
"""Method, path and JSON body (a dict under the key "multipart" is sent as a form)."""


@dataclass(frozen=True)
class Rule:
    """`attempts` are made by members and admins of one organization with the ids of another, and with absent ids."""

    who: Who
    attempts: Callable[[Ids], list[Attempt]] = lambda ids: []
    reads: tuple[str, ...] = ()
    """Plain GETs whose answers must hold nothing of another organization."""


def _ask(ids: Ids) -> list[Attempt]:
    sending = {
        "prompt": "How many rows?",
        "thread_id": None,
        "models": None,
        "temperature": 1,
        "parent_message_id": None,
    }
    path = "/api/v3/ask"
    return [
        ("POST", path, {**sending, "thread_id": ids.thread}),
        ("POST", path, {**sending, "thread_id": ids.thread, "parent_message_id": ids.answer}),
        ("POST", path, {**sending, "user_specified_files": [ids.file_name]}),
        ("POST", path, {"thread_id": ids.thread}),
        ("POST", path, {"thread_id": ids.thread, "run_id": ids.run, "models": None, "parent_message_id": ids.question}),
        ("POST", path, {"thread_id": ids.thread, "run_id": ids.run, "organization": "Globex", "should_validate": True}),
        ("POST", path, {"thread_id": ids.thread, "run_id": ids.run, "selected_assistant_message_id": ids.answer}),
    ]


def _dictionary(ids: Ids) -> list[Attempt]:
    path, table = f"/api/v3/files/dictionary?filename={quote(ids.file_name)}", ids.file_name.removesuffix(".csv")
    return [
        ("GET", path, None),
        ("PUT", path, {"table": table, "column": "name", "said": {"label": "mine now"}}),
        ("PUT", path, {"table": table, "said": {}}),
    ]


def _dictionary_undo(ids: Ids) -> list[Attempt]:
    path, table = f"/api/v3/files/dictionary/undo?filename={quote(ids.file_name)}", ids.file_name.removesuffix(".csv")
    return [("POST", path, {"table": table, "column": "name"})]


def _way(ids: Ids) -> dict[str, Any]:
    """The way that `plant` kept: to a table that is not there any more."""
    table = ids.file_name.removesuffix(".csv")
    return {"table": table, "columns": ["name"], "other_table": f"{table} of old", "other_columns": ["name"]}


def _joins(ids: Ids) -> list[Attempt]:
    path, way = f"/api/v3/files/dictionary/joins?filename={quote(ids.file_name)}", _way(ids)
    return [
        ("GET", path, None),
        ("PUT", path, {**way, "other_table": way["table"], "verdict": "drawn"}),
    ]


def _joins_undo(ids: Ids) -> list[Attempt]:
    return [("POST", f"/api/v3/files/dictionary/joins/undo?filename={quote(ids.file_name)}", _way(ids))]


def _privacy(ids: Ids) -> list[Attempt]:
    path = f"/api/v3/files/dictionary/privacy?filename={quote(ids.file_name)}"
    table = ids.file_name.removesuffix(".csv")
    return [("GET", path, None), ("PUT", path, {"table": table, "column": "name", "private": False})]


def _readings(ids: Ids) -> list[Attempt]:
    path, about = "/api/v3/answers/readings", {"thread_id": ids.thread, "message_id": ids.answer}
    return [
        ("GET", f"{path}?thread_id={ids.thread}&message_id={ids.answer}&chip=figure:0", None),
        ("POST", path, {**about, "chip": "figure:0", "reading": "0" * 16}),
        ("POST", path, {**about, "chip": "figure:0", "reading": "0" * 16, "always": True}),
        ("PUT", path, {**about, "choice": 0}),
    ]


def _previews(ids: Ids) -> list[Attempt]:
    path, typed = "/api/v3/question-previews", {"text": "and by month?", "before": "and by mon"}
    return [("POST", path, {**typed, "thread_id": ids.thread})]


def _files(ids: Ids) -> list[Attempt]:
    name = quote(ids.file_name)
    return [
        ("GET", f"/api/v3/files?filename={name}", None),
        ("GET", f"/api/v3/files?filename={quote(ids.chart)}&thread_id={ids.thread}&message_id={ids.answer}", None),
        ("DELETE", f"/api/v3/files?filename={name}", None),
    ]


def _members(ids: Ids) -> list[Attempt]:
    path = "/api/v3/members"
    return [
        ("GET", path, None),
        ("PUT", path, {"id": ids.colleague, "role": "admin"}),
        ("PUT", path, {"id": ids.colleague, "active": False}),
    ]


RULES: dict[str, Rule] = {
    # ---------------------------------------------------------------- pages: the same for everyone, without data
    "": Rule("anyone"),
    "login": Rule("anyone"),
    "forgot-password": Rule("anyone"),
    "verify": Rule("anyone"),
    "change-password": Rule("anyone"),
    "create-password": Rule("anyone"),
    "privacy": Rule("anyone"),
    "terms": Rule("anyone"),
    "error": Rule("anyone"),
    "hubspot-callback": Rule("anyone"),
    "^chat(?:/.*)?$": Rule("anyone"),
    "google-callback": Rule("anyone"),
    "slack-callback": Rule("anyone"),
    "healthz": Rule("anyone"),
    "readyz": Rule("anyone"),
    "metrics": Rule("anyone"),
    # ---------------------------------------------------------------- signing in: allauth decides by the token
    "_allauth/app/v1/auth/login": Rule("sign-in"),
    "_allauth/app/v1/auth/session": Rule("sign-in"),
    "_allauth/app/v1/auth/sessions": Rule("sign-in"),
    "_allauth/app/v1/auth/new-password": Rule("sign-in"),
    "_allauth/app/v1/auth/password/request": Rule("sign-in"),
    "_allauth/app/v1/auth/password/reset": Rule("sign-in"),
    "_allauth/app/v1/account/password/change": Rule("sign-in"),
    # ---------------------------------------------------------------- the API
    "api/v3/me": Rule("signed in", reads=("/api/v3/me",)),
    "api/v3/members": Rule("member", _members),
    "api/v3/audit-log": Rule("member", lambda ids: [("GET", "/api/v3/audit-log", None)]),
    "api/v3/usage": Rule("member", lambda ids: [("GET", "/api/v3/usage", None)]),
    "api/v3/invitations": Rule(
        "member", lambda ids: [("DELETE", f"/api/v3/invitations?id={ids.invitation}", None)]
    ),
    "api/v3/invitations/resend": Rule(
        "member", lambda ids: [("POST", "/api/v3/invitations/resend", {"id": ids.invitation})]
    ),
    "api/v3/invitations/accept": Rule("anyone"),
    "api/v3/preferences": Rule("member", reads=("/api/v3/preferences",)),
    "api/v3/files": Rule("member", _files, reads=("/api/v3/files",)),
    "api/v3/files/profile": Rule(
        "member", lambda ids: [("GET", f"/api/v3/files/profile?filename={quote(ids.file_name)}", None)]
    ),
    "api/v3/files/rows": Rule(
        "member", lambda ids: [("GET", f"/api/v3/files/rows?filename={quote(ids.file_name)}&search=a", None)]
    ),
    "api/v3/files/dictionary": Rule("member", _dictionary),
    "api/v3/files/dictionary/undo": Rule("member", _dictionary_undo),
    "api/v3/files/dictionary/joins": Rule("member", _joins),
    "api/v3/files/dictionary/joins/undo": Rule("member", _joins_undo),
    "api/v3/files/dictionary/privacy": Rule("member", _privacy),
    "api/v3/files/retry": Rule(
        "member", lambda ids: [("POST", f"/api/v3/files/retry?filename={quote(ids.file_name)}", {})]
    ),
    "api/v3/files/download": Rule(
        "member", lambda ids: [("GET", f"/api/v3/files/download?filename={quote(ids.file_name)}", None)]
    ),
    "api/v3/files/export": Rule(
        "member", lambda ids: [("GET", f"/api/v3/files/export?filename={quote(ids.file_name)}&type=xlsx", None)]
    ),
    "api/v3/explanation": Rule(
        "member",
        lambda ids: [
            ("GET", f"/api/v3/explanation?files={quote(ids.file_name)}", None),
            ("POST", "/api/v3/explanation", {"explanation": "mine now", "file": ids.file_name}),
        ],
        reads=("/api/v3/explanation",),
    ),
    "api/v3/hubspot/auth": Rule("member"),
    "api/v3/hubspot/direct-export": Rule("member"),
    "api/v3/hubspot/status": Rule("member", reads=("/api/v3/hubspot/status",)),
    "api/v3/hubspot/fields": Rule("member"),
    "api/v3/hubspot/schedule": Rule("member"),
    "api/v3/hubspot/changes": Rule("member"),
    "api/v3/connections": Rule("member", reads=("/api/v3/connections",)),
    "api/v3/google/token": Rule("member"),
    "api/v3/google/auth-check": Rule("member"),
    "api/v3/google/tabs": Rule("member"),
    "api/v3/google/schedule": Rule("member"),
    "api/v3/google/manage-sheets": Rule(
        "member",
        lambda ids: [("DELETE", f"/api/v3/google/manage-sheets?file_name={quote(ids.file_name)}", None)],
        reads=("/api/v3/google/manage-sheets",),
    ),
    "api/v3/slack/auth": Rule("member", reads=("/api/v3/slack/auth",)),
    "api/v3/slack/link": Rule("member"),
    "api/v3/slack/events": Rule("slack"),
    "api/v3/slack/commands": Rule("slack"),
    "api/v3/ask": Rule("member", _ask),
    "api/v3/threads": Rule(
        "member",
        lambda ids: [
            ("PUT", "/api/v3/threads", {"thread_id": ids.thread, "summary": "mine now"}),
            ("PUT", "/api/v3/threads", {"thread_id": ids.thread, "archived": True}),
            ("DELETE", f"/api/v3/threads?thread_id={ids.thread}", None),
        ],
    ),
    "api/v3/threads/restore": Rule(
        "member", lambda ids: [("POST", "/api/v3/threads/restore", {"thread_id": ids.deleted_thread})]
    ),
    "api/v3/runs/<uuid:run_id>/cancel": Rule(
        "member", lambda ids: [("POST", f"/api/v3/runs/{ids.run}/cancel", {})]
    ),
    "api/v3/answers/table": Rule(
        "member",
        lambda ids: [
            ("GET", f"/api/v3/answers/table?thread_id={ids.thread}&message_id={ids.answer}&type=csv", None),
            ("GET", f"/api/v3/answers/table?thread_id={ids.thread}&message_id={ids.question}&type=xlsx", None),
        ],
    ),
    "api/v3/answers/readings": Rule("member", _readings),
    "api/v3/question-previews": Rule("member", _previews),
    "api/v3/answers/told": Rule(
        "member",
        lambda ids: [
            ("GET", f"/api/v3/answers/told?thread_id={ids.thread}&message_id={ids.answer}", None),
            ("GET", f"/api/v3/answers/told?thread_id={ids.thread}&message_id={ids.question}", None),
        ],
    ),
    "api/v3/socket-ticket": Rule("member"),
    "api/v3/models": Rule("member", reads=("/api/v3/models",)),
    "api/v3/models/policy": Rule("member", reads=("/api/v3/models/policy",)),
    "api/v3/models/own": Rule(
        "member",
        lambda ids: [("DELETE", f"/api/v3/models/own?id={ids.own_model}", None)],
        reads=("/api/v3/models/own",),
    ),
    "api/v3/models/own/test": Rule(
        "member", lambda ids: [("POST", "/api/v3/models/own/test", {"id": ids.own_model})]
    ),
    "api/v3/models/own/names": Rule("member"),
    "api/v3/question-suggestions": Rule("member", reads=("/api/v3/question-suggestions",)),
    "api/v3/question-suggestions/brought": Rule(
        "member",
        lambda ids: [("GET", f"/api/v3/question-suggestions/brought?filename={quote(ids.file_name)}", None)],
    ),
    "api/v3/rate-answer": Rule(
        "member",
        lambda ids: [
            ("POST", "/api/v3/rate-answer",
             {"thread_id": ids.thread, "message_id": ids.answer, "is_thumbs_up": True}),
        ],
    ),
    "api/v3/feedback": Rule("member"),
}  # fmt: skip


def rule_of(route: str) -> Rule | None:
    """The rule of a route; the admin's share one (tests/contract/test_admin_tenancy.py goes over each)."""
    if route.startswith("admin/"):
        return Rule("django admin")
    return RULES.get(route)
