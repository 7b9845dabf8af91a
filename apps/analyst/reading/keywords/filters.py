"""Definitions that say which rows are meant: "region is DE, FR, UK", "stage not closed", "amount over 10,000".

Columns and values are looked up in the catalog; a definition with a column or value that is not there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from apps.analyst.language.morphology import fold, keys
from apps.analyst.language.values import value_key
from apps.analyst.plan import (
    AllOf,
    Among,
    AnyOf,
    ColumnRef,
    Compare,
    Constant,
    Missing,
    Predicate,
    TextMatch,
)
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import spoken, thing
from apps.analyst.types import Column, Table

_LEAD = re.compile(
    r"^(?:(?:all|any|every|each|the|a|an|our|those|rows?|records?) )*(?:[\w-]+ ){0,3}?"
    r"(?:where|whose|which|that|with|having|for which|in which)(?: the| a| an| their| its)? (?:have |has )?",
    re.IGNORECASE,
)
_NOT = (
    r"(?:is not one of|is none of|is not in|are not in|not in|is not|are not|isn't|aren't|does not equal|!=|<>|≠|not)"
)
_IS = r"(?:is one of|is either|are one of|is in|are in|is|are|equals|in|==|=|:)"
_OPS: tuple[tuple[str, str], ...] = (
    (r">=|≥|at least|is at least|of at least|no less than", ">="),
    (r"<=|≤|at most|is at most|of at most|up to|no more than", "<="),
    (r">|over|above|more than|greater than|is over|is above|is more than|is greater than|exceeds", ">"),
    (r"<|under|below|less than|fewer than|is under|is below|is less than", "<"),
)
_COMPARE = "|".join(f"(?P<op{i}>{pattern})" for i, (pattern, _) in enumerate(_OPS))
_COLUMN = r"(?:the )?(?P<column>[^\W\d_][\w %/&()-]*?)"
_CLAUSES = (
    re.compile(rf"{_COLUMN}\s*(?:{_COMPARE})\s*(?P<number>[$€£]?\s*[\d.,]+\s*(?:%|k|m|bn|thousand|million)?)", re.I),
    re.compile(rf"{_COLUMN}\s+(?:is |are )?(?P<missing>not (?:empty|missing|null|blank|set|given|filled in)|filled in|"
               r"empty|missing|null|blank|unknown)", re.I),
    re.compile(rf"{_COLUMN}\s+(?P<match>contains|starts with|begins with|ends with|includes)\s+(?P<text>.+)", re.I),
    re.compile(rf"{_COLUMN}\s*(?P<negated>{_NOT})\s*(?P<values>.+)", re.I),
    re.compile(rf"{_COLUMN}\s*{_IS}\s*(?P<values>.+)", re.I),
)  # fmt: skip
_AND = re.compile(r"\s+(and|or|but)\s+(?=(?:the )?[^\W\d_][\w %]*?\s*(?:\bis\b|\bare\b|\bnot\b|=|<|>|!|≥|≤|\bover\b|"
                  r"\bunder\b|\babove\b|\bbelow\b|\bcontains\b|\bin\b|\bat (?:least|most)\b))", re.I)  # fmt: skip
_POWERS = {"k": 3, "thousand": 3, "m": 6, "million": 6, "bn": 9}


@dataclass(frozen=True, slots=True)
class Rows:
    """A predicate over one table's rows."""

    table: str
    predicate: Predicate


def rows_of(text: str, catalog: Catalog, near: frozenset[str] = frozenset()) -> Rows | None:
    """The rows that a definition means, else None. Tables of `near` are looked at first."""
    texts = list(dict.fromkeys((text, _LEAD.sub("", text, count=1))))
    tables = sorted(catalog.tables(), key=lambda table: table.name not in near)
    for table in tables:
        for said in texts:
            predicate = _predicate(said, table)
            if predicate is not None:
                return Rows(table.name, predicate)
    return None


def _predicate(text: str, table: Table) -> Predicate | None:
    pieces = _AND.split(text.strip())
    parts = [_clause(piece.strip(" ,"), table) for piece in pieces[::2]]
    if any(part is None for part in parts):
        return None
    joints = {joint.lower() for joint in pieces[1::2]}
    known = tuple(part for part in parts if part is not None)
    if len(known) == 1:
        return known[0]
    if joints <= {"and", "but"}:
        return AllOf(of=known)
    return AnyOf(of=known) if joints == {"or"} else None


def _clause(text: str, table: Table) -> Predicate | None:
    for pattern in _CLAUSES:
        found = pattern.fullmatch(text)
        column = column_called(found["column"], table) if found is not None else None
        if found is None or column is None:
            continue
        made = _test(found.groupdict(), column, ColumnRef(table=table.name, column=column.name))
        if made is not None:
            return made
    return None


