"""The tables as a graph: how they join, which column names a thing, what a row is. Knows names and profiles, no
questions."""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass, field
from typing import Literal

from apps.analyst.language.figure_texts import holds_figures
from apps.analyst.language.morphology import keys
from apps.analyst.language.named import NamedColumn, NamedTable
from apps.analyst.plan import KeyPart
from apps.analyst.tables.roles import named_id
from apps.analyst.types import Column, JoinPath

_NAME_FORMS = frozenset(form for word in ("name", "title") for form in keys(word))
_FIRST = frozenset(form for word in ("first", "given", "forename", "personal") for form in keys(word))
_LAST = frozenset(form for word in ("last", "family", "surname") for form in keys(word))
_FULL = frozenset(form for word in ("full",) for form in keys(word))
_KINDS = frozenset(
    form for word in ("type", "status", "category", "kind", "class", "level", "size") for form in keys(word)
)
_DESCRIPTION = frozenset(form for word in ("description", "label", "detail") for form in keys(word))


_NEARLY, _MANY = 0.999, 1000
_SAID = 0.5
"""The cost of a join that people stand for: two such steps are as long as one that was found out well."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A step from one table to another. `one` is True where a row meets at most one row of the other table."""

    source: str
    source_columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    one: bool
    fold: bool
    cost: float
    part: KeyPart | None = None
    versions: bool = False
    """True where a row may meet several that say the same of it."""
    shared: bool = False
    """True where both sides only share names, each with many rows of one: put side by side, their rows say nothing of
    each other."""


