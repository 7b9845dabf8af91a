"""What one column means: its kind, how it adds up, its unit, and what its values say. Rows are the matter of `rows`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from apps.analyst.dictionary.names import expanded, unit_of, words_of
from apps.analyst.dictionary.tied import ADDING, ALL_TRADES, SURE, Trades, of_trade, tied
from apps.analyst.dictionary.types import Adds, Concepts, Kind
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.entries import Kind as ConceptKind
from apps.analyst.knowledge.folding import folded, plain, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.tables.role_words import MEASURE_WORDS, ORDINAL_WORDS
from apps.analyst.tables.roles import MAX_ORDINAL, unit_in_name
from apps.analyst.tables.words import CURRENCY_CODES, CURRENCY_SIGNS, UNIT_WORDS
from apps.analyst.types import Column

_CERTAIN = 0.95
"""And before the words of its name from this confidence on."""
MOST_CODES = 40
"""A column of more different values holds no codes."""
_STEM = 4
"""Letters that a flag and the word for its state share: "return", "returned"."""
_LONGEST_CODE, _SHORTEST_WORD = 5, 3
_FIGURES: frozenset[ConceptKind] = frozenset(
    ("amount", "count", "price", "rate", "score", "duration", "stock", "share", "measure")
)
_MONEY: frozenset[ConceptKind] = frozenset(("amount", "price"))
_FITTING: Mapping[str, frozenset[ConceptKind]] = {
    "number": _FIGURES | {"id", "flag", "time", "category"},
    "text": frozenset(("thing", "name", "id", "flag", "status", "category", "place", "text", "score", "time")),
    "date": frozenset(("date", "time")),
    "flag": frozenset(("flag", "status")),
}
_UNFIT = 0.45
"""What is left of a score where a column's type speaks against the concept."""
_PRICED = re.compile(r"[(\[][^()\[\]]*[$€£¥₹][^()\[\]]*[)\]]")
"""A currency in brackets, with the magnitude beside it: "(£k)"."""
_SCALE = re.compile(r"[(\[]\s*\d+\s*(?:-|–|to|/)\s*\d+\s*[)\]]")
"""The ends of a scale in a name: "(1-5)"."""
_ZONE = re.compile(r"[(\[]\s*(?:UTC|GMT|[A-Z]{1,3}[DS]T)\s*[)\]]")
"""A time zone in a name: "Created (UTC)"."""
_MOST_MARKS, _SENTENCE = 11, 6
_TIMES = frozenset(
    ("min", "mins", "minute", "minutes", "h", "hr", "hrs", "hours", "sec", "secs", "seconds", "ms", "day", "days")
)
_PERIOD = re.compile(
    r"\d{4}[-/ ]?(?:Q[1-4]|W?\d{1,2}|[A-Z][a-z]{2})|(?:Q[1-4]|[A-Z][a-z]{2,8})[-/ ]?\d{4}|\d\d?:\d\d(?::\d\d)?"
)


@dataclass(frozen=True, slots=True)
class Named:
    """A column with its name in words and the concepts that it may be."""

    column: Column
    words: tuple[str, ...]
    unit: str | None
    concepts: Concepts

    @property
    def label(self) -> str:
        """The name as people read it."""
        return " ".join(self.words)

    @property
    def sure(self) -> ConceptKind | None:
        """The kind of the concept, where that is sure."""
        return knowledge().concepts[self.concepts[0][0]].kind if self.tied else None

    @property
    def tied(self) -> tuple[ConceptKind, ...]:
        """The kinds of all the concepts that the name fits best, where one fits surely: a fee is a price of tickets in
        one trade and an amount in four, and is averaged only where all of them say so."""
        return tied(self.concepts) if self.concepts and self.concepts[0][1] >= SURE else ()


def named(column: Column, neighbours: tuple[str, ...], shares: Trades) -> Named:
    """A column's name in words, its unit and its concepts, beside the names of the table and of its columns."""
    bare = _ZONE.sub("", _SCALE.sub("", _PRICED.sub("", column.name)))
    said = expanded(bare, neighbours) or (plain(column.name) or column.name.strip(),)
    stated = unit_of(column.name)
    if len(said) > 1 and stated is not None and stated not in _TIMES and words_of(column.name)[-1:] == (stated,):
        size = len(expanded(stated)) or 1
        said = said if stated in ("pct", "percent") else said[:-size] or said
    concepts = _concepts(column, said, shares)
    if column.role != "id" and concepts and knowledge().concepts[concepts[0][0]].kind not in _FITTING[_sort(column)]:
        said, concepts = _respelled(column, said, concepts, shares)
    return Named(column, said, _unit(column, stated), of_trade(concepts, shares) if _is_figure(column) else concepts)


