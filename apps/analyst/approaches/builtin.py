"""The built-in planner: the product's own grammar, no model, the same plan for the same question every time."""

from __future__ import annotations

from apps.analyst import language
from apps.analyst.errors import NoSuchData, Unclear
from apps.analyst.plan import Plan
from apps.analyst.ports import Catalog
from apps.analyst.types import Question


class BuiltinPlanner:
    """Plans by `language.read` (apps.analyst.ports.Planner)."""

    name = "builtin"

    def plan(self, question: Question, catalog: Catalog) -> Plan:
        """The surest reading's plan. Raises NoSuchData for an empty catalog, Unclear below the threshold."""
        if not catalog.tables():
            raise NoSuchData("There is no data to answer from yet.")
        readings = language.read(question, catalog)
        if not readings or readings[0].score < language.ANSWER_THRESHOLD:
            raise Unclear("The question could not be read well enough to compute an answer.")
        return readings[0].plan
