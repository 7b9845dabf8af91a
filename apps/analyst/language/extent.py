"""How much a question asks for: one figure over everything, or so many rows. The plan's groups and limit follow it.

"The median price across all shops" is one figure, though "across" often parts; "which three shops have the highest
rent" wants three rows, though "highest" alone means one.
"""

from __future__ import annotations

import re

from apps.analyst.language.reading import Reading
from apps.analyst.plan import ROW_NUMBER, Aggregate, AggregateName, Bin, ColumnRef, Output, Plan, Query

_ONE_FIGURE = re.compile(
    r"\s*(?:(?:can|could) you (?:please )?)?(?:how many|(?:(?:what (?:is|was)|calculate|compute|find|determine) the "
    r"(?:combined |overall )?(?:total|average|sum|mean|maximum|minimum|median|standard deviation|number)))\b",
    re.IGNORECASE,
)
_OVER_ALL = re.compile(r"\b(?:across|for|over|of|among) all\b", re.IGNORECASE)
_DOERS = re.compile(r"\bby (?:the |all )?[a-z]+ (?:that|who|which|whose|with)\b", re.IGNORECASE)
"""Who did it, told by what holds of them: "votes received by artists who reached the final"."""
_OF_FIRST = re.compile(
    r"\s*what (?:is|was) the (?P<fn>total|combined|sum|average|mean)\b[^?,]*\b(?:of|for|among|in) the "
    r"(?:top|bottom|first|last) (?:\d+|two|three|four|five|six|ten)\b(?!\s+(?:years?|months?|days?|rounds?))",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\b(?:each|every|per|different|respective\w*|chart|plot|graph|versus|vs)\b", re.IGNORECASE)
_STEPS = re.compile(
    r"\b(?:bins?|binned|buckets?|bands?|ranges?|intervals?|histogram|distribut\w*|groups?|by|each)\b", re.I
)
_A_PERIOD = re.compile(
    r"\bwhat (?:is|was) the (?:average|mean)\b.*\bper (?:year|month|quarter|week|day)\b", re.IGNORECASE
)
_SO_MANY = re.compile(
    r"\b(?:which|what|who|name the|list the)\s+(?:are the\s+|were the\s+)?"
    r"(?P<n>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+"
    r"(?!years?\b|months?\b|days?\b)[a-z][\w\s/-]*?\b(?:have|has|had|are|were|is|with|got|won|scored|sold|made)\b[^?]*?"
    r"\b(?:most|highest|largest|biggest|greatest|best|longest|tallest|lowest|least|smallest|fewest|shortest|worst)\b",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"\s*(?:which|what|who)\b(?!.*\b(?:each|every|per|all|than|are|were|names|different)\b)"
    r"(?:.*\bthe only\b|.*\b(?:more|fewer|less|most|least|first|last|\w+er)\b.*\bor (?:the )?[^?,]{1,40}\??\s*$)",
    re.IGNORECASE,
)
_WORDS = {w: i for i, w in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=2)}


def as_asked(text: str, reading: Reading) -> Plan:
    """The reading's plan with as many rows as the question asks for."""
    plan = reading.plan
    if not isinstance(plan, Query):
        return plan
    if plan.limit == 1 and not plan.offset:
        return _so_many(text, plan)
    if plan.limit is not None and plan.limit > 1 and plan.columns and (said := _OF_FIRST.match(text)) is not None:
        return _of_the_first(said.group("fn").casefold(), plan)
    if plan.limit is None and not plan.having and len(plan.groups) == 1 and plan.measures:
        return _one_figure(text, plan)
    return plan


def _so_many(text: str, plan: Query) -> Query:
    said = _SO_MANY.search(text)
    if said is None:
        return plan
    word = said.group("n").casefold()
    return plan.model_copy(update={"limit": _WORDS.get(word) or max(1, int(word)), "ties": False})


def _of_the_first(word: str, plan: Query) -> Query:
    """The listed rows' figure put together, where they are ranked by a figure."""
    by = plan.order[0].by if plan.order else ""
    if isinstance(by, str) or (isinstance(by, ColumnRef) and by.column == ROW_NUMBER):
        return plan
    fn: AggregateName = "avg" if word in ("average", "mean") else "sum"
    label = f"{'Average' if fn == 'avg' else 'Total'} of the first {plan.limit}"
    inner = plan.model_copy(update={"columns": (Output(label="figure", expr=by),), "distinct": False})
    of = ColumnRef(table="", column="figure")
    return Query(source=inner, measures=(Output(label=label, expr=Aggregate(fn=fn, of=of)),))


def _one_figure(text: str, plan: Query) -> Query:
    """One figure instead of one a group, where the question says so; never for figures that hang on their groups."""
    measure = plan.measures[0]
    if not all(isinstance(output.expr, Aggregate) for output in plan.measures):
        return plan
    assert isinstance(measure.expr, Aggregate)
    if len(plan.measures) == 1 and _A_PERIOD.search(text) and measure.expr.fn in ("avg", "count", "sum"):
        return _mean_of_periods(plan, measure)
    if not _ONE_FIGURE.match(text):
        return plan
    whole = (_OVER_ALL.search(text) or _DOERS.search(text)) is not None and _PARTS.search(text) is None
    stepped = isinstance(plan.groups[0].expr, Bin) and _STEPS.search(text) is None
    return plan.model_copy(update={"groups": (), "order": ()}) if whole or stepped else plan


def _mean_of_periods(plan: Query, measure: Output) -> Query:
    """The mean over periods of what each period comes to; a figure that is a mean by itself adds up first."""
    assert isinstance(measure.expr, Aggregate)
    fn = "sum" if measure.expr.fn == "avg" else measure.expr.fn
    inner = plan.model_copy(
        update={
            "measures": (measure.model_copy(update={"expr": measure.expr.model_copy(update={"fn": fn})}),),
            "order": (),
        }
    )
    mean = Aggregate(fn="avg", of=ColumnRef(table="", column=measure.label))
    return Query(source=inner, measures=(measure.model_copy(update={"expr": mean}),))


def wants_one(text: str) -> bool:
    """True for a question that one row answers: a choice between two, or "the only"."""
    return _ONE_OF.match(text) is not None
