"""How long things take: "average days between order and shipping", "how long does it take to ship", "delivery time".

The days from one date of a row to another of the same row stand in the lexicon as concepts, which no word names.
"""

from __future__ import annotations

import re

from apps.analyst.formats import spoken
from apps.analyst.language.concepts import days_from
from apps.analyst.language.lexicon import NamedTable
from apps.analyst.language.morphology import fold, keys
from apps.analyst.language.names import split
from apps.analyst.language.parse.draft import Draft, Measure, Slot
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import AggregateName
from apps.analyst.types import Column

_END = r"(?=\s+(?:by|per|for|in|on average|of|did|each|when|during)\b|\s*[?,.;]|\s*$)"
_BETWEEN = re.compile(
    rf"\b(?:number of |many |the )*(?P<unit>days|time|long)\b(?:\s+\w+){{0,5}}?\s+(?:between|from)\s+(?P<a>[\w ]+?)"
    rf"\s+(?:and|to|until|till)\s+(?P<b>[\w ]+?){_END}",
    re.IGNORECASE,
)
_SMALL_WORDS = r"(?: usually| normally| typically| on average| take| us| them| me)*"
_TAKES = re.compile(
    rf"\b(?:how (?:long|many days)(?: on average)? (?:does|did|do) (?:it|we|they){_SMALL_WORDS} to"
    r"|(?:days|time)(?: does)?(?: it takes?| needed| required)?(?: on average)? to)\s+"
    r"(?P<verb>\w+)(?:\s+(?:an?|the|our|each|one)\s+\w+|\s+\w+s\b)?",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b(?P<verb>\w+)[ -](?:time|duration|days)\b", re.IGNORECASE)
_AGGREGATES: tuple[tuple[str, AggregateName], ...] = (
    (r"\bmedian\b", "median"),
    (r"\b(?:maximum|longest|most|max|slowest)\b", "max"),
    (r"\b(?:minimum|shortest|fewest|min|fastest)\b", "min"),
)
_STEM = 4
"""Two words speak of one thing where they begin alike by so many letters ("delivery", "delivered")."""


def read_durations(draft: Draft) -> None:
    """Reads the days between two dates of a row into a figure."""
    text = draft.question.text
    for pattern in (_BETWEEN, _TAKES, _TIME):
        said = pattern.search(text)
        if said is None:
            continue
        for named in draft.lexicon.tables:
            dates = [c for c in named.table.columns if c.type in ("date", "datetime")]
            ends = _ends(said, dates, named) if len(dates) > 1 else None
            if ends is not None:
                _measure(draft, said, named.table.name, *ends)
                return


def _ends(said: re.Match[str], dates: list[Column], named: NamedTable) -> tuple[Column, Column] | None:
    """The first and the last day that are meant."""
    parts = said.groupdict()
    if "verb" in parts:
        last = _spoken_of(parts["verb"], dates[1:])
        return (dates[0], last) if last is not None and last.name != dates[0].name else None
    own = " ".join(named.name.words)
    first, last = (_spoken_of(parts[side], dates) for side in ("a", "b"))
    first = first or (dates[0] if _begins_alike(parts["a"], own) else None)
    return (first, last) if first is not None and last is not None and first.name != last.name else None


def _spoken_of(words: str, dates: list[Column]) -> Column | None:
    """The date whose own word is said: "shipping" of a "shipped date"."""
    return next((column for column in dates if _begins_alike(words, column.name)), None)


def _begins_alike(said: str, name: str) -> bool:
    mine = {word for word in fold(said).split() if word not in ("date", "day", "the")}
    own = [word for word in split(name) if word not in ("date", "day", "time", "at", "on")]
    if any(keys(word) & keys(other) for word in mine for other in own):
        return True
    return any(word[:_STEM] == other[:_STEM] for word in mine for other in own if min(len(word), len(other)) >= _STEM)


def _measure(draft: Draft, said: re.Match[str], table: str, first: Column, last: Column) -> None:
    concept = days_from(table, first.name, last.name)
    if (table, concept) not in draft.lexicon.concepts:
        return
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
    if "verb" in said.groupdict():
        draft.assumptions.append(f"Counted in days from {spoken(first.name)} to {spoken(last.name)}")
