"""The question that a new model is tried with, over orders that are nobody's, and whether its reply answers it.

It is asked as the product asks: by the same rules, with the same prompt. What comes back is lifted into a plan and
computed, so that a model passes that says the right thing and not one that only replies in the right form.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from apps.analyst.approaches.models import prompt
from apps.analyst.approaches.models.replies import Sql, plan_of
from apps.analyst.errors import AnalystError
from apps.analyst.plan import Plan
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Column, Question, Table, ValueCount

if TYPE_CHECKING:
    from pandas import DataFrame

Outcome = Literal["right", "wrong", "no query"]
QUESTION = "What was the total amount of the open orders in 2025?"
_TODAY = date(2026, 1, 31)
_AMOUNTS = (120, 80, 45, 310, 95, 60, 210, 150, 75, 40, 180, 25)
_STATES = ("open", "closed", "closed")
_DAYS = tuple(date(2024 + number % 2, 1 + number, 10) for number in range(len(_AMOUNTS)))
_TOTAL = sum(
    amount
    for number, amount in enumerate(_AMOUNTS)
    if _STATES[number % len(_STATES)] == "open" and _DAYS[number].year == 2025
)


def asked() -> str:
    """What the model is sent, beside the rules."""
    return prompt.asked(Question(QUESTION, today=_TODAY), _orders())


def outcome(reply: str) -> Outcome:
    """What a reply is worth: it gives the right total, it gives something else, or nothing that could be computed."""
    # Imported here: parser and data frames take their time, and most of the product needs neither of them here.
    from apps.analyst.computing.executor import execute
    from apps.analyst.plan.lift import NotLifted

    catalog = _orders()
    try:
        plan = _plan(reply, catalog)
        rows = execute(plan, catalog, {"orders": _frame()}).rows
    except (AnalystError, NotLifted):
        return "no query"
    return "right" if [list(map(_number, row)) for row in rows] == [[_TOTAL]] else "wrong"


def _plan(reply: str, catalog: Catalog) -> Plan:
    from apps.analyst.plan.lift import lift

    meant = plan_of(reply)
    if isinstance(meant, Sql):
        return lift(meant.text, catalog, _TODAY)
    validate(meant, catalog)
    return meant


def _number(value: object) -> object:
    return round(float(value), 6) if isinstance(value, int | float) else value


def _orders() -> FixedCatalog:
    """Twelve orders, described as a file of them would be."""
    count, states = len(_AMOUNTS), [_STATES[number % len(_STATES)] for number in range(len(_AMOUNTS))]
    values = tuple(ValueCount(state, states.count(state)) for state in ("closed", "open"))
    columns = (
        Column("order_id", "integer", "id", distinct=count, minimum=1, maximum=count, unique=True),
        Column("ordered_on", "date", "time", distinct=count, minimum=min(_DAYS), maximum=max(_DAYS)),
        Column("amount", "integer", "measure", distinct=count, minimum=min(_AMOUNTS), maximum=max(_AMOUNTS)),
        Column("status", "text", "dimension", distinct=2, values=values, values_complete=True),
    )
    return FixedCatalog("trial", (Table("orders", "orders.csv", Path("orders.parquet"), count, columns),))


def _frame() -> DataFrame:
    import pandas as pd

    count = len(_AMOUNTS)
    return pd.DataFrame(
        {
            "order_id": range(1, count + 1),
            "ordered_on": pd.to_datetime(list(_DAYS)),
            "amount": _AMOUNTS,
            "status": [_STATES[number % len(_STATES)] for number in range(count)],
        }
    )
