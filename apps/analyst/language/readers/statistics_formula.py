"""New columns that a brief defines in words or as a formula: "create a column X as A minus B", "X = (A - B) / C"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from apps.analyst.computing.statistics.formulas import Col, Fn, Formula, FormulaFunction, Num, Op
from apps.analyst.language.readers.statistics_mentions import MARK, Masked

_NEW = re.compile(
    r"\b(?:new|additional|derived|calculated)\s+(?:\w+\s+){0,2}?(?:feature|column|variable|field|attribute|metric)s?\b"
    r"|\bfeature engineering\b|\b(?:create|generate|add|derive|engineer|define|construct)\w*\s+(?:an?|the)\s+"
    r"(?:\w+\s+){0,3}?"
    r"(?:feature|column|variable|field)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:called|named|titled|column|feature|variable|field|calculate|create|new feature|define)\s+(?:the\s+)?"
    r"(?:[\"“'‘`])([^\"”'’`\n]{2,60})[\"”'’`]",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(r"\b([A-Za-z]\w*(?: [A-Z]\w*){0,3})\s*=\s*\(?\s*[A-Za-z\"'(]")
_DEFINED = re.compile(
    r"(?:^|[.;\n]\s*)(?:the |an? )?(?P<name>[A-Za-z][\w ]{2,40}?)\s+is\s+(?:(?:defined|calculated|computed) as |the )*"
    r"[\w.\"' ()]{1,40}?\s(?:plus|minus|times|multiplied by|divided by)\s",
    re.IGNORECASE,
)
Sign = Literal["+", "-", "*", "/"]
UNNAMED = "new feature"
_GLUE = r"(?:\s+(?:the|each|every|its|their|column|columns|price|prices|value|values|of|today|number|total|per|row))*"
_GAP = r"(?:(?!⟨|\.\s+[A-Z]).){0,60}?"
_A = rf"(?:the |its |their |each |both )*(?:\w+ )?{MARK}(?:\s+(?:price|prices|count|date|dates|time))?"


@dataclass(frozen=True, slots=True)
class NewColumn:
    """A column to make, and where in the masked text it is defined."""

    name: str
    formula: Formula
    place: int


def defines_column(text: str) -> bool:
    """Whether a brief speaks of making a column."""
    return bool(_NEW.search(text))


def new_names(text: str, stored: frozenset[str]) -> tuple[str, ...]:
    """The names of columns that a brief makes: quoted after "called" and the like, or left of an equals sign.

    `stored` holds the folded names of stored columns, which are never new."""
    if not defines_column(text) and not _ASSIGNED.search(text):
        return ()
    found = [match.group(1).strip() for match in _NAMED.finditer(text)] if defines_column(text) else []
    found += [match.group(1).strip() for match in _ASSIGNED.finditer(text)]
    fresh = [name for name in dict.fromkeys(found) if name.casefold() not in stored and len(name) > 2]
    return tuple(name for name in fresh if not re.match(r"(?:p|alpha|r|if|when)\b", name, re.IGNORECASE))


def defined_names(constraints: str, stored: frozenset[str]) -> tuple[str, ...]:
    """What the constraints define of two columns: "Total income is own income plus other income"."""
    found = [match.group("name").strip() for match in _DEFINED.finditer(constraints)]
    return tuple(name for name in dict.fromkeys(found) if name.casefold() not in stored)


def read_new_column(masked: Masked, names: tuple[str, ...]) -> NewColumn | None:
    """The column that the brief makes, by the first way of saying it that fits; None where none is defined."""
    text = masked.masked
    name = names[0] if names else UNNAMED
    for reader in (_equation, _by_words, _over_rows, _functions):
        found = reader(text, masked)
        if found is not None:
            formula, place = found
            return NewColumn(name, _small_constant(formula, text), place)
    return None


Found = tuple[Formula, int] | None


def _col(masked: Masked, index: str) -> Col:
    return Col(name=masked.column(index))


# ---------------------------------------------------------------- formulas with signs
_TERM = re.compile(rf"\s*(?:{MARK}|(\d+(?:\.\d+)?)|([-+*/()×÷−]))")


def _equation(text: str, masked: Masked) -> Found:
    """An arithmetic formula over columns: after an equals sign, a colon, "as", or in brackets."""
    change = re.search(
        rf"\(+\s*{MARK}[^-−()]*?[-−]\s*{MARK}\s*(?:\w+\s+)*?(?:previous|prior|last|yesterday)[^()]*\)\s*/\s*{MARK}",
        text,
    )
    if change and masked.column(change.group(1)) == masked.column(change.group(2)):
        return Fn(name="percent_change", args=(_col(masked, change.group(1)),)), change.start()
    plain = re.sub(rf"({MARK}){_GLUE}", r"\1", text)
    for start in re.finditer(r"[=:]\s*|\bas\s+(?:the\s+)?|\bis\s+|\(\s*|formula\s+|\bby\s+", plain):
        formula = _parse(plain, start.end() - (1 if start.group(0).lstrip().startswith("(") else 0), masked)
        if formula is not None:
            return formula, start.start()
    return None


def _parse(text: str, position: int, masked: Masked) -> Formula | None:
    """The longest formula that begins there, if it holds an operator and a column."""
    tokens: list[tuple[str, str]] = []
    while match := _TERM.match(text, position):
        mark, number, sign = match.group(1), match.group(2), match.group(3)
        tokens.append(("col", mark) if mark is not None else ("num", number) if number else ("op", sign))
        position = match.end()
    while tokens:
        if any(kind == "col" for kind, _ in tokens) and sum(
            kind == "op" and sign in "-+*/×÷−" for kind, sign in tokens
        ):
            try:
                formula, rest = _sum(tokens, masked)
            except (IndexError, ValueError):
                formula, rest = None, []
            if formula is not None and not rest and isinstance(formula, Op):
                return formula
        tokens = tokens[:-1]
    return None


Tokens = list[tuple[str, str]]


def _sum(tokens: Tokens, masked: Masked) -> tuple[Formula, Tokens]:
    left, rest = _product(tokens, masked)
    while rest and rest[0][0] == "op" and rest[0][1] in "+-−":
        right, after = _product(rest[1:], masked)
        left, rest = Op(op="+" if rest[0][1] == "+" else "-", left=left, right=right), after
    return left, rest


def _product(tokens: Tokens, masked: Masked) -> tuple[Formula, Tokens]:
    left, rest = _factor(tokens, masked)
    while rest and rest[0][0] == "op" and rest[0][1] in "*/×÷":
        right, after = _factor(rest[1:], masked)
        left, rest = Op(op="*" if rest[0][1] in "*×" else "/", left=left, right=right), after
    return left, rest


def _factor(tokens: Tokens, masked: Masked) -> tuple[Formula, Tokens]:
    kind, value = tokens[0]
    if kind == "col":
        return _col(masked, value), tokens[1:]
    if kind == "num":
        return Num(value=float(value)), tokens[1:]
    if value != "(":
        raise ValueError(value)
    inner, rest = _sum(tokens[1:], masked)
    if not rest or rest[0] != ("op", ")"):
        raise ValueError("bracket")
    return inner, rest[1:]


# ---------------------------------------------------------------- formulas in words
def _by_words(text: str, masked: Masked) -> Found:
    """Two columns put together: subtract, divide, ratio, sum, product, in the order the words say."""
    for pattern, op, swapped in _PAIRS:
        match = re.search(pattern, text, re.IGNORECASE)
        if match is None:
            continue
        first, second = _col(masked, match.group(1)), _col(masked, match.group(2))
        if first == second:
            continue
        left, right = (second, first) if swapped else (first, second)
        formula: Formula = Op(op=op, left=left, right=right)
        around = text[max(0, match.start() - 60) : match.end() + 80]
        if op == "/" and re.search(r"\bas a percentage\b|\bpercentage\b|\bin percent\b", around, re.IGNORECASE):
            formula = Op(op="*", left=formula, right=Num(value=100))
        return formula, match.start()
    return None


_PAIRS: tuple[tuple[str, Sign, bool], ...] = (
    (rf"\bsubtract\w*\s+{_A}\s+from\s+{_A}", "-", True),
    (rf"\b(?:difference|duration|gap|spread|range)\b[^.⟨⟩]{{0,60}}?\bbetween\s+{_A}\s+(?:and|to)\s+{_A}", "-", False),
    (rf"{_A}\s+(?:minus|less)\s+{_A}", "-", False),
    (rf"\b(?:divid\w*)\s+{_A}\s+by\s+{_A}", "/", False),
    (rf"{_A}\s+(?:is\s+)?(?:divided\s+by|over)\s+{_A}", "/", False),
    (rf"\b(?:ratio|proportion|share|percentage)\s+of\s+{_A}\s+(?:to|over|and)\s+{_A}", "/", False),
    (rf"\bratio\s+between\s+{_A}\s+and\s+{_A}", "/", False),
    (rf"{_A}\s+(?:\w+\s+){{0,6}}?as\s+a\s+(?:percentage|share|proportion)\s+of\s+{_A}", "/", False),
    (rf"{_A}\s+to\s+{_A}\s+ratio\b", "/", False),
    (rf"\b(?:adding|sum(?:ming)?(?:\s+of)?|add|total\s+of)\s+(?:up\s+)?{_A}\s+(?:and|to|with)\s+{_A}", "+", False),
    (rf"{_A}\s+plus\s+{_A}", "+", False),
    (rf"\b(?:multiplying|multiply|product\s+of)\s+{_A}\s+(?:by|and|with)\s+{_A}", "*", False),
    (rf"{_A}\s+(?:is\s+)?(?:multiplied\s+by|times)\s+{_A}", "*", False),
)


def _over_rows(text: str, masked: Masked) -> Found:
    """Across several columns, along the rows, or against the column's own average."""
    several = re.search(
        rf"\b(average|mean|sum|total|maximum|minimum)\b{_GAP}{MARK}((?:{_GAP}(?:,|and|,\s*and){_GAP}⟨\d+⟩)+)",
        text,
        re.IGNORECASE,
    )
    if several and _NEW.search(text[: several.start()][-120:]):
        marks = [several.group(2), *re.findall(MARK, several.group(3))]
        kind = several.group(1).casefold()
        across: FormulaFunction = (
            "row_mean"
            if kind in ("average", "mean")
            else "row_sum"
            if kind in ("sum", "total")
            else "row_max"
            if kind == "maximum"
            else "row_min"
        )
        return Fn(name=across, args=tuple(_col(masked, mark) for mark in dict.fromkeys(marks))), several.start()
    centred = re.search(
        rf"\bsubtract\w*\s+the\s+(mean|median)\s+(?:value\s+)?of\s+(?:the\s+)?{MARK}", text, re.IGNORECASE
    )
    if centred:
        own = _col(masked, centred.group(2))
        figure: FormulaFunction = "mean_of" if centred.group(1).casefold() == "mean" else "median_of"
        return Op(op="-", left=own, right=Fn(name=figure, args=(own,))), centred.start()
    change = re.search(
        rf"\b(?:percent(?:age)?|relative)\s+change\b[^.⟨⟩]{{0,30}}?{MARK}(?=[^.]{{0,60}}?\b(?:previous|prior"
        rf"|last|day|row|daily)\b)"
        rf"|\b(?:daily|monthly|yearly)\s+(?:returns?|percent\w*\s+changes?)\b[^.⟨⟩]{{0,40}}?{MARK}",
        text,
        re.IGNORECASE,
    )
    if change:
        return Fn(name="percent_change", args=(_col(masked, change.group(1) or change.group(2)),)), change.start()
    return None


