"""Finds how tables can be joined: by what the names say, and only where the values bear it out.

Two columns of whole numbers 1 to n hold the same values in any two tables; so for numbers the names must agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product

from apps.analyst.tables import key_names
from apps.analyst.tables.composite_keys import (
    HALF,
    KEY_TYPES,
    NEARLY_ALL,
    NEARLY_UNIQUE,
    composite_joins,
    gives_way,
)
from apps.analyst.tables.embedded_keys import embedded_joins
from apps.analyst.tables.key_values import Fold, KeyValues
from apps.analyst.tables.roles import named_id, named_measure, says_measure
from apps.analyst.types import Column, JoinPath, Table

SURE = 0.98
LEAST_NUMBER, MANY_NUMBERS = 100, 20
"""Numbers from here on are no count of rows, and so many different ones are not found elsewhere by chance."""
MANY_NAMES, FEW_NAMES = 12, 3
MANY_COLUMNS = 3_000
"""Names of so many columns are not kept once their joins are found: few of them would be asked for again in time."""
MOST_PAIRS = 3_000_000
"""A second or two for each million. Sixty tables of twenty columns have fewer; between hundreds of wide ones the joins
that no name gives away can be drawn by hand."""


@dataclass(frozen=True, slots=True)
class _Key:
    """A column that may identify its table's rows, or refer to those of another."""

    table: Table
    column: Column

    @property
    def filled(self) -> int:
        return self.table.rows - self.column.missing

    @property
    def identifies(self) -> bool:
        """Whether the column tells the rows of its table (nearly) all apart."""
        return self.filled >= 1 and self.column.distinct >= NEARLY_UNIQUE * self.filled


@dataclass(frozen=True, slots=True)
class _Part:
    """A column that may be part of a key, with its name without marks and the thing that it names."""

    table: Table
    column: Column
    plain: str
    thing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    path: JoinPath
    score: float
    agreement: float = 0.0


def find_joins(tables: Sequence[Table], most_pairs: int = MOST_PAIRS) -> list[JoinPath]:
    """Join paths that names and values support, best first; each from the referring side to the identifying side.

    Where more than `most_pairs` pairs of columns could meet, a single column is joined to one that its name says to
    identify things, and to no other.

    Dirty keys meet as `folding.core_key` folds them ("AW-00011000" and "NASAW00011000" have one core): whoever joins
    by a path with `fold` must fold in the same way.
    """
    try:
        with KeyValues() as values:
            found = _single(tables, values, most_pairs)
            found = _with_composite(tables, values, found)
            found += _by_values(tables, values, found)
            found += [
                _Found(path, 0.7 + path.match_rate * 0.5)
                for path in embedded_joins(tables, [item.path for item in found], values)
            ]
            found += _shared(tables, values, found)
    finally:
        if sum(len(table.columns) for table in tables) >= MANY_COLUMNS:
            key_names.forget()
    found.sort(key=lambda item: (-item.score, item.path.left_table, item.path.left_columns))
    return [item.path for item in found]


def settle_roles(tables: Sequence[Table], joins: Sequence[JoinPath]) -> list[Table]:
    """The tables with whole numbers that refer to another table's key ("Maker", "ShipVia"), and that key, as ids: never
    added up."""
    unique = [path for path in joins if path.right_unique]
    references = {(path.left_table, column) for path in unique for column in path.left_columns}
    references |= {(path.right_table, column) for path in unique for column in path.right_columns}

    def settled(table: Table, column: Column) -> Column:
        refers = column.role == "measure" and (table.name, column.name) in references
        return replace(column, role="id") if refers else column

    return [replace(table, columns=tuple(settled(table, column) for column in table.columns)) for table in tables]


