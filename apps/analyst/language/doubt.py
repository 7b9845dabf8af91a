"""What speaks against a reading: words of the question that carry meaning and left no trace in its plan.

The readers say how well they understood; this says, for all of them alike, how much of the question they passed over.
Four things are told apart, because they weigh differently (measured on questions over hundreds of unknown tables):

* a word that works on figures ("highest", "increase", "except"), a figure or a quoted name that found no place: the
  plan computes something else;
* words about the look of a chart ("gridlines", "depicting"): they change nothing of what is shown;
* a state said of the rows ("orders that were *cancelled*"): it restricts what is counted, so it is never scenery;
* any other content word: one is often scenery ("the points he *scored*"), several are a condition not understood.

And a question for one figure ("how many ...", "what is the total ...") is not answered by groups nobody asked for.
"""

from __future__ import annotations

import re

from apps.analyst.language.morphology import keys, lemmas, words
from apps.analyst.language.names import split
from apps.analyst.language.reading import Reading
from apps.analyst.language.vocabulary import vocabulary
from apps.analyst.plan import Aggregate, AllOf, Among, Plan, Predicate, Query, Statistic

OPERATOR_LOST = 0.4
"""Taken off for words that work on figures and left no trace."""
WORD_LOST = 0.08
"""Taken off for each content word without a place, from the third on."""
UNASKED_GROUPS = 0.4
"""Taken off where one figure was asked for and the plan has groups."""

