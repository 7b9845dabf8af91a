"""How far apart two rows are that are named by their rank: "the difference in height between the tower with the most
floors and the one with the fewest", "how many more points did the artist with the most have than the second-highest".
"""

from __future__ import annotations

import re

from apps.analyst.language.readers.arithmetic_figures import Reader
from apps.analyst.language.readers.arithmetic_shared import HIGH, LOW, ref_of, rows_where
from apps.analyst.language.readers.statistics_mentions import MARK, Masked, mask
from apps.analyst.language.reading import Reading
from apps.analyst.plan import Arithmetic, Call, ColumnRef, Combine, NamedQuery, Order, Output, Query

SURE = 0.985
_RANKED = re.compile(rf"\b(?:(?P<place>second|third|2nd|3rd)[\s-]+)?(?P<end>{HIGH}|{LOW})\s+(?:\w+\s+)?{MARK}", re.I)
_PLACES = {"second": 1, "2nd": 1, "third": 2, "3rd": 2}
_DIFFERENCE = re.compile(rf"\bdifference\s+in\s+(?:\w+\s+){{0,2}}?{MARK}[^⟨⟩]{{0,20}}?\bbetween\b(?P<rest>[^?]+)", re.I)
_MORE = re.compile(
    rf"\bhow\s+(?:many|much)\s+(?:more|fewer|less|higher|lower|larger)\s+{MARK}\s+(?:did|does|do|was|is|had|has)\b(?P<rest>[^?]+)",
    re.I,
)
_PARTED = re.compile(r"\band\b|\bthan\b|\bcompared\s+(?:to|with)\b", re.I)


def gap_of_ranked(text: str, reader: Reader) -> Reading | None:
    """The difference of one figure between two rows that are each the first (second, third) by a figure."""
    for masked in mask(text, "", reader.lexicon)[:1]:
        said = _DIFFERENCE.search(masked.masked) or _MORE.search(masked.masked)
        sides = _PARTED.split(said.group("rest"), maxsplit=1) if said else []
        if said is None or len(sides) != 2:
            return None
        measure = masked.column(said.group(1))
        rows = [_row(side, measure, masked, reader) for side in sides]
        one, other = rows
        if one is None or other is None or one == other or not masked.numeric(measure):
            return None
        gap = Call(name="abs", args=(Arithmetic(op="-", left=_part("a"), right=_part("b")),))
        parts = (NamedQuery(label="a", query=one), NamedQuery(label="b", query=other))
        words = f"difference in {measure} between two rows by their rank"
        plan = Combine(parts=parts, outputs=(Output(label="difference", expr=gap),))
        return Reading(plan=plan, score=SURE, understood=(words,), reader="arithmetic", wording=words)
    return None


def _row(side: str, measure: str, masked: Masked, reader: Reader) -> Query | None:
    """The figure of the row that one side of the comparison ranks, or None where it ranks none."""
    said = _RANKED.search(side)
    if said is None or re.search(r"\baverage\b|\bmean\b|\btop\s+\d", side, re.I):
        return None
    key = masked.column(said.group(3))
    if not masked.numeric(key):
        return None
    descending = re.fullmatch(HIGH, said.group("end"), re.I) is not None
    return Query(
        source=masked.table.name,
        where=rows_where(masked, reader, "", tuple(dict.fromkeys((measure, key)))),
        columns=(Output(label="figure", expr=ref_of(masked, measure)),),
        order=(Order(by=ref_of(masked, key), descending=descending),),
        limit=1,
        offset=_PLACES.get((said.group("place") or "").casefold(), 0),
    )


def _part(label: str) -> ColumnRef:
    return ColumnRef(table="", column=label)
