"""What the tables behind an answer, their files and their columns are called, for those who look at its words. Pure."""

from __future__ import annotations

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.ports import Catalog
from apps.analyst.types import Evidence

MOST_COLUMNS = 200
"""Of a table; texts about a result seldom speak of more."""


def names_of(evidence: Evidence, catalog: Catalog) -> tuple[str, ...]:
    """The names of an answer's tables and files, and what the dictionary calls their rows and columns."""
    meanings = dictionary_of(catalog)
    names: dict[str, None] = {}
    for source in evidence.sources:
        names |= dict.fromkeys((source.name, source.file_name.rpartition(".")[0] or source.file_name))
        meaning = meanings.get(source.name)
        if meaning is not None:
            columns = meaning.columns[:MOST_COLUMNS]
            names |= dict.fromkeys((meaning.row, meaning.rows, *(column.label for column in columns)))
            names |= dict.fromkeys(word for column in columns for word in column.synonyms)
    return tuple(name for name in names if name)