# ---------------------------------------------------------------- one column to one column
def _single(tables: Sequence[Table], values: KeyValues, most_pairs: int) -> list[_Found]:
    sources = {table.name: [_Key(table, c) for c in table.columns if _may_refer(c)] for table in tables}
    targets = {table.name: [_Key(table, c) for c in table.columns if _may_identify(table, c)] for table in tables}
    if sum(map(len, sources.values())) * sum(map(len, targets.values())) > most_pairs:
        targets = {name: [key for key in keys if _named_key(key.column)] for name, keys in targets.items()}
    found: list[_Found] = []
    for left, right in permutations(tables, 2):
        for source, target in product(sources[left.name], targets[right.name]):
            result = _judge(source, target, values)
            if result is not None:
                found.append(result)
    return _prune(found)


def _named_key(column: Column) -> bool:
    return column.role == "id" or named_id(column.name) or key_names.is_generic(column.name)


def _may_identify(table: Table, column: Column) -> bool:
    if column.type not in KEY_TYPES or column.role == "text" or column.distinct < 2:
        return False
    if column.role == "measure" and (says_measure(column.name) or not column.unique):
        return False  # numbers that are all different may be keys that no name gives away ("cc"): see `_judge`
    if (column.role == "time" and column.type != "date") or key_names.is_contact(column.name):
        return False
    return _Key(table, column).identifies


def _may_refer(column: Column) -> bool:
    if column.type not in KEY_TYPES or column.role == "text" or not column.distinct:
        return False
    return not key_names.is_count(column.name) and not (column.role == "measure" and named_measure(column.name))


def _judge(source: _Key, target: _Key, values: KeyValues) -> _Found | None:
    """The join of a referring column to an identifying one, or None where names and values do not bear it out."""
    left, right = source.column, target.column
    agree = key_names.agreement(left.name, source.table.name, right.name, target.table.name)
    if not _names_allow(source, target, agree) or (right.role == "measure" and (agree < 1.0 or left.unique)):
        return None
    needed = NEARLY_ALL if right.role == "measure" else _needed(left, agree)
    same_type = left.type == right.type
    if same_type:
        rate = _rate(source, target, values, "none")
        if rate >= needed:
            return _found(source, target, rate, agree, right.unique, fold=False)
    if "date" in (left.type, right.type) or ("text" not in (left.type, right.type)) or agree < 0.6:
        return None
    fold: Fold = "core"
    if not all(values.keeps_distinct(key.table, key.column.name, fold) for key in (source, target)):
        return None
    rate = _rate(source, target, values, fold)
    if rate < max(0.8, needed):
        return None
    return _found(source, target, rate, agree - 0.1, right.unique, fold=True)


def _names_allow(source: _Key, target: _Key, agree: float) -> bool:
    left, right = source.column, target.column
    own = key_names.names_own_table(left.name, source.table.name)
    if left.unique and own and agree < 1.0:
        generic = key_names.is_generic(left.name) or key_names.is_generic(right.name)
        return (
            generic and _same_set(left, right) and key_names.tables_share_a_word(source.table.name, target.table.name)
        )
    if left.unique and agree < 0.8 and key_names.speaks_of_own_table(left.name, source.table.name):
        return False
    if left.type == "date":
        return agree >= 0.7 and right.unique
    if left.type == "integer" or right.type == "integer":
        return agree >= 0.5 and not (left.role == "time" and right.role != "time")
    if agree >= 0.5:
        return True
    return left.distinct >= 5 and right.distinct >= 5 and right.unique and left.role != "text"


def _same_set(left: Column, right: Column) -> bool:
    """Whether two key columns look like the same keys: as many, from the same first to the same last."""
    return (
        left.type == right.type
        and left.distinct == right.distinct >= 10
        and left.minimum == right.minimum
        and left.maximum == right.maximum
    )


def _needed(left: Column, agree: float) -> float:
    """The share of rows that must find a partner before names of such agreement are believed."""
    if agree >= 0.8 and (named_id(left.name) or left.type == "integer"):
        return 0.3
    if agree >= 0.5:
        return 0.8
    return 0.95


def _rate(source: _Key, target: _Key, values: KeyValues, fold: Fold) -> float:
    left, right = source.column, target.column
    if fold == "none" and left.type == "integer" and not _overlap(left, right):
        return 0.0
    return values.match_rate(source.table, left, target.table, right, fold)


