"""The data that a message is about, as far as changing a plan needs them: columns, their meanings, ways to tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.computing.compile.walk import references
from apps.analyst.conversation.words import phrases
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.types import ColumnMeaning
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.language import lexicon
from apps.analyst.language.scan import join_of
from apps.analyst.plan import Aggregate, ColumnRef, Query
from apps.analyst.ports import Catalog
from apps.analyst.tables.entries import separator_of
from apps.analyst.telling.formats import plural, spoken
from apps.analyst.types import Column


@dataclass(frozen=True, slots=True)
class Scene:
    """A catalog as changes of a plan look at it."""

    catalog: Catalog

    def column(self, ref: ColumnRef) -> Column | None:
        """The column, None for a row's number and columns of inner queries."""
        table = next((t for t in self.catalog.tables() if t.name == ref.table), None)
        return table.column(ref.column) if table is not None else None

    def meaning(self, ref: ColumnRef) -> ColumnMeaning | None:
        """What the dictionary knows of a column."""
        table = dictionary_of(self.catalog).get(ref.table)
        return table.column(ref.column) if table is not None else None

    def dated(self, ref: ColumnRef) -> bool:
        """Whether a column holds dates."""
        column = self.column(ref)
        return column is not None and column.type in ("date", "datetime")

    def is_figure(self, ref: ColumnRef) -> bool:
        """Whether a column is one to compute with."""
        column, meaning = self.column(ref), self.meaning(ref)
        number = column is not None and column.type in ("integer", "decimal", "float")
        return number and (meaning.kind == "measure" if meaning is not None else True)

    def adds_up(self, ref: ColumnRef) -> bool:
        """Whether a column is a figure whose sum says something."""
        meaning = self.meaning(ref)
        return self.is_figure(ref) and meaning is not None and meaning.adds == "sum"

    def lists(self, ref: ColumnRef) -> bool:
        """Whether a column's cells list several entries."""
        column = self.column(ref)
        return column is not None and separator_of(column) is not None

    def columns(self, table: str) -> list[ColumnRef]:
        """A table's columns."""
        found = next((t for t in self.catalog.tables() if t.name == table), None)
        return [ColumnRef(table=table, column=column.name) for column in found.columns] if found is not None else []

    def takes_time(self, ref: ColumnRef) -> bool:
        """Whether a column is a figure of how long something takes."""
        meaning = self.meaning(ref)
        words = {meaning.unit or "", *meaning.label.casefold().split()} if meaning is not None else set()
        return self.is_figure(ref) and bool(words & phrases().timing)

    def main_figure(self, table: str) -> ColumnRef | None:
        """The figure of a table's rows that adds up and is meant where none is named: money first."""
        meaning = dictionary_of(self.catalog).get(table)
        sums = [c for c in meaning.columns if c.kind == "measure" and c.adds == "sum"] if meaning is not None else []
        best = next((c for c in sums if c.money), sums[0] if len(sums) == 1 else None)
        return ColumnRef(table=table, column=best.name) if best is not None else None

    def is_money(self, figure: Aggregate) -> bool:
        """Whether a figure says what something is worth."""
        meaning = self.meaning(figure.of) if isinstance(figure.of, ColumnRef) else None
        return meaning is not None and meaning.money

    def of_a_kind(self, one: ColumnRef, other: ColumnRef) -> bool:
        """Whether two figures are measured alike, so that one may be a part of the other: money, or things of one name
        ("units returned", "units sold")."""
        first, second = self.meaning(one), self.meaning(other)
        if first is None or second is None or (first.unit, first.money) != (second.unit, second.money):
            return False
        return first.money or bool(set(first.label.casefold().split()) & set(second.label.casefold().split()))

    def key_column(self, table: str) -> str | None:
        """The column that tells a table's rows apart."""
        meaning = dictionary_of(self.catalog).get(table)
        return meaning.key_column if meaning is not None else None

    def is_key(self, ref: ColumnRef, table: str) -> bool:
        """Whether a column tells a table's rows apart."""
        column = self.column(ref)
        single = column is not None and column.unique and not self.is_figure(ref)
        return ref.table == table and (ref.column == self.key_column(table) or single)

    def row_word(self, table: str) -> list[str]:
        """The last word, in the singular, of what a table's rows are called; nothing where nobody knows."""
        meaning = dictionary_of(self.catalog).get(table)
        return [singular(word) for word in folded(meaning.rows).split()[-1:]] if meaning is not None else []

    def identifier_of(self, noun: str, table: str) -> ColumnRef | None:
        """The column of a table that tells the things of that name apart: order numbers for "orders"."""
        meaning, said = dictionary_of(self.catalog).get(table), folded(noun)
        for column in meaning.columns if meaning is not None else ():
            stem = column.label.rpartition(" ")[0]
            if column.kind == "identifier" and stem and said in (folded(stem), folded(plural(stem))):
                return ColumnRef(table=table, column=column.name)
        return None

    def main_date(self, query: Query) -> ColumnRef | None:
        """The date that is meant where none is named: of the query's rows, else of the tables joined to them."""
        for table in (query.source, *(join.table for join in query.joins)):
            meaning = dictionary_of(self.catalog).get(str(table))
            if meaning is not None and meaning.date_column is not None:
                return ColumnRef(table=str(table), column=meaning.date_column)
        return None

    def reached(self, query: Query, tables: Sequence[str]) -> Query | None:
        """The query joined to these tables; None where a row would meet several of their rows and count twice."""
        joins = list(query.joins)
        for table in tables:
            if table == query.source or any(join.table == table for join in joins):
                continue
            steps = lexicon.build(self.catalog).schema.path(str(query.source), table, one=True)
            if steps is None:
                return None
            joins += [join_of(step, "left") for step in steps if all(join.table != step.target for join in joins)]
        return query.model_copy(update={"joins": tuple(joins)}) if len(joins) > len(query.joins) else query

    def turned_to(self, query: Query, table: str) -> Query | None:
        """The query over the rows of another table that belong to its own: gifts of the donors it is about."""
        used = {ref.table for ref in references(query) if ref.table}
        bare = query.model_copy(update={"source": table, "joins": ()})
        return self.reached(bare, sorted({*used, str(query.source)} - {table}))

    def name_column(self, table: str) -> str | None:
        """The column that says what a table's rows are called."""
        meaning = dictionary_of(self.catalog).get(table)
        return meaning.name_column if meaning is not None else None

    def said(self, ref: ColumnRef) -> str:
        """What people call a column."""
        return spoken(ref.column)
