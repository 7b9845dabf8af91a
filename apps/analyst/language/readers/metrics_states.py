"""Won, lost, open, held, sent; amounts, counts and other figures of a sales question."""

from __future__ import annotations

from apps.analyst.computing.metrics.roles import Entity
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers.metrics_columns import resolve
from apps.analyst.language.readers.metrics_line import Line
from apps.analyst.language.readers.metrics_parts import AGGREGATES, MONEY, NOUNS, REVENUE, Ask


def read_states(line: Line, ask: Ask, entity: Entity) -> None:
    pairs: tuple[tuple[str, str], ...]
    if ask.kind == "deals":
        pairs = (
            ("why", r"why (?:do|did|have|are|were) we"),
            ("won", r"closed won|closed ~ won|won|win|wins|winning|brings? in|brought in|bringing in"),
            ("lost", r"closed lost|closed ~ lost|lost|lose|losing|losses|loss"),
            ("open", r"open|in progress|active|ongoing|still open"),
            ("closed", r"(?:did we |were |are |was )?closed|decided"),
            ("created", r"(?:were |was )?(?:created?|opened|added|started|new|generated)"),
        )
    elif ask.kind == "companies":
        pairs = (("churned", r"(?:that |have |has |who )?churn(?:ed|s|ing)?|former|left|lost|lose|leave"), ("", "-"))
    elif ask.kind == "meetings":
        pairs = (("held", r"(?:were |was )?held|hold|took place|meet|met|have met|completed"), ("created", "-"))
    elif ask.kind == "emails":
        pairs = (
            ("sent", r"(?:were |was )?sent|send|write to|wrote to|written to|got|get|received|outgoing"),
            ("", "-"),
        )
    elif ask.kind == "tickets":
        pairs = (
            ("open", r"(?:are )?(?:still )?(?:open|unresolved|unsolved)"),
            ("closed", r"(?:were )?(?:closed|solved|resolved)"),
            ("created", r"(?:were |was )?(?:created|opened|reported|new)"),
        )
    else:
        pairs = (("created", r"(?:were |was )?(?:created|added|new)"),)
    for state, pattern in pairs:
        if state == "lost" and ask.groups and ask.groups[0].role == "reason":
            line.take(pattern)
            ask.states += ("lost",)
        elif state == "won" and ask.metric in ("win rate", "win rate by value"):
            continue
        elif state and line.take(pattern):
            while line.take(pattern):
                pass
            ask.states += (state,) if state != "why" else ()
            ask.why = ask.why or state == "why"
    if ask.why:
        ask.count = True
    if ask.kind == "companies" and ask.states != ("churned",):
        gone = line.has(r"churn\w*|former|left|lost|lose") or ask.metric
        ask.states = (
            ("churned",)
            if gone
            else ("new customer",)
            if line.take(r"new|did we win|won|gained?|acquired?|win|added")
            else ("customer",)
        )
        line.take(r"active|current|existing|won|win")


def read_figure(line: Line, ask: Ask, entity: Entity, lexicon: Lexicon) -> None:
    if line.take(r"how many|(?:the )?(?:total )?number of|count of|how often") and not line.sees(r"employees?|days"):
        ask.count = True
    for pattern, fn in AGGREGATES:
        if line.take(pattern):
            ask.extremes += (fn,) if fn in ("min", "max") else ()
            ask.fn = fn
    line.take("and") if len(ask.extremes) > 1 else None
    pipeline = (
        line.take(r"(?:open |sales |total )?pipeline(?: value| amount)?")
        if ask.kind == "deals" and not ask.metric
        else None
    )
    if pipeline:
        ask.states, ask.column = tuple(dict.fromkeys((*ask.states, "open"))), entity.part("amount")
    if ask.kind == "deals" and line.take(r"(?:average |won )?deal size"):
        ask.column, ask.fn = entity.part("amount"), ask.fn or "avg"
        if not ask.states:
            ask.states = ("won",)
            ask.assumed.append("Deal size is taken over won deals")
    if ask.kind == "deals" and line.take(REVENUE):
        ask.column = entity.part("amount")
        if not ask.states:
            ask.states = ("won",)
        ask.assumed.append("Revenue is the amount of won deals, by their close date")
    if ask.kind == "deals" and (line.take(MONEY) or line.take(r"how much(?: money)?")):
        ask.column = entity.part("amount")
        line.take(MONEY)
    _other_figure(line, ask, entity, lexicon)
    if line.take(r"how much|how long|how"):
        pass


def _other_figure(line: Line, ask: Ask, entity: Entity, lexicon: Lexicon) -> None:
    words = {
        "meetings": (("duration", r"(?:duration|length|minutes|long)"),),
        "companies": (
            ("employees", r"(?:number of )?(?:employees|headcount|staff)"),
            ("recurring", r"(?:annual )?recurring revenue|arr|mrr"),
            ("revenue", r"(?:annual )?revenue|turnover"),
        ),
        "targets": (("target", NOUNS["targets"]),),
    }.get(ask.kind, ())
    for role, pattern in words:
        if line.take(pattern):
            ask.column = entity.part(role)
            if ask.column is None:
                ask.lacking = f"I need a column with the {role} of {ask.kind}, and found none in {entity.table.name}."
    if ask.kind == "tickets" and ask.fn and (match := line.sees(r"days to close|time to close|resolution time")):
        ask.column = resolve(match.group().split(), entity, None, lexicon, figures=True)
        line.blank(match.start(), match.end())


def read_nouns(line: Line, ask: Ask) -> None:
    while line.take(NOUNS[ask.kind]):
        pass
    if ask.kind == "companies":
        line.take(r"customers?|compan(?:y|ies)")
