"""Reads calculations on figures: differences, ratios, changes between years, "if it rose by 10 %", the average of
the top n.

The parts of a calculation are read by the plain reader, phrase by phrase; here they are only put together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers.arithmetic_extremes import gap_of_ranked
from apps.analyst.language.readers.arithmetic_figures import FIGURE, Figure, Reader
from apps.analyst.language.readers.arithmetic_rows import read_rows
from apps.analyst.language.reading import Reading
from apps.analyst.language.tagging import Tagged
from apps.analyst.plan import Arithmetic, Call, ColumnRef, Combine, Constant, Expr, NamedQuery, Output, Predicate, Query
from apps.analyst.ports import Catalog
from apps.analyst.types import Question

SURE, BEHIND_QUERY = 0.985, 0.95
CALCULATES = re.compile(
    r"\bdifference\b|\bdiffer\b|\bcompare[ds]?\b|\bthan\b|\bratio\b|\btimes\b|\bpercent(?:age)?\b|%|\bif\b"
    r"|\bincreas\w*|\bdecreas\w*"
    r"|\bchange\b|\bgrowth\b|\bgrow\b|\bdecline\b|\btop\b|\bbottom\b|\bdivided\b|\bmargin\b|\bexceed|\bmore\b"
    r"|\bhigher\b|\blower\b|\bper\b|\bgain\w*|\blos[st]\b|\blose\b|\bf[ae]ll\b|\bdrop\w*|\brise\b|\brose\b|\bgrew\b",
    re.IGNORECASE,
)
_YEAR = r"(?:the (?:year|period) )?(\d{4}(?:\s?[-/]\s?\d{2,4})?)"


def read(question: Question, catalog: Catalog, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """Readings of a calculation; none where the question asks for none or its parts are not read surely."""
    text = re.sub(r"\s+", " ", question.text).strip()
    if not CALCULATES.search(text) or "@" in question.context or len(text) > 600:
        return []
    if re.search(r"\bcorrelat|\bstandard deviation|\bfactors?\b", text, re.IGNORECASE):
        return []
    reader = Reader(question, catalog, lexicon)
    found = read_rows(text, reader)
    for pattern in _PATTERNS:
        if found:
            break
        reading = pattern(text, reader)
        found = [reading] if reading is not None else []
    return found


def combined(parts: list[Figure], outputs: list[tuple[str, Expr, str | None]], words: str) -> Reading:
    """A reading that puts figures together; part i is called a, b, ... in the outputs' expressions."""
    plan = Combine(
        parts=tuple(
            NamedQuery(
                label=letter(i),
                query=part.query.model_copy(
                    update={"measures": (part.query.measures[0].model_copy(update={"label": letter(i)}),)}
                ),
            )
            for i, part in enumerate(parts)
        ),
        outputs=tuple(Output(label=label, expr=expr, unit=unit) for label, expr, unit in outputs),
    )
    score = SURE * min(1.0, 0.5 + 0.5 * min(part.score for part in parts) + 0.02)
    return Reading(plan=plan, score=round(min(SURE, score), 4), understood=(words,), reader="arithmetic", wording=words)


def letter(index: int) -> str:
    """The name of part i."""
    return "abcdefgh"[index]


def ref(index: int) -> Expr:
    """Part i's figure."""
    return ColumnRef(table="", column=letter(index))


def number(value: float) -> Expr:
    """A constant."""
    return Constant(value=value, type="number")


def minus(left: Expr, right: Expr) -> Expr:
    """left - right."""
    return Arithmetic(op="-", left=left, right=right)


def over(left: Expr, right: Expr) -> Expr:
    """left / right; nothing where right is zero."""
    return Arithmetic(op="/", left=left, right=right)


def times(left: Expr, right: Expr) -> Expr:
    """left * right."""
    return Arithmetic(op="*", left=left, right=right)


def size(expr: Expr) -> Expr:
    """The amount without its sign."""
    return Call(name="abs", args=(expr,))


