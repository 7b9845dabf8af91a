"""The check of an answer: its figures are computed anew, its question is read anew, and both are told apart.

Recounts compute the plan of the answer that is checked; they say nothing of how its question was read. Readers (the
rules, the learned one, language models) read the question by themselves; whose reading differs and weighs enough stands
beside the answer with its own result. A way that cannot do a question has no voice; what it could not do is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property

from apps.analyst.approaches.consensus import Standing, Verdict, verdict
from apps.analyst.approaches.grounds import Grounds
from apps.analyst.approaches.names import BUILTIN, FRAMES, MEMORY, OTHERWISE, SHEET, name_of
from apps.analyst.approaches.otherwise import otherwise
from apps.analyst.approaches.recounting import Recount, Way
from apps.analyst.approaches.rereading import Own, Reread, reread
from apps.analyst.approaches.tallies import tallied
from apps.analyst.computing.compile import readable
from apps.analyst.computing.compute import Computed, evidenced
from apps.analyst.conversation.memory import STEP, recalled
from apps.analyst.conversation.memory import told as told_of
from apps.analyst.conversation.talk import unaddressed, without_remarks
from apps.analyst.errors import AnalystError, PlanRejected
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, Describe, Plan, Statistic
from apps.analyst.plan.parting import Parting, first_parting
from apps.analyst.plan.settle import settled
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog, Emit, Warehouse
from apps.analyst.reading.keywords.known_figures import with_known_figures
from apps.analyst.reading.rules.understanding import SAID_BEFORE, understood
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.answers import worded
from apps.analyst.telling.evidence import evidence_of
from apps.analyst.telling.exports import file_wish
from apps.analyst.telling.labelling import told_sentence
from apps.analyst.telling.narrate import View, headed
from apps.analyst.types import Answer, Question, Result, Step

OVER_FRAMES = Step("Computed over data frames")
UNCHECKED = "This answer could not be checked in another way."


@dataclass(frozen=True, slots=True)
class Selected:
    """An answer as it was given: the one that is checked, or one that stands beside it already."""

    approach: str
    plan: Plan | None
    result: Result
    chosen: bool = False
    """True where a person chose its reading among others."""


@dataclass(frozen=True, slots=True)
class Given:
    """What one way answered, and where its computing went its own way."""

    answer: Answer
    partings: tuple[Parting, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """One answer in the check. `answer` is None for the selected one and for others that are there already."""

    approach: str
    standing: Standing
    answer: Answer | None = None
    parting: Parting | None = None
    grounds: Grounds | None = None
    """What was found out about it; None where nobody looked."""


@dataclass(frozen=True, slots=True)
class Check:
    """All answers, the selected one first; `absent` are ways that could not do the question, with the reason, `readers`
    the product's readers with what each of them reads against the selected answer."""

    checked: tuple[Checked, ...]
    verdict: Verdict
    absent: tuple[tuple[str, str], ...] = ()
    readers: tuple[tuple[str, str], ...] = ()


Voice = Callable[[], Given]
"""A way ready to answer. Raises AnalystError where it cannot."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What a check needs from outside."""

    catalog: Catalog
    warehouse: Warehouse
    recount: Recount
    emit: Emit
    models: tuple[tuple[str, Voice], ...] = field(default=())
    """Language models with their names."""


