"""Calculations row by row: defined ratios, the largest gap between two columns, changes from year to year, top-n
averages."""

from __future__ import annotations

import re
from collections.abc import Callable

from apps.analyst.language.readers.arithmetic_changes import column_change, largest_column_change
from apps.analyst.language.readers.arithmetic_figures import Reader, is_number
from apps.analyst.language.readers.arithmetic_shared import HIGH, LOW, Found, entity_of, ref_of, rows_where
from apps.analyst.language.readers.arithmetic_top import (
    top_figure,
)
from apps.analyst.language.readers.statistics_mentions import MARK, Masked, mask
from apps.analyst.language.reading import Reading
from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    AllOf,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    Missing,
    Order,
    Output,
    Predicate,
    Query,
    ScalarQuery,
    Window,
)

SURE = 0.985


def read_rows(text: str, reader: Reader) -> list[Reading]:
    """The row-by-row calculation that the question asks for, if it does."""
    for masked in mask(text, "", reader.lexicon)[:1]:
        for pattern in _PATTERNS:
            query = pattern(masked, reader)
            if query is not None:
                words = re.sub(r"\s+", " ", text)[:200]
                return [
                    Reading(
                        plan=query[0],
                        score=SURE,
                        understood=(query[1],),
                        reader="arithmetic",
                        wording=words,
                        asked=query[2],
                    )
                ]
    return []


# ---------------------------------------------------------------- a ratio that the question defines
_DEFINED = re.compile(
    r"\b(?:defined|calculated|computed|measured|means|refers to|is|as)\b(?P<how>[^?]*?\bdivided\s+by\b[^?.]*"
    r"|[^?]*?\bratio of\b[^?.]*)[.,]?\s*(?P<rest>[^?]*\?)?",
    re.IGNORECASE,
)


_OVER = re.compile(
    rf"{MARK}[^⟨⟩]{{0,60}}?\bdivided\s+by\b[^⟨⟩]{{0,40}}?{MARK}|\bratio\s+"
    rf"of\b[^⟨⟩]{{0,40}}?{MARK}[^⟨⟩]{{0,40}}?\bto\b[^⟨⟩]{{0,40}}?{MARK}"
    rf"|{MARK}\s+(?:scored |made |won |played )?per\s+{MARK}",
    re.IGNORECASE,
)


_DIVIDED = re.compile(rf"{MARK}(?:[^⟨⟩.]|⟨\d+⟩){{0,60}}?\bdivided\s+by\b[^⟨⟩.]{{0,40}}?{MARK}", re.IGNORECASE)


def _divided(masked: Masked) -> re.Match[str] | None:
    """ "The population of a township divided by its area": what is divided may be told with the thing it is of."""
    at, found = 0, None
    while (said := _DIVIDED.search(masked.masked, at)) is not None:
        found = said if masked.numeric(masked.column(said.group(1))) else found
        at = said.start() + 1
    return found


_RANKED_RATIO = re.compile(rf"\b(?:{HIGH}|{LOW})\s+(?:average\s+|number\s+of\s+)*$", re.IGNORECASE)


def _defined_ratio(masked: Masked, reader: Reader) -> Found:
    """ "X is a divided by b. Which e has the highest X?" """
    said = _divided(masked) or _OVER.search(masked.masked)
    if said is None:
        return None
    marks = [group for group in said.groups() if group is not None]
    top, bottom = masked.column(marks[0]), masked.column(marks[1])
    rest = masked.masked[said.end() :]
    lead = _RANKED_RATIO.search(masked.masked[: said.start()])
    if lead is not None:
        rest = masked.masked
    elif "per" in said.group(0).split():
        return None
    told = lead.group(0) if lead else rest
    high, low = re.search(rf"\b{HIGH}\b", told, re.IGNORECASE), re.search(rf"\b{LOW}\b", told, re.IGNORECASE)
    if top == bottom or not (masked.numeric(top) and masked.numeric(bottom)) or bool(high) == bool(low):
        return None
    which = re.search(r"\b(?:which|what|who|on which|in which)\b", rest, re.IGNORECASE)
    entity = entity_of(masked, reader, rest[which.start() :] if which else "", (top, bottom))
    if which is None or entity is None:
        return None
    ratio: Expr = Arithmetic(op="/", left=ref_of(masked, top), right=ref_of(masked, bottom))
    positive = Compare(op=">", left=ref_of(masked, bottom), right=Constant(value=0, type="number"))
    tail = re.search(r"\b(?:in|from|for|during)\s+\d{4}\b", rest)
    scope = f"Show the {entity} {tail.group(0)}" if tail else ""
    where = AllOf(of=(positive, rows_where(masked, reader, scope, (top,))))
    query = Query(
        source=masked.table.name,
        where=where,
        columns=(Output(label=entity, expr=ref_of(masked, entity)), Output(label="ratio", expr=ratio)),
        order=(Order(by="ratio", descending=bool(high)),),
        limit=1,
        ties=True,
    )
    return query, f"{top} divided by {bottom}, {'highest' if high else 'lowest'} first", (entity,)