def _respelled(
    column: Column, said: tuple[str, ...], concepts: Concepts, shares: Trades
) -> tuple[tuple[str, ...], Concepts]:
    """The name with its last word spelled out in another way, where only that goes with the column's type: a figure
    named `CALL_CST` is a cost, no customer."""
    token = words_of(column.name)[-1:]
    choices = knowledge().expansions(token[0]) if token else ()
    taken = next((tuple(full.split()) for full in choices if said[-len(full.split()) :] == tuple(full.split())), None)
    if taken is None:
        return said, concepts
    for full in choices:
        spelled = (*said[: -len(taken)], *full.split())
        found = _concepts(column, spelled, shares)
        if found and found[0][1] >= _CERTAIN:
            return spelled, found
    return said, concepts


def _unit(column: Column, stated: str | None) -> str | None:
    """The unit of a column, as `Column.unit` has it; `stated` is what its name says."""
    unit = column.unit or unit_in_name(column.name)
    if unit is not None or stated is None or not _is_figure(column):
        return unit
    return CURRENCY_SIGNS.get(stated) or UNIT_WORDS.get(stated) or ("%" if stated in ("%", "pct", "percent") else None)


def kind_of(named: Named) -> Kind:
    """What the column is for."""
    column, sure = named.column, named.sure
    if column.type in ("date", "datetime") or column.role == "time":
        return "time"
    if is_flag(named):
        return "flag"
    if column.role == "text":
        return "text"
    if column.role == "id":
        return "identifier"
    if column.type == "text":
        if sure == "id" and column.unique:
            return "identifier"
        return "time" if _are_periods(column) else "dimension"
    if column.type == "boolean":
        return "flag"
    if sure == "time" or _is_ordinal(named):
        return "dimension"
    if column.role == "measure":
        return "identifier" if sure == "id" and column.type == "integer" and not _plural(named) else "measure"
    return "measure" if sure in _FIGURES and sure not in ("measure", "duration") else "dimension"


def is_flag(named: Named) -> bool:
    """Whether the column only says whether something is so."""
    column = named.column
    if column.type == "boolean":
        return True
    if not column.values_complete or not 1 <= len(column.values) <= 2 or column.type not in ("text", "integer"):
        return False
    said = {value.value.strip().casefold() for value in column.values}
    if not said <= english().affirmed | english().denied:
        return False
    if column.type == "integer":
        meant = column.role == "dimension" or named.sure == "flag" or named.words[0] in words().flagging
        return said <= {"0", "1"} and meant and not _plural(named)
    return len(said) == 2 or column.missing > 0 or named.sure == "flag" or named.words[0] in words().flagging


def adds_of(named: Named) -> Adds:
    """How a measure may be aggregated: by its values, the words of its name and its concept."""
    said = [singular(word) for word in named.words if not word.isdigit()] or list(named.words)
    if said[0] in words().counting:
        return "sum"
    if named.unit == "%" or _is_scale(named) or _is_fraction(named.column) or _any(named.words, words().typical):
        return "average"
    if _any(said, words().lasting):
        return "last"
    while len(said) > 1 and said[-1].endswith("ed"):
        said = said[:-1]
    if _ends(said, words().averaged):
        return "average"
    if _ends(said, words().adding):
        return "sum"
    certain = bool(named.concepts) and named.concepts[0][1] >= _CERTAIN
    if _ends(said, words().leaning) and not (certain and named.sure in ("amount", "count")):
        return "average"
    ways = [ADDING.get(kind, "sum") for kind in named.tied] or ["sum"]
    return ways[0] if len(set(ways)) == 1 or ways[0] != "average" else "sum"


def is_money(named: Named) -> bool:
    """Whether a measure is money."""
    return named.unit in CURRENCY_CODES or (named.unit is None and named.sure in _MONEY)


def says_of(named: Named, kind: Kind, trade: Sequence[str]) -> Mapping[str, str]:
    """What the values of a flag or of codes mean."""
    if kind == "flag":
        return _flag_says(named)
    column = named.column
    if kind not in ("dimension", "time") or not column.values_complete or len(column.values) > MOST_CODES:
        return {}
    codes = [value.value for value in column.values if _is_code(value.value)]
    found = {code: meaning for code in codes if (meaning := _meaning(code, named, trade)) is not None}
    if 2 * len(found) < len(codes):
        return {}
    return {code: meaning for code, meaning in found.items() if folded(meaning) != folded(code)}


def state_of(named: Named) -> str:
    """What a flag says where it is set: "returned" for `is_returned` and `RTN_FLG`."""
    said = list(named.words)
    while len(said) > 1 and said[0] in words().flagging:
        said = said[1:]
    while len(said) > 1 and said[-1] in words().flagging:
        said = said[:-1]
    state = " ".join(said)
    known = (*knowledge().states_flagged(state), *knowledge().states_flagged(f"is {state}"))
    alike = (word for found in known for word in found.words if " " not in word and word[:_STEM] == state[:_STEM])
    return next((word for word in alike if singular(word) != state), state)


