"""What a question leaves open with other figures: one question back where readings are as likely, with what to keep.

A word such as "sales" may mean several columns of a table alike. Where these give different figures, none is guessed:
the answer is one question with each column to choose from, asked so that it reads unmistakably, and with the keyword of
the organization that would settle it for good. A choice is only offered where it was read back and computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from apps.analyst.computing.compile.walk import references, within
from apps.analyst.conversation.choosing import chosen
from apps.analyst.language import ANSWER_THRESHOLD, Reading, lexicon
from apps.analyst.language.tagging import Item, tag
from apps.analyst.plan import Aggregate, Clarify, ColumnRef, Comparison, Option, Plan, Query
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.terms import mentions
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.telling.evidence import every_query
from apps.analyst.telling.formats import listed
from apps.analyst.telling.labelling import names_of
from apps.analyst.types import Answer, Choice, KeptKeyword, Question, Result

ALIKE = 1e-6
"""Names that fit a word this closely are as likely as each other."""
READ_AT_MOST = 15_000
"""Columns that are gone through for the choices of a question."""
MOST_CHOICES = 4
Computing = Callable[[Plan], Result | None]
"""Computes a plan; None where it does not hold."""
Same = Callable[[Result, Result], bool]


@dataclass(frozen=True, slots=True)
class Open:
    """A word of the question, at characters [start, end), that may mean any of these columns."""

    term: str
    start: int
    end: int
    columns: tuple[ColumnRef, ...]
    """The one that the reading took is the first."""


def asked_back(
    question: Question, reading: Reading, result: Result, catalog: Catalog, compute: Computing, same: Same
) -> Answer | None:
    """The question back where a word of the question means several columns alike that give different figures."""
    found = open_word(question.text, reading.plan, catalog)
    if found is None or any(said.start < found.end and found.start < said.end for said in mentions(question)):
        return None  # or the organization has said what it means
    chosen: list[_Chosen] = []
    differ = False
    for ref in found.columns[: _may_try(catalog)]:
        choice = _choice(question, found, ref, catalog)
        computed = compute(choice.plan) if choice is not None else None
        if choice is None or computed is None:
            continue
        differ = differ or not same(computed, result)
        chosen.append(choice)
    if len(chosen) < 2 or not differ:
        return None
    named = listed([f"“{choice.shown.label}”" for choice in chosen], "or", most=MOST_CHOICES)
    text = f"“{found.term}” can mean {named} here, and the figures differ."
    options = tuple(Option(label=c.shown.label, question=c.shown.question, plan=c.plan) for c in chosen)
    return Answer(
        "clarify",
        text,
        plan=Clarify(question=text, options=options),
        choices=tuple(choice.shown for choice in chosen),
        confidence=reading.score,
    )


def _may_try(catalog: Catalog) -> int:
    """Each choice is a reading of its own, over all columns: of a catalog with very many only two are put."""
    return max(2, READ_AT_MOST // max(1, sum(len(table.columns) for table in catalog.tables())))


def taken_up(question: Question) -> Reading | None:
    """The reading that a reply to the question back chooses, where it says one of its choices ("net amount")."""
    before = question.turns[-1].plan if question.turns else None
    option = chosen(question.text, before.options) if isinstance(before, Clarify) else None
    return Reading(plan=option.plan, score=1.0, reader="clarifying", wording=option.question) if option else None


def open_word(text: str, plan: Plan, catalog: Catalog) -> Open | None:
    """The word by which the plan's only figure was chosen, where it names other columns of that table as well."""
    figures = _figures(plan)
    if len(figures) != 1:
        return None
    (mine,) = figures
    if not any(_other_figures(mine, catalog)):
        return None
    tagged = tag(text, lexicon.build(catalog))
    for item in sorted(tagged.items, key=lambda item: -_score(item, mine)):
        others = tuple(_alike(item, mine, catalog))
        if others:
            start, end = tagged.tokens[item.start].start, tagged.tokens[item.end - 1].end
            return Open(item.text, start, end, (mine, *others)[:MOST_CHOICES])
        return None
    return None


def _figures(plan: Plan) -> set[ColumnRef]:
    """The columns that a plan's measures compute with."""
    queries = every_query(plan) if isinstance(plan, Query | Comparison) else ()
    return {ref for query in queries for output in query.measures for ref in _added_up(output.expr)}


def _added_up(expr: object) -> Iterator[ColumnRef]:
    for node in within(expr):  # type: ignore[arg-type]
        if isinstance(node, Aggregate) and node.of is not None and node.fn != "count":
            yield from references(node.of)


def _score(item: Item, mine: ColumnRef) -> float:
    """How well the item names the column; "total" and the like, which name every amount, come after the real words."""
    score = max(
        (hit.score for hit in item.columns if (hit.table, hit.column) == (mine.table, mine.column)), default=0.0
    )
    return score - (1.0 if item.tags else 0.0)


def _alike(item: Item, mine: ColumnRef, catalog: Catalog) -> Iterator[ColumnRef]:
    """Figures of the same table and unit that the item names as well as it names the one that was taken."""
    score = next((h.score for h in item.columns if (h.table, h.column) == (mine.table, mine.column)), None)
    others = set(_other_figures(mine, catalog))
    for hit in item.columns:
        ref = ColumnRef(table=hit.table, column=hit.column)
        if score is not None and ref in others and abs(hit.score - score) <= ALIKE:
            yield ref


def _other_figures(mine: ColumnRef, catalog: Catalog) -> Iterator[ColumnRef]:
    """The table's other columns of figures with the unit of this one."""
    table = next((table for table in catalog.tables() if table.name == mine.table), None)
    taken = table.column(mine.column) if table is not None else None
    for column in table.columns if table is not None and taken is not None else ():
        figures = column.role == "measure" and column.type in ("integer", "decimal", "float")
        if figures and taken is not None and column.name != mine.column and column.unit == taken.unit:
            yield ColumnRef(table=mine.table, column=column.name)


@dataclass(frozen=True, slots=True)
class _Chosen:
    shown: Choice
    plan: Query | Comparison


def _choice(question: Question, found: Open, ref: ColumnRef, catalog: Catalog) -> _Chosen | None:
    """The question with the column named, and the keyword that would mean it from now on, as far as both read back; by
    its readable name, or as the file has it where only that does."""
    named = (_named(question, found, ref, name, catalog) for name in names_of(ref, catalog))
    return next(filter(None, named), None)


def _named(question: Question, found: Open, ref: ColumnRef, name: str, catalog: Catalog) -> _Chosen | None:
    text = f"{question.text[: found.start]}{name}{question.text[found.end :]}"
    plan = _read(replace(question, text=text), ref, catalog)
    if plan is None:
        return None
    kept = KeptKeyword(found.term, name)
    with_it = replace(question, keywords={**question.keywords, kept.term: kept.definition})
    settles = _read(with_it, ref, catalog) is not None
    return _Chosen(Choice(name, text, kept if settles else None), plan)


def _read(question: Question, ref: ColumnRef, catalog: Catalog) -> Query | Comparison | None:
    """The plan that the question reads as, where its figure is of that column."""
    readings = understood(question, catalog)
    plan = readings[0].plan if readings and readings[0].score >= ANSWER_THRESHOLD else None
    if not isinstance(plan, Query | Comparison):
        return None
    return plan if _figures(plan) == {ref} else None
