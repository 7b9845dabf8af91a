"""Stored values that a question may name: those that are listed for a column, how each is said, where each is found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from apps.analyst.dictionary.guessing import is_english
from apps.analyst.dictionary.names import expanded
from apps.analyst.dictionary.types import ColumnMeaning
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.knowledge.places import names_of_places
from apps.analyst.tables.entries import entries_of, separator_of, split_cell
from apps.analyst.tables.wholeness import values_of
from apps.analyst.types import Column, Table

MOST_INDEXED = 60_000
LONGEST_VALUE = 8
"""Words of the longest stored value that is looked for in a question."""
LEAST_CODE = 3
"""Letters of a code that is said for a stored value: shorter ones are units, and words of every kind."""
FEW = 40
"""Different values up to which a column's are offered without being named."""


def listed_values(column: Column) -> list[str]:
    """The values that are offered without being named: those of a column of few."""
    if column.type == "boolean":
        return ["true", "false"]
    values = entries_of(column)
    if not has_few(column):
        return []
    if column.type == "text" or (column.type == "integer" and (column.role == "dimension" or column.distinct <= 2)):
        return [v.value for v in values]
    return []


def has_few(column: Column) -> bool:
    """Whether all of a column's values, or the entries of its lists, are known and not many."""
    if separator_of(column) is not None:
        return len(entries_of(column)) <= FEW
    return column.values_complete and column.distinct <= FEW


def value_words(value: str, name: Sequence[str], meaning: ColumnMeaning) -> tuple[str, ...]:
    """The words of a value; codes are spelled out, and a flag's values stand for its name."""
    said = folded(value).split()
    if value in meaning.says:
        return tuple(folded(meaning.says[value]).split()) or ("value",)
    full = knowledge().code(value, name)
    if full is not None:
        return tuple(folded(full).split())
    if len(said) == 1 and (said[0] in english().affirmed or said[0] in english().denied):
        return tuple(name)
    found = (
        tuple(w for part in expanded(value) for w in folded(part).split())
        if len(value) <= 40 and len(said) <= 2
        else tuple(said)
    )
    return found or tuple(said) or ("value",)


def stored_in(
    tables: list[Table], columns: list[tuple[int, Column]]
) -> tuple[dict[str, list[tuple[int, str]]], dict[str, set[int]]]:
    """All text values by their folded text, and for columns of many values the words that occur in them."""
    place = {(t, column.name): c for c, (t, column) in enumerate(columns)}
    stored: dict[str, list[tuple[int, str]]] = defaultdict(list)
    parts: dict[str, set[int]] = defaultdict(set)
    seen = 0
    for t, table in enumerate(tables):
        for name, value in _every_value(table):
            c = place.get((t, name))
            if c is None or seen >= MOST_INDEXED:
                continue
            seen += 1
            key = folded(value)
            if not key or key.count(" ") >= LONGEST_VALUE + 6:
                continue
            if key.count(" ") < LONGEST_VALUE:
                stored[key].append((c, value))
            if columns[c][1].distinct > 6:
                for word in key.split():
                    if len(word) >= 3:
                        parts[word].add(c)
    for c, name, value in _other_names(columns, stored):
        stored[name].append((c, value))
    for c, (_, column) in enumerate(columns):
        for value, code in _coded(column):
            stored[folded(code)].append((c, value))
    for c, value, word in _taught_values(tables, place):
        stored[folded(word)].append((c, value))
    return stored, parts


def _other_names(
    columns: Sequence[tuple[int, Column]], stored: Mapping[str, Sequence[tuple[int, str]]]
) -> list[tuple[int, str, str]]:
    """What else places are called: column, name and value. What another column of the table stores so is meant itself:
    "New York" is a city beside a column of states."""

    def is_of_another(name: str, place: int, table: int) -> bool:
        return any(other != place and columns[other][0] == table for other, _ in stored.get(name, ()))

    found = []
    for c, (table, column) in enumerate(columns):
        if column.type != "text" or not column.values:
            continue
        for value, names in names_of_places([v.value for v in column.values]).items():
            found += [(c, name, value) for name in names if not is_of_another(name, c, table)]
    return found


def _coded(column: Column) -> Iterable[tuple[str, str]]:
    """The values of a column of few that are stored in full, with the codes that people know for them: "Amex", and the
    initials that stand for nothing else."""
    if column.type != "text" or column.distinct > FEW:
        return
    name = expanded(column.name)
    for value in column.values:
        for code in (*knowledge().codes_for(value.value, name), *knowledge().initials_of(value.value)):
            if len(code) >= LEAST_CODE and not is_english(code.casefold()):
                yield value.value, code


def _taught_values(tables: list[Table], place: Mapping[tuple[int, str], int]) -> Iterable[tuple[int, str, str]]:
    """What else people call stored values: column, value and word."""
    for t, table in enumerate(tables):
        for entry in table.taught:
            c = place.get((t, entry.column))
            for value, words in entry.value_synonyms.items():
                yield from ((c, value, word) for word in words if c is not None)


def _every_value(table: Table) -> list[tuple[str, str]]:
    """All values that may be named, with their columns; of cells that list several, the entries."""
    found = [(c.name, v.value) for c in table.columns if c.type in ("text", "boolean") for v in c.values]
    kept = values_of(table.values_path, ["column", "value"]) if table.values_path is not None else None
    if kept is not None:
        found += zip(kept["column"].to_pylist(), kept["value"].to_pylist(), strict=True)
    marks = {c.name: mark for c in table.columns if (mark := separator_of(c)) is not None}
    parts = ((name, part) for name, value in found for part in _parts(value, marks.get(name)))
    return list(dict.fromkeys(parts))


def _parts(value: str, mark: str | None) -> list[str]:
    return [value] if mark is None else split_cell(value, mark)
