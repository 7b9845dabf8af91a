"""How an answer becomes a prediction: from its shape alone, never from what was expected."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Protocol

from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Combine, Query, Statistic
from apps.analyst.ports import Warehouse
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.telling.formats import MONTH_NAMES, is_number
from apps.analyst.types import Answer, Question, Result, ResultColumn, Scalar, Turn

_NAMED = re.compile(r"@(\w+)\s*\[")
_ALSO = re.compile(
    r"\b(and|with|along with|as well as|,)\s+(how|what|the|its|their|his|her|show|give)\b", re.IGNORECASE
)

_TWO_QUESTIONS = re.compile(r",\s*and\s+(how|what|which|who|when|where)\b", re.IGNORECASE)
"""Two questions in one sentence: their answers stand side by side, one value each."""


class Ask(Protocol):
    """Answers a question over a catalog."""

    def __call__(self, question: Question, *, catalog: FixedCatalog, warehouse: Warehouse) -> Answer: ...


def builtin(question: Question, *, catalog: FixedCatalog, warehouse: Warehouse) -> Answer:
    """The built-in analyst's answer."""
    return answer(question, catalog=catalog, warehouse=warehouse, onward=False)


def predict(
    item: Mapping[str, Any], catalog: FixedCatalog, warehouse: Warehouse, today: date, ask: Ask = builtin
) -> dict[str, Any]:
    """The prediction for one question of a set: `{id, answer, chart, status, confidence}`.

    A question that says the day on which it was typed (`today`, ISO) is read on that day.
    """
    today = date.fromisoformat(item["today"]) if item.get("today") else today
    turns: list[Turn] = []
    asked = [str(text) for text in item.get("turns") or [item["question"]]]
    context = str(item.get("context") or "")
    answered: Answer | None = None
    for text in asked:
        question = Question(text=text, today=today, turns=tuple(turns), context=context)
        answered = ask(question, catalog=catalog, warehouse=warehouse)
        turns.append(Turn(text, answered.plan if answered.status == "answered" else None, answered.text))
    values = values_of(answered, asked[-1], context) if answered is not None else None
    chart = chart_of(answered) if answered is not None else None
    status = answered.status if answered is not None else "declined"
    confidence = answered.confidence if answered is not None else 0.0
    return {"id": item["id"], "answer": values, "chart": chart, "status": status, "confidence": round(confidence, 4)}


def values_of(answered: Answer, question: str, context: str = "") -> object:
    """The answer's values: named ones as a mapping, one column as a list, all else as rows; None where
    declined, or where nothing was found."""
    result = answered.result
    if answered.status != "answered" or result is None or all(cell is None for row in result.rows for cell in row):
        return None
    names = _NAMED.findall(context)
    if names:
        asked = [place for place, column in enumerate(result.columns) if column.name in answered.asked]
        one = len(result.rows) == 1 and len(asked) == len(names) < len(result.columns)
        return _named(_only(result, asked) if one else result, names)
    plan = answered.plan
    if isinstance(plan, Combine) and result.columns[0].type == "text" and answered.asked:
        # A word is the answer ("Yes"), the figures beside it are its proof.
        told = zip(result.rows[0], result.columns, strict=True)
        return [value(cell, column) for cell, column in told if column.name in answered.asked]
    if len(result.columns) == 1:
        return [value(row[0], result.columns[0]) for row in result.rows]
    if len(result.rows) == 1 and (isinstance(plan, Statistic | Combine) or _summarises(plan)):
        shown = [value(cell, column) for cell, column in zip(result.rows[0], result.columns, strict=True)]
        return [_as_told(cell) for cell in shown] if isinstance(plan, Statistic) and not context else shown
    asked = [place for place, column in enumerate(result.columns) if column.name in answered.asked]
    shown_beside = answered.approach == "builtin" and _names_one(plan, result)
    if shown_beside and (len(asked) == 1 or not _ALSO.search(question)):  # a model selects what was asked, and no proof
        return [value(row[0], result.columns[0]) for row in result.rows]
    if len(asked) == 1:
        return [value(row[asked[0]], result.columns[asked[0]]) for row in result.rows]
    if len(result.rows) == 1 and 1 < len(asked) < len(result.columns) and _TWO_QUESTIONS.search(question):
        return [value(result.rows[0][place], result.columns[place]) for place in asked]
    return [[value(cell, column) for cell, column in zip(row, result.columns, strict=True)] for row in result.rows]