def check(question: Question, selected: Selected, ports: Ports, beside: Sequence[Selected] = ()) -> Check:
    """The selected answer beside those of all other ways. `beside` have answered already and are not asked again.

    Raises PlanRejected where no other way could answer.
    """
    ports = replace(ports, catalog=narrowed(ports.catalog, question.files))
    ports.emit(Step("Reading the question anew"))
    question = unaddressed(question)
    plain = replace(question, text=without_remarks(question.text))
    question = with_known_figures(plain, ports.catalog, ports.warehouse)
    wish = file_wish(question.text, ports.catalog)
    if wish is not None and wish.text:
        question = replace(question, text=wish.text)  # "as a PDF" says nothing of the figures
    readings = understood(question, ports.catalog)
    heard = reread(question, readings, selected.plan, selected.result, ports.catalog, ports.warehouse)
    heard = replace(heard, chance=None) if selected.chosen else heard
    there = {selected.approach, *(one.approach for one in beside)}
    work = _Work(question, selected, ports, readings, heard)
    given, absent = _heard([pair for pair in work.voices() if pair[0] not in there], ports.emit)
    given = [(name, one) for name, one in given if name != OTHERWISE or not heard.passes_over(_result(one.answer))]
    if not given and not beside:
        raise PlanRejected(UNCHECKED)
    ports.emit(Step("Comparing the results", f"{1 + len(beside) + len(given)} approaches"))
    results = [(selected.approach, selected.result), *((one.approach, one.result) for one in beside)]
    results += [(name, _result(one.answer)) for name, one in given]
    placed, grounds = tallied(question.text, results, heard, recounted=work.recounted, chosen=selected.chosen)

    def parting(standing: Standing, plan: Plan | None, noted: tuple[Parting, ...] = ()) -> Parting | None:
        return first_parting(selected.plan, plan, noted) if standing.group != placed[0].group else None

    checked = [Checked(selected.approach, placed[0], grounds=grounds[0])]
    for was, standing, found in zip(beside, placed[1:], grounds[1:], strict=False):
        checked.append(Checked(was.approach, standing, parting=parting(standing, was.plan), grounds=found))
    late = 1 + len(beside)
    for (name, one), standing, found in zip(given, placed[late:], grounds[late:], strict=True):
        parted = parting(standing, one.answer.plan, one.partings)
        checked.append(Checked(name, standing, one.answer, parted, found))
    said = verdict([place.group for place in placed], 0)
    return Check(tuple(checked), said, tuple(absent), tuple((own.reader, own.told) for own in heard.own))


@dataclass(frozen=True)
class _Work:
    """What the ways of a check start from."""

    question: Question
    selected: Selected
    ports: Ports
    readings: Sequence[Reading]
    heard: Reread

    @cached_property
    def base(self) -> Reading | None:
        """The reading that is computed anew: the selected answer's own, else what the product reads itself. None: a
        query computed the answer that no plan says, and the product cannot read its question; models still may."""
        plan = self.selected.plan
        if plan is None or isinstance(plan, Clarify):
            return self.product.reading if self.product is not None else None
        same_plan = (own.reading for own in self.heard.own if plan in (own.reading.plan, own.computed.plan))
        known = next(same_plan, Reading(plan=plan, score=1.0, wording=self.question.text))
        return replace(known, plan=plan)

    @property
    def product(self) -> Own | None:
        """What the product would answer by itself: the rules' reading where they are sure, else the learned one."""
        return next(iter(self.heard.own), None)

    @property
    def recounted(self) -> str:
        """The approach whose reading is computed anew."""
        own = self.product is not None and self.base is self.product.reading
        return BUILTIN if own else self.selected.approach

    def voices(self) -> Iterable[tuple[str, Voice]]:
        """The ways with their approaches."""
        catalog = self.ports.catalog
        product = self.product if self.selected.approach != BUILTIN else None
        if product is not None and (product.counts or product.reading is self.base):
            yield BUILTIN, self._read(BUILTIN, product)
        for own in self.heard.own:
            if own.speaks_against and own is not product:
                yield own.reader, self._read(own.reader, own)
        if self.base is not None and not isinstance(self.base.plan, Describe):
            yield from self._recounts(self.base)
        known_question = recalled(self.question, catalog)
        if known_question is not None and not isinstance(known_question.plan, Clarify | Describe):
            said = self.base or Reading(plan=known_question.plan, score=1.0, wording=self.question.text)
            proven = replace(said, plan=known_question.plan, chart=None, asked=(), assumptions=())
            known = [Step(STEP, told_of(known_question)), OVER_FRAMES]
            yield MEMORY, _recounted(MEMORY, "frames", proven, known, self.question, self.ports)
        yield from self.ports.models

    def _recounts(self, base: Reading) -> Iterable[tuple[str, Voice]]:
        """The ways that compute a reading anew, and that of its decisions turned round."""
        read = Step("Read the question", "; ".join(base.understood))
        frames = [read, Step("Computed the same reading over data frames")]
        yield FRAMES, _recounted(FRAMES, "frames", base, frames, self.question, self.ports)
        by_hand = [read, Step("Joined everything into one sheet, then filtered and added up by hand")]
        yield SHEET, _recounted(SHEET, "sheet", base, by_hand, self.question, self.ports)
        other = otherwise(self._said(), self.readings, base.plan, self.ports.catalog)
        if other.choices and all(other.plan != own.reading.plan for own in self.heard.own):
            told = [read, *(Step("Decided otherwise", choice) for choice in other.choices), OVER_FRAMES]
            decided = replace(base, plan=other.plan)
            yield OTHERWISE, _recounted(OTHERWISE, "frames", decided, told, self.question, self.ports)

    def _said(self) -> str:
        """The question's words, with those of the thread where it goes on from there: what was named, is named."""
        goes_on = self.readings and self.readings[0].reader in SAID_BEFORE
        before = [turn.question for turn in self.question.turns] if goes_on else []
        return " ".join((*before, self.question.text))

    def _read(self, approach: str, own: Own) -> Voice:
        """A reader's own answer, which was computed when it was held against the selected one."""
        read = Step("Read the question by itself", "; ".join(own.reading.understood))

        def answer() -> Given:
            computed = evidenced(own.computed, self.ports.catalog, self.ports.warehouse)
            made = worded(self.question, own.reading, computed, self.ports.catalog)
            return Given(_by(approach, made, read, Step("Computed by the data engine, from SQL")))

        return answer


