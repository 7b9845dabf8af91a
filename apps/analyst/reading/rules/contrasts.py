"""Questions that hold one thing against another: yes or no, above the average, who moved most; two groups and one and
all in `contrasts_groups`, who has this but not that in `contrasts_sets`.

"Did we sell more in 2024 than in 2023?" and "win rate of Ada compared with Ben" are plain questions asked twice; the
readers of plain questions read both, here they are put side by side. Nothing here knows a table or a column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from apps.analyst.language import Reading
from apps.analyst.plan import (
    CHANGE,
    Aggregate,
    Clarify,
    ColumnRef,
    Compare,
    Comparison,
    Order,
    Output,
    Period,
    Query,
    ScalarQuery,
)
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.comparing import (
    AGAINST,
    PERIOD,
    compared_periods,
    plain_figures,
    within,
)
from apps.analyst.reading.rules.contrasts_groups import two_groups
from apps.analyst.reading.rules.contrasts_sets import ASK, DEFAULT_GROUP, never, this_but_not_that
from apps.analyst.types import Question

Claim = Literal["", "up", "down"]
_MORE = r"(?P<more>more|higher|larger|bigger|greater|better|longer|up|above)"
_LESS = r"(?P<less>less|fewer|lower|smaller|worse|shorter|down|below)"
_SIZE = rf"(?:{_MORE}|{_LESS})"
_GREW = r"(?P<more>grow|grown|increased?|rise|risen|go up|gone up|improved?|climb)"
_FELL = r"(?P<less>fall|fallen|dropp?(?:ed)?|decreased?|declined?|go down|gone down|shrink|shrunk|worsen(?:ed)?)"
_MOVING = r"(?:(?P<more>growing|rising|improving|increasing|up)|(?P<less>falling|dropping|declining|shrinking|down))"
_WE = r"(?:did|do|have|has) (?:we|our team|i) (?P<verb>\w+)"
_OUR = r"(?:our |the |my )?(?P<head>.+?)"
_A = rf"(?: (?:in |for )?(?P<a>{PERIOD}))?"
_THAN_B = r"than (?:in |for )?(?P<b>.+)"
_OF_B = r"(?:in |for |that of )?(?:the )?"
_HOW_MUCH = r"(?:by )?(?:how (?:much|many per ?cent|strongly)|what per ?cent(?:age)?|what %)"
_FROM_TO = rf"(?:from|between) {_OF_B}(?P<b>{PERIOD}) (?:to|and) {_OF_B}(?P<a>{PERIOD})"
_YES_NO = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_WE} {_SIZE} (?!in |for |this |last |during |than )(?P<noun>(?:[a-z]+ ){{1,4}}?)(?:in |for )?"
        rf"(?P<a>{PERIOD} )?{_THAN_B}",
        rf"{_WE} {_SIZE}{_A} {_THAN_B}",
        rf"(?:are|were|is|was) there {_SIZE} (?P<noun>(?:[a-z]+ ){{1,4}}?)(?:in |for )?(?P<a>{PERIOD} )?{_THAN_B}",
        rf"(?:is|are|was|were) {_OUR} {_SIZE}{_A}(?: than| compared? (?:to|with)| vs\.?| versus) {_OF_B}(?P<b>.+)",
        rf"(?:did|has|have|does|do) {_OUR} (?:{_GREW}|{_FELL}){_A}"
        rf"(?: (?:compared? (?:to|with)|vs\.?|versus|over|on|from|since|against) {_OF_B}(?P<b>{PERIOD}))?",
        rf"(?:did|has|have) {_OUR} (?:{_GREW}|{_FELL}) {_FROM_TO}",
        rf"(?P<how>{_HOW_MUCH}) (?:did|has|have) {_OUR} (?:{_GREW}|{_FELL}) {_FROM_TO}",
        rf"(?:is|are|was|were) {_OUR} {_MOVING}{_A}",
    )
)
_BY_HOW_MUCH = re.compile(rf",?(?: and)?(?: if so,?)? {_HOW_MUCH}$")
"""Asked behind a yes-or-no question; a comparison tells it anyway."""
_ABOVE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{ASK} (?P<group>.+?) (?:are|is|were|was|lie|perform(?:ed)?) (?P<way>above|over|below|under)(?: the)?[ -]"
        r"(?:overall )?average (?:in|by|for|on|with|of)(?: (?:their|the|its))? (?P<head>.+)",
        rf"{ASK} (?P<group>.+?) (?:have|has|had|with) (?:an? )?(?P<way>above|below)[ -]average (?P<head>.+)",
        rf"{ASK} (?P<group>.+?) (?:have|has|had|with) (?:an? |the )?(?P<head>.+?) "
        r"(?P<way>above|over|below|under|higher than|lower than)(?: the)?[ -](?:overall )?average",
    )
)
_BY_HEAD = rf"(?: (?:in|by) (?:the )?(?P<head>.+?))?{_A}(?: {AGAINST} (?P<b>{PERIOD}))?"
_MOVERS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:who|which|what)(?: (?P<group>.+?))? "
        rf"(?P<way>improved|grew|gained|increased|declined|dropped|fell|lost|worsened)(?: the)? most{_BY_HEAD}",
        r"(?:who are |what are |show(?: me)? )?(?:our |the )?(?:top|biggest) "
        rf"(?P<way>movers|gainers|losers|decliners){_BY_HEAD}",
    )
)
_CLAUSE = re.compile(r"\b(?:with|that|who|which|whose|have|has|of)\b")
_DOWN = {"declined", "dropped", "fell", "lost", "worsened", "losers", "decliners"}
_ITS_OWN_KIND = re.compile(
    r"\b(?:more|less|fewer|higher|lower|older|younger|earlier|later|longer|better) than (?:that of )?"
    r"(?:their|its|his|her) (?:own )?(?:manager|boss|supervisor|superior|parent|predecessor)s?\b"
)
_DEFAULT_FIGURE = "amount of won deals"


def contrasting(question: Question, catalog: Catalog) -> Reading | None:
    """The reading of a question that holds one thing against another, else None."""
    asked = re.sub(r"\s+", " ", question.text.strip().lower().rstrip("?.! "))
    if _ITS_OWN_KIND.search(asked) is not None:
        reason = (
            "I cannot compare the rows of a table with other rows of the same table, such as people with their manager."
        )
        return Reading(Clarify(question=reason, options=()), 1.0, reader="contrasts", wording=question.text.strip())
    makers: tuple[Callable[[str, Question, Catalog], Reading | None], ...] = (
        _yes_or_no, _above_average, _movers, two_groups, this_but_not_that, never,
    )  # fmt: skip
    for make in makers:
        reading = make(asked, question, catalog)
        if reading is not None:
            return replace(reading, chart=None, asked=(), reader="contrasts", wording=question.text.strip())
    return None


# ---------------------------------------------------------------- yes or no
def _yes_or_no(asked: str, question: Question, catalog: Catalog) -> Reading | None:
    claimed = _BY_HOW_MUCH.sub("", asked)
    for pattern in _YES_NO:
        found = pattern.fullmatch(claimed)
        if found is None:
            continue
        groups = {name: (value or "").strip() for name, value in found.groupdict().items()}
        claim: Claim = "" if groups.get("how") else "up" if groups.get("more") else "down"
        current, baseline = groups.get("a") or "", groups.get("b") or ""
        for head in _heads(groups):
            reading = _claimed(head, current, baseline, claim, question, catalog)
            if reading is not None:
                return reading
    return None


def _heads(groups: dict[str, str]) -> Iterator[str]:
    """Ways to ask for the figure alone."""
    noun, verb, head = groups.get("noun") or "", groups.get("verb") or "", groups.get("head") or ""
    if head:
        yield head
    elif not noun:
        yield f"how much did we {verb}"
    elif not verb:
        yield f"number of {noun}"
    else:
        yield f"how many {noun} did we {verb}"
        yield f"how much {noun} did we {verb}"
        yield f"number of {noun}"
        yield noun


def _claimed(
    head: str, current: str, baseline: str, claim: Claim, question: Question, catalog: Catalog
) -> Reading | None:
    baseline = re.sub(r"^(?:in|for) ", "", baseline)
    if baseline and re.fullmatch(PERIOD, baseline) is None:
        return None
    unit = re.fullmatch(r"(?:the )?(?:last|previous|prior) (\w+)", baseline)
    current = current or (f"this {unit[1]}" if unit is not None else "")
    if not baseline and (present := re.fullmatch(r"(?:this|the current) (\w+)", current)) is not None:
        baseline = f"last {present[1]}"
    if not baseline and re.fullmatch(r"\d{4}", current) is not None:
        baseline = str(int(current) - 1)
    if not current or not baseline:
        return None
    reading = compared_periods(question, catalog, f"{head} {within(current)}", f"{head} {within(baseline)}")
    if reading is None or not isinstance(reading.plan, Comparison) or reading.plan.query.groups:
        return None
    return replace(reading, plan=reading.plan.model_copy(update={"claim": claim}))


# ---------------------------------------------------------------- above the average
def _above_average(asked: str, question: Question, catalog: Catalog) -> Reading | None:
    for pattern in _ABOVE:
        found = pattern.fullmatch(asked)
        short = found is not None and _CLAUSE.search(found["group"]) is None
        figures = plain_figures(f"{found['head']} by {found['group']}", question, catalog) if found and short else None
        if found is None or figures is None or not _plain_groups(figures.query):
            continue
        query = figures.query.model_copy(update={"order": (), "measures": figures.query.measures[:1]})
        label = query.measures[0].label
        ref = ColumnRef(table="", column=label)
        average = Query(source=query, measures=(Output(label="average", expr=Aggregate(fn="avg", of=ref)),))
        above = found["way"] in ("above", "over", "higher than")
        having = Compare(op=">" if above else "<", left=ref, right=ScalarQuery(query=average))
        plan = query.model_copy(update={"having": having, "order": (Order(by=label, descending=above),)})
        told = f"The average is taken over all {found['group']} that have a figure, each counted once"
        return replace(figures.reading, plan=plan, assumptions=(*figures.reading.assumptions, told))
    return None


def _plain_groups(query: Query) -> bool:
    return bool(query.groups) and not any(isinstance(group.expr, Period) for group in query.groups)


# ---------------------------------------------------------------- who moved most
def _movers(asked: str, question: Question, catalog: Catalog) -> Reading | None:
    for pattern in _MOVERS:
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        groups = found.groupdict()
        head, by = groups["head"] or _DEFAULT_FIGURE, (groups.get("group") or "").strip()
        if not by and (named := re.fullmatch(r"(.+?) (?:by|per) (\w+)", head)) is not None:
            head, by = named[1], named[2]
        current = groups["a"] or "this quarter"
        baseline = groups["b"] or _before(current)
        if not baseline:
            return None
        whole = f"{head} by {by or DEFAULT_GROUP}"
        reading = compared_periods(question, catalog, f"{whole} {within(current)}", f"{whole} {within(baseline)}")
        if reading is None or not isinstance(reading.plan, Comparison) or not reading.plan.query.groups:
            continue
        order = (Order(by=CHANGE, descending=groups["way"] not in _DOWN),)
        query = reading.plan.query.model_copy(update={"order": order})
        told = [] if groups["a"] else [f"No period was named, so {current} is held against {baseline}"]
        told += [] if groups["head"] else [f"No figure was named, so this is about the {head}"]
        return replace(
            reading,
            plan=reading.plan.model_copy(update={"query": query}),
            assumptions=(*reading.assumptions, *told),
        )
    return None


def _before(period: str) -> str:
    present = re.fullmatch(r"(?:the )?(?:this|current) (\w+)", period)
    if present is not None:
        return f"last {present[1]}"
    return str(int(period) - 1) if re.fullmatch(r"\d{4}", period) else ""