# ---------------------------------------------------------------- what if
_WHAT_IF = re.compile(
    r"\b(?:if|suppose|assuming(?: that)?)\s+(?P<x>.+?)\s+(?:is |are |was |were |has |have |had |would |will "
    r"|should )?(?:be(?:en)? )?"
    r"(?P<way>increas\w*|ris\w*|rose|grow\w*|grew|rais\w*|decreas\w*|fall\w*|fell|drop\w*|reduc\w*|declin\w*|cut"
    r"|lower\w*)\s+by\s+"
    r"(?P<by>\d+(?:\.\d+)?)\s?(?:%|percent|per cent)",
    re.IGNORECASE,
)


def _what_if(text: str, reader: Reader) -> Reading | None:
    """ "If the population of X rose by 18 %, what would it be?" """
    said = _WHAT_IF.search(text)
    part = reader.figure(said.group("x")) if said else None
    if said is None or part is None:
        return None
    up = not re.match(r"decreas|fall|fell|drop|reduc|declin|cut|lower", said.group("way"), re.IGNORECASE)
    factor = 1 + (1 if up else -1) * float(said.group("by")) / 100
    words = f"{part.label} {'raised' if up else 'lowered'} by {said.group('by')}%"
    return combined([part], [(words, times(ref(0), number(factor)), part.unit)], words)


# ---------------------------------------------------------------- two figures
_TOLD = (
    (
        re.compile(
            r"\b(?P<kind>(?:percentage |percent )?difference|gap)\s+in\s+(?P<m>.+?)\s+between\s+(?P<rest>.+)",
            re.IGNORECASE,
        ),
        True,
    ),
    (re.compile(r"\b(?P<kind>(?:percentage |percent )?difference|gap)\s+between\s+(?P<rest>.+)", re.IGNORECASE), False),
    (re.compile(r"\b(?P<kind>ratio)\s+(?:of|between)\s+(?P<rest>.+)", re.IGNORECASE), False),
)
_THAN = re.compile(r"\s+(?:than|(?:when |as |if )?compared (?:to|with)|over|versus|vs\.?)\s+", re.IGNORECASE)


def _difference(text: str, reader: Reader) -> Reading | None:
    """ "The difference (in m) between a and b", "the ratio of a to b"."""
    for pattern, shared in _TOLD:
        said = pattern.search(text)
        if said is None:
            continue
        measure = said.group("m") if shared else ""
        pair = _best_split(
            said.group("rest"), measure, reader, r"\s+(?:and|to)\s+" if said.group("kind") == "ratio" else r"\s+and\s+"
        )
        if pair is not None:
            return _put_together(said.group("kind").casefold(), pair)
    return None


def _put_together(kind: str, pair: tuple[Figure, Figure]) -> Reading:
    a, b = pair
    if kind == "ratio":
        words = f"{a.label} divided by {b.label}"
        return combined([a, b], [("ratio", over(ref(0), ref(1)), None)], words)
    gap = size(minus(ref(0), ref(1)))
    if kind.startswith("percent"):
        return combined(
            [a, b], [("difference in percent", times(over(gap, ref(1)), number(100)), "%")], "difference in percent"
        )
    return combined([a, b], [("difference", gap, a.unit)], f"difference between {a.label} and {b.label}")


def _best_split(rest: str, measure: str, reader: Reader, at: str) -> tuple[Figure, Figure] | None:
    """The two figures on the sides of one "and": the place where both sides read best."""
    rest = re.split(r"[?]|,\s+(?:and|which|what|how|according)\b", rest)[0]
    best: tuple[float, Figure, Figure] | None = None
    for found in list(re.finditer(at, rest, re.IGNORECASE))[:5]:
        left, right = rest[: found.start()], rest[found.end() :]
        pair = _sides(left, right, measure, reader)
        if pair is None or pair[0].query == pair[1].query:
            continue
        score = pair[0].score * pair[1].score
        if best is None or score > best[0]:
            best = score, *pair
    return None if best is None else (best[1], best[2])