@dataclass(slots=True)
class Schema:
    """Tables, columns and joins of one catalog version."""

    tables: dict[str, NamedTable]
    columns: dict[tuple[str, str], NamedColumn]
    joins: tuple[JoinPath, ...]
    edges: dict[str, list[Edge]] = field(default_factory=dict)
    _paths: dict[tuple[str, str, bool], tuple[Edge, ...] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seen: dict[tuple[str, tuple[str, ...], str, tuple[str, ...]], Edge] = {}
        for join in self.joins:
            cost = self._cost(join)
            left = (join.left_table, join.left_columns, join.right_table, join.right_columns)
            right = (join.right_table, join.right_columns, join.left_table, join.left_columns)
            nearly = join.embedded is None and self._nearly_unique(join.right_table, join.right_columns)
            one = join.right_unique or join.versions or nearly
            part, back = _parts(join)
            single = part is None and self._unique(join.left_table, join.left_columns)
            shared = part is None and not (one or single or any(named_id(column) for column in join.left_columns))
            forward = Edge(*left, one=one, fold=join.fold, cost=cost, part=part, versions=join.versions, shared=shared)
            if left not in seen or (forward.one and not seen[left].one):
                seen[left] = forward
            if right not in seen:
                seen[right] = Edge(*right, one=single, fold=join.fold, cost=cost, part=back, shared=shared)
        for edge in seen.values():
            self.edges.setdefault(edge.source, []).append(edge)

    def _unique(self, table: str, columns: tuple[str, ...]) -> bool:
        named = self.columns.get((table, columns[0]))
        return bool(named and len(columns) == 1 and named.column.unique)

    def _nearly_unique(self, table: str, columns: tuple[str, ...]) -> bool:
        """A key with a few rows entered twice is meant to tell rows apart; figures are guarded against the repeats."""
        named = self.columns.get((table, columns[0]))
        if named is None or len(columns) != 1:
            return False
        filled = named.table.rows - named.column.missing
        return filled >= _MANY and named.column.distinct >= _NEARLY * filled

    def _cost(self, join: JoinPath) -> float:
        """Short for trusted joins: what people said, complete matches, alike names, a key on one side."""
        if join.said:
            return _SAID + (0.0 if join.right_unique else 1.0)
        left = self.columns.get((join.left_table, join.left_columns[0]))
        right = self.columns.get((join.right_table, join.right_columns[0]))
        if left is None or right is None:
            return 9.0
        ours = {form for forms in left.name.forms for form in forms}
        theirs = {form for forms in right.name.forms for form in forms}
        table_words = {form for forms in self.tables[join.right_table].name.forms for form in forms}
        if (
            join.left_columns[0].casefold() == join.right_columns[0].casefold()
            or ours & theirs - keys("id")
            or ours & table_words
        ):
            alike = 0.0
        else:
            alike = 0.8
        return 1.0 + alike + 1.5 * (1.0 - join.match_rate) + (0.0 if join.right_unique else 1.0)

    def path(self, source: str, target: str, *, one: bool = False) -> tuple[Edge, ...] | None:
        """The cheapest steps from one table to another, None where there are none. `one`: only steps to one row."""
        key = (source, target, one)
        if key not in self._paths:
            self._paths[key] = self._search(source, target, one)
        return self._paths[key]

    def strays(self, steps: tuple[Edge, ...], *, shared: bool = False) -> bool:
        """True for steps over what rows of both ends merely share ("the deals and the tickets of a company"): side by
        side, each row of one would stand beside every row of the other. `shared`: they start where rows are shared."""
        for step in steps:
            if step.shared or (shared and not step.one):
                return True
            shared = shared or self.leads_to_shared(step)
        return False

    def leads_to_shared(self, step: Edge) -> bool:
        """True for a step from many rows to one."""
        return step.one and self.path(step.target, step.source, one=True) is None

    def _search(self, source: str, target: str, one: bool) -> tuple[Edge, ...] | None:
        queue: list[tuple[float, int, str, tuple[Edge, ...]]] = [(0.0, 0, source, ())]
        done: set[str] = set()
        order = 0
        while queue:
            cost, _, table, steps = heapq.heappop(queue)
            if table == target:
                return steps
            if table in done or len(steps) >= 4:
                continue
            done.add(table)
            for edge in self.edges.get(table, ()):
                if edge.target in done or (one and not edge.one):
                    continue
                order += 1
                heapq.heappush(queue, (cost + edge.cost, order, edge.target, (*steps, edge)))
        return None

    def distance(self, source: str, target: str) -> float:
        """The cost of joining two tables; infinite where they do not join."""
        steps = self.path(source, target)
        return float("inf") if steps is None else sum(edge.cost for edge in steps)

    def key_column(self, table: str) -> Column | None:
        """The column that tells rows of a table apart: a unique id, else any unique column."""
        columns = self.tables[table].table.columns
        unique = [c for c in columns if c.unique and not c.missing]
        ids = [
            c for c in unique if c.role == "id" or keys("id") & set().union(*self.columns[(table, c.name)].name.forms)
        ]
        return self.versioned_key(table) or next(iter(ids or unique), None) or self.repeated_key(table)

    def versioned_key(self, table: str) -> Column | None:
        """The id of a table of which each version of a thing has a row."""
        for join in self.joins:
            if join.versions and join.right_table == table and len(join.right_columns) == 1:
                return self.columns[(table, join.right_columns[0])].column
        return None

    def repeated_key(self, table: str) -> Column | None:
        """The id by which rows of a table count once: a few were entered twice, or each version of a thing has one."""
        versioned = self.versioned_key(table)
        if versioned is not None:
            return versioned
        for column in self.tables[table].table.columns:
            own = column.role == "id" and not column.unique and column.name == self.tables[table].table.columns[0].name
            if own and self._nearly_unique(table, (column.name,)):
                return column
        return None

    def name_columns(self, table: str) -> tuple[Column, ...]:
        """The columns by which people name a row: a name, first and last name, a title; empty where there is none."""
        named = [self.columns[(table, column.name)] for column in self.tables[table].table.columns]
        text = [n for n in named if n.column.type == "text"]
        first = [n for n in text if _has(n, _FIRST) and _has(n, _NAME_FORMS)]
        last = [n for n in text if _has(n, _LAST) and _has(n, _NAME_FORMS)]
        table_forms = {form for forms in self.tables[table].name.forms for form in forms}
        if first and last and not (_is_of_another(first[0]) and any(_names_it(n, table_forms) for n in text)):
            return (first[0].column, last[0].column)
        ranked = sorted(
            ((_naming_score(n, table_forms) - 0.12 * min(index, 2), -index, n) for index, n in enumerate(text)),
            key=lambda entry: entry[:2],
        )
        if not ranked or ranked[-1][0] <= 0:
            return ()
        best, rows = ranked[-1][2], self.tables[table].table.rows
        own = any(form & table_forms for form in best.name.forms)
        single = best.name.key_words == 1
        telling = best.column.distinct >= 0.7 * (rows - best.column.missing) or own or single
        return (best.column,) if telling or rows < 5 else ()

    def entity_column(self, table: str) -> Column | None:
        """What a row of the table is about: its name column, else the first mostly distinct text column, else the
        first."""
        names = self.name_columns(table)
        if len(names) == 1:
            return names[0]
        columns = self.tables[table].table.columns
        rows = max(1, self.tables[table].table.rows)
        texts = [c for c in columns if c.type == "text" and not holds_figures(c)]
        telling = [c for c in texts if c.distinct >= 0.7 * (rows - c.missing) and c.missing < rows / 2]
        every = [c for c in columns if c.type == "text"]
        return next(iter(list(names) or telling or texts or every or columns), None)


def _parts(join: JoinPath) -> tuple[KeyPart | None, KeyPart | None]:
    """Where the shorter key stands in the longer one, going forward and back."""
    held = join.embedded
    if held is None:
        return None, None
    there: Literal["left", "right"] = "right" if held.side == "left" else "left"
    return KeyPart(side=held.side, start=held.start, length=held.length), KeyPart(
        side=there, start=held.start, length=held.length
    )


def _has(named: NamedColumn, forms: frozenset[str]) -> bool:
    return any(own & forms for own in named.name.forms)


def _is_of_another(named: NamedColumn) -> bool:
    """True for "contact first name": a person beside the thing itself."""
    said = [f for f, skip in zip(named.name.forms, named.name.optional, strict=True) if not skip]
    return any(not form & (_FIRST | _NAME_FORMS) for form in said)


def _names_it(named: NamedColumn, table_forms: set[str]) -> bool:
    """True for the "customer name" of a table of customers."""
    others = [form for form in named.name.forms if not form & _NAME_FORMS]
    return _has(named, _NAME_FORMS) and bool(others) and all(form & table_forms for form in others)


_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m)?", re.IGNORECASE)


def tells_a_time(column: Column) -> bool:
    """True for texts that are times of day, which name nothing."""
    said = [value.value.strip() for value in column.values[:20]]
    return bool(said) and all(_CLOCK.fullmatch(text) for text in said)


def _naming_score(named: NamedColumn, table_forms: set[str]) -> float:
    """How well a column names the rows of its table."""
    words = named.name.words
    if tells_a_time(named.column):
        return 0.0
    score = 0.0
    if _has(named, _NAME_FORMS):
        score = 3.0 if named.name.key_words == 1 else 2.0
        if _has(named, _FULL):
            score = 3.2
        if any(own & table_forms for own in named.name.forms):
            score += 0.5
        if not named.name.forms[-1] & _NAME_FORMS and not named.name.forms[0] & _NAME_FORMS:
            score -= 1.0
    elif _has(named, _DESCRIPTION) and any(own & table_forms for own in named.name.forms):
        score = 1.0
    elif len(words) <= 2 and any(own & table_forms for own in named.name.forms) and named.column.role != "id":
        kind = bool(named.name.forms[-1] & _KINDS) and not named.column.unique
        score = 0.0 if kind else 2.2 if named.column.unique else 1.2
    if score and named.column.unique:
        score += 0.1
    return score
