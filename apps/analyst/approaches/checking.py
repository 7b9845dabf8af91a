"""The check of an answer: who has not answered yet does, and all results are laid side by side.

Without any model there are three ways unlike in kind: the reading compiled to SQL, the other reading of what the
question left open over data frames, and the recount by hand. A way that cannot do a question has no voice; what it
could not do is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from apps.analyst.approaches.names import BUILTIN, FRAMES, MEMORY, SHEET, name_of, trust_in
from apps.analyst.approaches.otherwise import otherwise
from apps.analyst.approaches.recounting import Recount, Way
from apps.analyst.compile import readable
from apps.analyst.compute import Computed, compute
from apps.analyst.consensus import Standing, Verdict, Vote, standings, verdict
from apps.analyst.errors import AnalystError, PlanRejected
from apps.analyst.evidence import evidence_of
from apps.analyst.labelling import labelled
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.memory import STEP, recalled
from apps.analyst.memory import told as told_of
from apps.analyst.narrate import View, headed
from apps.analyst.parting import Parting, first_parting
from apps.analyst.plan import Clarify, Describe, Plan, Statistic
from apps.analyst.ports import Catalog, Emit, Warehouse
from apps.analyst.scoped import narrowed
from apps.analyst.sentence import plan_sentence
from apps.analyst.settle import settled
from apps.analyst.telling import worded
from apps.analyst.types import Answer, Question, Result, Step
from apps.analyst.understanding import understood
from apps.analyst.validate import validate

UNCHECKED = "This answer could not be checked in another way."


@dataclass(frozen=True, slots=True)
class Selected:
    """An answer as it was given: the one that is checked, or one that stands beside it already."""

    approach: str
    plan: Plan | None
    result: Result


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


@dataclass(frozen=True, slots=True)
class Check:
    """All answers, the selected one first; `absent` are ways that could not do the question, with the reason."""

    checked: tuple[Checked, ...]
    verdict: Verdict
    absent: tuple[tuple[str, str], ...] = ()


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
    readings = understood(question, ports.catalog)
    base = _base(readings, selected, question, ports.catalog)
    there = {selected.approach, *(one.approach for one in beside)}
    voices = [pair for pair in _voices(question, readings, base, selected, ports) if pair[0] not in there]
    given, absent = _heard(voices, ports.emit)
    if not given and not beside:
        raise PlanRejected(UNCHECKED)
    ports.emit(Step("Comparing the results", f"{1 + len(beside) + len(given)} approaches"))
    votes = [Vote(selected.result, selected=True, trust=trust_in(selected.approach))]
    votes += [Vote(one.result, trust=trust_in(one.approach)) for one in beside]
    votes += [Vote(_result(one.answer), trust=trust_in(name)) for name, one in given]
    placed = standings(votes)

    def parting(standing: Standing, plan: Plan | None, noted: tuple[Parting, ...] = ()) -> Parting | None:
        return first_parting(selected.plan, plan, noted) if standing.group != placed[0].group else None

    checked = [Checked(selected.approach, placed[0])]
    for was, standing in zip(beside, placed[1:], strict=False):
        checked.append(Checked(was.approach, standing, parting=parting(standing, was.plan)))
    for (name, one), standing in zip(given, placed[1 + len(beside) :], strict=True):
        checked.append(Checked(name, standing, one.answer, parting(standing, one.answer.plan, one.partings)))
    return Check(tuple(checked), verdict([place.group for place in placed], 0), tuple(absent))


def _base(readings: Sequence[Reading], selected: Selected, question: Question, catalog: Catalog) -> Reading:
    """The reading that is computed anew: the surest that holds, else the selected answer's own plan."""
    for reading in readings:
        if reading.score < ANSWER_THRESHOLD or isinstance(reading.plan, Clarify):
            continue
        try:
            validate(reading.plan, catalog)
        except AnalystError:
            continue
        return reading
    if selected.plan is None or isinstance(selected.plan, Clarify):
        raise PlanRejected(UNCHECKED)
    return Reading(plan=selected.plan, score=1.0, wording=question.text)


def _voices(
    question: Question, readings: Sequence[Reading], base: Reading, selected: Selected, ports: Ports
) -> Iterable[tuple[str, Voice]]:
    catalog, warehouse = ports.catalog, ports.warehouse
    read = Step("Read the question", "; ".join(base.understood))
    if any(reading is base for reading in readings):

        def compiled() -> Given:
            made = worded(question, base, compute(base.plan, catalog, warehouse), catalog)
            return Given(_by(BUILTIN, made, read, Step("Computed by the data engine, from SQL")))

        yield BUILTIN, compiled
    if not isinstance(base.plan, Describe):
        other = otherwise(question.text, readings, base.plan, catalog)
        told = [Step("Decided otherwise", choice) for choice in other.choices]
        steps = [
            read,
            *(told or [Step("Found nothing that the question leaves open")]),
            Step("Computed over data frames"),
        ]
        yield FRAMES, _recounted(FRAMES, "frames", replace(base, plan=other.plan), steps, question, ports)
        by_hand = [read, Step("Joined everything into one sheet, then filtered and added up by hand")]
        yield SHEET, _recounted(SHEET, "sheet", base, by_hand, question, ports)
    known_question = recalled(question, catalog)
    if known_question is not None and not isinstance(known_question.plan, Clarify | Describe):
        proven = replace(base, plan=known_question.plan, chart=None, asked=(), assumptions=())
        known = [Step(STEP, told_of(known_question)), Step("Computed over data frames")]
        yield MEMORY, _recounted(MEMORY, "frames", proven, known, question, ports)
    yield from ports.models


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
        text=plan_sentence(labelled(computed.plan, catalog)),
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
