"""The readings that a question back puts: in few words, without those that give nothing or show the wrong end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.computing.compute import Computed
from apps.analyst.conversation.readas.figures import figure_of
from apps.analyst.conversation.readas.phrasing import as_questions
from apps.analyst.conversation.readas.pieces import core
from apps.analyst.conversation.shape import end_of
from apps.analyst.conversation.words import phrases
from apps.analyst.plan import Clarify, Option, Plan
from apps.analyst.ports import Catalog
from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.reader import Weighed
from apps.analyst.types import Answer, Choice

ENDS = ("most", "least", "best", "worst", "fast", "slow")
SEVERAL = "Which of these do you mean?"
ONE = "Do you mean this?"


def put_shortly(made: Answer, text: str, ranked: Sequence[Weighed], catalog: Catalog) -> Answer:
    """A question back with its readings as somebody would ask for them."""
    if not isinstance(made.plan, Clarify) or len(made.choices) != len(made.plan.options):
        return made
    computed = {id(one.reading.plan): one.computed for one in ranked}
    plans = [option.plan for option in made.plan.options]
    kept = [plan for plan in plans if id(plan) not in computed or _gives(computed[id(plan)], catalog)] or plans
    kept = [plan for plan in kept if not _is_other_end(plan, text)] or kept
    said: dict[str, Plan] = {}
    for words, plan in zip(as_questions(kept, catalog), kept, strict=True):
        said.setdefault(words, plan)
    options = tuple(Option(label=words, question=words, plan=plan) for words, plan in said.items())
    told = SEVERAL if len(options) > 1 else ONE
    return replace(
        made,
        text=told,
        plan=Clarify(question=told, options=options),
        choices=tuple(Choice(option.label, option.label) for option in options),
    )


def _gives(computed: Computed, catalog: Catalog) -> bool:
    """Whether a reading comes to something that is not nothing."""
    cells = [cell for row in computed.result.rows for cell in row]
    return bool(figure_of(computed, catalog)) and any(cell is not None and cell != 0 for cell in cells)


def _is_other_end(plan: Plan, text: str) -> bool:
    """Whether a ranking shows the best where the worst were asked for, or the other way round."""
    query, asked = core(plan), _end(text)
    if not asked or query is None or not query.order or query.limit is None or not query.measures:
        return False
    if query.order[0].by not in {output.label for output in query.measures}:
        return False
    return query.order[0].descending != (end_of(asked, query) == "most")


def _end(text: str) -> str:
    """The word for an end of an order that a question says; "" for none."""
    tokens = tokens_of(text)
    found = (kind for token in range(len(tokens)) for kind, _ in phrases().at(tokens, token)[1])
    return next((kind for kind in found if kind in ENDS), "")
