"""What is told of a message that goes on from an answer: the likeliest of all that it may mean, where that is likely
enough, else a question back. What is a question by itself is left to who reads those."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from apps.analyst.computing.compute import computed_of, evidenced
from apps.analyst.conversation.changing import meant as meant_before
from apps.analyst.conversation.editing import LONGEST, UNCLEAR
from apps.analyst.conversation.pieces import message
from apps.analyst.conversation.readas.answers import as_read
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.standing import points_back, stands_alone
from apps.analyst.conversation.subject import Subject
from apps.analyst.conversation.which_file import plans_over_alike
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, Comparison, Query
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading import following, weighing
from apps.analyst.reading.agreeing import Told, named_alone
from apps.analyst.reading.following import Before, Meant, is_short, judge, meant
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.rules.understanding import SAID_BEFORE, understood
from apps.analyst.telling.answers import Found, whole_ranking, worded
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.followups import follow_ups
from apps.analyst.telling.labelling import labelled
from apps.analyst.types import Answer, Question

EDITING = "editing"
CHANGED_FROM, NEARLY, PLAUSIBLE = 0.35, 0.6, 0.3
"""The least probability at which the rules' change of the plan before is told, how likely, against the likeliest, it is
told in its place, and how likely it speaks against a reading that passes a word over. Over databases that nobody had
learned, six of ten changes below the threshold of all else are right, and of 30 that are nearly as likely as another as
many as of these others; of the open dialogues' nine of ten."""


@dataclass(frozen=True)
class Alone:
    """A message read by itself: the rules' readings, and all with their probabilities."""

    rules: Sequence[Reading]
    ranked: list[Weighed]


@dataclass(frozen=True)
class Heard:
    """All that a message may mean behind the answer before it, the likeliest first, each with its probability."""

    subject: Subject
    ranked: list[tuple[Meant, float]]
    alone: Alone
    passes_over: bool = False
    """Whether the likeliest passes a word over that the rules' change has a use for."""

    @property
    def stands_alone(self) -> bool:
        """Whether the likeliest is what the message says by itself, and nothing that goes on; so also where that has
        all of it ("the team" and "the team with its budget"), or where it is of other files than the answer before."""
        best = self.ranked[0][0]
        if best.edited is not None or not self.alone.ranked:
            return False
        if (best.alone is not None and best.guess is None) or not tables_of(best.plan) & tables_of(self.subject.plan):
            return True
        own, other = (Told(named_alone(one.computed.result)) for one in (self.alone.ranked[0], best))
        return best.alone is None and own.covers(other)


def heard(question: Question, readings: Sequence[Reading], catalog: Catalog, warehouse: Warehouse) -> Heard | None:
    """What a message may mean that goes on from an answer. None where nothing is gone on from, or the rules' reading is
    of a kind that nobody else has (a reason, a chart), or nothing can be computed."""
    subject = gone_on_from(question, readings, catalog)
    if subject is None:
        return None
    computed = computed_of(subject.plan, catalog, warehouse, checked=True)
    before = Before(subject.plan, computed.result if computed is not None else None)
    if not is_short(question, before):
        return None
    own = replace(question, turns=())
    alone = Alone(*weighing.weigh(question, catalog, warehouse, understood(own, catalog)))
    edits = [r for r in readings if r.reader == EDITING and not isinstance(r.plan, Clarify)]
    every, rows = meant(question, before, catalog, warehouse, edits, alone.ranked)
    chances = map(float, judge().probabilities(rows))
    order = sorted(zip(every, chances, rows, strict=True), key=lambda found: -found[1])
    if not order:
        return None
    ranked = _changes_first([found[:2] for found in order])
    changed = any(one.edited is not None and chance >= PLAUSIBLE for one, chance in ranked[1:])
    passed = order[0][2]["heeded_passed"] > 0 and ranked[0][0].edited is None
    return Heard(subject, ranked, alone, passes_over=passed and changed)


def _changes_first(ranked: list[tuple[Meant, float]]) -> list[tuple[Meant, float]]:
    """The readings; the rules' change stands first where it is nearly as likely: it keeps the form of the answer and
    finds a place for every word."""
    change = next((found for found in ranked if found[0].edited is not None), None)
    if change is None or change[1] < NEARLY * ranked[0][1]:
        return ranked
    return [change, *(found for found in ranked if found is not change)]


