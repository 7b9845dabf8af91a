"""Two named rows held against one another: "did A score more points than B", "are A and B the same age", "how much
taller is A than B", "did the seats grow from 1970 to 1982, and by how much"."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.language.figures import as_figure, column_ref, default_aggregate
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, is_number, is_time
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.readers.lookup_degrees import Degree, degree_of, moved, turned
from apps.analyst.language.readers.lookup_shared import (
    Found,
    both,
    equals,
    figures_named,
    named_values,
    rest_of,
)
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    AllOf,
    Arithmetic,
    Call,
    ColumnRef,
    Combine,
    Compare,
    Conditional,
    Constant,
    Expr,
    Missing,
    NamedQuery,
    Output,
    Predicate,
    Query,
)
from apps.analyst.telling.formats import spoken

ANSWER = "Answer"
_AMOUNTS = words("more fewer less")
_MOMENTS = words("year date founded")
_SURE, _NAMED, _REPEATED = 0.93, 0.75, 0.7
_BOTH = 2
_A, _B = ColumnRef(table="", column="a"), ColumnRef(table="", column="b")


@dataclass(frozen=True, slots=True)
class _Figure:
    """What is compared: a column's aggregate, or the number of rows."""

    hit: ColumnHit | None
    fn: AggregateName


@dataclass(frozen=True, slots=True)
class _Pair:
    """The column that names both, and the two names in the order in which they are said."""

    hit: ColumnHit
    values: tuple[str | float, str | float]


def verdict(draft: Draft) -> Found | None:
    """Whether what is said of two named rows is so, with the two figures."""
    pair, degree = _pair(draft), degree_of(draft)
    if pair is None or degree is None or any(item.tag("sup", "neg") for item in draft.items):
        return None
    figure = _figure(draft, pair, degree)
    if figure is None:
        return None
    degree = turned(draft, degree, figure.hit)
    draft.use(0, *degree.items, *(i for i, item in enumerate(draft.items) if item.tag("than")))
    parts = _parts(draft, pair, figure)
    is_amount = figure.hit is None or _is_amount(draft, figure.hit)
    holds = Conditional(
        when=Compare(op=degree.op, left=_A, right=_B),
        then=Constant(value=degree.said[0]),
        otherwise=Constant(value=degree.said[1]),
    )
    known = AllOf(of=(Missing(of=_A, negated=True), Missing(of=_B, negated=True)))
    outputs = [Output(label=ANSWER, expr=Conditional(when=known, then=holds))]
    asked: tuple[str, ...] = (ANSWER,)
    if "how much" in " ".join(token.norm for token in draft.tagged.tokens) and is_amount:
        draft.use(*(i for i, item in enumerate(draft.items) if item.norm == "how much"))
        gap = Arithmetic(op="-", left=_B, right=_A) if moved(draft) is not None else _size(_A, _B)
        outputs.append(Output(label="Difference", expr=gap))
        asked = (ANSWER, "Difference")
    names = [f"{value:.0f}" if isinstance(value, float) else str(value) for value in pair.values]
    outputs += [Output(label=name, expr=of) for name, of in zip(names, (_A, _B), strict=True)]
    return Combine(parts=parts, outputs=tuple(outputs)), asked, _SURE


def apart(draft: Draft) -> Found | None:
    """How much more of what an adjective measures the one has than the other."""
    pair, degree = _pair(draft), degree_of(draft)
    if pair is None or degree is None or degree.op not in (">", "<"):
        return None
    figure = _figure(draft, pair, degree)
    if figure is None:
        return None
    draft.use(0, *degree.items, *(i for i, item in enumerate(draft.items) if item.tag("than", "difference")))
    text = draft.question.text.casefold()
    gap, unit = _size(_A, _B), None
    column = draft.column(figure.hit) if figure.hit is not None else None
    if column is not None and column.type in ("date", "datetime"):
        days = "day" in text or not ("year" in text or {"age", "birth"} & set(degree.measures))
        gap = Call(name="abs", args=(Call(name="days_between" if days else "years_between", args=(_A, _B)),))
    elif column is not None and is_time(column):
        unit = "years"
    draft.use(*(i for i, item in enumerate(draft.items) if item.norm in ("years", "days", "year", "day")))
    outputs = (Output(label="Difference", expr=gap, unit=unit),)
    return Combine(parts=_parts(draft, pair, figure), outputs=outputs), ("Difference",), _SURE


# ---------------------------------------------------------------- the two
def _pair(draft: Draft) -> _Pair | None:
    named = named_values(draft)
    if named is not None and len(named[1]) == _BOTH and named[0].slot is not None:
        condition, (one, other) = named
        joined = len(condition.values) < _BOTH or bool(condition.also)
        slot = condition.slot
        if joined and not condition.negated and slot is not None and one != other:
            return _Pair(slot.best, (one, other))
    return _years_of_change(draft) if moved(draft) is not None else None


