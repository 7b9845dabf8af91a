"""Which chart shows a result best, and which of its columns it shows. A wish of the question goes before the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from apps.analyst.computing.compile.walk import has, within
from apps.analyst.language.reading import ChartWish
from apps.analyst.plan import Bin, Comparison, Window
from apps.analyst.telling.charts.slices import SLICED, has_no_parts, why_no_slices
from apps.analyst.telling.narrate.view import View
from apps.analyst.types import ChartType

MOST_PARTS = 7
"""Slices people still tell apart; more become bars."""
FEW_PERIODS = 3
"""So many periods are compared by their heights; a line needs more to run along."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The mark and the places of the columns it shows. `y` holds one place a series where several figures are shown."""

    mark: ChartType
    x: int
    y: tuple[int, ...]
    color: int | None = None
    horizontal: bool = False
    stacked: bool = False
    across: bool = False
    """True where the figures' names are the labels and each row is a series: profiles."""


def choose(view: View, wish: ChartWish | None) -> Choice | None:
    """The chart for the result, or None where a chart shows nothing that the text does not."""
    natural = _natural(view)
    asked = wish is not None and (wish.explicit or (wish.mark is not None and len(view.rows) > 1))
    if wish is None or (natural is None and not asked):
        return natural
    hinted = _hinted(view, wish, natural or _forced(view))
    if hinted is None or wish.mark is None or (natural is not None and not wish.explicit):
        return hinted
    if wish.mark in SLICED:
        return _as_slices(view, hinted, wish)
    return _with_mark(view, hinted, wish)


def refused(view: View, wish: ChartWish | None) -> str:
    """Why slices that were asked for are not drawn; "" where they are, or where none were asked for."""
    if wish is None or not wish.explicit or wish.mark not in SLICED:
        return ""
    hinted = _hinted(view, wish, _natural(view) or _forced(view))
    shown = _of_groups(view, hinted) if hinted is not None else None
    return why_no_slices(view, shown.y, across=shown.across) if shown is not None else ""


def _natural(view: View) -> Choice | None:
    if len(view.rows) < 2 or not view.figures or view.shape in ("statistic", "description"):
        return None
    if view.shape == "compared":
        return _compared(view)
    if view.shape == "drivers":
        # The parts of the change: one figure for totals, its two effects stacked for rates.
        parts = tuple(view.figures[2:-1])
        return Choice("bar", 0, parts, horizontal=_names(view, 0), stacked=len(parts) > 1)
    if view.shape == "list":
        return _listed(view)
    if view.shape == "grid":
        return _grid(view)
    if view.shape not in ("ranking", "series"):
        return None
    x, figures = view.names[0], _alike(view)
    if view.shape == "series" and len(view.rows) > FEW_PERIODS:
        return Choice("line", x, figures)
    if len(view.figures) == 2 and len(figures) == 1 and len(view.rows) > 8 and not _shares(view):
        return Choice("scatter", view.figures[0], (view.figures[1],))
    if len(figures) >= 3 and len(view.rows) <= 5:
        return Choice("radar", x, figures, across=True)
    whole = _parts_of_whole(view, figures[0]) and not has_no_parts(view, figures[0])
    if _shares(view) and whole and not view.is_time(x):
        return Choice("doughnut", x, figures[:1])
    return Choice("bar", x, figures, horizontal=_names(view, x))


def _compared(view: View) -> Choice | None:
    """Current and baseline side by side; changes are in the table."""
    if not view.dimensions:
        return None
    x = view.dimensions[0]
    return Choice("bar", x, tuple(view.figures[:2]), horizontal=_names(view, x))