_OPERATORS = words(
    "highest lowest largest smallest most least fewest greatest biggest best worst longest shortest oldest "
    "youngest earliest latest first top bottom maximum minimum max min closest nearest strongest higher "
    "lower larger smaller greater bigger more less fewer longer shorter older younger earlier later better worse "
    "above below under exceed surpass increase decrease decline grow growth rise drop reduce change "
    "variation difference differ same similar equal ratio percentage percent proportion share twice double "
    "half average mean median mode deviation variance cumulative combine previous next following preceding before "
    "after since until between except without never not no only neither assume if would possible define "
    "definition calculate divide multiply subtract minus margin compare correlation correlate consecutive exclude "
    "exclusively interval times per long second third fourth fifth sixth"
)
_TIMES = words("year date month day season decade century")
_YES_OR_NO = re.compile(
    r"\s*(?:and\s+)?(?:did|does|do|was|were|is|are|has|have|had)\s+(?!there\b|any\b|you\b|we\b|our\b|i\b|it\b|they\b)",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\b(?:any|who|which|what|where|when|how|or|list|show|related|correlat\w+)\b", re.IGNORECASE)
_STATES = words(
    "cancel lose win refuse return reject dispute deliver ship pay unpaid overdue pending active inactive open close "
    "resolve approve refund complete late delay marry single divorce retire expire churn discontinue postpone escalate "
    "qualify archive block damage defective fulfil fulfill invoice accept decline void stolen steal miss lapse "
    "terminate suspend pause freeze waive settle default outstanding sign renew upgrade downgrade convert abandon"
)
"""What business says of a thing's state, behind a form of "be"."""
_ALWAYS = words("lose cancel refund return reject dispute churn expire overdue unpaid late")
"""States that are never scenery: "which products *lost* money"."""
_THINGS = words(
    "deal opportunity lead ticket invoice subscription contract campaign quote employee supplier customer call email "
    "meeting"
)
"""What a business keeps lists of: a question about them is not answered from a file that knows none."""
_FIGURES = words("revenue turnover profit margin mrr arr")
"""A figure that was asked for and that nothing in the data is called: another one is no answer."""
_LOOKS = words(
    "show list display draw plot chart graph visualize visualise visualization represent depict illustrate render "
    "symbol gridline legend axis label color colour set break small multiple bar line point marker dot tick title "
    "font simple shade red blue green orange yellow purple black add use put make scatterplot piechart barchart "
    "layout view picture attribute attr variable field item wise segregate trellis dimension"
)
_ONE_FIGURE = re.compile(
    r"\s*(?:how (?:many|much)|what (?:is|was) the "
    r"(?:total|average|overall|combined|number|sum|mean|maximum|minimum|median))\b",
    re.I,
)
_GROUPING = re.compile(
    r"\b(?:each|per|by|every|all|different|across|versus|vs|over|respective|respectively|distribution|trend|both|against|them)\b"
    r"|\b(?:bins?|bands|buckets|charts?|plots?|graphs?|pie|bars?|lines?|histograms?)\b|[,;].*\b(?:and|show)\b",
    re.I,
)


_WHY = re.compile(r"\s*(?:and |but |so )?why\b", re.IGNORECASE)
_REASONS = frozenset(
    form for word in ("reason", "cause", "note", "comment", "remark", "explanation", "purpose") for form in keys(word)
)
_BEING = r"\b(?:is|are|was|were|been|being|got|get)\s+(?:not\s+|never\s+|still\s+)?"
_COUNTING = r"\b(?:how many|number of|count of)\s+"
_FIGURE = re.compile(r"[$\u20ac\u00a3]?\d[\d.,:/-]*%?")
_COEFFICIENT = re.compile(r"\bcorrelation coefficient\b|\bwhat (?:is|was) the correlation\b", re.IGNORECASE)
_NAMED = re.compile(r"@(\w+)\s*\[")
_MONEY = re.compile(r"\b(?:total|average|how much) (?:cost|spend|spending|expense|budget|price)\b", re.IGNORECASE)
_OVER = re.compile(r"\bover\s+[$\u20ac\u00a3]?\s?\d", re.IGNORECASE)


def doubted(text: str, reading: Reading, context: str = "") -> float:
    """The reading's score less what speaks against it; `text` is the question, `context` the form that it states.
    Never below 0.05."""
    unused = {word.casefold() for word in reading.unused}
    operators = [word for word in unused if _is(word, _OPERATORS) or (word == "over" and _OVER.search(text))]
    operators += [w for w in unused if w.endswith("est") and vocabulary().adjective(keys(w)) is not None]
    operators += [word for word in unused if _FIGURE.fullmatch(word) or _is_quoted(word, text)]
    others = [word for word in unused if not _is(word, _OPERATORS) and not _is(word, _LOOKS)]
    operators += [word for word in others if _is(word, _THINGS) or _is(word, _FIGURES)]
    taken = OPERATOR_LOST if operators or any(_is_state(word, text) for word in others) else 0.0
    taken += WORD_LOST * max(0, len(others) - 2)
    plan = reading.plan
    if _asked_time_unmet(text, unused) or _lists_for_yes_or_no(text, plan):
        taken += OPERATOR_LOST
    if isinstance(plan, Query) and plan.measures and not plan.groups and (plan.limit or 0) > 1:
        taken += OPERATOR_LOST  # the first three of one figure
    if reading.reader != "statistics" and _unlike_form(context, plan):
        taken += OPERATOR_LOST
    if not isinstance(plan, Statistic) and _COEFFICIENT.search(text):
        taken += OPERATOR_LOST
    if reading.reader == "query" and _WHY.match(text) and not _tells_reasons(plan):
        taken += OPERATOR_LOST
    if _MONEY.search(text) and _only_counts(plan):
        taken += OPERATOR_LOST
    if _unasked_groups(text, reading.plan):
        taken += UNASKED_GROUPS
    return max(0.05, reading.score - taken) if taken else reading.score


def _only_counts(plan: Plan) -> bool:
    """ "Total cost by team" over a table of costs: how many rows there are is no cost."""
    figures = plan.measures if isinstance(plan, Query) else ()
    return bool(figures) and all(isinstance(o.expr, Aggregate) and o.expr.fn == "count" for o in figures)


def _asked_time_unmet(text: str, unused: set[str]) -> bool:
    """ "what year was A a senior" of which no year came into the plan: something else would be answered."""
    asked = [word for word in unused if word in _TIMES]
    return any(re.search(rf"\b(?:what|which)\s+{word}\b", text, re.IGNORECASE) for word in asked)


def _lists_for_yes_or_no(text: str, plan: Plan) -> bool:
    """ "did A finish the race": rows that hold what was said are neither a yes nor a no."""
    asked = _YES_OR_NO.match(text) is not None and _NOT_ONLY.search(text) is None
    return asked and isinstance(plan, Query) and bool(plan.columns)


def _tells_reasons(plan: Plan) -> bool:
    """True where a column of reasons is shown; rows alone say nothing of why."""
    shown = plan.columns + plan.groups if isinstance(plan, Query) else ()
    return any(keys(word) & _REASONS for output in shown for word in split(output.label))


def _unlike_form(context: str, plan: Plan) -> bool:
    """True where the form of the answer names several values and the plan cannot give as many."""
    named = len(dict.fromkeys(_NAMED.findall(context)))
    if named < 2 or not isinstance(plan, Query) or (plan.groups and plan.limit != 1):
        return False
    return len(plan.groups) + len(plan.measures) + len(plan.columns) != named


def _is_quoted(word: str, text: str) -> bool:
    """Who quotes a name asks for what is called so."""
    return re.search(rf"[\"\u201c\u2018'`]{re.escape(word)}[\"\u201d\u2019'`]", text, re.IGNORECASE) is not None


def _is_state(word: str, text: str) -> bool:
    """True for a word that says which rows: before what is counted, or behind a form of "be" as its end or as a
    state of business."""
    if word.startswith("un") and _is(word.removeprefix("un"), _STATES):
        return True  # passed over, "undelivered" turns an answer round
    if not word.endswith("s") and re.search(rf"{_COUNTING}{re.escape(word)}\s+\w+s\b", text, re.IGNORECASE):
        return True
    if _is(word, _STATES) and re.search(rf"\b(?:have|has|with)\s+{re.escape(word)}\s+\w+s\b", text, re.IGNORECASE):
        return True
    if _is(word, _ALWAYS):
        return re.search(rf"\b{re.escape(word)}\b(?!\s+by\b)", text, re.IGNORECASE) is not None
    if _is(word, _STATES):
        return re.search(rf"{_BEING}{re.escape(word)}\b(?!\s+by\b)", text, re.IGNORECASE) is not None
    said = re.search(rf"{_BEING}{re.escape(word)}\b\s*(?:[?.!,;]|$)", text, re.IGNORECASE)
    return said is not None and re.search(_BEING, text[: said.start()], re.IGNORECASE) is None


def _is(word: str, known: frozenset[str]) -> bool:
    return word in known or any(form in known for form in lemmas(word))


def _unasked_groups(text: str, plan: Plan) -> bool:
    """True where a single figure was asked for and the plan has as many as it has groups."""
    if not isinstance(plan, Query) or not plan.groups or plan.limit == 1 or not plan.measures:
        return False
    side_by_side = any(isinstance(part, Among) and part.of == plan.groups[0].expr for part in _parts(plan.where))
    return _ONE_FIGURE.match(text) is not None and _GROUPING.search(text) is None and not side_by_side


def _parts(where: Predicate | None) -> tuple[Predicate, ...]:
    if where is None:
        return ()
    return where.of if isinstance(where, AllOf) else (where,)
