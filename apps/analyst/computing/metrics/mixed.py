"""What stands together in a total of money that people would keep apart: amounts in several currencies, and documents
that are void, drafts or cancelled.

In: a plan and the catalog. Out: the queries that tell how much of each there is among the rows that enter the figures,
and how that is said. Nothing is run here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from apps.analyst.computing.compile.walk import references, within
from apps.analyst.computing.metrics.used import count_of_rows, used
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Aggregate, AnyOf, ColumnRef, Comparison, Missing, Output, Plan, Query
from apps.analyst.plan.conditions import all_of
from apps.analyst.ports import Catalog
from apps.analyst.tables.words import CURRENCY_CODES
from apps.analyst.telling import formats
from apps.analyst.types import Scalar, Table

ADDED, AVERAGED = "Adds up amounts in {} as they are{}.", "Averages amounts in {} as they are."
INCLUDES = "Includes {:,} {} with {} {}."
MOST_NAMED = 4
"""Currencies that are named; of more the first ones."""
_AVERAGES = ("avg", "median")
_CURRENCY = ".currency"
"""How the ids of concepts of a currency end."""

Kind = Literal["currency", "state"]
Rows = Sequence[Sequence[Scalar]]


@dataclass(frozen=True, slots=True)
class Mixed:
    """A query for what stands together: each value of a column with its rows and, where one total is told, what of it
    is in these."""

    kind: Kind
    query: Query
    fn: str
    label: str
    nouns: tuple[str, str]
    """What one of the counted rows is, and several."""
    is_whole: bool
    """Whether the figure is one total that the parts make up."""

    def said(self, rows: Rows) -> str:
        """What the query's rows say; "" where nothing stands together that would be kept apart."""
        held = [row for row in rows if row[0] is not None]
        held = sorted(held, key=lambda row: -int(str(row[1])))
        return self._of_currencies(held) if self.kind == "currency" else self._of_states(held)

    def _of_currencies(self, rows: Rows) -> str:
        if len(rows) < 2:
            return ""
        names = formats.listed([str(row[0]) for row in rows], most=MOST_NAMED)
        if self.fn in _AVERAGES:
            return AVERAGED.format(names)
        parts = [formats.figure(row[2], str(row[0])) for row in rows[:MOST_NAMED]] if self.is_whole else []
        return ADDED.format(names, f" ({', '.join(parts)})" if parts else "")

    def _of_states(self, rows: Rows) -> str:
        held = [row for row in rows if _is_unreal(str(row[0]))]
        count = sum(int(str(row[1])) for row in held)
        if not count or len(held) == len(rows):
            return ""
        return INCLUDES.format(
            count, self.nouns[count != 1], self.label, formats.listed([str(row[0]) for row in held], "or")
        )


def mixed_in(plan: Plan, catalog: Catalog) -> list[Mixed]:
    """What may stand together in the money that a plan adds up (currencies: or averages), one entry for each column
    that would tell it apart, unless the plan does that itself."""
    query = plan.query if isinstance(plan, Comparison) else plan
    if not isinstance(query, Query) or not isinstance(query.source, str):
        return []
    apart = {ref for output in (*query.groups, *query.measures) for ref in references(output)}
    chosen = set(references(query.where)) if query.where is not None else set()
    found: dict[tuple[str, ColumnRef], Mixed] = {}
    for output in query.measures:
        for part in within(output.expr):
            if isinstance(part, Aggregate) and part.of is not None and part.fn in ("sum", *_AVERAGES):
                for kind, ref in _beside(part, query, catalog):
                    if ref not in (apart if kind == "currency" else apart | chosen):
                        found.setdefault((kind, ref), _asked(kind, ref, part, plan, query, catalog))
    return list(found.values())


