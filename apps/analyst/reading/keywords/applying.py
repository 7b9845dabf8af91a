"""A question with keywords: read without them, then given what they mean. What is not readable is left out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from apps.analyst.computing.compile.walk import references
from apps.analyst.errors import AnalystError
from apps.analyst.kept import Kept
from apps.analyst.knowledge.english import english
from apps.analyst.language import ANSWER_THRESHOLD, METRICS, Reading, lexicon
from apps.analyst.plan import ColumnRef, Plan
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.filters import Rows, rows_of
from apps.analyst.reading.keywords.formula_trees import parsed, signed
from apps.analyst.reading.keywords.formulas import Formula, days_between, formula_of
from apps.analyst.reading.keywords.made_of import made_of, shown
from apps.analyst.reading.keywords.patching import changed, dates_of, restricted, substituted, told_apart
from apps.analyst.reading.keywords.terms import Definition, Mention, body, mentions
from apps.analyst.tables.scoped import without_examples
from apps.analyst.telling.formats import rows_noun, singular
from apps.analyst.types import Question

Read = Callable[[Question], list[Reading]]
_BEFORE = re.compile(r"\s*\b(?:(?:in|for|of|from|at|within|to|across|with|by) )?(?:the |our |all )?$", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\s*(?:,|and|or|vs\.?|versus|against|&|compared (?:to|with)|with|to)*\s*(?:the )?", re.IGNORECASE
)
_LONGEST_SYNONYM = 8
_MOST_TRIED = 12
_MOST_ALONE = 6
_MOST_KNOWN = 512


@dataclass(frozen=True, slots=True)
class _Said:
    """A mention with its meaning: a formula, rows, other words for it, or nothing readable."""

    mention: Mention
    meaning: Formula | Rows | str | None
    """Read by `_meaning`."""


def with_keywords(question: Question, catalog: Catalog, read: Read) -> list[Reading]:
    """The question's readings, its keywords used as they are defined. Never raises."""
    said = [_Said(mention, _meaning(mention, question, catalog)) for mention in mentions(question)]
    read = _each_text_once(read)
    if not any(each.meaning is not None or each.mention.definition.shared for each in said):
        return read(question)
    built_in = _built_in(said, question, read)
    for used in _subsets(said):
        reading = _applied(used, question, catalog, read)
        if reading is not None:
            return [_annotated(reading, used, said, built_in)]
    return [_annotated(reading, (), said, built_in) for reading in read(question)]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to ask without the keywords: its words, what its plan becomes with their meaning (None where that has no
    place in it), and the definitions as they are told."""

    text: str
    meant: Callable[[Plan], Plan | None]
    definitions: tuple[str, ...]
    put: bool = False
    """Whether one of the meanings is only put (`Formula.put`)."""


def ways(question: Question, catalog: Catalog) -> Iterator[Way]:
    """The ways to ask a question without its keywords, all of which are read as formulas or rows; none for others."""
    said = tuple(_Said(mention, _meaning(mention, question, catalog)) for mention in mentions(question))
    formulas = sum(isinstance(each.meaning, Formula) for each in said)
    if not said or formulas > 1 or any(not isinstance(each.meaning, Formula | Rows) for each in said):
        return
    told = tuple(dict.fromkeys(as_told(each.mention.definition) for each in said))
    put = any(isinstance(each.meaning, Formula) and each.meaning.put for each in said)
    for text, place in _texts(said, question.text, catalog):
        yield Way(text, lambda plan, place=place: _patched(plan, said, place, question, catalog), told, put)  # type: ignore[misc]


def _each_text_once(read: Read) -> Read:
    """A reader of one question in other wordings, none of which it reads twice."""
    known: dict[str, list[Reading]] = {}

    def reads(question: Question) -> list[Reading]:
        if question.text not in known:
            known[question.text] = read(question)
        return known[question.text]

    return reads


def _subsets(said: Sequence[_Said]) -> Iterator[tuple[_Said, ...]]:
    """Which keywords to use: all that are readable, else each alone, the first ones where there are many."""
    readable = tuple(each for each in said if each.meaning is not None)
    if readable:
        yield readable
    if len(readable) > 1:
        yield from ((each,) for each in readable[:_MOST_ALONE])


_Meaning = Formula | Rows | str | None
_known: Kept[tuple[object, ...], _Meaning] = Kept(_MOST_KNOWN)


def _meaning(mention: Mention, question: Question, catalog: Catalog) -> _Meaning:
    """What a keyword means over a catalog; read once, as its words take a moment."""
    definition = mention.definition
    key = (catalog.version, definition, question.today)
    return _known.get(key, lambda: _read_meaning(definition, question, catalog))


def _read_meaning(definition: Definition, question: Question, catalog: Catalog) -> _Meaning:
    made = made_of(definition.term, without_examples(catalog)) if definition.known else None
    if made is not None and made.text == definition.text:
        return made.formula
    text = body(definition)
    plain = replace(question, text=text, keywords={}, known={}, context="", turns=())
    apart = days_between(text, catalog)
    if apart is not None:
        return apart
    label = f"Total {definition.term}" if definition.known else definition.term
    formula = formula_of(label, text, plain, catalog)
    if formula is not None:
        return formula
    rows = rows_of(text, catalog)
    if rows is not None:
        return rows
    if parsed(text) is not None:
        return None  # a formula whose figures are not there is no other word for something that is
    short = len(text.split()) <= _LONGEST_SYNONYM and re.fullmatch(r"[\w %'/-]+", text) is not None
    return text if short else None


def _built_in(said: Sequence[_Said], question: Question, read: Read) -> frozenset[str]:
    """The keywords whose names are figures that need no definition ("win rate"), by their names alone."""
    terms = {each.mention.definition.term for each in said}
    alone = {term: read(replace(question, text=term, keywords={}, known={}, context="", turns=())) for term in terms}
    return frozenset(term for term, found in alone.items() if found and found[0].reader == METRICS)


def _aside(definition: Definition, built_in: frozenset[str]) -> str:
    if definition.term in built_in:
        return f"{definition.term} is computed by its built-in definition. Your organization's says: {definition.text}"
    return (
        f"The keyword “{definition.term}” could not be used as a formula or a filter here, so it was left aside: "
        f"{definition.text}"
    )


def as_told(definition: Definition) -> str:
    """A keyword with its meaning, as an answer states it."""
    if definition.known:
        return f"{shown(definition.term)} is {signed(definition.text)}"
    return f"{definition.term} (as your organization defines it): {body(definition)}"


def _annotated(
    reading: Reading, used: Sequence[_Said], said: Sequence[_Said], built_in: frozenset[str] = frozenset()
) -> Reading:
    names = [each.mention.definition for each in used]
    known = tuple(dict.fromkeys(map(as_told, names)))
    aside = [each.mention.definition for each in said if each not in used and each.mention.definition.shared]
    notes = tuple(dict.fromkeys(_aside(definition, built_in) for definition in aside))
    return replace(
        reading,
        assumptions=tuple(dict.fromkeys((*known, *reading.assumptions, *notes))),
        definitions=(*reading.definitions, *known),
        notes=(*reading.notes, *notes),
    )


# ---------------------------------------------------------------- applying
def _applied(used: Sequence[_Said], question: Question, catalog: Catalog, read: Read) -> Reading | None:
    formulas = [each for each in used if isinstance(each.meaning, Formula)]
    if len(formulas) > 1:
        return None
    tried = 0
    for text, place in _texts(used, question.text, catalog):
        tried += 1
        if tried > _MOST_TRIED:
            return None
        reading = _sure(replace(question, text=text), read)
        plan = _patched(reading.plan, used, place, question, catalog) if reading is not None else None
        if reading is None or plan is None:
            continue
        if _dated_otherwise(reading, used, question, read):
            break
        return _with_plan(reading, plan, formulas, question)
    return None if formulas else _on_the_plain(used, question, catalog, read)


def _sure(question: Question, read: Read) -> Reading | None:
    readings = read(question)
    best = readings[0] if readings else None
    return best if best is not None and best.score >= ANSWER_THRESHOLD and not best.unused else None


def _dated_otherwise(reading: Reading, used: Sequence[_Said], question: Question, read: Read) -> bool:
    """True where the keyword itself says by which date rows count ("churned in Q2"): then it stays in the question."""
    if not any(isinstance(each.meaning, Rows) for each in used) or any(isinstance(e.meaning, Formula) for e in used):
        return False
    plain = _sure(question, read)
    return plain is not None and dates_of(plain.plan) != dates_of(reading.plan)


def _on_the_plain(used: Sequence[_Said], question: Question, catalog: Catalog, read: Read) -> Reading | None:
    """The question as it stands, with the keywords' rows on top."""
    reading = _sure(question, read)
    if reading is None or any(not isinstance(each.meaning, Rows) for each in used):
        return None
    plan = _patched(reading.plan, used, 0, question, catalog)
    return _with_plan(reading, plan, [], question) if plan is not None else None


