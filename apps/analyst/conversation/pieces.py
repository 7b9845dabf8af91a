"""What the words of a short message are: what it wants changed, and the values, columns, periods and numbers it names.

Every word must find its place, else the message is no change of the answer before and has no pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.analyst.computing.compile.walk import references
from apps.analyst.conversation.piece import Named, Piece
from apps.analyst.conversation.settling import settled
from apps.analyst.conversation.words import phrases, written_out
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.knowledge.places import is_country
from apps.analyst.plan import Query
from apps.analyst.ports import Catalog
from apps.analyst.reading.index import Item
from apps.analyst.reading.linking import CALLED, EVENT, RANKED, STATED, Linked, link
from apps.analyst.types import Question

_NO = re.compile(r"^\s*(?:no|nope|nah)\s*[,.:;!-]+\s*", re.IGNORECASE)
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
LEAST_FIT = 0.6
"""How well words must fit a column's name to be it."""
NEAR = 0.62
"""From which likeness on two words may mean the same."""
AS_SAID = 0.9
OF_CONCEPT = 0.04
"""By so much a column that is what words speak of fits better than one that only has them in a long name: of "spend"
amounts spent, not the return on ad spend."""
ENDS = ("most", "least", "best", "worst", "fast", "slow")
_OF_SOMETHING = ("most", "least", "fast", "slow")
"""Ends that may say of what: "the cheapest", "the fastest"; "the best" is so by whatever is told."""
_ANY = {"most", "least"}
"""Words for ends of whatever is told."""
GENERAL = frozenset({"filler", "lead", "and", "anaphor"})


@dataclass(frozen=True, slots=True)
class Message:
    """A message in pieces, with the words that found no place."""

    tokens: tuple[str, ...]
    pieces: tuple[Piece, ...]
    unread: tuple[str, ...]

    def of(self, kind: str) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.kind == kind)

    def has(self, *kinds: str) -> bool:
        return any(piece.kind in kinds for piece in self.pieces)

    def words(self, *kinds: str) -> frozenset[str]:
        """The words of all pieces of these kinds."""
        places = (n for piece in self.pieces if piece.kind in kinds for n in range(piece.start, piece.end))
        return frozenset(self.tokens[n] for n in places)


def message(question: Question, catalog: Catalog, base: Query) -> Message:
    """The pieces of a message that goes on from a query."""
    text = written_out(_NO.sub("I meant ", question.text))
    linked = link(replace(question, text=text), catalog)
    reader = _Reader(text, linked, base)
    return Message(tuple(linked.tokens), tuple(settled(list(reader.pieces()), linked.tokens)), tuple(reader.unread))


_COUNTING = (("number", "of"), ("how", "many"))


