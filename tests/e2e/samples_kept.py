"""Made-up usage and audit log of an organization that has been at work for months."""

from __future__ import annotations

import time

from tests.e2e.gallery import LONG, Json
from tests.e2e.samples import DAY

ASKERS = (("Maria Lopez", 412), ("Grace Liu", 388), (f"{LONG[0]}, sales", 240), ("Tom Keller", 96), ("Ana Ruiz", 1))
ENTRIES = (
    ("Signed in", "ana"),
    ("Source added", "hubspot_deals.csv"),
    ("Source deleted", f"{LONG[1]} revenue by region and product line 2019 to 2026.xlsx"),
    ("Context changed", ""),
    ("Member invited", "maria.lopez.of.the.nordic.sales.office@subsidiary.example.com"),
    ("Conversation read by an admin", "declined questions"),
    ("Sign-in failed", "nobody-at-all"),
    ("Exported", "Total amount of won deals by owner"),
)


def _outcomes(asked: int) -> Json:
    """So many questions, most of them answered."""
    parts = {"asked_back": 14, "declined": 9, "failed": 60, "stopped": 80, "rated_up": 5, "rated_down": 40}
    ends = {name: asked // part for name, part in parts.items()}
    unanswered = sum(ends[name] for name in ("asked_back", "declined", "failed", "stopped"))
    return {"asked": asked, "answered": asked - unanswered, **ends}


def busy_usage() -> Json:
    """What GET /usage answers: five members, eight weeks, three models."""
    now = time.time()
    models = [("OpenAI Writer 4", 1_284, "312.40"), ("Thinker", 96, "48.05"), ("A model of our own", 3, "0.00")]
    return {
        "month": _outcomes(sum(asked for _, asked in ASKERS)),
        "members": [{"id": f"member-{at}", "name": name, **_outcomes(n)} for at, (name, n) in enumerate(ASKERS)],
        "weeks": [{"starts": _moment(now - 7 * week * DAY), **_outcomes(310 - 27 * week)} for week in range(8)],
        "models": {"budget": "500.00", "each": [{"model": m, "calls": n, "cost": cost} for m, n, cost in models]},
    }


def long_audit_log() -> Json:
    """What GET /audit-log answers: a page of it, with more behind."""
    now = time.time()
    entries = [
        {
            "id": f"entry-{at}",
            "at": _moment(now - at * 9_000),
            "who": "" if what == "Sign-in failed" else ("ana", "maria.lopez@example.com")[at % 2],
            "what": what,
            "target": target,
            "address": (None, "192.0.2.7", "2001:db8:85a3:8d3:1319:8a2e:370:7348")[at % 3],
        }
        for at, (what, target) in enumerate(ENTRIES * 3)
    ]
    return {"entries": entries, "more": True}


def _moment(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
