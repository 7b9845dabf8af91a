"""The first sentence of comparisons: two periods or two groups side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.analyst.computing.compile.comparisons import Compared, compared_labels
from apps.analyst.computing.metrics.running import part_words
from apps.analyst.plan import BY_THEN, SO_FAR, Comparison
from apps.analyst.plan.conditions import is_of_group
from apps.analyst.telling.formats import MONTH_NAMES, MONTHS, capital, is_number, listed
from apps.analyst.telling.narrate.conditions import scope
from apps.analyst.telling.narrate.phrases import cell, change_words, figure_name, group_noun
from apps.analyst.telling.narrate.rows import number_at, row_name
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B
from apps.analyst.telling.wording import be, is_plural, is_stretch, opening, shortened, signed, the
from apps.analyst.types import POINTS

_PERIOD = re.compile(rf"(?:FY ?|Q[1-4] (?:FY)?|(?:{'|'.join((*MONTHS, *MONTH_NAMES))}) )?\d{{4}}")


@dataclass(frozen=True, slots=True)
class _Sides:
    """A comparison with the places of its first figure's columns."""

    view: View
    plan: Comparison
    labels: Compared
    now: int
    then: int
    change: int
    relative: int

    @property
    def name(self) -> str:
        return measure_name_of(self.view, self.labels.measure)

    @property
    def apart(self) -> bool:
        """True where two groups are set against each other: nothing rose or fell between them."""
        return is_of_group(self.plan.current)


def compared(view: View) -> str:
    """Two row sets side by side."""
    plan = view.plan
    assert isinstance(plan, Comparison)
    labels = compared_labels(plan)[0]
    at = {column.name: i for i, column in enumerate(view.columns)}
    places = (at[name] for name in (labels.current, labels.baseline, labels.change, labels.change_pct))
    sides = _Sides(view, plan, labels, *places)
    return _by_groups(sides) if plan.query.groups else _in_all(sides)


def _in_all(sides: _Sides) -> str:
    view, plan, name, row = sides.view, sides.plan, sides.name, sides.view.rows[0]
    if row[sides.now] is None or row[sides.then] is None:
        both = ((sides.now, plan.current_label), (sides.then, plan.baseline_label))
        told = " and ".join(f"{cell(view, 0, place)} {within(label)}" for place, label in both)
        return f"{opening(name)} {be(name)} {told}."
    moved = change_words(row[sides.change], row[sides.relative], view.columns[sides.now].unit)
    if sides.apart:
        moved = _ahead(row[sides.change], moved)
    else:
        moved += " against" if is_stretch(plan.baseline_label) else " from"
    text = (
        f"{the(name)}{scope(view)} {be(name)} {B}{cell(view, 0, sides.now)}{B} {within(plan.current_label)}, "
        f"{moved} {cell(view, 0, sides.then)} {within(plan.baseline_label)}."
    )
    return f"{B}{_verdict(plan, row[sides.change])}:{B} {text}" if plan.claim else capital(text)


def _by_groups(sides: _Sides) -> str:
    view, plan, name = sides.view, sides.plan, sides.name
    rows = [i for i, row in enumerate(view.rows) if is_number(row[sides.change])]
    if not rows:
        return f"{opening(name)} cannot be compared: one side has no values."
    up, down = (pick(rows, key=lambda i: number_at(view, i, sides.change)) for pick in (max, min))
    moved = [(place, way) for place, way, right in ((up, "rose", 1), (down, "fell", -1))
             if number_at(view, place, sides.change) * right > 0]  # fmt: skip
    now, then = shortened(plan.current_label), shortened(part_words(plan.baseline_label))
    if not moved:
        same = f"{be(name)} the same for {now} and {then}" if sides.apart else f"did not change from {then} to {now}"
        return f"{opening(name)} {same}."
    named = [f"{B}{row_name(view, place)}{B} ({_moved(sides, place)})" for place, _ in moved]
    if sides.apart:
        told = f"{'differ' if is_plural(name) else 'differs'} most for {listed(named)}"
    else:
        told = listed([f"{way} most for {group}" for (_, way), group in zip(moved, named, strict=True)])
    span = f"from {then} to {now}"
    if sides.apart or is_stretch(plan.baseline_label):
        span = "between " + " and ".join((now, then) if sides.apart else (then, now))
    if not _is_cut(plan, {sides.labels.change, sides.labels.change_pct}):
        return f"{capital(span)}, {the(name)} {told}."
    alone = len(view.names) == 1
    count = f"{len(view.rows)} {group_noun(view, view.names[0], len(view.rows)) if alone else 'groups'}"
    return f"Of the {count} shown, {the(name)} {told}, {span}."


def _ahead(change: object, moved: str) -> str:
    """What sets one group's figure against another's: "24.6% (+$270,419) more than", "the same as"."""
    if not is_number(change) or not change:
        return "the same as"
    return f"{moved.partition(' ')[2]} {'more' if change > 0 else 'less'} than"


def _is_cut(plan: Comparison, changes: set[str]) -> bool:
    """Whether rows are left out that may have changed more: those shown lead by another figure than the change."""
    return plan.query.limit is not None and not any(by.by in changes for by in plan.query.order)


def within(label: str) -> str:
    """A side of a comparison behind its figure: "in Q1 2025", "from 1 Jan to 20 Dec 2025", "for the West"."""
    if is_stretch(label):
        return f"from {shortened(label)}"
    bare = label.removesuffix(SO_FAR).removesuffix(BY_THEN)
    return f"{'in' if _PERIOD.fullmatch(bare) else 'for'} {part_words(label)}"


def _verdict(plan: Comparison, change: object) -> str:
    """Yes or no, where the question asked for that."""
    moved = float(change) if is_number(change) else 0.0
    return "Yes" if (moved > 0 if plan.claim == "up" else moved < 0) else "No"


def _moved(sides: _Sides, row: int) -> str:
    """A change with its size in percent; a rate's is told in points alone, as a percentage of a percentage misleads."""
    values, unit = sides.view.rows[row], sides.view.columns[sides.change].unit
    text = signed(values[sides.change], unit)
    if unit != POINTS and is_number(values[sides.relative]):
        text += f", {signed(values[sides.relative], '%')}"
    return text


def measure_name_of(view: View, label: str) -> str:
    """The name of a comparison's measure by its label in the compared query."""
    query = view.query
    output = next((m for m in query.measures if m.label == label), None) if query is not None else None
    return figure_name(output.expr if output is not None else None, label, view)
