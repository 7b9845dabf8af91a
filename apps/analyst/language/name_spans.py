"""Stretches that may name a column or a table."""

from __future__ import annotations

from collections.abc import Iterable

from apps.analyst.language.lexicon import Lexicon, is_generic
from apps.analyst.language.morphology import keys, noun, stem, words
from apps.analyst.language.named import NamedColumn
from apps.analyst.language.names import split
from apps.analyst.language.phrases import STOPWORDS
from apps.analyst.language.spans import Span, span_at
from apps.analyst.language.tokens import Token
from apps.analyst.language.vocabulary import vocabulary

_ID = keys("id")
_TELLS_APART = frozenset(form for word in ("id", "number", "no", "code", "key") for form in keys(word))
"""At the end of a key's name: "orders" are told apart by their "order number" as well as by an "order id"."""
_COUNTED = keys("number") | keys("count")
"""Before "of" they count things: "number of orders" is no order number."""


_SYNONYM, _TYPO = 0.72, 0.85
"""What a synonym and a corrected typing error are worth beside the word itself."""
_NICKNAME = 0.95
_DERIVED = 0.8
"""What a part of a derived figure's name is worth beside a stored column that is called so."""
_NUMBER_UNSAID = 0.98
"""What "sales" is worth for a table called "sales 2023" where there are others: less than "sales 2023" itself."""
_WHOLE, _NEARLY_WHOLE = 0.97, 0.95
_FIGURES = words("given granted charge charges cost costs amount amounts value values fee fees figure figures")
PIECES = words("units items pieces")
"""Words for what a quantity column counts, whatever the things are."""
_SOLD = words("sold ordered shipped purchased bought delivered dispatched")
_COMMANDS, _COMMANDED = words("report name state rank"), words("the all each every us me how what which")
_MOST = words("most fewest least")
_SKIPPABLE = words("of the a an 's in per")


def name_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    forms = [_forms(token, lexicon) for token in tokens]
    for start, token in enumerate(tokens):
        if not token.is_word or token.norm in _SKIPPABLE or _commands(tokens, start):
            continue
        _column_spans_at(start, tokens, forms, lexicon, spans)
        _table_spans_at(start, tokens, forms, lexicon, spans)
    _led_spans(tokens, lexicon, spans)
    _sold_spans(tokens, lexicon, spans)
    _owned_spans(tokens, lexicon, spans)


def _led_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """ "per capita income" of a column that is called so: the small word before it belongs to the name."""
    for span in [span for span in spans.values() if span.columns and span.start > 0]:
        word = tokens[span.start - 1].norm
        if word not in _SKIPPABLE:
            continue
        for key, score in (span.columns or {}).items():
            named = lexicon.column(*key)
            if named is not None and score >= _NEARLY_WHOLE and named.column.name.casefold().split()[0] == word:
                wider = span_at(spans, span.start - 1, span.end)
                wider.columns = {**(wider.columns or {}), key: 1.0}
                wider.weight = max(wider.weight, (span.end - span.start + 1) ** 1.25 + 0.5)


def _owned_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """ "invoice total" for the total of a table of invoices: beside its table such a word is a column's name."""
    for start in range(len(tokens) - 1):
        owner, word = spans.get((start, start + 1)), spans.get((start + 1, start + 2))
        if owner is None or word is None or not owner.tables or not word.columns or not word.tags:
            continue
        for key, score in list(word.columns.items()):
            if score >= _WHOLE and owner.tables.get(key[0], 0.0) >= _WHOLE and key not in lexicon.concepts:
                span = span_at(spans, start, start + 2)
                span.columns = {**(span.columns or {}), key: 1.0}
                span.weight = max(span.weight, 2**1.25)


def _commands(tokens: tuple[Token, ...], at: int) -> bool:
    """ "Report the total payments", "Name all clerks": a verb that asks for something, whatever else is called so."""
    behind = tokens[at + 1].norm if at + 1 < len(tokens) else ""
    return at == 0 and tokens[0].norm in _COMMANDS and behind in _COMMANDED


def _sold_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """ "units sold", "pieces ordered": how many pieces the rows of sales stand for, whatever else is named a unit."""
    for start in range(len(tokens) - 1):
        if tokens[start].norm in PIECES and tokens[start + 1].norm in _SOLD:
            for named in lexicon.pieces():
                span = span_at(spans, start, start + 2)
                span.columns = {(named.table.name, named.column.name): _WHOLE, **(span.columns or {})}
                span.weight = max(span.weight, _WHOLE * 2**1.25)


