"""Words that the data do not know and that a column's name behind them explains: "passengers in 2010" where a column
is called 2010, "trucks at the depot" where a column is called depot."""

from __future__ import annotations

import re

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import parts_of_speech, words
from apps.analyst.language.phrases import STOPWORDS
from apps.analyst.language.spans import Span, span_at
from apps.analyst.language.tokens import Token

_BETWEEN = words("in at for of on during")
_SMALL = words("the a an")
_FULL, _WORTH = 0.95, 0.97
_YEAR = re.compile(r"(?:19|20)\d\d")
_AMOUNTS = words("population production consumption output attendance temperature revenue income spending enrollment")
_NOT_THINGS = words(
    "increase decrease change growth rise drop fall decline difference gap ratio share percentage percent "
    "proportion correlation distribution variance deviation skewness kurtosis range trend average mean median "
    "relationship effect impact list chart graph plot number amount total sum count values data columns rows "
    "outliers years months days times terms places points units quartiles quantiles percentiles levels types "
    "kinds outlier variable factors charts graphs plots lists bins buckets bars lines dots histograms diagrams "
    "scatterplots distributions trends averages means totals sums counts numbers changes differences ratios "
    "shares relationships correlations comparisons effects intervals groups multiples categories attributes "
    "variables fields markers colors colours symbols axes"
)


def borrowed_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """Adds "passengers in 2010" as a name of the column 2010, over a single table."""
    if len(lexicon.tables) != 1:
        return
    named = [span for span in spans.values() if span.columns and max(span.columns.values()) >= _FULL]
    for at in range(len(tokens) - 2):
        if not _unknown_noun(tokens[at], at, spans) or tokens[at + 1].norm not in _BETWEEN:
            continue
        start = at + 2 + (tokens[at + 2].norm in _SMALL)
        for span in named:
            if span.start != start or not _may_lend(tokens, at, span, lexicon):
                continue
            wider = span_at(spans, at, span.end)
            wider.columns = {key: _WORTH for key, score in (span.columns or {}).items() if score >= _FULL}
            wider.weight = max(wider.weight, span.weight + 1.0)


def _unknown_noun(token: Token, at: int, spans: dict[tuple[int, int], Span]) -> bool:
    word = token.norm
    if at == 0 or not token.is_word or token.quoted or token.number is not None or word in STOPWORDS | _NOT_THINGS:
        return False
    if any(
        span.start <= at < span.end and (span.columns or span.tables or span.values or span.tags)
        for span in spans.values()
    ):
        return False
    return "NOUN" in parts_of_speech(word) and (word.endswith("s") or word in _AMOUNTS)


def _may_lend(tokens: tuple[Token, ...], at: int, span: Span, lexicon: Lexicon) -> bool:
    """A column of figures that stands for itself, not one that a figure behind it is held against ("in round 5")."""
    key = max(span.columns or {}, key=lambda k: (span.columns or {})[k])
    column = lexicon.column(*key)
    if column is None or column.column.role != "measure" or column.column.type not in ("integer", "decimal", "float"):
        return False
    behind = tokens[span.end] if span.end < len(tokens) else None
    if behind is not None and (behind.number is not None or behind.quoted):
        return False
    return tokens[at + 1].norm != "of" or _YEAR.fullmatch(key[1]) is None
