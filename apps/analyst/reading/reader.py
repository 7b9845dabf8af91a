"""A question's readings from all who propose them, computed, weighed against each other, each with its probability.

The network writes many sketches, the rules of `language` one or few readings; the judge says of each computed one
how likely it is right. Readings with one result are one: who agrees is a figure of the judge, and the one that says
most of itself is kept.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from apps.analyst.computing.compute import Computed, computed_of
from apps.analyst.knowledge.english import english
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, ColumnRef, Missing, Plan, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.nodes import every
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.plan.stretches import plain
from apps.analyst.plan.validate import holds
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.agreeing import Told, figures_key, named_alone
from apps.analyst.reading.candidates import Candidate, Proposed, open_days, proposed
from apps.analyst.reading.coverage import unused
from apps.analyst.reading.features import Computed as Weighable
from apps.analyst.reading.features import features
from apps.analyst.reading.judging import answer_from, judge
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.listings import asks_to_show, same_rows, shown_together
from apps.analyst.reading.rules.fiscal import calendar_of, in_fiscal_years
from apps.analyst.reading.wholes import as_rows
from apps.analyst.tables.scoped import without_examples
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Question

READER = "network"
MOST_SURE = 0.9
"""How likely readings that are one are at most together."""
MOST_NETWORK, MOST_RULES = 7, 1
"""Readings that are computed before one is chosen."""
SAID_NEAR = 3.0
"""How far below certain (natural logarithm) the network may hold a plan that says a result better."""
HEARD = 4.5
"""How far below certain it may hold one that heeds more words of the question."""
HARDLY_AHEAD, BEHIND = 0.08, 0.0001
"""How far the rules' reading may be ahead of the network's, a wide step of the map to probabilities as it was when this
was measured, and where it then stands. Of 4,748 questions over the databases that the judge was fitted to, where one of
two results would be told and the network's was ahead, it was right for 85 of 100, the rules' for 3; over Spider, with
the rules hardly ahead, both were right as often."""
HARDLY_LESS = 0.03
"""How far apart two probabilities near the top of the map may lie and mean the same."""
LEAST_NETWORK, HOPELESS = 3, 4.6
"""Of readings that lie so far behind the likeliest (natural logarithm) only so many are computed."""


@dataclass(frozen=True)
class Weighed:
    """A reading whose score is its probability, with its result."""

    reading: Reading
    computed: Computed


@dataclass(frozen=True)
class Read:
    """A reading that could be computed, as the judge sees it and as it would be told."""

    seen: Weighable
    reading: Reading
    computed: Computed


def read(
    question: Question, catalog: Catalog, warehouse: Warehouse, rules: Sequence[Reading]
) -> tuple[list[Read], Proposed]:
    """The readings of network and rules that can be computed, and what the network proposed in all. The network reads
    a question of fiscal periods in calendar days, where the organization's year is not the calendar's."""
    calendar = calendar_of(question)
    if calendar is not None and calendar.first_month == 1:
        calendar = None
    asked = replace(question, text=calendar.text) if calendar is not None else question
    found = proposed(asked, without_examples(catalog))
    plain = [r for r in rules if not isinstance(r.plan, Clarify) and holds(r.plan, catalog)][:MOST_RULES]
    made: list[Read] = []
    for rank, candidate in enumerate(found.candidates):
        hopeless = candidate.score < found.candidates[0].score - HOPELESS
        if len(made) >= (LEAST_NETWORK if hopeless else MOST_NETWORK):
            break
        reading = _as_reading(candidate, asked)
        if calendar is not None:
            reading = in_fiscal_years(reading, calendar, question)
        plan = reading.plan if calendar is not None else candidate.plan
        computed = computed_of(plan, catalog, warehouse, checked=True)
        if computed is not None:
            guess = candidate.guess
            seen = Weighable(
                as_rows(plan, catalog),
                computed.result,
                candidate.score,
                rank,
                edits=candidate.edits,
                form=guess.form,
                name=guess.name,
                heeded=guess.heeded,
                attended=guess.attended,
            )
            made.append(Read(seen, reading, computed))
    for reading in plain:
        computed = computed_of(reading.plan, catalog, warehouse, checked=True)
        if computed is not None:
            seen = Weighable(
                as_rows(reading.plan, catalog), computed.result, rules=reading.score, reader=reading.reader
            )
            made.append(Read(seen, reading, computed))
    return made, found


def weighed(question: Question, catalog: Catalog, warehouse: Warehouse, rules: Sequence[Reading]) -> list[Weighed]:
    """The readings with their probabilities, the likeliest first, one for each result. Where two part in the group
    without a name alone, it is left out, as the network leaves it out (`composing.gaps`)."""
    made, found = read(question, catalog, warehouse, rules)
    chances = judge().probabilities(features([one.seen for one in made], found))
    best: dict[object, Weighed] = {}
    learned: dict[object, float] = {}
    for one, chance in zip(made, chances, strict=True):
        key = figures_key(named_alone(one.computed.result))
        before = best.get(key)
        score = max(float(chance), before.reading.score if before is not None else 0.0)
        kept = Weighed(one.reading, one.computed)
        if before is not None:
            better = is_rather_told(one, float(chance), before, found.linked, catalog)
            kept = _named(kept, before, catalog, warehouse) if better else before
        best[key] = Weighed(replace(kept.reading, score=round(score, 4)), kept.computed)
        if one.seen.network is not None:
            learned[key] = max(one.seen.network, learned.get(key, one.seen.network))
    ranked = once(sorted(_near_ties_settled(best, learned), key=lambda w: -w.reading.score))
    return listed_together(as_asked(ranked, learned), found.linked, catalog, warehouse)


def listed_together(
    ranked: Sequence[Weighed], linked: Linked | None, catalog: Catalog, warehouse: Warehouse
) -> list[Weighed]:
    """The readings; where the likeliest lists rows, is too unlikely to be told, and no word asks for what to show of
    them, those that list the same with other columns are one with it, as likely as they are together: that is nothing
    to ask back. Of 35 such over 114 databases that the networks never learned, 24 are right by the answer's columns."""
    places = same_rows([one.reading.plan for one in ranked])
    if len(places) < 2 or linked is None or ranked[0].reading.score >= answer_from():
        return list(ranked)
    if asks_to_show([ranked[place].reading.plan for place in places], linked):
        return list(ranked)
    alike = [ranked[place] for place in places]
    plan = shown_together([one.reading.plan for one in alike])
    computed = computed_of(plan, catalog, warehouse) or alike[0].computed
    score = min(MOST_SURE, round(sum(one.reading.score for one in alike), 4))
    understood = (plan_sentence(computed.plan).rstrip("."),)
    told = replace(
        alike[0].reading, plan=computed.plan, score=max(score, alike[0].reading.score), understood=understood
    )
    return [Weighed(told, computed), *(one for place, one in enumerate(ranked) if place not in places)]


