"""A question on its way to an answer, and what it may mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.analyst.conversation.nearest_statistics import statistic_instead
from apps.analyst.conversation.readas.declining import declined_so
from apps.analyst.language import Reading
from apps.analyst.ports import Catalog, Emit, Planner, Warehouse
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.answers import declined
from apps.analyst.telling.exports import Wish
from apps.analyst.types import Answer, Proven, Question, Step


@dataclass
class Case:
    """One question on its way: what it is asked over, who reads it, and the steps told so far. `wish` is the file that
    was asked for beside the question."""

    question: Question
    catalog: Catalog
    warehouse: Warehouse
    emit: Emit
    planner: Planner | None
    onward: bool
    learned: bool
    wish: Wish | None = None
    steps: list[Step] = field(default_factory=list)

    @property
    def asks(self) -> bool:
        """Whether a refusal asks back, where people go on from it."""
        return self.onward and self.learned and self.planner is None

    def tell(self, label: str, detail: str = "", *, brief: bool = False) -> None:
        """A step is kept for the answer and shown to those who watch."""
        step = Step(label, detail, brief)
        self.steps.append(step)
        self.emit(step)

    def refused(self, readings: Sequence[Reading], ranked: Sequence[Weighed], problem: str = "") -> Answer:
        """The refusal of a question by what was understood of it, as a question back where people go on from it."""
        made = declined(readings, self.catalog, problem, onward=self.onward and not self.asks)
        return self.asked_back(made, ranked, problem)

    def asked_back(self, made: Answer, ranked: Sequence[Weighed], reason: str = "") -> Answer:
        """A refusal, as a question back where people go on from it."""
        if not self.asks or made.plan is not None:
            return made
        statistic = statistic_instead(self.question, (), self.catalog, self.warehouse) if not reason else None
        return statistic or declined_so(made, self.question, ranked, self.catalog, self.warehouse, reason)


@dataclass(frozen=True)
class Heard:
    """What a question may mean: the rules' readings, the surest first, and all that were weighed, the likeliest first.
    `proven` is the question that it repeats."""

    readings: Sequence[Reading]
    proven: Proven | None = None
    is_weighed: bool = False
    ranked: tuple[Weighed, ...] = ()
