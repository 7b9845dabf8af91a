"""What leaves the house: how much an organization lets models see, and what is private whatever it lets them see. Pure.

A private column is taken out of the catalog that a model's answer is made over: the model is told neither its name nor
its values, and a query that it writes cannot reach them. Texts that speak of one are left out as well.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from apps.analyst.errors import PlanRejected
from apps.analyst.language import lexicon
from apps.analyst.language.tagging import ColumnHit, ValueHit, tag
from apps.analyst.plan import Plan
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Table

Told = Literal["names", "ranges", "values"]
"""Names of tables and columns; with them ranges and counts; with them also values, and the result to word."""
SPEAKS = "The question speaks of a private column, so no model was asked."
SHORTEST_VALUE = 3
BY_NAME = 0.9
"""How well words fit a column that is named, as against one that they may hint at."""
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")


def told_catalog(catalog: Catalog) -> Catalog:
    """The catalog without its private columns, and without tables that have no other; the same where none is."""
    if not any(table.private for table in catalog.tables()):
        return catalog
    tables = tuple(found for table in catalog.tables() if (found := _bare(table)).columns)
    known = {(table.name, column.name) for table in tables for column in table.columns}
    joins = tuple(
        join
        for join in catalog.joins()
        if all((join.left_table, name) in known for name in join.left_columns)
        and all((join.right_table, name) in known for name in join.right_columns)
    )
    mark = hashlib.sha256("\n".join(f"{table}\t{column}" for table, column in sorted(known)).encode()).hexdigest()[:16]
    secrets = Secrets(catalog, FixedCatalog(f"{catalog.version}/told-{mark}", tables, joins))
    cleaned = tuple(replace(table, description=secrets.kept(table.description)) for table in tables)
    return FixedCatalog(f"{catalog.version}/told-{mark}", cleaned, joins)


def _bare(table: Table) -> Table:
    hidden = {name.casefold() for name in table.private}
    return replace(
        table,
        columns=tuple(column for column in table.columns if column.name.casefold() not in hidden),
        taught=tuple(entry for entry in table.taught if entry.column.casefold() not in hidden),
        private=(),
    )


def shadowed(query: str, hidden: Iterable[tuple[Table, Table]]) -> str:
    """A checked query over tables that have only the columns that are told: each stands before it under its name.

    `hidden` are the stored tables of which some columns are private, each with what is told of it."""
    parts = [
        f"{_name(told.name)} AS (SELECT {', '.join(_name(column.name) for column in told.columns)} FROM "  # noqa: S608
        f"{_name(stored.name)})"
        for stored, told in hidden
    ]
    return f"WITH {', '.join(parts)} SELECT * FROM (\n{query}\n)" if parts else query  # noqa: S608


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


class Private(PlanRejected):
    """The question itself must stay in the house."""


@dataclass(frozen=True)
class Secrets:
    """The private columns of a catalog, as texts may name them. `told` is the catalog without them."""

    catalog: Catalog
    told: Catalog

    def hidden(self) -> Iterator[tuple[Table, Table]]:
        """The told tables of which some columns are private: as they are stored, and as they are told."""
        stored = {table.name: table for table in self.catalog.tables()}
        for table in self.told.tables():
            if stored[table.name].private:
                yield stored[table.name], table

    def speaks(self, text: str) -> bool:
        """Whether a text names a private column or says one of its values, which nothing that is told holds too."""
        if not self._private or not text.strip():
            return False
        if self._pattern is not None and self._pattern.search(text):
            return True
        items = tag(text, lexicon.build(self.catalog)).items
        named = any(self._only_private(hit for hit in item.columns if hit.score >= BY_NAME) for item in items)
        return named or any(self._only_private(item.values) for item in items if item.number is None)

    def kept(self, text: str) -> str:
        """A text without the sentences that speak of what is private."""
        if not self._private:
            return text
        return " ".join(part for part in _SENTENCES.split(text) if not self.speaks(part))

    def tells(self, plan: Plan) -> bool:
        """Whether a plan needs no private column."""
        if not self._private:
            return True
        try:
            validate(plan, self.told)
        except PlanRejected:
            return False
        return True

    @cached_property
    def _private(self) -> frozenset[tuple[str, str]]:
        known = {(table.name, column.name) for table in self.told.tables() for column in table.columns}
        return frozenset((t.name, c.name) for t in self.catalog.tables() for c in t.columns) - known

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """Names and frequent values of private columns as whole words, but for what is told anyway."""
        names, values = set[str](), set[str]()
        for table in self.catalog.tables():
            for column in table.columns:
                if (table.name, column.name) in self._private:
                    names |= {column.name, re.sub(r"[_\W]+", " ", column.name)}
                    values |= {found.value for found in column.values if _says_something(found.value)}
        public = "\n".join(self._told_words())
        said = sorted({text for text in names | values if text.strip() and not _whole(text).search(public)}, key=len)
        return re.compile("|".join(_whole(text).pattern for text in said), re.IGNORECASE) if said else None

    def _told_words(self) -> Iterator[str]:
        """What a model is told anyway: names, and values of other columns."""
        for table in self.told.tables():
            yield table.name
            for column in table.columns:
                yield column.name
                yield re.sub(r"[_\W]+", " ", column.name)
                yield from (found.value for found in column.values)

    def _only_private(self, hits: Iterable[ColumnHit | ValueHit]) -> bool:
        places = {(hit.table, hit.column) for hit in hits}
        return bool(places) and places <= self._private


def _says_something(value: str) -> bool:
    """Whether a value alone, met in a text, is likely to be meant: no yes, no single letter, no small number."""
    text = value.strip()
    return len(text) >= SHORTEST_VALUE and (any(letter.isalpha() for letter in text) or len(text) > SHORTEST_VALUE + 1)


def _whole(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(text.strip())}(?!\w)", re.IGNORECASE)
