"""The working copy of one question: its items, what has been used, and the sketch of what is asked so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from apps.analyst.language.figure_texts import holds_figures as holds_figures
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.named import NamedColumn
from apps.analyst.language.periods import PeriodMention
from apps.analyst.language.phrases import FILLERS, STOPWORDS
from apps.analyst.language.reading import ChartWish
from apps.analyst.language.tagging import ColumnHit, Item, Tagged
from apps.analyst.plan import AggregateName, DatePart, Grain
from apps.analyst.types import Column, Question

_CLAUSE, _SURELY = 7, 0.75
NUMERIC = ("integer", "decimal", "float")
Operator = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(slots=True)
class Slot:
    """A column that is meant at an item, with its candidates until one is chosen."""

    item: int
    hits: tuple[ColumnHit, ...]
    choice: ColumnHit | None = None

    @property
    def best(self) -> ColumnHit:
        """The chosen column, else the likeliest."""
        return self.choice or self.hits[0]


@dataclass(slots=True)
class Measure:
    """A figure: an aggregate of a column, or a count of rows of a table (or of anything, where both are None)."""

    fn: AggregateName
    slot: Slot | None = None
    table: str | None = None
    distinct: bool = False
    item: int = -1
    said: bool = True
    """False where the question did not name the aggregate."""
    share: bool = False
    expression: str = ""
    """A derived figure instead of a column: see `concepts`."""


@dataclass(slots=True)
class Group:
    """A dimension: a column (by a grain, a date part or bins) or the entities of a table."""

    slot: Slot | None = None
    table: str | None = None
    grain: Grain | Literal["auto"] | None = None
    """"auto" fits the grain to the data's span."""
    part: DatePart | None = None
    bin: bool = False
    bin_width: float | None = None
    item: int = -1
    bare: bool = False
    """True where a key stands for its thing by itself, as nobody is to see it."""


@dataclass(slots=True)
class Condition:
    """A restriction of rows."""

    kind: Literal[
        "value", "compare", "between", "text", "missing", "period", "average", "exists", "extreme", "columns", "beyond"
    ]
    slot: Slot | None = None
    table: str | None = None
    op: Operator = "="
    values: tuple[str | float, ...] = ()
    match: Literal["contains", "starts", "ends"] = "contains"
    negated: bool = False
    every: bool = False
    """True where each of `values` must hold ("both A and B")."""
    summed: bool = False
    """True where only "and" stands between `values`: of things that have many, each of them must be among these."""
    period: PeriodMention | None = None
    item: int = -1
    alternative: bool = False
    """True where it is joined to the condition before it by "or"."""
    fn: AggregateName = "avg"
    own: Slot | None = None
    """For averages: what names the group whose average each row is held against."""
    score: float = 1.0
    also: tuple[int, ...] = ()
    """The items of further values that were joined to the first one."""
    other: ColumnHit | None = None
    """For "columns": the column of the same row that it is held against; for "beyond": the one that names the row whose
    figure it is held against."""


@dataclass(slots=True)
class Having:
    """A restriction of groups."""

    measure: Measure
    op: Operator
    value: float
    high: float | None = None


@dataclass(slots=True)
class Sort:
    """An order: by a slot, a measure, or (both None) by the count."""

    descending: bool
    slot: Slot | None = None
    measure: Measure | None = None
    limit: int | None = None
    offset: int = 0
    axis: Literal["x", "y", ""] = ""
    row: bool = False
    """By the place in the file."""
    superlative: bool = False
    item: int = -1
    per_group: bool = False


