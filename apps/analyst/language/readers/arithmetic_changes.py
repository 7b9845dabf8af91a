"""Changes from one column to another, where each column is a time: "which port grew the most from 2006 to 2011", "the
percentage increase of Alder Quay from 2006 to 2011"."""

from __future__ import annotations

import re

from apps.analyst.language.readers.arithmetic_figures import Reader
from apps.analyst.language.readers.arithmetic_shared import HIGH, LOW, Found, entity_of, ref_of, rows_where
from apps.analyst.language.readers.statistics_mentions import MARK, Masked
from apps.analyst.language.tagging import tag
from apps.analyst.plan import AllOf, Arithmetic, ColumnRef, Compare, Constant, Expr, Order, Output, Predicate, Query

_WAY = r"(?:increase|growth|gain|rise|decrease|decline|drop|fall|loss|reduction|change)"
_DOWN = re.compile(r"decrease|decline|drop|fall|fell|loss|reduction|shr[aiu]nk|lost", re.IGNORECASE)
_SPAN = rf"\b(?:from|between)\s+(?:the\s+)?{MARK}\s+(?:to|and)\s+(?:the\s+)?{MARK}"
_EXTREME = re.compile(
    rf"\b(?:(?P<high>{HIGH})|(?P<low>{LOW}))\s+(?:(?:\w+|⟨\d+⟩)\s+){{0,3}}?(?P<way>{_WAY})\b[^⟨⟩?]{{0,60}}?{_SPAN}"
    rf"|\b(?P<verb>increas|grow|grew|ris|rose|gain|decreas|declin|drop|fell|fall|los[te]|shr[aiu]nk)\w*\s+"
    rf"(?:the most|most)\b[^⟨⟩?]{{0,60}}?{_SPAN}",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"\b(?P<way>{_WAY})\b[^?]*?{_SPAN}", re.IGNORECASE)
_PERCENT = re.compile(r"\bpercent|%|\bgrowth rate\b|\bgrowth\b", re.IGNORECASE)
_YEARLY = re.compile(r"\b(?:annual|yearly|per year|a year|each year|average)\b", re.IGNORECASE)
_SURE_VALUE = 0.95


def largest_column_change(masked: Masked, reader: Reader) -> Found:
    """ "Which port had the largest (percentage) increase from 2006 to 2011?" """
    said = _EXTREME.search(masked.masked)
    if said is None or not re.search(r"\b(?:which|what|who)\b", masked.text, re.IGNORECASE):
        return None
    marks = [mark for mark in said.groups() if mark is not None and mark.isdigit()]
    first, last = (masked.column(mark) for mark in marks[:2])
    entity = entity_of(masked, reader, aside=(first, last))
    if entity is None or first == last or not (masked.numeric(first) and masked.numeric(last)):
        return None
    down = _DOWN.search(said.group("way") or said.group("verb"))
    gap = _change(masked, first, last, down=bool(down))
    label = "decrease" if down else "change"
    where: Predicate = rows_where(masked, reader, "", (first, last))
    if re.search(r"\bpercent|%", masked.text, re.IGNORECASE):
        gap, label = _in_percent(gap, ref_of(masked, first)), f"{label} in percent"
        where = AllOf(of=(where, Compare(op="!=", left=ref_of(masked, first), right=_number(0))))
    query = Query(
        source=masked.table.name,
        where=where,
        columns=(Output(label=entity, expr=ref_of(masked, entity)), Output(label=label, expr=gap)),
        order=(Order(by=label, descending=said.group("low") is None),),
        limit=1,
        ties=True,
    )
    return query, f"{entity} by the {label} from {first} to {last}", (entity,)


def column_change(masked: Masked, reader: Reader) -> Found:
    """ "What is the percentage increase in passengers of Alder Quay from 2006 to 2011?" """
    said = _OF_ONE.search(masked.masked)
    if said is None or _YEARLY.search(masked.text) or re.search(rf"\b(?:{HIGH}|{LOW})\b", masked.text, re.IGNORECASE):
        return None
    if re.search(r"\b(?:which|who|how many \w+ (?:had|saw|have))\b|\bexpected?\b|\bif\b", masked.text, re.IGNORECASE):
        return None
    first, last = (masked.column(mark) for mark in said.groups()[-2:])
    named = _named_row(masked, reader)
    if named is None or first == last or not (masked.numeric(first) and masked.numeric(last)):
        return None
    gap = _change(masked, first, last, down=bool(_DOWN.search(said.group("way"))))
    label, unit = "change", None
    if _PERCENT.search(masked.text):
        gap, label, unit = _in_percent(gap, ref_of(masked, first)), "change in percent", "%"
    query = Query(source=masked.table.name, where=named, columns=(Output(label=label, expr=gap, unit=unit),))
    return query, f"{label} from {first} to {last}", (label,)


def _named_row(masked: Masked, reader: Reader) -> Predicate | None:
    """The one stored value that the question names, as a test."""
    found: dict[str, str] = {}
    for item in tag(masked.text, reader.lexicon).items:
        hit = next((v for v in item.values if v.table == masked.table.name and v.score >= _SURE_VALUE), None)
        if hit is not None and not item.names:
            found[hit.column] = hit.value
    if len(found) != 1:
        return None
    column, value = next(iter(found.items()))
    return Compare(op="=", left=ColumnRef(table=masked.table.name, column=column), right=Constant(value=value))


def _change(masked: Masked, first: str, last: str, *, down: bool) -> Expr:
    start, end = ref_of(masked, first), ref_of(masked, last)
    return Arithmetic(op="-", left=start, right=end) if down else Arithmetic(op="-", left=end, right=start)


def _in_percent(gap: Expr, start: Expr) -> Expr:
    return Arithmetic(op="*", left=Arithmetic(op="/", left=gap, right=start), right=_number(100))


def _number(value: float) -> Constant:
    return Constant(value=value, type="number")
