"""How long things take: "average days between order and shipping", "how long does it take to ship", "delivery time".

The days from one date of a row to another, or to one of what the row belongs to ("from invoice to payment"), stand in
the lexicon as concepts, which no word names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from apps.analyst.language.concepts import Moment, days_from
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import fold, keys
from apps.analyst.language.names import split
from apps.analyst.language.parse.draft import Draft, Measure, Slot
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import AggregateName
from apps.analyst.telling.formats import spoken

_END = r"(?=\s+(?:and|with|by|per|for|in|on average|of|did|each|when|during)\b|\s*[?,.;]|\s*$)"
_BETWEEN = re.compile(
    rf"\b(?:number of |many |the )*(?P<unit>days|time|long)\b(?:\s+\w+){{0,5}}?\s+(?:between|from)\s+(?P<a>[\w ]+?)"
    rf"\s+(?:and|to|until|till)\s+(?P<b>[\w ]+?){_END}",
    re.IGNORECASE,
)
_SMALL_WORDS = r"(?: usually| normally| typically| on average| take| us| them| me)*"
_TAKES = re.compile(
    rf"\b(?:how (?:long|many days)(?: on average)? (?:does|did|do) (?:it|we|they|(?:our )?\w+s){_SMALL_WORDS} to"
    r"|(?:days|time)(?: does)?(?: it takes?| needed| required)?(?: on average)? to)\s+"
    r"(?P<verb>\w+)(?:\s+(?:an?|the|our|each|one)\s+\w+|\s+\w+s\b)?",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"\b(?:how (?:long|many days)|days) (?P<way>before|after) (?:an? |the |our |their )?(?P<a>\w+)"
    r" (?:do|does|did|is|are|was|were) (?:(?:the|our) )?(?:\w+ )??(?P<b>\w+)(?= on average| usually|\s*[?.]|\s*$)",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b(?P<verb>\w+)[ -](?:time|duration|days)\b", re.IGNORECASE)
_AGGREGATES: tuple[tuple[str, AggregateName], ...] = (
    (r"\bmedian\b", "median"),
    (r"\b(?:maximum|longest|most|max|slowest)\b", "max"),
    (r"\b(?:minimum|shortest|fewest|min|fastest)\b", "min"),
)
_NAMED = 0.9
_STEM = 4
"""Two words speak of one thing where they begin alike by so many letters ("delivery", "delivered")."""


@dataclass(frozen=True, slots=True)
class Duration:
    """Words for the days between two dates of a table's rows."""

    said: re.Match[str]
    table: str
    first: Moment
    last: Moment


def read_durations(draft: Draft) -> None:
    """Reads the days between two dates into a figure."""
    named = {draft.table_at(index, _NAMED) for index in range(len(draft.items))}
    found = duration_in(draft.question.text, draft.lexicon, named)
    if found is not None:
        _measure(draft, found.said, found.table, found.first, found.last)


def duration_in(text: str, lexicon: Lexicon, named: Collection[str | None] = ()) -> Duration | None:
    """The first days between two dates that a text speaks of, first of the tables that are `named`."""
    for pattern in (_BETWEEN, _AROUND, _TAKES, _TIME):
        said = pattern.search(text)
        if said is None:
            continue
        for table, dates in _homes(lexicon, named):
            ends = _ends(lexicon, said, dates)
            if ends is not None and (table, days_from(*ends)) in lexicon.concepts:
                return Duration(said, table, *ends)
    return None


def _homes(lexicon: Lexicon, said: Collection[str | None]) -> Iterator[tuple[str, list[Moment]]]:
    """Tables with the dates that their rows know: their own first, then those of what they belong to."""
    schema = lexicon.schema
    own = {
        named.table.name: [(named.table.name, c.name) for c in named.table.columns if c.type in ("date", "datetime")]
        for named in lexicon.tables
    }
    own = dict(sorted(own.items(), key=lambda entry: entry[0] not in said))
    yield from ((table, dates) for table, dates in own.items() if len(dates) > 1)
    for table, dates in own.items():
        for edge in schema.edges.get(table, ()) if dates else ():
            if edge.one and own.get(edge.target):
                yield table, [*own[edge.target], *dates]


def _ends(lexicon: Lexicon, said: re.Match[str], dates: list[Moment]) -> tuple[Moment, Moment] | None:
    """The first and the last day that are meant."""
    parts = said.groupdict()
    if "verb" in parts:
        last = _spoken_of(parts["verb"], dates[1:])
        return (dates[0], last) if last is not None and last != dates[0] else None
    first, last = (_spoken_of(parts[side], dates) or _day_of(lexicon, parts[side], dates) for side in ("a", "b"))
    if parts.get("way", "").lower() == "before":
        first, last = last, first
    return (first, last) if first is not None and last is not None and first != last else None


def _spoken_of(words: str, dates: list[Moment]) -> Moment | None:
    """The date whose own word is said: "shipping" of a "shipped date"."""
    return next((moment for moment in dates if _begins_alike(words, moment[1])), None)


def _day_of(lexicon: Lexicon, words: str, dates: list[Moment]) -> Moment | None:
    """ "from the invoice on": the first day in a table of invoices."""
    tables = lexicon.schema.tables
    return next((m for m in dates if _begins_alike(words, " ".join(tables[m[0]].name.words))), None)


def _begins_alike(said: str, name: str) -> bool:
    mine = {word for word in fold(said).split() if word not in ("date", "day", "the")}
    own = [word for word in split(name) if word not in ("date", "day", "time", "at", "on")]
    if any(keys(word) & keys(other) for word in mine for other in own):
        return True
    return any(word[:_STEM] == other[:_STEM] for word in mine for other in own if min(len(word), len(other)) >= _STEM)


def _measure(draft: Draft, said: re.Match[str], table: str, first: Moment, last: Moment) -> None:
    concept = days_from(first, last)
    text = draft.question.text
    fn: AggregateName = next((name for word, name in _AGGREGATES if re.search(word, text, re.IGNORECASE)), "avg")
    covered = [
        index
        for index, item in enumerate(draft.items)
        if draft.tagged.tokens[item.start].start < said.end() and draft.tagged.tokens[item.end - 1].end > said.start()
    ]
    if not all(draft.free(index) for index in covered):
        return
    words = [i for i, item in enumerate(draft.items) if item.tag("agg", "sup") and draft.free(i)]
    draft.use(*covered, *words[:1], role="measure")
    draft.entities.append((covered[0], table, 0.9))
    draft.measures.append(Measure(fn, Slot(covered[0], (ColumnHit(table, concept, 1.0),)), item=covered[0]))
    if "verb" in said.groupdict() or first[0] != last[0]:
        draft.assumptions.append(f"Counted in days from {spoken(first[1])} to {spoken(last[1])}")
