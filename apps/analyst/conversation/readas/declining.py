"""A refusal that is a question: what was understood, which of these the unread word means, and what comes close to
this question and can be answered. Each choice has its plan, so that it answers at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from apps.analyst.computing.compile.walk import has
from apps.analyst.conversation.readas.beyond import beyond_data
from apps.analyst.conversation.readas.conditions import BY_WORDS
from apps.analyst.conversation.readas.lessons import fits
from apps.analyst.conversation.readas.marks import SAID, Span, spans_of, unknown, unread, unread_by_rules
from apps.analyst.conversation.readas.meanings import Way, gives, meant_by
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.offering import put_shortly
from apps.analyst.conversation.readas.phrasing import as_question
from apps.analyst.conversation.readas.pieces import BY_DATE, Piece, core, keyed, pieces
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.knowledge.english import english
from apps.analyst.language import Reading
from apps.analyst.plan import Aggregate, Clarify, ColumnRef, Constant, Missing, Option, Output, Plan, Query
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.closeness import content_fits
from apps.analyst.reading.homes import WHOLE
from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.reader import Weighed
from apps.analyst.tables.scoped import without_examples
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import listed
from apps.analyst.telling.glance import figure_of
from apps.analyst.types import Answer, Chip, Choice, Question, ReadAs

MOST_REWRITTEN = 3
MOST_TABLES = 3
"""Tables of whose rows a refusal speaks that understood nothing."""


def declined_so(
    made: Answer,
    question: Question,
    ranked: Sequence[Weighed],
    catalog: Catalog,
    warehouse: Warehouse,
    reason: str,
    asked: Span | None = None,
) -> Answer:
    """The refusal with what was understood, and with ways to go on instead of questions about anything. `reason` is
    what stands against the reading that was found, if that is why; `asked` the word whose meaning is asked for, where
    that is known."""
    best = ranked[0].reading.plan if ranked else None
    about = _about(best, catalog)
    linked = link(question, about)
    used = tables_of(best) if best is not None else frozenset()
    beyond = beyond_data(linked, best, about)
    reason = reason or beyond
    spans = unread(question, best, about) if best is not None else unknown(question, linked)
    spans = _without_periods(question, spans, linked) if beyond else spans
    if asked is not None:
        spans = tuple(sorted({*spans, asked}))
    span = asked or (_strangest(question, spans, linked) if not reason else None)
    meant = list(meant_by(question, span, linked, about, used, warehouse)) if span is not None else []
    chips = _understood(best, linked, about) if best is not None else ()
    sense = not ranked or any(chip.part != "period" for chip in chips)
    near = list(_near(question, ranked, spans, about, warehouse)) if sense else []
    word = question.text[slice(*span)] if span is not None else ""
    return replace(
        made,
        text=_text(reason, word, bool(meant), chips, near, about),
        plan=_options(made.text, [*meant, *near]),
        choices=(*_choices(meant, "meaning"), *_choices(near, "rewrite")),
        read_as=ReadAs(chips, tuple(spans), asked=span),
    )


def _without_periods(question: Question, spans: Sequence[Span], linked: Linked) -> tuple[Span, ...]:
    """The unread words without those of the periods that the refusal speaks of."""
    words = spans_of(question.text)
    said = {span for one in linked.periods for span in words[one.start : one.end]}
    return tuple(span for span in spans if not any(span[0] <= start and end <= span[1] for start, end in said))


def asked_back_so(
    made: Answer,
    question: Question,
    ranked: Sequence[Weighed],
    catalog: Catalog,
    warehouse: Warehouse | None = None,
    asked: Span | None = None,
) -> Answer:
    """A question back among readings with what was understood and which words found no place in the likeliest; with a
    `warehouse`, what the strangest of these may mean stands beside the readings, or the one that is to be `asked`
    for."""
    if not ranked:
        return made
    made = put_shortly(made, question.text, ranked, catalog)
    best = ranked[0].reading.plan
    about = _about(best, catalog)
    linked = link(question, about)
    spans = tuple(sorted({*unread(question, best, about), *([asked] if asked is not None else [])}))
    asks = warehouse is not None and isinstance(made.plan, Clarify)
    span = (asked or _strangest(question, spans, linked)) if asks else None
    meant = list(meant_by(question, span, linked, about, tables_of(best), warehouse)) if span and warehouse else []
    chips = _agreed(_understood(best, linked, about), made, about)
    told = replace(made, read_as=ReadAs(chips, spans, asked=span if meant else None))
    if span is None or not meant or not isinstance(made.plan, Clarify):
        return told
    more = _options(made.text, meant)
    return replace(
        told,
        text=f"I do not know what “{question.text[slice(*span)]}” is here.",
        plan=made.plan.model_copy(update={"options": (*made.plan.options, *(more.options if more else ()))}),
        choices=(*made.choices, *_choices(meant, "meaning")),
    )


def with_understood(made: Answer, question: Question, reading: Reading, catalog: Catalog) -> Answer:
    """A question back by the rules with what was understood: the parts of the reading in which its options agree. Of a
    period whose date is asked for the days are said."""
    about = _about(reading.plan, catalog)
    chips = _agreed(_understood(reading.plan, link(question, about), about), made, about)
    return replace(made, read_as=ReadAs(chips, unread_by_rules(question, reading, about)))


def _about(plan: Plan | None, catalog: Catalog) -> Catalog:
    """The tables that a question is held against: people's own, unless the reading is of the examples."""
    own = without_examples(catalog)
    return own if plan is None or tables_of(plan) <= {table.name for table in own.tables()} else catalog


