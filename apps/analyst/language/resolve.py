"""Which table each mention belongs to: the choice that the other mentions, the wording and the joins support best."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.language.anchoring import anchor_periods, data_end, data_start
from apps.analyst.language.figures import date_of_state, time_column
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Measure, Slot, holds_figures, is_number
from apps.analyst.language.periods import PeriodMention
from apps.analyst.language.tagging import ColumnHit

_BESIDE, _SUPPORT, _DISTANCE = 0.55, 0.3, 0.05
_BUYERS = 0.12
_OF_ITS_TABLE = 0.12
"""A column is that of the table that is said in one breath with it."""
_DRAWN = 0.1
"""What is drawn as points has figures on both sides."""
_UNREACHED = 0.6
"""Among files that have nothing to do with one another, the one that bears the condition is meant."""
_SINGLE, _NAMED = 0.4, 0.95
"""Nothing is split by a column of one value."""
_STATED = 0.3
"""What was won last quarter was won by the date that is called so, whenever it began."""
_COVERED = 0.06
"""Of two tables alike, the one whose days lie in the period asked about."""
_MEASURED = 0.2
"""A year is that of the rows that are added up: of two dates, that of the sales, not of the shop's opening."""
_CUSTOMERS = words("customer customers client clients account accounts buyer buyers")
_ASKED = 0.3
"""Who asks for the names of what is made of X knows no name by that."""
_OWNING = words("of for the all each every 's in a an these those from at any to that")


def resolve(draft: Draft) -> dict[str, float]:
    """Chooses a column for every slot. Returns the tables' evidence, for the reader's score."""
    evidence = _evidence(draft)
    said = _said_tables(draft)
    held = {c.slot.hits[0].table for c in draft.conditions if c.kind == "value" and c.slot and _one_home(c.slot)}
    dims = [group.slot for group in draft.groups if group.slot is not None]
    periods = [c.period for c in draft.conditions if c.period is not None and c.period.low and not c.period.relative]
    # "Sales by employee in 1998": the employee stands beside the year and does not have it.
    times = [c.slot for c in draft.conditions if c.kind == "period" and c.slot and not _is_said(draft, c.slot)]
    asked = {(slot.hits[0].table, slot.hits[0].column) for slot in draft.select if slot.hits}
    held_values = [c.slot for c in draft.conditions if c.kind == "value" and c.slot is not None]
    figures = {hit.table for m in _figures(draft) if m.slot is not None for hit in m.slot.hits}
    points = draft.wish is not None and draft.wish.mark == "scatter"
    for slot, measure in _slots(draft):
        if not slot.hits or slot.choice is not None:
            continue
        owner = beside(draft, slot.item) if slot not in times else None
        best = max(
            slot.hits,
            key=lambda hit: (
                hit.score
                + (_BESIDE if owner and hit.table == owner else 0.0)
                + _SUPPORT * min(1.5, evidence.get(hit.table, 0.0) - _own_share(slot, hit))
                + (_MEASURED if slot in times and len(figures) == 1 and hit.table in figures else 0.0)
                + (_STATED if slot in times and len(slot.hits) > 1 and _is_of_state(draft, hit) else 0.0)
                + (_COVERED if periods and len(slot.hits) > 1 and _covers(draft, hit.table, periods) else 0.0)
                - (_SINGLE if len(slot.hits) > 1 and slot in dims and draft.column(hit).distinct < 2 else 0.0)
                - (_ASKED if len(slot.hits) > 1 and (hit.table, hit.column) in asked and slot in held_values else 0.0)
                + (_BUYERS if len(slot.hits) > 1 and slot not in times and _is_of_buyers(draft, hit) else 0.0)
                - _DISTANCE * _apart(draft, hit.table, said or sorted(held or (figures if slot in times else ())))
                + (_OF_ITS_TABLE if slot in draft.select and _says_table(draft, slot.item, hit) else 0.0)
                + (_DRAWN if points and slot in draft.select and is_number(draft.column(hit)) else 0.0)
                - (_UNREACHED if len(slot.hits) > 1 and _unreached(draft, hit.table, held) else 0.0)
                - (0.3 if measure and draft.column(hit).role == "id" else 0.0)
                - (
                    0.2
                    if measure and not is_number(draft.column(hit)) and not holds_figures(draft.column(hit))
                    else 0.0
                ),
                -slot.hits.index(hit),
            ),
        )
        slot.choice = best
    anchor_periods(draft)
    return evidence


def _is_said(draft: Draft, slot: Slot) -> bool:
    """Whether a column stands at a period; in "last quarter" there is none, though one is called "last name"."""
    item = draft.items[slot.item]
    thing = len(slot.hits) > 1 and draft.table_at(slot.item, _NAMED) is not None
    return bool(item.columns) and not item.tag("pos") and not thing


def _is_of_state(draft: Draft, hit: ColumnHit) -> bool:
    column = date_of_state(draft, hit.table)
    return column is not None and column.name == hit.column


def _one_home(slot: Slot) -> bool:
    return len({hit.table for hit in slot.hits}) == 1


def _unreached(draft: Draft, table: str, held: set[str]) -> bool:
    """True for a table that a condition of the question can never hold for, because nothing joins the two."""
    return any(other != table and draft.lexicon.schema.path(table, other) is None for other in held)


def _covers(draft: Draft, table: str, periods: list[PeriodMention]) -> bool:
    """True where a table's own time reaches into every period that is asked about."""
    column = time_column(draft, table)
    if column is None or column.type not in ("date", "datetime"):
        return False
    first, last = data_start(column), data_end(column)
    return (
        first is not None
        and last is not None
        and all((p.low is None or p.low <= last) and (p.high is None or first < p.high) for p in periods)
    )


