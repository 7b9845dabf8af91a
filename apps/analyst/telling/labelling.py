"""Plans and labels under the readable names that the dictionary gives columns: for words, not to be computed.

A planner may call an output as the file does ("Total tot_fee"); people read "total fee". Names that are words already
stay as they are written, and what people taught wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.rows import plural as many
from apps.analyst.dictionary.splitting import words_of
from apps.analyst.dictionary.words import words as known_words
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Aggregate, ColumnRef, Constant, Expr, Node, Order, Output, Period, Plan, Query, Window
from apps.analyst.plan.entries import by_entry
from apps.analyst.plan.firsts import without_firsts
from apps.analyst.plan.nodes import every
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.ports import Catalog
from apps.analyst.tables.words import MONTHS
from apps.analyst.telling.formats import counted_by, plural, rows_noun, singular, spoken, thing
from apps.analyst.types import Table

N = TypeVar("N", bound=Node)
SHORTENED = 3
"""Letters of the longest single word that is taken for an abbreviation ("Qty")."""
MOST_WORDS = 3
"""Words of the longest noun that is believed to stand in a file's name."""
_NEARLY = 0.9
"""The share of rows with a name of their own from which on a name is taken for the row's."""
_TWICE = re.compile(r"\b(total|average|number of|lowest|highest|median) (?:\1|the \1)\b", re.IGNORECASE)


class Labels:
    """What the columns of some nodes' tables are called."""

    def __init__(self, nodes: Sequence[Node], catalog: Catalog) -> None:
        self._catalog = catalog
        self._queries = [query for node in nodes for query in _queries(node)]
        self._values = {
            word
            for node in nodes
            for part in every(node)
            if isinstance(part, Constant) and isinstance(part.value, str)
            for word in re.findall(r"\w+", part.value)
        }

    @cached_property
    def _tables(self) -> list[Table]:
        names = {query.source for query in self._queries} | {join.table for q in self._queries for join in q.joins}
        return [table for table in self._catalog.tables() if table.name in names]

    @cached_property
    def _names(self) -> dict[str, str]:
        """Readable names by names in the file and as they would be spoken; names that mean two things have none, nor
        have words that stand in a value."""
        found: dict[str, set[str]] = {}
        for table in self._tables:
            for name, label in labels_of(table, self._catalog).items():
                for form in (name, spoken(name)):
                    found.setdefault(form, set()).add(label)
                found.setdefault(plural(spoken(name)), set()).add(plural(label))
                stem, thing = (words.rpartition(" ")[0] for words in (spoken(name), label))
                if stem and thing and spoken(name).rpartition(" ")[2] == label.rpartition(" ")[2] == "id":
                    found.setdefault(plural(stem), set()).add(plural(thing))
            rows, many = rows_of(table.name, self._catalog), plural(spoken(table.name))
            if rows.split()[-1] not in ("rows", many.split()[-1]):
                found.setdefault(many, set()).add(rows)
        return {
            form: next(iter(labels))
            for form, labels in found.items()
            if len(labels) == 1 and form not in labels and not self._values.intersection(form.split())
        }

    @cached_property
    def _has_wholes(self) -> bool:
        meant = (dictionary_of(self._catalog).get(table.name) for table in self._tables)
        return any(meaning is not None and meaning.whole for meaning in meant)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        forms = sorted(self._names, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, forms))})(?!\w)") if forms else None

    def text(self, words: str) -> str:
        """Words of a plan with the columns' readable names."""
        if self._pattern is None:
            return words
        told = self._pattern.sub(lambda name: self._names[name[0]], words)
        return once(told) if told != words else words

    def node(self, node: N) -> N:
        """The node with readable names, those of its outputs and what refers to them included."""
        counted = by_things(node, self._catalog)
        if self._pattern is None and not self._has_wholes:
            return node
        if counted is not node and isinstance(counted, Aggregate):
            where = self.node(counted.where) if counted.where is not None else None
            return counted.model_copy(update={"where": where})
        updates: dict[str, Any] = {}
        for field, value in node.__dict__.items():
            new: Any = value
            if isinstance(value, Node):
                new = self.node(value)
            elif isinstance(value, tuple):
                new = tuple(self._part(node, field, item) for item in value)
            elif isinstance(value, str):
                new = self._part(node, field, value)
            if new != value:
                updates[field] = new
        return node.model_copy(update=updates) if updates else node

    def _part(self, node: Node, field: str, value: Any) -> Any:
        if isinstance(value, Node):
            return self.node(value)
        return self.text(value) if isinstance(value, str) and (type(node), field) in _NAMING else value


def told_sentence(plan: Plan, catalog: Catalog) -> str:
    """`plan_sentence` with readable names; rows are called what they are where their file's name says otherwise."""
    said = plan_sentence(labelled(plan, catalog))
    for name in {ref for query in _queries(plan) for ref in (query.source, *(join.table for join in query.joins))}:
        if not isinstance(name, str) or (named := rows_noun(name)) == (rows := rows_of(name, catalog)):
            continue
        form = f"rows in {re.escape(name)}" if named == "rows" else rf"(?<=umber of ){named}(?! lines)"
        said = re.sub(rf"(?<!\w){form}(?!\w)", rows, said)
    return said


_NAMING = {
    (ColumnRef, "column"), (Output, "label"), (Order, "by"), (Query, "limit_per"), (Window, "partition"),
    (Window, "order"),
}  # fmt: skip
"""Where a plan names a column or an output."""


def labelled(node: N, catalog: Catalog) -> N:
    """The plan or part of one with readable names; what a plan asks of lists is said as it is computed, and that a
    figure of whole things reads their first lines goes without saying."""
    return Labels([node], catalog).node(by_entry(without_firsts(node, catalog), catalog))