def _functions(text: str, masked: Masked) -> Found:
    """One function of one column: logarithms, square roots, hours, lengths of texts."""
    for pattern, name in _ONE:
        match = re.search(pattern, text, re.IGNORECASE)
        if match is None:
            continue
        mark = next((g for g in match.groups() if g is not None), None)
        if mark is None:
            marks = re.findall(MARK, text[: match.start()]) or re.findall(MARK, text)
            mark = marks[-1] if marks else None
        if mark is None:
            continue
        return Fn(name=_log_base(text) if name == "ln" else name, args=(_col(masked, mark),)), match.start()
    return None


def _log_base(text: str) -> FormulaFunction:
    """The logarithm that a text means: natural unless it says otherwise."""
    if re.search(r"\bbase[\s-]*(?:10|ten)\b|\blog\s?10\b|\bcommon log", text, re.IGNORECASE):
        return "log10"
    return "log2" if re.search(r"\bbase[\s-]*2\b|\blog\s?2\b", text, re.IGNORECASE) else "ln"


_ONE: tuple[tuple[str, FormulaFunction], ...] = (
    (rf"\b(?:transform\w*|appl\w+)\s+(?:the\s+)?{MARK}\s+(?:\w+\s+){{0,4}}?log", "ln"),
    (
        rf"\blog(?:arithm\w*|arithmic)?\b(?:\s*\(?base\s*\w+\)?)?[\s-]*(?:transform\w*|function|value"
        rf"|scale)?\s*(?:of|on|to)\s+(?:the\s+)?{MARK}",
        "ln",
    ),
    (rf"{MARK}\s+(?:in|on|using)\s+(?:a\s+)?log\w*", "ln"),
    (r"\blog(?:arithm\w*)?[\s-]+transform\w*|\bnatural log\w*|\blogarithm", "ln"),
    (rf"\bsquare root\s+of\s+(?:the\s+)?{MARK}", "sqrt"),
    (
        rf"\b(?:extract\w*|represents)\s+(?:the\s+)?hours?\b(?=(?:[^⟨⟩]"
        rf"|⟨\d+⟩){{0,400}}?\bhours?\b[^.⟨⟩]{{0,20}}?from\s+(?:the\s+)?{MARK})",
        "hour",
    ),
    (rf"\bhours?\b[^.⟨⟩]{{0,30}}?\bfrom\s+(?:the\s+)?{MARK}", "hour"),
    (
        rf"\b(?:non[\s-]?space|without spaces)\b[^.⟨⟩]{{0,40}}?{MARK}|{MARK}[^.⟨⟩]{{0,20}}?\bnon[\s-]?space character",
        "letters",
    ),
    (rf"\b(?:length|number of characters|character count)\b[^.⟨⟩]{{0,30}}?{MARK}", "length"),
    (rf"\b(?:extract\w*|represents?)\s+(?:the\s+)?year\b[^.⟨⟩]{{0,30}}?{MARK}", "year"),
    (rf"\b(?:extract\w*|represents?)\s+(?:the\s+)?month\b[^.⟨⟩]{{0,30}}?{MARK}", "month"),
)


def _small_constant(formula: Formula, text: str) -> Formula:
    """A small constant that the brief adds to a denominator or under a logarithm so that nothing divides by zero."""
    said = re.search(r"\bsmall constant\b[^.]{0,20}?\(?(\d+(?:\.\d+)?(?:e-?\d+)?)", text, re.IGNORECASE)
    if said is None:
        return formula
    constant = Num(value=float(said.group(1)))
    if isinstance(formula, Op) and formula.op == "/":
        return Op(op="/", left=formula.left, right=Op(op="+", left=formula.right, right=constant))
    if isinstance(formula, Fn) and formula.name in ("ln", "log10", "log2"):
        return Fn(name=formula.name, args=(Op(op="+", left=formula.args[0], right=constant),))
    return formula