def _overlap(left: Column, right: Column) -> bool:
    low, high, first, last = left.minimum, left.maximum, right.minimum, right.maximum
    if isinstance(low, int) and isinstance(high, int) and isinstance(first, int) and isinstance(last, int):
        return low <= last and first <= high
    return True


def _found(source: _Key, target: _Key, rate: float, agree: float, unique: bool, *, fold: bool) -> _Found:
    path = JoinPath(
        source.table.name, (source.column.name,), target.table.name, (target.column.name,), round(rate, 4), unique, fold
    )
    evidence = 0.2 if source.column.type == "text" and source.column.distinct >= 5 else 0.0
    score = agree + rate * 0.5 + evidence + (0.3 if unique else 0.0) + (0.1 if target.column.role == "id" else 0.0)
    return _Found(path, score - (0.2 if fold else 0.0), agree)


def _prune(found: Iterable[_Found]) -> list[_Found]:
    """One path per pair of tables and referring column; a one-to-one pair only once; weak ones give way to strong
    ones."""
    best: dict[tuple[str, tuple[str, ...], str], _Found] = {}
    for item in found:
        key = (item.path.left_table, item.path.left_columns, item.path.right_table)
        if key not in best or item.score > best[key].score:
            best[key] = item
    strongest: dict[tuple[str, tuple[str, ...]], float] = defaultdict(float)
    for item in best.values():
        source = (item.path.left_table, item.path.left_columns)
        strongest[source] = max(strongest[source], item.agreement)
    kept: dict[frozenset[tuple[str, tuple[str, ...]]], _Found] = {}
    for item in sorted(best.values(), key=lambda entry: -entry.score):
        path = item.path
        if item.agreement < strongest[(path.left_table, path.left_columns)] - 0.15:
            continue
        ends = frozenset({(path.left_table, path.left_columns), (path.right_table, path.right_columns)})
        kept.setdefault(ends, item)
    return list(kept.values())


# ---------------------------------------------------------------- several columns at once
def _with_composite(tables: Sequence[Table], values: KeyValues, found: Sequence[_Found]) -> list[_Found]:
    """The joins with those by several columns together, which take the place of joins by one of these alone."""
    whole = list(composite_joins(tables, [item.path for item in found], values))
    kept = [item for item in found if not any(gives_way(item.path, path) for path in whole)]
    return kept + [_Found(path, (0.8 if path.right_unique else 0.6) + path.match_rate * 0.5) for path in whole]


# ---------------------------------------------------------------- numbers of things by their values alone
def _by_values(tables: Sequence[Table], values: KeyValues, found: Sequence[_Found]) -> list[_Found]:
    """Joins of numbers whose names do not agree ("ownerId" of accounts, "clientId" of clients), between tables that
    nothing else joins: they do not count from one, nearly all are found among the numbers of one other table's rows,
    and of no other's."""
    joined = {frozenset((item.path.left_table, item.path.right_table)) for item in found}
    used = {(item.path.left_table, column) for item in found for column in item.path.left_columns}
    more: list[_Found] = []
    for left in tables:
        for column in left.columns:
            source = _Key(left, column)
            if (left.name, column.name) in used or not _is_number_of_a_thing(column) or column.unique:
                continue
            targets = [
                _Key(right, c)
                for right in tables
                for c in right.columns
                if right is not left and _numbers_rows(_Key(right, c)) and _lies_within(column, c)
            ]
            rates = [(_rate(source, target, values, "none"), target) for target in targets]
            sure = [(rate, target) for rate, target in rates if rate >= SURE]
            if len(sure) == 1 and frozenset((left.name, sure[0][1].table.name)) not in joined:
                more.append(_found(source, sure[0][1], sure[0][0], 0.0, True, fold=False))
    return more


def _is_number_of_a_thing(column: Column) -> bool:
    low = column.minimum
    counted = not isinstance(low, int) or low < LEAST_NUMBER
    return column.type == "integer" and named_id(column.name) and column.distinct >= MANY_NUMBERS and not counted


