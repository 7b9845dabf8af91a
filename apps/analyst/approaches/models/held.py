"""A model's answer held against the built-in analyst's best reading: the same result, or another one to be offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from apps.analyst.approaches.consensus import same
from apps.analyst.approaches.models.near import near
from apps.analyst.conversation.readas.others import Other, read_as
from apps.analyst.errors import AnalystError
from apps.analyst.ports import Catalog
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Answer, Question, Rival

CHANCE = 0.5
"""Of the built-in reading beside a model's: neither is more likely than the other."""
HELD = "held"
"""What is opened to choose the built-in reading whole, as parts are opened by their keys: it may differ in many of
them, and a query that no plan says has none."""
LABEL = "As the built-in analyst reads it"


def held_against(made: Answer, second: Callable[[], Answer] | None, question: Question, catalog: Catalog) -> Answer:
    """The model's answer with what the built-in analyst came to. Another result of its becomes a reading to choose."""
    if second is None or made.status != "answered" or made.result is None:
        return made
    try:
        other = second()
    except AnalystError:
        return made
    if other.status != "answered" or other.result is None:
        return made
    if same(made.result, other.result):
        return replace(made, held="same")
    made = replace(made, held="other", held_text=other.evidence.plan_sentence)
    if other.plan is None:
        return made
    made = replace(made, rivals=(Rival(other.plan, CHANCE),))
    if made.plan is None or made.read_as is None:
        return made
    asked_of = near((question.text,), narrowed(catalog, question.files), tables_of(made.plan) | tables_of(other.plan))
    parts = read_as(made.plan, asked_of, rivals=made.rivals)
    own = tuple(chip for chip in made.read_as.chips if chip.key.startswith("model:"))
    return replace(made, read_as=replace(made.read_as, chips=(*parts.chips, *own)))


def other_of(rivals: Sequence[Rival]) -> Other | None:
    """The built-in reading of an answer that was held against it; None where it had none to choose."""
    return Other(LABEL, rivals[0].plan) if rivals else None
