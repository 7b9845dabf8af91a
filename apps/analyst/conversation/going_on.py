"""What is told of a message that goes on from an answer: the likeliest of all that it may mean, where that is likely
enough, else a question back. What is a question by itself is left to who reads those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.analyst.computing.compute import computed_of
from apps.analyst.conversation.alike_values import pooled
from apps.analyst.conversation.answering.case import Case
from apps.analyst.conversation.averaging import going_on_averaged
from apps.analyst.conversation.changing import meant as meant_before
from apps.analyst.conversation.editing import LONGEST, UNCLEAR
from apps.analyst.conversation.pieces import message
from apps.analyst.conversation.readas.answers import as_read
from apps.analyst.conversation.readas.declining import asked_back_so
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.standing import points_back, stands_alone
from apps.analyst.conversation.subject import Subject
from apps.analyst.conversation.told_alone import points_at_one, told_alone
from apps.analyst.conversation.told_alone_read import for_these, of_these
from apps.analyst.conversation.which_file import plans_over_alike
from apps.analyst.conversation.words import phrases as words
from apps.analyst.knowledge.english import english
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, Comparison, InQuery, Plan, Predicate, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.plan.nodes import every
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading import weighing
from apps.analyst.reading.agreeing import Told, named_alone
from apps.analyst.reading.coverage import passes_name_over
from apps.analyst.reading.following import JUDGE, READER, Before, Meant, is_short, meant
from apps.analyst.reading.forms import phrases
from apps.analyst.reading.judging import judge, trained
from apps.analyst.reading.linking import Linked, link, tokens_of
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.rules.understanding import SAID_BEFORE, understood
from apps.analyst.telling.answers import clarified
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Answer, Question

EDITING = "editing"
RULES_ALONE = ("sort", "order", "both", "back", "lacking")
"""Pieces that say in which order all is shown, of more than the answer before ("both years", "put back"), or what no
dialogue taught ("out of stock")."""
ORDER_ALONE = frozenset(("order", "filler", "and", "lead"))
"""The pieces of a message that asks for another order, and for nothing else."""
SAME_IN_PERCENT = frozenset(("percent", "filler", "and", "lead"))
"""The pieces of a message that asks for the same in percent, and for nothing else."""
KEEPING = 0.1
"""How likely, against the likeliest, a reading is that keeps what a message points at, so that it is meant."""
CHANGED_FROM, NEARLY, PLAUSIBLE = 0.33, 0.6, 0.3
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
    names_all: bool = False
    """Whether the rules' change stands first because it alone uses what a word names outright."""

    of_one: bool = False
    """Whether it speaks of who was told alone."""

    @property
    def stands_alone(self) -> bool:
        """Whether the likeliest is what the message says by itself, and nothing that goes on; so also where that has
        all of it ("the team" and "the team with its budget"), or where it is of other files than the answer before."""
        best = self.ranked[0][0]
        if best.edited is not None or not self.alone.ranked or self.of_one:
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
    named = told_alone(subject, Scene(catalog)) if points_at_one(question.text) else []
    alone = replace(alone, ranked=of_these(alone.ranked, named, catalog, warehouse)) if named else alone
    edits = [r for r in readings if r.reader == EDITING and not isinstance(r.plan, Clarify)]
    all_meant, rows = meant(question, before, catalog, warehouse, edits, alone.ranked)
    chances = map(float, judge(JUDGE).probabilities(rows))
    order = sorted(zip(all_meant, chances, rows, strict=True), key=lambda found: -found[1])
    if not order:
        return None
    likely = pooled([found[:2] for found in order], question, subject, catalog)
    likely = for_these(likely, named) if named else likely
    likely = _without_denied(likely, question, subject, catalog)
    ranked = _keeping_first(_changes_first(likely), question, subject)
    naming = _naming(ranked, link(question, catalog))
    if naming is not None:
        return Heard(subject, naming, alone, names_all=True, of_one=bool(named))
    changed = any(one.edited is not None and chance >= PLAUSIBLE for one, chance in ranked[1:])
    passed = order[0][2]["heeded_passed"] > 0 and ranked[0][0].edited is None
    return Heard(subject, ranked, alone, passes_over=passed and changed, of_one=bool(named))