def _sides(left: str, right: str, measure: str, reader: Reader) -> tuple[Figure, Figure] | None:
    """Both sides as figures; what only one side says ("the average of a and b") is lent to the other."""
    if measure:
        a, b = reader.figure(f"the {measure} of {left}"), reader.figure(f"the {measure} of {right}")
        return (a, b) if a and b else None
    a, b = reader.figure(left), reader.figure(right)
    tail = _OF_BOTH.search(right)
    if a and b and tail and _where_of(a.query) is None and _where_of(b.query) is not None:
        # "the difference between wins and losses of A": what is said last is said of both.
        a = reader.figure(left + tail.group(0)) or a
    if a and b:
        return a, b
    head = re.match(r"(the\s+.+?\s+(?:of|in|for|by)\s+)", left, re.IGNORECASE)
    if a and head:
        b = reader.figure(head.group(1) + right)
        return (a, b) if b else None
    return None


def _where_of(query: Query) -> Predicate | None:
    """The conditions of a figure, be it an aggregate of rows or of a listing."""
    return query.source.where if isinstance(query.source, Query) and query.where is None else query.where


_OF_BOTH = re.compile(r"\s+(?:of|for|in|by|on|at)\s+[^?]+$", re.IGNORECASE)
_HOW_MUCH = re.compile(
    r"\bhow\s+(?:much|many)\s+(?:(?:more|fewer|less|greater|higher|lower|larger|bigger|longer|shorter|taller)\s+"
    r")(?P<m>[^?]*?)\s*"
    r"\b(?:is|are|was|were|did|does|do|has|have|had)\s+(?P<rest>[^?]+)",
    re.IGNORECASE,
)


def _how_much_more(text: str, reader: Reader) -> Reading | None:
    """ "How many more points did a score than b", "how much higher is the x of a compared to b"."""
    said = _HOW_MUCH.search(text)
    sides = _THAN.split(said.group("rest"), maxsplit=1) if said else []
    if said is None or len(sides) != 2:
        return None
    measure = said.group("m").strip()
    left = re.sub(r"\s+(?:there|in total|overall)$", "", sides[0], flags=re.IGNORECASE)
    owner = re.match(r"(?P<m>.+?)\s+(?:of|for|in)\s+(?P<a>.+)$", measure) if re.match(r"there\b|$", left) else None
    if owner:
        pair = _sides(owner.group("a"), sides[1], owner.group("m"), reader)
    elif measure:
        # The verb of the question says how things are counted, not which: "did a score", "was a in service".
        bare = re.sub(r"\s+(?:score|win|get|have|earn|receive|sell|make|produce)\w*$", "", left, flags=re.IGNORECASE)
        pair = _sides(bare, sides[1], measure, reader) or _sides(left, sides[1], measure, reader)
    else:
        pair = _sides(left, _told_of_those(left, re.sub(r"^(?:that|those) (?:of|in|for)\b", "", sides[1])), "", reader)
    if pair is None or pair[0].query == pair[1].query:
        return None
    gap = size(minus(ref(0), ref(1)))
    return combined(
        [*pair], [("difference", gap, pair[0].unit)], f"difference between {pair[0].label} and {pair[1].label}"
    )


def _told_of_those(left: str, right: str) -> str:
    """ "The average tenure of envoys who ... than those who ...": the other side says whose it is by "those"."""
    head = re.match(r"(.+?)\s+(?=(?:who|that|which|with)\b)", left, re.IGNORECASE)
    those = re.match(r"(?:those|the ones)\s+(?=(?:who|that|which|with)\b)", right, re.IGNORECASE)
    return f"{head.group(1)} {right[those.end() :]}" if head and those else right


_TIMES = re.compile(r"\bhow many times\s+(?:as\s+)?(?:\w+\s+)?(?:is|are|was|were)\s+(?P<rest>[^?]+)", re.IGNORECASE)