def _listed(view: View) -> Choice | None:
    """Two listed figures make a scatter; a name with one figure, asked for in order, makes bars."""
    if len(view.figures) == 2 and len(view.rows) > 3 and len(view.columns) <= 4:
        texts = [i for i in view.dimensions if view.columns[i].type == "text"]
        color = next((i for i in texts if 2 <= _distinct(view, i) <= MOST_PARTS < len(view.rows)), None)
        return Choice("scatter", view.figures[0], (view.figures[1],), color)
    ordered = view.query is not None and bool(view.query.order) and view.query.limit is not None
    if len(view.figures) == 1 and len(view.dimensions) == 1 and ordered and len(view.rows) <= 30:
        x = view.dimensions[0]
        return Choice("bar", x, (view.figures[0],), horizontal=_names(view, x))
    return None


def _grid(view: View) -> Choice | None:
    figure = view.figures[0]
    times = [i for i in view.dimensions if view.is_time(i)]
    if len(view.dimensions) > 3:
        return None
    if times and view.runs_on(times[0]) and _distinct(view, times[0]) > FEW_PERIODS:
        color = next(i for i in view.dimensions if i != times[0])
        return Choice("line", times[0], (figure,), color)
    x, color = view.dimensions[0], view.dimensions[1]
    return Choice("bar", x, (figure,), color, stacked=view.additive(figure))


def _forced(view: View) -> Choice | None:
    """A chart of whatever there is, where one was asked for."""
    figures = view.figures or view.numbers()
    if not view.rows or not figures:
        return None
    if isinstance(view.plan, Comparison) and not view.dimensions:
        return Choice("bar", figures[0], tuple(figures[:2]), across=True)
    if len(view.rows) == 1 and len(figures) >= 2 and view.figures:
        names = [i for i in view.dimensions if i not in figures]
        return Choice("bar", names[0] if names else figures[0], _alike(view), across=True)
    texts = [i for i in range(len(view.columns)) if i not in figures]
    if texts:
        color = texts[1] if len(texts) > 1 and view.shape == "grid" else None
        y = tuple(figures) if color is None else (figures[0],)
        return Choice("bar", texts[0], y, color, horizontal=color is None and _names(view, texts[0]))
    if len(figures) >= 2:
        return Choice("scatter", figures[0], (figures[1],))
    return Choice("bar", figures[0], (figures[0],))


def _hinted(view: View, wish: ChartWish, base: Choice | None) -> Choice | None:
    """The choice with the columns the question names put where it wants them."""
    places = {column.name: i for i, column in enumerate(view.columns)}
    x, y, color = (places.get(name or "") for name in (wish.x, wish.y, wish.color))
    if base is None or base.across:
        return base
    numbers = view.numbers()
    if base.mark == "scatter" and not wish.explicit and x is not None and x not in numbers:
        return base  # its points are the names; along them they would stand in no relation
    if x is not None and x != base.x:
        base = replace(base, x=x, color=base.x if base.color == x else base.color)
    if y is not None and y in numbers:
        # The first figure is named by habit, the others were listed to be seen as well.
        rest = tuple(i for i in base.y if i not in (y, x)) if wish.mark != "scatter" else ()
        base = replace(base, y=(y, *rest))
    if color is not None and color not in numbers:
        other = next((i for i in view.dimensions if i != color), base.x)
        base = replace(base, y=base.y[:1], color=color, x=other if base.x == color else base.x)
    elif color is not None and color not in (base.x, *base.y) and base.color is None:
        as_series = color in view.figures and wish.mark != "scatter"
        base = replace(base, y=(*base.y, color)) if as_series else replace(base, y=base.y[:1], color=color)
    return replace(base, color=None) if base.color == base.x else base


def _as_slices(view: View, choice: Choice, wish: ChartWish) -> Choice | None:
    """The choice as slices of a whole, else as bars; nothing where there is but one figure to draw."""
    choice = _of_groups(view, choice)
    if not why_no_slices(view, choice.y, across=choice.across):
        return _with_mark(view, choice, wish)
    if len(view.rows) < 2 and len(choice.y) < 2:
        return None
    return replace(choice, mark="bar", stacked=False)


