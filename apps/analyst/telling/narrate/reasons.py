"""The sentences of answers to "why": what changed, or how far the first is ahead of the next, which groups made it so,
and in which shares."""

from __future__ import annotations

from apps.analyst.computing.drivers import Decomposition, Effect, Group, Split
from apps.analyst.plan import Drivers
from apps.analyst.plan.conditions import is_of_group
from apps.analyst.telling import formats
from apps.analyst.telling.formats import capital, listed, plural
from apps.analyst.telling.narrate.conditions import scope
from apps.analyst.telling.narrate.phrases import change_words, figure_name
from apps.analyst.telling.narrate.sides import within
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B
from apps.analyst.telling.wording import an, be, is_plural, is_stretch, opening, signed, told

ENOUGH = 2 / 3
"""Groups are named until they make up so much of the change, three at most."""
FAR_OVER = 150
"""From this share of the change on, in per cent, a group's own change says more than its share."""
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
        alike = "differ" if _is_apart(view) else "changed"
        return f"{text} No group stands out: by {_cut_name(view, split)} all {alike} about alike."
    return f"{text} {_by(view, split)}"


def changed(view: View) -> str:
    """By how much, from when to when; and that it is otherwise, where the question took another way for granted."""
    plan, found = _parts(view)
    if _is_apart(view):
        return _ahead(view)
    name, are = opening(_name(view)) + scope(view), be(_name(view))
    now, then = told(found.now, found.unit), told(found.then, found.unit)
    labels = within(plan.comparison.current_label), within(plan.comparison.baseline_label)
    if not found.change:
        return f"{name} did not change: {B}{now}{B} {labels[0]} as {labels[1]}."
    relative = 100 * found.change / abs(float(found.then)) if found.then else None
    moved = change_words(found.change, relative, found.unit)
    way = "up" if found.change > 0 else "down"
    by_ends = is_stretch(plan.comparison.baseline_label)
    if plan.expected and plan.expected != way:
        verb = "rise" if plan.expected == "up" else "fall"
        they = "they are" if are == "are" else "it is"
        both = f"{B}{now}{B} {labels[0]} against {then}" if by_ends else f"from {then} {labels[1]} to {B}{now}{B}"
        return f"{name} did not {verb}: {they} {moved}, {both} {labels[1] if by_ends else labels[0]}."
    if by_ends:
        return f"{name} {are} {B}{moved}{B}: {now} {labels[0]} against {then} {labels[1]}."
    return f"{name} {are} {B}{moved}{B}, from {then} {labels[1]} to {now} {labels[0]}."


def _ahead(view: View) -> str:
    """ "**North** has a higher total amount than South, the next: $4,000 against $3,000, a difference of 33.3%
    (+$1,000)."
    """
    plan, found = _parts(view)
    first, other, name = plan.comparison.current_label, plan.comparison.baseline_label, _name(view)
    now, then = told(found.now, found.unit), told(found.then, found.unit)
    if not found.change:
        return f"{B}{first}{B} and {other} have the same {name}{scope(view)}: {B}{now}{B}."
    kind = f"{'higher' if found.change > 0 else 'lower'} {name}"
    what = f"{kind if is_plural(name) else an(kind)}{scope(view)}"
    relative = 100 * found.change / abs(float(found.then)) if found.then else None
    size = change_words(found.change, relative, found.unit).partition(" ")[2]
    return f"{B}{first}{B} has {what} than {other}, the next: {B}{now}{B} against {then}, a difference of {size}."


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
    apart = _is_apart(view)
    what, differs = ("difference", "differs by") if apart else ("change", "changed")
    lines = []
    for split in found.splits:
        groups = [f"{_group(view, split, group)} {told(split.share(group), '%')}" for group in split.leading]
        led = listed(groups, most=4) or f"no group with a tenth of the {what}"
        lines.append(f"- {capital(_cut_name(view, split))}: {led}")
    rule = (
        f"A group's part is what its own rate {differs} (times its mean weight) plus what its weight {differs} (times "
        f"how far its rate lies from the mean)."
        if found.rate
        else f"A group's part is its own {what}."
    )
    return (
        f"{B}What was looked at{B} (shares of the {what}; all groups of a row add up to 100%). {rule} Rows come in the "
        f"order in which their leading groups exceed what their size would let one expect.\n\n" + "\n".join(lines)
    )


def _parts(view: View) -> tuple[Drivers, Decomposition]:
    plan, found = view.plan, view.computed.drivers
    assert isinstance(plan, Drivers)
    assert found is not None
    return plan, found


def _is_apart(view: View) -> bool:
    """True where two groups are set against each other, not two periods."""
    return is_of_group(_parts(view)[0].comparison.current)


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
    whole = "difference" if _is_apart(view) else "change"
    wholes = ["of it" if brief else f"of the {whole}", *[""] * (len(named) - 1)]
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
    name = f"{B}{_group(view, split, group)}{B}"
    if split.share(group) >= FAR_OVER and not found.rate and not _is_apart(view):
        return f"{name} {'fell' if group.part < 0 else 'rose'} by more than that ({_amount(group, found)}{reason})"
    words = " ".join(part for part in (name, verb, share, whole) if part)
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
    more = "more" if effect.number[0] > effect.number[1] else "fewer"
    counts = _pair(view, *(f"{count:,}" for count in effect.number))
    sums = _pair(view, *(told(value, found.unit) for value in effect.average))
    higher = "higher" if effect.average[0] > effect.average[1] else "lower"
    if effect.number[0] == effect.number[1]:
        return f"The number of {noun} is the same ({effect.number[0]:,}); a {higher} average makes up all of it."
    one = f"{more.capitalize()} {noun} ({counts})"
    other = f"a {higher} average ({sums})"
    if number < 0:
        return f"{capital(other)} makes up more than all of it, which {one.lower()} offset in part."
    if average < 0:
        return f"{one} make up more than all of it, which {other} offsets in part."
    return f"{one} make up {told(100 * number, '%')} of it, {other} {told(100 * average, '%')}."


def _pair(view: View, now: str, then: str) -> str:
    """Both sides of what differs: "98 to 120" from one period to the next, "120 against 98" of two groups."""
    return f"{now} against {then}" if _is_apart(view) else f"{then} to {now}"
