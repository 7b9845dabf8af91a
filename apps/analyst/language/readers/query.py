"""The main reader: figures, dimensions, restrictions, rankings and listings over one or several tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.language.build import build
from apps.analyst.language.building.built import Built, Unbuildable
from apps.analyst.language.charting import wish_of
from apps.analyst.language.figures import WORDS
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.parse.amounts import read_amounts
from apps.analyst.language.parse.asked import read_asked
from apps.analyst.language.parse.choices import drop_units, read_choice
from apps.analyst.language.parse.columns_compared import read_columns_compared
from apps.analyst.language.parse.dimensions import read_groups
from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.parse.durations import read_durations
from apps.analyst.language.parse.earned import read_earned
from apps.analyst.language.parse.events import read_events
from apps.analyst.language.parse.existence import read_existence
from apps.analyst.language.parse.filters import read_rates, read_values
from apps.analyst.language.parse.flags import read_flag_rates, read_flags
from apps.analyst.language.parse.focus import focus
from apps.analyst.language.parse.happened import read_happened
from apps.analyst.language.parse.measures import read_measures
from apps.analyst.language.parse.more_than import read_more_than
from apps.analyst.language.parse.often import read_often
from apps.analyst.language.parse.one_row import read_cells
from apps.analyst.language.parse.outcomes import read_outcomes
from apps.analyst.language.parse.per_thing import rank_things, ranked_by_mean, read_averages_per
from apps.analyst.language.parse.ranges import read_ranges
from apps.analyst.language.parse.selling import read_pieces_sold, read_selling, read_things_sold
from apps.analyst.language.parse.shapes import shape
from apps.analyst.language.parse.stock import read_stock
from apps.analyst.language.parse.superlatives import read_superlatives
from apps.analyst.language.parse.targets import read_columns
from apps.analyst.language.parse.texts import read_text_tests
from apps.analyst.language.parse.than_things import read_than_things
from apps.analyst.language.parse.times import read_periods
from apps.analyst.language.parse.visual import read_chart, read_sort
from apps.analyst.language.reading import Reading
from apps.analyst.language.resolve import resolve
from apps.analyst.language.rivals import Rival, choose, rival_dimension
from apps.analyst.language.scoring import score, unused_words
from apps.analyst.language.tagging import Tagged
from apps.analyst.language.two_keys import Said, chosen_keys, keys_said, taken_unsaid, under_second_names
from apps.analyst.plan import Aggregate, AggregateName, ColumnRef, Order, Output, Query
from apps.analyst.ports import Catalog
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import capital, plural, spoken
from apps.analyst.types import Question

_BEHIND = 0.02
"""So much less sure is a dimension of the same name in another table."""


def read(question: Question, catalog: Catalog, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """The question as one query, if its words make one."""
    said = keys_said(lexicon, tagged)
    first = _read(question, said)
    if first is None:
        return []
    reading, draft = first
    rival = rival_dimension(draft)
    if rival is None:
        return _by_other_key(question, lexicon, said, reading)
    found = _read(question, said, rival)
    if found is None or found[0].plan == reading.plan:
        return [reading]
    taken, also = rival.taken, rival.also
    told = f"{capital(taken.column)} is taken from {taken.table}; {also.table} has {also.column} as well"
    stated = replace(reading, assumptions=(*reading.assumptions, told))
    return [stated, replace(found[0], score=max(0.0, reading.score - _BEHIND), wording=rival.wording)]


def _by_other_key(question: Question, lexicon: Lexicon, said: Said, reading: Reading) -> list[Reading]:
    """Where no word chooses between two keys to one table, the other one is offered beside the one that was taken."""
    taken = taken_unsaid(said, reading.plan) if isinstance(reading.plan, Query) else None
    if taken is None:
        return [reading]
    stated = replace(reading, assumptions=(*reading.assumptions, taken.assumption))
    found = _read(question, keys_said(lexicon, said.tagged, forced=taken.also))
    if found is None or found[0].plan == reading.plan:
        return [stated]
    return [stated, replace(found[0], score=max(0.0, reading.score - _BEHIND), wording=taken.wording)]


def _read(question: Question, said: Said, rival: Rival | None = None) -> tuple[Reading, Draft] | None:
    """A question as a reading; with a rival, its dimension is taken from there."""
    draft = sketch(question, said.lexicon, said.tagged, said.used)
    resolve(draft)
    if rival is not None:
        choose(draft, rival)
    shape(draft)
    rank_things(draft)
    try:
        built = build(draft)
        built = replace(built, query=under_second_names(built.query, said.aliases)) if said.aliases else built
        built = _averaged_over_groups(draft, _each_once(draft, built))
    except Unbuildable:
        return None
    draft.assumptions += chosen_keys(said, built.query)
    return _reading(draft, built), draft


def _averaged_over_groups(draft: Draft, built: Built) -> Built:
    """The figures of groups as their mean, where that is what was asked for. Raises Unbuildable."""
    if built.query.groups and built.query.measures:
        for fn in ("count", "avg", "median"):
            if f"average_{fn}" in draft.axes:
                kept = built.groups[1:] if fn != "count" else []
                draft.assumptions += _without_any(draft) if fn == "count" else []
                built = ranked_by_mean(draft, averaged(built, "median" if fn == "median" else "avg", kept))
    return built


def _without_any(draft: Draft) -> list[str]:
    """That things without any of what is counted are not in its mean."""
    things = next((group.table for group in draft.groups if group.table is not None), None)
    counted = next((measure.table for measure in draft.measures if measure.table is not None), None)
    if things is None or counted is None:
        return []
    names = (plural(" ".join(draft.lexicon.schema.tables[table].name.needed)) for table in (things, counted))
    return ["The mean is over {} with {}; those without any are left out".format(*names)]


def sketch(question: Question, lexicon: Lexicon, tagged: Tagged, used: Sequence[int] = ()) -> Draft:
    """All phrases read, in the order in which they take words from one another; `used` are understood already."""
    draft = Draft(question, lexicon, tagged, [False] * len(tagged.items))
    draft.use(*used, role="key")
    read_chart(draft)
    read_sort(draft)
    read_columns_compared(draft)
    read_than_things(draft)
    read_more_than(draft)
    read_durations(draft)
    read_periods(draft)
    read_text_tests(draft)
    read_outcomes(draft)
    read_often(draft)
    read_amounts(draft)
    read_flag_rates(draft)
    read_flags(draft)
    read_happened(draft)
    read_stock(draft)
    read_values(draft)
    read_rates(draft)
    read_averages_per(draft)
    read_selling(draft)
    read_earned(draft)
    read_pieces_sold(draft)
    read_things_sold(draft)
    read_events(draft)
    read_superlatives(draft)
    read_groups(draft)
    read_ranges(draft)
    read_measures(draft)
    read_columns(draft)
    _of_the_first(draft)
    drop_units(draft)
    read_choice(draft)
    focus(draft)
    read_existence(draft)
    read_asked(draft)
    _one_row_each(draft)
    read_cells(draft)
    return draft


def _of_the_first(draft: Draft) -> None:
    """ "How many floors does the tallest tower have" asks for the floors of one row, not for all floors together."""
    sorts = [sort for sort in draft.sorts if sort.superlative and (sort.row or (sort.slot and sort.slot.hits))]
    if len(draft.measures) != 1 or len(sorts) != 1 or len(draft.sorts) != 1 or draft.groups:
        return
    measure, sort = draft.measures[0], sorts[0]
    if measure.fn != "sum" or measure.said or measure.slot is None or not measure.slot.hits or sort.limit != 1:
        return
    behind = all(item > measure.item for item in (sort.item, *(slot.item for slot in draft.select)))
    of = {table for _, table, _ in draft.entities} if sort.slot is None else {sort.slot.best.table}
    if behind and of <= {measure.slot.best.table}:
        draft.measures, draft.select = [], [measure.slot]


def _one_row_each(draft: Draft) -> None:
    """ "For "the average freight per order" over orders each group would be one row: the mean over all is meant."""
    means = draft.measures or [sort.measure for sort in draft.sorts if sort.measure is not None]
    if not means or any(measure.fn not in ("avg", "median") for measure in means):
        return
    measured = {measure.slot.best.table for measure in means if measure.slot and measure.slot.hits}
    draft.groups = [
        group
        for group in draft.groups
        if not (group.table is not None and {group.table} == measured and group.grain is None and group.slot is None)
    ]