def as_asked(ranked: list[Weighed], learned: Mapping[object, float]) -> list[Weighed]:
    """The readings; the likeliest gives way to one that says the same with less beside it ("which clients do we have",
    not each with a count of one), where it is hardly ahead and the network holds that for likelier. `learned` is the
    network's log-probability of each result."""
    if len(ranked) < 2:
        return ranked
    first = ranked[0]
    own, told = learned.get(key_of(first), -math.inf), Told(named_alone(first.computed.result))
    near = [w for w in ranked[1:] if w.reading.score >= first.reading.score - HARDLY_LESS]
    plainer = [w for w in near if learned.get(key_of(w), -math.inf) > own and _is_within(w, told)]
    if not plainer:
        return ranked
    chosen = max(plainer, key=lambda w: learned[key_of(w)])
    raised = replace(chosen, reading=replace(chosen.reading, score=first.reading.score))
    return [raised, *(w for w in ranked if w is not chosen)]


def key_of(one: Weighed) -> object:
    return figures_key(named_alone(one.computed.result))


def _is_within(one: Weighed, told: Told) -> bool:
    """Whether a reading's result is part of another, and has fewer columns."""
    held = Told(named_alone(one.computed.result))
    return len(held.columns) < len(told.columns) and told.covers(held)


def once(ranked: Sequence[Weighed]) -> list[Weighed]:
    """The readings without those that say the same as a likelier one in another layout. The sides of a comparison stand
    below each other, each with its name, where one of the two has them so."""
    kept: list[Weighed] = []
    for one in ranked:
        told = Told(named_alone(one.computed.result))
        same = next((n for n, other in enumerate(kept) if _say_the_same(told, other)), None)
        if same is None:
            kept.append(one)
        elif told.sides and len(told.rows) > 1 and len(kept[same].computed.result.rows) == 1:
            kept[same] = replace(one, reading=replace(one.reading, score=kept[same].reading.score))
    return kept


