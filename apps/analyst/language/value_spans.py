"""Stretches that may be stored values."""

from __future__ import annotations

import re

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import is_word, lemmas, noun
from apps.analyst.language.phrases import STOPWORDS
from apps.analyst.language.spans import Span, span_at
from apps.analyst.language.tokens import Token
from apps.analyst.language.values import StoredValue, value_key
from apps.analyst.language.vocabulary import Codes, vocabulary

LONGEST_VALUE = 10
_PARTIAL_VALUE = 0.75
_CODE, _PLURAL = 0.92, 0.95
_WITH_UNIT = re.compile(r"(\d+)( ?)([a-z]{1,3})")


def value_spans(text: str, tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    places: dict[tuple[int, int], str] = {}
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + LONGEST_VALUE) + 1):
            stretch = tokens[start:end]
            if not stretch[0].is_word or not stretch[-1].is_word:
                continue
            small = len(stretch) == 1 and stretch[0].norm in STOPWORDS
            if small and not stretch[0].quoted and not _shouted(stretch[0], text):
                continue
            places[start, end] = value_key(
                stretch[0].text if len(stretch) == 1 else text[stretch[0].start : stretch[-1].end]
            )
    singular = {place: one for place, key in places.items() if (one := _singular(key) or _spaced(key))}
    lookups = {key for key in (*places.values(), *singular.values()) if key}
    found = lexicon.values.find(sorted(lookups))
    for (start, end), key in places.items():
        for stored in found.get(key, ()):
            _add_value(spans, start, end, stored, 1.0, tokens)
        for stored in found.get(singular.get((start, end), ""), ()):
            _add_value(spans, start, end, stored, _PLURAL, tokens)
        if end - start <= 3:
            for alias in vocabulary().values.get(key, ()):
                for stored in lexicon.values.exact.get(value_key(alias), ()):
                    if stored.value and len(stored.words) == len(alias.split()):
                        _add_value(spans, start, end, stored, 0.8, tokens)
            _coded_values(spans, start, end, key, lexicon, tokens)
            if end - start == 1:
                _inflected_value(tokens, start, lexicon, spans)
    _partial_values(tokens, lexicon, spans)


def _singular(key: str) -> str:
    """A longer value whose last word is said in the plural ("account managers"); empty for others."""
    words = key.split()
    if len(words) < 2 or not words[-1].endswith("s"):
        return ""
    one = noun(words[-1])
    return " ".join((*words[:-1], one)) if one != words[-1] else ""


def _spaced(key: str) -> str:
    """A figure with its unit as it may be stored: "200 m" for "200m", "20km" for "20 km"; empty for others."""
    parts = _WITH_UNIT.fullmatch(key)
    if parts is None:
        return ""
    return f"{parts[1]}{parts[3]}" if parts[2] else f"{parts[1]} {parts[3]}"


def _shouted(token: Token, text: str) -> bool:
    """ "IT" and "US" among words in small letters: an abbreviation and no small word."""
    return len(token.text) > 1 and token.text.isupper() and not text.isupper()


def _coded_values(
    spans: dict[tuple[int, int], Span], start: int, end: int, key: str, lexicon: Lexicon, tokens: tuple[Token, ...]
) -> None:
    """ "married" for the code M of a column of marital states."""
    for kind in vocabulary().codes:
        for code in kind.coded(key):
            for stored in lexicon.values.exact.get(code, ()):
                if len(stored.words) == 1 and _holds_codes(kind, stored, lexicon):
                    _add_value(spans, start, end, stored, _CODE, tokens)


def _holds_codes(kind: Codes, stored: StoredValue, lexicon: Lexicon) -> bool:
    named = lexicon.column(stored.table, stored.column)
    if named is None:
        return False
    if any(form & kind.columns for form in named.name.forms):
        return True
    values = {value_key(value.value) for value in named.column.values}
    return named.column.values_complete and len(values) > 1 and values <= kind.known


