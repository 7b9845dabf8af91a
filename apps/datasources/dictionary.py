"""The data dictionary of a source: what its tables and columns mean, as it was found out and as people taught it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from django.conf import settings

from apps.accounts.policy import Action, allowed
from apps.core import rates
from apps.core.errors import Unavailable
from apps.core.jobs.interrupting import TimeUp, within
from apps.datasources.catalog import catalog_of
from apps.datasources.models import Source, Teaching
from apps.datasources.naming import name_key
from apps.datasources.teachings import teachings_of

logger = logging.getLogger("apps.datasources.dictionary")

DICTIONARY_SECONDS = 20.0
"""Usual sources take milliseconds, 2,000 columns half a second, and only workbooks of many wide sheets come near."""
TOOK_TOO_LONG = "This file has too many columns for its data dictionary to be made in time."

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
    from apps.analyst.ports import Catalog


def dictionary_count(viewer: User) -> None:
    """One more dictionary, which is made anew each time. Raises TooOften past the member's own rate."""
    rate = settings.QUESTIONS_PER_MINUTE
    words = f"{rate:,} data dictionaries a minute"
    rates.count("dictionaries", viewer.pk, most=rate, seconds=60, words=words, verb="open or change")


def source_dictionary(source: Source, *, viewer: User) -> dict[str, Any]:
    """`{file_name, may_edit, tables}` as GET /files/dictionary says it. Raises Unavailable where it takes too long."""
    catalog = catalog_of(source.organization)
    changes = {(change.name_key, change.column): change for change in teachings_of(source.organization)}
    try:
        with within(DICTIONARY_SECONDS):
            tables = _tables(catalog, source.file_name, changes)
    except TimeUp:
        logger.error("the dictionary of source %s took longer than %s s", source.pk, DICTIONARY_SECONDS)
        raise Unavailable(TOOK_TOO_LONG) from None
    return {"file_name": source.file_name, "may_edit": allowed(viewer, Action.EDIT_DICTIONARY), "tables": tables}


def _tables(catalog: Catalog, file_name: str, changes: dict[tuple[str, str], Teaching]) -> list[dict[str, Any]]:
    # Imported here: what every analyst knows takes a moment to load, and most requests need none of it.
    from apps.analyst.dictionary.cache import dictionary_of_some
    from apps.analyst.dictionary.meaning import meanings

    mine = [table for table in catalog.tables() if table.file_name == file_name]
    told = dictionary_of_some(catalog, mine)
    return [
        _table(
            told[table.name],
            meanings(table, [other for other in catalog.tables() if other is not table]),
            {column: change for (key, column), change in changes.items() if key == name_key(table.name)},
        )
        for table in mine
    ]


def _table(told: TableMeaning, found: TableMeaning, changes: dict[str, Teaching]) -> dict[str, Any]:
    columns = zip(told.columns, found.columns, strict=True)
    return {
        "name": told.table,
        **_of_table(told),
        "found": _of_table(found),
        "taught": _taught(changes.get("")),
        "columns": [
            {
                "name": mine.name,
                **_of_column(mine),
                "found": _of_column(inferred),
                "taught": _taught(changes.get(mine.name)),
            }
            for mine, inferred in columns
        ],
    }


def _of_table(meaning: TableMeaning) -> dict[str, Any]:
    return {
        "row": meaning.row,
        "rows": meaning.rows,
        "key_column": meaning.key_column,
        "name_column": meaning.name_column,
        "date_column": meaning.date_column,
    }


def _of_column(meaning: ColumnMeaning) -> dict[str, Any]:
    from apps.analyst.knowledge.loader import knowledge

    return {
        "label": meaning.label,
        "kind": meaning.kind,
        "concept": meaning.concept,
        "concept_label": knowledge().concepts[meaning.concept].label if meaning.concept else None,
        "may_mean": [
            {"concept": concept, "label": knowledge().concepts[concept].label} for concept, _ in meaning.concepts
        ],
        "confidence": meaning.confidence,
        "adds": meaning.adds,
        "unit": meaning.unit,
        "money": meaning.money,
        "event": meaning.event,
        "values": dict(meaning.says),
        "synonyms": list(meaning.synonyms),
        "value_synonyms": {value: list(words) for value, words in meaning.value_synonyms.items()},
    }


def _taught(change: Teaching | None) -> dict[str, Any] | None:
    """The entry that holds, who made it and when; None where nobody said anything."""
    if change is None:
        return None
    return {
        "said": change.after,
        "by": change.by.get_full_name() if change.by else "",
        "at": change.created_at.isoformat(),
    }