def _naming(ranked: list[tuple[Meant, float]], said: Linked) -> list[tuple[Meant, float]] | None:
    """The readings that use what the message tells apart or ranks by, the rules' change first, where the likeliest does
    not and that change does; None elsewhere."""
    if not passes_name_over(said, ranked[0][0].plan):
        return None
    kept = [found for found in ranked if not passes_name_over(said, found[0].plan)]
    change = next((found for found in kept if found[0].edited is not None), None)
    return [change, *(found for found in kept if found is not change)] if change is not None else None


def _without_denied(
    ranked: list[tuple[Meant, float]], question: Question, subject: Subject, catalog: Catalog
) -> list[tuple[Meant, float]]:
    """The readings without those that keep a figure which the message denies ("cost, not the ctr") and the rules'
    change leaves out; that change is then as likely as the first of them."""
    change = next((found for found in ranked if found[0].edited is not None), None)
    query, edited = subject.query, change[0].plan if change is not None else None
    if change is None or query is None or not isinstance(edited, Query):
        return ranked
    gone = {output.expr for output in query.measures} - {output.expr for output in edited.measures}
    if not gone or not message(question, catalog, query).has("without"):
        return ranked
    kept = [found for found in ranked if found is change or gone.isdisjoint(every(found[0].plan))]
    made = (change[0], max(change[1], ranked[0][1])) if len(kept) < len(ranked) else change
    return sorted([made, *(found for found in kept if found is not change)], key=lambda found: -found[1])


def _keeping_first(
    ranked: list[tuple[Meant, float]], question: Question, subject: Subject
) -> list[tuple[Meant, float]]:
    """The readings; of a message that points at what was told ("how many orders is that", "who bought those") the
    likeliest that keeps the conditions of the answer before stands first, where it is at all likely."""
    held = conjuncts(subject.query.where) if _points(question) and subject.query is not None else []
    if not held or _keeps(ranked[0][0], held):
        return ranked
    kept = next((found for found in ranked if _keeps(found[0], held) and found[1] >= KEEPING * ranked[0][1]), None)
    return [kept, *(found for found in ranked if found is not kept)] if kept is not None else ranked


def _points(question: Question) -> bool:
    """Whether a message points at what was told, and leaves nothing of it out."""
    said = tokens_of(question.text)
    return not words().back.isdisjoint(said) and english().excluding.isdisjoint(phrases(said))


def _keeps(one: Meant, held: Sequence[Predicate]) -> bool:
    """Whether a reading's plan has all these conditions, in itself or in what it is made of."""
    nodes = list(every(one.plan))
    return all(test in nodes for test in held)


def _changes_first(ranked: list[tuple[Meant, float]]) -> list[tuple[Meant, float]]:
    """The readings; the rules' change stands first where it is nearly as likely: it keeps the form of the answer and
    finds a place for every word."""
    change = next((found for found in ranked if found[0].edited is not None), None)
    if change is None or change[1] < NEARLY * ranked[0][1]:
        return ranked
    return [change, *(found for found in ranked if found is not change)]


