"""What each reading of a question back would teach, where choosing it for always is one entry of the dictionary."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.computing.compute import computed_of
from apps.analyst.conversation.readas.lessons import Answering, lesson
from apps.analyst.dictionary.lesson import Lesson
from apps.analyst.plan import Clarify, Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Answer, Question

MOST_COLUMNS = 300
"""Columns of the tables asked about up to which it is tried out: each reading's tables are read anew, as they would be
taught (a quarter of a second for 200 columns)."""


def with_lessons(
    made: Answer, question: Question, catalog: Catalog, warehouse: Warehouse, answers: Answering
) -> Answer:
    """A question back, each of whose readings says what would make the question be read so from now on; `answers` tries
    that out. Choices that stand for no reading, or teach already, stay as they are, but for those that would teach the
    same. Of very wide tables nothing is tried out."""
    if not isinstance(made.plan, Clarify) or len(made.choices) != len(made.plan.options):
        return made
    plans = [option.plan for option in made.plan.options]
    readings = [n for n, choice in enumerate(made.choices) if not choice.kind and not made.plan.options[n].instead]
    if len(readings) < 2 or any(made.choices[n].lesson or made.choices[n].keyword for n in readings):
        return made
    used = frozenset[str]().union(*(tables_of(plans[n]) for n in readings))
    if sum(len(table.columns) for table in catalog.tables() if table.name in used) > MOST_COLUMNS:
        return made

    def taught(place: int) -> Lesson | None:
        told: Plan = next(plans[n] for n in readings if n != place)
        computed = computed_of(plans[place], catalog, warehouse)
        return lesson(question, told, plans[place], catalog, computed.result, answers) if computed is not None else None

    choices = list(made.choices)
    for place in readings:
        choices[place] = replace(choices[place], lesson=taught(place))
    told = {choices[place].lesson for place in readings} - {None}
    kept = [n for n, choice in enumerate(choices) if n in readings or choice.lesson not in told]
    options = tuple(made.plan.options[n] for n in kept)
    return replace(
        made, plan=made.plan.model_copy(update={"options": options}), choices=tuple(choices[n] for n in kept)
    )
