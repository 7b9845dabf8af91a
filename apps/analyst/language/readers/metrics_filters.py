"""Which rows: gaps, bounds of amounts, and stored values that a question writes out."""

from __future__ import annotations

import re

from apps.analyst.computing.metrics.roles import Entity
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers.metrics_columns import reaches, resolve
from apps.analyst.language.readers.metrics_line import Line
from apps.analyst.language.readers.metrics_parts import Ask


def read_gaps(line: Line, ask: Ask, entity: Entity, lexicon: Lexicon) -> None:
    """ "have no amount", "without an owner"."""
    match = line.sees(
        r"(?:(?:have|has|with|had|having|are|is) )?(?:no|without(?: an| a| any)?|missing(?: an| a)?|lacking(?: "
        r"an| a)?) ((?:\S+ ?){1,3})"
    )
    if not match:
        return
    words = match[1].split()
    for size in range(len(words), 0, -1):
        part = entity.part(
            {"close date": "closed", "create date": "created", "value": "amount"}.get(
                " ".join(words[:size]), " ".join(words[:size])
            )
        )
        part = part or resolve(words[:size], entity, None, lexicon, figures=True)
        if part is not None and part.table == entity.table.name and part.column.role != "id":
            ask.missing.append(part)
            end = match.start(1) + len(" ".join(words[:size]))
            line.blank(match.start(), end)
            return


def read_bounds(line: Line, ask: Ask) -> None:
    lead = r"(?:(?:with|have|has|having|of|worth|is|are) )?(?:(?:an|a) )?(?:amounts? |values? |size )?(?:of |is |are )?"
    between = line.take(lead + r"between (\d+) and (\d+)")
    if between:
        ask.bounds += [(">=", float(between[1])), ("<=", float(between[2]))]
    for op, words in (
        (">=", r"at least|no less than"),
        ("<=", r"at most|no more than|up to"),
        (">", r"over|above|more than|greater than|larger than|exceeding|bigger than"),
        ("<", r"under|below|less than|smaller than"),
    ):
        found = line.take(rf"{lead}(?:{words}) (\d+)(?! (?:second|minute|hour|day|week|month|year))")
        if found:
            ask.bounds.append((op, float(found[1])))


_NEVER = frozenset(
    [
        "open",
        "won",
        "lost",
        "closed",
        "win",
        "deal",
        "deals",
        "email",
        "emails",
        "meeting",
        "meetings",
        "customer",
        "lead",
        "opportunity",
        "company",
        "high",
        "sent",
        "received",
    ]
)


def read_values(line: Line, ask: Ask, entity: Entity, lexicon: Lexicon, *, least: int) -> None:
    """Stored values that are written out; first those of several words, single ones when all else is read."""
    for item in line.tagged.items:
        if (
            item.end - item.start < least
            or not item.values
            or not line.free(item.start, item.end)
            or item.number is not None
        ):
            continue
        if item.norm in _NEVER and not line.sees(rf"{re.escape(item.norm)} (?:priority|stage|status)"):
            continue
        near = [hit for hit in item.values if hit.score >= 0.9 and reaches(entity, hit.table, lexicon)]
        if not near:
            continue
        best = max(near, key=lambda hit: (hit.score, hit.table == entity.table.name, -near.index(hit)))
        line.blank_tokens(item.start, item.end)
        same = [hit.value for hit in near if (hit.table, hit.column) == (best.table, best.column)]
        chosen = ask.values.setdefault((best.table, best.column), [])
        chosen += [value for value in same if value not in chosen]
        name = lexicon.column(best.table, best.column)
        for word in name.name.words if name else ():
            line.take(re.escape(word) + "s?")
        line.take("or")
