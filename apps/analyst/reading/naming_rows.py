"""Names for identifiers: where a sketch groups by the key of another table's rows, or lists them ("S1056"), what those
rows are called is told, unless the question itself asks for the number or the code. Of people whose first and last
names are two columns both are told: two Marias are not one.

The rows stay told apart by their key: where two of them have one name the key stands behind it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.analyst.dictionary.types import FIRST_NAME, LAST_NAME, TableMeaning
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.reading.joining import Schema, tables_in
from apps.analyst.reading.sketch import MOST_KEYS, MOST_VALUES, Sketch
from apps.analyst.types import Column, JoinPath

_KEYS = {"group": ("k", MOST_KEYS), "things": ("v", MOST_VALUES), "rows": ("v", MOST_VALUES)}


def with_names(sketch: Sketch, tokens: Sequence[str], schema: Schema, known: Mapping[str, TableMeaning]) -> Sketch:
    """The sketch (its leaves by name) with the names of the rows whose keys it groups by or lists."""
    if sketch[0] not in _KEYS or asks_for_keys(tokens):
        return sketch
    told = list(sketch[1][1:])
    for key in sketch[1][1:]:
        name = _name_of(key, schema, known)
        if name is None or name in told or not _stays(sketch, told, key, schema):
            continue
        if schema.column(name).unique:
            told[told.index(key)] = name
            sketch = _sorted_by(sketch, key, name)
        elif len(told) < _KEYS[sketch[0]][1] and sketch[-1][0] != "per":
            told.insert(told.index(key), name)
    kind = _KEYS[sketch[0]][0]
    return sketch if told == list(sketch[1][1:]) else (sketch[0], (f"{kind}{len(told)}", *told), *sketch[2:])


def with_full_names(sketch: Sketch, tokens: Sequence[str], known: Mapping[str, TableMeaning]) -> Sketch:
    """The sketch (its leaves by name) with the other half of each person's name that it lists or groups by, unless the
    question asks for one of the two."""
    if sketch[0] not in _KEYS or sketch[-1][0] == "per" or _asks_for_half(tokens):
        return sketch
    kind, most = _KEYS[sketch[0]]
    told: list[Sketch] = list(sketch[1][1:])
    for key in sketch[1][1:]:
        for half, other in ((FIRST_NAME, LAST_NAME), (LAST_NAME, FIRST_NAME)):
            is_half = key[0] == "C" and key == _of_concept(key[1], half, known)
            beside = _of_concept(key[1], other, known) if is_half else None
            if beside is not None and beside not in told and len(told) < most:
                told.insert(told.index(key) + (half == FIRST_NAME), beside)
    told += _key_of_people(sketch, told, known)[: most - len(told)]
    return sketch if told == list(sketch[1][1:]) else (sketch[0], (f"{kind}{len(told)}", *told), *sketch[2:])


def _key_of_people(sketch: Sketch, told: Sequence[Sketch], known: Mapping[str, TableMeaning]) -> list[Sketch]:
    """The number by which people are told apart who are grouped by both their names, where the figures are of another
    table: two of one name are two."""
    tables = {key[1] for key in told if key[0] == "C" and key == _of_concept(key[1], FIRST_NAME, known)}
    if sketch[0] != "group" or len(tables) != 1 or tables & set(tables_in((sketch[0], sketch[2], sketch[-1]))):
        return []
    table = tables.pop()
    key = ("C", table, known[table].key_column)
    held = any(one[0] == "C" and (one == key or one[2].casefold() == str(key[2]).casefold()) for one in told)
    return [] if key[2] is None or held else [key]


def _asks_for_half(tokens: Sequence[str]) -> bool:
    """Whether words ask for first names or last names alone."""
    halves = {word for name in (FIRST_NAME, LAST_NAME) for phrase in _said(name) for word in (phrase, phrase + "s")}
    text = f" {' '.join(tokens)} "
    return any(f" {half} " in text for half in halves)


def _said(concept: str) -> tuple[str, ...]:
    found = knowledge().concepts[concept]
    return (found.label, *found.words, *found.columns)


def _of_concept(table: str, concept: str, known: Mapping[str, TableMeaning]) -> Sketch | None:
    """The one column of a table that means a concept before any other."""
    columns = known[table].columns if table in known else ()
    found = [column.name for column in columns if column.concepts and column.concepts[0][0] == concept]
    return ("C", table, found[0]) if len(found) == 1 else None


def asks_for_keys(tokens: Sequence[str]) -> bool:
    """Whether a question's words (lower case) ask for a number or a code by which things are told apart. "Number of"
    counts, and "no" denies what stands behind it."""
    known = english()
    for place, word in enumerate(tokens):
        behind = tokens[place + 1 : place + 2]
        if singular(word) not in words().identifying or (word in known.denied and behind):
            continue
        if " ".join((word, *behind)) not in known.cues["count"]:
            return True
    return False


def _name_of(key: Sketch, schema: Schema, known: Mapping[str, TableMeaning]) -> Sketch | None:
    """The column with the names of the rows whose key a column holds; None where it holds none, or what it holds is no
    identifier but says something itself."""
    path = _path(key, schema) if key[0] == "C" else None
    meaning = known.get(path.right_table) if path is not None else None
    if path is None or meaning is None or meaning.name_column == path.right_columns[0]:
        return None
    name = ("C", path.right_table, meaning.name_column) if meaning.name_column else None
    name = name or _of_concept(path.right_table, FIRST_NAME, known)  # the last one is put beside it
    if name is None:
        return None
    here = known[key[1]].column(key[2]) if key[1] in known else None
    there = meaning.column(path.right_columns[0])
    marked = any(found is not None and found.kind == "identifier" for found in (here, there))
    if not marked and not _is_coded(schema.column(key)):
        return None
    return name


def _path(key: Sketch, schema: Schema) -> JoinPath | None:
    """The join that leads from a column alone to one row of another table."""
    return next(
        (
            path
            for path in schema.joins.get(key[1], ())
            if path.left_columns == (key[2],) and path.right_unique and path.embedded is None
        ),
        None,
    )


def _is_coded(column: Column) -> bool:
    """Whether the values that are known of a column all have a figure in them, as numbers of things do."""
    return bool(column.values) and all(any(c.isdigit() for c in str(found.value)) for found in column.values)


def _stays(sketch: Sketch, told: Sequence[Sketch], key: Sketch, schema: Schema) -> bool:
    """Whether each row that is listed stays one when another table is joined to it: rows that are told by nothing that
    tells them apart would become one."""
    own = [one for one in told if one[0] == "C" and one[1] == key[1]]
    return sketch[0] != "rows" or any(schema.column(one).unique for one in own)


def _sorted_by(sketch: Sketch, key: Sketch, name: Sketch) -> Sketch:
    """The sketch sorted by the name where it was by the key."""
    last = sketch[-1]
    if len(last) < 3 or last[2] != ("byv", key):
        return sketch
    return (*sketch[:-1], (*last[:2], ("byv", name), *last[3:]))
