"""Questions about how deals move: their age, slippage, stage conversion, time in stage. The formulas stand in
`metrics.flow`; which deals are meant, and by what they are told apart, is read by the readers of plain questions."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.analyst.computing.metrics import flow
from apps.analyst.computing.metrics.figures import Lacking
from apps.analyst.computing.metrics.roles import Crm, find
from apps.analyst.language import Reading
from apps.analyst.language.reading import ChartWish
from apps.analyst.plan import AggregateName, Clarify, Order, Output, Query
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.comparing import plain_figures
from apps.analyst.types import Question

_WHAT = r"(?:what(?: is|'s| was| are)|show(?: me)?|give me|list)?(?: ?(?:the|our|my))? ?"
_TAIL = r"(?P<tail>(?: (?:by|per|for|of|in|across|with) .+)?)"
_OPEN = r"open (?:deals|opportunities)"
_ANY_STAGE = r"(?: each| every| the| a| our)?(?: deal)? stages?"
_AGE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_WHAT}(?:(?P<fn>average|mean|median|typical|maximum|highest|minimum|lowest) )?age (?:in days )?"
        rf"of (?:all |our |the )?{_OPEN}{_TAIL}",
        rf"how old are (?:all |our |the )?{_OPEN}(?: on average)?{_TAIL}",
        rf"{_WHAT}(?P<fn>average|median)? ?(?:open )?deal age{_TAIL}",
    )
)
_SLIP = re.compile(rf"{_WHAT}(?:deal |pipeline )?(?:slippage|slip)(?: rates?)?(?: of (?:our |the )?open deals)?{_TAIL}")
_CONVERSION = re.compile(
    rf"{_WHAT}(?:stage(?:[ -]to[ -]stage)? conversions?(?: rates?)?"
    rf"|conversions?(?: rates?)? (?:between|by|per|of|from stage to){_ANY_STAGE}){_TAIL}"
)
_TIME = re.compile(
    rf"(?:{_WHAT}(?:average |mean )?(?:time|days)(?: that deals)?(?: spent| spend)? (?:in|per|by){_ANY_STAGE}"
    rf"|how long do (?:our )?deals (?:stay|sit|remain|spend)(?: on average)? in{_ANY_STAGE}){_TAIL}"
)
_FUNCTIONS: dict[str, AggregateName] = {
    "median": "median", "typical": "median", "maximum": "max", "highest": "max", "minimum": "min", "lowest": "min",
}  # fmt: skip


def flowing(question: Question, catalog: Catalog) -> Reading | None:
    """The reading of a question about how deals move, else None."""
    crm = find(catalog)
    if crm is None:
        return None
    asked = re.sub(r"\s+", " ", question.text.strip().lower().rstrip("?.! "))
    try:
        return _aged(asked, crm, question, catalog) or _staged(asked, crm, question, catalog)
    except Lacking as lack:
        return Reading(Clarify(question=str(lack), options=()), 1.0, reader="flow", wording=question.text.strip())


def _aged(asked: str, crm: Crm, question: Question, catalog: Catalog) -> Reading | None:
    ages = [match for pattern in _AGE if (match := pattern.fullmatch(asked)) is not None]
    if ages:
        said = ages[0].groupdict()
        fn = _FUNCTIONS.get(said.get("fn") or "", "avg")
        outputs, told = flow.age(crm, question.today, fn)
        return _measured(f"number of open deals{said['tail']}", outputs, told, question, catalog)
    slips = _SLIP.fullmatch(asked)
    if slips is not None:
        outputs, told = flow.slippage(crm, question.today)
        return _measured(f"number of open deals{slips['tail']}", outputs, told, question, catalog)
    return None


def _staged(asked: str, crm: Crm, question: Question, catalog: Catalog) -> Reading | None:
    """Where no stage has its dates, the reader of sales questions says so."""
    found = flow.stages(crm)
    converted, timed = _CONVERSION.fullmatch(asked), _TIME.fullmatch(asked)
    said = converted or timed
    if said is None or len(found) < 2:
        return None
    outputs, told = flow.conversion(found) if converted is not None else flow.time_in_stage(found, question.today)
    reading = _measured(f"number of deals{said['tail']}", outputs, told, question, catalog)
    if reading is None or not isinstance(reading.plan, Query):
        return None
    plan = reading.plan.model_copy(update={"noun": "", "scope": ""})
    return replace(reading, plan=plan, chart=ChartWish(mark="bar") if not plan.groups else None)


def _measured(
    text: str, outputs: tuple[Output, ...], told: str, question: Question, catalog: Catalog
) -> Reading | None:
    """The rows of a plain count, with other figures over them."""
    figures = plain_figures(text, question, catalog)
    if figures is None or len(figures.query.measures) != 1:
        return None
    query = figures.query
    counted = query.measures[0].label
    order = tuple(
        Order(by=outputs[0].label, descending=each.descending) if each.by == counted else each for each in query.order
    )
    return replace(
        figures.reading,
        plan=query.model_copy(update={"measures": outputs, "order": order}),
        assumptions=(*figures.reading.assumptions, told),
        chart=None,
        asked=(),
        reader="flow",
        wording=question.text.strip(),
    )
