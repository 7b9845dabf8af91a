"""Which columns a statistical brief names, and its text with every name replaced by a marker.

The masked text makes the phrase patterns of the other modules short: "subtract the ⟨0⟩ column from the ⟨1⟩ column".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers.statistics_names import (
    MOST_COLUMNS,
    Mention,
    as_tagged,
    quoted_in_part,
    run_together,
    verbatim,
)
from apps.analyst.language.tagging import Tagged, tag
from apps.analyst.types import Column, Table

_READABLE = re.compile(r"^\s*[-+]?[$€£]?\s*[\d,]*\.?\d+\s*%?\s*$|^\s*\d{1,3}:\d\d(?::\d\d(?:\.\d+)?)?\s*$")


MARK = r"⟨(\d+)⟩"


_FILLER = (
    r"(?:'s\b|\s+(?:columns?|fields?|variables?|features?|attributes?|values?|scores?|data)\b|[\s-]coordinates?\b)*"
)


@dataclass(frozen=True, slots=True)
class Masked:
    """A brief over one table: its text, the mentions in it, and the text with markers. `cut` is where the question
    ends."""

    table: Table
    text: str
    mentions: tuple[Mention, ...]
    masked: str
    cut: int

    def column(self, index: str | int) -> str:
        """The column behind a marker's number."""
        return self.mentions[int(index)].column

    def countable(self, name: str) -> bool:
        """Whether a column can be computed with: numbers, dates, or texts that mostly read as numbers or times of
        day."""
        column = self.table.column(name)
        if column is None or column.type != "text":
            return True
        said = [value.value for value in column.values[:50]]
        return bool(said) and sum(bool(_READABLE.match(value)) for value in said) * 2 >= len(said)

    def text_of(self, marker: str) -> str:
        """What the text says where a marker stands, without quotes."""
        mention = self.mentions[int(marker.strip("⟨⟩"))]
        return self.text[mention.start : mention.end].strip("\"'“”‘’`")

    @property
    def question(self) -> str:
        """The masked question without its constraints."""
        return self.masked[: self.cut]

    @property
    def constraints(self) -> str:
        """The masked constraints."""
        return self.masked[self.cut :]

    def columns(self, masked: str) -> tuple[str, ...]:
        """The columns that a stretch of masked text names, each once, in order."""
        return tuple(dict.fromkeys(self.column(index) for index in re.findall(MARK, masked)))

    def info(self, name: str) -> Column | None:
        """The stored column of that name; None for one that the brief makes."""
        return self.table.column(name)

    def numeric(self, name: str) -> bool:
        """Whether a column holds numbers (columns that the brief makes do)."""
        column = self.table.column(name)
        return column is None or column.type in ("integer", "decimal", "float", "boolean")


def mask(question: str, constraints: str, lexicon: Lexicon, made: Iterable[str] = ()) -> list[Masked]:
    """The brief read against each table that it names columns of, the best fitting first."""
    text, cut = f"{question}\n{constraints}", len(question)
    tagged = (tag(question, lexicon), tag(constraints, lexicon))
    found = []
    for named in lexicon.tables:
        mentions = _mentions(text, cut, named.table, tagged, tuple(made))
        called = (
            0.5 if any(named.table.name == hit.table for item in tagged[0].items for hit in item.tables[:1]) else 0.0
        )
        if mentions or called:
            masked, masked_cut = _masked(text, mentions, cut)
            found.append((_fit(mentions) + called, Masked(named.table, text, mentions, masked, masked_cut)))
    found.sort(key=lambda entry: (-entry[0], entry[1].table.name))
    if not found and len(lexicon.tables) == 1:
        found = [(0.0, Masked(lexicon.tables[0].table, text, (), text, cut))]
    return [masked for _, masked in found]


def _fit(mentions: tuple[Mention, ...]) -> float:
    best: dict[str, float] = {}
    for mention in mentions:
        if not mention.made:
            best[mention.column] = max(mention.score, best.get(mention.column, 0.0))
    return sum(best.values())


def _mentions(
    text: str, cut: int, table: Table, tagged: tuple[Tagged, Tagged], made: tuple[str, ...]
) -> tuple[Mention, ...]:
    found = [m for name in made for m in verbatim(text, name, made=True)]
    for column in table.columns:
        found += verbatim(text, column.name)
    for part, offset in zip(tagged, (0, cut + 1), strict=True):
        found += as_tagged(part, offset, table)
    found += quoted_in_part(text, table)
    if len(table.columns) <= MOST_COLUMNS:
        found += run_together(text, table)
    if len({m.column for m in found if m.score >= 0.85}) > 1:
        found = [m for m in found if m.score >= 0.72 or " " in text[m.start : m.end].strip()]
    found.sort(key=lambda m: (-(m.score * (m.end - m.start) ** 0.6), m.start))
    chosen: list[Mention] = []
    for mention in found:
        if all(mention.end <= other.start or mention.start >= other.end for other in chosen):
            chosen.append(mention)
    return tuple(sorted(chosen, key=lambda m: m.start))


def _masked(text: str, mentions: tuple[Mention, ...], cut: int) -> tuple[str, int]:
    """The text with markers for mentions; words such as "column" after a marker go."""
    parts: list[str] = []
    position = 0
    masked_cut = None
    for index, mention in enumerate(mentions):
        if masked_cut is None and mention.start >= cut:
            masked_cut = sum(map(len, parts)) + cut - position
        parts.append(text[position : mention.start])
        parts.append(f"⟨{index}⟩")
        position = mention.end
        filler = re.match(_FILLER, text[position:])
        position += filler.end() if filler else 0
    parts.append(text[position:])
    whole = "".join(parts)
    return whole, masked_cut if masked_cut is not None else len(whole) - (len(text) - cut)
