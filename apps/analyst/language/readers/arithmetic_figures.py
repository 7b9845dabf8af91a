"""Parts of a calculation: a phrase of a question read by itself, as a query that gives exactly one figure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers import query as query_reader
from apps.analyst.language.reading import Reading
from apps.analyst.language.tagging import tag
from apps.analyst.plan import Aggregate, AggregateName, ColumnRef, Output, Query
from apps.analyst.ports import Catalog
from apps.analyst.types import Column, Question

LEAST = 0.86
"""A part that is read less surely than this spoils the calculation."""
FIGURE = "figure"


@dataclass(frozen=True, slots=True)
class Figure:
    """A one-figure query, how surely it was read, and what the figure is called."""

    query: Query
    score: float
    label: str
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads phrases of one question over one catalog."""

    question: Question
    catalog: Catalog
    lexicon: Lexicon

    def plain(self, text: str) -> Reading | None:
        """The plain reading of a text put as a question."""
        asked = text.strip().rstrip("?.,;") + "?"
        readings = query_reader.read(
            replace(self.question, text=asked), self.catalog, self.lexicon, tag(asked, self.lexicon)
        )
        return next((r for r in readings if isinstance(r.plan, Query)), None)

    def figure(self, phrase: str) -> Figure | None:
        """The one figure that a noun phrase means ("the population of Rome"), or None where it is read badly or
        not at all."""
        reading = self.plain(f"What is {phrase}")
        if reading is None or reading.score < LEAST or not isinstance(reading.plan, Query):
            return None
        return one_figure(reading.plan, reading, self.catalog)

    def column(self, table: str, name: str) -> Column | None:
        """A stored column."""
        return next((t.column(name) for t in self.catalog.tables() if t.name == table), None)


def one_figure(query: Query, reading: Reading, catalog: Catalog) -> Figure | None:
    """The query wrapped so that it gives one figure: its only measure, or the total of what it lists."""
    if query.measures and not query.groups:
        if any(_of_time(output, catalog) for output in query.measures):
            return None
        chosen = next((m for m in query.measures if m.label in reading.asked), query.measures[0])
        made = query.model_copy(
            update={"measures": (chosen.model_copy(update={"label": FIGURE}),), "order": (), "limit": None}
        )
        return Figure(made, reading.score, chosen.label, chosen.unit)
    outputs = query.measures if query.groups else query.columns
    numeric = [output for output in outputs if is_number(output, catalog)]
    asked = [output for output in numeric if output.label in reading.asked] or numeric
    if len(asked) != 1 and not (asked and query.limit == 1):
        return None
    if query.groups and query.limit is None:
        return None
    chosen = asked[0]
    outer = Aggregate(fn=_combining(query, chosen), of=ColumnRef(table="", column=chosen.label))
    made = Query(source=query, measures=(Output(label=FIGURE, expr=outer, unit=chosen.unit),))
    return Figure(made, reading.score, chosen.label, chosen.unit)


def _of_time(output: Output, catalog: Catalog) -> bool:
    """Whether a measure counts or adds up moments, which no calculation wants."""
    of = output.expr.of if isinstance(output.expr, Aggregate) else None
    if not isinstance(of, ColumnRef):
        return False
    column = next((t.column(of.column) for t in catalog.tables() if t.name == of.table), None)
    return column is not None and column.role == "time"


def _combining(query: Query, output: Output) -> AggregateName:
    """How several listed values become one: of one row any way does; else they add up."""
    return "max" if query.limit == 1 else "sum"


def is_number(output: Output, catalog: Catalog) -> bool:
    """Whether an output holds numbers that can be calculated with."""
    if isinstance(output.expr, ColumnRef):
        reference = output.expr
        column = next((t.column(reference.column) for t in catalog.tables() if t.name == reference.table), None)
        return (
            column is not None and column.type in ("integer", "decimal", "float") and column.role not in ("id", "time")
        )
    return output.expr.kind in ("aggregate", "arithmetic", "call")