def _recounted(
    approach: str, way: Way, reading: Reading, steps: Sequence[Step], question: Question, ports: Ports
) -> Voice:
    def answer() -> Given:
        validate(reading.plan, ports.catalog)
        plan = settled(reading.plan, ports.catalog, ports.warehouse)
        found = ports.recount(way, plan, ports.catalog)
        computed = Computed(plan, found.result, found.row_count, readable(plan, ports.catalog))
        told = [Step("Went its own way", parting.text) for parting in found.partings]
        made = _table_alone(computed, ports.catalog) if isinstance(plan, Statistic) else None
        made = made or worded(question, replace(reading, plan=plan), computed, ports.catalog)
        return Given(_by(approach, made, *steps, *told), found.partings)

    return answer


def _table_alone(computed: Computed, catalog: Catalog) -> Answer:
    """A statistic as its table: what the narrator says of it is made from more than the table."""
    return Answer(
        status="answered",
        text=told_sentence(computed.plan, catalog),
        plan=computed.plan,
        result=headed(View(computed, catalog)),
        evidence=evidence_of(computed, catalog),
    )


def _by(approach: str, answer: Answer, *steps: Step) -> Answer:
    return replace(answer, approach=approach, steps=steps)


def _heard(voices: Sequence[tuple[str, Voice]], emit: Emit) -> tuple[list[tuple[str, Given]], list[tuple[str, str]]]:
    """What each way said, in their order, and those that could not answer. They work side by side."""
    given: list[tuple[str, Given]] = []
    absent: list[tuple[str, str]] = []
    with ThreadPoolExecutor(max_workers=max(len(voices), 1), thread_name_prefix="check") as pool:
        waiting: list[tuple[str, Future[Given]]] = [(name, pool.submit(voice)) for name, voice in voices]
        for name, future in waiting:
            emit(Step("Answering in another way", name_of(name)))
            try:
                given.append((name, future.result()))
            except AnalystError as error:
                absent.append((name, error.message))
    return given, absent


def _result(answer: Answer) -> Result:
    assert answer.result is not None, "a way that answered has a result"
    return answer.result
