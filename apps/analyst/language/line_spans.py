"""The rows of a table of lines: "order lines", "sales lines", "line items of an invoice", and plain "lines"."""

from __future__ import annotations

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import keys, words
from apps.analyst.language.named import NamedTable
from apps.analyst.language.spans import Span, span_at
from apps.analyst.language.tokens import Token

_LINE_WORDS = ("line", "item", "detail", "position")
_LINE = frozenset(form for word in _LINE_WORDS for form in keys(word))
_ALONE = words("line lines position positions")
_NAMED = 0.97
_ALONE_NAMED = 0.9


def line_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """Adds the stretches that name a table of lines by another word for a line than its own name has."""
    tables = [(named, _owners(named, lexicon)) for named in lexicon.tables if _holds_lines(named, lexicon)]
    if not tables:
        return
    for start, token in enumerate(tokens):
        if not token.is_word or not token.keys & _LINE:
            continue
        end = start + 1
        while end < len(tokens) and tokens[end].is_word and tokens[end].keys & _LINE:
            end += 1
        before = tokens[start - 1].keys if start else frozenset()
        owned = [named for named, owners in tables if before & owners]
        if len(owned) == 1:
            _add(spans, start - 1, end, owned[0], _NAMED)
        elif (
            len(tables) == 1
            and token.norm in _ALONE
            and (_is_so_many(tokens, start) or not any(form in lexicon.by_form for form in token.keys))
        ):
            _add(spans, start, end, tables[0][0], _ALONE_NAMED)


def _is_so_many(tokens: tuple[Token, ...], at: int) -> bool:
    """ "more than 3 lines": behind a number they are rows, though a column is called "line" as well."""
    return at > 0 and tokens[at - 1].number is not None and tokens[at].norm.endswith("s")


def _add(spans: dict[tuple[int, int], Span], start: int, end: int, named: NamedTable, score: float) -> None:
    span = span_at(spans, start, end)
    span.tables = {**(span.tables or {}), named.table.name: score}
    span.weight = max(span.weight, score * (end - start) ** 1.25)


def _holds_lines(named: NamedTable, lexicon: Lexicon) -> bool:
    """True for a table that is called after lines and refers to what they are lines of."""
    called = bool(named.name.words) and bool(named.name.forms[-1] & _LINE)
    return called and any(edge.one for edge in lexicon.schema.edges.get(named.table.name, ()))


def _owners(named: NamedTable, lexicon: Lexicon) -> frozenset[str]:
    """The forms of what they are lines of: the rest of the table's name; without any, what happened at some time."""
    own = frozenset(form for forms in named.name.forms for form in forms) - _LINE
    if own:
        return own
    schema = lexicon.schema
    of = [schema.tables[edge.target] for edge in schema.edges[named.table.name] if edge.one]
    return frozenset(
        form
        for one in of
        if any(column.role == "time" for column in one.table.columns)
        for forms in one.name.forms
        for form in forms
    )