def _with_plan(reading: Reading, plan: Plan, formulas: Sequence[_Said], question: Question) -> Reading:
    asked, chart = reading.asked, reading.chart
    if formulas:
        asked = ()
        chart = replace(chart, y=None) if chart is not None and chart.explicit else None
    return replace(reading, plan=plan, asked=asked, chart=chart, wording=question.text.strip())


def _patched(plan: Plan, used: Sequence[_Said], place: int, question: Question, catalog: Catalog) -> Plan | None:
    schema = lexicon.build(catalog).schema
    made: Plan | None = plan
    side_by_side = _side_by_side(used, question.text)
    for each in used:
        meaning = each.meaning
        if made is None:
            return None
        if isinstance(meaning, Formula):
            made = changed(made, lambda query, m=meaning: substituted(query, m, place))  # type: ignore[misc]
        elif isinstance(meaning, Rows) and not side_by_side:
            said = _said_words(each.mention, question.text)
            made = changed(made, lambda query, m=meaning, s=said: restricted(query, m, s, schema))  # type: ignore[misc]
    if made is not None and side_by_side:
        kinds = [(each.mention.definition.term, each.meaning) for each in used if isinstance(each.meaning, Rows)]
        label = _common_column(kinds[0][1]) or "Group"
        made = changed(made, lambda query: told_apart(query, label, kinds, schema))
    if made is None:
        return None
    try:
        validate(made, catalog)
    except AnalystError:
        return None
    return made


