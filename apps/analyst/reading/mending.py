"""Sketches that pass over what a question says, with it put in: a stored value or a period that is named and in no
condition, a condition on a value that no word names. So "nothing is dropped in silence" has a reading to be kept by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from apps.analyst.dictionary.rows import MOSTLY
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.reading.index import Index
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.nodes import DATES_ROW
from apps.analyst.reading.sketch import GRAMMAR, NOTHING, Sketch, listed, unrolled, walk
from apps.analyst.tables.entries import separator_of
from apps.analyst.tables.names import words_of

SAID = 0.6
"""How well a value has to fit a word to have been named by it."""
UNSAID = 0.4
"""A value that fits no word better was not named."""
LISTED = 40
"""Different values of a column up to which its values are words of the question's own subject."""
_STATES = 3
"""Values of a flag: yes, no and unknown."""
_IS, _FEW = ("is", "isnt", "has", "hasnt"), 6
_LISTS = {"in": "is", "notin": "isnt"}
"""Conditions on several values, each with the one on a single value."""
_OF_OTHERS = ("pct", "rate", "ratio", "growth")
"""Figures that hold one against another."""


def mended(sketch: Sketch, linked: Linked) -> tuple[Sketch, int] | None:
    """The sketch (leaves as places) with what it passes over, and how many edits that took; None where it passes
    over nothing, or has no place for conditions."""
    place = _conditions(sketch)
    if place is None:
        return None
    edits = 0
    conditions, dropped = _without_unsaid(list(parts_of(sketch[place])), linked)
    edits += dropped
    made = (*sketch[:place], joined(conditions), *sketch[place + 1 :])
    for item in _passed_over(made, linked):
        conditions = _with_value(conditions, item, linked)
        edits += 1
    made = (*made[:place], joined(conditions), *made[place + 1 :])
    for period in _unused_periods(made, linked):
        column = _date_of(made, linked)
        if column is not None:
            conditions.append(("on", ("C", column), ("D", period)))
            edits += 1
    return ((*made[:place], joined(conditions), *made[place + 1 :]), edits) if edits else None


def with_all_entries(sketch: Sketch, linked: Linked) -> Sketch:
    """The sketch with several entries of one list as conditions that all hold, where both are asked for: of a value
    that is one alone only one could hold."""
    if english().together.isdisjoint(linked.tokens):
        return sketch

    def changed(part: Sketch) -> Sketch:
        either = part[0] == "or" and part[1][0] == part[2][0] == "is"
        values = (part[1][1], part[2][1]) if either else listed(part)
        listing = {_listing(value[1], linked) for value in values}
        if len(listing) == 1 and None not in listing:
            return joined([("is", value) for value in values])
        return (part[0], *(changed(p) if isinstance(p, tuple) else p for p in part[1:]))

    return changed(sketch)


def _listing(item: int, linked: Linked) -> int | None:
    """The value's column, where its cells list several entries."""
    place = linked.items[item].column
    return place if separator_of(linked.index.columns[place][1]) is not None else None


def has_unsaid_value(sketch: Sketch, linked: Linked) -> bool:
    """Whether the sketch has a stored value that no word names."""
    return any(_fit(item, linked) < SAID for item in leaves(sketch, "W"))


def without_both(sketch: Sketch, linked: Linked) -> Sketch:
    """The sketch with a flag's "yes" where a condition lists all that the flag can be, and words do not name each:
    "active is Yes or No" keeps all rows. Raises ValueError where other values are so listed."""
    values = listed(sketch)
    columns = {linked.items[value[1]].column for value in values}
    if len(columns) == 1:
        column = linked.index.columns[columns.pop()][1]
        every = column.values_complete and not column.missing and len(set(values)) >= column.distinct
        if every and not all(is_named(value[1], linked) for value in values):
            yes = [v for v in values if str(linked.items[v[1]].value).casefold() in english().affirmed]
            if len(yes) != 1:
                raise ValueError("a condition that keeps all rows")
            return ("is", yes[0])
    return (sketch[0], *(without_both(part, linked) if isinstance(part, tuple) else part for part in sketch[1:]))


def with_said_alone(sketch: Sketch, linked: Linked) -> Sketch:
    """The sketch with the values that words name whole alone where a condition lists others beside them: "EMEA only" is
    not about EMEA or APAC. What one figure is of another may be about more than is named (won of won and lost)."""
    return sketch if any(part[0] in _OF_OTHERS for part in walk(sketch)) else _said_alone(sketch, linked)


