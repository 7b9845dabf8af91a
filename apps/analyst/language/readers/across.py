"""Figures along the row of a sheet with a column for each month, quarter or year: "the total marketing costs in the
second quarter", "how much did Sales spend from March to June", "which month had the highest costs"."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.analyst.language.figures import column_ref
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Slot
from apps.analyst.language.predicates import restrictions
from apps.analyst.language.readers.query import sketch
from apps.analyst.language.reading import Reading
from apps.analyst.language.resolve import resolve
from apps.analyst.language.scoring import unused_words
from apps.analyst.language.tagging import ColumnHit, Tagged, tag
from apps.analyst.language.wide_columns import Stretch, Wide, stretch_of, wide_columns
from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Conditional,
    Constant,
    Expr,
    Order,
    Output,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import together
from apps.analyst.ports import Catalog
from apps.analyst.types import Question

_ADDS = re.compile(
    r"\b(?:total|sum|how much|overall|altogether|combined|averag\w*|mean|highest|lowest|most|least|biggest|largest"
    r"|smallest)\b",
    re.IGNORECASE,
)
_SUMS = re.compile(r"\b(?:total|sum|how much|overall|altogether|combined)\b", re.IGNORECASE)
_FIGURE = re.compile(
    r"\b(?:spend|spent|costs?|expenses?|budget(?:ed)?|revenue|sales|income|earn(?:ed)?)\b", re.IGNORECASE
)
"""What all cells of a row are: of several months together it is their sum."""
_TIME_BY_TIME = re.compile(
    r"\b(?:by|per|each|every|for each|in each) (?:month|quarter|year)\b|\b(?:monthly|quarterly)$", re.IGNORECASE
)
_MEAN = re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)
_EACH_TIME = re.compile(
    r"\b(?:per|a|each) (?:month|quarter|year)\b|\b(?:monthly|quarterly|yearly|annual)\b", re.IGNORECASE
)
_WHICH_TIME = re.compile(r"\b(?:in\s+)?(?:which|what)\s+(?:month|quarter|year)\b", re.IGNORECASE)
_HIGH = re.compile(r"\b(?:highest|most|biggest|largest|greatest|maximum|peak)\b", re.IGNORECASE)
_LOW = re.compile(r"\b(?:lowest|least|smallest|fewest|minimum)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:differ\w*|than|compar\w*|percent\w*|share|ratio|growth|grow|increas\w*|decreas\w*|how many)\b|%", re.I
)
_FIGURES = words(
    "cost costs spend spent spending expense expenses revenue sales amount amounts value values figure figures budget "
    "total totals number monthly quarterly yearly annual overall income paid pay sum average mean altogether combined "
    "highest lowest most least biggest largest smallest"
)
"""What the cells of such a sheet may be called, though no column is."""
_SURE, _DOUBT, _PARTS = 0.99, 0.12, 26


def read(question: Question, catalog: Catalog, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """A figure along the row, where a table has a row of time and the question adds it up."""
    text = question.text
    if not (_ADDS.search(text) or _FIGURE.search(text)) or _OTHER.search(text) or question.context:
        return []
    for named in lexicon.tables:
        wide = wide_columns(named.table)
        reading = _over(wide, question, lexicon) if wide is not None else None
        if reading is not None:
            return [reading]
    return []


def _over(wide: Wide, question: Question, lexicon: Lexicon) -> Reading | None:
    text = question.text
    stretch = stretch_of(text, wide)
    which = _WHICH_TIME.search(text)
    if stretch is None or (len(stretch.numbers) == 1 and wide.kind == "year"):
        return None
    by_time = _TIME_BY_TIME.search(text) if not which and not _MEAN.search(text) else None
    extreme = _FIGURE.search(text) and (_HIGH.search(text) or _LOW.search(text))
    if not (stretch.label or which or by_time or extreme or _SUMS.search(text) or _EACH_TIME.search(text)):
        return None
    if wide.kind == "year" and not (stretch.label or which):
        return None
    rest = (text[: stretch.start] + " " + text[stretch.end :]).strip()
    rest = _WHICH_TIME.sub("what", rest)
    rest = _TIME_BY_TIME.sub("", rest) if by_time else rest
    draft = sketch(replace(question, text=rest), lexicon, tag(rest, lexicon))
    resolve(draft)
    held, where = _where(draft, wide)
    if not held or not _is_plain(draft, wide):
        return None
    if which:
        plan = _first_time(wide, stretch, where, text)
    elif by_time:
        plan = _each_time(draft, wide, stretch, where)
    else:
        plan = _added(draft, wide, stretch, where, text)
    if plan is None:
        return None
    asked = (plan.columns[0].label,) if plan.columns else ()
    unused = tuple(word for word in unused_words(draft) if word.casefold() not in _FIGURES)
    score = max(0.05, _SURE - _DOUBT * len(unused))
    return Reading(plan=plan, score=score, unused=unused, asked=asked, reader="across", wording=text)


# ---------------------------------------------------------------- which rows
def _is_plain(draft: Draft, wide: Wide) -> bool:
    """True where the rest of the question only says which rows are meant, and by what they are told apart."""
    own = set(wide.columns.values())
    slots = [(m.slot, m.item) for m in draft.measures] + [(s.slot, s.item) for s in draft.sorts]
    measured = [
        slot.best.column for slot, item in slots if slot is not None and slot.hits and not _far(draft, wide, slot, item)
    ]
    counted = any(item.tag("count") and item.norm != "number" for item in draft.items)
    held = [c.slot.best for c in draft.conditions if c.slot is not None and c.slot.hits]
    held += [group.slot.best for group in draft.groups if group.slot is not None]
    alone = len(draft.lexicon.tables) == 1 or bool(held) or any(table == wide.table for _, table, _ in draft.entities)
    elsewhere = any(hit.table != wide.table for hit in held) or any(t != wide.table for _, t, _ in draft.entities)
    figures = [s.best for s in draft.select if s.best.column not in own and draft.column(s.best).role == "measure"]
    return alone and not (set(measured) - own or counted or elsewhere or figures or draft.having)


def _far(draft: Draft, wide: Wide, slot: Slot, item: int) -> bool:
    """A word for money that a table reminds of which has nothing to do with this one: it says what the cells are."""
    said = draft.items[item].norm if 0 <= item < len(draft.items) else ""
    return said in _FIGURES and draft.lexicon.schema.path(slot.best.table, wide.table) is None


def _where(draft: Draft, wide: Wide) -> tuple[bool, Predicate | None]:
    """Whether every condition can be held against the sheet's rows, and all of them."""
    found = restrictions(draft)
    predicates = [r.predicate for r in found if r.predicate is not None and not r.negated and r.table == wide.table]
    return len(predicates) == len(found) and not draft.unmet, together(predicates)


