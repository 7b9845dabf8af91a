"""Who has this but not that, or both: "customers with orders but without calls", "who has never made a payment"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from apps.analyst.language import Reading
from apps.analyst.plan import Aggregate, AllOf, Missing, Predicate, Query, SetOperation
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.comparing import plain_figures
from apps.analyst.types import Question

ASK = r"(?:which|what|list|show(?: me)?)(?: the)?"
_HAVE = r"(?:have|has|had|with|that have|who have|having)"
_BUT = re.compile(
    rf"{ASK} (?P<group>[\w ]+?) (?:that |who |which )?{_HAVE} (?P<both>both )?(?P<one>.+?)"
    r" (?P<link>but (?:not|no|never|without)(?: any)?|but (?:have|had|has) (?:no|not any|never)(?: had)?(?: any)?"
    rf"|without(?: any)?|and also|as well as|and)(?: {_HAVE})? (?P<two>.+)"
)
_NEVER = re.compile(
    r"(?:which|what|who|list|show(?: me)?)(?: the| of our| our)? ?(?P<group>[\w ]*?) ?(?:that |who |which )?"
    r"(?:have|has|had|did) (?:never|not ever|not yet) (?P<verb>\w+)(?: (?:an?|any))? (?P<noun>.+)"
)
_DOING = frozenset(("made", "placed", "done", "had", "put", "given", "received", "taken", "got"))
"""Verbs that say no more than that there was something: "never made a payment"."""
DEFAULT_GROUP = "owner"


def this_but_not_that(asked: str, question: Question, catalog: Catalog) -> Reading | None:
    """Those with rows of one kind and without (or also with) rows of another."""
    found = _BUT.fullmatch(asked)
    if found is None:
        return None
    without = found["link"].startswith(("but", "without"))
    if not without and not found["both"]:
        return None
    two = re.sub(rf"^(?:{_HAVE} )?(?:any |an? )?", "", found["two"])
    return _sets(found["group"], found["one"], two, "except" if without else "intersect", question, catalog)


def never(asked: str, question: Question, catalog: Catalog) -> Reading | None:
    """Those of which there are rows, without those of which there are such rows."""
    found = _NEVER.fullmatch(asked)
    if found is None:
        return None
    noun = found["noun"] if found["noun"].endswith("s") else f"{found['noun']}s"
    group = found["group"].strip() or DEFAULT_GROUP
    if found["verb"] in _DOING:
        return None
    return _sets(group, noun, f"{found['verb']} {noun}", "except", question, catalog)


def _sets(
    group: str,
    one: str,
    two: str,
    way: Literal["except", "intersect"],
    question: Question,
    catalog: Catalog,
) -> Reading | None:
    """The groups with rows of one kind, and with (or without) rows of another."""
    sides = [plain_figures(f"number of {kind} by {group}", question, catalog) for kind in (one, two)]
    if sides[0] is None or sides[1] is None:
        return None
    queries = [_group_list(side.query) for side in sides if side is not None]
    if any(query is None for query in queries) or queries[0] == queries[1]:
        return None
    first, second = (query for query in queries if query is not None)
    left, right = (query.model_copy(update={"noun": kind}) for query, kind in ((first, one), (second, two)))
    plan = SetOperation(op=way, left=left, right=right)
    assumed = tuple(dict.fromkeys((*sides[0].reading.assumptions, *sides[1].reading.assumptions)))
    return replace(sides[0].reading, plan=plan, assumptions=assumed)


def _group_list(query: Query) -> Query | None:
    """The names that a count by one group has rows of."""
    counts = len(query.groups) == 1 and isinstance(query.measures[0].expr, Aggregate)
    if not counts or isinstance(query.source, Query) or query.having is not None:
        return None
    group = query.groups[0]
    known: Predicate = Missing(of=group.expr, negated=True)
    parts = [part for part in conjuncts(query.where) if part != known]
    where = known if not parts else AllOf(of=(*parts, known))
    return Query(source=query.source, joins=query.joins, where=where, columns=(group,), distinct=True)