def _beside(figure: Aggregate, query: Query, catalog: Catalog) -> Iterator[tuple[Kind, ColumnRef]]:
    """The columns that say in which currency an amount is, and in which state what it is an amount of."""
    names = {join.alias or join.table: join.table for join in query.joins}
    tables = {table.name: table for table in catalog.tables()}
    for ref in references(figure.of) if figure.of is not None else ():
        table = tables.get(names.get(ref.table, ref.table))
        meaning = dictionary_of(catalog).get(table.name) if table is not None else None
        own = meaning.column(ref.column) if meaning is not None else None
        if table is None or meaning is None or own is None or not own.money:
            continue
        currency = _currency_of(own, table, meaning)
        if currency:
            yield "currency", ColumnRef(table=ref.table, column=currency)
        for state in _states(table, meaning) if figure.fn == "sum" else ():
            yield "state", ColumnRef(table=ref.table, column=state)


def _currency_of(amount: ColumnMeaning, table: Table, meaning: TableMeaning) -> str:
    """The column that says in which of several currencies an amount is; "" where none does, or its own name does."""
    said = amount.label.split()
    if amount.unit in CURRENCY_CODES or "currency" in said or any(word.upper() in CURRENCY_CODES for word in said):
        return ""
    found: list[tuple[int, str]] = []
    for column in table.columns:
        means = meaning.column(column.name)
        if means is None or column.type != "text" or not column.values_complete or len(column.values) < 2:
            continue
        codes = all(value.value.strip().upper() in CURRENCY_CODES for value in column.values)
        if codes or (means.concept or "").endswith(_CURRENCY):
            rest = [word for word in means.label.split() if word not in ("currency", "code", "name")]
            found.append((len(rest) if set(rest) <= set(said) else -len(rest), column.name))
    return max(found, key=lambda one: one[0])[1] if found else ""


def _states(table: Table, meaning: TableMeaning) -> Iterator[str]:
    """The columns that say how things stand, where some of these are void, drafts or cancelled."""
    if words().ending & set(meaning.row.split()):
        return
    for column in table.columns:
        means = meaning.column(column.name)
        concept = knowledge().concepts.get(means.concept or "") if means is not None else None
        if concept is None or concept.kind != "status" or column.type != "text" or not column.values_complete:
            continue
        if any(_is_unreal(value.value) for value in column.values):
            yield column.name


def _is_unreal(value: str) -> bool:
    """Whether a cell says that what its row tells of does not count."""
    return folded(value) in {folded(word) for word in words().unreal}


def _asked(kind: Kind, ref: ColumnRef, figure: Aggregate, plan: Plan, query: Query, catalog: Catalog) -> Mixed:
    """The query for the rows, and for what is in them of the figure, by each value of a column."""
    sides = AnyOf(of=(plan.current, plan.baseline)) if isinstance(plan, Comparison) else None
    count = count_of_rows(query, catalog).measures[0].expr
    asked = Query(
        source=query.source,
        joins=query.joins,
        each=query.each,
        where=all_of(query.where, sides, used(query, catalog), Missing(of=ref, negated=True)),
        groups=(Output(label="value", expr=ref),),
        measures=(Output(label="rows", expr=count), Output(label="total", expr=figure)),
    )
    whole = plan is query and not query.groups and [one.expr for one in query.measures] == [figure]
    names = {join.alias or join.table: join.table for join in query.joins}
    meaning = dictionary_of(catalog)[names.get(ref.table, ref.table)]
    means = meaning.column(ref.column)
    label = means.label if means is not None else ref.column
    return Mixed(kind, asked, figure.fn, label, _nouns(figure, meaning, catalog), whole)


def _nouns(figure: Aggregate, meaning: TableMeaning, catalog: Catalog) -> tuple[str, str]:
    """What the rows are that enter a figure: of what is told once for several lines, what these are lines of."""
    table = next((table for table in catalog.tables() if table.name == meaning.table), None)
    read = [table.column(ref.column) for ref in references(figure.of)] if table and figure.of else []
    if meaning.whole and any(column is not None and column.per_key == "once" for column in read):
        return meaning.whole, plural(meaning.whole)
    return meaning.row, meaning.rows