def _told_apart(draft: Draft, wide: Wide) -> list[ColumnHit]:
    """What the figure is wanted for each of."""
    slots = [group.slot for group in draft.groups if group.slot is not None]
    slots += [slot for slot in draft.select if slot.best.column not in wide.columns.values()]
    hits = [slot.best for slot in slots]
    held = {c.slot.best.column for c in draft.conditions if c.slot is not None and c.slot.hits and len(c.values) == 1}
    return [hit for i, hit in enumerate(hits) if hit not in hits[:i] and hit.column not in held]


# ---------------------------------------------------------------- the figures
def _added(draft: Draft, wide: Wide, stretch: Stretch, where: Predicate | None, text: str) -> Query:
    """The cells of the stretch added up or averaged, over all rows that are meant or for each of them."""
    cells: list[Expr] = [ColumnRef(table=wide.table, column=wide.columns[number]) for number in stretch.numbers]
    mean = _MEAN.search(text) is not None
    total: Expr = _or_nothing(cells[0])
    for cell in cells[1:]:
        total = Arithmetic(op="+", left=total, right=_or_nothing(cell))
    share = Constant(value=len(cells), type="number")
    expr: Expr = Aggregate(fn="sum", of=total)
    if mean and _EACH_TIME.search(text):
        expr = Arithmetic(op="/", left=expr, right=share)
    elif mean:
        expr = Aggregate(fn="avg", of=Arithmetic(op="/", left=total, right=share))
    first, last = (wide.columns[stretch.numbers[place]] for place in (0, -1))
    label = f"{'Average' if mean else 'Total'} {first if first == last else f'{first} to {last}'}"
    hits = _told_apart(draft, wide)
    extreme = bool(_HIGH.search(text)) != bool(_LOW.search(text))
    entity = draft.lexicon.schema.entity_column(wide.table) if extreme and not hits else None
    hits = hits or ([ColumnHit(wide.table, entity.name, 1.0)] if entity is not None else [])
    groups = tuple(Output(label=hit.column, expr=column_ref(draft, hit)) for hit in hits)
    sort = next((sort for sort in draft.sorts if sort.superlative), None)
    limit = (sort.limit if sort is not None and sort.limit else 1) if extreme and groups else None
    order = (Order(by=label, descending=_LOW.search(text) is None),) if groups else ()
    return Query(
        source=wide.table,
        where=where,
        groups=groups,
        measures=(Output(label=label, expr=expr),),
        order=order,
        limit=limit,
        ties=limit == 1,
    )


def _each_time(draft: Draft, wide: Wide, stretch: Stretch, where: Predicate | None) -> Query:
    """The cells of each time added up, over all rows that are meant or for each of them."""
    names = [wide.columns[number] for number in stretch.numbers]
    return Query(
        source=wide.table,
        where=where,
        groups=tuple(Output(label=hit.column, expr=column_ref(draft, hit)) for hit in _told_apart(draft, wide)),
        measures=tuple(
            Output(label=name, expr=Aggregate(fn="sum", of=ColumnRef(table=wide.table, column=name))) for name in names
        ),
    )


def _or_nothing(cell: Expr) -> Expr:
    return Call(name="coalesce", args=(cell, Constant(value=0, type="number")))


def _first_time(wide: Wide, stretch: Stretch, where: Predicate | None, text: str) -> Query | None:
    """The column whose figure is the highest (the lowest), by its name."""
    if bool(_HIGH.search(text)) == bool(_LOW.search(text)) or len(stretch.numbers) > _PARTS:
        return None
    fn: AggregateName = "avg" if _MEAN.search(text) else "sum"
    names = [wide.columns[number] for number in stretch.numbers]
    sums = tuple(
        Output(label=name, expr=Aggregate(fn=fn, of=ColumnRef(table=wide.table, column=name))) for name in names
    )
    refs = tuple(ColumnRef(table="", column=name) for name in names)
    most = Call(name="greatest" if _HIGH.search(text) else "least", args=refs)
    found: Expr | None = None
    for ref in reversed(refs):
        found = Conditional(
            when=Compare(op="=", left=ref, right=most), then=Constant(value=ref.column), otherwise=found
        )
    assert found is not None
    figure = Output(label="Average" if fn == "avg" else "Total", expr=most)
    return Query(
        source=Query(source=wide.table, where=where, measures=sums),
        columns=(Output(label=wide.kind.capitalize(), expr=found), figure),
    )