def _of_groups(view: View, choice: Choice) -> Choice:
    """A profile of several groups by its first figure: slices show one figure of each."""
    return replace(choice, across=False, y=choice.y[:1]) if choice.across and len(view.rows) > 1 else choice


def _with_mark(view: View, choice: Choice, wish: ChartWish) -> Choice:
    """The choice with the mark asked for, unless the data cannot be shown so."""
    mark = wish.mark
    assert mark is not None
    if choice.across:
        return replace(choice, mark=mark) if mark != "scatter" else choice
    if mark == "scatter":
        return _as_scatter(view, choice)
    if choice.mark == "scatter" and view.dimensions:
        x = view.dimensions[0]
        # Two listed figures were both asked to be seen.
        figures = tuple(view.figures) if view.shape == "list" and choice.color in (None, x) else choice.y[:1]
        choice = replace(choice, x=x, y=figures, color=None if choice.color == x else choice.color)
    lying = mark == "bar" and choice.color is None and (choice.horizontal or choice.mark != "bar")
    return replace(
        choice,
        mark=mark,
        y=choice.y[:1] if mark in SLICED else choice.y,
        stacked=mark == "bar" and (wish.stacked or choice.stacked),
        horizontal=lying and _names(view, choice.x),
        across=mark == "radar" and len(choice.y) >= 3,
    )


def _as_scatter(view: View, choice: Choice) -> Choice:
    """Two figures against each other; where there is one only, the figure against the names."""
    figures = view.figures or view.numbers()
    if len(figures) >= 2 and choice.x not in figures:
        x = figures[0] if figures[0] not in choice.y or len(choice.y) > 1 else figures[1]
        y = choice.y[0] if choice.y[0] != x else figures[1]
        repeated = _distinct(view, choice.x) < len(view.rows)
        color = choice.color if choice.color is not None else choice.x if repeated else None
        return Choice("scatter", x, (y,), color)
    return replace(choice, mark="scatter", y=choice.y[:1], stacked=False, horizontal=False)


# ---------------------------------------------------------------- what the data look like
def _alike(view: View) -> tuple[int, ...]:
    """The figures that can share an axis with the first: same unit, and no shares beside amounts."""
    first = view.columns[view.figures[0]]
    figures = [i for i in view.figures if i == view.figures[0] or not _aside(view, i)]
    return tuple(i for i in figures if view.columns[i].unit == first.unit and (first.unit or _magnitudes(view, i)))


def _aside(view: View, place: int) -> bool:
    """True for changes, ranks and shares: they tell of another figure and are no second one."""
    expr = view.expr(place)
    windows = [part for part in within(expr) if isinstance(part, Window)] if expr is not None else []
    return any(part.fn in ("change", "change_pct", "rank", "row_number", "share") for part in windows)


def _magnitudes(view: View, place: int) -> bool:
    """True where the figures are within a hundred times those of the first: else one would lie flat."""
    mine, first = view.values(place), view.values(view.figures[0])
    top, reference = max(map(abs, mine), default=0.0), max(map(abs, first), default=0.0)
    return place == view.figures[0] or (reference > 0 and 0.01 <= top / reference <= 100)


def _shares(view: View) -> bool:
    exprs = [view.expr(i) for i in view.figures]
    return any(
        expr is not None and has(expr, Window) and view.columns[i].unit == "%"
        for i, expr in zip(view.figures, exprs, strict=True)
    )


def _parts_of_whole(view: View, place: int) -> bool:
    values = view.values(place)
    return 2 <= len(view.rows) <= MOST_PARTS and view.complete and len(values) == len(view.rows) and min(values) >= 0


def _names(view: View, place: int) -> bool:
    """True for a column of names, which read best beside horizontal bars."""
    return view.columns[place].type == "text" and view.columns[place].grain is None


def _distinct(view: View, place: int) -> int:
    return len({row[place] for row in view.rows})


def is_binned(view: View, place: int) -> bool:
    """True where the column holds the lower edges of bins."""
    return isinstance(view.expr(place), Bin)
