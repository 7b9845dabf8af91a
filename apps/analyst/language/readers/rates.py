"""Questions for the rate of an outcome: "approval rate by segment", "which region has the highest pass rate".

The rows, groups and periods are those of the plain question how many there are; the figure is a share of the cases that
are decided. Only where the data know cases that are not: else every reader's share is the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from apps.analyst.computing.metrics.decided import Outcome, outcomes
from apps.analyst.computing.metrics.figures import count, per_cent
from apps.analyst.language.reading import Reading
from apps.analyst.plan import Aggregate, Order, Output, Query
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import capital, rows_noun
from apps.analyst.types import Question

SURE = 0.95
_OUR = r"(?:the |our |my )?"
_RATE = r"(?:(?:total|overall|average) )?(?P<outcome>[a-z]{4,}) rates?"
_PLAIN = re.compile(
    rf"(?:what(?: is| was|'s| are| were) |how high (?:is|was) |show(?: me)? )?{_OUR}{_RATE}(?P<rest>.*)"
)
_MOST = re.compile(
    rf"(?:which|what) (?P<group>[\w ]+?) (?:has|have|had) {_OUR}(?P<way>highest|best|lowest|worst|smallest|largest) "
    rf"{_RATE}(?P<rest>.*)"
)
_LOW = ("lowest", "worst", "smallest")
Plainly = Callable[[str], Reading | None]
"""Reads a plain question over figures; None where it is not sure."""


def rate(question: Question, catalog: Catalog, plainly: Plainly) -> Reading | None:
    """The reading of a question for the rate of an outcome, else None."""
    asked = re.sub(r"\s+", " ", question.text.strip().lower().rstrip("?.! "))
    found = _MOST.fullmatch(asked) or _PLAIN.fullmatch(asked)
    meant = outcomes(found["outcome"], catalog) if found is not None else []
    if found is None or len(meant) != 1:
        return None
    said = found.groupdict()
    noun = rows_noun(meant[0].table.name)
    rest = re.sub(rf"^ (?:of|for|among) (?:all |the |our )*{re.escape(noun)}\b", "", found["rest"])
    by = f" by {said['group']}" if said.get("group") else ""
    base = plainly(f"number of {noun}{by}{rest}")
    if base is None or not isinstance(base.plan, Query) or not _counts(base.plan, meant[0]):
        return None
    plan = _of_decided(base.plan, meant[0], f"{found['outcome']} rate", said.get("way"))
    return replace(
        base,
        plan=plan,
        score=max(SURE, base.score),
        asked=(),
        reader="rates",
        definitions=(meant[0].definition(f"{found['outcome']} rate"),),
        wording=question.text.strip(),
    )


def _counts(plan: Query, outcome: Outcome) -> bool:
    """Whether the plan does no more than count the rows of the outcome's table."""
    figures = [measure.expr for measure in plan.measures]
    plain = figures == [Aggregate(fn="count")] and plan.having is None and plan.limit is None
    return plain and plan.source == outcome.table.name


def _of_decided(plan: Query, outcome: Outcome, name: str, way: str | None) -> Query:
    share = per_cent(count(outcome.good), count(outcome.decided))
    measure = Output(label=capital(name), expr=share, unit="%")
    timed = bool(plan.order) and plan.order[0].by in {group.label for group in plan.groups}
    order = plan.order if timed and way is None else (Order(by=measure.label, descending=way not in _LOW),)
    told = {"measures": (measure,), "order": order if plan.groups else (), "noun": "", "scope": "", "known_until": ""}
    return plan.model_copy(update={**told, "limit": 1 if way else None, "ties": bool(way)})