def once(words: str) -> str:
    """Words in which a column's name does not repeat how it is computed: "total fee", not "total total fee"."""
    return _TWICE.sub(r"\1", words)


def labels_of(table: Table, catalog: Catalog) -> dict[str, str]:
    """The readable names of a table's columns, by their names in the file; of those alone that need one."""
    meaning = dictionary_of(catalog).get(table.name)
    taught = {entry.column: entry.label for entry in table.taught if entry.column and entry.label}
    found: dict[str, str] = {}
    for column in meaning.columns if meaning is not None else ():
        label = taught.get(column.name) or (None if reads_well(column.name) else column.label)
        if label and label != spoken(column.name):
            found[column.name] = label
    return found


def names_of(ref: ColumnRef, catalog: Catalog) -> tuple[str, ...]:
    """What a column may be called in a question: its readable name, then as the file has it where that differs."""
    own = spoken(ref.column)
    tables = (table for table in catalog.tables() if table.name == ref.table)
    return tuple(dict.fromkeys((*(labels_of(table, catalog).get(ref.column, own) for table in tables), own)))


def rows_of(table: str, catalog: Catalog, count: int | None = None) -> str:
    """What the rows of a table are called, "rows" where nothing says: as people taught, else as its name says, else as
    the id says that tells them apart (a "service_desk" with ticket ids has tickets). Rows that are parts of what the
    name says are called so: an order that has many rows is not counted by them."""
    named, meaning = rows_noun(table, count), dictionary_of(catalog).get(table)
    if meaning is None:
        return named
    own = meaning.row if count == 1 else meaning.rows
    said = any(entry.row or entry.rows for t in catalog.tables() if t.name == table for entry in t.taught)
    key = meaning.column(meaning.key_column) if meaning.key_column else None
    told = key is not None and key.kind == "identifier" and key.label.startswith(f"{meaning.row} ")
    vague = named in ("row", "rows") or singular(named.split()[-1]) in known_words().places
    words = meaning.row.split()
    parts = words[-1] == "line" and singular(named.split()[-1]) not in known_words().lines
    parts = parts or (words[-1] == "record" and not vague)  # of a "kiosk site" that has many rows
    parts = parts or bool(meaning.whole)
    known = meaning.row == spoken(table) and _is_known(words)  # users of a table "User"
    member = meaning.row in known_words().masses.values() and words[-1] not in known_words().general
    few = words[-1] != "record" and len(words) <= MOST_WORDS
    said_so = {meaning.rows.split()[-1], *words[:-1]} <= set(words_of(table))
    within = few and _is_known(words[-1:]) and said_so
    named_so = vague and (known or member or within)  # of "hubspot-crm-exports-all-deals-2026-03-18"
    return own if said or parts or named_so or (told and vague) else named


def _is_known(words: Sequence[str]) -> bool:
    return knowledge().vocabulary.issuperset(words)


def by_things(node: N, catalog: Catalog) -> N:
    """A count of whole things by the id of what it counts: different "names" of order lines are different orders."""
    things = things_of(node, catalog, 1)
    if not things or not isinstance(node, Aggregate) or not isinstance(node.of, ColumnRef):
        return node
    return node.model_copy(update={"of": node.of.model_copy(update={"column": f"{things} id"})})


def things_of(expr: Node | None, catalog: Catalog, count: int | None = None) -> str:
    """The whole things that a count of different values counts where rows are their lines ("orders"); "" for all
    else."""
    if not isinstance(expr, Aggregate) or not expr.distinct or not isinstance(expr.of, ColumnRef):
        return ""
    meaning = dictionary_of(catalog).get(expr.of.table)
    counted = meaning is not None and expr.of.column in meaning.whole_columns
    return wholes_of(expr.of.table, catalog, count) if counted else ""


def wholes_of(table: str, catalog: Catalog, count: int | None = None) -> str:
    """What a table's rows are lines of; "" where they are none."""
    meaning = dictionary_of(catalog).get(table)
    if meaning is None or not meaning.whole:
        return ""
    return meaning.whole if count == 1 else many(meaning.whole)


def groups_of(key: Expr, catalog: Catalog) -> str | None:
    """What the groups are called that a key tells apart: "customers" by their ids or names, "months"; None where
    nothing says."""
    if isinstance(key, Period):
        return f"{key.grain}s"
    if not isinstance(key, ColumnRef):
        return None
    meant = dictionary_of(catalog).get(key.table)
    if meant is not None and key.column == meant.key_column:
        return rows_of(key.table, catalog)
    if meant is not None and key.column == meant.name_column and _tells_apart(key, catalog):
        return rows_of(key.table, catalog)
    own = meant.column(key.column) if meant is not None and not reads_well(key.column) else None
    return counted_by(thing(own.label if own is not None else key.column, key.table), key.table)


def _tells_apart(key: ColumnRef, catalog: Catalog) -> bool:
    """Whether a column of names has another one in nearly every row: guests of bookings are no bookings."""
    table = next((table for table in catalog.tables() if table.name == key.table), None)
    column = table.column(key.column) if table is not None else None
    return table is None or column is None or column.distinct >= _NEARLY * (table.rows - column.missing)


def reads_well(name: str) -> bool:
    """Whether a column's own name is words already, or a month's, which people look for in the answer."""
    return (
        name.casefold() in MONTHS
        or " " in name.strip()
        or (name[:1].isupper() and name[1:].islower() and len(name) > SHORTENED)
    )


def _queries(node: Node) -> Iterator[Query]:
    return (part for part in every(node) if isinstance(part, Query))
