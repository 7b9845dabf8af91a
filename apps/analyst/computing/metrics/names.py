"""How the parts of a CRM are called: words of tables and columns, and values that say how something ended."""

from __future__ import annotations

import re

WON_VALUE = re.compile(
    r"\b(closed ?-?won|won|win|deal won|signed|gewonnen|(?<!not )(?<!non-)renewed|order (placed|received))\b|closedwon",
    re.IGNORECASE,
)
LOST_VALUE = re.compile(
    r"\b(closed ?-?lost|lost|loss|deal lost|verloren|(not |non-)renewed|not proceeding|declined|rejected)\b|closedlost",
    re.IGNORECASE,
)
DROPPED_VALUE = re.compile(r"\b(cancel\w*|abandon\w*|disqualif\w*|dead|duplicate|archived)\b", re.IGNORECASE)
CHURNED_VALUE = re.compile(
    r"\b(churn\w*|former customer|lost customer|ex customer|cancel\w*|inactive customer)\b", re.IGNORECASE
)
CLOSED_VALUE = re.compile(r"\b(closed|solved|resolved|done|completed|complete|finished)\b", re.IGNORECASE)
HELD_VALUE = re.compile(r"\b(completed|held|done|attended|took place|successful)\b", re.IGNORECASE)
UNDECIDED_VALUE = re.compile(
    r"open|new|pending(?: \w+)?|(?:in|under) (?:progress|review|process|transit|evaluation|negotiation)|to ?do|tbd"
    r"|processing|submitted|waiting(?: \w+)*|awaiting(?: \w+)*|ongoing|on hold|draft|queued|scheduled|planned"
    r"|not (?:yet )?(?:decided|started|taken|graded)|undecided|unresolved|requested|received|applied"
)
"""States, with blanks between words, of cases of which nothing is decided yet."""
OUTGOING_VALUE = re.compile(r"\b(outgoing|outbound|sent|email)\b", re.IGNORECASE)