def _flag_says(named: Named) -> Mapping[str, str]:
    state = state_of(named)
    values = [value.value for value in named.column.values] or ["true", "false"]
    return {
        value: state if value.strip().casefold() in english().affirmed else f"not {state}"
        for value in values
        if value.strip().casefold() in english().affirmed | english().denied
    }


def _is_code(value: str) -> bool:
    """Whether a value looks like one that stands for something longer."""
    return 0 < len(value) <= _LONGEST_CODE and (value.upper() == value or len(value) <= _SHORTEST_WORD)


def _meaning(code: str, named: Named, neighbours: Sequence[str]) -> str | None:
    """What a code stands for: as a known code, or as a shortened word in a column of states ("CXL")."""
    known = knowledge().code(code, named.words)
    if known is not None and len(code) == 1:
        # Grades of loans are none of students: single letters are only believed within their trade.
        of = named.concepts[0][0].partition(".")[0] if named.concepts else ""
        return known if _trades_of_codes().get((code.casefold(), known), set()) & {of, *ALL_TRADES} else None
    if known is not None or named.sure not in ("status", "flag") or not code.isalpha():
        return known
    shortened = knowledge().expansions(code.casefold())
    return (
        " ".join(expanded(code, tuple(neighbours))) if shortened and code.casefold() not in knowledge().spoken else None
    )


@cache
def _trades_of_codes() -> Mapping[tuple[str, str], set[str]]:
    """The trades that know a code with a meaning."""
    found: dict[tuple[str, str], set[str]] = {}
    for codes in knowledge().codes:
        for code, meaning in codes.values.items():
            found.setdefault((code.strip().casefold(), meaning), set()).add(codes.domain)
    return found


def _concepts(column: Column, said: tuple[str, ...], shares: Trades) -> Concepts:
    """The concepts that the name fits, those that the type speaks against further down."""
    sort = _sort(column)
    fitting = _FITTING[sort]
    undated = sort == "date" and not _any([singular(word) for word in said], words().dated)
    asked = (*said, "date") if undated and not knowledge().is_header(said) else said
    scored = {
        concept: round(score if kind in fitting else score * _UNFIT, 3)
        for concept, kind, score in _known(asked, shares) or _known(said, shares)
    }
    return tuple(sorted(scored.items(), key=lambda entry: -entry[1]))


@lru_cache(maxsize=8192)
def _known(said: tuple[str, ...], shares: Trades) -> tuple[tuple[str, ConceptKind, float], ...]:
    return tuple((concept.id, concept.kind, score) for concept, score in knowledge().named(said, dict(shares)))


def _sort(column: Column) -> str:
    if column.type in ("date", "datetime"):
        return "date"
    if column.type == "boolean":
        return "flag"
    return "text" if column.type == "text" else "number"


def _plural(named: Named) -> bool:
    """Whether the name says that it counts several: "children", "returns"."""
    last = words_of(named.column.name)[-1:]
    return last != tuple(map(singular, last))


def _is_figure(column: Column) -> bool:
    return column.type in ("integer", "decimal", "float") and column.role == "measure"


def _are_periods(column: Column) -> bool:
    """Whether texts are months, quarters or times of day."""
    first = [value.value for value in column.values[:8]]
    return bool(first) and all(_PERIOD.fullmatch(value.strip()) for value in first)


def _is_ordinal(named: Named) -> bool:
    """Whether small whole numbers tell things apart: floors, positions."""
    most = named.column.maximum
    ordinal = named.column.type == "integer" and isinstance(most, int) and most <= MAX_ORDINAL
    return ordinal and named.words[-1] in ORDINAL_WORDS and not MEASURE_WORDS.intersection(named.words)


def _is_scale(named: Named) -> bool:
    """Whether people marked something: "Interest (1-5)", or a whole sentence with few marks."""
    column = named.column
    few = column.type == "integer" and column.values_complete and 1 < column.distinct <= _MOST_MARKS
    return _SCALE.search(column.name) is not None or (few and len(named.words) >= _SENTENCE)


def _is_fraction(column: Column) -> bool:
    """Whether all values lie between 0 and 1 and are not only these."""
    low, high = column.minimum, column.maximum
    if column.distinct <= 2 or not isinstance(low, float | Decimal) or not isinstance(high, float | Decimal):
        return False
    return low >= 0 and high <= 1


def _any(said: Sequence[str], phrases: frozenset[str]) -> bool:
    joined = f" {' '.join(said)} "
    return any(word in phrases for word in said) or any(f" {p} " in joined for p in _long(phrases))


def _ends(said: Sequence[str], phrases: frozenset[str]) -> bool:
    return said[-1] in phrases or " ".join(said[-2:]) in phrases


@lru_cache(maxsize=64)
def _long(phrases: frozenset[str]) -> tuple[str, ...]:
    return tuple(phrase for phrase in phrases if " " in phrase)
