"""From tokens to items: the best cover of a question by names, values, numbers and function phrases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from apps.analyst.language.borrowed_spans import borrowed_spans
from apps.analyst.language.compound_spans import compound_spans
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.line_spans import line_spans
from apps.analyst.language.morphology import is_word
from apps.analyst.language.name_spans import name_spans
from apps.analyst.language.phrases import LONGEST, STOPWORDS, Tag, phrases
from apps.analyst.language.spans import Span, span_at
from apps.analyst.language.tokens import Token, tokenize
from apps.analyst.language.unit_spans import unit_spans
from apps.analyst.language.value_spans import value_spans

_OFTEN_MISSPELT = (
    "total",
    "average",
    "number",
    "maximum",
    "minimum",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "between",
    "percentage",
    "difference",
    "distribution",
    "without",
    "median",
    "different",
    "each",
    "most",
    "least",
    "count",
    "sorted",
    "descending",
    "ascending",
)


_NOUN_FOLLOWS = frozenset(("single", "average", "each", "per", "every", "any", "an"))


@dataclass(frozen=True, slots=True)
class ColumnHit:
    """A column that a stretch may name. `score`: 1 for its full name, less for parts, synonyms and typos."""

    table: str
    column: str
    score: float


@dataclass(frozen=True, slots=True)
class TableHit:
    """A table that a stretch may name."""

    table: str
    score: float


@dataclass(frozen=True, slots=True)
class ValueHit:
    """A stored value that a stretch may be."""

    table: str
    column: str
    value: str
    score: float


@dataclass(frozen=True, slots=True)
class Item:
    """A stretch of the question with all it may mean. `start` and `end` count tokens."""

    start: int
    end: int
    text: str
    norm: str
    tags: tuple[Tag, ...] = ()
    columns: tuple[ColumnHit, ...] = ()
    tables: tuple[TableHit, ...] = ()
    values: tuple[ValueHit, ...] = ()
    number: float | None = None
    ordinal: int | None = None
    quoted: bool = False
    token: Token | None = None

    def tag(self, *kinds: str) -> Tag | None:
        """Its first tag of these kinds."""
        return next((tag for tag in self.tags if tag.kind in kinds), None)

    @property
    def names(self) -> bool:
        """True where it may name a column or table."""
        return bool(self.columns or self.tables)


@dataclass(frozen=True, slots=True)
class Tagged:
    """A question as tokens and items."""

    text: str
    tokens: tuple[Token, ...]
    items: tuple[Item, ...]


def tag(text: str, lexicon: Lexicon) -> Tagged:
    """The question's items, left to right, covering every token once."""
    tokens = tokenize(text)
    spans: dict[tuple[int, int], Span] = {}
    _phrase_spans(tokens, lexicon, spans)
    name_spans(tokens, lexicon, spans)
    compound_spans(tokens, lexicon, spans)
    line_spans(tokens, lexicon, spans)
    value_spans(text, tokens, lexicon, spans)
    borrowed_spans(tokens, lexicon, spans)
    unit_spans(tokens, lexicon, spans)
    chosen = _best_cover(tokens, spans)
    return Tagged(text, tokens, tuple(_item(text, tokens, span) for span in chosen))


def _phrase_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    known = phrases()
    words = [_spelled_right(token, lexicon) for token in tokens]
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + LONGEST) + 1):
            if tokens[end - 1].quoted:
                break
            tags = known.get(tuple(words[start:end]))
            if tags and end - start > 1 and any(lexicon.is_own_name(word) for word in words[start:end]):
                continue
            if tags and words[start] == "order" and start and _before_a_noun(words[start - 1]):
                continue  # "the largest order in May": no command to sort
            if tags:
                span = span_at(spans, start, end)
                span.tags = tags
                span.weight = max(span.weight, 0.9 * (end - start) ** 1.15)


def _before_a_noun(word: str) -> bool:
    return word.endswith("est") or word in _NOUN_FOLLOWS


def _spelled_right(token: Token, lexicon: Lexicon) -> str:
    """The token's word; a misspelt function word ("averge") as it should be."""
    word = token.norm
    if token.quoted or len(word) < 4 or not word.isalpha() or word in STOPWORDS or lexicon.forms_of(word):
        return word
    return _function_word(word)


@lru_cache(maxsize=4096)
def _function_word(word: str) -> str:
    if is_word(word):
        return word
    from rapidfuzz import fuzz, process

    hit = process.extractOne(word, _OFTEN_MISSPELT, scorer=fuzz.ratio, score_cutoff=84.0)
    return hit[0] if hit else word


def _best_cover(tokens: tuple[Token, ...], spans: dict[tuple[int, int], Span]) -> list[Span]:
    """Non-overlapping spans of the greatest total weight; tokens that no span covers stand alone."""
    by_end: dict[int, list[Span]] = {}
    for span in spans.values():
        by_end.setdefault(span.end, []).append(span)
    best: list[float] = [0.0]
    back: list[Span | None] = [None]
    for end in range(1, len(tokens) + 1):
        top, choice = best[end - 1], None
        for span in by_end.get(end, ()):
            total = best[span.start] + span.weight - 0.05
            if total > top + 1e-9:
                top, choice = total, span
        best.append(top)
        back.append(choice)
    chosen: list[Span] = []
    end = len(tokens)
    while end > 0:
        span = back[end] or spans.get((end - 1, end)) or Span(end - 1, end)
        chosen.append(span)
        end = span.start
    return chosen[::-1]


def _item(text: str, tokens: tuple[Token, ...], span: Span) -> Item:
    stretch = tokens[span.start : span.end]
    single = stretch[0] if len(stretch) == 1 else None
    item = Item(
        span.start,
        span.end,
        text[stretch[0].start : stretch[-1].end],
        " ".join(token.norm for token in stretch),
        tags=span.tags,
        columns=_ranked_columns(span),
        tables=tuple(
            TableHit(name, score) for name, score in sorted((span.tables or {}).items(), key=lambda e: (-e[1], e[0]))
        ),
        values=tuple(
            ValueHit(*key, score) for key, score in sorted((span.values or {}).items(), key=lambda e: (-e[1], e[0]))
        ),
        token=single,
    )
    if single is not None:
        item = replace(item, number=single.number, ordinal=single.ordinal, quoted=single.quoted)
    return item


def _ranked_columns(span: Span) -> tuple[ColumnHit, ...]:
    hits = sorted((span.columns or {}).items(), key=lambda entry: (-entry[1], entry[0]))
    if not hits:
        return ()
    least = hits[0][1] - 0.35
    return tuple(ColumnHit(*key, score) for key, score in hits if score >= least)[:24]
