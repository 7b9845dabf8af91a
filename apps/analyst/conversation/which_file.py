"""Which of several files is meant, where each could answer: said by the question, by its thread, by what only one of
them holds or by what people settled for always; else it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from apps.analyst.computing.compute import Computed, computed_of
from apps.analyst.conversation.copies import is_copy
from apps.analyst.conversation.readas.elsewhere import Matched, elsewhere, is_added_up, matched, over
from apps.analyst.conversation.which_asked import MOST_CHOICES, added_up, asked_apart, asked_which, in_order
from apps.analyst.conversation.which_meant import meant_files, named_files
from apps.analyst.language import Reading
from apps.analyst.language.twins import TAKEN
from apps.analyst.plan import Clarify, Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.agreeing import figures_key
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import listed
from apps.analyst.types import Answer, Question

MOST_SURE = 0.99
"""How likely a reading is at most whose file alone was open."""
SAME = "{} {} the same."


class Settled(NamedTuple):
    """The readings over the file that is meant; `back` asks which one that is."""

    ranked: list[Weighed]
    back: Answer | None = None


def file_settled(question: Question, ranked: Sequence[Weighed], catalog: Catalog, warehouse: Warehouse) -> Settled:
    """The readings, the likeliest of them over the file that is meant. Readings that differ in the file alone are one,
    as likely as they are together."""
    if not ranked:
        return Settled([])
    best, rest = ranked[0], list(ranked[1:])
    pair = matched(best.reading.plan, catalog)
    if pair is not None:
        both = _of_either(question, best, pair, catalog, warehouse)
        back = asked_apart(question, best, pair, catalog, warehouse) if both is None else None
        return Settled([both or best, *rest], back)
    plans = plans_over_alike(best.reading.plan, catalog)
    mixed = [one for one in rest if len(tables_of(one.reading.plan) & plans.keys()) > 1]
    rest = [one for one in rest if matched(one.reading.plan, catalog) is None]
    if len(plans) < 2:
        return Settled([best, *rest])
    found = _computed(plans, best, catalog, warehouse)
    best = _with_twins(best, rest, found)
    own = next(iter(plans))
    rest = [one for one in rest if not tables_of(one.reading.plan) & (plans.keys() - {own})]
    meant = meant_files(question, best.reading.plan, _giving(found) or found, catalog)
    if len(meant) == 1 or _come_to_one(meant, own, plans, catalog, warehouse):
        name = own if own in meant else next(iter(meant))
        told = _with_note(_over(best, plans[name], meant[name]), meant)
        return Settled([told, *(rest if name == own else ())])
    whole = _all_named(question, meant, plans, catalog, warehouse)
    if whole is not None:
        # The names of the files are what the others took for figures to set against each other.
        return Settled([_over(_as_likely_with(best, mixed), *whole), *rest])
    return Settled([best, *rest], asked_which(question, best, meant, plans, catalog, warehouse))


def over_meant(
    question: Question, readings: Sequence[Reading], catalog: Catalog, warehouse: Warehouse
) -> Sequence[Reading]:
    """The rules' readings, the first of them over the file that is meant where something says which."""
    plans = plans_over_alike(readings[0].plan, catalog) if readings else {}
    if len(plans) < 2:
        return readings
    found = {name: computed_of(plan, catalog, warehouse) for name, plan in plans.items()}
    held = _giving({name: computed for name, computed in found.items() if computed is not None})
    meant = meant_files(question, readings[0].plan, held, catalog)
    if len(meant) != 1 or (plan := plans[min(meant)]) == readings[0].plan:
        return readings
    return [replace(readings[0], plan=plan), *(one for one in readings[1:] if one.plan != plan)]


def without_twins(plan: Plan, readings: Sequence[Reading], catalog: Catalog) -> list[Reading]:
    """The readings that differ from the plan in more than the file, and match no rows of files alike."""
    same = {_bare(other) for other in (plan, *plans_over_alike(plan, catalog).values())}
    others = (one for one in readings if isinstance(one.plan, Clarify) or _bare(one.plan) not in same)
    return [one for one in others if isinstance(one.plan, Clarify) or matched(one.plan, catalog) is None]