def _agreed(understood: Sequence[Chip], made: Answer, catalog: Catalog) -> tuple[Chip, ...]:
    """Of what was understood the parts in which all options of a question back agree: the others are asked for."""
    plans = [option.plan for option in made.plan.options] if isinstance(made.plan, Clarify) else []
    labels = [{piece.label for piece in pieces(other, catalog)} for other in plans]
    days = [{label.partition(BY_DATE)[0] for label in said} for said in labels]
    chips = []
    for chip in understood:
        if all(chip.label in said for said in labels):
            chips.append(chip)
        elif chip.part == "period" and all(chip.label.partition(BY_DATE)[0] in said for said in days):
            chips.append(replace(chip, label=chip.label.partition(BY_DATE)[0]))
    return tuple(chips)


def _choices(ways: Sequence[Way], kind: Literal["meaning", "rewrite"]) -> tuple[Choice, ...]:
    return tuple(Choice(way.label, way.question, kind=kind, lesson=way.lesson) for way in ways)


def _strangest(question: Question, spans: Sequence[Span], linked: Linked) -> Span | None:
    """Of the unread words the one that fits the data least; none that is a name in the data, which is known, none that
    people use whatever their data are about ("still"), and none that asks for a statistic."""
    fit = dict(content_fits(linked))
    places = {span: n for n, span in enumerate(spans_of(question.text))}
    said = {span: question.text[slice(*span)].casefold() for span in spans}
    words = [
        span
        for span, word in said.items()
        if word.isalpha()
        and word not in english().general | english().everyday | english().statistic_words
        and fit.get(places.get(span, -1), WHOLE) < WHOLE
    ]
    return min(words, key=lambda span: fit[places[span]]) if words else None


def _options(text: str, ways: Sequence[Way]) -> Clarify | None:
    options = tuple(
        Option(label=_bare(way.question), question=way.question, plan=way.plan, instead=True) for way in ways
    )
    return Clarify(question=text, options=options) if options else None


def _bare(text: str) -> str:
    """As a reply is compared with what it may choose (`clarifying.taken_up`)."""
    return text.strip(" .!\"'“”")


