"""What the rows of a table are: their noun, what tells them apart, what names them, and which date is theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.analyst.dictionary.columns import Named
from apps.analyst.dictionary.names import expanded, words_of
from apps.analyst.dictionary.types import Kind
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.types import Column, Table

ANYTHING = "row"
_NEARLY_ALL = 0.98
"""A column of ids with at least this share of different values identifies the rows; exports hold some twice."""
_MOSTLY = 0.9
_SHORTENED = 3
"""Letters of the shortest token that is believed to be a certain word shortened."""
_PLURALS = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet", "shelf": "shelves",
    "alumnus": "alumni", "aircraft": "aircraft", "series": "series", "analysis": "analyses",
    "diagnosis": "diagnoses", "index": "indexes",
}  # fmt: skip
_GENERAL, _ANY = 0.35, 0.05
"""What a verb of all trades, and of any, counts beside the shares of the trades."""


@dataclass(frozen=True, slots=True)
class Read:
    """A column with its name read and its kind."""

    named: Named
    kind: Kind
    position: int

    @property
    def column(self) -> Column:
        """The column itself."""
        return self.named.column

    @property
    def stem(self) -> tuple[str, ...]:
        """The words of the name without those that name or identify: "order" of "order number"."""
        drop = words().identifying | words().naming
        said = self.named.words
        while said and said[-1] in drop:
            said = said[:-1]
        return said


def noun_of(table: Table, columns: Sequence[Read]) -> str:
    """What one row is called: as the table's name says, or as its ids do where the name is no word."""
    names = tuple(read.column.name for read in columns)
    noun, period = _bare(_said(table.name, names))
    key = columns[0] if columns and _identifies(columns[0], table.rows) else None
    stem = _singular(key.stem) if key is not None else ()
    if not noun:
        anywhere = next((read.stem for read in columns if _identifies(read, table.rows)), ())
        noun = _singular(anywhere) or _named_thing(columns)
    elif key is not None and stem and stem[-1] != noun[-1] and _says_more(key, stem[-1], table.name):
        noun = stem
    return _counted(noun, period, table, columns) if noun else ANYTHING


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


def _is_many(name: str) -> bool:
    """Whether a table's name stands in the plural."""
    last = words_of(name)[-1:]
    return last != tuple(map(singular, last))


def plural(noun: str) -> str:
    """The plural of a noun: "pieces of equipment", "people"."""
    head, of, rest = noun.partition(" of ")
    *before, last = head.split()
    return " ".join([*before, _plural_word(last)]) + of + rest


def key_of(noun: str, columns: Sequence[Read], rows: int, name: str | None) -> str | None:
    """The column that tells rows apart, or None; `name` is the column of their names."""
    fitting = [read for read in columns if _identifies(read, rows) or _nearly(read, noun, rows)]
    best = max(fitting, key=lambda read: (_own(read.stem, noun), -read.position), default=None)
    if best is None and columns and _tells_apart(columns[0], rows) and name != columns[0].column.name:
        best = columns[0]
    return best.column.name if best is not None else None


def name_of(noun: str, columns: Sequence[Read], rows: int) -> str | None:
    """The column that holds the rows' names, or None."""
    scored = [(_naming(read, noun, rows), -read.position, read) for read in columns]
    best = max(scored, key=lambda entry: entry[:2], default=None)
    return best[2].column.name if best is not None and best[0] > 0 else None


def event_of(named: Named, noun: str, shares: Mapping[str, float]) -> str:
    """What happened at a date, as a noun; the row's own noun where the name says nothing but "date"."""
    said = [word for word in named.words if word not in words().dated and word != "of"]
    own = noun.split()
    while len(said) > 1 and said[0] in own:
        said = said[1:]
    if not said:
        return noun
    if said[-1] in words().events:
        return " ".join([*said[:-1], words().events[said[-1]]])
    phrase = " ".join(said)
    if any(word in words().secondary for word in said) or not said[-1].endswith("ed"):
        return phrase
    votes: defaultdict[str, float] = defaultdict(float)
    for verb in knowledge().verbs_of(phrase):
        votes[verb.event] += shares.get(verb.domain, 0.0) + (_GENERAL if verb.domain == "general" else _ANY)
    return max(votes, key=votes.__getitem__) if votes else phrase


def date_of(noun: str, columns: Sequence[Read], events: Mapping[str, str], rows: int) -> str | None:
    """The date that is meant where none is named: when the row came about."""
    head = folded(noun.split()[-1])
    told = _dates_of(head)

    def score(read: Read) -> float:
        label, event = folded(read.named.label), folded(events[read.column.name])
        said = set(read.named.words)
        made = 4.0 if event in (head, folded(noun)) else 3.0 if label in told else 0.0
        if not made:
            made = 2.0 if event in words().beginning or said & words().beginning else 1.0
        made -= 2.0 if said & words().secondary or event in words().secondary else 0.0
        made -= 3.0 if read.column.type not in ("date", "datetime") else 0.0
        return made - 2.0 * read.column.missing / max(rows, 1) - 0.02 * read.position

    dates = [read for read in columns if read.kind == "time" and not set(read.named.words) & words().personal]
    best = max(dates, key=score, default=None)
    return best.column.name if best is not None else None


