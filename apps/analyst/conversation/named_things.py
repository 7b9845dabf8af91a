"""What of the data a message names, whether it can be read as a question or not: a figure, groups, values, a table,
days. For what is offered in the place of an answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from apps.analyst.conversation.figures import total_label
from apps.analyst.conversation.predicates import within_days
from apps.analyst.conversation.scene import Scene
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Output, Predicate, Query
from apps.analyst.plan.conditions import together
from apps.analyst.reading import forms
from apps.analyst.reading.calendars import Range
from apps.analyst.reading.closeness import content_places
from apps.analyst.reading.coverage import THERE
from apps.analyst.reading.linking import CALLED, Linked
from apps.analyst.reading.mending import is_named
from apps.analyst.telling.formats import rows_noun
from apps.analyst.types import Table

_NAME = 6
"""The channel that says which part of a name the words of a message are."""


@dataclass(frozen=True, slots=True)
class NamedThings:
    """What a message names of one table: columns to compute with and to group by, the best named first, the conditions
    that stored values make, and days that are over. `counts`: it asks how many."""

    table: Table
    figures: tuple[ColumnRef, ...] = ()
    groups: tuple[ColumnRef, ...] = ()
    values: tuple[Predicate, ...] = ()
    days: Range | None = None
    counts: bool = False
    is_named: bool = False
    """Whether the message names the table itself."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing but days is named."""
        return not (self.figures or self.groups or self.values or self.is_named)

    def figure(self, scene: Scene) -> Output:
        """The figure that is meant: how many of what the table holds, where that is asked; the one that is named; else
        the table's own."""
        if self.counts and (self.is_named or not self.figures):
            return row_count(self.table)
        ref = self.figures[0] if self.figures else scene.main_figure(self.table.name)
        return figure_of_column(ref, scene) if ref is not None else row_count(self.table)

    def query(self, figure: Output, scene: Scene) -> Query:
        """The figure over the rows that are named."""
        bare = Query(source=self.table.name, measures=(figure,), where=together(self.values) if self.values else None)
        when = scene.main_date(bare)
        if self.days is None or when is None:
            return bare
        first, last = self.days
        return bare.model_copy(update={"where": together([*self.values, within_days(when, first, last)])})


def figure_of_column(ref: ColumnRef, scene: Scene) -> Output:
    """A column's total, or its average where a total says nothing."""
    meaning, column = scene.meaning(ref), scene.column(ref)
    unit = column.unit if column is not None else None
    if meaning is not None and meaning.adds != "sum":
        return Output(label=f"Average {scene.said(ref)}", expr=Aggregate(fn="avg", of=ref), unit=unit)
    return Output(label=total_label(scene.said(ref)), expr=Aggregate(fn="sum", of=ref), unit=unit)


def row_count(table: Table) -> Output:
    """How many rows a table has."""
    return Output(label=f"Number of {rows_noun(table.name)}", expr=Aggregate(fn="count"))


def named_things(linked: Linked, scene: Scene, today: date, without: Collection[int] = ()) -> NamedThings | None:
    """What a message names, its words at the places `without` left out; None where there is no table at all."""
    content = [n for n in content_places(linked) if n not in without]
    fits, offset = _fits(linked, content), len(linked.index.tables)
    places = sorted(range(offset, len(fits)), key=lambda place: -fits[place])
    refs = [_ref(linked, place - offset) for place in places if fits[place] >= THERE]
    tables = [linked.index.tables[place].name for place in range(offset) if fits[place] >= THERE]
    values = _values(linked, content)
    homes = [*(ref.table for ref in refs if is_figure(ref, scene)), *(ref.table for ref, _ in values)]
    table = _table([*homes, *tables, *(ref.table for ref in refs)], scene)
    if table is None:
        return None
    here = [ref for ref in refs if ref.table == table.name]
    tests = {ref: Compare(op="=", left=ref, right=Constant(value=value)) for ref, value in values}
    return NamedThings(
        table,
        figures=tuple(ref for ref in here if is_figure(ref, scene)),
        groups=tuple(ref for ref in here if ref not in tests and _is_group(ref, scene)),
        values=tuple(test for ref, test in tests.items() if ref.table == table.name),
        days=_days(linked, today),
        counts="count" in forms.asked(linked.tokens),
        is_named=table.name in tables,
    )


def _table(homes: Sequence[str], scene: Scene) -> Table | None:
    """The first table of these, of people's own where they have any; else the one of most rows."""
    tables = [table for table in scene.catalog.tables() if not table.example] or list(scene.catalog.tables())
    own = {table.name: table for table in tables}
    return next((own[home] for home in homes if home in own), max(tables, key=lambda t: t.rows, default=None))


def _fits(linked: Linked, places: list[int]) -> list[float]:
    """How well the words at some places name each table and column."""
    if not places:
        return [0.0] * len(linked.index.names)
    return [float(fit) for fit in linked.channels[places][:, :, [_NAME, CALLED]].max((0, 2))]


def _values(linked: Linked, content: list[int]) -> list[tuple[ColumnRef, str]]:
    """The stored values that words are, those of one column once."""
    found: dict[ColumnRef, str] = {}
    for number, item in enumerate(linked.items):
        if is_named(number, linked) and any(linked.item_tokens[number, place] >= 1 for place in content):
            found.setdefault(_ref(linked, item.column), item.value)
    return list(found.items())


def _ref(linked: Linked, number: int) -> ColumnRef:
    table, column = linked.index.columns[number]
    return ColumnRef(table=linked.index.tables[table].name, column=column.name)


def is_figure(ref: ColumnRef, scene: Scene) -> bool:
    """Whether the dictionary knows a column as one to compute with."""
    meaning = scene.meaning(ref)
    return scene.is_figure(ref) and meaning is not None and meaning.kind == "measure"


def _is_group(ref: ColumnRef, scene: Scene) -> bool:
    meaning = scene.meaning(ref)
    return meaning is not None and meaning.kind in ("dimension", "flag")


def _days(linked: Linked, today: date) -> Range | None:
    """The first period that is named and has begun."""
    ranges = (mention.ranges[0] for mention in linked.periods if mention.ranges)
    return next((found for found in ranges if found[0] <= today), None)