def _numbers_rows(key: _Key) -> bool:
    return (
        key.column.unique
        and _is_number_of_a_thing(key.column)
        and key_names.names_own_table(key.column.name, key.table.name)
    )


def _lies_within(column: Column, other: Column) -> bool:
    low, high, first, last = column.minimum, column.maximum, other.minimum, other.maximum
    if isinstance(low, int) and isinstance(high, int) and isinstance(first, int) and isinstance(last, int):
        return first <= low and high <= last
    return False


# ---------------------------------------------------------------- the same key on both sides, unique on neither
def _parts(tables: Sequence[Table]) -> dict[str, list[_Part]]:
    """The columns of each table that may be part of a key."""
    return {
        table.name: [
            _Part(table, column, key_names.plain(column.name), key_names.named_thing(column.name, table.name))
            for column in table.columns
            if _may_be_part(column)
        ]
        for table in tables
    }


def _shared_columns(left: Sequence[_Part], right: Sequence[_Part]) -> list[tuple[_Part, _Part]]:
    """Columns of the same name and type in both tables that may be part of a key."""
    return [
        (a, b)
        for a in left
        if not key_names.is_generic(a.column.name)
        for b in right
        if a.column.type == b.column.type and (a.plain == b.plain or a.thing == b.thing != ())
    ]


def _may_be_part(column: Column) -> bool:
    return column.type in KEY_TYPES and column.role not in ("text", "measure")


def _shared(tables: Sequence[Table], values: KeyValues, found: Sequence[_Found]) -> list[_Found]:
    """Joins of tables that would otherwise stand alone, by an id of the same name that repeats on both sides; or by the
    names of many things, where all that one side names the other names too: files that share their accounts."""
    groups = _connected(tables, found)
    more: list[_Found] = []
    parts = _parts(tables)
    for left, right in combinations(tables, 2):
        if groups[left.name] == groups[right.name]:
            continue
        pairs = sorted(_shared_columns(parts[left.name], parts[right.name]), key=lambda pair: not _both_ids(*pair))
        path = next((path for a, b in pairs if (path := _repeated(a, b, values)) is not None), None)
        if path is not None:
            more.append(_Found(path, 0.4 + path.match_rate * 0.5))
    return more


def _both_ids(a: _Part, b: _Part) -> bool:
    return named_id(a.column.name) and named_id(b.column.name)


def _repeated(a: _Part, b: _Part, values: KeyValues) -> JoinPath | None:
    """The join by a column that repeats on both sides, or None where names and values do not bear it out."""
    ids = _both_ids(a, b)
    if not ids and not _name_things(a.column, b.column):
        return None
    rate = values.match_rate(a.table, a.column, b.table, b.column, "none")
    if ids:
        return _path(a, b, rate) if a.column.distinct >= 3 and rate >= HALF else None
    back = values.match_rate(b.table, b.column, a.table, a.column, "none")
    if max(rate, back) < NEARLY_ALL:
        return None
    return _path(a, b, rate) if rate >= back else _path(b, a, back)


def _path(a: _Part, b: _Part, rate: float) -> JoinPath:
    return JoinPath(a.table.name, (a.column.name,), b.table.name, (b.column.name,), round(rate, 4), False)


def _name_things(one: Column, other: Column) -> bool:
    """True for texts that name things, so many on one side that they are no mere kinds or places."""
    if not one.type == other.type == "text" or key_names.is_kind_or_place(one.name) or key_names.is_contact(one.name):
        return False
    return max(one.distinct, other.distinct) >= MANY_NAMES and min(one.distinct, other.distinct) >= FEW_NAMES


def _connected(tables: Sequence[Table], found: Sequence[_Found]) -> dict[str, str]:
    """Each table's group: tables of one group reach each other by joins."""
    group = {table.name: table.name for table in tables}
    for item in found:
        old, new = group[item.path.right_table], group[item.path.left_table]
        if old != new:
            for name, current in group.items():
                if current == old:
                    group[name] = new
    return group
