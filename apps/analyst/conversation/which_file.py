"""Which of several files is meant, where each could answer: said by the question, by its thread, by what only one of
them holds or by what people settled for always; else it is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import NamedTuple

from apps.analyst.computing.compute import Computed, computed_of
from apps.analyst.conversation.copies import holds_twice
from apps.analyst.conversation.readas.elsewhere import Matched, elsewhere, matched, over, together
from apps.analyst.conversation.readas.lessons import Lesson, taken_before
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import keyed, pieces
from apps.analyst.knowledge.folding import folded
from apps.analyst.language import Reading
from apps.analyst.language.named_files import file_named
from apps.analyst.language.twins import TAKEN
from apps.analyst.plan import Clarify, ColumnRef, Combine, Constant, Option, Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.features import figures_key
from apps.analyst.reading.forms import every
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import listed, spoken
from apps.analyst.types import Answer, Chip, Choice, Question, ReadAs

MOST_CHOICES = 4
MOST_SURE = 0.99
"""How likely a reading is at most whose file alone was open."""
ALL_TOGETHER = "All together"
SAME = "{} {} the same."


class Settled(NamedTuple):
    """The readings over the file that is meant; `back` asks which one that is."""

    ranked: list[Weighed]
    back: Answer | None = None


def settled(question: Question, ranked: Sequence[Weighed], catalog: Catalog, warehouse: Warehouse) -> Settled:
    """The readings, the likeliest of them over the file that is meant. Readings that differ in the file alone are one,
    as likely as they are together."""
    if not ranked:
        return Settled([])
    best, rest = ranked[0], list(ranked[1:])
    pair = matched(best.reading.plan, catalog)
    if pair is not None:
        return Settled([best, *rest], _asked_apart(question, best, pair, catalog, warehouse))
    rest = [one for one in rest if matched(one.reading.plan, catalog) is None]
    plans = _plans(best.reading.plan, catalog)
    if len(plans) < 2:
        return Settled([best, *rest])
    found = _computed(plans, best, catalog, warehouse)
    twins = [one for one in rest if _is_twin(one, found)]
    score = min(MOST_SURE, best.reading.score + sum(one.reading.score for one in twins))
    best = _scored(best, max(best.reading.score, round(score, 4)))
    own = next(iter(plans))
    rest = [one for one in rest if not tables_of(one.reading.plan) & (plans.keys() - {own})]
    held = {name: computed for name, computed in found.items() if _gives(computed)} or {own: best.computed}
    meant = _meant(question, best.reading.plan, held, catalog)
    if len(meant) > 1 and len({figures_key(computed.result) for computed in meant.values()}) == 1:
        return Settled([_with_note(best, meant), *rest])
    if len(meant) == 1:
        ((name, computed),) = meant.items()
        return Settled([_over(best, plans[name], computed), *(rest if name == own else ())])
    whole = _all_named(question, meant, plans, catalog, warehouse)
    if whole is not None:
        return Settled([_over(best, computed=whole[1], plan=whole[0]), *rest])
    return Settled([best, *rest], _asked(question, best, {name: plans[name] for name in meant}, catalog, warehouse))


def over_meant(
    question: Question, readings: Sequence[Reading], catalog: Catalog, warehouse: Warehouse
) -> Sequence[Reading]:
    """The rules' readings, the first of them over the file that is meant where something says which."""
    plans = _plans(readings[0].plan, catalog) if readings else {}
    if len(plans) < 2:
        return readings
    computed = {name: computed_of(plan, catalog, warehouse) for name, plan in plans.items()}
    held = {name: made for name, made in computed.items() if made is not None and _gives(made)}
    meant = _meant(question, readings[0].plan, held, catalog)
    if len(meant) != 1 or (plan := plans[min(meant)]) == readings[0].plan:
        return readings
    return [replace(readings[0], plan=plan), *(one for one in readings[1:] if one.plan != plan)]


def without_twins(plan: Plan, readings: Sequence[Reading], catalog: Catalog) -> list[Reading]:
    """The readings that differ from the plan in more than the file, and match no rows of files alike."""
    same = {_bare(other) for other in (plan, *_plans(plan, catalog).values())}
    others = (one for one in readings if isinstance(one.plan, Clarify) or _bare(one.plan) not in same)
    return [one for one in others if isinstance(one.plan, Clarify) or matched(one.plan, catalog) is None]


def _plans(plan: Plan, catalog: Catalog) -> dict[str, Plan]:
    """The plan by the file that it is over: its own, then those that look like it."""
    others = elsewhere(plan, catalog)
    return {others[0].mine: plan, **{other.table: other.plan for other in others}} if others else {}


