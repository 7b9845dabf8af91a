"""Deals with which nothing happened, where what happened stands in a table of its own: calls, emails, meetings."""

from __future__ import annotations

from datetime import date

from apps.analyst.computing.metrics.roles import Part
from apps.analyst.computing.metrics.rows import before
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import keys
from apps.analyst.language.scan import Scan
from apps.analyst.plan import Not, Predicate
from apps.analyst.plan.conditions import all_of

_HAPPENED = frozenset(
    form
    for word in ("activity", "engagement", "interaction", "touch", "call", "email", "meeting", "note", "visit", "event")
    for form in keys(word)
)


def happened_with(deals: str, lexicon: Lexicon) -> list[Part]:
    """The days on which something happened with a deal: of tables called so whose rows refer to the deals."""
    found: list[Part] = []
    for named in lexicon.tables:
        called = any(form & _HAPPENED for form in named.name.forms)
        edges = lexicon.schema.edges.get(named.table.name, ())
        refers = any(edge.one and edge.target == deals and len(edge.source_columns) == 1 for edge in edges)
        day = next((column for column in named.table.columns if column.type in ("date", "datetime")), None)
        if called and refers and day is not None:
            found.append(Part(named.table.name, day))
    return found


def silent_rows(deals: str, happened: list[Part], lexicon: Lexicon, since: date) -> Predicate:
    """No row of any of them since a day, or none ever."""
    scan = Scan(lexicon.schema, deals, joined={deals})
    silent = all_of(*(scan.among(part.table, Not(of=before(part, since)), negated=True) for part in happened))
    assert silent is not None
    return silent