def _only(result: Result, places: Sequence[int]) -> Result:
    """The result with some of its columns: what was asked, without the figure that stands beside it as its proof."""
    rows = tuple(tuple(row[place] for place in places) for row in result.rows)
    return replace(result, columns=tuple(result.columns[place] for place in places), rows=rows)


def _summarises(plan: object) -> bool:
    """True for the statistics of one column side by side: a mean and a standard deviation."""
    if not isinstance(plan, Query) or plan.groups or len(plan.measures) < 2:
        return False
    fns = [output.expr.fn for output in plan.measures if isinstance(output.expr, Aggregate)]
    return bool({"median", "stddev", "stddev_pop", "variance", "variance_pop", "quantile"} & set(fns))


def _as_told(cell: object) -> object:
    """A coefficient as people write it, with two decimals."""
    return round(cell, 2) if isinstance(cell, float) and abs(cell) <= 1 else cell


def _named(result: Result, names: Sequence[str]) -> object:
    """The values by the names the context asks for; in order where the result calls them otherwise."""
    row = result.rows[0]
    found = {column.name: value(cell, column) for cell, column in zip(row, result.columns, strict=True)}
    if len(result.rows) == 1 and all(name in found for name in names):
        return {name: found[name] for name in names}
    if len(result.rows) == 1 and len(found) == len(names):
        return dict(zip(names, found.values(), strict=True))
    flat = [value(cell, column) for row in result.rows for cell, column in zip(row, result.columns, strict=True)]
    return dict(zip(names, flat, strict=True)) if len(flat) == len(names) else flat[:50]


def _names_one(plan: object, result: Result) -> bool:
    """True where the result is the first of an order by its figure: the answer is the name, the figure its proof."""
    if not isinstance(plan, Query) or plan.limit != 1 or len(plan.groups) != 1 or len(plan.measures) != 1:
        return False
    ordered = bool(plan.order) and plan.order[0].by in (plan.measures[0].label, plan.measures[0].expr)
    return ordered and len(result.columns) == 2


def value(cell: Scalar, column: ResultColumn) -> str | int | float | bool | None:
    """A cell in the words of an answer: periods as 2017, 2017-Q1 or 2017-07, other dates in ISO form."""
    if isinstance(cell, datetime | date):
        return _moment(cell, column.grain)
    if column.grain == "month" and isinstance(cell, int) and 1 <= cell <= 12:
        return MONTH_NAMES[cell - 1]
    if cell is None or isinstance(cell, str | bool | int):
        return cell
    return float(cell) if is_number(cell) else None


def _moment(cell: date, grain: str | None) -> str | int:
    match grain:
        case "year":
            return cell.year
        case "quarter":
            return f"{cell.year}-Q{(cell.month - 1) // 3 + 1}"
        case "month":
            return f"{cell.year}-{cell.month:02d}"
    if isinstance(cell, datetime) and not (cell.hour or cell.minute or cell.second):
        return cell.date().isoformat()
    return cell.isoformat(sep=" ") if isinstance(cell, datetime) else cell.isoformat()


def chart_of(answered: Answer) -> dict[str, Any] | None:
    """The chart as an encoding with the numbers it plots."""
    if answered.chart is None:
        return None
    shown = answered.chart.encoding
    x: object = {"field": shown.x, "bin": True} if shown.x_bin else shown.x
    y: object = "count" if shown.aggregate == "count" else shown.y
    document: Any = answered.chart.document
    series = [[_height(point) for point in dataset["data"]] for dataset in document.get("datasets", [])]
    return {
        "mark": shown.mark, "x": x, "y": y, "aggregate": shown.aggregate, "color": shown.color, "facet": shown.facet,
        "y_series": series,
    }  # fmt: skip


def _height(point: object) -> object:
    return point.get("y") if isinstance(point, dict) else point