def _say_the_same(told: Told, other: Weighed) -> bool:
    held = Told(named_alone(other.computed.result))
    return told.covers(held) and held.covers(told)


def _named(better: Weighed, before: Weighed, catalog: Catalog, warehouse: Warehouse) -> Weighed:
    """What is said better, without the group that has no name where the other reading leaves it out."""
    plan = better.reading.plan
    if figures_key(better.computed.result) == figures_key(before.computed.result) or not isinstance(plan, Query):
        return better
    given = [Missing(of=group.expr, negated=True) for group in plan.groups]
    plan = plan.model_copy(update={"where": together((*conjuncts(plan.where), *given))})
    computed = computed_of(plan, catalog, warehouse, checked=True)
    if computed is None or figures_key(computed.result) != figures_key(before.computed.result):
        return before
    return Weighed(replace(better.reading, plan=plan), computed)


def _near_ties_settled(best: Mapping[object, Weighed], learned: Collection[object]) -> list[Weighed]:
    """The readings; what the rules alone come to lies behind the network's likeliest where it was hardly ahead."""
    first = max((best[key].reading.score for key in learned), default=0.0)
    behind = round(first - BEHIND, 4)
    return [
        Weighed(replace(one.reading, score=behind), one.computed)
        if key not in learned and 0 < first <= one.reading.score <= first + HARDLY_AHEAD
        else one
        for key, one in best.items()
    ]


def _is_said_better(one: Read, before: Weighed) -> bool:
    """Whether of two readings with one result the later says better what was asked: the rules put it as people do, and
    a year that was named is said with its end, where the network finds both hardly less likely ("in 2025", not "from
    1 Jan 2025")."""
    if one.seen.rules is not None or one.seen.network is None:
        return True
    return one.seen.network >= -SAID_NEAR and open_days(one.seen.plan) < open_days(before.reading.plan)


def is_rather_told(one: Read, chance: float, before: Weighed, linked: Linked | None, catalog: Catalog) -> bool:
    """Whether of two readings with one result the later is told: where it heeds more words over the same files or says
    better what was asked; where it heeds as many, if it says it better and goes by no other date, or is as likely by
    itself."""
    plan, other = one.reading.plan, before.reading.plan
    more = _passed_over(one.reading, linked) - _passed_over(before.reading, linked)
    if more < 0:
        heard = one.seen.network is not None and one.seen.network >= -HEARD and not before.reading.definitions
        return (heard and tables_of(plan) == tables_of(other)) or _is_said_better(one, before)
    dated = _dates(plan, catalog) <= _dates(other, catalog) or chance >= before.reading.score
    return more == 0 and dated and _is_said_better(one, before)


def _passed_over(reading: Reading, linked: Linked | None) -> int:
    """How many words a reading has no use for. Of two with one result the one that heeds more is told: of few rows two
    figures are often alike by chance, the orders of a week and its customers."""
    if linked is None:
        return 0
    return len([n for n in unused(linked, reading.plan) if linked.tokens[n] not in english().form_words])


def _dates(plan: Plan, catalog: Catalog) -> set[tuple[str, str]]:
    """The columns of dates that a plan reads."""
    read = {(ref.table, ref.column) for ref in every(plan) if isinstance(ref, ColumnRef)}
    return {
        (table.name, column.name)
        for table in catalog.tables()
        for column in table.columns
        if column.type in ("date", "datetime") and (table.name, column.name) in read
    }


def _as_reading(candidate: Candidate, question: Question) -> Reading:
    """The network's reading; of a ranking by a figure that was not asked for, the names are the answer and the
    figure stands beside."""
    sketch, plan = candidate.sketch, plain(candidate.plan)
    asked: tuple[str, ...] = ()
    if isinstance(plan, Query) and sketch[0] == "group" and sketch[2] == ("m0",) and plan.measures:
        asked = tuple(output.label for output in plan.groups)
    return Reading(
        plan=plan,
        score=0.0,
        understood=(plan_sentence(plan).rstrip("."),),
        asked=asked,
        reader=READER,
        wording=question.text.strip(),
    )