def _bare(plan: Plan) -> str:
    """What tells plans apart, whatever their rows are called."""
    name = min(tables_of(plan), default="")
    return over(plan, name, name).model_dump_json()


def _computed(plans: Mapping[str, Plan], best: Weighed, catalog: Catalog, warehouse: Warehouse) -> dict[str, Computed]:
    """What the plans come to, as far as they come to anything."""
    own = best.reading.plan
    found = {n: best.computed if plan is own else computed_of(plan, catalog, warehouse) for n, plan in plans.items()}
    return {name: computed for name, computed in found.items() if computed is not None}


def _is_twin(one: Weighed, found: Mapping[str, Computed]) -> bool:
    """Whether a reading comes to what the told one comes to over the same other file."""
    used = tables_of(one.reading.plan) & found.keys()
    return len(used) == 1 and figures_key(one.computed.result) == figures_key(found[min(used)].result)


def _gives(computed: Computed) -> bool:
    return any(cell is not None and cell != 0 for row in computed.result.rows for cell in row)


def _scored(best: Weighed, score: float) -> Weighed:
    """The reading, so likely; which file it was taken from is said by who settles it."""
    assumed = tuple(said for said in best.reading.assumptions if not said.startswith(TAKEN))
    return Weighed(replace(best.reading, score=score, assumptions=assumed), best.computed)


def _with_note(best: Weighed, meant: Mapping[str, Computed]) -> Weighed:
    """The reading, which says that other files give the same."""
    others = [name for name in meant if name not in tables_of(best.reading.plan)]
    said = SAME.format(listed(others, most=MOST_CHOICES), "gives" if len(others) == 1 else "give")
    return Weighed(replace(best.reading, notes=(*best.reading.notes, said)), best.computed)


def _over(best: Weighed, plan: Plan, computed: Computed) -> Weighed:
    return best if plan == best.reading.plan else Weighed(replace(best.reading, plan=plan), computed)


# ---------------------------------------------------------------- what settles it
def _meant(question: Question, plan: Plan, held: dict[str, Computed], catalog: Catalog) -> dict[str, Computed]:
    """Those of the files that are meant as far as anything says so; all of them where nothing does."""
    said = _said(question, plan, held, catalog)
    names = said or _of_the_thread(question, held) or _before_others(held, catalog) or frozenset(held)
    return {name: computed for name, computed in held.items() if name in names}


def _said(question: Question, plan: Plan, names: Mapping[str, object], catalog: Catalog) -> frozenset[str]:
    """Those files that the question names best, by words that not all of them have; none where it names none. A word
    that names a column or a value which the plan reads names no file besides, unless the file's whole name is said."""
    tables = [table for table in catalog.tables() if table.name in names]
    if not tables:
        return frozenset()
    named = file_named(question.text, tables)
    if named is not None:
        return named[1] & names.keys()
    text = f" {_plain(question.text)} "
    ways = {t.name: [_plain(t.name), _plain(PurePath(t.file_name).stem)] for t in tables}
    words = {name: frozenset(" ".join(way).split()) for name, way in ways.items()}
    shared = frozenset.intersection(*words.values())
    asked = (Counter(text.split()) - Counter(_read(plan))).keys() - shared
    fits = {
        name: len(own - shared if any(" " in way and f" {way} " in text for way in ways[name]) else own & asked)
        for name, own in words.items()
    }
    most = max(fits.values())
    return frozenset(name for name, fit in fits.items() if fit == most) if most else frozenset()


def _read(plan: Plan) -> set[str]:
    """The words of the columns and values that a plan reads."""
    nodes = list(every(plan))
    said = [node.column for node in nodes if isinstance(node, ColumnRef)]
    said += [str(node.value) for node in nodes if isinstance(node, Constant) and node.type == "text"]
    return {word for name in said for word in _plain(name).split()}


def _plain(text: object) -> str:
    return folded(str(text).replace("_", " "))


def _of_the_thread(question: Question, names: Mapping[str, object]) -> frozenset[str]:
    """The files of the thread's last answer."""
    last = next((turn.plan for turn in reversed(question.turns) if turn.plan is not None), None)
    return tables_of(last) & names.keys() if last is not None and not isinstance(last, Clarify) else frozenset()


def _before_others(names: Mapping[str, object], catalog: Catalog) -> frozenset[str]:
    """The file that people take before all the others."""
    found = set()
    for table in catalog.tables():
        own = next((entry for entry in table.taught if entry.column == ""), None)
        if table.name in names and own is not None and names.keys() - {table.name} <= set(own.before):
            found.add(table.name)
    return frozenset(found) if len(found) == 1 else frozenset()


