"""Other readings of one part of an answer: what each would give, and the question answered anew by one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.approaches.models.held import HELD, other_of
from apps.analyst.conversation.memory import KEPT, is_kept
from apps.analyst.conversation.readas import figures
from apps.analyst.conversation.readas.answers import chosen_answer
from apps.analyst.conversation.readas.lessons import lesson
from apps.analyst.conversation.readas.marks import unread
from apps.analyst.conversation.readas.others import Other, Parts
from apps.analyst.dictionary.lesson import Lesson
from apps.analyst.pipeline import answer
from apps.analyst.plan import Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Answer, Question, Result, Rival


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer by its question, its plan (None where a model's query computed it that no plan says) and the readings
    that rivalled it, and the part that may have meant something else."""

    question: Question
    plan: Plan | None
    rivals: tuple[Rival, ...]
    chip: str
    follows: bool = False
    """Whether the question goes on from an answer, so that it says by itself less than it asks."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Another reading that holds: its key and words, what it comes to, and what "Always" would teach, if anything."""

    key: str
    label: str
    figure: str
    teaches: str | None


@dataclass(frozen=True, slots=True)
class Taken:
    """The answer by a chosen reading, None where it holds no more, and what makes the question be read so always."""

    found: bool
    """False where the part has no such reading."""
    answer: Answer | None = None
    lesson: Lesson | None = None
    kept: bool = False
    """Whether no entry of the dictionary makes the question be read so, but it can be kept with its plan."""


def offered(asked: Asked, lessons: int, *, catalog: Catalog, warehouse: Warehouse) -> list[Offer]:
    """The other readings that give something; of so many it is tried out what "Always" would teach. Raises
    QueryFailed."""
    catalog = narrowed(catalog, asked.question.files)
    found = []
    for one in figures.offered(_others(asked, catalog), catalog, warehouse):
        taught = _lesson(asked, one.other.plan, one.result, catalog, warehouse) if lessons else None
        kept = KEPT if lessons and _is_kept(asked, one.other.plan, catalog) else None
        lessons -= bool(taught)
        found.append(Offer(one.other.key, one.other.label, one.figure, taught.text if taught is not None else kept))
    return found


def take(asked: Asked, key: str, *, always: bool, catalog: Catalog, warehouse: Warehouse) -> Taken:
    """The answer by the reading of this key; with `always` what would teach it, where anything does. Raises
    QueryFailed."""
    catalog = narrowed(catalog, asked.question.files)
    other = next((other for other in _others(asked, catalog) if other.key == key), None)
    if other is None:
        return Taken(found=False)
    made = chosen_answer(asked.question, other.plan, asked.plan, asked.rivals, catalog, warehouse)
    if not always or made is None or made.result is None:
        return Taken(True, made)
    taught = _lesson(asked, other.plan, made.result, catalog, warehouse)
    return Taken(True, made, taught, kept=taught is None and _is_kept(asked, other.plan, catalog))


def _others(asked: Asked, catalog: Catalog) -> Sequence[Other]:
    """What the part may have meant else, or what the answer was held against."""
    if asked.chip == HELD:
        beside = other_of(asked.rivals)
        return [beside] if beside is not None else []
    return Parts(asked.plan, catalog, asked.rivals).of(asked.chip) if asked.plan is not None else []


def _is_kept(asked: Asked, chosen: Plan, catalog: Catalog) -> bool:
    """Whether the question can be kept with the chosen plan: one that stands by itself and whose words say nothing
    else ("in 2024", where all time was chosen this once; the file that it names)."""
    if asked.plan is None or asked.follows or not is_kept(asked.question):
        return False
    if tables_of(chosen) != tables_of(asked.plan):
        return False
    return set(unread(asked.question, chosen, catalog)) <= set(unread(asked.question, asked.plan, catalog))


def _lesson(asked: Asked, chosen: Plan, result: Result, catalog: Catalog, warehouse: Warehouse) -> Lesson | None:
    """What would teach to read the question so, tried out by answering it over tables that were taught it."""
    if asked.plan is None:
        return None

    def answers(question: Question, about: Catalog) -> Answer:
        return answer(question, catalog=about, warehouse=warehouse, onward=False)

    return lesson(asked.question, asked.plan, chosen, catalog, result, answers)