def _common_column(rows: Rows) -> str | None:
    names = {ref.column for ref in references(rows.predicate) if isinstance(ref, ColumnRef)}
    return names.pop() if len(names) == 1 else None


def _side_by_side(used: Sequence[_Said], text: str) -> bool:
    """True for several keywords about one column, listed or set against each other ("EMEA and APAC")."""
    rows = [each for each in used if isinstance(each.meaning, Rows)]
    if len(rows) < 2 or len({_common_column(each.meaning) for each in rows if isinstance(each.meaning, Rows)}) != 1:
        return False
    gaps = [text[one.mention.end : two.mention.start] for one, two in itertools.pairwise(rows)]
    return all(_BETWEEN.fullmatch(gap) for gap in gaps)


def _said_words(mention: Mention, text: str) -> str:
    """The keyword as it follows a noun: " in EMEA", or " (active)"."""
    found = re.search(r"\b(in|for|of|from|at|within) (?:the |our )?$", text[: mention.start], re.IGNORECASE)
    name = text[mention.start : mention.end]
    return f" {found[1].lower()} {name}" if found is not None else f" ({name})"


# ---------------------------------------------------------------- the question without its keywords
def _texts(used: Sequence[_Said], text: str, catalog: Catalog) -> Iterator[tuple[str, int]]:
    """Ways to ask without the keywords, with the formula's figure that stands in its place."""
    formula = next((each.meaning for each in used if isinstance(each.meaning, Formula)), None)
    tables = {each.meaning.table for each in used if isinstance(each.meaning, Rows)}
    nouns = [rows_noun(table) for table in tables if rows_noun(table) != "rows"]
    if formula is not None and len(used) == 1 and _is_alone(used[0].mention, text):
        yield formula.figures[0].wording, 0
    for place in range(len(formula.figures) if formula is not None else 1):
        wording = formula.figures[place].wording if formula is not None else ""
        for noun in ("", *nouns, *map(singular, nouns)):
            yield _without(used, text, wording, noun), place


def _is_alone(mention: Mention, text: str) -> bool:
    """Whether nothing is said but the figure: "whats our MRR"."""
    known = english()
    small = (known.stopwords - known.form_words) | known.filling
    rest = f"{text[: mention.start]} {text[mention.end :]}".casefold()
    return all(word in small for word in re.findall(r"[\w'’]+", rest))


def _after(before: str, wording: str) -> str:
    """The wording, without a first word that stands there already: "total revenue" is not "total total amount"."""
    first, _, rest = wording.partition(" ")
    return rest if rest and before.casefold().split()[-1:] == [first.casefold()] else wording


def _without(used: Sequence[_Said], text: str, wording: str, noun: str) -> str:
    for each in reversed(used):
        start, end = each.mention.start, each.mention.end
        if isinstance(each.meaning, Formula):
            text = f"{text[:start]}{_after(text[:start], wording)}{text[end:]}"
        elif isinstance(each.meaning, str):
            text = f"{text[:start]}{each.meaning}{text[end:]}"
        elif noun:
            text = f"{text[:start]}{noun}{text[end:]}"
        else:
            before = text[:start]
            cut = _BEFORE.search(before)
            joint = re.search(r"[\s,]*\b(?:and|or|vs\.?|versus|compared (?:to|with)|against)\s*$|,\s*$", before)
            before = before[: (joint or cut).start()] if (joint or cut) is not None else before  # type: ignore[union-attr]
            text = f"{before} {text[end:].lstrip()}"
    return re.sub(r"\s+", " ", text).replace(" ?", "?").strip()