def _said_alone(sketch: Sketch, linked: Linked) -> Sketch:
    kind = sketch[0].rstrip("23456")
    if kind not in _LISTS:
        return (sketch[0], *(_said_alone(part, linked) if isinstance(part, tuple) else part for part in sketch[1:]))
    values = [part for part in sketch[1:] if isinstance(part, tuple)]
    kept = [value for value in values if _fit(value[1], linked) >= UNSAID]
    if len(kept) == len(values) or not any(is_named(value[1], linked) for value in kept):
        return sketch
    return (f"{kind}{len(kept)}", *kept) if len(kept) > 1 else (_LISTS[kind], *kept)


def with_wholes(sketch: Sketch, linked: Linked, known: Mapping[str, TableMeaning]) -> Sketch:
    """The sketch with what rows are parts of counted instead of the rows, where the question names the whole: "orders"
    over a table of order lines are its different order numbers. So it is where the file tells of wholes and the sketch
    reads nothing that their lines tell. Where a table of orders is there, too, or the question speaks of lines, nothing
    changes."""
    spoken = [singular(token) for token in linked.tokens]
    if not words().parts.isdisjoint(spoken):
        return sketch
    read = {*leaves(sketch, "C"), *(linked.items[item].column for item in leaves(sketch, "W"))}
    columns = [linked.index.columns[place] for place in read]
    of_wholes = {t for t, column in columns if column.per_key} - {t for t, column in columns if not column.per_key}

    def changed(part: Sketch) -> Sketch:
        whole = _whole_of(part[1][1], linked, known) if part[0] in ("count", "rate") else None
        named = whole is not None and not _called(whole, linked).isdisjoint(spoken)
        if whole is not None and (named or part[1][1] in of_wholes):
            counted = ("countd", ("C", whole[0]))
            return counted if part[0] == "count" else ("pct", ("given", counted, part[2]), counted)
        return (part[0], *(changed(p) if isinstance(p, tuple) else p for p in part[1:]))

    return changed(sketch)


def _called(whole: tuple[int, str], linked: Linked) -> set[str]:
    """What a whole is called: its noun, and what is written before "number" in the number's name ("PO no.", "POs")."""
    column, noun = whole
    written = [word for word in words_of(linked.index.columns[column][1].name) if word not in words().identifying]
    return {noun, written[0], f"{written[0]}s"} if len(written) == 1 else {noun}


def _whole_of(table: int, linked: Linked, known: Mapping[str, TableMeaning]) -> tuple[int, str] | None:
    """The column that says what the rows of a table are parts of, and the noun of that: the table's first, or the one
    that the rows are named by. None where they are no parts, or the wholes have a table of their own."""
    index = linked.index
    meaning = known.get(index.tables[table].name)
    if meaning is not None and meaning.whole_columns:
        names = [(t, column.name) for t, column in index.columns]
        return names.index((table, meaning.whole_columns[0])), meaning.whole.split()[-1]
    *noun, part = meaning.row.split() if meaning is not None else [""]
    if part not in words().parts:
        return None
    own = [place for place, (t, _) in enumerate(index.columns) if t == table]
    for place in own:
        means, column = index.meant[place], index.columns[place][1]
        *stem, last = means.label.casefold().split()
        if not stem or last not in words().identifying or (place != own[0] and stem != noun[-len(stem) :]):
            continue
        again = means.kind == "identifier" and column.distinct <= MOSTLY * index.tables[table].rows
        if again and not _tells_others_apart(means.label, table, index):
            return place, stem[-1]
    return None


def _tells_others_apart(label: str, table: int, index: Index) -> bool:
    """Whether another table's rows are told apart by a column of that name."""
    named = (n for n, means in enumerate(index.meant) if means.label.casefold() == label.casefold())
    return any(index.columns[n][1].unique and index.columns[n][0] != table for n in named)


def _conditions(sketch: Sketch) -> int | None:
    """Which part of the sketch holds its conditions."""
    parts = GRAMMAR[sketch[0]]
    return parts.index("P", 1) if "P" in parts[1:] else None


def parts_of(p: Sketch) -> Iterator[Sketch]:
    """The conditions that all hold."""
    return (part for part in unrolled(p, "and") if part != NOTHING)


