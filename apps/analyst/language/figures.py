"""From measures and dimensions of a sketch to named outputs of a plan."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from apps.analyst.language.concepts import DISCOUNT, Concept, plain_name
from apps.analyst.language.figure_texts import holds_lengths
from apps.analyst.language.morphology import keys
from apps.analyst.language.names import split
from apps.analyst.language.parse.draft import Draft, Group, Measure, holds_figures, is_number, is_time, is_year
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    AggregateName,
    Arithmetic,
    Bin,
    Call,
    ColumnRef,
    Constant,
    Expr,
    Grain,
    Output,
    Part,
    Period,
)
from apps.analyst.telling.formats import capital, counted_by, plural, spoken
from apps.analyst.types import Column

WORDS: dict[str, str] = {
    "sum": "Total",
    "avg": "Average",
    "min": "Minimum",
    "max": "Maximum",
    "median": "Median",
    "stddev": "Standard deviation of",
    "variance": "Variance of",
    "count": "Number of",
}
_RATES = frozenset(
    form
    for word in (
        "price",
        "rate",
        "ratio",
        "percent",
        "percentage",
        "average",
        "age",
        "rating",
        "score",
        "rank",
        "position",
        "temperature",
        "density",
        "speed",
        "year",
        "height",
        "weight",
        "latitude",
        "longitude",
        "margin",
        "share",
        "level",
        "mpg",
        "index",
        "acceleration",
        "horsepower",
        "duration",
        "length",
        "grade",
        "gpa",
        "discount",
        "elevation",
        "capacity",
        "size",
    )
    for form in keys(word)
)
_TOTALS = frozenset(
    form
    for word in (
        "sales",
        "revenue",
        "amount",
        "quantity",
        "pieces",
        "items",
        "volume",
        "profit",
        "cost",
        "total",
        "income",
        "budget",
        "gross",
        "count",
        "number",
        "units",
        "orders",
        "points",
        "goals",
        "wins",
        "freight",
        "population",
        "medal",
        "votes",
        "value",
        "spend",
        "fee",
        "payment",
    )
    for form in keys(word)
)


_PAID = frozenset(form for word in ("sale", "sold", "paid", "purchase", "final") for form in keys(word))
_SALES = frozenset(
    form
    for word in ("sale", "order", "purchase", "booking", "ticket", "transaction", "rental", "deal", "reservation")
    for form in keys(word)
)
"""What each row of a table of these was sold for, at its "sale price", may be added up."""


def additive(draft: Draft, hit: ColumnHit) -> bool:
    """True where adding the column up makes sense: amounts and counts, not prices, rates and sizes."""
    named = draft.named(hit)
    concept = draft.lexicon.concepts.get((hit.table, hit.column))
    if concept is not None and (concept.over is not None or hit.column == DISCOUNT):
        return True
    if not is_number(named.column) or named.column.role in ("id", "time", "dimension") or named.column.unit == "%":
        return False
    forms = {form for own in named.name.forms for form in own}
    if forms & _PAID and forms & keys("price"):
        return bool(_SALES & {form for own in draft.lexicon.schema.tables[hit.table].name.forms for form in own})
    if forms & _RATES:
        return False
    return bool(forms & _TOTALS) or (named.column.role == "measure" and (named.column.unit or "") != "")


def default_aggregate(draft: Draft, hit: ColumnHit) -> AggregateName:
    """What people mean who name a figure without saying how: totals add up, rates are averaged."""
    return "sum" if additive(draft, hit) else "avg"


def column_ref(draft: Draft, hit: ColumnHit) -> Expr:
    """A hit as an expression: its column, or the concept it stands for."""
    concept = draft.lexicon.concepts.get((hit.table, hit.column))
    if concept is not None:
        if concept.definition and concept.definition not in draft.assumptions:
            draft.assumptions.append(concept.definition)
        return concept.expression
    return ColumnRef(table=hit.table, column=hit.column)


def as_figure(draft: Draft, hit: ColumnHit) -> Expr | None:
    """A hit as a figure: its numbers, the seconds of its lengths of time ("4:32"), or the number that each of its texts
    begins with ("145 m"); None for other text."""
    column = draft.column(hit)
    if is_number(column):
        return column_ref(draft, hit)
    if holds_lengths(column):
        return Call(name="seconds", args=(column_ref(draft, hit),))
    if holds_figures(column):
        return Call(name="number", args=(column_ref(draft, hit),))
    return None


def measure_output(draft: Draft, measure: Measure, base: str, *, multiplied: bool) -> Output:
    """A measure as a named aggregate; counts of things count each once where a join repeats them."""
    if measure.slot is not None and measure.slot.hits and (measure.fn != "count" or measure.distinct):
        hit = measure.slot.best
        if measure.fn == "count":
            return Output(
                label=f"Number of different {counted_by(plain_name(hit.column), hit.table)}",
                expr=Aggregate(fn="count", of=column_ref(draft, hit), distinct=True),
            )
        concept = draft.lexicon.concepts.get((hit.table, hit.column))
        if concept is not None and concept.over is not None:
            return _rate(concept, column_ref(draft, hit))
        unit = draft.column(hit).unit
        return Output(
            label=f"{WORDS.get(measure.fn, measure.fn.capitalize())} {_said(hit)}",
            expr=Aggregate(fn=measure.fn, of=as_figure(draft, hit) or column_ref(draft, hit)),
            unit=unit,
        )
    if measure.slot is not None and measure.slot.hits:
        hit = measure.slot.best
        if draft.column(hit).role == "id" and not draft.column(hit).unique:
            return measure_output(draft, replace(measure, distinct=True), base, multiplied=multiplied)
        said = counted_by(_said(hit), hit.table)
        return Output(label=f"Number of {said}", expr=Aggregate(fn="count", of=column_ref(draft, hit)))
    table = measure.table or base
    name = plural(" ".join(draft.lexicon.schema.tables[table].name.needed))
    key = draft.lexicon.schema.key_column(table)
    if (measure.distinct or (table != base and multiplied and key is not None)) and key is not None:
        return Output(
            label=f"Number of {name}",
            expr=Aggregate(fn="count", of=ColumnRef(table=table, column=key.name), distinct=True),
        )
    repeated = draft.lexicon.schema.repeated_key(table)
    if repeated is not None:
        draft.assumptions.append(f"Rows of {table} with the same {spoken(repeated.name)} count once")
        of = ColumnRef(table=table, column=repeated.name)
        return Output(label=f"Number of {name}", expr=Aggregate(fn="count", of=of, distinct=True))
    # Where a join repeats the rows that are counted, each of them counts once.
    place = ColumnRef(table=table, column=ROW_NUMBER) if multiplied and table == base else None
    return Output(label=f"Number of {name}", expr=Aggregate(fn="count", of=place))


def _rate(concept: Concept, of: Expr) -> Output:
    """The total of a part over the total of the whole: never the mean of the rows' rates."""
    assert concept.over is not None
    share = Arithmetic(op="/", left=Aggregate(fn="sum", of=of), right=Aggregate(fn="sum", of=concept.over))
    expr = Arithmetic(op="*", left=share, right=Constant(value=100, type="number"))
    return Output(label=capital(plain_name(concept.column.name)), expr=expr, unit="%")


