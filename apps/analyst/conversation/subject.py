"""What a message goes on from: the plan of the last answer, across refusals and small talk between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.analyst.conversation.explaining_plans import compared
from apps.analyst.conversation.words import phrases, written_out
from apps.analyst.knowledge.english import english
from apps.analyst.language.followups import is_elliptical, waits
from apps.analyst.plan import Clarify, Comparison, Describe, Option, Plan, Query
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
    tokens = tokens_of(written_out(text))
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


def open_offers(turns: Sequence[Turn]) -> list[Subject]:
    """The readings that the last question back put and nobody has chosen from, the likeliest first; none where an
    answer was told since. What was offered instead of an answer is gone on from where there is nothing else."""
    for turn in reversed(turns):
        if _is_answer(turn.plan):
            return []
        options = _options(turn)
        if options and (any(not one.instead for one in options) or not any(_is_answer(t.plan) for t in turns)):
            return [_offered(turn, one) for one in _each_once(options)]
    return []


def _is_answer(plan: Plan | None) -> bool:
    return plan is not None and not isinstance(plan, Clarify | Describe)


def _options(turn: Turn) -> tuple[Option, ...]:
    return turn.plan.options if isinstance(turn.plan, Clarify) else ()


def _each_once(options: Sequence[Option]) -> list[Option]:
    """The readings among the options, each plan once; all of them where none is a reading."""
    readings = [one for one in options if not one.instead and _is_answer(one.plan)]
    found = readings or [one for one in options if _is_answer(one.plan)]
    return [one for n, one in enumerate(found) if all(one.plan != before.plan for before in found[:n])]


def _offered(turn: Turn, option: Option) -> Subject:
    return Subject(turn, plain(compared(option.plan) or option.plan), WENT_ON.format(option.label))


def told_last(turns: Sequence[Turn]) -> Subject | None:
    """The last answer; where something was asked back since, it says that it goes on from there."""
    for place in range(len(turns) - 1, -1, -1):
        turn = turns[place]
        if turn.plan is None or not _is_answer(turn.plan):
            continue
        plan = compared(turn.plan)
        assert plan is not None
        asked = any(_options(later) for later in turns[place + 1 :])
        return Subject(turn, plain(plan), WENT_ON.format(turn.question) if asked else "")
    return None


def subject_of(turns: Sequence[Turn]) -> Subject | None:
    """The subject of a thread: the likeliest of the readings that were offered last and not chosen from, else the last
    answer. Refusals leave it as it was."""
    if turns and len(turns) <= MOST_BEGUN and waits(turns[0].question):
        return None  # what was begun is still being said
    return next(iter(open_offers(turns)), None) or told_last(turns)


def after_each_offer(turns: Sequence[Turn]) -> list[tuple[Turn, ...]]:
    """The thread as it is if one of the readings that are open were the only one, for each of them."""
    offers = open_offers(turns)
    return [_with_options(turns, offers, (one,)) for one in _each_once(_options(offers[0].turn))] if offers else []


def before_the_offers(turns: Sequence[Turn]) -> tuple[Turn, ...] | None:
    """The thread as it is if none of the readings that are open is meant; None where nothing was answered before."""
    offers = open_offers(turns)
    if not offers or not any(_is_answer(turn.plan) for turn in turns):
        return None
    passed = tuple(one.model_copy(update={"instead": True}) for one in _options(offers[0].turn))
    return _with_options(turns, offers, passed)


def _with_options(turns: Sequence[Turn], offers: Sequence[Subject], options: tuple[Option, ...]) -> tuple[Turn, ...]:
    asked = offers[0].turn
    made = replace(asked, plan=Clarify(question=asked.answer, options=options))
    return tuple(made if turn is asked else turn for turn in turns)
