"""What one row of a table is called: as its name says, or as its ids do where they tell better."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from apps.analyst.dictionary.names import expanded, shown, words_of
from apps.analyst.dictionary.rows import MOSTLY, Read, identifies, in_singular, kinship, nearly, tells_apart
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.types import Table

ANYTHING = "row"
_SHARED = 3
"""Columns that must begin with one noun before the rows are believed to be that, whatever the file is called."""
_SHORTENED = 3
"""Letters of the shortest token that is believed to be a certain word shortened."""


def noun_of(table: Table, columns: Sequence[Read]) -> str:
    """What one row is called: as the table's name says, or as its ids do where the name is no word."""
    names = tuple(read.column.name for read in columns)
    noun, period = _bare(_said(table.name, names))
    noun = _as_columns_say(noun, columns)
    key = next((read for read in columns if identifies(read, table.rows)), None)
    stem = in_singular(key.stem) if key is not None else ()
    if not noun:
        noun = stem or _named_thing(columns)
    elif key is not None and stem and stem[-1] != noun[-1]:
        leading = key is columns[0] and _says_more(key, stem[-1], table.name)
        noun = stem if leading or _is_rather(key, noun, table, columns) else noun
    return _counted(noun, period, table, columns) if noun else ANYTHING


def _as_columns_say(noun: tuple[str, ...], columns: Sequence[Read]) -> tuple[str, ...]:
    """The noun of a table's name, or the one that its first column and others begin with ("Deal name", "Deal stage",
    "Deal owner"), where the name says of no known thing what its rows are, or says more than that in words that nobody
    knows ("acme deals")."""
    shared = in_singular(columns[0].stem) if columns else ()
    alike = [read for read in columns if read.named.words[: len(shared)] == shared]
    if not shared or len(alike) < _SHARED or not _is_counted(shared) or shared[-1] in words().general:
        return noun
    if noun[-len(shared) :] == shared:
        return noun if all(word in knowledge().vocabulary for word in noun) else shared
    return noun if noun and _is_counted(noun) else shared


def lines_of(noun: str, columns: Sequence[Read]) -> tuple[str, str, tuple[str, ...]]:
    """What a row is and what it is a line of ("order line", "order"), with the columns that say of which, where the
    table's columns lie so (tables.per_key); `noun` is what the table says of its rows."""
    key = next((read for read in columns if read.column.per_key == "key"), None)
    if key is None:
        return noun, "", ()
    *before, last = noun.split()
    part = last in words().parts
    whole = " ".join(before if part else [*before, last])
    stem = in_singular(key.stem)
    named = key.kind == "identifier" and not kinship(stem, whole) and _is_counted(stem)
    if stem and (not whole or whole == ANYTHING or named):
        whole, part = " ".join(stem), False
    if not whole or whole == ANYTHING:
        return noun, "", ()
    twins = (r.column for r in columns if r.column.per_key == "same" and r.kind == "identifier")
    same = (column.name for column in twins if column.distinct == key.column.distinct and not column.missing)
    return (noun if part else f"{whole} {_part_of(whole, columns)}"), whole, (key.column.name, *same)


def _part_of(whole: str, columns: Sequence[Read]) -> str:
    """What one of several rows of a thing is called. A "product line" is something else than a row of a product."""
    known = [concept.kind for concept in knowledge().said(f"{whole} line")]
    lined = any(set(read.named.words) & words().lines for read in columns)
    return "line" if lined and (not known or "thing" in known) else "record"


def _says_more(key: Read, stem: str, name: str) -> bool:
    """Whether a leading id tells better than the table's name what a row is: "ticket id" in a "helpdesk export"."""
    written, wrapped = list(words_of(name)), False
    while written and (written[-1] in words().wrapping or written[-1].isdigit()):
        wrapped = wrapped or not written[-1].isdigit()
        written = written[:-1]
    last = written[-1] if written else ""
    if _is_many(name) or stem in words().general:
        return False
    own = words_of(key.column.name)[:1]
    if own == (last,):
        return True
    full = last in knowledge().vocabulary and len(last) > _SHORTENED and last not in words().averaged | words().leaning
    known = stem in knowledge().vocabulary and len(own[0]) >= _SHORTENED if own else False
    return known and (wrapped or not full)


def _is_rather(key: Read, noun: Sequence[str], table: Table, columns: Sequence[Read]) -> bool:
    """Whether a row is what its id says, because the table's name says where the rows come from or what they are about:
    a "service desk" has tickets, an "operations" file shipments, and of a "store" there are many rows."""
    stem, names = in_singular(key.stem), (table.name, *(read.column.name for read in columns))
    told = shown(key.column.name, key.named.words, names).split()[: len(stem)] == list(key.stem)
    if not told or not _is_counted(stem) or stem[-1] in words().numbering or _is_short_for(key, noun[-1], table.name):
        return False
    if noun[-1] in words().places or _has_many(noun, table, columns):
        return True
    vague = {stem[-1], noun[-1]} & (words().general | words().masses.keys())
    return not (vague or _is_many(table.name) or _is_counted(noun))


def _is_short_for(key: Read, noun: str, name: str) -> bool:
    """Whether an id's name begins as the table's does, or with its noun shortened: "lse id" of lessees."""
    token, left = words_of(key.column.name)[0], iter(noun)
    return token in words_of(name) or (token[0] == noun[0] and all(letter in left for letter in token))