def _inflected_value(
    tokens: tuple[Token, ...], start: int, lexicon: Lexicon, spans: dict[tuple[int, int], Span]
) -> None:
    """One word in another form than stored: "beverage" for "Beverages"."""
    token = tokens[start]
    if not token.norm.isalpha() or len(token.norm) < 3 or token.norm in STOPWORDS:
        return
    if token.norm.endswith("est") and vocabulary().adjective(token.keys) is not None:
        return  # "the longest films" name nobody called Long
    for key in sorted({noun(token.norm), *lemmas(token.norm), token.norm + "s", token.norm + "es"} - {token.norm}):
        for stored in lexicon.values.exact.get(key, ())[:200]:
            if len(stored.words) == 1 and stored.words[0] != token.norm:
                _add_value(spans, start, start + 1, stored, 0.85, tokens)


def _partial_values(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """Some words of a longer value: "the Expressionist" for "The Expressionist (1990)", "vermeulen" for "Chris
    Vermeulen"."""
    position = 0
    cased = any(token.capital for token in tokens[1:] if not token.quoted)
    while position < len(tokens):
        if not _may_begin_value(tokens[position], lexicon):
            position += 1
            continue
        best = 0
        words: list[str] = []
        end = position
        while end < len(tokens) and end - position < LONGEST_VALUE:
            token = tokens[end]
            if not token.is_word and token.norm not in ("-", ".", "'", "/", "&", "'s"):
                break
            words.extend(value_key(token.text).split())
            end += 1
            if not token.is_word:
                continue
            hits = lexicon.values.containing(words) if words else []
            if not hits and token.norm not in STOPWORDS:
                break
            content = [word for word in words if word not in STOPWORDS]
            scored = [
                (stored, len(content) / max(1, len([w for w in stored.words if w not in STOPWORDS]))) for stored in hits
            ]
            least = 0.3 if len(content) >= 2 or _is_name_like(token, cased) else 0.5 if not cased else 2.0
            scored = [
                (stored, share)
                for stored, share in scored
                if content
                and (share >= least or len(content) >= 2)
                and (least < 0.5 or lexicon.is_small(stored.table))
                and not (least >= 0.5 >= share and len(content) == 1 and noun(content[0]) != content[0])
            ]
            if scored and token.norm not in STOPWORDS and not _is_other(tokens, position, end, spans):
                best = end
                for stored, share in scored[:40]:
                    _add_value(spans, position, end, stored, _PARTIAL_VALUE * (0.6 + 0.4 * min(1.0, share)), tokens)
        position = best if best > position + 1 else position + 1


def _is_other(tokens: tuple[Token, ...], start: int, end: int, spans: dict[tuple[int, int], Span]) -> bool:
    """ "New York" is no part of "New Haven", as the name goes on with a word that is not stored; nor is "Sum(sales)"
    of a stored "Sum of All Fears"."""
    alone = spans.get((start, end))
    if end - start == 1 and not tokens[start].quoted and alone is not None and any(t.kind == "agg" for t in alone.tags):
        return True
    if end - start > 1 or end == len(tokens) or not (tokens[start].capital and tokens[end].capital):
        return False
    behind = spans.get((end, end + 1))
    return tokens[end].is_word and tokens[end].norm not in STOPWORDS and (behind is None or not behind.weight)


def _is_name_like(token: Token, cased: bool) -> bool:
    """Quoted, capitalised or no word of the dictionary: a single word that may stand for a longer value."""
    if token.quoted or token.number is not None:
        return True
    return token.capital if cased else not is_word(token.norm)


def _may_begin_value(token: Token, lexicon: Lexicon) -> bool:
    return (
        token.is_word
        and not token.clock
        and token.norm not in STOPWORDS
        and (token.quoted or len(token.norm) >= 3)
        and (token.number is None or token.quoted or len(token.norm) == 4)
    )


def _add_value(
    spans: dict[tuple[int, int], Span],
    start: int,
    end: int,
    stored: StoredValue,
    score: float,
    tokens: tuple[Token, ...],
) -> None:
    span = span_at(spans, start, end)
    span.values = span.values or {}
    key = (stored.table, stored.column, stored.value)
    if len(span.values) > 60 and key not in span.values:
        return
    span.values[key] = max(score, span.values.get(key, 0.0))
    stretch = tokens[start:end]
    sure = any(token.quoted or (token.capital and index + start > 0) for index, token in enumerate(stretch))
    words = sum(1 for token in stretch if token.is_word)
    quoted = 1.5 if any(token.quoted for token in stretch) else 1.0
    span.weight = max(span.weight, quoted * (score if sure else score * 0.93) * words**1.25)
