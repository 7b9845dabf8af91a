"""The readings that a question back puts: in few words, without those that give nothing or show the wrong end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import TypeVar, cast

from apps.analyst.computing.compile.walk import within
from apps.analyst.computing.compute import Computed
from apps.analyst.conversation.readas.phrasing import as_questions
from apps.analyst.conversation.readas.pieces import core
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.shape import end_of, grouped_by
from apps.analyst.conversation.words import phrases
from apps.analyst.knowledge.english import english
from apps.analyst.plan import Clarify, Grain, Node, Option, Part, Period, Plan, Query
from apps.analyst.plan.validate import holds
from apps.analyst.ports import Catalog
from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.glance import figure_of
from apps.analyst.types import Answer, Choice

P = TypeVar("P", bound=Node)
ENDS = ("most", "least", "best", "worst", "fast", "slow")
SEVERAL = "I can read this in more than one way."
ONE = "I am not sure that I understood this correctly."
FEW_ROWS = 2
"""Up to so many rows two results with the same figures say the same."""


def put_shortly(made: Answer, text: str, ranked: Sequence[Weighed], catalog: Catalog) -> Answer:
    """A question back with its readings as somebody would ask for them."""
    if not isinstance(made.plan, Clarify) or len(made.choices) != len(made.plan.options):
        return made
    computed = {id(one.reading.plan): one.computed for one in ranked}
    plans = [option.plan for option in made.plan.options]
    kept = [plan for plan in plans if id(plan) not in computed or _gives(computed[id(plan)], catalog)] or plans
    kept = [plan for plan in kept if not _is_other_end(plan, text)] or kept
    kept = _unlike(kept, computed)
    kept = [_with_period(plan, text, catalog) or plan for plan in kept]
    said: dict[str, Plan] = {}
    for words, plan in zip(as_questions(kept, catalog), kept, strict=True):
        said.setdefault(words, plan)
    options = tuple(Option(label=words, question=words, plan=plan) for words, plan in said.items())
    told = SEVERAL if len(options) > 1 else ONE
    figures = {words: figure_of(computed[id(plan)], catalog) for words, plan in said.items() if id(plan) in computed}
    choices = tuple(Choice(words, words, figure=figures.get(words, "")) for words in said)
    return replace(made, text=told, plan=Clarify(question=told, options=options), choices=choices)


def _gives(computed: Computed, catalog: Catalog) -> bool:
    """Whether a reading comes to something that is not nothing."""
    cells = [cell for row in computed.result.rows for cell in row]
    return bool(figure_of(computed, catalog)) and any(cell is not None and cell != 0 for cell in cells)


def _unlike(plans: Sequence[P], computed: Mapping[int, Computed]) -> list[P]:
    """The readings without those whose few figures a likelier one has, too, or that say its figures with others beside:
    two periods in a row or one below the other, growth alone or with what it comes from."""
    kept: list[tuple[P, frozenset[float]]] = []
    for plan in plans:
        figures = _few_figures(computed[id(plan)]) if id(plan) in computed else frozenset()
        if not figures or not any(others and (others <= figures or figures <= others) for _, others in kept):
            kept.append((plan, figures))
    return [plan for plan, _ in kept]


def _few_figures(computed: Computed) -> frozenset[float]:
    """The figures of a result of no more than two rows; none of a longer one."""
    rows = computed.result.rows
    cells = [cell for row in rows for cell in row] if len(rows) <= FEW_ROWS else []
    numbers = (cell for cell in cells if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool))
    return frozenset(round(float(number), 6) for number in numbers)


def _with_period(plan: Plan, text: str, catalog: Catalog) -> Query | None:
    """A reading that tells names apart and passes over the period that is asked for beside them, with both ("tickets
    per month by line"); None for others."""
    tokens = tokens_of(text)
    grain = next((_grain_of(word) for before, word in pairwise(tokens) if _is_by(before) and _grain_of(word)), None)
    grain = grain or next((phrases().grains[word] for word in tokens if word in phrases().grains), None)
    if grain is None or not isinstance(plan, Query) or not plan.groups or not plan.measures or plan.limit is not None:
        return None
    if any(isinstance(node, Period | Part) for group in plan.groups for node in within(group.expr)):
        return None
    made = grouped_by(plan, [], grain, Scene(catalog), anew=False)
    return made if made is not None and holds(made, catalog) else None


def _is_by(word: str) -> bool:
    return any(kind == "by" for kind, _ in phrases().at([word], 0)[1])


def _grain_of(word: str) -> Grain | None:
    return next((cast("Grain", unit) for unit, names in english().units.items() if word in names), None)


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
