"""What the engine says of every shape over every table, as one text to be read from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import AnalystError
from apps.analyst.language.reading import Reading
from apps.analyst.plan import Plan
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.answers import worded
from apps.analyst.telling.followups import wordings
from apps.analyst.types import Answer, Question
from tests.analyst.sentences.messages import messages, said_to
from tests.analyst.sentences.shapes import shapes
from tests.analyst.sentences.tables import FIRST, TRADES

EVERY = 3
"""Each shape is told over every third table, so that the whole can be read."""


def everything_said(catalog: FixedCatalog, warehouse: LocalWarehouse) -> str:
    """The whole text: for each table its answers, the questions that are offered about it, and what is said to messages
    that no plan answers."""
    lines: list[str] = []
    for place, trade in enumerate(TRADES):
        table = next(table for table in catalog.tables() if table.name.startswith(trade.file))
        lines += [f"# {table.name}", ""]
        for number, (name, plan) in enumerate(shapes(trade, table)):
            if (number + place) % EVERY:
                continue
            lines += [f"[{name}]", *_said(plan, catalog, warehouse), ""]
        lines += ["[questions]", *wordings(table, catalog), ""]
        alone = narrowed(catalog, (table.file_name,))
        for number, (name, text) in enumerate(messages(trade, table, alone)):
            if (number + place) % EVERY == 0:
                lines += [f"[{name}]", *said_to(text, alone, warehouse), ""]
    return "\n".join(lines)


def _said(plan: Plan, catalog: FixedCatalog, warehouse: LocalWarehouse) -> Iterator[str]:
    try:
        computed = compute(plan, catalog, warehouse)
    except AnalystError as error:
        yield f"refused: {error}"
        return
    question = Question("?", today=FIRST)
    made = worded(question, Reading(plan, 1.0), computed, catalog)
    yield from _parts(made)


def _parts(made: Answer) -> Iterator[str]:
    if made.headline is not None:
        change = f" ({made.headline.change_text})" if made.headline.change_text else ""
        yield f"headline: {made.headline.label} | {made.headline.text}{change}"
    yield made.text
    if made.chart is not None:
        document = made.chart.document
        options = document.get("options", {})
        axes = [title for name in ("xAxisTitle", "yAxisTitle") if (title := options.get(name))]
        yield f"{document['type']}: {document['title']}" + (f" [{' / '.join(axes)}]" if axes else "")
    if made.result is not None and len(made.result.columns) > 1:
        yield f"heads: {', '.join(column.name for column in made.result.columns)}"
    yield f"how: {made.evidence.plan_sentence}"
    yield from (f"note: {note}" for note in made.evidence.notes)