# Patterns over a column's words joined by blanks, best first. `date`, `number` and `text` say which types may play it.
ROLES: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "deals": {
        "amount": (
            "number",
            (
                r"amount",
                r"(deal|contract|opportunity|order) (value|size|volume)",
                r"(acv|tcv|arr|mrr)",
                r"value",
                r"revenue|bookings?|price|volume|total|worth",
            ),
        ),
        "created": (
            "date",
            (
                r"creat\w* (date|on|at|time)|date creat\w*|creat\w*",
                r"open(ed)? (date|on|at)|date opened",
                r"(start|entry|entered|added|logged|first seen)( date| on| at)?|(date|day) (added|entered|"
                r"started|logged)",
            ),
        ),
        "closed": (
            "date",
            (
                r"clos\w* (date|on|at|time)|date clos\w*",
                r"(won|decision|signed|signature|end|expected|due|booking)( close)?( date| on| at)|date (won|"
                r"signed|ended)|clos\w*",
            ),
        ),
        "planned close": (
            "date",
            (r"(original|originally|planned|initial|first|scheduled|baseline) (expected )?clos\w*( date| on| at)?",),
        ),
        "owner": (
            "text",
            (
                r"(deal |opportunity |account )?owner( name)?|owner .*",
                r"(sales ?)?(rep|person|man)|sales (rep\w*|person)|salesperson|seller",
                r"(account )?(executive|manager)|ae|agent|assigned to|assignee|responsible|handled by",
            ),
        ),
        "company": (
            "text",
            (
                r"(associated )?(company|account|customer|client|organi[sz]ation)( name)?",
                r".*(company|account|customer|client).*",
            ),
        ),
        "name": ("text", (r"(deal|opportunity|opp) ?(name|title)", r"name|title|subject|(deal|opportunity)")),
        "pipeline": ("text", (r"(sales |deal )?pipeline( name)?",)),
        "probability": (
            "number",
            (r".*(probability|likelihood|chance).*|(win )?prob( percent)?|win percent|.*confidence.*",),
        ),
        "source": ("text", (r"(original |lead |deal )?(traffic )?source.*|channel|lead source|origin",)),
        "reason": ("text", (r".*(los\w*) reason.*|.*reason.* (lost|loss).*", r".*reason.*")),
        "last activity": (
            "date",
            (r"(last|latest) .*(activity|contact\w*|touch\w*|engagement)( date| on| at)?|.*(activity|contacted) .*",),
        ),
        "stage": (
            "text",
            (
                r"(deal |sales |opportunity |pipeline )?(stage|phase)( name)?",
                r"(deal |opportunity )?status",
                r"(current )?(step|state|outcome|result)",
            ),
        ),
        "type": ("text", (r"(deal |opportunity )?(type|kind)",)),
        "currency": ("text", (r".*currency.*",)),
    },
    "companies": {
        "name": ("text", (r"(company|account|customer|client|organi[sz]ation) ?(name)?", r"name")),
        "churned": ("date", (r".*churn\w*.*|(cancel\w*|left|ended|termination|lost)( customer)?( date| on| at)",)),
        "customer since": (
            "date",
            (
                r"(became a )?customer (date|since)|became a customer.*|(customer|client) since.*|(activation|"
                r"contract start|signup|subscribed).*",
            ),
        ),
        "created": ("date", (r"creat\w* (date|on|at)|date creat\w*|creat\w*|added.*",)),
        "stage": (
            "text",
            (r"life ?cycle ?(stage|phase|status)?", r"(customer |account |company )?(status|stage|state)"),
        ),
        "owner": ("text", (r"(company |account )?owner( name)?",)),
        "employees": ("number", (r".*(employee|headcount|staff).*",)),
        "revenue": ("number", (r"annual revenue|.*turnover.*", r"revenue")),
        "recurring": ("number", (r"annual recurring revenue|(arr|mrr)|.*recurring.*",)),
    },
    "meetings": {
        "held": ("date", (r".*(start|meeting|held).*(time|date|on|at)?", r".*(date|time|day|when).*")),
        "owner": ("text", (r".*(owner|rep|host|organi[sz]er|salesperson|seller).*",)),
        "company": ("text", (r".*(company|account|customer|client).*",)),
        "outcome": ("text", (r".*outcome.*", r".*(status|result).*")),
        "duration": ("number", (r".*(duration|length|minutes).*",)),
    },
    "emails": {
        "sent": ("date", (r".*(sen[dt]|timestamp).*", r".*(date|time|day|when|created).*")),
        "owner": ("text", (r".*(owner|rep|salesperson|seller).*", r".*(sender|from).*")),
        "company": ("text", (r".*(company|account|customer|client).*",)),
        "direction": ("text", (r".*(direction|inbound|outbound).*",)),
        "status": ("text", (r".*status.*",)),
    },
    "tickets": {
        "created": ("date", (r".*(creat|open|report|submitted|received)\w*.*", r".*(date|time).*")),
        "closed": ("date", (r".*(clos|solv|resol)\w*.*",)),
        "status": ("text", (r".*(status|state).*", r".*(stage|pipeline).*")),
        "priority": ("text", (r".*(priority|severity|urgency).*",)),
        "company": ("text", (r".*(company|account|customer|client).*",)),
        "owner": ("text", (r".*(owner|agent|assignee|assigned).*",)),
    },
    "contacts": {
        "created": ("date", (r".*creat\w*.*|.*added.*",)),
        "company": ("text", (r".*(company|account|customer|client|organi[sz]ation).*",)),
        "owner": ("text", (r".*owner.*",)),
    },
    "targets": {
        "target": ("number", (r".*(target|quota|goal).*", r"amount|value|budget|plan")),
        "start": ("date", (r".*(start|begin).*|.*(quarter|month|period|year|date).*",)),
        "owner": ("text", (r".*(owner|rep|salesperson|seller|name|person).*",)),
        "period": ("text", (r".*(quarter|period|month|year).*",)),
    },
    "owners": {
        "name": ("text", (r".*(owner|rep|user|salesperson|seller|full)( name)?", r".*name.*")),
        "team": ("text", (r".*team.*|.*(group|squad|department).*",)),
    },
}
TABLE_WORDS = {
    "deals": r"deals?|opportunit(y|ies)|opps?",
    "companies": r"compan(y|ies)|accounts?|customers?|clients?|"
    r"organi[sz]ations?",
    "contacts": r"contacts?|people|persons?|leads?",
    "tickets": r"tickets?|cases?|issues?",
    "emails": r"e?mails?",
    "meetings": r"meetings?|appointments?",
    "targets": r"targets?|quotas?|goals?",
    "owners": r"owners?|users|"
    r"reps|sellers|salespeople|team",
}
NEEDED = {
    "deals": (),
    "companies": ("name",),
    "contacts": (),
    "tickets": (),
    "emails": ("sent",),
    "meetings": ("held",),
    "targets": ("target",),
    "owners": ("name",),
}
