"""Figures over the first n rows: "the average height of the five tallest buildings"."""

from __future__ import annotations

import re

from apps.analyst.language.morphology import keys
from apps.analyst.language.names import split
from apps.analyst.language.readers.arithmetic_figures import Reader
from apps.analyst.language.readers.arithmetic_shared import HIGH, LOW, Found, ref_of, rows_where
from apps.analyst.language.readers.statistics_mentions import MARK, Masked
from apps.analyst.language.vocabulary import vocabulary
from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    ColumnRef,
    Order,
    Output,
    Query,
)

# ---------------------------------------------------------------- figures over the first n rows
_TOP = re.compile(
    rf"\b(?P<fn>average|mean|total|sum|combined|median)\b(?:\s+(?:number|amount|value)s?)?(?:\s+of)?\s+(?:the\s+"
    rf")?(?:\w+\s+)?{MARK}(?P<between>[^?]*?)"
    r"\b(?P<end>top|bottom)\s+(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten)\b(?!\s+(?:years?|months?"
    r"|days?|weeks?|rounds?|games?)\b)(?P<rest>[^?]*)",
    re.IGNORECASE,
)


_SPLIT = re.compile(r"\b(?:per|by|for (?:each|every)|in each|each)\b\s+(?!the\s*$|$)", re.IGNORECASE)
"""A figure of each of several things ("average height per country, top 5"): the things are ranked, not rows."""


_COUNTS = {
    w: i for i, w in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=2)
}


_FNS: dict[str, AggregateName] = {
    "average": "avg",
    "mean": "avg",
    "total": "sum",
    "sum": "sum",
    "combined": "sum",
    "median": "median",
}


def top_figure(masked: Masked, reader: Reader) -> Found:
    """ "The average m of the top 5 e (by k)": the aggregate over a limited listing."""
    said = _TOP.search(masked.masked)
    if said is None or re.search(
        r"\bdifference\b|\bcompared\b|\bhow (?:many|much) more\b", masked.masked, re.IGNORECASE
    ):
        return None
    measure = masked.column(said.group(2))
    if _SPLIT.search(said.group("between")):
        return None
    if not masked.numeric(measure):
        return None
    count = _COUNTS.get(said.group("n").casefold()) or int(said.group("n"))
    ranking = _ranking(masked, said.group("rest"), measure)
    if ranking is None:
        return None
    key, rising = ranking
    if said.group("end").casefold() == "bottom":
        rising = not rising
    plain = re.sub(r"\b(?:top|bottom)\s+(?:\d+|[a-z]+)\b", "", masked.text, flags=re.IGNORECASE)
    plain = re.sub(rf"\b(?:ranked\s+)?by\s+(?:their\s+|the\s+)?{re.escape(key)}\b", "", plain, flags=re.IGNORECASE)
    where = rows_where(
        masked, reader, re.split(r"\branked by\b|\bwith the (?:highest|most|lowest)\b|\bby\b", plain)[0], (measure, key)
    )
    inner = Query(
        source=masked.table.name,
        where=where,
        columns=(Output(label=measure, expr=ref_of(masked, measure)), Output(label="order", expr=ref_of(masked, key))),
        order=(Order(by="order", descending=not rising),),
        limit=count,
    )
    fn = _FNS[said.group("fn").casefold()]
    label = f"{said.group('fn').capitalize()} {measure}"
    query = Query(
        source=inner, measures=(Output(label=label, expr=Aggregate(fn=fn, of=ColumnRef(table="", column=measure))),)
    )
    return query, f"{label} of the {count} rows {'lowest' if rising else 'highest'} by {key}", ()


def _ranking(masked: Masked, rest: str, measure: str) -> tuple[str, bool] | None:
    """What the first n are chosen by, and whether small comes first; None where ranks are written as texts."""
    by = re.search(
        rf"\b(?:ranked\s+)?by\s+(?:their\s+|the\s+)?{MARK}|\bwith\s+the\s+(?:{HIGH}|{LOW})\s+(?:\w+\s+)?{MARK}"
        rf"|\bhad\s+the\s+{HIGH}\s+{MARK}|\blost\s+the\s+most\s+(?:\w+\s+)?(?:in\s+)?{MARK}",
        rest,
        re.IGNORECASE,
    )
    rank = next((c.name for c in masked.table.columns if c.name.strip(". ").casefold() in _RANKS), None)
    if by:
        name = masked.column(next(g for g in by.groups() if g is not None))
        rising = bool(re.search(rf"\bwith\s+the\s+{LOW}", rest, re.IGNORECASE)) or name == rank
        return (name, rising) if masked.numeric(name) else (measure, False)
    told = re.findall(r"[A-Za-z]+", rest)[:6]
    if any(word.casefold() in _SUPERLATIVES or _measured_by(masked, word) for word in told):
        return next((found for word in told if (found := _measured_by(masked, word)) is not None), None)
    if rank is not None:
        return (rank, True) if masked.numeric(rank) else None
    return measure, False


def _measured_by(masked: Masked, word: str) -> tuple[str, bool] | None:
    """The column that a superlative measures ("tallest": height), and whether it wants the small end."""
    adjective = vocabulary().adjective(keys(word))
    if adjective is None or not word.endswith("st"):
        return None
    for wanted in adjective.of:
        for column in masked.table.columns:
            if keys(wanted) & frozenset(form for part in split(column.name) for form in keys(part)) and masked.numeric(
                column.name
            ):
                return column.name, adjective.direction(wanted, moment=False) == "asc"
    return None


_SUPERLATIVES = frozenset(
    [
        "most",
        "highest",
        "largest",
        "biggest",
        "greatest",
        "lowest",
        "smallest",
        "least",
        "fewest",
        "best",
        "worst",
        "longest",
        "shortest",
    ]
)


_RANKS = frozenset(["rank", "ranking", "rk", "#", "place", "placing", "position", "pos", "finish", "standing"])
