"""Things that must or must not exist: "who have never ordered", "stadiums without concerts", "courses that have
students"."""

from __future__ import annotations

from apps.analyst.language.parse.draft import Condition, Draft


def read_existence(draft: Draft) -> None:
    """Entities that are neither asked for nor counted become existence conditions; negated ones their absence."""
    said = sorted(draft.entities)
    counted = {m.table for m in draft.measures if m.table} | {g.table for g in draft.groups if g.table}
    counted |= {h.measure.table for h in draft.having if h.measure.table} | {
        s.measure.table for s in draft.sorts if s.measure and s.measure.table
    }
    head = said[0][1] if said else None
    for item, table, score in said:
        negation = _negation(draft, item)
        if negation is not None and table != head:
            draft.use(negation, role="condition")
            draft.conditions.append(Condition("exists", table=table, negated=True, item=item))
            draft.entities.remove((item, table, score))
        elif table != head and table not in counted and _required(draft, item):
            draft.conditions.append(Condition("exists", table=table, item=item))


def _negation(draft: Draft, index: int) -> int | None:
    for position in range(index - 1, max(-1, index - 7), -1):
        item = draft.items[position]
        if item.tag("neg") and draft.free(position):
            return position
        if item.norm in (".", "?", ";", ",") or item.tag("by", "sup"):
            return None
        if (
            position != index - 1
            and draft.table_at(position, 0.9)
            and item.token is not None
            and not item.token.norm.endswith("ed")
        ):
            return None
    return None


def _required(draft: Draft, index: int) -> bool:
    """ "... that have some students", "who placed orders": a relative clause or verb links the thing."""
    for position in range(index - 1, max(-1, index - 6), -1):
        norm = draft.items[position].norm
        if norm in ("who", "that", "which", "have", "has", "having", "with", "had", "whose"):
            return True
        if norm in (".", "?", ";", ","):
            return False
    return False
