"""What people of one organization send where another one holds look-alikes: for every route, in bodies that its parser
takes, the names, addresses and ids of the look-alikes.

A route that the URL configuration has and no table here fails the build (test_look_alikes).
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote, urlencode

from apps.threads.providers import OWN
from tests.apps.integrations.google.conftest import PIPELINE
from tests.cast import PASSWORD
from tests.contract.look_alikes import SERVICES, TAB, Named
from tests.contract.rules import RULES, Attempt

AUTH = "/_allauth/app/v1"
API = "/api/v3"
RESET_CODE = "AAAA-BBBB"
"""Which nobody was sent."""


def _page(route: str) -> Callable[[Named], list[Attempt]]:
    """The page with all that an address may name: the same for everyone."""

    def calls(of: Named) -> list[Attempt]:
        path = "/" + (f"chat/c/{of.ids.thread}" if route.startswith("^chat") else route)
        said = {"username": of.username, "email": of.email, "state": of.states["slack"], "slack-link": of.slack_key}
        return [("GET", f"{path}?{urlencode(said)}", None)]

    return calls


def _files(of: Named) -> list[Attempt]:
    path, sent = f"{API}/files", {"multipart": {"file-0": (of.ids.file_name, b"name\nx\n")}}
    return [("POST", path, sent), ("PUT", f"{path}?filename={quote(of.ids.file_name)}", sent)]


def _consent(service: str, path: str, code: str) -> Callable[[Named], list[Attempt]]:
    """The end of a sign-in at a service that another one has begun."""
    back = f"http://testserver/{service}-callback"
    return lambda of: [("POST", path, {code: "a-code", "state": of.states[service], "redirect_uri": back})]


def _connections(of: Named) -> list[Attempt]:
    path = f"{API}/connections"
    starts = [{"service": one, "redirect_uri": f"http://testserver/{one}-callback"} for one in SERVICES]
    return [
        *(("POST", path, body) for body in starts),
        *(("DELETE", f"{path}?service={service}&data=delete", None) for service in SERVICES),
    ]


def _preferences(of: Named) -> list[Attempt]:
    words = {"keywords": {f"{of.marker} word": "meaning"}}
    return [("POST", f"{API}/preferences", {"explanation": f"{of.marker} context", "user_preferences": words})]


def _own_models(of: Named) -> list[Attempt]:
    path = f"{API}/models/own"
    return [
        ("POST", path, {"provider": "openai", "model": f"{of.marker} own", "key": f"{of.marker} key"}),
        ("PUT", path, {"monthly_budget": "8.00"}),
    ]


def _hubspot_fields(of: Named) -> list[Attempt]:
    back = quote("http://testserver/hubspot-callback")
    return [
        ("GET", f"{API}/hubspot/fields?redirect_uri={back}", None),
        ("POST", f"{API}/hubspot/fields", {"fields": {"deals": {f"{of.marker} field": True}}}),
    ]


def _sheets(of: Named) -> list[Attempt]:
    path = f"{API}/google/manage-sheets"
    return [("POST", path, {}), ("PUT", path, {"file_id": PIPELINE, "tab_names": [TAB]})]


def _slack_link(of: Named) -> list[Attempt]:
    path = f"{API}/slack/link"
    return [
        ("GET", f"{path}?code={of.slack_key}", None),
        ("POST", path, {"code": of.slack_key}),
        ("DELETE", path, None),
    ]


def _feedback(of: Named) -> list[Attempt]:
    about = {"ThreadId": of.ids.thread, "MessageId": of.ids.answer, "UserSelectedFiles": of.ids.file_name}
    return [
        ("POST", f"{API}/feedback", {"kind": "thumbs", "ThumbUp": "true", "Feedback": "Good.", **about}),
        ("POST", f"{API}/feedback", {"kind": "source-request", "Feedback": of.ids.file_name}),
    ]


def _previews(of: Named) -> list[Attempt]:
    typed = {"text": f"{of.marker} figure", "before": f"{of.marker}", "user_specified_files": [of.ids.file_name]}
    return [("POST", f"{API}/question-previews", typed)]


def _login(of: Named) -> list[Attempt]:
    said = [{"username": of.username}, {"username": of.username.upper()}, {"email": of.email}]
    return [("POST", f"{AUTH}/auth/login", {**one, "password": of.guess}) for one in said]


def _reset(of: Named) -> list[Attempt]:
    path = f"{AUTH}/auth/password/reset"
    wanted = (f"{of.marker}-Word-9", "short")
    return [("GET", path, None), *(("POST", path, {"key": RESET_CODE, "password": password}) for password in wanted)]


LEFT_OUT = {
    "healthz": "how the installation is: it takes nothing, and names no organization's things",
    "readyz": "the same",
    "metrics": "figures of the installation for who runs it, behind a token of its own",
    "api/v3/invitations/accept": "what is taken there is refused as what is taken here: compared with that",
    "api/v3/slack/events": "told by what is posted in Slack: a test of its own",
    "api/v3/slack/commands": "told by what is posted in Slack: a test of its own",
}
"""Routes whose answers are not those where nothing is planted, or say nothing. Of the administration (`admin/`) every
form has a test, and test_admin_tenancy holds each address beside an absent one."""

MORE: dict[str, Callable[[Named], list[Attempt]]] = {
    **{route: _page(route) for route, rule in RULES.items() if rule.who == "anyone" and route not in LEFT_OUT},
    "_allauth/app/v1/auth/login": _login,
    "_allauth/app/v1/auth/session": lambda of: [
        ("GET", f"{AUTH}/auth/session", None),
        ("DELETE", f"{AUTH}/auth/session", None),
    ],
    "_allauth/app/v1/auth/sessions": lambda of: [
        ("GET", f"{AUTH}/auth/sessions", None),
        ("DELETE", f"{AUTH}/auth/sessions", {"sessions": [of.session]}),
    ],
    "_allauth/app/v1/auth/new-password": lambda of: [
        ("POST", f"{AUTH}/auth/new-password", {"new_password": f"{of.marker}-Word-9"})
    ],
    "_allauth/app/v1/auth/password/request": lambda of: [
        ("POST", f"{AUTH}/auth/password/request", {"email": of.email})
    ],
    "_allauth/app/v1/auth/password/reset": _reset,
    "_allauth/app/v1/account/password/change": lambda of: [
        (
            "POST",
            f"{AUTH}/account/password/change",
            {"current_password": PASSWORD, "new_password": f"{of.marker}-Word-9"},
        )
    ],
    "api/v3/invitations": lambda of: [("POST", f"{API}/invitations", {"email": of.email, "role": "basic"})],
    "api/v3/preferences": _preferences,
    "api/v3/files": _files,
    "api/v3/ask": lambda of: [
        ("POST", f"{API}/ask", {"give": "threads"}),
        ("POST", f"{API}/ask", {"prompt": f"How many {of.table}?", "models": [f"{OWN}{of.marker} own"]}),
    ],
    "api/v3/connections": _connections,
    "api/v3/hubspot/auth": _consent("hubspot", f"{API}/hubspot/auth", "hubspotCode"),
    "api/v3/hubspot/direct-export": lambda of: [
        ("GET", f"{API}/hubspot/direct-export", None),
        ("POST", f"{API}/hubspot/direct-export", {}),
    ],
    "api/v3/hubspot/fields": _hubspot_fields,
    "api/v3/hubspot/schedule": lambda of: [("POST", f"{API}/hubspot/schedule", {"every_hours": 24})],
    "api/v3/hubspot/changes": lambda of: [("GET", f"{API}/hubspot/changes?category=deals&since=2026-01-01", None)],
    "api/v3/google/token": _consent("google", f"{API}/google/token", "authorization_code"),
    "api/v3/google/auth-check": lambda of: [("POST", f"{API}/google/auth-check", {})],
    "api/v3/google/tabs": lambda of: [("GET", f"{API}/google/tabs?file_id={PIPELINE}", None)],
    "api/v3/google/schedule": lambda of: [("POST", f"{API}/google/schedule", {"every_hours": 24})],
    "api/v3/google/manage-sheets": _sheets,
    "api/v3/slack/auth": lambda of: [
        *_consent("slack", f"{API}/slack/auth", "slackCode")(of),
        ("PUT", f"{API}/slack/auth", {"answers_in_channel": True}),
    ],
    "api/v3/slack/link": _slack_link,
    "api/v3/question-previews": _previews,
    "api/v3/socket-ticket": lambda of: [("POST", f"{API}/socket-ticket", {})],
    "api/v3/models/policy": lambda of: [
        ("PUT", f"{API}/models/policy", {"told": "names", "first": f"{OWN}{of.marker} own"})
    ],
    "api/v3/models/own": _own_models,
    "api/v3/models/own/names": lambda of: [
        (
            "POST",
            f"{API}/models/own/names",
            {"provider": "openai", "key": f"{of.marker} key", "base_url": "https://127.0.0.1"},
        )
    ],
    "api/v3/feedback": _feedback,
}
"""Beside the reads and attempts of the rules, which name ids and files."""


def calls_of(route: str, of: Named) -> list[Attempt]:
    """Every call of a route that names something."""
    rule = RULES[route]
    more = MORE.get(route, lambda of: [])
    return [*(("GET", path, None) for path in rule.reads), *rule.attempts(of.ids), *more(of)]
