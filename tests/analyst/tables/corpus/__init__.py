"""Files as people have them, and files made to hurt: each with the table, or the refusal, it must give.

Made here byte by byte; nothing is stored. `all_cases` is what the tests run.
"""

from __future__ import annotations

from tests.analyst.tables.corpus.books import BOOKS
from tests.analyst.tables.corpus.cases import Case
from tests.analyst.tables.corpus.hostile_books import HOSTILE_BOOKS
from tests.analyst.tables.corpus.hostile_texts import HOSTILE_TEXTS
from tests.analyst.tables.corpus.texts import TEXTS
from tests.analyst.tables.corpus.values import VALUES

__all__ = ["Case", "all_cases"]


def all_cases() -> list[Case]:
    """Every file of the corpus."""
    return [*TEXTS, *VALUES, *BOOKS, *HOSTILE_TEXTS, *HOSTILE_BOOKS]
