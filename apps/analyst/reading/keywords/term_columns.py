"""Which columns a formula's term may be, as the dictionary has them."""

from __future__ import annotations

from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.types import Column, Table


def meant_columns(term: str, table: Table, meaning: TableMeaning | None, least: float) -> list[tuple[float, Column]]:
    """The columns of a table that are what a term says, each with how sure the dictionary is, `least` at least."""
    wanted = {concept.id for concept in knowledge().said(term)}
    read = ((column, meaning.column(column.name)) for column in table.columns) if meaning is not None else ()
    return [
        (score, column)
        for column, means in read
        for concept, score in (means.concepts if means is not None else ())
        if concept in wanted and score >= least
    ]