def _forms(token: Token, lexicon: Lexicon) -> dict[str, float]:
    """The name forms a token may stand for, with how surely."""
    if not token.is_word or token.is_date:
        return {}
    if token.quoted and token.words > 1:
        return {}
    found = {form: 1.0 for form in token.keys if form in lexicon.by_form or form in lexicon.table_by_form}
    if token.norm in ("%", "#"):
        found |= {stem("percent" if token.norm == "%" else "number"): 0.9}
    if token.norm in STOPWORDS and not token.quoted:
        return found if token.norm not in _SKIPPABLE else {}
    if not found:
        found |= dict.fromkeys(lexicon.synonym_forms(token.keys), _SYNONYM)
    if not found and token.norm not in STOPWORDS:
        abbreviation = vocabulary().abbreviations.get(token.norm, ())
        for word in abbreviation[:1]:
            found |= dict.fromkeys(lexicon.forms_of(word), 0.9)
        corrected = lexicon.correct(token.norm)
        if corrected:
            found |= dict.fromkeys(lexicon.forms_of(corrected), _TYPO)
    return found


def _column_spans_at(
    start: int,
    tokens: tuple[Token, ...],
    forms: list[dict[str, float]],
    lexicon: Lexicon,
    spans: dict[tuple[int, int], Span],
) -> None:
    _glued_spans_at(start, tokens, lexicon, spans)
    candidates = {index for form in forms[start] for index in lexicon.by_form.get(form, ())}
    for index in candidates:
        named = lexicon.columns[index]
        line_key = lexicon.is_line_key(named)
        for end, score in _grow(start, tokens, forms, named, line_key=line_key):
            if (
                named.column.role == "id"
                and tokens[start].norm == "total"
                and not tokens[start].keys & set(forms[start])
            ):
                continue  # "total" is a synonym of "number", not of a ticket's
            if score < 0.3 or (end == start + 1 and tokens[start].norm in STOPWORDS and not tokens[start].quoted):
                continue
            if end == start + 1 and _is_no_day(tokens, start, named):
                continue
            span = span_at(spans, start, end)
            span.columns = span.columns or {}
            key = (named.table.name, named.column.name)
            span.columns[key] = max(score, span.columns.get(key, 0.0))
            if score >= _WHOLE and named.column.role == "measure" and _is_mere_figure(tokens, end, lexicon):
                wider = span_at(spans, start, end + 1)
                wider.columns = {**(wider.columns or {}), key: max(score, (wider.columns or {}).get(key, 0.0))}
                wider.weight = max(wider.weight, score * (end + 1 - start) ** 1.25)
            if key in lexicon.concepts and score < _WHOLE:
                span.columns[key] *= _DERIVED
            small = sum(token.norm in _SKIPPABLE for token in tokens[start:end])
            span.weight = max(span.weight, score * (end - start - 0.5 * small) ** 1.25)


def _is_no_day(tokens: tuple[Token, ...], at: int, named: NamedColumn) -> bool:
    """ "made the most calls", "held the most talks": a thing and a verb, not the days "called on" and "held on"."""
    if named.column.type not in ("date", "datetime") or named.name.words[-1] not in ("on", "at"):
        return False
    word, behind = tokens[at].norm, [token.norm for token in tokens[at + 1 : at + 3]]
    things = word.endswith("s") and noun(word) not in named.name.words
    return things or (bool(behind) and (behind[0] in _MOST or (behind[0] == "the" and behind[-1] in _MOST)))


def _is_mere_figure(tokens: tuple[Token, ...], at: int, lexicon: Lexicon) -> bool:
    """ "freight charges": a word behind a figure's name that only says that it is a figure."""
    return at < len(tokens) and tokens[at].norm in _FIGURES and not lexicon.forms_of(tokens[at].norm)


def _glued_spans_at(
    start: int, tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]
) -> None:
    """A column written as one word: "petid" for pet_id."""
    token = tokens[start]
    if token.number is not None or token.norm in STOPWORDS:
        return
    for size in (1, 2):
        stretch = tokens[start : start + size]
        if len(stretch) < size or not all(other.is_word and other.number is None for other in stretch):
            continue
        written = "".join(other.norm for other in stretch).replace(" ", "")
        for index in lexicon.glued.get(written) or lexicon.glued.get(written.removesuffix("s")) or []:
            named = lexicon.columns[index]
            if len(named.name.words) < 2 and size == 1:
                continue
            span = span_at(spans, start, start + size)
            span.columns = span.columns or {}
            span.columns[named.table.name, named.column.name] = 1.0
            span.weight = max(span.weight, 1.4 * size)


