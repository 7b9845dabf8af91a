"""Which rows a statistical brief is about: comparisons beside a column's name, and stored values that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers.statistics_mentions import MARK, Masked
from apps.analyst.language.readers.statistics_steps import sentences
from apps.analyst.language.tagging import tag
from apps.analyst.plan import Among, Between, ColumnRef, Compare, Constant, Predicate
from apps.analyst.plan.conditions import together
from apps.analyst.types import Column

_RULES = re.compile(
    r"\boutliers?\b|\bp[\s-]?value|\bz[\s-]?score|\bcoefficient|\bskewness\b|\bsignifican|\bthreshold|\bIQR\b"
    r"|\bpercentile"
    r"|\bcategori[sz]|\breplace|\bround|\bformula\b",
    re.IGNORECASE,
)
_NUM = r"[$€£]?(-?\d[\d,]*(?:\.\d+)?)(?:\s?%)?"
_COMPARED = re.compile(
    rf"{MARK}\s*\)?\s*(?:(?:is|are|was|were|being|values?|of|that|which|has|have|with|column|be|exactly)\s+)*"
    r"(?P<op>equal(?:s|ed)?\s+to|equals|==|=|(?:greater|more|higher|larger|older|longer)\s+than(?:\s+or\s+equal\s+to)?"
    r"|(?:less|lower|fewer|smaller|younger|shorter)\s+than(?:\s+or\s+equal\s+to)?|above|over|exceed(?:s|ing)"
    r"|below|under"
    r"|at\s+least|at\s+most|not\s+equal\s+to|>=|<=|>|<)\s*" + _NUM
)
_BEFORE_NAME = re.compile(
    rf"\b(?P<op>more than|over|at least|fewer than|less than|at most|under|exactly)\s+{_NUM}\s+{MARK}", re.IGNORECASE
)
_RANGE = re.compile(rf"{MARK}\s*(?:is\s+|are\s+|was\s+)?(?:between|from)\s+{_NUM}\s+(?:and|to)\s+{_NUM}", re.IGNORECASE)
_YEARS = re.compile(r"\b(?:from|between)\s+(\d{4})\s+(?:to|and|through)\s+(\d{4})\b", re.IGNORECASE)
_LEADS = re.compile(
    r"\b(?:in|for|from|where|of|with|by|only|among|is|are|within|at|on|the|against|using|consider\w*)\s+"
    r"(?:the\s+|all\s+)?[\"“'‘]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Filters:
    """The tests that rows must pass, and what was understood of them in words."""

    tests: tuple[Predicate, ...] = ()
    words: tuple[str, ...] = ()
    columns: frozenset[str] = frozenset()

    @property
    def where(self) -> Predicate | None:
        """All tests as one predicate."""
        return together(self.tests)


def read_filters(masked: Masked, lexicon: Lexicon, skip: frozenset[str] = frozenset()) -> Filters:
    """The filters of the question, and of constraints that say "only". `skip` names columns that are compared, not
    filtered."""
    tests: dict[str, tuple[Predicate, str, str]] = {}
    for start, sentence in sentences(masked.masked):
        constraint = start >= masked.cut
        if constraint and not re.search(r"\bonly\b|\bfilter|\bwhere\b", sentence, re.IGNORECASE):
            continue
        if _RULES.search(sentence) and (constraint or re.search(r"\bif\b|\bdefine", sentence)):
            continue
        for predicate, column, words in _comparisons(sentence, masked):
            tests.setdefault(words, (predicate, column, words))
        for predicate, column, words in _values(sentence, masked, lexicon):
            tests.setdefault(words, (predicate, column, words))
    kept = [entry for entry in tests.values() if entry[1] not in skip]
    return Filters(
        tuple(entry[0] for entry in kept), tuple(entry[2] for entry in kept), frozenset(entry[1] for entry in kept)
    )


Test = tuple[Predicate, str, str]


def _comparisons(sentence: str, masked: Masked) -> list[Test]:
    found: list[Test] = []
    for match in _COMPARED.finditer(sentence):
        found.append(_compare(masked, match.group(1), match.group("op"), match.group(match.lastindex or 0)))
    for match in _BEFORE_NAME.finditer(sentence):
        found.append(_compare(masked, match.group(3), match.group("op"), match.group(2)))
    for match in _RANGE.finditer(sentence):
        name = masked.column(match.group(1))
        low, high = _float(match.group(2)), _float(match.group(3))
        ref = ColumnRef(table=masked.table.name, column=name)
        test = Between(of=ref, low=Constant(value=low, type="number"), high=Constant(value=high, type="number"))
        found.append((test, name, f"{name} from {low:g} to {high:g}"))
    years = _YEARS.search(sentence)
    if years and not found:
        column = _year_column(masked)
        if column is not None:
            low, high = float(years.group(1)), float(years.group(2))
            ref = ColumnRef(table=masked.table.name, column=column.name)
            span = Between(of=ref, low=Constant(value=low, type="number"), high=Constant(value=high, type="number"))
            found.append((span, column.name, f"{column.name} from {low:g} to {high:g}"))
    return [entry for entry in found if masked.info(entry[1]) is not None and masked.numeric(entry[1])]


def _year_column(masked: Masked) -> Column | None:
    """The column of whole-number years."""
    return next(
        (
            c
            for c in masked.table.columns
            if c.type == "integer"
            and "year" in c.name.casefold()
            and isinstance(c.minimum, int | float)
            and 1000 <= float(c.minimum) <= 2200
        ),
        None,
    )


def _float(text: str) -> float:
    return float(text.replace(",", ""))


def _compare(masked: Masked, mark: str, said: str, number: str) -> Test:
    """One comparison of a column with a number."""
    from typing import Literal

    word = re.sub(r"\s+", " ", said.casefold())
    op: Literal["=", "!=", "<", "<=", ">", ">="] = "="
    if word in ("at least", ">=") or (
        "or equal" in word and not word.startswith(("less", "lower", "fewer", "smaller"))
    ):
        op = ">="
    elif word in ("at most", "<=") or "or equal" in word:
        op = "<="
    elif word.startswith(("greater", "more", "higher", "larger", "older", "longer", "above", "over", "exceed", ">")):
        op = ">"
    elif word.startswith(("less", "lower", "fewer", "smaller", "younger", "shorter", "below", "under", "<")):
        op = "<"
    elif word.startswith("not"):
        op = "!="
    name, value = masked.column(mark), _float(number)
    ref = ColumnRef(table=masked.table.name, column=name)
    return Compare(op=op, left=ref, right=Constant(value=value, type="number")), name, f"{name} {op} {value:g}"


def _values(sentence: str, masked: Masked, lexicon: Lexicon) -> list[Test]:
    """Stored values that the sentence names, quoted or capitalised, or after a word that leads to one."""
    plain = re.sub(MARK, "#", sentence)
    tagged = tag(plain, lexicon)
    by_column: dict[str, list[str]] = {}
    for item in tagged.items:
        hit = next((v for v in item.values if v.table == masked.table.name and v.score >= 0.85), None)
        if hit is None or (item.columns and item.columns[0].score > hit.score):
            continue
        start = tagged.tokens[item.start].start
        capital = item.text[:1].isupper() and start > 0
        known = hit.value.strip().casefold() == item.text.strip("\"'“”").casefold()
        if not known or not (item.quoted or (capital and _LEADS.search(plain[:start]))):
            continue
        if re.fullmatch(r"[\d.\s]+", hit.value) and not item.quoted:
            continue
        by_column.setdefault(hit.column, []).append(hit.value)
    found: list[Test] = []
    for name, values in by_column.items():
        ref = ColumnRef(table=masked.table.name, column=name)
        distinct = tuple(dict.fromkeys(values))
        test: Predicate = (
            Compare(op="=", left=ref, right=Constant(value=distinct[0]))
            if len(distinct) == 1
            else Among(of=ref, values=tuple(Constant(value=value) for value in distinct))
        )
        found.append((test, name, f"{name} is {' or '.join(distinct)}"))
    return found