# ---------------------------------------------------------------- two columns against each other
_GAP = re.compile(
    rf"{MARK}(?P<verb>[^⟨⟩]{{0,40}}?\b(?:exceed|surpass|higher than|greater than|difference|compared "
    rf"to)\b[^⟨⟩]{{0,60}}?){MARK}(?P<end>[^⟨⟩?]*)",
    re.IGNORECASE,
)


_EXTREME_GAP = re.compile(
    rf"\b(?P<which>{HIGH}|{LOW})\s+(?:difference|gap|margin)\s+(?:in \w+ )?between\s+(?:the\s+|their\s+"
    rf")?{MARK}[^⟨⟩]{{0,20}}?\band\b[^⟨⟩]{{0,20}}?{MARK}",
    re.IGNORECASE,
)


def _largest_gap(masked: Masked, reader: Reader) -> Found:
    """ "In which year was the difference between a and b largest", "did a exceed b by the largest margin"."""
    between = _EXTREME_GAP.search(masked.masked)
    margin = re.search(
        rf"{MARK}[^⟨⟩]{{0,20}}?\bexceed\w*\b[^⟨⟩]{{0,20}}?{MARK}[^⟨⟩]{{0,20}}?\bby the ({HIGH}|{LOW})\s+margin",
        masked.masked,
        re.IGNORECASE,
    )
    least = re.search(
        rf"{MARK}[^⟨⟩]{{0,20}}?\bhave the ({HIGH}|{LOW})\s+difference\b[^⟨⟩]{{0,50}}?{MARK}",
        masked.masked,
        re.IGNORECASE,
    )
    if between:
        first, second, which = between.group(2), between.group(3), between.group("which")
    elif margin:
        first, second, which = margin.group(1), margin.group(2), margin.group(3)
    elif least:
        first, second, which = least.group(1), least.group(3), least.group(2)
    else:
        return None
    a, b = masked.column(first), masked.column(second)
    if a == b or not (masked.numeric(a) and masked.numeric(b)):
        return None
    entity = entity_of(masked, reader, aside=(a, b))
    if entity is None:
        return None
    gap: Expr = Arithmetic(op="-", left=ref_of(masked, a), right=ref_of(masked, b))
    gap = gap if margin else Call(name="abs", args=(gap,))
    descending = bool(re.fullmatch(HIGH, which, re.IGNORECASE))
    query = Query(
        source=masked.table.name,
        where=rows_where(masked, reader, "", (a, b)),
        columns=(Output(label=entity, expr=ref_of(masked, entity)), Output(label="difference", expr=gap)),
        order=(Order(by="difference", descending=descending),),
        limit=1,
        ties=True,
    )
    wants = bool(re.search(r"\bwhat is the difference\b|\bhow (?:much|large)\b", masked.text, re.IGNORECASE))
    return query, f"{entity} by {a} minus {b}", (entity, "difference") if wants else (entity,)


# ---------------------------------------------------------------- from row to row
_MOVED = re.compile(
    rf"\b(?:in which|which|what)\s+(?:\w+\s+)?(?:year|month|quarter|period"
    rf"|season)\b[^?]*?{MARK}[^⟨⟩?]*?\b(?P<way>increas|grow|rise|decreas|fall|drop|declin)\w*"
    r"\s+(?:by\s+)?the most\b[^?]*\b(?:previous|preceding|prior|year before|last)\b",
    re.IGNORECASE,
)


