"""What a question would mean without a definition that it was read by, as readings to choose from at its chip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from apps.analyst.computing.compile.walk import rewrite, within
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.plan import Aggregate, Among, Arithmetic, Clarify, Node, Plan, Query
from apps.analyst.plan.validate import holds
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.applying import as_told
from apps.analyst.reading.keywords.terms import mentions
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.types import Question, Rival

WITHOUT = "Without this definition"
OF_ALL = "Of all, also those not decided yet"
CHANCE = 0.01
"""Of a reading that nobody weighed: what is defined is what is meant."""


def without_definitions(question: Question, reading: Reading, catalog: Catalog) -> list[Rival]:
    """The readings without each of the definitions, where they are others that hold."""
    found = []
    for place, text in enumerate(reading.definitions):
        for label, plan in _others(text, question, reading.plan, catalog):
            if plan != reading.plan and holds(plan, catalog):
                found.append(Rival(plan, CHANCE, chip=f"definition:{place}", label=label))
    return found


def _others(text: str, question: Question, plan: Plan, catalog: Catalog) -> Iterator[tuple[str, Plan]]:
    said = next((one.definition for one in mentions(question) if as_told(one.definition) == text), None)
    if said is None:
        if isinstance(plan, Query) and (whole := _of_all(plan)) != plan:
            yield OF_ALL, whole
        return
    others = {term: meant for term, meant in question.keywords.items() if term.strip() != said.term}
    context = question.context if said.shared or said.known else ""
    known = {term: meant for term, meant in question.known.items() if term != said.term}
    readings = understood(replace(question, keywords=others, context=context, known=known), catalog)
    first = readings[0] if readings else None
    if first is not None and first.score >= ANSWER_THRESHOLD and not isinstance(first.plan, Clarify):
        yield WITHOUT, first.plan


def _of_all(plan: Query) -> Query:
    """A rate of decided cases as the share of all rows."""

    def changed(node: Node) -> Node | None:
        if not isinstance(node, Arithmetic) or node.op != "/":
            return None
        wholes = [part for part in within(node.right) if isinstance(part, Aggregate) and isinstance(part.where, Among)]
        if len(wholes) != 1:
            return None
        whole = rewrite(node.right, lambda part: part.model_copy(update={"where": None}) if part in wholes else None)
        return node.model_copy(update={"right": whole})

    return rewrite(plan, changed)
