"""Rows that name another row of their own table: people and whom they report to, categories and their parents.

No sketch can follow such a reference: "how many report to Ada" becomes the number of those called Ada. What the words
say is put into its plan: those below the row that is named, or the one above it. Where the plan has no place for it,
it is no reading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from apps.analyst.dictionary.types import FIRST_NAME, LAST_NAME
from apps.analyst.knowledge.english import english
from apps.analyst.plan import Among, ColumnRef, Compare, Constant, InQuery, Output, Plan, Predicate, Query, TextMatch
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.nodes import every
from apps.analyst.reading.forms import phrases
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.nodes import IDENTIFIES_ROW, NAMES_ROW
from apps.analyst.types import Column

LONGEST = 3
"""Words of the longest phrase for how rows stand to each other."""
STORED = 0.9
"""How well a word fits a stored value at least that it surely names."""


@dataclass(frozen=True)
class Own:
    """A table whose rows refer to other ones of it: the column that refers, the key it holds, and what rows are called
    by."""

    table: str
    refers: str
    key: str
    names: tuple[str, ...]

    def ref(self, column: str) -> ColumnRef:
        return ColumnRef(table=self.table, column=column)


@dataclass(frozen=True)
class _Said:
    """Which row is named, by the places of its words, and whether those below it are meant or the one above."""

    places: range
    below: bool


def of_own_rows(plan: Plan, linked: Linked) -> Plan:
    """The plan with the reference followed that the question names. Raises Unfit where the row that is named beside it
    has no place in the plan."""
    for own in _references(linked) if _speaks_of_rows(linked.tokens) else ():
        beside = list(_phrases(linked, own))
        if not beside or any(node == own.ref(own.refers) for test in _tests(plan) for node in every(test)):
            continue
        tests = [test for test in _tests(plan) if _is_of_row(test, own)]
        held = {word for test in tests for word in _words(test)}
        words = held | _stored(linked, own)
        said = next((found for phrase in beside if (found := _row_beside(phrase, words, linked)) is not None), None)
        if said is None:
            continue
        named = {_bare(linked.tokens[place]) for place in said.places}
        if not isinstance(plan, Query) or not named <= held:
            raise Unfit("a row that others belong to")
        return _followed(plan, own, [test for test in tests if _words(test) & named], below=said.below)
    return plan


def _speaks_of_rows(tokens: Sequence[str]) -> bool:
    """Whether words are said that rows stand to each other by; most questions have none."""
    known = english()
    lists = (known.above, known.below, known.answering, known.leading, known.parents, known.children)
    return any(not one.isdisjoint(phrases(tokens)) for one in lists)


# ---------------------------------------------------------------- what refers to what
def _references(linked: Linked) -> Iterator[Own]:
    """The tables whose rows refer to other ones of them, by a column that is called as such columns are and leads to no
    other table."""
    index, offset = linked.index, len(linked.index.tables)
    columns, leading = list(enumerate(index.columns)), {node for node, _ in index.joined}
    for n, (t, key) in columns:
        if not index.features[offset + n, IDENTIFIES_ROW]:
            continue
        beside = [(k, column) for k, (table, column) in columns if table == t and column is not key]
        names = tuple(c.name for k, c in beside if _names_rows(linked, k, offset))
        found = (c.name for k, c in beside if offset + k not in leading and _refers(c, key))
        for name in found:
            yield Own(index.tables[t].name, name, key.name, names)


def _names_rows(linked: Linked, place: int, offset: int) -> bool:
    concept = linked.index.meant[place].concept
    return bool(linked.index.features[offset + place, NAMES_ROW]) or concept in (FIRST_NAME, LAST_NAME)


def _names_above() -> frozenset[str]:
    known = english()
    return known.above | known.answering | known.parents


def _spoken(column: str) -> str:
    return column.replace("_", " ").casefold()


def _refers(column: Column, key: Column) -> bool:
    """Whether a column holds keys of its own table's rows, as its name says and as far as its values tell."""
    name = f" {_spoken(column.name)} "
    if column.type != key.type or column.unique or column.distinct > key.distinct:
        return False
    if not any(f" {phrase} " in name for phrase in _names_above()):
        return False
    listed = {found.value for found in key.values}
    return len(listed) < key.distinct or all(found.value in listed for found in column.values)


# ---------------------------------------------------------------- what the words say
def _phrases(linked: Linked, own: Own) -> Iterator[tuple[frozenset[str], int, int]]:
    """The phrases for how rows stand to each other: the list each is of, its place and the one behind it. Words of the
    referring column's own name belong to it ("parent category")."""
    known, name = english(), set(_spoken(own.refers).split())
    of_people = name.isdisjoint(known.parents)
    lists = (known.above, known.below, known.answering, known.leading) if of_people else (known.parents, known.children)
    tokens, start = linked.tokens, linked.before
    while start < len(tokens):
        found = next(
            (
                (one, length)
                for length in range(LONGEST, 0, -1)
                for one in lists
                if " ".join(tokens[start : start + length]) in one
            ),
            None,
        )
        if found is None:
            start += 1
            continue
        stop = start + found[1]
        while found[0] in (known.above, known.parents) and stop < len(tokens) and tokens[stop] in name:
            stop += 1
        yield found[0], start, stop
        start = stop


