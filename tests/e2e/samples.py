"""Made-up data for pictures that no fresh product has: files in every state, old threads, work half done."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Route

from tests.e2e.gallery import LONG, MODELS, THREAD, Json, answer_parts, message, table_parts, turns

DAY = 86_400
OLD_QUESTIONS = (
    ("What is our win rate by owner this year?", 0),
    ("How does the amount of won deals this quarter compare with last quarter?", 0),
    ("Open pipeline", 1),
    (f"What did {LONG[0]} order in the last 12 months, and who is its owner?", 3),
    ("Which open deals have had no activity for 30 days?", 5),
    ("Average deal size by industry, this year against last year", 20),
    ("Churned customers by quarter", 90),
    ("", 400),
)
"""What was asked, and how many days ago."""


def old_threads(route: Route) -> None:
    """The answer to a listing of threads; anything else is asked of the server."""
    if "give" not in (route.request.post_data_json or {}):
        return route.fallback()
    listed = [
        {"thread_id": f"old-{at}", "summary": said, "updated_at": time.time() - days * DAY - at, "archived": False}
        for at, (said, days) in enumerate(OLD_QUESTIONS)
    ]
    listed[-1]["updated_at"] = None
    return route.fulfill(json=listed)


def kept_keywords(keywords: dict[str, str]) -> Callable[[Route], None]:
    """Preferences with these keywords and nothing else set."""
    reply = {"explanation": "", "user_preferences": json.dumps({"keywords": keywords})}
    return lambda route: route.fulfill(json=reply)


# -------------------------------------------------------------------------------------------------------------- files
def _source(name: str, state: str = "ready", **more: Any) -> Json:
    return {
        "file_name": f"{name}.csv", "display_name": name, "group": "uploaded", "state": state, "step": "",
        "rows_so_far": None, "rows": 1_284, "columns": 12, "size": 2_411_724, "owner": "ana",
        "uploaded_at": time.time() - 3 * DAY, "refreshed_at": None, "replaced_at": None, "error": None,
        "report": [], "mine": True, "retryable": False, **more,
    }  # fmt: skip


LOCKED = "board pack.xlsx is protected by a password. Please remove the password and upload it again."
NO_ROOM = "There is no room left to keep this file. Please tell an admin."


def listed_sources() -> Json:
    """One file of each state, one of a colleague, one with a very long name."""
    none = {"rows": None, "columns": None}
    sources = [
        _source("orders 2026", "received", **none),
        _source("invoices 2019 to 2026", "reading", step="Reading the file", rows_so_far=1_250_000, **none),
        _source("board pack", "failed", error=LOCKED, **none),
        _source("leads", "failed", error=NO_ROOM, retryable=True, **none),
        _source("targets", rows=64, size=2_500, replaced_at=time.time() - 7_200),
        _source(f"{LONG[0]} revenue by region and product line", mine=False, owner="maria.lopez@example.com"),
        _source("prices", error="The newest version could not be read. These are the rows from before."),
    ]
    return {"content": [one["file_name"] for one in sources], "sources": sources}


def _file(name: str, kind: str, content: str) -> Json:
    return {"filename": name, "mime_type": kind, "encoding": "plain", "content": content}


OWNERS = (
    "Maria Lopez", "Grace Liu", "Tomás Ruiz", "Aiko Mori", "Ben Novak", "Ines Rocha", "Tom Keller",
    "Sara Lind", "Omar Haddad",
)  # fmt: skip
ROWS = "\n".join(["Owner,Deals,Amount", *(f"{name},{21 - at},{(21 - at) * 4_950}" for at, name in enumerate(OWNERS))])
REMARKS = """The Nordics grew in every quarter. Two things stand out:
renewals came earlier than planned, and two large deals moved from Q3 to Q2.