def joined(conditions: list[Sketch]) -> Sketch:
    """The condition that all of some hold."""
    made = conditions[-1] if conditions else NOTHING
    for part in reversed(conditions[:-1]):
        made = ("and", part, made)
    return made


def _without_unsaid(conditions: list[Sketch], linked: Linked) -> tuple[list[Sketch], int]:
    """The conditions without those on values that no word of the question names."""
    kept = [p for p in conditions if p[0] not in _IS or _fit(p[1][1], linked) >= UNSAID]
    return kept, len(conditions) - len(kept)


def _fit(item: int, linked: Linked) -> float:
    return max(float(linked.item_tokens[item].max()), float(linked.item_features[item, 8]))


def leaves(sketch: Sketch, kind: str) -> list[int]:
    """The places that leaves of a kind point to."""
    return [part[1] for part in walk(sketch) if part[0] == kind and len(part) == 2 and isinstance(part[1], int)]


def _passed_over(sketch: Sketch, linked: Linked) -> Iterator[int]:
    """The values that words name which the sketch uses for nothing: for each stretch the one that lies nearest."""
    if not linked.items:
        return
    used = np.zeros(len(linked.tokens), bool)
    for item in leaves(sketch, "W"):
        used |= linked.item_tokens[item] >= SAID
    for period in linked.periods:
        used[period.start : period.end] = True
    for place, _ in linked.numbers:
        used[place] = True
    offset = len(linked.index.tables)
    for column in leaves(sketch, "C"):
        used |= linked.channels[:, offset + column, 0] * linked.channels[:, offset + column, 6] >= 1
    stop = english().stopwords
    tables = _tables(sketch, linked)
    codes = {code.item for code in linked.codes if code.known}
    whole = np.flatnonzero(linked.item_features[:, 3])
    named = sorted({*codes, *(int(n) for n in whole if is_named(int(n), linked))})

    def near(n: int) -> tuple[bool, float]:
        return linked.index.columns[linked.items[n].column][0] in tables, float(linked.item_features[n, 3])

    for n in sorted(named, key=near, reverse=True):
        own = linked.item_tokens[n] >= 1
        content = [t for t in np.flatnonzero(own) if linked.tokens[t] not in stop]
        if content and not used[content].any():
            used |= own
            yield n


def is_named(item: int, linked: Linked) -> bool:
    """Whether words are a stored value whole, and not by chance: a surname may be any word."""
    found, features = linked.items[item], linked.item_features[item]
    column = linked.index.columns[found.column][1]
    flag = features[5:7].any() and (len(found.value) > 1 or column.distinct <= _STATES)  # an F may be a grade
    if features[3] == 0 or found.partial or flag:
        return False
    words = [linked.tokens[t] for t in np.flatnonzero(linked.item_tokens[item] >= 1)]
    few = column.distinct <= LISTED
    return few or len(words) > 1 or not knowledge().vocabulary.issuperset(words)


def _tables(sketch: Sketch, linked: Linked) -> set[int]:
    columns = [*leaves(sketch, "C"), *(linked.items[n].column for n in leaves(sketch, "W"))]
    return {linked.index.columns[c][0] for c in columns} | set(leaves(sketch, "T"))


def _with_value(conditions: list[Sketch], item: int, linked: Linked) -> list[Sketch]:
    """The conditions with one more value: beside another of its column, either of them will do."""
    column = linked.items[item].column
    for n, p in enumerate(conditions):
        values = [w[1] for w in (p[1:] if p[0] == "is" else listed(p))]
        if values and len(values) < _FEW and all(linked.items[v].column == column for v in values):
            several = (f"in{len(values) + 1}", *(("W", v) for v in (*values, item)))
            return [*conditions[:n], several, *conditions[n + 1 :]]
    return [*conditions, ("is", ("W", item))]


def _unused_periods(sketch: Sketch, linked: Linked) -> list[int]:
    if leaves(sketch, "D"):
        return []
    return [n for n, mention in enumerate(linked.periods) if not mention.counted][:1]


def _date_of(sketch: Sketch, linked: Linked) -> int | None:
    """The date of the table that the sketch is about."""
    offset = len(linked.index.tables)
    tables = _tables(sketch, linked)
    dated = [
        c
        for c, (table, _) in enumerate(linked.index.columns)
        if table in tables and linked.index.features[offset + c, DATES_ROW]
    ]
    return dated[0] if len(dated) == 1 else None