class _Reader:
    def __init__(self, text: str, linked: Linked, base: Query) -> None:
        self.linked = linked
        self.capitals = set(_CAPITALS.findall(text)) if not text.isupper() else set()
        self.unread: list[str] = []
        self.tables = {base.source, *(join.table for join in base.joins)}
        self.used = {(ref.table, ref.column) for ref in references(base)}
        self.names = list(self._whole_names())
        self.values = self._values()
        self.numbers = dict(linked.numbers)
        self.periods = {mention.start: mention for mention in linked.periods}

    def pieces(self) -> Iterator[Piece]:
        tokens, place = self.linked.tokens, 0
        while place < len(tokens):
            made = self._at(place)
            if made is not None:
                yield made
                place = made.end
                continue
            end = place + 1
            while end < len(tokens) and self._at(end) is None:
                end += 1
            yield from self._named(place, end)
            place = end

    def _at(self, place: int) -> Piece | None:
        """What stands at a place, names of columns left out."""
        known, tokens = phrases(), self.linked.tokens
        end, kinds = known.at(tokens, place)
        mention, value = self.periods.get(place), self.values.get(place)
        if mention is not None and mention.end >= end and not (kinds and end - place > 1 and kinds[0][0] == "shift"):
            return Piece("period", place, mention.end, ranges=mention.ranges)
        if value is not None and value.end >= end and not (kinds and value.end == end and not value.values[0].said):
            return value
        mark = self._mark(place)
        if mark is not None and mark.end >= end:
            return mark
        if kinds:
            (kind, said), *others = sorted(kinds, key=lambda k: k[0] in GENERAL)
            of = self._figures_of(place) if kind in _OF_SOMETHING and end == place + 1 else ()
            return Piece(kind, place, end, said, columns=of, also=tuple(f"{k}:{v}" for k, v in others))
        if place in self.numbers:
            return Piece("number", place, place + 1, number=self.numbers[place])
        if tokens[place] in known.grains:
            return Piece("grain", place, place + 1, value=known.grains[tokens[place]])
        unit = next((unit for unit, names in english().units.items() if tokens[place] in names), None)
        return Piece("unit", place, place + 1, value=unit) if unit is not None else None

    def _mark(self, place: int) -> Piece | None:
        known, tokens = phrases(), self.linked.tokens
        for end in range(min(len(tokens), place + known.longest), place, -1):
            mark = known.marks.get(tuple(tokens[place:end]))
            led = place > 0 and tokens[place - 1] in ("a", "an", "as", "in", "into")
            if mark is not None and (led or end - place > 1):
                return Piece("mark", place, end, value=mark)
        return None

    # ------------------------------------------------------------ stored values
    def _values(self) -> dict[int, Piece]:
        """The stored values that the message names, by the place where each begins; the longest, then the best fit."""
        best: dict[int, tuple[float, Piece]] = {}
        for item, facts, fits in zip(
            self.linked.items, self.linked.item_features, self.linked.item_tokens, strict=True
        ):
            places = [q for q, fit in enumerate(fits) if fit >= AS_SAID]
            said = bool(facts[3] > 0 or facts[1] >= 1)
            content = self._of_content(places)
            places = places if said and (content or not item.partial) else content
            if not places or places[-1] - places[0] + 1 != len(places):
                continue
            if not said and any(start <= q < end for q in places for start, end in self.names):
                continue  # "by card brand" names the column, whatever a card is
            table, column = self.linked.index.columns[item.column]
            if not said and len(places) == 1 and self._is_noun(places[0]):
                continue
            if item.partial and len(places) == 1 and self._is_counted(places[0]):
                continue
            whole = said or bool(facts[8])
            if self._is_no_part(places, item, whole=whole, said=said and not item.partial):
                continue
            named = Named(self.linked.index.tables[table].name, column.name, item.value, whole, item.partial, said)
            strength = len(places) + 0.5 * whole + 0.1 * bool(facts[3])
            strength += 0.3 * ((named.table, named.column) in self.used) + 0.2 * (named.table in self.tables)
            self._keep(best, places, named, strength)
        for place, named in self._capitals():
            self._keep(best, [place], named, 1.5)
        for place, named in self._flags():
            if place not in best:
                self._keep(best, [place], named, 1.0)
        return {place: piece for place, (_, piece) in best.items()}

    def _of_content(self, places: list[int]) -> list[int]:
        """The places without words of form before and behind them: "not" is no part of "Not Started"."""
        form = [self.linked.tokens[q] in english().stopwords | english().excluding for q in places]
        content = [n for n, empty in enumerate(form) if not empty]
        return places[content[0] : content[-1] + 1] if content else []

    def _whole_names(self) -> Iterator[tuple[int, int]]:
        """The stretches that are the whole name of a column of the query's tables."""
        index, offset = self.linked.index, len(self.linked.index.tables)
        for c, (table, _) in enumerate(index.columns):
            if index.tables[table].name not in self.tables:
                continue
            said, length = self.linked.channels[:, offset + c, 6] >= AS_SAID, len(index.names[offset + c])
            for start in range(len(said) - length + 1):
                if said[start : start + length].all():
                    yield start, start + length

    def _is_no_part(self, places: Sequence[int], item: Item, *, whole: bool, said: bool) -> bool:
        """True for words that name no value although they stand in one: numbers alone ("top 3" and "Level 3"), the
        column's own name ("by supplier" and "Supplier A") or words of it ("by source" and "Offline Sources" among
        enquiry sources)."""
        node = len(self.linked.index.tables) + item.column
        named = self.linked.channels[places, node]
        if not said and (named[:, 0] >= AS_SAID).all():
            return True
        if (named[:, 6] >= AS_SAID).all() and " ".join(self.linked.tokens[q] for q in places) != item.value.casefold():
            return True
        return (item.partial or not whole) and {*places} <= {place for place, _ in self.linked.numbers}

    def _is_noun(self, place: int) -> bool:
        """True for a word that names a table whole: what the rows are called."""
        return bool((self.linked.channels[place, : len(self.linked.index.tables), 6] >= AS_SAID).any())

    def _is_counted(self, place: int) -> bool:
        """True for what the rows are called behind "number of" or "how many", also where it stands in a value ("Order
        Administrator")."""
        return self._is_noun(place) and tuple(self.linked.tokens[max(0, place - 2) : place]) in _COUNTING

    def _keep(self, best: dict[int, tuple[float, Piece]], places: list[int], named: Named, strength: float) -> None:
        start, end = places[0], places[-1] + 1
        before = best.get(start)
        if before is not None and before[0] > strength + 1e-6:
            return
        same = before[1].values if before is not None and abs(before[0] - strength) <= 1e-6 else ()
        best[start] = (strength, Piece("value", start, end, values=(*same, named)))

    def _capitals(self) -> Iterator[tuple[int, Named]]:
        """Stored values that are written like a word without content but in capitals: "the US"."""
        index = self.linked.index
        for place, token in enumerate(self.linked.tokens):
            if token in english().stopwords and token.upper() in self.capitals:
                for c, value in index.stored.get(token, ()):
                    table, column = index.columns[c]
                    yield place, Named(index.tables[table].name, column.name, value)

    def _flags(self) -> Iterator[tuple[int, Named]]:
        """Columns of yes and no that the message names: "billable" is the value that affirms it."""
        index, offset = self.linked.index, len(self.linked.index.tables)
        for c, (table, column) in enumerate(index.columns):
            if column.distinct != 2:  # the cheap one first: a catalog has thousands of values
                continue
            yes = [v.value for v in column.values if v.value.strip().casefold() in english().affirmed]
            if not yes:
                continue
            for place in range(len(self.linked.tokens)):
                if self.linked.channels[place, offset + c, 6] >= AS_SAID:
                    yield place, Named(index.tables[table].name, column.name, yes[0])

    # ------------------------------------------------------------ names of columns
    def _named(self, start: int, end: int) -> Iterator[Piece]:
        """The words of a stretch as columns or as what the rows are called, the longest first."""
        place = start
        while place < end:
            made = next((m for to in range(end, place, -1) if (m := self._column(place, to)) is not None), None)
            made = self._ranked(place) or made
            made = made if made is None or not self._is_country(made) else None
            if made is None:
                self.unread.append(self.linked.tokens[place])
                place += 1
                continue
            yield made
            place = made.end

    def _is_country(self, piece: Piece) -> bool:
        """True for a country that is not in the data: near as it is to "country", it is no name of that column."""
        words = " ".join(self.linked.tokens[piece.start : piece.end])
        named = any(words in folded(column) for _, column in piece.columns)
        return piece.kind == "column" and not named and is_country(words)

    def _ranked(self, place: int) -> Piece | None:
        """ "The oldest": the column that a word ranks by, and which end of it is meant."""
        index, adjectives = self.linked.index, knowledge().adjectives_of(self.linked.tokens[place])
        offset = len(index.tables)
        fits = self.linked.channels[place, offset:, RANKED]
        if not adjectives or not fits.size or fits.max() < LEAST_FIT:
            return None
        table, column = index.columns[int(fits.argmax())]
        end = "most" if adjectives[0].direction == "high" else "least"
        return Piece("ranked", place, place + 1, value=end, columns=((index.tables[table].name, column.name),))

    def _figures_of(self, place: int) -> tuple[tuple[str, str], ...]:
        """The columns of which a word says an end: durations for "fastest", none for "highest"."""
        index, adjectives = self.linked.index, knowledge().adjectives_of(self.linked.tokens[place])
        if not adjectives or any(_ANY & {*one.words} for one in adjectives):
            return ()
        fits = zip(index.columns, self.linked.channels[place, len(index.tables) :, RANKED], strict=True)
        return tuple((index.tables[table].name, column.name) for (table, column), fit in fits if fit >= LEAST_FIT)

    def _column(self, start: int, end: int) -> Piece | None:
        index, channels = self.linked.index, self.linked.channels[start:end]
        own = channels[:, :, [0, CALLED]].max(2)
        own = own.clip(0.85 * channels[:, :, 1], None)
        own = own.clip(0.8 * channels[:, :, [EVENT, STATED]].max(2), None)
        near = channels[:, :, 2]
        own = own.clip(0.9 * near * (near >= NEAR), None)
        scores = own.mean(0) + 0.2 * channels[:, :, 6].max(0) + OF_CONCEPT * (channels[:, :, CALLED].min(0) >= AS_SAID)
        scores = scores * (own.min(0) > 0.4)
        offset = len(index.tables)
        for c, (table, column) in enumerate(index.columns):
            name = index.tables[table].name
            scores[offset + c] += (0.1 * (name in self.tables) + 0.05 * ((name, column.name) in self.used)) * (
                scores[offset + c] > 0
            )
        if scores.max() < LEAST_FIT:
            return None
        tables = [index.tables[t].name for t in range(offset) if scores[t] >= scores.max() - 1e-6]
        if tables:
            return Piece("noun", start, end, value=tables[0])
        order = [n for n in scores.argsort()[::-1] if n >= offset and scores[n] >= LEAST_FIT]
        close = [n for n in order if scores[n] >= scores[order[0]] - 0.3]
        columns = tuple(
            (index.tables[index.columns[n - offset][0]].name, index.columns[n - offset][1].name) for n in close
        )
        return Piece("column", start, end, columns=columns)
