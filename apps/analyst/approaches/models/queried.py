"""A query of a model that no plan says, once it has run: its result worded and drawn like any other.

The result is looked at as a table of its own, whose names tell its rows apart and whose numbers are its figures. So the
sentence, the table and the chart are those of a plan; only what the figures stand on is the query itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from apps.analyst.computing.compute import Computed
from apps.analyst.plan import ColumnRef, Order, Output, Query
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.telling.charts import draw, why_not
from apps.analyst.telling.charts.wishes import named_chart
from apps.analyst.telling.formats import is_number
from apps.analyst.telling.narrate import View, headed, headline, story
from apps.analyst.types import Answer, Column, Evidence, Question, Result, ResultColumn, SourceUse, Table

COMPUTED_BY = "Computed by a query of the model, which was checked before it ran."
_RESULT = "result"
_NUMBERS = frozenset({"integer", "decimal", "float"})
_PERIODS = frozenset({"year", "quarter", "month", "week", "weekday", "day", "hour"})
"""Numbers under these names number periods; they are nothing to add up or to rank by."""


def told(question: Question, query: str, result: Result, used: Sequence[Table]) -> Answer:
    """The answer that a query's result makes. `used` are the tables that it reads."""
    result = _with_kinds(result, used)
    view, wish = _view(result), named_chart(question.text)
    evidence = Evidence(
        sources=tuple(SourceUse(t.name, t.file_name, t.rows, t.refreshed_at) for t in used),
        row_count=sum(table.rows for table in used),
        plan_sentence=COMPUTED_BY,
        query=query,
    )
    return Answer(
        "answered",
        " ".join(filter(None, (story(view, question.style), why_not(view, wish)))),
        result=headed(view),
        headline=headline(view),
        chart=draw(view, wish),
        evidence=evidence,
    )


def _with_kinds(result: Result, used: Sequence[Table]) -> Result:
    stored = {column.name.casefold(): column for table in used for column in table.columns}
    return replace(result, columns=tuple(_with_kind(c, stored.get(c.name.casefold())) for c in result.columns))


def _with_kind(column: ResultColumn, stored: Column | None) -> ResultColumn:
    """A number is a figure, unless it is called as a stored column that numbers things, or as a kind of period."""
    numbers_things = stored is not None and stored.role in ("id", "dimension", "time")
    names = column.type not in _NUMBERS or numbers_things or column.name.casefold() in _PERIODS
    unit = column.unit or (stored.unit if stored is not None and not names else None)
    return replace(column, kind="dimension" if names else "measure", unit=unit)


def _view(result: Result) -> View:
    """The result as groups with their figures, or as listed rows where it has none."""
    columns = tuple(Column(c.name, c.type, c.kind, c.unit) for c in result.columns)
    table = Table(_RESULT, _RESULT, Path(_RESULT), result.total_rows, columns)
    names, figures = (_outputs(result.columns, kind) for kind in ("dimension", "measure"))
    if names and figures:
        query = Query(source=_RESULT, groups=names, measures=figures, order=(_order(result, names, figures),))
    else:
        query = Query(source=_RESULT, columns=(*names, *figures))
    return View(Computed(query, result), FixedCatalog(_RESULT, (table,)))


def _order(result: Result, names: Sequence[Output], figures: Sequence[Output]) -> Order:
    """How the rows stand: by the first figure whose values run one way, else only by their names."""
    for figure in figures:
        place = next(i for i, column in enumerate(result.columns) if column.name == figure.label)
        values = [float(cell) for row in result.rows if is_number(cell := row[place])]
        if len(values) < len(result.rows):
            continue
        for descending in (True, False):
            if values == sorted(values, reverse=descending):
                return Order(by=figure.label, descending=descending)
    return Order(by=names[0].label)


def _outputs(columns: Sequence[ResultColumn], kind: str) -> tuple[Output, ...]:
    return tuple(
        Output(label=c.name, expr=ColumnRef(table=_RESULT, column=c.name), unit=c.unit)
        for c in columns
        if c.kind == kind
    )