def _says_table(draft: Draft, index: int, hit: ColumnHit) -> bool:
    """ "the id of all clerks": the key of the clerks, and not of those who stand in another table with it."""
    item = draft.items[index]
    said = {key for token in draft.tagged.tokens[item.start : item.end] for key in token.keys}
    name = draft.lexicon.schema.tables[hit.table].name
    return all(forms & said for forms, skip in zip(name.forms, name.optional, strict=True) if not skip)


def _is_of_buyers(draft: Draft, hit: ColumnHit) -> bool:
    """Of "country" and the like, that of customers is meant rather than that of suppliers or staff."""
    return bool(_CUSTOMERS & set(draft.lexicon.schema.tables[hit.table].name.needed))


def _figures(draft: Draft) -> list[Measure]:
    """What is added up or averaged."""
    every = [*draft.measures, *(s.measure for s in draft.sorts if s.measure is not None)]
    return [measure for measure in every if measure.fn in ("sum", "avg", "median")]


def _slots(draft: Draft) -> Iterator[tuple[Slot, str]]:
    """All slots with "measure" for those that must be figures."""
    for measure in [
        *draft.measures,
        *(h.measure for h in draft.having),
        *(s.measure for s in draft.sorts if s.measure),
    ]:
        if measure.slot is not None:
            yield measure.slot, "measure" if measure.fn in ("sum", "avg", "median") else ""
    for sort in draft.sorts:
        if sort.slot is not None:
            yield sort.slot, ""
    for condition in draft.conditions:
        if condition.slot is not None:
            yield condition.slot, ""
    for group in draft.groups:
        if group.slot is not None:
            yield group.slot, ""
    for slot in draft.select:
        yield slot, ""


def _said_tables(draft: Draft) -> list[str]:
    tables = [table for _, table, _ in sorted(draft.entities)]
    tables += [m.table for m in draft.measures if m.table] + [g.table for g in draft.groups if g.table]
    tables += [h.measure.table for h in draft.having if h.measure.table]
    tables += [s.measure.table for s in draft.sorts if s.measure and s.measure.table]
    return list(dict.fromkeys(tables))


def _evidence(draft: Draft) -> dict[str, float]:
    evidence: dict[str, float] = {}
    for _, table, score in draft.entities:
        evidence[table] = evidence.get(table, 0.0) + score
    for table in _said_tables(draft):
        evidence[table] = max(evidence.get(table, 0.0), 1.0)
    for index, item in enumerate(draft.items):
        if item.tables and item.tables[0].score >= 0.9 and draft.roles.get(index) != "chart":
            evidence[item.tables[0].table] = max(evidence.get(item.tables[0].table, 0.0), 0.6)
        elif item.tables and not item.tag("by", "count") and draft.roles.get(index) != "chart":
            for named in item.tables[:4]:
                evidence[named.table] = evidence.get(named.table, 0.0) + 0.15 * named.score
    for slot, _ in _slots(draft):
        for hit in slot.hits:
            evidence[hit.table] = evidence.get(hit.table, 0.0) + _own_share(slot, hit)
    return evidence


def _own_share(slot: Slot, hit: ColumnHit) -> float:
    """A slot's vote for its hits' tables: the near-best ones share it."""
    top = max(other.score for other in slot.hits)
    near = {other.table for other in slot.hits if other.score >= top - 0.1}
    return 0.6 * top / len(near) if hit.table in near else 0.0


def beside(draft: Draft, index: int) -> str | None:
    """The table said with a column: "stadium name", "name of the stadium", "name and age of all singers"."""
    if index <= 0 and not draft.items:
        return None
    for position in range(index - 1, max(-1, index - 3), -1):
        item = draft.items[position]
        table = draft.table_at(position, 0.75)
        if table and (position == index - 1 or draft.items[index - 1].norm in ("'s", "'", "s")):
            return table
        if item.norm not in ("'s", "'", "s", "their", "full"):
            break
    them = [i for i in range(max(0, index - 2), index) if draft.items[i].norm in ("their", "its", "his", "her")]
    if them:
        named = (
            draft.table_at(i, 0.9) for i in range(them[0] - 1, -1, -1) if draft.roles.get(i) in ("entity", "group")
        )
        whose = next((table for table in named if table), None)
        if whose is not None:
            return whose
    position, owner = index + 1, False
    while position < len(draft.items) and position <= index + 12:
        item = draft.items[position]
        table = draft.table_at(position, 0.75)
        if owner and table:
            return table
        whose = next((hit.table for hit in item.columns if _says_table(draft, position, hit)), None)
        if whose is not None and not owner and " of " in item.norm:
            return whose  # "the name and id of the clerk"
        if item.norm in (
            "of",
            "for",
            "of all",
            "of the",
            "for each",
            "of each",
            "for every",
            "for all",
            "in",
            "from",
        ) or item.tag("of", "by"):
            owner = True
        elif (
            item.norm in _OWNING
            or item.tag("distinct")
            or (item.columns and not owner)
            or (item.values and draft.roles.get(position) == "condition")
            or item.tag("and", "agg", "count")
            or item.norm == ","
        ):
            pass
        else:
            return None
        position += 1
    return None


def _apart(draft: Draft, table: str, said: list[str]) -> float:
    """How far a table is from those said outright."""
    others = [other for other in said if other != table]
    if table in said or not others:
        return 0.0
    return min(min(draft.lexicon.schema.distance(table, other), 8.0) for other in others)