def _said(name: str, neighbours: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a table's name; shortened words may stand in the plural ("rcpts")."""
    said = expanded(name, neighbours)
    last = singular(said[-1]) if said else ""
    return (*said[:-1], *expanded(last, neighbours)) if said and knowledge().expansions(last) else said


@lru_cache(maxsize=4096)
def _dates_of(event: str) -> frozenset[str]:
    """The names of the dates at which something happens."""
    return frozenset(folded(verb.date) for verb in knowledge().verbs if verb.date and folded(verb.event) == event)


def _bare(said: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """A table's name without what wraps it, in the singular, and the period that it says its rows are of."""
    period = next((words().periodic[word] for word in said if word in words().periodic), "")
    wrapping = words().wrapping | words().periodic.keys()
    kept = [word for word in said if word not in wrapping and not word.isdigit()]
    kept = [word for word in kept if len(word) > 1] or kept
    while len(kept) > 1 and kept[-1] in ("of", "for", "in", "by", "and"):
        kept = kept[:-1]
    noun = _singular(kept)
    if len(noun) > 1 and noun[-1] in words().averaged:
        noun = noun[:-1]
    return noun, period


def _counted(noun: tuple[str, ...], period: str, table: Table, columns: Sequence[Read]) -> str:
    """The noun of one row, where the name's is of a mass, of a period, or of what has several rows."""
    phrase = " ".join(noun)
    keys = [read.stem for read in columns if _identifies(read, table.rows)]
    if not (_is_many(table.name) and any(stem and singular(stem[-1]) == noun[-1] for stem in keys)):
        if phrase in words().masses:
            return words().masses[phrase]
        if noun[-1] in words().masses:
            return " ".join([*noun[:-1], words().masses[noun[-1]]])
    if period:
        return f"{phrase} {period}"
    own = [read for read in columns if read.kind == "identifier" and _own(read.stem, phrase) == 2 and read.stem]
    if (
        own
        and noun[-1] not in words().lines
        and not any(_identifies(read, table.rows) or _nearly(read, phrase, table.rows) for read in own)
    ):
        lined = any(set(read.named.words) & words().lines for read in columns)
        return f"{phrase} {'line' if lined else 'record'}"
    return phrase


def _named_thing(columns: Sequence[Read]) -> tuple[str, ...]:
    """The thing that a leading column of names is about: "deal" of "Deal Name"."""
    for read in columns[:2]:
        stem = _singular(read.stem)
        if read.column.type == "text" and read.column.unique and stem and stem != tuple(read.named.words):
            return stem
    return ()


def _identifies(read: Read, rows: int) -> bool:
    column = read.column
    return read.kind == "identifier" and column.unique and not column.missing and rows > 0


def _tells_apart(first: Read, rows: int) -> bool:
    """Whether a first column of texts is as good as an id: addresses, codes."""
    column = first.column
    texts = column.type == "text" and first.kind == "dimension" and column.unique and not column.missing
    return texts and rows > 1


def _nearly(read: Read, noun: str, rows: int) -> bool:
    alike = _own(read.stem, noun) > 0 and read.column.distinct >= _NEARLY_ALL * max(rows, 1)
    return read.kind == "identifier" and alike


def _own(stem: Sequence[str], noun: str) -> int:
    """How well a column's stem is the row's own: 2 for its noun or nothing at all, 1 for a word of it."""
    said = [singular(word) for word in stem]
    own = noun.split()
    if not said or said == own or said == own[-1:] or own[-len(said) :] == said:
        return 2
    return 1 if said[-1] in own else 0


def _naming(read: Read, noun: str, rows: int) -> float:
    column, said = read.column, read.named.words
    if column.type != "text" or read.kind not in ("dimension", "text", "identifier") or read.kind == "identifier":
        return 0.0
    label, head = read.named.label, noun.split()[-1]
    share = column.distinct / max(rows - column.missing, 1)
    whole = (noun, head)
    if label in ("name", "full name", "display name") or label in [f"{own} name" for own in whole]:
        return 3.0 if share > 0.5 else 0.0
    if label in whole or label in [f"{own} {last}" for own in whole for last in ("title", "description", "label")]:
        return 2.5 if share > 0.5 else 0.0
    if label == "title":
        return 2.0 if share > 0.5 else 0.0
    if said[-1] in words().naming and share >= _MOSTLY and read.position <= 2:
        return 1.5 if said[0] not in ("first", "last") else 0.5
    return 0.0


def _singular(said: Sequence[str]) -> tuple[str, ...]:
    return (*said[:-1], singular(said[-1])) if said else ()


def _plural_word(word: str) -> str:
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")
