"""What a word that is being typed may become: columns, stored values, periods and words that people taught.

Nothing here reads a question. Names are found by how they, or one of their words, begin.
"""

from __future__ import annotations

import calendar
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from apps.analyst.kept import Kept
from apps.analyst.knowledge.english import english
from apps.analyst.ports import Catalog
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.formats import capital, listed, spoken
from apps.analyst.telling.labelling import labels_of
from apps.analyst.types import Table

Kind = Literal["column", "value", "period", "word"]
MOST = 5
LEAST_LETTERS = 2
LEAST_WITHIN = 3
"""Letters from which on a name is found by one of its later words."""
MOST_WORDS = 4
"""Words before the cursor that may be the beginning of one name."""
LONGEST_NAME = 60
"""Characters of a name that is worth completing; longer ones are texts."""
MOST_VALUES = 300
"""Stored values of a column that are completed, the most frequent first."""
YEARS_BACK = 3
MOST_KEPT = 16

_RANK: Mapping[Kind, int] = {"word": 0, "column": 1, "period": 2, "value": 3}
_PHRASES = (
    "today", "yesterday", "this week", "last week", "this month", "last month", "this quarter", "last quarter",
    "this year", "last year", "year to date", "last 7 days", "last 30 days", "last 90 days", "last 6 months",
    "last 12 months",
)  # fmt: skip
_MONTHS = tuple(calendar.month_name)[1:]
PERIOD = "Period"
NOW = 10_000
"""Periods that are counted from today come before those of any year."""
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand instead of the text from `start` to the cursor; `where` says of what it is."""

    text: str
    kind: Kind
    where: str
    start: int


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    kind: Kind
    where: str
    often: int = 0
    example: bool = False
    """Whether only the product's example tables have it: people's own files come first."""


@dataclass(frozen=True, slots=True)
class _Index:
    """Names by how they begin: `begun` are folded beginnings in order, each with its name and whether the whole name
    begins so, and not only one of its later words."""

    begun: tuple[str, ...]
    names: tuple[tuple[_Name, bool], ...]

    def found(self, prefix: str) -> Iterator[tuple[_Name, bool]]:
        for place in range(bisect_left(self.begun, prefix), len(self.begun)):
            begun = self.begun[place]
            if not begun.startswith(prefix):
                return
            name, whole = self.names[place]
            if whole or begun.partition(" ")[0] != prefix:  # a later word that is complete already is no beginning
                yield name, whole


_kept: Kept[tuple[str, int], _Index] = Kept(MOST_KEPT)


def completions(
    text: str, catalog: Catalog, today: date, keywords: Mapping[str, str], files: tuple[str, ...] | None = None
) -> tuple[Completion, ...]:
    """What the end of `text`, which is what stands before the cursor, may become, the best first. `keywords` are the
    organization's own words with what they mean, `files` the only ones that are asked about."""
    catalog = narrowed(catalog, files)
    best: dict[str, tuple[tuple[int, bool, bool, int, int, str], Completion]] = {}
    for words, start in enumerate(_starts(text)):
        prefix = _folded(text[start:])
        for name, whole in _names(prefix, catalog, today, keywords):
            if not _worth(name, prefix, whole):
                continue
            order = (words, not whole, name.example, _RANK[name.kind], -name.often, name.text)
            key = _folded(name.text)
            if key not in best or order < best[key][0]:
                best[key] = (order, Completion(name.text, name.kind, name.where, start))
    return tuple(made for _, made in sorted(best.values(), key=lambda one: one[0]))[:MOST]


def _starts(text: str) -> list[int]:
    """Where the beginning of a name may lie: the longest stretch first."""
    starts = [match.start() for match in _WORD.finditer(text)][-MOST_WORDS:]
    return [start for start in starts if len(text[start:].rstrip()) >= LEAST_LETTERS]


def _worth(name: _Name, prefix: str, whole: bool) -> bool:
    """Whether a name that begins so is told: not where it stands there already, by a later word only from a few letters
    on, and for a word such as "in" only where a column or a taught word begins so."""
    if _folded(name.text) == prefix.rstrip() or not (whole or (len(prefix) >= LEAST_WITHIN and " " not in prefix)):
        return False
    return name.kind in ("column", "word") or prefix not in english().stopwords


