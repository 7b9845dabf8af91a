"""What a message goes on from: the plan of the last answer, across refusals and small talk between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.analyst.conversation.explaining_plans import compared
from apps.analyst.conversation.words import phrases
from apps.analyst.knowledge.english import english
from apps.analyst.language.followups import is_elliptical, waits
from apps.analyst.plan import Clarify, Comparison, Describe, Plan, Query
from apps.analyst.plan.stretches import plain
from apps.analyst.reading.linking import tokens_of
from apps.analyst.types import Turn

MOST_BEGUN = 4
"""Messages in which a chart that was begun is put together."""
SHORT = 4
"""Words of a question that is whole."""
WENT_ON = "I went on from “{}”"
UNTOLD = 0.65
"""How sure what goes on from a reading is that was offered and never told."""
GOING_ON = ("anaphor", "lead", "both", "correct", "instead", "shift")


@dataclass(frozen=True, slots=True)
class Subject:
    """The plan that is gone on from. `assumed` says which it is where that is not clear: of several that had been
    offered, or where a question back stands between."""

    turn: Turn
    plan: Plan
    assumed: str = ""

    @property
    def is_told(self) -> bool:
        """Whether the plan is clearly the one that is meant: told as an answer, not only offered as a reading."""
        return not self.assumed

    @property
    def query(self) -> Query | None:
        """The plan's query; None where it has several, or none."""
        plan = self.plan.query if isinstance(self.plan, Comparison) else self.plan
        return plan if isinstance(plan, Query) and isinstance(plan.source, str) else None


def goes_on(text: str) -> bool:
    """True for a message that says of itself that it goes on from what was said before."""
    tokens = tokens_of(text)
    known, place, found = phrases(), 0, len(tokens) < SHORT or is_elliptical(text)
    while place < len(tokens) and not found:
        end, kinds = known.at(tokens, place)
        found = any(kind in GOING_ON for kind, _ in kinds) and not _is_a_time(tokens, place)
        place = max(end, place + 1)
    return found


def _is_a_time(tokens: Sequence[str], place: int) -> bool:
    """Whether "this" names a time ("this year"), and points at nothing that was said."""
    known = english()
    behind = tokens[place + 1] if place + 1 < len(tokens) else ""
    return tokens[place] in known.this and any(behind in forms for forms in known.units.values())


def offered_last(turns: Sequence[Turn]) -> Iterator[Subject]:
    """The readings of a question that was asked back and that nobody has answered yet, the likeliest first."""
    last = turns[-1].plan if turns else None
    for option in last.options if isinstance(last, Clarify) else ():
        found = subject_of((Turn(turns[-1].question, option.plan, turns[-1].answer),))
        if found is not None:
            yield replace(found, assumed=WENT_ON.format(option.label))


def subject_of(turns: Sequence[Turn]) -> Subject | None:
    """The subject of a thread. Refusals and questions back leave it as it was; where nothing was answered yet, the
    likeliest of the readings that were offered is meant."""
    answered = [turn for turn in turns if turn.plan is not None and not isinstance(turn.plan, Clarify | Describe)]
    if turns and len(turns) <= MOST_BEGUN and waits(turns[0].question):
        return None  # what was begun is still being said
    for turn in reversed(turns):
        plan, assumed = turn.plan, ""
        if isinstance(plan, Clarify) and plan.options and not answered:
            likeliest = plan.options[0]
            plan, assumed = likeliest.plan, WENT_ON.format(likeliest.label)
        if plan is None or isinstance(plan, Clarify | Describe):
            continue
        plan = compared(plan)
        assert plan is not None
        return Subject(turn, plain(plan), assumed)
    return None