def plans_over_alike(plan: Plan, catalog: Catalog) -> dict[str, Plan]:
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


def _giving(found: Mapping[str, Computed]) -> dict[str, Computed]:
    """Those that come to more than nothing."""
    return {
        name: computed
        for name, computed in found.items()
        if any(cell is not None and cell != 0 for row in computed.result.rows for cell in row)
    }


def _of_either(
    question: Question, best: Weighed, pair: Matched, catalog: Catalog, warehouse: Warehouse
) -> Weighed | None:
    """The figure of two files that the question names side by side and added up, where the reading sets the one beside
    the other; None where it may want their rows matched."""
    plans = {name: plan for name in in_order(pair.tables, catalog) if (plan := pair.alone(name)) is not None}
    if not pair.is_of_either or named_files(question, best.reading.plan, plans, catalog) != plans.keys():
        return None
    whole = added_up(plans, catalog, warehouse)
    computed = computed_of(whole, catalog, warehouse) if whole is not None else None
    return _over(best, whole, computed) if whole is not None and computed is not None else None


def _come_to_one(
    meant: Mapping[str, Computed], own: str, plans: Mapping[str, Plan], catalog: Catalog, warehouse: Warehouse
) -> bool:
    """Whether it is all one which of the files is meant: each comes to the same, and what is added up is so in copies
    of one file; as much in each of three months is three times as much in all."""
    if len({figures_key(computed.result) for computed in meant.values()}) > 1:
        return False
    name = own if own in meant else next(iter(meant))
    return not is_added_up(plans[name]) or all(
        is_copy(other, name, catalog, warehouse) for other in meant if other != name
    )


def _with_twins(best: Weighed, rest: Sequence[Weighed], found: Mapping[str, Computed]) -> Weighed:
    """The reading, as likely as it is together with those that differ in the file alone; which file it was taken from
    is said by who settles it."""
    found_alike = _as_likely_with(best, [one for one in rest if _is_twin(one, found)])
    assumed = tuple(said for said in best.reading.assumptions if not said.startswith(TAKEN))
    return Weighed(replace(found_alike.reading, assumptions=assumed), best.computed)


def _as_likely_with(best: Weighed, others: Sequence[Weighed]) -> Weighed:
    """The reading, as likely as it is together with others."""
    score = min(MOST_SURE, best.reading.score + sum(one.reading.score for one in others))
    return Weighed(replace(best.reading, score=max(best.reading.score, round(score, 4))), best.computed)


def _is_twin(one: Weighed, found: Mapping[str, Computed]) -> bool:
    """Whether a reading comes to what the told one comes to over the same other file."""
    used = tables_of(one.reading.plan) & found.keys()
    return len(used) == 1 and figures_key(one.computed.result) == figures_key(found[min(used)].result)


def _with_note(told: Weighed, meant: Mapping[str, Computed]) -> Weighed:
    """The reading, which says that other files give the same, if any do."""
    others = [name for name in meant if name not in tables_of(told.reading.plan)]
    if not others:
        return told
    said = SAME.format(listed(others, most=MOST_CHOICES), "gives" if len(others) == 1 else "give")
    return Weighed(replace(told.reading, notes=(*told.reading.notes, said)), told.computed)


def _over(best: Weighed, plan: Plan, computed: Computed) -> Weighed:
    return best if plan == best.reading.plan else Weighed(replace(best.reading, plan=plan), computed)


def _all_named(
    question: Question, meant: Mapping[str, Computed], plans: Mapping[str, Plan], catalog: Catalog, warehouse: Warehouse
) -> tuple[Plan, Computed] | None:
    """Several files' totals side by side and added up, where the question names these and none others."""
    if frozenset(meant) != named_files(question, next(iter(plans.values())), plans, catalog):
        return None
    whole = added_up({name: plans[name] for name in meant}, catalog, warehouse)
    computed = computed_of(whole, catalog, warehouse) if whole is not None else None
    return (whole, computed) if whole is not None and computed is not None else None
