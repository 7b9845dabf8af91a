"""The sentences of answers to "why did it change": what changed, which groups made it so, and in which shares."""

from __future__ import annotations

from apps.analyst.computing.drivers import Decomposition, Effect, Group, Split
from apps.analyst.plan import Drivers
from apps.analyst.telling import formats
from apps.analyst.telling.formats import capital, listed, plural
from apps.analyst.telling.narrate.changes import within
from apps.analyst.telling.narrate.conditions import scope
from apps.analyst.telling.narrate.phrases import change_words, figure_name
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B
from apps.analyst.telling.wording import be, opening, signed, told

ENOUGH = 2 / 3
"""Groups are named until they make up so much of the change, three at most."""
TELLING = 0.1
"""The least by which leading groups must exceed their size to be a reason at all."""


def reasons(view: View) -> str:
    """What changed, and what of it comes from where."""
    _, found = _parts(view)
    text = changed(view)
    if not found.change:
        return text
    split = found.splits[0]
    if split.telling < TELLING:
        return f"{text} No group stands out: by {_cut_name(view, split)} all changed about alike."
    return f"{text} {_by(view, split)}"


def changed(view: View) -> str:
    """By how much, from when to when; and that it is otherwise, where the question took another way for granted."""
    plan, found = _parts(view)
    name, are = opening(_name(view)) + scope(view), be(_name(view))
    now, then = told(found.now, found.unit), told(found.then, found.unit)
    labels = within(plan.comparison.current_label), within(plan.comparison.baseline_label)
    if not found.change:
        return f"{name} did not change: {B}{now}{B} {labels[0]} as {labels[1]}."
    relative = 100 * found.change / abs(float(found.then)) if found.then else None
    moved = change_words(found.change, relative, found.unit)
    way = "up" if found.change > 0 else "down"
    if plan.expected and plan.expected != way:
        verb = "rise" if plan.expected == "up" else "fall"
        they = "they are" if are == "are" else "it is"
        return f"{name} did not {verb}: {they} {moved}, from {then} {labels[1]} to {B}{now}{B} {labels[0]}."
    return f"{name} {are} {B}{moved}{B}, from {then} {labels[1]} to {now} {labels[0]}."


def background(view: View) -> list[str]:
    """What else the change is made of: number and average, and the next cut that tells something."""
    _, found = _parts(view)
    if not found.change:
        return []
    said = [_effect(view, found.effect, found)] if found.effect is not None else []
    others = [split for split in found.splits[1:] if split.telling >= TELLING]
    return [text for text in said if text] + [_by(view, split, brief=True) for split in others[:1]]


def all_cuts(view: View) -> str:
    """Every cut with its leading groups and how much they exceed their size: the whole search, for who wants it."""
    _, found = _parts(view)
    lines = []
    for split in found.splits:
        groups = [f"{_group(view, split, group)} {told(split.share(group), '%')}" for group in split.leading]
        led = listed(groups, most=4) or "no group with a tenth of the change"
        lines.append(f"- {capital(_cut_name(view, split))}: {led}")
    rule = (
        "A group's part is what its own rate changed (times its mean weight) plus what its weight changed (times how "
        "far its rate lies from the mean)."
        if found.rate
        else "A group's part is its own change."
    )
    return (
        f"{B}What was looked at{B} (shares of the change; all groups of a row add up to 100%). {rule} Rows come in the "
        f"order in which their leading groups exceed what their size would let one expect.\n\n" + "\n".join(lines)
    )


def _parts(view: View) -> tuple[Drivers, Decomposition]:
    plan, found = view.plan, view.computed.drivers
    assert isinstance(plan, Drivers)
    assert found is not None
    return plan, found


def _name(view: View) -> str:
    plan, _ = _parts(view)
    measure = plan.comparison.query.measures[0]
    return figure_name(measure.expr, measure.label, view)


def measure_words(view: View) -> str:
    """What the explained figure is called."""
    return _name(view)


def _by(view: View, split: Split, *, brief: bool = False) -> str:
    """ "By region, North accounts for 75% of the change (−$900k) and South for 33% (−$400k); West went the other
    way (+$100k)."
    """
    _, found = _parts(view)
    named: list[Group] = []
    for group in split.leading:
        if len(named) == 3 or sum(split.share(g) for g in named) >= 100 * ENOUGH:
            break
        named.append(group)
    verbs = ["makes up" if brief else "accounts for", *[""] * (len(named) - 1)]
    wholes = ["of it" if brief else "of the change", *[""] * (len(named) - 1)]
    parts = [_account(view, split, *each) for each in zip(named, verbs, wholes, strict=True)]
    text = f"By {_cut_name(view, split)}, {listed(parts)}"
    against = [group for group in split.groups if not group.others and split.share(group) <= -10]
    against.sort(key=lambda group: split.share(group))
    if against and not brief:
        shown = [f"{_group(view, split, g)} ({_amount(g, found)})" for g in against[:2]]
        text += f"; {listed(shown)} went the other way"
    return text + "."


def _account(view: View, split: Split, group: Group, verb: str, whole: str) -> str:
    _, found = _parts(view)
    share = told(split.share(group), "%")
    reason = ""
    if found.rate and group.from_rate and abs(group.from_rate) >= 3 * abs(group.from_weight):
        reason = ", by its own rate"
    elif found.rate and group.from_weight and abs(group.from_weight) >= 3 * abs(group.from_rate):
        reason = ", by its weight"
    words = " ".join(part for part in (f"{B}{_group(view, split, group)}{B}", verb, share, whole) if part)
    return f"{words} ({_amount(group, found)}{reason})"


def _amount(group: Group, found: Decomposition) -> str:
    return _points(group) if found.unit == "%" else signed(_part(group), found.unit)


def _points(group: Group) -> str:
    sign = formats.MINUS if group.part < 0 else "+"
    return f"{sign}{told(abs(group.part), '%').removesuffix('%')} points"


def _part(group: Group) -> float | int:
    return int(group.part) if float(group.part).is_integer() else group.part


def _group(view: View, split: Split, group: Group) -> str:
    if group.name is None:
        return f"no {_cut_name(view, split)}"
    return formats.cell(group.name, split.column)


def _cut_name(view: View, split: Split) -> str:
    return view.thing(split.column.name)


def _effect(view: View, effect: Effect, found: Decomposition) -> str:
    """ "Fewer deals make up 60% of it (120 → 98), a lower average 40% ($4,100 → $3,800)"."""
    number, average = effect.from_number / found.change, effect.from_average / found.change
    noun = plural(view.noun()) if view.noun() != "rows" else "rows with a figure"
    counts = f"{effect.number[1]:,} to {effect.number[0]:,}"
    more = "more" if effect.number[0] > effect.number[1] else "fewer"
    sums = [told(value, found.unit) for value in reversed(effect.average)]
    higher = "higher" if effect.average[0] > effect.average[1] else "lower"
    if effect.number[0] == effect.number[1]:
        return f"The number of {noun} is the same ({effect.number[0]:,}); a {higher} average makes up all of it."
    one = f"{more.capitalize()} {noun} ({counts})"
    other = f"a {higher} average ({sums[0]} to {sums[1]})"
    if number < 0:
        return f"{capital(other)} makes up more than all of it, which {one.lower()} offset in part."
    if average < 0:
        return f"{one} make up more than all of it, which {other} offsets in part."
    return f"{one} make up {told(100 * number, '%')} of it, {other} {told(100 * average, '%')}."