def _names(prefix: str, catalog: Catalog, today: date, keywords: Mapping[str, str]) -> Iterator[tuple[_Name, bool]]:
    yield from _index(catalog, today).found(prefix)
    for term, meaning in keywords.items():
        if _folded(term).startswith(prefix):
            yield _Name(term, "word", meaning), True


def _index(catalog: Catalog, today: date) -> _Index:
    return _kept.get((catalog.version, today.toordinal()), lambda: _made(catalog, today))


def _made(catalog: Catalog, today: date) -> _Index:
    beginnings = [one for name in _all(catalog, today) for one in _beginnings(name)]
    beginnings.sort(key=lambda one: one[0])
    return _Index(tuple(b for b, _, _ in beginnings), tuple((name, whole) for _, name, whole in beginnings))


def _beginnings(name: _Name) -> Iterator[tuple[str, _Name, bool]]:
    folded = _folded(name.text)
    yield folded, name, True
    for match in re.finditer(r"(?<=\s)\w", folded):
        yield folded[match.start() :], name, False


def _folded(text: str) -> str:
    """Without case, blanks as one; one at the end stays: a word that is over is no beginning of a longer one."""
    folded = " ".join(text.casefold().split())
    return f"{folded} " if text[-1:].isspace() else folded


# ---------------------------------------------------------------- the names there are
def _all(catalog: Catalog, today: date) -> Iterator[_Name]:
    columns: dict[str, list[str]] = {}
    values: dict[str, tuple[list[str], int]] = {}
    own: set[str] = set()
    for table in sorted(catalog.tables(), key=lambda table: table.example):
        labels = {column.name: spoken(column.name) for column in table.columns} | labels_of(table, catalog)
        for column in table.columns:
            label = labels[column.name]
            columns.setdefault(label, []).append(table.name)
            if not table.example:
                own.add(label)
            if column.role in ("measure", "time", "id") or column.type not in ("text", "boolean"):
                continue
            for stored in column.values[:MOST_VALUES]:
                if _is_name(stored.value):
                    held, often = values.get(stored.value, ([], 0))
                    values[stored.value] = ([*held, label] if label not in held else held, often + stored.count)
                    if not table.example:
                        own.add(stored.value)
        yield from _taught(table, labels)
    for label, tables in columns.items():
        yield _Name(label, "column", f"Column of {listed(tables, most=2)}", example=label not in own)
    for value, (held, often) in values.items():
        yield _Name(value, "value", capital(listed(held, most=2)), often, value not in own)
    yield from (_Name(text, "period", PERIOD, NOW - place) for place, text in enumerate(_PHRASES))
    yield from _periods(catalog, today)


def _is_name(value: str) -> bool:
    return len(value) <= LONGEST_NAME and any(letter.isalpha() for letter in value) and "\n" not in value


def _taught(table: Table, labels: Mapping[str, str]) -> Iterator[_Name]:
    """The words that people use for columns and values of a table."""
    for taught in table.taught:
        label = labels.get(taught.column, taught.column)
        for word in taught.synonyms:
            yield _Name(word, "word", f"Means {label}")
        for value, words in taught.value_synonyms.items():
            for word in words:
                yield _Name(word, "word", f"Means {value}")


def _periods(catalog: Catalog, today: date) -> Iterator[_Name]:
    """Years, quarters and months that the data may hold; the later ones come first."""
    days = [
        day.date() if isinstance(day, datetime) else day
        for table in catalog.tables()
        for column in table.columns
        for day in (column.minimum, column.maximum)
        if isinstance(day, date)
    ]
    if not days:
        return
    newest = min(max(days).year, today.year)
    for year in range(newest, max(min(days).year, newest - YEARS_BACK) - 1, -1):
        said = [str(year), *(f"Q{n} {year}" for n in range(1, 5)), *(f"{month} {year}" for month in _MONTHS)]
        yield from (_Name(text, "period", PERIOD, year) for text in said)
