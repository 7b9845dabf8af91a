"""A question's readings from all who propose them, computed, weighed against each other, each with its probability.

The network writes many sketches, the rules of `language` one or few readings; the judge says of each computed one
how likely it is right. Readings with one result are one: who agrees is a figure of the judge, and the one that says
most of itself is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.analyst.computing.compute import Computed, computed_of
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, Plan, Query
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.plan.validate import holds
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.candidates import Candidate, Proposed, proposed
from apps.analyst.reading.features import Computed as Weighable
from apps.analyst.reading.features import features, figures_key
from apps.analyst.reading.judging import judge
from apps.analyst.reading.network import network
from apps.analyst.reading.ranking import ranker
from apps.analyst.tables.scoped import without_examples
from apps.analyst.types import Question

READER = "network"
MOST_NETWORK, MOST_RULES = 7, 1
"""Readings that are computed before one is chosen."""
MOST_RANKED = 11
RANKED_SHARE = 0.6
"""What a logit of the ranking counts beside the network's logarithm; from the databases left out of both."""
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
    """The readings of network and rules that can be computed, and what the network proposed in all."""
    found = proposed(question, without_examples(catalog))
    plain = [r for r in rules if not isinstance(r.plan, Clarify) and holds(r.plan, catalog)][:MOST_RULES]
    likeliest, of_rules = _ranked(found, plain)
    made: list[Read] = []
    for rank, (candidate, score) in enumerate(likeliest):
        hopeless = candidate.score < found.candidates[0].score - HOPELESS
        if len(made) >= (LEAST_NETWORK if hopeless else MOST_NETWORK):
            break
        computed = computed_of(candidate.plan, catalog, warehouse, checked=True)
        if computed is not None:
            guess = candidate.guess
            seen = Weighable(
                candidate.plan,
                computed.result,
                candidate.score,
                rank,
                edits=candidate.edits,
                form=guess.form,
                name=guess.name,
                ranked=score,
            )
            made.append(Read(seen, _as_reading(candidate, question), computed))
    for reading, ranked in zip(plain, of_rules, strict=True):
        computed = computed_of(reading.plan, catalog, warehouse, checked=True)
        if computed is not None:
            seen = Weighable(reading.plan, computed.result, rules=reading.score, reader=reading.reader, ranked=ranked)
            made.append(Read(seen, reading, computed))
    return made, found


def _ranked(found: Proposed, rules: Sequence[Reading]) -> tuple[list[tuple[Candidate, float]], list[float]]:
    """The likeliest candidates with how well each says what is asked, in the order in which they are computed, and how
    well the rules' readings do. All are seen in one pass."""
    likeliest = found.candidates[:MOST_RANKED]
    scores = scores_of(found, [*(candidate.plan for candidate in likeliest), *(reading.plan for reading in rules)])
    pairs = zip(likeliest, scores, strict=False)
    return sorted(pairs, key=lambda pair: -(pair[0].score + RANKED_SHARE * pair[1])), scores[len(likeliest) :]


def scores_of(found: Proposed, plans: Sequence[Plan]) -> list[float]:
    """How well each plan says what is asked; 0 for all where the question was not linked."""
    if found.linked is None:
        return [0.0] * len(plans)
    states = network().words.states(found.linked.tokens)
    return [float(score) for score in ranker().scores(states, found.linked, plans)]


def weighed(question: Question, catalog: Catalog, warehouse: Warehouse, rules: Sequence[Reading]) -> list[Weighed]:
    """The readings with their probabilities, the likeliest first, one for each result."""
    made, found = read(question, catalog, warehouse, rules)
    chances = judge().probabilities(features([one.seen for one in made], found))
    best: dict[object, Weighed] = {}
    for one, chance in zip(made, chances, strict=True):
        key = figures_key(one.computed.result)
        before = best.get(key)
        score = max(float(chance), before.reading.score if before is not None else 0.0)
        by_rules = one.seen.rules is not None
        kept = before if before is not None and not by_rules else Weighed(one.reading, one.computed)
        best[key] = Weighed(replace(kept.reading, score=round(score, 4)), kept.computed)
    return sorted(best.values(), key=lambda w: -w.reading.score)


def _as_reading(candidate: Candidate, question: Question) -> Reading:
    """The network's reading; of a ranking by a figure that was not asked for, the names are the answer and the
    figure stands beside."""
    sketch, plan = candidate.sketch, candidate.plan
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
