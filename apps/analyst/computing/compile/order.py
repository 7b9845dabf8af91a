"""In which order rows come: what the plan says, else what a reader expects, and always the same way.

Both executors sort by the keys made here. Missing values come last; equal rows are told apart by the remaining columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.computing.compile.outputs import inline_labels, outputs_of
from apps.analyst.computing.compile.scope import NUMERIC, TEMPORAL, Shape
from apps.analyst.computing.compile.walk import aggregated, windowed
from apps.analyst.plan import Aggregate, ColumnRef, Expr, Order, Part, Query, Window

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CALENDAR = {"month_name": MONTHS, "weekday_name": WEEKDAYS}


@dataclass(frozen=True, slots=True)
class SortKey:
    """One key: an output label, or an expression that is not shown.

    `calendar` names a part of dates to run through; `computed` keys are floating-point figures, compared to the digits
    that do not depend on the order of adding, so that equal figures tie on every run.
    """

    label: str | None
    expr: Expr | None
    descending: bool
    calendar: str | None = None
    computed: bool = False


def stated_keys(query: Query, shapes: dict[str, Shape]) -> list[SortKey]:
    """The keys the plan states, or those it implies."""
    orders = query.order or implied_order(query, shapes)
    keys: list[SortKey] = []
    for order in orders:
        if isinstance(order.by, str):
            keys.append(label_key(order.by, order.descending, shapes, query))
            continue
        expr = inline_labels(order.by, query, own_first=True)
        shown = next((o.label for o in outputs_of(query) if inline_labels(o.expr, query) == expr), None)
        if shown is not None:
            keys.append(label_key(shown, order.descending, shapes, query))
        elif query.distinct and query.columns and not aggregated(expr):
            best = Aggregate(fn="max" if order.descending else "min", of=expr)
            keys.append(SortKey(None, best, order.descending, computed=is_computed(expr)))
        else:
            keys.append(SortKey(None, expr, order.descending, _calendar_of(expr), computed=is_computed(expr)))
    return keys


def tie_breaks(query: Query, shapes: dict[str, Shape], keys: list[SortKey]) -> list[SortKey]:
    """Keys that make the order total, as far as what is shown can: groups for totals, all columns for rows."""
    used = {key.label for key in keys}
    groups = [output.label for output in query.groups]
    labels = groups if groups or query.measures else [output.label for output in outputs_of(query)]
    return [label_key(label, False, shapes, query) for label in labels if label not in used]


def implied_order(query: Query, shapes: dict[str, Shape]) -> tuple[Order, ...]:
    """Time and numbers run upwards; names come by their first figure, highest first; listed rows stay as they lie."""
    if not query.groups:
        return ()
    runs = any(shapes[g.label].type in NUMERIC | TEMPORAL or shapes[g.label].grain for g in query.groups)
    figures = [m.label for m in query.measures if shapes[m.label].type in NUMERIC]
    if runs or not figures or len(query.groups) > 1:
        return tuple(Order(by=group.label) for group in query.groups)
    return (Order(by=figures[0], descending=True),)


def label_key(label: str, descending: bool, shapes: dict[str, Shape], query: Query | None = None) -> SortKey:
    """The key that sorts by a result column."""
    shape = shapes.get(label)
    grain = shape.grain if shape is not None and shape.grain in CALENDAR else None
    output = next((o for o in outputs_of(query) if o.label == label), None) if query is not None else None
    computed = shape is not None and shape.type == "float" and (output is None or is_computed(output.expr))
    return SortKey(label, None, descending, grain, computed=computed)


def is_computed(expr: Expr) -> bool:
    """True for what is worked out, not read: its last digits may differ from run to run."""
    return not isinstance(expr, ColumnRef)


def _calendar_of(expr: Expr) -> str | None:
    return expr.part if isinstance(expr, Part) and expr.part in ("month_name", "weekday_name") else None


def window_keys(window: Window, query: Query, shapes: dict[str, Shape]) -> list[SortKey]:
    """What sorts the rows a window looks across. A key without label and expression is the window's own figure.

    A stated label runs upwards for periods and names, downwards for figures. Without one, ranks go by the figure
    itself, everything else by time where there is time.
    """
    groups = [output.label for output in query.groups] or [output.label for output in outputs_of(query)]
    label = window.order
    if label is None and window.fn not in ("rank", "row_number"):
        label = next((name for name in groups if shapes[name].type in TEMPORAL or shapes[name].grain), None)
    if label is None:
        keys = [SortKey(None, None, descending=True, computed=is_computed(window.of))]
    else:
        figure = label not in groups and shapes[label].type in NUMERIC
        keys = [label_key(label, figure, shapes, query)]
    if window.fn == "rank":
        return keys
    plain = {o.label for o in outputs_of(query) if not windowed(inline_labels(o.expr, query))}
    rest = [name for name in groups if name != label and name not in window.partition and name in plain]
    return keys + [label_key(name, False, shapes, query) for name in rest]


STEADY = ".12e"
"""How floating-point keys are written to be compared."""


def key_sql(key: SortKey, text: str, *, real: bool = True) -> str:
    """The ORDER BY term of a key whose column or expression is `text`; `real` where it is a floating-point one."""
    if key.computed and real:
        text = f"CAST(format('{{:{STEADY}}}', CAST({text} AS DOUBLE)) AS DOUBLE)"
    if key.calendar:
        names = ", ".join(f"'{name}'" for name in CALENDAR[key.calendar])
        text = f"list_position([{names}], {text})"
    return f"{text} {'DESC' if key.descending else 'ASC'} NULLS LAST"