def _said(hit: ColumnHit) -> str:
    return plain_name(hit.column)


def group_expression(column: Column, of: Expr, group: Group) -> Expr:
    """A dimension's expression: by grain, by date part, in bins, or the column itself."""
    if group.part is not None and column.type in ("date", "datetime"):
        return Part(part=group.part, of=of)
    if group.grain is not None and column.type in ("date", "datetime"):
        if group.grain == "auto":
            return (
                Period(grain=natural_grain(column), of=of)
                if natural_grain(column) != "year"
                else Part(part="year", of=of)
            )
        if group.grain == "year":
            return Part(part="year", of=of)
        return Period(grain=group.grain, of=of)
    if group.bin and is_number(column) and not is_year(column):
        return Bin(of=of, width=group.bin_width) if group.bin_width else Bin(of=of, count=10)
    return of


def natural_grain(column: Column) -> Grain:
    """The grain at which a column's whole span reads well as a trend."""
    low, high = column.minimum, column.maximum
    if not isinstance(low, date) or not isinstance(high, date):
        return "month"
    days = (high - low).days
    return "day" if days <= 62 else "month" if days <= 366 * 5 else "year"


def is_personal(draft: Draft, table: str, column: Column) -> bool:
    """Birthdays, days of hire and deadlines: dates of a row that are rarely meant by "by month"."""
    personal = frozenset(("birth", "birthday", "hire", "due", "required"))
    return bool(personal & set(draft.lexicon.schema.columns[table, column.name].name.words))


def time_column(draft: Draft, table: str) -> Column | None:
    """A table's own time: its first date column, else its year."""
    columns = draft.lexicon.schema.tables[table].table.columns
    dates = [c for c in columns if c.type in ("date", "datetime")]
    calm = [c for c in dates if not is_personal(draft, table, c)]
    years = [c for c in columns if is_time(c)]
    return next(iter(calm or dates or years), None)


def date_of_state(draft: Draft, table: str) -> Column | None:
    """ "cancelled orders by month": the date that is called as the state that was asked for, where rows have one."""
    said = {
        form
        for condition in draft.conditions
        if condition.kind == "value" and not condition.negated and condition.slot is not None and condition.slot.hits
        if condition.slot.best.table == table
        for value in condition.values
        for word in split(str(value))
        for form in keys(word)
    }
    for column in draft.lexicon.schema.tables[table].table.columns if said else ():
        forms = draft.lexicon.schema.columns[table, column.name].name.forms
        if column.type in ("date", "datetime") and any(form & said for form in forms):
            return column
    return None
