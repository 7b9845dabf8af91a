"""A question's readings from all who propose them, computed, weighed against each other, each with its probability.

The network writes many sketches, the rules of `language` one or few readings; the judge says of each computed one
how likely it is right. Readings with one result are one: who agrees is a figure of the judge, and the one that says
most of itself is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from apps.analyst.compute import Computed, compute
from apps.analyst.errors import AnalystError, QueryFailed
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, Plan, Query
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.candidates import Candidate, proposed
from apps.analyst.reading.features import Computed as Weighable
from apps.analyst.reading.features import features, figures_key
from apps.analyst.reading.judging import judge
from apps.analyst.scoped import without_examples
from apps.analyst.sentence import plan_sentence
from apps.analyst.types import Question
from apps.analyst.validate import validate

READER = "network"
MOST_NETWORK, MOST_RULES = 6, 1
"""Readings that are computed before one is chosen."""


@dataclass(frozen=True)
class Weighed:
    """A reading whose score is its probability, with its result."""

    reading: Reading
    computed: Computed


def weighed(
    question: Question,
    catalog: Catalog,
    warehouse: Warehouse,
    rules: Sequence[Reading],
    check: Callable[[], None] = lambda: None,
) -> list[Weighed]:
    """The readings with their probabilities, the likeliest first, one for each result. `check` may raise to stop."""
    found = proposed(question, without_examples(catalog))
    pairs: list[tuple[Weighable, Reading, Computed]] = []
    for rank, candidate in enumerate(found.candidates):
        if len(pairs) >= MOST_NETWORK:
            break
        check()
        made = _computed(candidate.plan, catalog, warehouse)
        if made is not None:
            seen = Weighable(candidate.plan, made.result, candidate.score, rank, candidate.sketch)
            pairs.append((seen, _as_reading(candidate, question), made))
    for reading in [r for r in rules if not isinstance(r.plan, Clarify)][:MOST_RULES]:
        made = _computed(reading.plan, catalog, warehouse)
        if made is not None:
            pairs.append(
                (Weighable(reading.plan, made.result, rules=reading.score, reader=reading.reader), reading, made)
            )
    chances = judge().probabilities(features([seen for seen, _, _ in pairs], found))
    best: dict[object, Weighed] = {}
    for (seen, reading, made), chance in zip(pairs, chances, strict=True):
        key = figures_key(made.result)
        before = best.get(key)
        told = before is None or (seen.rules is not None)
        score = max(float(chance), before.reading.score if before is not None else 0.0)
        kept = Weighed(reading, made) if told or before is None else before
        best[key] = Weighed(replace(kept.reading, score=round(score, 4)), kept.computed)
    return sorted(best.values(), key=lambda w: -w.reading.score)


def _computed(plan: Plan, catalog: Catalog, warehouse: Warehouse) -> Computed | None:
    try:
        validate(plan, catalog)
        return compute(plan, catalog, warehouse)
    except QueryFailed as error:
        if error.retryable:
            raise
        return None
    except AnalystError:
        return None


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