def _largest_change(masked: Masked, reader: Reader) -> Found:
    """ "In which year did m decrease the most compared to the previous year?" """
    said = _MOVED.search(masked.masked)
    if said is None:
        return None
    measure = masked.column(said.group(1))
    time = next(
        (
            c.name
            for c in masked.table.columns
            if c.name != measure and ("year" in c.name.casefold() or c.role == "time" or c.type in ("date", "datetime"))
        ),
        None,
    )
    if time is None or not masked.numeric(measure):
        return None
    up = said.group("way").casefold() in ("increas", "grow", "rise")
    inner = Query(
        source=masked.table.name,
        where=rows_where(masked, reader, "", (measure, time)),
        groups=(Output(label=time, expr=ref_of(masked, time)),),
        measures=(
            Output(label="figure", expr=Aggregate(fn="sum", of=ref_of(masked, measure))),
            Output(
                label="change", expr=Window(fn="change", of=Aggregate(fn="sum", of=ref_of(masked, measure)), order=time)
            ),
        ),
    )
    change = ColumnRef(table="", column="change")
    query = Query(
        source=inner,
        where=Missing(of=change, negated=True),
        columns=(Output(label=time, expr=ColumnRef(table="", column=time)), Output(label="change", expr=change)),
        order=(Order(by="change", descending=up),),
        limit=1,
        ties=True,
    )
    return (
        query,
        f"change of {measure} from one {time} to the next, {'largest rise' if up else 'largest fall'}",
        (time,),
    )


# ---------------------------------------------------------------- the first and how far ahead it is
_AHEAD = re.compile(
    rf"\b(?:which|what|who)\b(?P<head>[^?]*?\b(?P<which>{HIGH}|{LOW})\b[^?]*?{MARK}[^?]*?),?\s+and\s+(?:how"
    rf"|what)\b(?P<tail>[^?]*\b(?:differ\w*|compar\w*|higher|lower|more|less)\b[^?]*)",
    re.IGNORECASE,
)


def _ahead(masked: Masked, reader: Reader) -> Found:
    """ "Which e has the highest m, and how is the difference to the lowest (the average)?" """
    said = _AHEAD.search(masked.masked)
    if said is None:
        return None
    tail = said.group("tail")
    against: AggregateName | None = None
    if re.search(r"\baverage\b|\bmean\b", tail, re.IGNORECASE):
        against = "avg"
    elif re.search(rf"\b{LOW}\b", tail, re.IGNORECASE):
        against = "min"
    elif re.search(rf"\b{HIGH}\b", tail, re.IGNORECASE):
        against = "max"
    name = masked.column(said.group(3))
    plain = reader.plain(_unmasked(masked, said.start(), said.start("tail")))
    if plain is None or not isinstance(plain.plan, Query) or plain.plan.source != masked.table.name:
        return None
    entity = entity_of(masked, reader, masked.masked[said.start() :], (name,))
    if entity is None or not masked.numeric(name) or plain.plan.groups or plain.plan.joins:
        return None
    first = bool(re.fullmatch(HIGH, said.group("which"), re.IGNORECASE))
    of = ref_of(masked, name)
    base = _against(against, plain.plan.where, of, _unmasked(masked, said.start("tail"), said.end("tail")), reader)
    if base is None:
        return None
    gap: Expr = Call(name="abs", args=(Arithmetic(op="-", left=of, right=ScalarQuery(query=base)),))
    query = Query(
        source=masked.table.name,
        where=_all(plain.plan.where, Missing(of=of, negated=True)),
        columns=(
            Output(label=entity, expr=ref_of(masked, entity)),
            Output(label="difference", expr=gap),
            Output(label=name, expr=of),
        ),
        order=(Order(by=name, descending=first),),
        limit=1,
        ties=True,
    )
    return query, f"{entity} with the {said.group('which')} {name} and its difference", (entity, "difference")


def _against(
    fn: AggregateName | None, where: Predicate | None, of: ColumnRef, tail: str, reader: Reader
) -> Query | None:
    """What the first is held against: an aggregate of the same rows, or a figure that the question's end names."""
    if fn is not None:
        return Query(source=of.table, where=where, measures=(Output(label="against", expr=Aggregate(fn=fn, of=of)),))
    named = re.search(r"\bcompar\w*\s+(?:to|with)\s+(?:that of\s+|its\s+|the\s+)?(?P<x>.+)$", tail, re.IGNORECASE)
    figure = reader.figure(re.sub(r"\s+in the same (?:year|month|season)$", "", named.group("x"))) if named else None
    return figure.query if figure is not None else None


def _unmasked(masked: Masked, start: int, end: int) -> str:
    return re.sub(r"⟨\d+⟩", lambda m: masked.text_of(m.group(0)), masked.masked[start:end])


def _all(where: Predicate | None, test: Predicate) -> Predicate:
    return test if where is None else AllOf(of=(where, test))


_PATTERNS: tuple[Callable[[Masked, Reader], Found], ...] = (
    _defined_ratio,
    largest_column_change,
    column_change,
    _largest_gap,
    _largest_change,
    _ahead,
    top_figure,
)


__all__ = ["is_number", "read_rows"]