def _each_once(draft: Draft, built: Built) -> Built:
    """A listing of things of which each version has a row: each thing once."""
    query = built.query
    key = draft.lexicon.schema.versioned_key(query.source) if isinstance(query.source, str) else None
    if key is None or not query.columns or query.distinct or any(not isinstance(o.by, str) for o in query.order):
        return built
    return replace(built, query=query.model_copy(update={"distinct": True}))


def averaged(built: Built, fn: AggregateName = "avg", kept: Sequence[str] = ()) -> Built:
    """The mean of a figure over its groups ("average number of orders per customer"), for each of those kept."""
    inner = built.query.model_copy(update={"order": (), "limit": None})
    label = inner.measures[0].label
    of = ColumnRef(table="", column=label)
    measure = Output(
        label=f"{WORDS[fn]} {label[0].lower()}{label[1:]} per {spoken(built.groups[0])}",
        expr=Aggregate(fn=fn, of=of),
        unit=inner.measures[0].unit,
    )
    outer = tuple(Output(label=label, expr=ColumnRef(table="", column=label)) for label in kept)
    order = (Order(by=measure.label, descending=True),) if kept else ()
    return replace(
        built,
        query=Query(source=inner, groups=outer, measures=(measure,), order=order),
        asked=[*kept, measure.label],
        groups=[*kept],
        measures=[measure.label],
    )


def _reading(draft: Draft, built: Built) -> Reading:
    unused = unused_words(draft, len(tables_of(built.query)))
    return Reading(
        plan=built.query,
        score=score(draft, built, unused),
        unused=unused,
        assumptions=tuple(draft.assumptions),
        chart=wish_of(draft, built),
        asked=tuple(built.asked),
        reader="query",
        wording=draft.question.text,
    )
