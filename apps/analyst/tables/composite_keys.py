"""Finds joins by two or three columns together: where no column tells the rows of a table apart, but these do.

A receipt is of line 10 of order 4711; the lines of all orders are numbered alike. By the order alone each receipt would
meet every line of its order, and each of these rows would count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from apps.analyst.tables import key_names
from apps.analyst.tables.key_values import KeyValues
from apps.analyst.tables.roles import named_id, says_measure
from apps.analyst.types import Column, JoinPath, Table

KEY_TYPES = ("text", "integer", "date")
NEARLY_UNIQUE = 0.95
NEARLY_ALL = 0.95
HALF = 0.5
MOST_ALIKE = 8
"""A name that agrees with more names of the other table than so many says nothing."""
MOST_SHARED = 6
"""Columns of two tables, ids first, that are tried together."""
SIZES = (2, 3)


@dataclass(frozen=True, slots=True)
class _Part:
    """A column that may be part of a key, with its name without marks and the thing that it names."""

    column: Column
    plain: str
    thing: tuple[str, ...]
    place: int

    @property
    def figure(self) -> bool:
        """Whether nothing but its use as a key says that the column is no figure ("po_ln", "pos")."""
        return self.column.role == "measure"


@dataclass(frozen=True, slots=True)
class _Ends:
    """A column of each of two tables that may name the same thing."""

    mine: _Part
    theirs: _Part

    @property
    def figure(self) -> bool:
        """Whether either side may be a figure."""
        return self.mine.figure or self.theirs.figure

    @property
    def needed(self) -> float:
        """The share of rows that must find a partner: nearly all where the names alone do not say enough."""
        alike = self.mine.plain == self.theirs.plain or self.mine.thing == self.theirs.thing
        return HALF if alike and not self.figure else NEARLY_ALL


Key = tuple[_Ends, ...]


def composite_joins(tables: Sequence[Table], known: Sequence[JoinPath], values: KeyValues) -> Iterator[JoinPath]:
    """Joins of tables by two or three columns together, at most one for two tables.

    Tables that join by a column that tells rows apart are left out; one that nearly does (`known`) gives way to a key
    that holds it, and by which as many rows find a partner.
    """
    parts = {table.name: _parts(table) for table in tables}
    found: defaultdict[frozenset[str], list[JoinPath]] = defaultdict(list)
    for path in known:
        found[frozenset({path.left_table, path.right_table})].append(path)
    for one, other in combinations(tables, 2):
        before = found[frozenset({one.name, other.name})]
        if any(path.right_unique or path.fold for path in before):
            continue
        ways = [_way(left, right, parts, values) for left, right in ((one, other), (other, one))]
        made = [way for way in ways if way is not None and all(gives_way(path, way) for path in before)]
        if made:
            yield max(made, key=lambda path: (path.right_unique, path.match_rate))


def gives_way(path: JoinPath, whole: JoinPath) -> bool:
    """Whether a join is by a part of the columns of another one between the same tables, and finds no more partners."""
    less = set(zip(path.left_columns, path.right_columns, strict=True))
    keys = set(zip(whole.left_columns, whole.right_columns, strict=True))
    if (path.left_table, path.right_table) == (whole.right_table, whole.left_table):
        less = {(b, a) for a, b in less}
    elif (path.left_table, path.right_table) != (whole.left_table, whole.right_table):
        return False
    return less < keys and whole.match_rate >= NEARLY_ALL * path.match_rate


def _parts(table: Table) -> list[_Part]:
    """The columns of a table that may be part of a key."""
    return [
        _Part(column, key_names.plain(column.name), key_names.named_thing(column.name, table.name), place)
        for place, column in enumerate(table.columns)
        if _may_be_part(column)
    ]


def _may_be_part(column: Column) -> bool:
    if column.type not in KEY_TYPES or column.role == "text" or not column.distinct:
        return False
    figure = column.type != "integer" or key_names.is_count(column.name) or says_measure(column.name)
    return column.role != "measure" or not figure


# ---------------------------------------------------------------- which columns name the same thing
def _shared(left: Sequence[_Part], right: Sequence[_Part]) -> list[_Ends]:
    """Columns of two tables that name the same thing, ids first: by the same name, else by the same thing, else where
    one says more of it ("po_ln", "ln_no"). Where a name may mean several columns it means none."""
    left = [part for part in left if not key_names.is_generic(part.column.name)]
    pairs: list[_Ends] = []
    for named in (_by_name, _by_thing, _by_last_word):
        mine = {ends.mine.place for ends in pairs}
        theirs = {ends.theirs.place for ends in pairs}
        pairs += _paired(
            [part for part in left if part.place not in mine],
            [part for part in right if part.place not in theirs],
            named,
        )
    return sorted(pairs, key=lambda ends: (ends.figure, not named_id(ends.theirs.column.name), ends.mine.place))


def _by_name(part: _Part) -> object:
    return part.plain


def _by_thing(part: _Part) -> object:
    return part.thing


def _by_last_word(part: _Part) -> object:
    return part.thing[-1:]


def _paired(left: Sequence[_Part], right: Sequence[_Part], named: Callable[[_Part], object]) -> list[_Ends]:
    index: defaultdict[object, list[_Part]] = defaultdict(list)
    for part in right:
        index[named(part)].append(part)
    met = [(a, b) for a in left if len(alike := index.get(named(a), ())) <= MOST_ALIKE for b in alike if _agree(a, b)]
    times = Counter(("mine", a.place) for a, _ in met) + Counter(("theirs", b.place) for _, b in met)
    return [_Ends(a, b) for a, b in met if times["mine", a.place] == times["theirs", b.place] == 1]


def _agree(a: _Part, b: _Part) -> bool:
    if a.column.type != b.column.type:
        return False
    if a.plain == b.plain:
        return True
    within = set(a.thing) <= set(b.thing) or set(a.thing) >= set(b.thing)
    return bool(a.thing and b.thing) and within and not (a.figure and b.figure)


# ---------------------------------------------------------------- what their values say
def _way(left: Table, right: Table, parts: Mapping[str, Sequence[_Part]], values: KeyValues) -> JoinPath | None:
    """The join of a table to another one whose rows are told apart by several columns that both have."""
    shared = [ends for ends in _shared(parts[left.name], parts[right.name]) if _may_match(left, right, ends, values)]
    failed: list[set[_Ends]] = []
    for key, unique in _identifying(right, shared[:MOST_SHARED], values):
        if any(less <= set(key) for less in failed):
            continue
        columns = sorted(key, key=lambda ends: ends.mine.place)
        names = [(ends.mine.column.name, ends.theirs.column.name) for ends in columns]
        rate = values.match_rate_of(left, right, names)
        if rate >= max(NEARLY_ALL if not unique else 0.0, *(ends.needed for ends in key)):
            mine, theirs = zip(*names, strict=True)
            return JoinPath(left.name, mine, right.name, theirs, round(rate, 4), unique)
        failed.append(set(key))
    return None


def _may_match(left: Table, right: Table, ends: _Ends, values: KeyValues) -> bool:
    """Whether enough of the left column's rows may find a partner: where few do by it alone, none do by it and more."""
    mine, theirs = ends.mine.column, ends.theirs.column
    if not (mine.values_complete and theirs.values_complete):
        return True
    return values.match_rate(left, mine, right, theirs, "none") >= ends.needed


def _identifying(table: Table, shared: Sequence[_Ends], values: KeyValues) -> Iterator[tuple[Key, bool]]:
    """The sets of columns that tell the table's rows apart while none of them does, and whether all rows: first the
    exact ones, small ones first; then those with a few rows entered twice."""
    nearly: list[Key] = []
    for size in SIZES:
        for key in combinations([ends for ends in shared if not ends.theirs.column.unique], size):
            columns = [ends.theirs.column for ends in key]
            most = prod(column.distinct for column in columns)
            if all(ends.figure for ends in key) or most < NEARLY_UNIQUE * min(_filled(table, ends) for ends in key):
                continue
            rows, different = values.filled(table, [column.name for column in columns], "none")
            if rows and rows == different:
                yield key, True
            elif different >= NEARLY_UNIQUE * rows > max(column.distinct for column in columns):
                nearly.append(key)
    yield from ((key, False) for key in nearly)


def _filled(table: Table, ends: _Ends) -> int:
    return table.rows - ends.theirs.column.missing
