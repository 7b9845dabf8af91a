"""Two uploads with the same columns: an answer from one says so and offers the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.reading import Reading
from apps.analyst.language.tagging import Tagged
from apps.analyst.plan import Query
from apps.analyst.telling.formats import spoken
from apps.analyst.types import Table

_ALIKE = 0.8
"""The share of two tables' columns that must be the same for one to be taken for the other."""
_BEHIND = 0.01
TAKEN = "Taken from "
"""How the assumption begins that says which of two was taken."""


def with_twins(reading: Reading, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """The reading, stating its table where another one could have been meant, and the reading over that one."""
    if not isinstance(reading.plan, Query):
        return [reading]
    written = reading.plan.model_dump()
    read = _columns(written)
    for name in sorted(read):
        table = lexicon.schema.tables[name].table if name in lexicon.schema.tables else None
        twins = [t for t in _twins(table, read, lexicon) if not _told_apart(name, t.name, tagged)] if table else []
        if twins:
            other = twins[0].name
            also = " and ".join(twin.name for twin in twins[:3])
            said = f"{TAKEN}{name}; {also} {'has' if len(twins) == 1 else 'have'} the same columns"
            stated = replace(reading, assumptions=(*reading.assumptions, said))
            plan = Query.model_validate(_moved(written, name, other))
            wording = f"{reading.wording.rstrip('?. ')} in {spoken(other)}"
            return [stated, replace(reading, plan=plan, score=max(0.0, reading.score - _BEHIND), wording=wording)]
    return [reading]


def _columns(node: Any) -> dict[str, set[str]]:
    """Table -> the columns that a written plan reads of it."""
    found: dict[str, set[str]] = {}
    if isinstance(node, dict):
        if node.get("kind") == "column" and node["table"]:
            found[node["table"]] = {node["column"]}
        if node.get("kind") == "query" and isinstance(node["source"], str):
            found.setdefault(node["source"], set())
        parts = list(node.values())
    else:
        parts = list(node) if isinstance(node, list | tuple) else []
    for part in parts:
        for table, columns in _columns(part).items():
            found.setdefault(table, set()).update(columns)
    return found


def _twins(table: Table, read: dict[str, set[str]], lexicon: Lexicon) -> list[Table]:
    """Tables that are not read and hold the same columns."""
    mine = {(column.name, column.type) for column in table.columns}
    needed = {pair for pair in mine if pair[0] in read[table.name]}
    found = []
    for named in lexicon.tables:
        other = {(column.name, column.type) for column in named.table.columns}
        alike = len(mine & other) >= _ALIKE * max(len(mine), len(other))
        if named.table.name not in read and needed <= other and alike:
            found.append(named.table)
    return found


def _told_apart(one: str, other: str, tagged: Tagged) -> bool:
    """True where the question names one of the two better than the other."""
    for item in tagged.items:
        scores = {hit.table: hit.score for hit in item.tables}
        if scores.get(one, 0.0) > scores.get(other, 0.0):
            return True
    return False


def _moved(node: Any, one: str, other: str) -> Any:
    """A written plan over another table."""
    if isinstance(node, dict):
        return {
            key: other if key in ("table", "source") and value == one else _moved(value, one, other)
            for key, value in node.items()
        }
    if isinstance(node, list | tuple):
        return type(node)(_moved(item, one, other) for item in node)
    return node
