"""Follow-ups as edits of the plan before: "and by month?", "only the West", "as a pie", "and last year?", "why?".

What the person selected among several approaches is a plan, so a follow-up goes on from that plan, not from the words
that once led to it. Most are read by their pieces (`conversation`); here are those that go by a whole sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from apps.analyst.conversation import editing_words as words
from apps.analyst.conversation import rows, shape
from apps.analyst.conversation.changing import changed, meant, not_found
from apps.analyst.conversation.editing_times import SIDES, between_two, two_spans, with_period_before
from apps.analyst.conversation.explaining import explaining, one_span
from apps.analyst.conversation.explaining_leaders import is_led
from apps.analyst.conversation.explaining_plans import explaining_plan, figure_words
from apps.analyst.conversation.ground import ENDS
from apps.analyst.conversation.pieces import GENERAL, message
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.standing import points_at_itself, says_it_goes_on
from apps.analyst.conversation.subject import GOING_ON, UNTOLD, Subject, goes_on, subject_of
from apps.analyst.conversation.words import phrases, written_out
from apps.analyst.knowledge.english import english
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, Comparison, Period, Plan, Query
from apps.analyst.plan.validate import holds
from apps.analyst.ports import Catalog
from apps.analyst.types import Question

SURE = 0.95
LONGEST = 12
SHORTEST_WHOLE = 7
"""Words from which on a message may say all that it asks although it begins as if it went on."""
NOT_FOUND = "I found nothing in your data for “{}”, so I changed nothing."
NOTHING_TO_EXPLAIN = (
    "I can say why a figure changed between two periods, or why one group is ahead of the next. Please ask for such a "
    "figure first."
)
UNCLEAR = (
    "I am not sure what to change, so I changed nothing. Going on from “{}”, you can name a column, a value or a "
    "period, such as “by month” or “only last year”."
)


def edited(question: Question, catalog: Catalog) -> Reading | None:
    """The reading of a follow-up that edits the plan before; None where it is no such edit."""
    subject = meant(question, catalog)
    if subject is None:
        return None
    text = " ".join(written_out(question.text).casefold().replace("’", "'").strip(" ?.!").split())
    edit = _Edit(question, subject, catalog)
    short = len(text.split()) <= LONGEST
    for pattern, change in (
        (words.WHY, edit.why),
        (words.PLACE, edit.place),
        (words.ONWARD, edit.onward),
        (words.COMPARE, edit.compare),
        (words.GROWTH, edit.growth),
    ):
        found = pattern.fullmatch(text) if short else None
        made = change(found) if found is not None else None
        if made is not None and (isinstance(made.plan, Clarify) or holds(made.plan, catalog)):
            return made
    against = edit.against() if short else None
    return against or changed(question, catalog) or _only_unknown(question, catalog)


def _only_unknown(question: Question, catalog: Catalog) -> Reading | None:
    """The refusal of a message that begins as a change does and names what the data do not hold."""
    name = not_found(question, catalog, first=("and", "only", "without", "lead"))
    return _refused(NOT_FOUND.format(name), question) if name else None


def left_open(question: Question, catalog: Catalog) -> str:
    """What is said to a message that says nothing by itself and was found to change nothing: read as a question of its
    own it would be told as something that nobody asked. "" for all others."""
    subject = subject_of(question.turns)
    if subject is None or subject.query is None or len(question.text.split()) > SHORTEST_WHOLE:
        return ""
    said = message(question, catalog, subject.query)
    lost = not said.unread and says_it_goes_on(said)
    return UNCLEAR.format(subject.turn.question.strip()) if lost else ""


def _refused(told: str, question: Question) -> Reading:
    return Reading(plan=Clarify(question=told, options=()), score=SURE, reader="editing", wording=question.text)


def unclear(question: Question, catalog: Catalog) -> list[Reading]:
    """What is said to a message that goes on from an answer in a way that nothing was found for."""
    subject = subject_of(question.turns)
    if subject is None or len(question.text.split()) > LONGEST:
        return []
    name = not_found(question, catalog)
    if not name and (not goes_on(question.text) or _names_anew(question, subject, catalog)):
        return []
    told = NOT_FOUND.format(name) if name else UNCLEAR.format(subject.turn.question.strip())
    return [_refused(told, question)]


def _names_anew(question: Question, subject: Subject, catalog: Catalog) -> bool:
    """True for a few words that name a thing of the data and something unknown of it: they may ask anew, and the
    unknown word is asked about ("most productive beekeeper"). So for what says more of the thing itself."""
    if subject.query is None:
        return False
    said = message(question, catalog, subject.query)
    if points_at_itself(said):
        return True
    leads = (*GOING_ON, "and", "only", "without", "also")
    return (bool(said.unread) or said.has(*ENDS)) and said.has("column", "noun") and not said.has(*leads)


@dataclass(frozen=True, slots=True)
class _Edit:
    question: Question
    subject: Subject
    catalog: Catalog

    def _reading(self, plan: Plan, told: str, assumed: str = "") -> Reading:
        before = self.subject.turn.question
        return Reading(
            plan=plan,
            score=SURE if self.subject.is_told else UNTOLD,
            understood=(f"going on from “{before}”", told),
            assumptions=tuple(said for said in (self.subject.assumed, assumed) if said),
            reader="editing",
            wording=f"{before.rstrip(' ?.')}, {self.question.text.strip()}",
        )

    def _changed(self, change: Callable[[Query], Query | None]) -> Plan | None:
        """The plan before with its query changed; its own words for its rows no longer hold."""
        plan = self.subject.plan
        query = plan.query if isinstance(plan, Comparison) else plan
        made = change(query) if isinstance(query, Query) else None
        if made is None:
            return None
        made = made.model_copy(update={"noun": "", "scope": ""})
        return plan.model_copy(update={"query": made}) if isinstance(plan, Comparison) else made

    def why(self, _: re.Match[str]) -> Reading | None:
        query = self.subject.query
        if is_led(self.subject.plan, self.catalog):
            return _refused(NOTHING_TO_EXPLAIN, self.question)  # who is first is computed: explaining_leaders
        named = self._why_then(query) if query is not None else None
        if named is not None:
            return named
        if query is not None and message(self.question, self.catalog, query).has("period"):
            named = changed(self.question, self.catalog)  # "why did it fall in October?"
            if named is not None:
                return named
        if query is not None and query.limit == 1 and query.groups and one_span(query) is None:
            return _refused(NOTHING_TO_EXPLAIN, self.question)  # the last quarter would explain nothing of a first one
        said = figure_words(self.subject.plan)
        asked = f"Why did {said} change?"
        going_on = replace(self.question, text=asked, turns=())
        made = self._reading(self.subject.plan, "why it changed")
        found = explaining_plan(self.subject.plan, made, going_on, self.catalog)
        found = found or (explaining(going_on, self.catalog) if said else None)
        if found is not None:
            return replace(found, wording=asked)
        return replace(_refused(NOTHING_TO_EXPLAIN, self.question), wording=asked)

    def _why_then(self, query: Query) -> Reading | None:
        """Why it was so in the one period that was told as the first of all."""
        told = words.BOLD.search(self.subject.turn.answer)
        if query.limit != 1 or told is None or not all(isinstance(group.expr, Period) for group in query.groups):
            return None
        asked = replace(self.question, text=f"what happened in {told[1]}")
        return changed(asked, self.catalog) if message(asked, self.catalog, query).has("period") else None

    def place(self, found: re.Match[str]) -> Reading | None:
        """The second, third or next of a ranking."""
        count = words.PLACES.get(found["place"])

        def change(query: Query) -> Query | None:
            if not query.order or query.limit is None:
                return None
            offset = query.offset + query.limit if count is None else count - 1
            return query.model_copy(update={"limit": 1, "offset": offset, "ties": False, "limit_per": ()})

        plan = self._changed(change)
        return None if plan is None else self._reading(plan, f"the {found['place']}")

    def onward(self, found: re.Match[str]) -> Reading | None:
        """The places behind those of a ranking, as many as are asked for, else as before."""
        said = found["next"] or found["more"] or ""
        count = int(said) if said.isdecimal() else int(english().numbers.get(said, 0))
        if said and not count:
            return None

        plan = self._changed(lambda query: shape.onward(query, count))
        return None if plan is None else self._reading(plan, "the places behind")

    def growth(self, _: re.Match[str]) -> Reading | None:
        """How a figure changed between the two periods that were told last, else from the one before its own."""
        told = between_two(self._told_last(), self.question.today, self.catalog)
        told = told or with_period_before(self.subject.plan, words.BEFORE_IT, self.question.today, self.catalog)
        return None if told is None else self._reading(told.plan, told.told, told.assumed)

    def _told_last(self) -> list[Query]:
        """The queries of the thread's answers, the last first."""
        told = (subject_of((turn,)) for turn in reversed(self.question.turns))
        return [subject.query for subject in told if subject is not None and subject.query is not None]

    def against(self) -> Reading | None:
        """Two periods that are named, side by side: "compare 2025 with 2024"."""
        query, scene = self.subject.query, Scene(self.catalog)
        said = message(self.question, self.catalog, query) if query is not None else None
        known = phrases()
        if query is None or said is None or not known.against & {*said.tokens}:
            return None
        periods = said.of("period")
        others = any(piece.kind not in ("period", *GENERAL) for piece in said.pieces)
        if len(periods) != SIDES or others or not {*said.unread} <= known.against | known.amid:
            return None
        ranges = sorted(rows.meant_range(period.ranges, query, scene) for period in periods)
        made = two_spans(query, ranges, self.question.today, scene)
        return None if made is None else self._reading(made.plan, made.told, made.assumed)

    def compare(self, found: re.Match[str]) -> Reading | None:
        before = words.BEFORE.fullmatch(found["what"])
        today, catalog = self.question.today, self.catalog
        made = with_period_before(self.subject.plan, before, today, catalog) if before is not None else None
        return None if made is None else self._reading(made.plan, made.told, made.assumed)
