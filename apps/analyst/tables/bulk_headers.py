"""Rows of a large text file that say what its header says: found after the rows were written, left out by writing them
anew."""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from apps.analyst.tables import rewriting
from apps.analyst.tables import source as sources
from apps.analyst.tables.bulk_engine import Engine
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.bulk_stage import parquet
from apps.analyst.tables.plans import ColumnPlan


def stand_again(
    found: sources.Source, target: Path, names: Sequence[str], plans: Sequence[ColumnPlan], engine: Engine
) -> bool:
    """Whether a written table says its header once more, which it only can where every column holds words; it is gone
    then."""
    header = rewriting.header_of(found, words=True)
    if header is None or not hold_words(plans):
        return False
    same = _says([quoted(name) for name in names], header)
    again = bool(engine.rows(f"SELECT 1 FROM {parquet(target)} WHERE {same} LIMIT 1"))
    if again:
        target.unlink()
    return again


def repeated(found: sources.Source, text: Path, plans: Sequence[ColumnPlan], engine: Engine) -> tuple[str, int]:
    """The condition that a row of a written text says the header once more, and how many do."""
    header = rewriting.header_of(found, words=hold_words(plans))
    if header is None:
        return "false", 0
    same = _says([f"c{index}" for index in range(len(plans))], header)
    return same, engine.rows(f"SELECT count(*) FROM {parquet(text)} WHERE {same}")[0][0]


def hold_words(plans: Sequence[ColumnPlan]) -> bool:
    """Whether all columns hold words, as far as was looked."""
    return all(plan.type == "text" for plan in plans)


def _says(columns: Sequence[str], header: Sequence[str]) -> str:
    """The condition that a row says what the header says, and nothing where that has no name."""
    texts = [*header, *[""] * (len(columns) - len(header))]
    same = (f"coalesce(trim({cell}), '') = {literal(text)}" for cell, text in zip(columns, texts, strict=False))
    return " AND ".join(same)