def gone_on(
    question: Question,
    readings: Sequence[Reading],
    catalog: Catalog,
    warehouse: Warehouse,
    tell: Callable[..., None],
    *,
    onward: bool,
) -> Answer | Alone | None:
    """The answer to a message that goes on from the one before; how it reads by itself, where that is likelier meant;
    None where nobody has anything to say to it but the rules."""
    found = heard(question, readings, catalog, warehouse)
    if found is None:
        return None
    if found.stands_alone:
        return found.alone
    weighed = [_weighed(one, chance, question, found.subject) for one, chance in found.ranked]
    chance = weighed[0].reading.score
    if chance < judge().ask and not says_all(question, found.subject, catalog):
        text = UNCLEAR.format(found.subject.turn.question.strip())
        return Answer("clarify", text, plan=Clarify(question=text, options=()), confidence=chance)
    if found.passes_over or chance < (CHANGED_FROM if found.ranked[0][0].edited is not None else judge().answer):
        if says_all(question, found.subject, catalog):
            return found.alone
        return weighing.offered(weighed, catalog)
    tell("Computing")
    return _told(question, weighed, catalog, warehouse, onward=onward)


def says_all(question: Question, subject: Subject, catalog: Catalog) -> bool:
    """Whether a message says all of what it asks, by the rules' lights."""
    if subject.query is None:
        return True
    return stands_alone(message(question, catalog, subject.query), subject, Scene(catalog))


def gone_on_from(question: Question, readings: Sequence[Reading], catalog: Catalog) -> Subject | None:
    """The plan that a message is read behind; None where the rules alone read it. What the product words itself is read
    by the rules."""
    if not question.turns or question.offered or not following.trained():
        return None
    subject = meant_before(question, catalog)
    if (
        subject is None
        or _is_of_rules(question, readings, subject, catalog)
        or len(plans_over_alike(subject.plan, catalog)) > 1
    ):
        return None  # of files alike the rules know which is meant
    changed = any(r.reader == EDITING and not isinstance(r.plan, Clarify) for r in readings)
    whole = len(question.text.split()) > LONGEST or says_all(question, subject, catalog)
    return None if whole and not changed else subject


def _is_of_rules(question: Question, readings: Sequence[Reading], subject: Subject, catalog: Catalog) -> bool:
    """Whether the rules' first reading is one that only they have: of what was said or chosen before, with a chart that
    was asked for, a reason, or a question back with its choices."""
    if subject.query is None:
        return True
    first = readings[0] if readings else None
    if first is None:
        return False
    if first.reader == EDITING and points_back(message(question, catalog, subject.query)):
        return True  # "the rows behind it"
    if isinstance(first.plan, Clarify):
        return bool(first.plan.options)
    if first.reader != EDITING:
        return first.reader in SAID_BEFORE
    # What no sketch can say, or goes on from such, stays as the rules change it.
    return first.chart is not None or not isinstance(first.plan, Query) or isinstance(subject.plan, Comparison)


def _weighed(one: Meant, chance: float, question: Question, subject: Subject) -> Weighed:
    """A reading as it is told and offered."""
    if one.edited is not None:
        return Weighed(replace(one.edited, score=round(chance, 4)), one.computed)
    before = subject.turn.question
    reading = Reading(
        plan=one.plan,
        score=round(chance, 4),
        understood=(f"going on from “{before}”", plan_sentence(one.plan).rstrip(".")),
        assumptions=(subject.assumed,) if subject.assumed else (),
        reader=EDITING,
        wording=f"{before.rstrip(' ?.')}, {question.text.strip()}",
    )
    return Weighed(reading, one.computed)


def _told(
    question: Question, ranked: Sequence[Weighed], catalog: Catalog, warehouse: Warehouse, *, onward: bool
) -> Answer:
    """The answer by the likeliest reading, with a word of doubt where it is not sure."""
    best = ranked[0]
    computed = evidenced(best.computed, catalog, warehouse)
    made = worded(question, best.reading, computed, catalog)
    made = replace(made, chart=whole_ranking(Found(best.reading, computed), catalog, warehouse) or made.chart)
    if best.reading.score < judge().sure or best.reading.assumptions:
        said = plan_sentence(labelled(computed.plan, catalog))
        made = replace(made, text=f"{made.text}\n\n{weighing.DOUBT.format(said)}")
    more = follow_ups(computed.plan, catalog, question.text) if onward else ()
    made = weighing.with_origin(replace(made, follow_ups=more), best.reading.plan, catalog)
    return as_read(made, question, catalog, ranked, best.reading)