def _text(reason: str, word: str, meant: bool, chips: Sequence[Chip], near: Sequence[Way], catalog: Catalog) -> str:
    if reason:
        return f"{reason} These questions come close:" if near else reason
    if meant:
        return f"I do not know what “{word}” is here, so I give no number. Which of these is “{word}”?"
    lost = f"I found nothing in your data for “{word}”" if word else "I am not sure what this asks"
    if near:
        return f"{lost}, so I give no number. These questions come close:"
    if chips:
        return f"{lost}, so I give no number. Name the figure you want and what to group or filter it by."
    known = dictionary_of(catalog)
    rows = [known[t.name].rows for t in catalog.tables() if t.name in known]
    return f"{lost}, so I give no number. Your data is about {listed(rows, most=MOST_TABLES)}."


# ---------------------------------------------------------------- what was understood
def _understood(plan: Plan, linked: Linked, catalog: Catalog) -> tuple[Chip, ...]:
    """The parts of the likeliest reading that words of the question name."""
    found = keyed(pieces(plan, catalog))
    names, query = Names(plan, catalog), core(plan)
    said = {key for key, piece in found.items() if is_said(piece, linked, names) or _counts_said(piece, query, linked)}
    return tuple(Chip(key, piece.part, piece.label) for key, piece in found.items() if key in said)


def _counts_said(piece: Piece, query: Query | None, linked: Linked) -> bool:
    """Whether a figure counts the rows of a table that words name."""
    node, places = piece.node, range(len(linked.index.tables))
    counts = isinstance(node, Output) and isinstance(node.expr, Aggregate) and node.expr.of is None
    table = next((t for t in places if query is not None and linked.index.tables[t].name == query.source), None)
    return counts and table is not None and float(linked.channels[:, table][:, list(BY_WORDS)].max()) >= SAID


def is_said(piece: Piece, linked: Linked, names: Names) -> bool:
    """Whether words of the question name a part of a plan."""
    if piece.part == "period":
        return bool(linked.periods)
    if piece.node is None or isinstance(piece.node, Query) or has(piece.node, Missing):
        return False
    columns = [ref for ref in every(piece.node) if isinstance(ref, ColumnRef) and names.stored(ref) is not None]
    stored = [_of_table(ref, names) for ref in columns]
    values = [str(node.value) for node in every(piece.node) if isinstance(node, Constant)]
    if piece.part == "filter" and len(values) == len(stored) == 1:
        return max(fits(linked, stored[0], values[0]), default=0.0) >= SAID
    return any(max(fits(linked, ref), default=0.0) >= SAID for ref in stored)


def _of_table(ref: ColumnRef, names: Names) -> ColumnRef:
    """The column by the name of its table, where the plan gives that another one."""
    table = names.table_of(ref)
    return ref.model_copy(update={"table": table.name}) if table is not None else ref


# ---------------------------------------------------------------- what comes close
def _near(
    question: Question, ranked: Sequence[Weighed], spans: Sequence[Span], catalog: Catalog, warehouse: Warehouse
) -> Iterator[Way]:
    """The likeliest readings in words; where there is none, the question without what could not be read."""
    plans = [w.reading.plan for w in ranked if figure_of(w.computed, catalog)]
    plans = plans or list(_without(question, spans, catalog, warehouse))
    linked = link(question, catalog)
    said: set[str] = set()
    for plan in sorted(plans, key=lambda plan: not _is_all_said(plan, linked, catalog)):
        text = as_question(plan, catalog)
        if text and text.casefold() not in said and len(said) < MOST_REWRITTEN:
            said.add(text.casefold())
            yield Way(text, text, plan)


def _is_all_said(plan: Plan, linked: Linked, catalog: Catalog) -> bool:
    """Whether each filter of the plan is named by words."""
    names = Names(plan, catalog)
    return all(is_said(piece, linked, names) for piece in pieces(plan, catalog) if piece.part == "filter")


def _without(question: Question, spans: Sequence[Span], catalog: Catalog, warehouse: Warehouse) -> Iterator[Plan]:
    text = question.text
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    plain = replace(question, text=" ".join(text.split()))
    if plain.text == question.text:
        return
    for candidate in proposed(plain, catalog).candidates[:MOST_REWRITTEN]:
        if gives(candidate.plan, catalog, warehouse):
            yield candidate.plan
