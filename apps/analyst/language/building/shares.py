"""A part of a whole as one figure: "what share of orders went to Germany", "percentage of sales from the West"."""

from __future__ import annotations

from datetime import timedelta

from apps.analyst.language.building.aggregated import needed_tables
from apps.analyst.language.building.built import Built, Unbuildable, scan_over
from apps.analyst.language.building.dimensions import group_outputs
from apps.analyst.language.building.restricting import restrict
from apps.analyst.language.building.settling import head_table
from apps.analyst.language.figures import additive, measure_output
from apps.analyst.language.parse.draft import Condition, Draft, Measure, Slot
from apps.analyst.language.parse.measures import ids_first
from apps.analyst.language.predicates import restrictions
from apps.analyst.language.scan import Scan
from apps.analyst.plan import Aggregate, Arithmetic, Call, Constant, Expr, Order, Output, Predicate, Query
from apps.analyst.plan.spans import span_words
from apps.analyst.telling.formats import listed, rows_noun, spoken

_SHARES = frozenset(("percent", "percentage", "share", "pct"))
_ADDED_UP = ("count", "sum")


def is_part_of_whole(draft: Draft) -> bool:
    """True where a share is asked for, nothing tells rows apart, and conditions say which part is meant."""
    return (
        draft.share_at is not None
        and (not draft.groups or "rate" in draft.axes)
        and not draft.having
        and not draft.sorts
        and len(draft.measures) <= 1
        and len(draft.select) <= 1
        and not (draft.measures and draft.select)
        and all(measure.fn in _ADDED_UP for measure in draft.measures)
        and bool(_part(draft))
    )


def part_of_whole(draft: Draft) -> Built:
    """The share, with the part and the whole that it is made of. Raises Unbuildable."""
    part = _part(draft)
    measure = _whole(draft, part)
    table = measure.slot.best.table if measure.slot and measure.slot.hits else measure.table
    if table is None:
        tables = [c.slot.best.table for c in part if c.slot is not None and c.slot.hits]
        table = tables[0] if tables else None
    if table is None or _stores_shares(draft, table):
        raise Unbuildable
    concept = draft.lexicon.concepts.get((table, measure.slot.best.column)) if measure.slot else None
    dims = list(draft.groups)
    told, _ = needed_tables(draft, dims, []) if dims else ([], [])
    scan = scan_over(draft, [table, *(concept.tables if concept is not None else ()), *told], [table])
    chosen, _ = _restricted(draft, part, scan)
    where, lost = _restricted(draft, [c for c in draft.conditions if c not in part], scan)
    if chosen is None:
        raise Unbuildable
    whole = measure_output(draft, measure, scan.base, multiplied=scan.multiplied)
    assert isinstance(whole.expr, Aggregate)
    some = whole.model_copy(update={"expr": whole.expr.model_copy(update={"where": chosen}), "label": "Part"})
    rows = whole.expr.of is None
    name = rows_noun(scan.base) if rows else spoken(whole.label.removeprefix("Number of ").removeprefix("different "))
    groups = tuple(group_outputs(draft, dims, scan))
    share = Output(label=f"Share of {name}", expr=_per_cent(some.expr, whole.expr), unit="%")
    query = Query(
        source=scan.base,
        # The whole keeps the rows that meet none of a joined table.
        joins=tuple(join.model_copy(update={"how": "left"}) for join in scan.joins),
        where=where,
        groups=groups,
        order=(Order(by=share.label, descending=True),) if groups else (),
        measures=(share, some, whole.model_copy(update={"label": "Whole"})),
        noun=name,
        scope=_told(draft, part),
    )
    shown = [group.label for group in groups]
    return Built(query, [*shown, share.label], shown, [o.label for o in query.measures], lost, scan.multiplied)


def _told(draft: Draft, part: list[Condition]) -> str:
    """The part in words, with the time that holds for the whole."""
    held, draft.conditions = draft.conditions, part
    said = [restriction.said for restriction in restrictions(draft)]
    draft.conditions = held
    times = [c.period for c in draft.conditions if c.period is not None and c.period.low and c.period.high]
    when = [span_words(p.low, p.high - timedelta(days=1)) for p in times if p.low and p.high]
    return f" with {listed(said)}" + "".join(f" {text}" for text in when)


def _stores_shares(draft: Draft, table: str) -> bool:
    """True where a column of the table holds per cent of what is asked for: then that may stand there."""
    schema = draft.lexicon.schema
    asked = {form for token in draft.tagged.tokens for form in token.keys}
    for column in schema.tables[table].table.columns:
        name = schema.columns[table, column.name].name
        of = [form for word, form in zip(name.words, name.forms, strict=False) if word not in _SHARES]
        stored = column.unit == "%" or _SHARES & set(name.words)
        if stored and (not of or any(form & asked for form in of)):
            return True
    return False


def _whole(draft: Draft, part: list[Condition]) -> Measure:
    """What the share is of: a figure added up, things counted once each, else rows."""
    if "rate" in draft.axes and part and part[0].slot is not None:
        return Measure("count", table=part[0].slot.best.table, said=False)
    if draft.measures:
        return draft.measures[0]
    for slot in draft.select:
        if additive(draft, slot.best):
            return Measure("sum", slot, item=slot.item, said=False)
        if not draft.entities and not draft.column(slot.best).unique:
            once = ids_first(draft, slot.hits)
            return Measure("count", Slot(slot.item, once), item=slot.item, distinct=True, said=False)
    return Measure("count", table=head_table(draft), said=False)


def _part(draft: Draft) -> list[Condition]:
    """The conditions that make the part: what is said behind the whole, a time restricts part and whole alike."""
    assert draft.share_at is not None
    if "rate" in draft.axes:
        return [c for c in draft.conditions if c.item == draft.axes["rate"] and c.kind == "value"]
    parts = [c for c in draft.conditions if c.kind != "period" and c.item > draft.share_at]
    verb = next((i for i in range(draft.share_at + 1, len(draft.items)) if _links(draft, i)), None)
    behind = [c for c in parts if verb is not None and c.item > verb]
    return behind or parts


def _links(draft: Draft, index: int) -> bool:
    """The verb between the whole and what is said of its part: "orders from Berlin that WERE late"."""
    return draft.items[index].norm.split()[0] in (
        "is",
        "are",
        "was",
        "were",
        "have",
        "has",
        "had",
        "went",
        "go",
        "came",
    )


def _restricted(draft: Draft, conditions: list[Condition], scan: Scan) -> tuple[Predicate | None, int]:
    held, draft.conditions = draft.conditions, conditions
    try:
        return restrict(draft, scan)
    finally:
        draft.conditions = held


def _per_cent(part: Expr, whole: Expr) -> Expr:
    safe = Call(name="nullif", args=(whole, Constant(value=0, type="number")))
    return Arithmetic(op="/", left=Arithmetic(op="*", left=Constant(value=100, type="number"), right=part), right=safe)
