"""What the rows of a table are: their noun, what tells them apart, what names them, and which date is theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.analyst.dictionary.columns import Named
from apps.analyst.dictionary.types import Kind
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import folded, plural_word, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.types import Column

_NEARLY_ALL = 0.98
"""A column of ids with at least this share of different values identifies the rows; exports hold some twice."""
MOSTLY = 0.9
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


def plural(noun: str) -> str:
    """The plural of a noun: "pieces of equipment", "people"."""
    head, of, rest = noun.partition(" of ")
    *before, last = head.split()
    return " ".join([*before, plural_word(last)]) + of + rest


def key_of(noun: str, columns: Sequence[Read], rows: int, name: str | None) -> str | None:
    """The column that tells rows apart, or None; `name` is the column of their names."""
    fitting = [read for read in columns if identifies(read, rows) or nearly(read, noun, rows)]
    best = max(fitting, key=lambda read: (kinship(read.stem, noun), -read.position), default=None)
    if best is None and columns and tells_apart(columns[0], rows) and name != columns[0].column.name:
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
        other = label not in told and (said & words().secondary or event in words().secondary)
        made -= 2.0 if other else 0.0
        made -= 3.0 if read.column.type not in ("date", "datetime") else 0.0
        return made - 2.0 * read.column.missing / max(rows, 1) - 0.02 * read.position

    dates = [read for read in columns if read.kind == "time" and not set(read.named.words) & words().personal]
    best = max(dates, key=score, default=None)
    return best.column.name if best is not None else None


@lru_cache(maxsize=4096)
def _dates_of(event: str) -> frozenset[str]:
    """The names of the dates at which something happens."""
    return frozenset(folded(verb.date) for verb in knowledge().verbs if verb.date and folded(verb.event) == event)


def identifies(read: Read, rows: int) -> bool:
    column = read.column
    return read.kind == "identifier" and column.unique and not column.missing and rows > 0


def tells_apart(first: Read, rows: int) -> bool:
    """Whether a first column of texts is as good as an id: addresses, codes."""
    column = first.column
    texts = column.type == "text" and first.kind == "dimension" and column.unique and not column.missing
    return texts and rows > 1


def nearly(read: Read, noun: str, rows: int) -> bool:
    alike = kinship(read.stem, noun) > 0 and read.column.distinct >= _NEARLY_ALL * max(rows, 1)
    return read.kind == "identifier" and alike


def kinship(stem: Sequence[str], noun: str) -> int:
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
    if said[-1] in words().naming and share >= MOSTLY and read.position <= 2:
        return 1.5 if said[0] not in ("first", "last") else 0.5
    return 0.0


def in_singular(said: Sequence[str]) -> tuple[str, ...]:
    return (*said[:-1], singular(said[-1])) if said else ()