def _years_of_change(draft: Draft) -> _Pair | None:
    """ "from 1974 to 1978": the first and the last year."""
    for condition in draft.conditions:
        period = condition.period
        if condition.kind != "period" or period is None or condition.slot is None or not condition.slot.hits:
            continue
        if period.low is None or period.high is None or (period.low.month, period.high.month) != (1, 1):
            continue
        first, last = period.low.year, period.high.year - 1
        if first < last:
            return _Pair(condition.slot.best, (float(first), float(last)))
    return None


def _parts(draft: Draft, pair: _Pair, figure: _Figure) -> tuple[NamedQuery, NamedQuery]:
    hit, rest = figure.hit, rest_of(draft, pair.hit)
    of = (as_figure(draft, hit) or column_ref(draft, hit)) if hit is not None else None
    label = spoken(hit.column) if hit is not None else "rows"
    unit = draft.column(hit).unit if hit is not None else None

    def side(name: str, value: str | float) -> NamedQuery:
        where: Predicate = both(rest, equals(draft, pair.hit, value))
        measure = Output(label=label, expr=Aggregate(fn=figure.fn, of=of), unit=unit)
        return NamedQuery(label=name, query=Query(source=pair.hit.table, where=where, measures=(measure,)))

    return side("a", pair.values[0]), side("b", pair.values[1])


def _size(one: Expr, other: Expr) -> Expr:
    return Call(name="abs", args=(Arithmetic(op="-", left=one, right=other),))


# ---------------------------------------------------------------- what is compared
def _figure(draft: Draft, pair: _Pair, degree: Degree) -> _Figure | None:
    """The column that is compared, and how the rows of one name become one."""
    said = next((m.fn for m in draft.measures if m.said and m.fn != "count"), None)
    slot = next(iter(figures_named(draft, pair.hit.table, pair.hit)), None)
    hit = slot.best if slot is not None else _measured(draft, pair, degree) or _other_column(draft, pair, degree)
    if hit is None:
        return _Figure(None, "count") if _counts_rows(draft, pair, degree) else None
    if not _is_amount(draft, hit):
        return _Figure(hit, "min")
    counted = draft.items[degree.items[0]].norm.split()[0] in _AMOUNTS
    adds_up = is_number(draft.column(hit)) and draft.column(hit).unit != "%" and counted
    return _Figure(hit, said or ("sum" if adds_up else default_aggregate(draft, hit)))


def _is_amount(draft: Draft, hit: ColumnHit) -> bool:
    return as_figure(draft, hit) is not None and not is_time(draft.column(hit))


def _measured(draft: Draft, pair: _Pair, degree: Degree) -> ColumnHit | None:
    """What the adjective measures: "taller" a height, "older" an age or a day of birth, else the only moment."""
    hits = columns_named(draft, degree.measures) if degree.measures else ()
    good = _comparable(draft, pair, hits)
    moments = [n for n in draft.lexicon.columns if n.table.name == pair.hit.table and is_time(n.column)]
    if not good and len(moments) == 1 and set(degree.measures) & _MOMENTS:
        return _first(_comparable(draft, pair, (ColumnHit(pair.hit.table, moments[0].column.name, 0.6),)))
    return _first(good)


def _other_column(draft: Draft, pair: _Pair, degree: Degree) -> ColumnHit | None:
    """What else is named of the two: a figure or a moment ("completed before B"), and for "the same" any column."""
    named = [hit for item in draft.items if not item.values for hit in item.columns if hit.score >= _NAMED]
    for hit in named:
        if _comparable(draft, pair, (hit,)):
            return hit
    alike = [h for h in named if h.table == pair.hit.table and h.column != pair.hit.column and degree.op == "="]
    return alike[0] if alike else None


def _comparable(draft: Draft, pair: _Pair, hits: tuple[ColumnHit, ...]) -> tuple[ColumnHit, ...]:
    own = tuple(hit for hit in hits if hit.table == pair.hit.table and hit.column != pair.hit.column)
    return tuple(hit for hit in own if as_figure(draft, hit) is not None or is_time(draft.column(hit)))


def _first(hits: tuple[ColumnHit, ...]) -> ColumnHit | None:
    return hits[0] if hits else None


def _counts_rows(draft: Draft, pair: _Pair, degree: Degree) -> bool:
    """ "did A win more prizes than B" where each prize is a row."""
    rows = draft.lexicon.schema.tables[pair.hit.table].table.rows
    index = degree.items[-1]
    things = draft.items[index + 1].norm if index + 1 < len(draft.items) else ""
    many = draft.column(pair.hit).distinct < _REPEATED * rows
    return many and things.endswith("s") and draft.items[index].norm.split()[0] in _AMOUNTS