def _test(groups: dict[str, str | None], column: Column, of: ColumnRef) -> Predicate | None:
    if groups.get("number") is not None:
        value = _number(groups["number"] or "")
        op = next(op for i, (_, op) in enumerate(_OPS) if groups.get(f"op{i}"))
        if value is None or column.type not in ("integer", "decimal", "float"):
            return None
        return Compare(op=op, left=of, right=Constant(value=value, type="number"))
    if groups.get("missing") is not None:
        return Missing(of=of, negated=(groups["missing"] or "").lower().startswith(("not", "filled")))
    if groups.get("match") is not None:
        op = {"s": "starts", "b": "starts", "e": "ends"}.get((groups["match"] or "")[0].lower(), "contains")
        return TextMatch(op=op, of=of, value=(groups["text"] or "").strip("\"'“” "))
    return _among(groups["values"] or "", column, of, negated=groups.get("negated") is not None)


def _among(text: str, column: Column, of: ColumnRef, *, negated: bool) -> Predicate | None:
    """The column holds one of the listed values; a missing value is none of them."""
    said = [part.strip(" \"'“”.") for part in re.split(r",|;|/|\bor\b|\band\b|\bnor\b", text)]
    said = [re.sub(r"^(?:the|either|neither) ", "", part) for part in said if part]
    if not said:
        return None
    if column.type in ("integer", "decimal", "float"):
        numbers = [_number(part) for part in said]
        if any(number is None for number in numbers):
            return None
        values = tuple(Constant(value=number, type="number") for number in numbers)
    elif column.type == "boolean":
        truths = [_TRUTH.get(part.casefold()) for part in said]
        if len(truths) != 1 or truths[0] is None:
            return None
        values = (Constant(value=truths[0], type="boolean"),)
    else:
        stored = _stored(said, column)
        if stored is None:
            return None
        values = tuple(Constant(value=value) for value in stored)
    test = Among(of=of, values=values, negated=negated)
    if negated and column.missing:
        return AnyOf(of=(test, Missing(of=of)))
    return test if negated or len(values) > 1 else Compare(op="=", left=of, right=values[0])


_TRUTH = {"yes": True, "true": True, "y": True, "1": True, "no": False, "false": False, "n": False, "0": False}


def _stored(said: Sequence[str], column: Column) -> list[str] | None:
    """The stored values that are meant, in order: the very ones, else those that hold the words ("closed"). What the
    column does not hold now is kept as it is said where others are found; None where none is."""
    known = {value_key(value.value): value.value for value in column.values}
    made: list[str] = []
    hits = 0
    for part in said:
        key = value_key(part)
        held = [known[key]] if key in known else _holding(key, column)
        hits += bool(held)
        made += held or [part]
    listed = len(said) > 1 or not column.values_complete
    return list(dict.fromkeys(made)) if hits == len(said) or (listed and hits) else None


def _holding(key: str, column: Column) -> list[str]:
    wanted = [keys(word) for word in key.split()]
    return [
        value.value
        for value in column.values
        if wanted and all(any(form & keys(word) for word in value_key(value.value).split()) for form in wanted)
    ]


def column_called(words: str, table: Table) -> Column | None:
    """The table's column of that name: as written, as said, or the only one whose name ends so."""
    said = fold(words).replace("_", " ").strip()
    said = re.sub(r"^(?:the|its|their|an?) ", "", said)
    ways = [(column, set(_ways(column, table))) for column in table.columns]
    exact = [column for column, known in ways if said in known]
    if exact:
        return exact[0]
    forms = [keys(word) for word in said.split()]
    near = [
        column for column in table.columns if _ends(fold(spoken(column.name)).split(), forms) and column.role != "id"
    ]
    return near[0] if len(near) == 1 else None


def _ends(words: list[str], forms: list[frozenset[str]]) -> bool:
    tail = words[-len(forms) :] if forms else []
    return bool(forms) and len(tail) == len(forms) and all(keys(w) & f for w, f in zip(tail, forms, strict=True))


def _ways(column: Column, table: Table) -> Iterator[str]:
    for name in (column.name, spoken(column.name), thing(column.name, table.name)):
        yield fold(name)
        yield fold(name).replace("_", " ")


def _number(text: str) -> int | float | None:
    found = re.fullmatch(r"[$€£]?\s*([\d.,]+)\s*(%|k|m|bn|thousand|million)?", text.strip(), re.IGNORECASE)
    if found is None:
        return None
    try:
        value = Decimal(found[1].replace(",", "")).scaleb(_POWERS.get((found[2] or "").lower(), 0))
    except InvalidOperation:
        return None
    return int(value) if value == value.to_integral_value() else float(value)