Deals without a close date are not counted. What was won in the last week of the year
is counted in the year in which the contract was signed, whatever the invoice says.
"""
FILES_TO_DOWNLOAD = [
    _file("won deals.csv", "text/csv", ROWS),
    _file("remarks.txt", "text/plain", REMARKS),
    _file("offer.docx", "application/msword", "-" * 18_400),
    _file(f"{LONG[1]}.xlsx", "application/vnd.ms-excel", "-" * 23_750),
]


def moved_records() -> Json:
    """What moved in the CRM: a changed, a new and a removed deal."""

    def record(name: str, kind: str, hours: int, *fields: tuple[str, str, str]) -> Json:
        told = [{"field": field, "before": before, "after": after} for field, before, after in fields]
        seen = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - hours * 3_600))
        return {"id": name, "name": name, "kind": kind, "seen_at": seen, "fields": told}

    records = [
        record("Bauer renewal", "changed", 2, ("Deal Stage", "Proposal", "Closed Won"), ("Amount", "38,000", "41,500")),
        record(f"{LONG[1]}, second plant", "added", 5, ("Amount", "", "120,000"), ("Deal owner", "", "Grace Liu")),
        record("Nowak pilot", "changed", 26, ("Close Date", "14 Nov 2026", "30 Jan 2027"), ("Next Step", "Call", "")),
        record("Test deal", "removed", 30, ("Amount", "500", ""), ("Deal Stage", "Proposal", "")),
    ]
    return {"known_from": "2026-11-01T08:00:00Z", "total": len(records), "records": records}


SLACK_STATUS = {"workspace": "Acme", "answers_in_channel": True, "linked_as": "ana", "command": "/plumbline"}
SLACK_CONNECTION = {
    "service": "slack", "name": "Slack", "configured": True, "may_manage": True, "state": "connected",
    "reason": None, "state_at": None, "account_name": "Acme", "refreshed_at": None,
}  # fmt: skip


# --------------------------------------------------------------------------------------------------------------- runs
STEPS = [
    {"label": "Reading the question", "detail": ""},
    {"label": "Looking at deals and owners", "detail": "won deals, by owner, this year"},
    {"label": "Computing", "detail": ""},
    {"label": "Writing the answer", "detail": "OpenAI Writer 4"},
]


def working_run() -> tuple[list[Json], Json]:
    """A question and the snapshot of its run, half done."""
    run = {
        "kind": "question", "validates": None, "thread_id": THREAD, "run_id": "run-0", "user_message_id": "user-0",
        "status": "running", "step_description": "Writing the answer", "steps": STEPS,
        "text_so_far": "Maria Lopez won the most this year:", "started_at": time.time() - 6, "finished_at": None,
        "data_sources_being_accessed": ["hubspot_deals.csv"], "error": None, "messages": None,
    }  # fmt: skip
    return [message(0, "user", "Who won the most this year?")], run


# ------------------------------------------------------------------------------------------------------------ answers
def _choice(label: str, question: str, definition: str = "") -> Json:
    keyword = {"term": "big", "definition": definition} if definition else None
    return {"label": label, "question": question, "keyword": keyword}


def _chip(key: str, label: str, *, opens: bool = False, guessed: bool = False) -> Json:
    return {"key": key, "part": key.partition(":")[0], "label": label, "opens": opens, "guessed": guessed}


def _means(column: str) -> Json:
    return {"kind": "meaning", "teaches": f"“bagged” will mean {column} in deals."}


def choosing_turns() -> list[Json]:
    """A question back, an answer that could have been another one, and one that cannot be given."""
    evidence = {
        "sources": [{"name": "deals", "file_name": "hubspot_deals.csv", "rows": 2_488, "refreshed_at": time.time()}],
        "plan_sentence": "Counts won deals closed in 2026.", "filters": [], "definitions": [], "joins": [],
        "query": "SELECT count(*) FROM deals WHERE stage = 'Closed Won' AND year(close_date) = 2026",
        "row_count": 42, "notes": [],
    }  # fmt: skip
    unclear = answer_parts(
        "“Big” could mean several things here.", status="clarify",
        choices=[
            _choice("Deals with an amount above 100,000", "Show large deals", "amount above 100,000")
            | {"figure": "Northwind renewal: 412,000, …"},
            _choice("Companies with more than 500 employees", "Show large companies", "more than 500 employees"),
            _choice("Number of deals, where amount is over 100,000", "How many large deals?") | {"figure": "38"},
        ],
    )  # fmt: skip
    assumed = answer_parts(
        "**42 deals** were won in 2026.", assumptions=["by close date", "calendar year", "Closed Won only"],
        choices=[_choice("By the date they were created", "How many deals created in 2026 were won?")],
        follow_ups=["And by owner?", "Compared with 2025?", "As a line chart by month"], evidence=evidence,
        memory={"question": "How many wins?", "text": "Counted as in “How many wins?”, which you found good."},
        read_as={"unread": [], "chips": [
            _chip("figure:0", "Number of deals", opens=True), _chip("filter:0", "Deal stage is Closed Won", opens=True),
            _chip("period:0", "2026, by close date", opens=True, guessed=True), _chip("files:0", "In deals"),
        ]},
    )  # fmt: skip
    asking = answer_parts(
        "I do not know what “bagged” is here, so I give no number. Which of these is “bagged”?", status="declined",
        choices=[
            _choice("Deal stage is Closed Won", "What Closed Won each deal owner?")
            | _means("“Closed Won” in deal stage"),
            _choice("Amount in deals", "Total amount by deal owner") | _means("amount"),
            _choice("Deal stage in deals", "Deals by deal stage and deal owner") | _means("deal stage"),
            _choice("Number of deals by deal owner", "Number of deals by deal owner") | {"kind": "rewrite"},
            _choice("Average amount by deal owner", "Average amount by deal owner") | {"kind": "rewrite"},
        ],
        read_as={
            "unread": [{"start": 5, "end": 11}], "asked": {"start": 5, "end": 11},
            "chips": [_chip("group:0", "By deal owner")],
        },
    )  # fmt: skip
    declined = answer_parts(
        "I cannot see the weather in your data. It holds deals, companies, contacts and targets.", status="declined",
        choices=[_choice("", "What is our win rate by owner this year?"), _choice("", "How many deals are open?")],
    )  # fmt: skip
    said = {
        "Show the big ones": unclear,
        "How many deals did we win?": assumed,
        "What bagged each deal owner?": asking,
        "Will it rain?": declined,
    }
    return turns([(question, {"content": parts["text"], "answer": parts}) for question, parts in said.items()])


def parted_at_length() -> list[Json]:
    """An answer whose reading has parts of many words, some of which open."""
    parts = answer_parts(
        "Booked revenue was 1.2 million.",
        read_as={"unread": [], "chips": [
            _chip("figure:0", "Total annual recurring revenue, won deals against all deals", opens=True),
            _chip("filter:0", "Segment is Enterprise, Public Sector, Mid-Market or Small Business", guessed=True),
            _chip("period:0", "October 2025 or October 2026 by booked revenue recognition date", opens=True),
            _chip("files:0", "In opportunities_export_2025_2026_with_renewals_and_expansions_final"),
        ]},
    )  # fmt: skip
    return turns([("How much did we book in October?", {"content": parts["text"], "answer": parts})])


def one_answer_a_model() -> list[Json]:
    """One question and the answer of each model to it, the first of them selected."""
    answers = []
    for at, model in enumerate(MODELS):
        won = {"Maria Lopez": 19 + at // 2, "Grace Liu": 14, "Tomás Ruiz": 9}
        text = f"{sum(won.values())} deals were won in 2026, {won['Maria Lopez']} of them by Maria Lopez."
        table = {**table_parts(0, 3), "rows": [[name, deals, deals * 21_500.0] for name, deals in won.items()]}
        parts = answer_parts(
            text, table={**table, "total_rows": len(won)}, approach=model["id"], approach_name=model["name"]
        )
        marks = {**message(0, "assistant", "")["metadata"], "is_selected_assistant": at == 0}
        answers.append(message(at, "assistant", text, run_id="run-0", model=model["id"], metadata=marks, answer=parts))
    return [message(0, "user", "How many deals did we win this year?", run_id="run-0", children=answers)]


def with_files() -> list[Json]:
    """An answer with a file of each kind."""
    return turns([("Give me the files", {"content": "Here are the files.", "output_files": FILES_TO_DOWNLOAD})])
