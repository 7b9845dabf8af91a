"""Two groups side by side, or one and all the others: "win rate of Ada compared with Ben", "of Ada and the rest"."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.analyst.computing.compile.walk import references
from apps.analyst.language import Reading
from apps.analyst.plan import AnyOf, Compare, Comparison, Constant, Missing, Not, Predicate, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.plan.sentence import constant_words
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.comparing import (
    AGAINST,
    PERIOD,
    Figures,
    difference,
    plain_figures,
    shared_words,
    unnamed,
)
from apps.analyst.types import Question

_TAIL = r"(?P<tail> (?:in|during|since) .+| (?:this|last) \w+)?"
_GROUPS = tuple(
    re.compile(pattern)
    for head in (r"(?P<head>.+?)", r"(?P<head>.+)")
    for pattern in (
        rf"compare (?:the )?{head} (?P<link>of|for|in|by) (?P<a>.+?) (?:and|with|to|vs\.?|versus|against)"
        rf" (?:that of |those of )?(?P<b>.+?){_TAIL}",
        rf"(?:what (?:is|was) |how (?:does|do|is) )?(?:the )?{head} (?P<link>of|for|in) (?P<a>.+?)"
        rf" (?:{AGAINST})(?: (?:that|those) of)? (?P<b>.+?){_TAIL}",
    )
)
_OVERALL = re.compile(
    r"(?:the |our )?(?:overall|whole|total|company|general)(?: .*)?|everyone|everybody|all(?: .*)?|the average", re.I
)
_DIFFERENCE = re.compile(r"(?:how (?:many|much) \w+er|how (?:many|much) (?:more|less|fewer)|(?:the )?difference)\b")
_REST = re.compile(r"(?:the |all )?(?:rest|others?|other .*|everyone else|everybody else|remaining .*)", re.I)


def two_groups(asked: str, question: Question, catalog: Catalog) -> Reading | None:
    """A figure of one group beside that of another, of all or of the rest."""
    for pattern in _GROUPS:
        found = pattern.fullmatch(asked)
        if found is None or re.fullmatch(PERIOD, found["a"]) or re.fullmatch(PERIOD, found["b"]):
            continue
        if _DIFFERENCE.match(found["head"]):
            return None
        head, link, tail = found["head"], found["link"], found["tail"] or ""
        first = plain_figures(f"{head} {link} {found['a']}{tail}", question, catalog)
        if first is None or first.query.groups:
            continue
        rest = "all" if _OVERALL.fullmatch(found["b"]) else "rest" if _REST.fullmatch(found["b"]) else ""
        if rest:
            without = plain_figures(f"{head}{tail}", question, catalog)
            reading = _against_all(first, without, rest == "all", found["b"]) if without is not None else None
        else:
            second = plain_figures(f"{head} {link} {found['b']}{tail}", question, catalog)
            reading = _against_other(first, second) if second is not None else None
        if reading is not None:
            return reading
    return None


def _against_other(first: Figures, second: Figures) -> Reading | None:
    one, other = unnamed(first.query), unnamed(second.query)
    common, mine, theirs = difference(one.where, other.where)
    if mine is None or theirs is None or _alone(one) != _alone(other):
        return None
    labels = _value(mine), _value(theirs)
    same = {ref.column for ref in references(mine)} == {ref.column for ref in references(theirs)}
    if not all(labels) or labels[0] == labels[1] or not same:
        return None
    plan = Comparison(
        query=one.model_copy(update={"where": common, "order": (), **shared_words(first.query, second.query)}),
        current=mine,
        baseline=theirs,
        current_label=labels[0],
        baseline_label=labels[1],
    )
    return replace(first.reading, plan=plan, score=min(first.reading.score, second.reading.score))


def _against_all(first: Figures, without: Figures, whole: bool, said: str) -> Reading | None:
    one, other = unnamed(first.query), unnamed(without.query)
    more = [part for part in conjuncts(one.where) if part not in conjuncts(other.where)]
    fewer = [part for part in conjuncts(other.where) if part not in conjuncts(one.where)]
    bare = {"joins": ()}
    if len(more) != 1 or fewer or _alone(one).model_copy(update=bare) != _alone(other).model_copy(update=bare):
        return None
    label, refs = _value(more[0]), list(references(more[0]))
    if not label or not refs:
        return None
    every: Predicate = AnyOf(of=(Missing(of=refs[0]), Missing(of=refs[0], negated=True)))
    plan = Comparison(
        query=one.model_copy(update={"where": other.where, "order": (), **shared_words(first.query, without.query)}),
        current=more[0],
        baseline=every if whole else AnyOf(of=(Not(of=more[0]), Missing(of=refs[0]))),
        current_label=label,
        baseline_label="overall" if whole else said,
    )
    return replace(first.reading, plan=plan, score=min(first.reading.score, without.reading.score))


def _alone(query: Query) -> Query:
    return query.model_copy(update={"where": None, "order": ()})


def _value(part: Predicate) -> str:
    """The value that a condition asks for, "" for other conditions."""
    if isinstance(part, Compare) and part.op == "=" and isinstance(part.right, Constant):
        return constant_words(part.right)
    return ""