def _all_named(
    question: Question, meant: Mapping[str, Computed], plans: Mapping[str, Plan], catalog: Catalog, warehouse: Warehouse
) -> tuple[Plan, Computed] | None:
    """Several files' totals side by side and added up, where the question names these and none others."""
    if frozenset(meant) != _said(question, next(iter(plans.values())), plans, catalog):
        return None
    whole = _added_up({name: plans[name] for name in meant}, catalog, warehouse)
    computed = computed_of(whole, catalog, warehouse) if whole is not None else None
    return (whole, computed) if whole is not None and computed is not None else None


def _added_up(plans: Mapping[str, Plan], catalog: Catalog, warehouse: Warehouse) -> Combine | None:
    """Several files' totals added up; None for what does not add up and for files that hold the same things."""
    whole = together(plans)
    return None if whole is None or holds_twice(plans, catalog, warehouse) else whole


# ---------------------------------------------------------------- the question back
@dataclass(frozen=True, slots=True)
class _Way:
    label: str
    question: str
    plan: Plan
    lesson: Lesson | None = None


def _asked(
    question: Question, best: Weighed, plans: Mapping[str, Plan], catalog: Catalog, warehouse: Warehouse
) -> Answer:
    """Which file is meant; each with what would settle it for always."""
    names = list(plans)
    text = f"{_subject(names)} can answer this, and the figures differ."
    whole = _added_up(plans, catalog, warehouse)
    ways = [_way(question, name, plans[name], names, catalog) for name in names[: MOST_CHOICES - (whole is not None)]]
    if whole is not None:
        ways.append(_Way(ALL_TOGETHER, f"{_stem(question)} in {listed(names, most=len(names))} together", whole))
    return _answer(text, ways, best, best.reading.plan, catalog)


def _subject(names: Sequence[str]) -> str:
    if len(names) > MOST_CHOICES:
        return f"{len(names)} files"
    return f"Both {listed(list(names))}" if len(names) == 2 else f"Each of {listed(list(names), most=MOST_CHOICES)}"


def _way(question: Question, name: str, plan: Plan, names: Sequence[str], catalog: Catalog) -> _Way:
    others = tuple(other for other in names if other != name)
    return _Way(name, f"{_stem(question)} in {spoken(name)}", plan, taken_before(name, others, catalog))


def _asked_apart(question: Question, best: Weighed, pair: Matched, catalog: Catalog, warehouse: Warehouse) -> Answer:
    """Which of two files alike is meant, or whether their rows are to be matched; nothing is told of what matches
    them before."""
    plan, names = best.reading.plan, Names(best.reading.plan, catalog)
    found = {name: pair.alone(name) for name in pair.tables}
    plans = {n: p for n, p in found.items() if p is not None and computed_of(p, catalog, warehouse) is not None}
    by = listed([names.label(ref) for ref in pair.by])
    ways = [_Way(name, f"{_stem(question)} in {spoken(name)} alone", made) for name, made in plans.items()]
    whole = _added_up(plans, catalog, warehouse)
    if whole is not None:
        ways.append(_Way(ALL_TOGETHER, f"{_stem(question)} in {listed(list(pair.tables))} together", whole))
    ways.append(_Way(f"Rows matched by {by}", f"{_stem(question)}, rows matched by {by}", plan))
    either = listed([*plans, f"the rows of both matched by {by}"], "or")
    return _answer(f"This can mean {either}.", ways, best, next(iter(plans.values()), plan), catalog)


def _stem(question: Question) -> str:
    return question.text.strip().rstrip("?.! ")


def _answer(text: str, ways: Sequence[_Way], best: Weighed, plan: Plan, catalog: Catalog) -> Answer:
    """The question back, with the parts of the plan that are not open."""
    drawn = (
        best.reading.chart is not None and best.reading.chart.explicit
    )  # which a plan does not keep: it is read anew
    clicked = () if drawn else ways
    asked = [Option(label=way.question.strip(" .!\"'“”"), question=way.question, plan=way.plan) for way in clicked]
    short = [Option(label=way.label, question=way.question, plan=way.plan) for way in ways]
    found = keyed(pieces(plan, catalog))
    chips = tuple(Chip(key, piece.part, piece.label) for key, piece in found.items() if piece.part != "files")
    return Answer(
        "clarify",
        text,
        plan=Clarify(question=text, options=(*asked, *short)),
        choices=tuple(Choice(way.label, way.question, lesson=way.lesson) for way in ways),
        read_as=ReadAs(chips),
        confidence=best.reading.score,
    )