def _row_beside(phrase: tuple[frozenset[str], int, int], words: Collection[str], linked: Linked) -> _Said | None:
    """The row that is named beside a phrase; None where none of the plan's values stands there."""
    known, tokens = english(), linked.tokens
    kind, start, stop = phrase
    next_word = tokens[stop] if stop < len(tokens) else ""
    behind, before = _run(tokens, stop, words), _run_before(tokens, start, words)
    owned = bool(before) and tokens[before[-1]] != _bare(tokens[before[-1]])
    if kind == known.answering:
        return _Said(behind, below=True) if behind else _Said(before, below=False) if before else None
    if kind == known.leading:
        by = _run(tokens, stop + 1, words) if next_word in known.led_by else range(0)
        if by or behind:
            return _Said(by or behind, below=bool(by))
        return _Said(before, below=True) if before else None
    of = _run(tokens, stop + 1, words) if next_word in known.of_whole else range(0)
    if kind in (known.below, known.children):
        of = of or _held(tokens, stop, words)
        return _Said(of, below=True) if of else _Said(before, below=True) if owned else None
    if of or owned:
        return _Said(of or before, below=False)
    return _Said(behind, below=True) if behind else None


def _held(tokens: Sequence[str], start: int, words: Collection[str]) -> range:
    """The row of "... does Ada have"."""
    run = _run(tokens, start + 1, words)
    held = bool(run) and run.stop < len(tokens) and tokens[run.stop] in english().holding_rows
    return run if held else range(0)


def _run(tokens: Sequence[str], start: int, words: Collection[str]) -> range:
    """The places from `start` on, behind an article, whose words are among those."""
    known = english()
    while start < len(tokens) and tokens[start] in known.definite | known.articles:
        start += 1
    stop = start
    while stop < len(tokens) and _bare(tokens[stop]) in words:
        stop += 1
    return range(start, stop)


def _run_before(tokens: Sequence[str], stop: int, words: Collection[str]) -> range:
    start = stop
    while start > 0 and _bare(tokens[start - 1]) in words:
        start -= 1
    return range(start, stop)


def _bare(token: str) -> str:
    """A word without what says whose."""
    return token.removesuffix("'s").removesuffix("'")


def _stored(linked: Linked, own: Own) -> set[str]:
    """The words of the question that surely name stored values of the table."""
    index, tokens = linked.index, linked.tokens
    of_table = [index.tables[t].name == own.table and c.name != own.refers for t, c in index.columns]
    items = [place for place, item in enumerate(linked.items) if of_table[item.column]]
    if not items:
        return set()
    fits = linked.item_tokens[items].max(0)
    return {_bare(token) for token, fit in zip(tokens, fits, strict=False) if fit >= STORED}


# ---------------------------------------------------------------- the plan
def _tests(plan: Plan) -> list[Predicate]:
    return conjuncts(plan.where) if isinstance(plan, Query) else []


def _is_of_row(test: Predicate, own: Own) -> bool:
    """Whether a condition says by a value which rows of the table are meant."""
    plain = (isinstance(test, Compare) and test.op == "=") or (isinstance(test, Among | TextMatch) and not test.negated)
    return plain and {node.table for node in every(test) if isinstance(node, ColumnRef)} == {own.table}


def _words(test: Predicate) -> set[str]:
    values = (node.value for node in every(test) if isinstance(node, Constant | TextMatch))
    return {word for value in values for word in str(value).casefold().split()}


def _followed(plan: Query, own: Own, tests: Sequence[Predicate], *, below: bool) -> Query:
    """The plan over those that belong to the rows which the conditions name, or over those that these belong to."""
    inner, outer = (own.key, own.refers) if below else (own.refers, own.key)
    rows = Query(source=own.table, where=together(tests), columns=(Output(label=inner, expr=own.ref(inner)),))
    rest = [test for test in _tests(plan) if test not in tests]
    where = together([*rest, InQuery(of=own.ref(outer), query=rows)])
    columns = tuple(output for output in plan.columns if output.expr != own.ref(own.refers))
    if plan.columns and not columns:
        columns = tuple(Output(label=name, expr=own.ref(name)) for name in own.names)
    measures = tuple(output for output in plan.measures if own.ref(own.refers) not in every(output.expr))
    if (plan.columns and not columns) or (plan.measures and not measures):
        raise Unfit("rows without a name or a figure")
    return plan.model_copy(update={"where": where, "columns": columns, "measures": measures})
