"""A question with keywords that the rules cannot read: the learned reader reads it with a plain figure in the keyword's
place, or without the rows that it names, and the readings get what the keyword means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from apps.analyst.computing.compute import computed_of
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.judging import answer_from
from apps.analyst.reading.keywords.applying import Way, ways
from apps.analyst.reading.reader import Weighed, weighed
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.scoped import without_examples
from apps.analyst.types import Question

MOST_WAYS = 4
"""Each costs a reading."""
UNTOLD = 0.01
"""How much less likely than what is told a reading is that is only put."""


def by_definitions(question: Question, catalog: Catalog, warehouse: Warehouse) -> list[Weighed]:
    """The readings by what the organization's keywords mean, the likeliest first, each as likely as its plain question
    is read so; none where no keyword is said, or the likeliest reading has no place for what it means. Of several ways
    to ask plainly the one is taken that is read most surely; the example data are asked where people's own have no
    place for it."""
    own = without_examples(catalog)
    found = _read(question, own, warehouse)
    return found if found or len(own.tables()) == len(catalog.tables()) else _read(question, catalog, warehouse)


def _read(question: Question, catalog: Catalog, warehouse: Warehouse) -> list[Weighed]:
    found: list[list[Weighed]] = []
    for way in islice(ways(question, catalog), MOST_WAYS):
        plain = replace(question, text=way.text, keywords={}, known={}, context="")
        read = weighed(plain, catalog, warehouse, understood(plain, catalog))
        made = list(_meant(read, way, question, catalog, warehouse))
        if made and made[0].reading.score == read[0].reading.score:
            found.append(_put(made) if way.put else made)
    return max(found, key=lambda made: made[0].reading.score, default=[])


def _put(made: list[Weighed]) -> list[Weighed]:
    """The readings, none of them so likely that it would be told."""
    most = answer_from() - UNTOLD
    return [replace(one, reading=replace(one.reading, score=min(one.reading.score, most))) for one in made]


def _meant(
    found: list[Weighed], way: Way, question: Question, catalog: Catalog, warehouse: Warehouse
) -> Iterator[Weighed]:
    for one in found:
        plan = way.meant(one.reading.plan)
        computed = computed_of(plan, catalog, warehouse, checked=True) if plan is not None else None
        if plan is None or computed is None:
            continue
        definitions = (*one.reading.definitions, *way.definitions)
        reading = replace(one.reading, plan=plan, definitions=definitions, wording=question.text.strip(), asked=())
        yield Weighed(reading, computed)
