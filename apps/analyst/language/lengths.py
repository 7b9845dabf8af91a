"""How much of a text is read as one question. Readers hold each word and each period against all others, so the time
that reading takes grows faster than the text: a short text of little but marks or periods takes as long as a book."""

from __future__ import annotations

from datetime import date

from apps.analyst.language.periods import find_periods
from apps.analyst.language.tokens import tokenize

LONGEST = 2_000
"""Characters of a question that is read without a model."""
MOST_TOKENS = 500
"""Words, numbers and marks: more than 2,000 characters of English have."""
MOST_PERIODS = 40
"""Periods that are named: three years of months, and some to spare."""


def is_too_long(text: str, today: date) -> bool:
    """Whether a text is more than is read as one question."""
    if len(text) > LONGEST:
        return True
    tokens = tokenize(text)
    return len(tokens) > MOST_TOKENS or len(find_periods(tokens, today)) > MOST_PERIODS
