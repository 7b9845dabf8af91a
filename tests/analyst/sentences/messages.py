"""Messages to which no figure of one plan is told: what is declined, asked back, or found by looking at the data."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.telling import formats
from apps.analyst.telling.labelling import once, rows_of
from apps.analyst.types import Answer, Question, Table
from tests.analyst.sentences.tables import Trade

TODAY = date(2025, 9, 15)


def messages(trade: Trade, table: Table, alone: FixedCatalog) -> Iterator[tuple[str, str]]:
    """What people may write about a table, each with what it is."""
    rows, figure = rows_of(table.name, alone), formats.spoken(trade.figure)
    by, other, value = formats.spoken(trade.by), formats.spoken(trade.other), _value(table, trade.by)
    yield "summary", "Summarize this file"
    yield "three insights", "Give me 3 insights"
    yield "for a reader", "Write it up for my boss"
    yield "an unknown word for rows", f"How many frobnicated {rows} were there?"
    yield "an unknown word beside a value", f"{figure} of {value} in the wibble"
    yield "an unknown grouping", f"{figure} by snark"
    yield "nothing that is known", "frobnicated brouhaha per snark"
    yield "a period before the data", once(f"total {figure} in 1987")
    yield "a forecast", f"What will {figure} be next year?"
    yield "advice", f"Should we drop {value}?"
    yield "an open figure", f"Which {by} is the best?"
    yield "a figure that is not there", f"gross margin per employee by {other}"
    yield "two things at once", f"{figure} by {by} and who won the world cup"
    yield "a cause of nothing", "Why?"


def said_to(text: str, alone: FixedCatalog, warehouse: LocalWarehouse) -> Iterator[str]:
    """What is said to a message, with what is offered."""
    made = answer(Question(text, today=TODAY), catalog=alone, warehouse=warehouse)
    yield f"> {text}"
    yield from _told(made)


def _told(made: Answer) -> Iterator[str]:
    yield f"{made.status}: {made.text}"
    if made.read_as is not None and made.read_as.chips:
        yield f"understood: {' | '.join(chip.label for chip in made.read_as.chips)}"
    for choice in made.choices:
        figure = f" = {choice.figure}" if choice.figure else ""
        teaches = f" (always: {choice.lesson.text})" if choice.lesson is not None else ""
        yield f"- {choice.label}{figure}{teaches}"


def _value(table: Table, name: str) -> str:
    column = table.column(name)
    assert column is not None
    return column.values[0].value