@dataclass(slots=True)
class Draft:
    """All that reading knows so far. The parse modules fill it in a fixed order."""

    question: Question
    lexicon: Lexicon
    tagged: Tagged
    used: list[bool]
    roles: dict[int, str] = field(default_factory=dict)
    wish: ChartWish | None = None
    select: list[Slot] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    having: list[Having] = field(default_factory=list)
    sorts: list[Sort] = field(default_factory=list)
    entities: list[tuple[int, str, float]] = field(default_factory=list)
    """Tables named as things, with their item and score."""
    head: str | None = None
    """The table whose rows are asked for."""
    distinct: bool = False
    every_row: bool = False
    assumptions: list[str] = field(default_factory=list)
    change: bool = False
    trend: bool = False
    running: bool = False
    share: bool = False
    share_at: int | None = None
    """The item that asks for a share."""
    unmet: int = 0
    """Conditions that fit their column in no way ("orders over 10,000" on a date)."""
    first_to_second: Operator | None = None
    """How the first of two figures must stand to the second ("more meetings than emails")."""
    axes: dict[str, int] = field(default_factory=dict)

    @property
    def items(self) -> tuple[Item, ...]:
        """The question's items."""
        return self.tagged.items

    def use(self, *indexes: int, role: str = "used") -> None:
        """Marks items as understood."""
        for index in indexes:
            if 0 <= index < len(self.used):
                self.used[index] = True
                self.roles.setdefault(index, role)

    def free(self, index: int) -> bool:
        """True for an item that exists and is not used."""
        return 0 <= index < len(self.items) and not self.used[index]

    def tagged_as(self, index: int, *kinds: str) -> bool:
        """True for a free item with a tag of these kinds."""
        return self.free(index) and self.items[index].tag(*kinds) is not None

    def after_or(self, index: int) -> bool:
        """True behind an "or" that joins what is said there to the condition before it."""
        for position in range(index - 1, max(-1, index - _CLAUSE), -1):
            item = self.items[position]
            if item.tag("or") and position > 0:
                before = self.items[position - 1]
                return bool(before.values) or before.number is not None or self.roles.get(position - 1) == "condition"
            told = bool(item.values) and (item.values[0].score >= _SURELY or self.roles.get(position) == "condition")
            if told or item.number is not None or item.tag("and") or item.norm in (".", "?", ";"):
                return False
        return False

    def column(self, hit: ColumnHit) -> Column:
        """The profile of a hit's column."""
        return self.named(hit).column

    def named(self, hit: ColumnHit) -> NamedColumn:
        """The named column of a hit."""
        return self.lexicon.schema.columns[hit.table, hit.column]

    def numeric(self, index: int, least: float = 0.3) -> tuple[ColumnHit, ...]:
        """An item's numeric columns."""
        if not 0 <= index < len(self.items):
            return ()
        return tuple(
            h
            for h in self.items[index].columns
            if h.score >= least
            and (h.score >= 0.9 or self.column(h).role != "id")
            and (is_number(self.column(h)) or holds_figures(self.column(h)))
        )

    def moments(self, index: int) -> tuple[ColumnHit, ...]:
        """An item's date and year columns; none of things that a key of their own tells apart ("orders")."""
        if not 0 <= index < len(self.items) or self.is_told_apart(index):
            return ()
        return tuple(h for h in self.items[index].columns if is_time(self.column(h)))

    def is_told_apart(self, index: int) -> bool:
        """ "orders" of lines that hold an order number and an order date: the orders themselves, not their days."""
        hits = self.items[index].columns
        first = self.named(hits[0]) if hits and self.items[index].norm.endswith("s") else None
        return first is not None and self.lexicon.is_line_key(first)

    def is_filler(self, index: int) -> bool:
        """True for items without content of their own."""
        item = self.items[index]
        return all(word in FILLERS or word in STOPWORDS or not word[:1].isalnum() for word in item.norm.split())

    def table_at(self, index: int, least: float = 0.6) -> str | None:
        """The table an item names, if it does so well."""
        if not 0 <= index < len(self.items):
            return None
        tables = self.items[index].tables
        return tables[0].table if tables and tables[0].score >= least else None

    def next_named(
        self, index: int, reach: int = 3, *, stop: tuple[str, ...] = ("cmp", "by", "sup", "neg")
    ) -> int | None:
        """The next free item that names a column or table, past at most `reach` small words."""
        position, passed = index + 1, 0
        while position < len(self.items) and passed <= reach:
            item = self.items[position]
            if self.free(position) and item.names:
                return position
            if item.values and self.roles.get(position) == "condition" and position == index + 1:
                position += 1
                continue
            if (
                not self.free(position)
                or item.tag(*stop)
                or item.number is not None
                or item.values
                or not self.is_filler(position)
            ):
                return None
            if item.norm in (".", "?", "!", ";"):
                return None
            position, passed = position + 1, passed + 1
        return None


def is_number(column: Column) -> bool:
    """True for columns that hold figures."""
    return column.type in NUMERIC


def is_time(column: Column) -> bool:
    """True for dates and for integer columns that hold years."""
    return column.type in ("date", "datetime") or is_year(column)


def is_year(column: Column) -> bool:
    """True for integer columns whose values are all years."""
    if (
        column.type == "integer"
        and "year" in column.name.casefold()
        and column.role != "id"
        and isinstance(column.maximum, int)
    ):
        return column.maximum <= 2200
    return (
        column.type == "integer"
        and isinstance(column.minimum, int)
        and isinstance(column.maximum, int)
        and column.minimum >= 1000
        and column.maximum <= 2200
        and column.role == "time"
    )