def _is_counted(noun: Sequence[str]) -> bool:
    """Whether a noun is known as a thing or an event that there are many of."""
    return not _counted_nouns().isdisjoint({folded(" ".join(noun)), folded(noun[-1])})


@cache
def _counted_nouns() -> frozenset[str]:
    known = knowledge()
    things = (c for c in known.concepts.values() if c.kind == "thing")
    said = [phrase for concept in things for phrase in (concept.label, *concept.columns)]
    said += [noun for verb in known.verbs for noun in (verb.event, verb.subject, verb.object) if noun]
    return frozenset(map(folded, said))


def _has_many(noun: Sequence[str], table: Table, columns: Sequence[Read]) -> bool:
    """Whether a column says which of the nouns each row belongs to."""
    return any(
        read.kind in ("dimension", "identifier")
        and in_singular(read.stem) == tuple(noun)
        and 2 * read.column.distinct < table.rows
        for read in columns
    )


def _is_many(name: str) -> bool:
    """Whether a table's name stands in the plural."""
    last = words_of(name)[-1:]
    return last != tuple(map(singular, last))


def _said(name: str, neighbours: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a table's name without the marks of its file ("q3"), which are none of another word shortened;
    shortened words may stand in the plural ("rcpts")."""
    written = words_of(name)
    kept = [word for word in written if word not in words().wrapping]
    if not kept:
        return written
    said = expanded(" ".join(kept), neighbours)
    last = singular(said[-1]) if said else ""
    return (*said[:-1], *expanded(last, neighbours)) if said and knowledge().expansions(last) else said


def _bare(said: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """A table's name without what wraps it, in the singular, and the period that it says its rows are of."""
    period = next((words().periodic[word] for word in said if word in words().periodic), "")
    wrapping = words().wrapping | words().periodic.keys()
    kept = [word for word in said if word not in wrapping and not word.isdigit()]
    kept = [word for word in kept if len(word) > 1] or kept
    while len(kept) > 1 and kept[-1] in ("of", "for", "in", "by", "and"):
        kept = kept[:-1]
    if len(kept) > 1 and kept[-1] == "dates":
        kept = kept[:-1]  # how the rows are dated
    noun = in_singular(kept)
    if len(noun) > 1 and noun[-1] in words().averaged:
        noun = noun[:-1]
    return noun, period


def _counted(noun: tuple[str, ...], period: str, table: Table, columns: Sequence[Read]) -> str:
    """The noun of one row, where the name's is of a mass, of a period, or of what has several rows."""
    phrase = " ".join(noun)
    keys = [read.stem for read in columns if identifies(read, table.rows)]
    if not (_is_many(table.name) and any(stem and singular(stem[-1]) == noun[-1] for stem in keys)):
        if phrase in words().masses:
            return words().masses[phrase]
        if noun[-1] in words().masses:
            return " ".join([*noun[:-1], words().masses[noun[-1]]])
    if period:
        return f"{phrase} {period}"
    whole = _of_lines(columns, table)
    if whole and not keys and noun[-1] not in words().lines:
        return whole
    alone = not keys and noun[-1] not in words().lines and not tells_apart(columns[0], table.rows)
    if alone and any(_comes_again(read, phrase, table) for read in columns):
        return f"{phrase} record"
    own = [read for read in columns if read.kind == "identifier" and read.stem and _numbers(read, phrase, columns[0])]
    if (
        own
        and noun[-1] not in words().lines | words().recurring
        and not any(identifies(read, table.rows) or nearly(read, phrase, table.rows) for read in own)
    ):
        lined = any(set(read.named.words) & words().lines for read in columns)
        return f"{phrase} {'line' if lined else 'record'}"
    return phrase


def _numbers(read: Read, noun: str, first: Read) -> bool:
    """Whether an id is of what the rows are called, or, in the first column, of a kind of that: "purchase order" over
    partner orders."""
    if kinship(read.stem, noun) == 2:
        return True
    return read is first and not read.column.missing and in_singular(read.stem)[-1] == noun.split()[-1]


def _comes_again(read: Read, noun: str, table: Table) -> bool:
    """Whether the thing that a table is called after is named in many of its rows: "kiosk sites" with a column "site"
    and a row for each month of one."""
    named = read.kind == "dimension" and read.column.type == "text" and read.stem and kinship(read.stem, noun) == 2
    return bool(named) and 2 * read.column.distinct <= table.rows


def _of_lines(columns: Sequence[Read], table: Table) -> str:
    """What the rows are parts of, with the part: "order line" where an order's number comes again and each of its lines
    has a number of its own; else nothing."""
    stems = {in_singular(read.stem) for read in columns if read.kind in ("identifier", "dimension")}
    for read in columns:
        stem = in_singular(read.stem)
        if not stem or read.kind != "identifier" or read.column.distinct > MOSTLY * table.rows:
            continue
        for part in words().lines:
            if (*stem, part) in stems:
                return " ".join((*stem, part))
    return ""


def _named_thing(columns: Sequence[Read]) -> tuple[str, ...]:
    """The thing that a leading column of names is about: "deal" of "Deal Name"."""
    for read in columns[:2]:
        stem = in_singular(read.stem)
        if read.column.type == "text" and read.column.unique and stem and stem != tuple(read.named.words):
            return stem
    return ()