def _how_many_times(text: str, reader: Reader) -> Reading | None:
    """ "How many times larger is a than b": a / b."""
    said = _TIMES.search(text)
    sides = re.split(r"\s+(?:than|compared (?:to|with)|as)\s+", said.group("rest"), maxsplit=1) if said else []
    pair = _sides(sides[0], sides[1], "", reader) if len(sides) == 2 else None
    return _put_together("ratio", pair) if pair else None


# ---------------------------------------------------------------- between two times
_BETWEEN_YEARS = re.compile(
    r"\b(?P<head>(?:average\s+)?(?:annual\s+|yearly\s+)?(?:total\s+)?(?:percentage\s+|percent\s+|net\s+"
    r"|absolute\s+|relative\s+)?"
    r"(?:increase|decrease|change|growth|decline|rise|drop|fall|reduction)(?:\s+rate)?)\s+(?:in|of)\s+(?P<m>[^?]+?)\s+"
    rf"(?:over [^?]*?)?(?:from|between)\s+{_YEAR}\s+(?:to|and)\s+{_YEAR}(?P<tail>[^?]*)",
    re.IGNORECASE,
)


def _between_years(text: str, reader: Reader) -> Reading | None:
    """ "The (percentage, average annual) increase in m from 2001 to 2005"."""
    said = _BETWEEN_YEARS.search(text)
    if said is None:
        return None
    first, last, tail = said.group(3), said.group(4), said.group("tail")
    quoted = re.sub(r"['\"`]", "", said.group("m"))
    a, b = (reader.figure(f"the {quoted} in {year}{tail}") for year in (first, last))
    if a is None or b is None or a.query == b.query:
        return None
    head = said.group("head").casefold()
    change = minus(ref(1), ref(0))
    if re.search(r"decrease|decline|drop|fall|reduction", head):
        change = minus(ref(0), ref(1))
    label, unit = "change", a.unit
    if re.search(r"percent|relative|rate|growth", head):
        change, label, unit = times(over(change, ref(0)), number(100)), "change in percent", "%"
    if "average" in head and not re.search(r"annual|yearly", f"{head} {tail}"):
        return None
    if re.search(r"annual|yearly", head):
        years = int(last[:4]) - int(first[:4])
        if years <= 0:
            return None
        change, label = over(change, number(years)), f"{label} a year"
    return combined([a, b], [(label, change, unit)], f"{label} of {a.label} from {first} to {last}")


# ---------------------------------------------------------------- parts of a whole
_SHARE = re.compile(
    r"\bwhat\s+(?:percentage|percent|share|proportion)\s+of\s+(?P<whole>[^?]+?)\s+(?:is|are|was|were|comes? from"
    r"|came from)\s+(?P<part>[^?]+)",
    re.IGNORECASE,
)


def _share(text: str, reader: Reader) -> Reading | None:
    """ "What percentage of the total m is from a": the figure of the part over that of the whole, times 100."""
    said = _SHARE.search(text)
    if said is None:
        return None
    whole = reader.figure(said.group("whole"))
    part = reader.figure(f"{said.group('whole')} {said.group('part')}") if whole else None
    part = part or (reader.figure(said.group("part")) if whole else None)
    if whole is None or part is None or whole.query == part.query or part.query.where is None:
        return None
    read = combined(
        [part, whole],
        [("share", times(over(ref(0), ref(1)), number(100)), "%")],
        f"{part.label} as a share of {whole.label}",
    )
    # Where the main reader understands it too, it says the part and the whole beside their share.
    return replace(read, score=min(read.score, BEHIND_QUERY)) if read is not None else None


_PATTERNS: tuple[Callable[[str, Reader], Reading | None], ...] = (
    _what_if,
    _between_years,
    gap_of_ranked,
    _how_many_times,
    _how_much_more,
    _difference,
    _share,
)


def parts_of(reading: Reading) -> Iterator[NamedQuery]:
    """The parts of a combined reading, for tests and words."""
    if isinstance(reading.plan, Combine):
        yield from reading.plan.parts


__all__ = ["FIGURE", "read"]
