"""The one figure an answer comes down to, where there is one."""

from __future__ import annotations

import re
from typing import Literal

from apps.analyst.computing.compile.comparisons import compared_labels
from apps.analyst.computing.metrics.running import part_words
from apps.analyst.plan import BY_THEN, SO_FAR, Combine, Comparison, Drivers
from apps.analyst.telling import formats, wording
from apps.analyst.telling.formats import capital, is_number
from apps.analyst.telling.narrate.combined import times_of
from apps.analyst.telling.narrate.conditions import scope
from apps.analyst.telling.narrate.firsts import name_places
from apps.analyst.telling.narrate.groups import kept_groups
from apps.analyst.telling.narrate.leads import answers_first
from apps.analyst.telling.narrate.phrases import measure_name, points
from apps.analyst.telling.narrate.reasons import measure_words
from apps.analyst.telling.narrate.rows import scoped
from apps.analyst.telling.narrate.sides import measure_name_of
from apps.analyst.telling.narrate.view import View
from apps.analyst.types import Headline, Scalar

Direction = Literal["up", "down", "unknown"]
_BAD = re.compile(
    r"\b(churn\w*|lost|losses|costs?|expenses?|overdue|refunds?|returns|complaints?|days? to|cycle|delay\w*|debt"
    r"|slippage|cancel\w*)\b"
)
_GOOD = re.compile(
    r"\b(revenue|sales|profit|income|won|wins?|win rate|margin|attainment|bookings|arr|mrr|retention|pipeline"
    r"|conversion)\b"
)


def headline(view: View) -> Headline | None:
    """The headline of a single figure, of the first of an order, or of a comparison without groups."""
    if isinstance(view.plan, Comparison):
        return _compared(view)
    if isinstance(view.plan, Drivers):
        return _explained(view)
    if len(view.rows) != 1 or not view.figures:
        return None
    alone = view.shape == "single" or answers_first(view)
    first_of_order = view.query is not None and view.query.limit == 1 and len(view.figures) == 1
    if not (alone or first_of_order):
        return None
    place = view.figures[0]
    value, column = view.rows[0][place], view.columns[place]
    if not is_number(value):
        return None
    told = name_places(view) if view.query is not None and view.query.limit_per else view.dimensions
    names = [formats.cell(view.rows[0][i], view.columns[i]) for i in told]
    names = names[:1] if view.query is not None and view.query.columns else names
    name = measure_name(view, place)
    label = _combined(view, column.name) if isinstance(view.plan, Combine) else _label(view, name)
    if names:
        label = f"{' / '.join(names)}: {name}{scope(view)}"
    return Headline(
        value=value,
        text=wording.heading(value, column),
        label=label,
        unit=column.unit,
        good_direction=direction(label),
    )


def _combined(view: View, label: str) -> str:
    """A figure that several make, as a title; a ratio by what it is of."""
    told = times_of(view)
    return label if told is None else f"Ratio of {told[0]}, {told[1]} to {told[2]}"


def _label(view: View, name: str) -> str:
    """A figure's name as a title: what its rows are held to belongs to it."""
    kept = kept_groups(view)
    return capital(f"{name}{kept}" if kept else scoped(view, name))


def _compared(view: View) -> Headline | None:
    plan = view.plan
    assert isinstance(plan, Comparison)
    if plan.query.groups or not view.rows:
        return None
    labels = compared_labels(plan)[0]
    at = {column.name: i for i, column in enumerate(view.columns)}
    row, column = view.rows[0], view.columns[at[labels.current]]
    value, relative = row[at[labels.current]], row[at[labels.change_pct]]
    if not is_number(value):
        return None
    name = capital(measure_name_of(view, labels.measure))
    known = is_number(relative)
    return Headline(
        value=value,
        text=wording.heading(value, column),
        label=f"{name}, {plan.current_label}",
        unit=column.unit,
        change=float(relative) / 100 if is_number(relative) else None,
        change_text=_badge(plan, _moved(row[at[labels.change]], relative, column.unit)) if known else "",
        good_direction=_direction(plan, f"{name} {scope(view)}"),
    )


def _explained(view: View) -> Headline | None:
    plan, found = view.plan, view.computed.drivers
    assert isinstance(plan, Drivers)
    if found is None:
        return None
    name = capital(measure_words(view))
    relative = 100 * found.change / abs(float(found.then)) if found.then else None
    return Headline(
        value=found.now,
        text=wording.told(found.now, found.unit),
        label=f"{name}, {plan.comparison.current_label}",
        unit=found.unit,
        change=relative / 100 if relative is not None else None,
        change_text=_badge(plan.comparison, _moved(found.change, relative, found.unit)) if relative is not None else "",
        good_direction=_direction(plan.comparison, f"{name} {scope(view)}"),
    )


def _badge(plan: Comparison, moved: str) -> str:
    return f"{moved}{SO_FAR if _is_early(plan) else ''} vs {part_words(plan.baseline_label)}"


def _direction(plan: Comparison, words: str) -> Direction:
    return "unknown" if _is_early(plan) else direction(words)


def _is_early(plan: Comparison) -> bool:
    """Part of a period beside a whole one: that it is less is neither good nor bad yet."""
    return plan.current_label.endswith(SO_FAR) and not plan.baseline_label.endswith(BY_THEN)


def _moved(change: Scalar, relative: Scalar, unit: str | None) -> str:
    """A change as a badge says it: relative, or in points where the figure is itself a rate."""
    if unit == "%" and is_number(change):
        return f"{'+' if change >= 0 else formats.MINUS}{points(change)}"
    return wording.signed(relative, "%")


def is_good(words: str) -> bool:
    """Whether more of it is known to be good."""
    return direction(words) == "up"


def direction(words: str) -> Direction:
    """Whether more of it is known to be good or bad; unknown for all else, and where the words say both."""
    text = words.lower()
    good, bad = _GOOD.search(text) is not None, _BAD.search(text) is not None
    if good == bad:
        return "unknown"
    return "up" if good else "down"