def _grow(
    start: int, tokens: tuple[Token, ...], forms: list[dict[str, float]], named: NamedColumn, *, line_key: bool
) -> Iterable[tuple[int, float]]:
    """Ends and scores of the stretches from `start` that name a column: its words in any order, small words between."""
    name = named.name
    used: dict[int, float] = {}
    position, turned = start, False
    while position < len(tokens) and position - start < 9:
        token = tokens[position]
        hit = _matching_word(forms[position], name.forms, used)
        if hit is None or (used and hit[0] < max(used) and not turned and len(name.words) > 2):
            if token.norm == "per" and "per" not in name.words:
                break
            if (
                hit is None
                and position > start
                and token.norm in _SKIPPABLE | {"(", ")", "-", "/", "_", "."}
                and position - start < 8
            ):
                turned = turned or token.norm == "of"
                position += 1
                continue
            break
        if turned and named.column.role == "id" and tokens[start].keys & _COUNTED:
            break
        used[hit[0]] = hit[1]
        position += 1
        yield position, _name_score(name.optional, used, named, line_key=line_key)


def _matching_word(
    token_forms: dict[str, float], words: tuple[frozenset[str], ...], used: dict[int, float]
) -> tuple[int, float] | None:
    best: tuple[int, float] | None = None
    for index, word in enumerate(words):
        if index in used:
            continue
        score = max((token_forms[form] for form in word if form in token_forms), default=0.0)
        if score > (best[1] if best else 0.0):
            best = (index, score)
    return best


def _name_score(optional: tuple[bool, ...], used: dict[int, float], named: NamedColumn, *, line_key: bool) -> float:
    needed = [index for index, skip in enumerate(optional) if not skip]
    said = [index for index in needed if index in used]
    strength = sum(used.values()) / len(used)
    if not said:
        if line_key and len(needed) == 1 and named.name.forms[needed[0]] & _ID:
            return 0.8 * strength
        own = any(optional[i] and i < len(named.name.words) and _in_table_name(named, i) for i in used)
        return (0.3 if any(is_generic(named.name.forms[i]) for i in used) else 0.35 if own else 0.5) * strength
    weights = {index: 0.5 if is_generic(named.name.forms[index]) and len(needed) > 1 else 1.0 for index in needed}
    share = sum(weights[index] for index in said) / sum(weights.values())
    head = needed[-1] in said
    score = (
        share
        if share == 1
        else 0.35 + 0.5 * share + (0.08 if head else 0.0) - (0.0 if head or len(needed) < 2 else 0.04)
    )
    if share == 1 and len(said) == len(used) and len(optional) > len(needed):
        score = 0.97
    if named.column.role == "id" and score < 0.97:
        entity = all(named.name.forms[index] & _TELLS_APART for index in needed if index not in used)
        score = 0.8 if entity and line_key else score * 0.8
    return strength * min(score, 1.0)


def _in_table_name(named: NamedColumn, index: int) -> bool:
    words = {stem(word) for word in split(named.table.name)}
    return bool(named.name.forms[index] & words)


def _table_spans_at(
    start: int,
    tokens: tuple[Token, ...],
    forms: list[dict[str, float]],
    lexicon: Lexicon,
    spans: dict[tuple[int, int], Span],
) -> None:
    for form in tokens[start].keys & lexicon.nicknames.keys():
        span = span_at(spans, start, start + 1)
        span.tables = {**(span.tables or {}), lexicon.nicknames[form]: _NICKNAME}
        span.weight = max(span.weight, _NICKNAME)
    candidates = {index for form in forms[start] for index in lexicon.table_by_form.get(form, ())}
    for index in candidates:
        named = lexicon.tables[index]
        used: dict[int, float] = {}
        position = start
        while position < len(tokens) and position - start < 6:
            hit = _matching_word(forms[position], named.name.forms, used)
            if hit is None or (used and hit[0] < max(used) and tokens[position].norm in STOPWORDS):
                break  # "pets have": no "has pet"
            used[hit[0]] = hit[1]
            position += 1
            needed = [i for i, skip in enumerate(named.name.optional) if not skip]
            said = sum(1 for i in needed if i in used)
            strength = sum(used.values()) / len(used)
            share = said / len(needed)
            head = needed[-1] in used
            score = strength * (1.0 if share == 1 else (0.4 + 0.4 * share if head else 0.3 + 0.3 * share))
            unsaid = [i for i, word in enumerate(named.name.words) if word.isdigit() and i not in used]
            score *= _NUMBER_UNSAID if unsaid and len(candidates) > 1 else 1.0
            if said and score >= 0.3:
                span = span_at(spans, start, position)
                span.tables = span.tables or {}
                span.tables[named.table.name] = max(score, span.tables.get(named.table.name, 0.0))
                span.weight = max(span.weight, score * (position - start) ** 1.25)
