"""Stretches of two nouns that mean one thing: "ticket revenue", "sales rep", "shipping company"."""

from __future__ import annotations

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import keys, noun
from apps.analyst.language.spans import Span, span_at
from apps.analyst.language.tokens import Token

_WHOLE = 0.97
_SELLERS = frozenset(
    form for word in ("rep", "representative", "person", "people", "agent", "employee", "staff") for form in keys(word)
)
_HALF, _DOER = 0.5, 5


def compound_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """Adds what two words name together; runs once the words' own names are known."""
    _made_of_spans(tokens, lexicon, spans)
    _seller_spans(tokens, spans)
    _doer_spans(tokens, lexicon, spans)


def _made_of_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """ "ticket revenue" beside a column of tickets: what a derived figure is of, and no figure beside it."""
    for start in range(len(tokens) - 1) if lexicon.concepts else ():
        before, figure = spans.get((start, start + 1)), spans.get((start + 1, start + 2))
        if before is None or figure is None or not before.columns or not figure.columns or _plural(tokens[start]):
            continue
        derived = {key: score for key, score in figure.columns.items() if key in lexicon.concepts and score >= _WHOLE}
        of = {key[0] for key, score in before.columns.items() if score >= _WHOLE and _is_number_column(lexicon, key)}
        kept = {key: score for key, score in derived.items() if key[0] in of}
        if kept:
            span = span_at(spans, start, start + 2)
            span.columns, span.weight = {**(span.columns or {}), **kept}, max(span.weight, 2**1.25)


def _seller_spans(tokens: tuple[Token, ...], spans: dict[tuple[int, int], Span]) -> None:
    """ "sales rep": a person, and no sales."""
    for start in range(len(tokens) - 1):
        person = spans.get((start + 1, start + 2))
        if tokens[start].norm != "sales" or not tokens[start + 1].keys & _SELLERS or person is None:
            continue
        if person.columns or person.tables:
            span = span_at(spans, start, start + 2)
            span.columns, span.tables = {**(person.columns or {}), **(span.columns or {})}, person.tables
            span.weight = max(span.weight, 2**1.25)


def _doer_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """ "shipping company" beside a table of shippers: the company of those who do it."""
    for named in lexicon.tables if len(lexicon.tables) > 1 else ():
        word = named.name.needed[0] if len(named.name.needed) == 1 else ""
        verb = _verb_of_doer(word)
        for start in range(len(tokens) - 1) if verb else ():
            what = spans.get((start + 1, start + 2))
            if what is None or not what.columns or not tokens[start].norm.endswith("ing"):
                continue
            own = {key: 1.0 for key, score in what.columns.items() if key[0] == named.table.name and score >= _HALF}
            if own and verb & keys(tokens[start].norm):
                span = span_at(spans, start, start + 2)
                span.columns, span.weight = {**(span.columns or {}), **own}, max(span.weight, 2**1.25)


def _verb_of_doer(word: str) -> frozenset[str]:
    """The stems of what a doer does: of "shippers", that of "shipping"."""
    name = noun(word)
    if not name.endswith(("er", "or")) or len(name) < _DOER:
        return frozenset()
    return frozenset((name[:-2], name[:-3] if name[-3] == name[-4] else name[:-2]))


def _plural(token: Token) -> bool:
    return token.norm.endswith("s")


def _is_number_column(lexicon: Lexicon, key: tuple[str, str]) -> bool:
    named = lexicon.column(*key)
    return named is not None and named.column.type == "integer" and named.column.role == "measure"