def gone_on(case: Case, readings: Sequence[Reading]) -> Answer | Alone | None:
    """The answer to a message that goes on from the one before; how it reads by itself, where that is likelier meant;
    None where nobody has anything to say to it but the rules."""
    question, catalog, warehouse = case.question, case.catalog, case.warehouse
    found = heard(question, readings, catalog, warehouse)
    if found is None:
        return None
    if found.stands_alone:
        return found.alone
    weighed = [as_weighed(one, chance, question, found.subject) for one, chance in found.ranked]
    weighed = going_on_averaged(question, weighed, found.subject.plan, catalog, warehouse)
    chance = weighed[0].reading.score
    if chance < judge(JUDGE).ask and not found.names_all:
        text = UNCLEAR.format(found.subject.turn.question.strip())
        back = Clarify(question=text, options=())
        return clarified(Reading(plan=back, score=chance), back)
    told_from = CHANGED_FROM if found.ranked[0][0].edited is not None else judge(JUDGE).answer
    if found.passes_over or (chance < told_from and not found.names_all):
        made = weighing.offered(weighed, catalog)
        return asked_back_so(made, question, weighed, catalog, warehouse if case.onward else None)
    case.tell("Computing")
    best = weighed[0]
    sure = chance >= judge(JUDGE).sure and not best.reading.assumptions
    made = weighing.answered(question, best, catalog, warehouse, case.tell, case.wish, sure=sure, onward=case.onward)
    return as_read(weighing.with_origin(made, best.reading.plan, catalog), question, catalog, weighed, best.reading)


def says_all(question: Question, subject: Subject, catalog: Catalog) -> bool:
    """Whether a message says all of what it asks, by the rules' lights."""
    if subject.query is None:
        return True
    return stands_alone(message(question, catalog, subject.query), subject, Scene(catalog))


def gone_on_from(question: Question, readings: Sequence[Reading], catalog: Catalog) -> Subject | None:
    """The plan that a message is read behind; None where the rules alone read it. What the product words itself is read
    by the rules."""
    if not question.turns or question.offered or not trained(JUDGE):
        return None
    subject = meant_before(question, catalog)
    if (
        subject is None
        or _is_of_rules(question, readings, subject, catalog)
        or len(plans_over_alike(subject.plan, catalog)) > 1
    ):
        return None  # of files alike the rules know which is meant
    changed = any(r.reader == EDITING and not isinstance(r.plan, Clarify) for r in readings)
    whole = len(question.text.split()) > LONGEST or (says_all(question, subject, catalog) and not _points(question))
    return None if whole and not changed else subject


def _is_of_rules(question: Question, readings: Sequence[Reading], subject: Subject, catalog: Catalog) -> bool:
    """Whether the rules' first reading is one that only they have: of what was said or chosen before, with a chart that
    was asked for, a reason, or a question back with its choices."""
    if subject.query is None:
        return True
    first = readings[0] if readings else None
    said = message(question, catalog, subject.query)
    if said.has("order") and ORDER_ALONE.issuperset(piece.kind for piece in said.pieces):
        return True
    if first is None:
        return False
    in_percent = said.has("percent") and SAME_IN_PERCENT.issuperset(piece.kind for piece in said.pieces)
    if first.reader == EDITING and (points_back(said) or said.has(*RULES_ALONE) or in_percent):
        return True  # "the rows behind it"
    if isinstance(first.plan, Clarify):
        return bool(first.plan.options)
    if first.reader != EDITING:
        return first.reader in SAID_BEFORE
    # What no sketch can say, or goes on from such, stays as the rules change it.
    plain = isinstance(first.plan, Query) and not isinstance(subject.plan, Comparison)
    return first.chart is not None or not plain or _shows_places(first.plan)


def _shows_places(plan: Plan) -> bool:
    """Whether a plan shows places behind the first of a ranking, or the first in another order."""
    nodes = list(every(plan))
    behind = any(isinstance(node, Query) and node.offset for node in nodes)
    return behind or any(isinstance(node, InQuery) and node.query.limit is not None for node in nodes)


def as_weighed(one: Meant, chance: float, question: Question, subject: Subject) -> Weighed:
    """A reading as it is told and offered."""
    if one.edited is not None:
        return Weighed(replace(one.edited, score=round(chance, 4)), one.computed)
    before = subject.turn.question
    reading = Reading(
        plan=one.plan,
        score=round(chance, 4),
        understood=(f"going on from “{before}”", plan_sentence(one.plan).rstrip(".")),
        assumptions=(subject.assumed,) if subject.assumed else (),
        reader=READER,
        wording=f"{before.rstrip(' ?.')}, {question.text.strip()}",
    )
    return Weighed(reading, one.computed)
