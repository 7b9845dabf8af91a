"""What a message goes on from: the plan of the last answer, across refusals and small talk between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.conversation.predicates import plain_periods
from apps.analyst.explaining_plans import compared
from apps.analyst.plan import Clarify, Comparison, Describe, Plan, Query
from apps.analyst.types import Turn


@dataclass(frozen=True, slots=True)
class Subject:
    """The plan that is gone on from. `assumed` says which reading it is where several had been offered."""

    turn: Turn
    plan: Plan
    assumed: str = ""

    @property
    def query(self) -> Query | None:
        """The plan's query; None where it has several, or none."""
        plan = self.plan.query if isinstance(self.plan, Comparison) else self.plan
        return plan if isinstance(plan, Query) and isinstance(plan.source, str) else None


def subject_of(turns: Sequence[Turn]) -> Subject | None:
    """The subject of a thread. A refusal leaves it as it was; of readings that were offered the likeliest is meant."""
    for turn in reversed(turns):
        plan, assumed = turn.plan, ""
        if isinstance(plan, Clarify) and plan.options:
            likeliest = plan.options[0]
            plan, assumed = likeliest.plan, f"I went on from “{likeliest.label}”"
        if plan is None or isinstance(plan, Clarify | Describe):
            continue
        plan = compared(plan)
        assert plan is not None
        if isinstance(plan, Query):
            plan = plain_periods(plan)
        elif isinstance(plan, Comparison):
            plan = plan.model_copy(update={"query": plain_periods(plan.query)})
        return Subject(turn, plan, assumed)
    return None
