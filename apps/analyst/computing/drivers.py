"""Why a figure changed: its change split over the groups of each cut, in shares that add up.

Totals and counts: a group's part of the change is its own change, and its share that part of the whole change (the
"explanatory power" of Bhagwan et al., "Adtributor: Revenue Debugging in Advertising Systems", NSDI 2014).

Averages and rates are sums of weight x rate over the groups. With d for a difference and a bar for the mean of both
sides, d(w r) = bar(w) d(r) + d(w) bar(r) holds exactly; as all d(w) add up to nought, bar(r) may be taken against the
mean rate R of both sides without changing the sum (the symmetric form of Kitagawa, 1955):

    a group's part = bar(w) d(r)  [its own rate changed]  +  d(w) (bar(r) - R)  [more or less of it than before]

The cut that explains most is the one whose leading groups (each at least a tenth of the change) exceed by most what
their size alone would let one expect: the sum over them of share - weight, at most 1.

Nothing here writes SQL or sentences: `decomposed` asks whoever computes comparisons, so both executors share it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from apps.analyst.computing.compile.comparisons import compared_labels
from apps.analyst.computing.compile.kinds import change_unit
from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import (
    CHANGE,
    Aggregate,
    Arithmetic,
    Call,
    Comparison,
    Constant,
    Cut,
    Drivers,
    Expr,
    Output,
    Query,
)
from apps.analyst.plan.conditions import is_of_group
from apps.analyst.telling.formats import Number, is_number
from apps.analyst.types import ColumnType, Result, ResultColumn, Scalar

LEADING = 0.1
"""The least share of the change at which a group is said to drive it."""
MOST_GROUPS = 9
"""Groups that are shown; the others stand in one row together."""
DIFFERENCE, SHARE_OF_DIFFERENCE = "Difference", "Share of difference"
"""What stands for a change where two groups are set against each other."""
SHARE, FROM_RATE, FROM_WEIGHT = "Share of change", "From its own rate", "From its weight"
_PART, _BASE = "part", "base"

Run = Callable[[Comparison], Result]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A rate as a total over a total."""

    part: Expr
    base: Expr


@dataclass(frozen=True, slots=True)
class Group:
    """A group's figures on both sides and its part of the change."""

    name: Scalar
    now: Number | None
    then: Number | None
    part: float
    weight: float
    """Its size: its mean share of the figure, or of what a rate is taken over (0 to 1)."""
    from_rate: float = 0.0
    from_weight: float = 0.0
    others: int = 0
    """How many groups it stands for, where it is the rest."""


@dataclass(frozen=True, slots=True)
class Split:
    """The change split over one cut's groups, the largest parts in its direction first."""

    cut: Cut
    column: ResultColumn
    groups: tuple[Group, ...]
    change: float

    def share(self, group: Group) -> float:
        """A group's share of the change, in per cent."""
        return 100 * group.part / self.change if self.change else 0.0

    @property
    def leading(self) -> tuple[Group, ...]:
        """The groups that drive the change."""
        return tuple(g for g in self.groups if not g.others and self.share(g) >= 100 * LEADING)

    @property
    def telling(self) -> float:
        """By how much the leading groups exceed their size, 0 to 1; nothing where no group is on both sides: a column
        of months tells October from November, not why they differ."""
        if not any(group.now and group.then for group in self.groups):
            return 0.0
        return min(1.0, sum(max(0.0, self.share(g) / 100 - g.weight) for g in self.leading))


@dataclass(frozen=True, slots=True)
class Effect:
    """A total's change as number x average: what either does to it."""

    from_number: float
    from_average: float
    number: tuple[int, int]
    average: tuple[float, float]
    """Now and then."""


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The whole change with its splits, the most telling first."""

    now: Number
    then: Number
    unit: str | None
    type: ColumnType
    rate: bool
    splits: tuple[Split, ...]
    effect: Effect | None = None

    @property
    def change(self) -> float:
        """The change that is explained."""
        return float(self.now) - float(self.then)


# ---------------------------------------------------------------- what can be split
def ratio_of(expr: Expr) -> Ratio | None:
    """The rate that an expression is, else None: an average, or an additive figure over another, scaled or shifted."""
    if isinstance(expr, Aggregate) and expr.fn == "avg" and not expr.distinct:
        counted = expr.model_copy(update={"fn": "count"})
        return Ratio(expr.model_copy(update={"fn": "sum"}), counted)
    if not isinstance(expr, Arithmetic):
        return None
    if expr.op == "/" and additive(expr.left) and (base := _divisor(expr.right)) is not None:
        return Ratio(expr.left, base)
    if expr.op in "*/" and isinstance(expr.right, Constant) and (found := ratio_of(expr.left)) is not None:
        return Ratio(Arithmetic(op=expr.op, left=found.part, right=expr.right), found.base)
    if expr.op == "*" and isinstance(expr.left, Constant) and (found := ratio_of(expr.right)) is not None:
        return Ratio(Arithmetic(op="*", left=expr.left, right=found.part), found.base)
    if expr.op == "-" and isinstance(expr.left, Constant) and (found := ratio_of(expr.right)) is not None:
        whole = Arithmetic(op="*", left=expr.left, right=found.base)
        return Ratio(Arithmetic(op="-", left=whole, right=found.part), found.base)
    return None


def additive(expr: Expr) -> bool:
    """True where the figures of all groups add up to the figure of all rows."""
    match expr:
        case Aggregate():
            return expr.fn in ("sum", "count") and not expr.distinct
        case Call():
            return expr.name == "coalesce" and _is_nought(expr.args[-1]) and all(map(additive, expr.args[:-1]))
        case Arithmetic():
            if expr.op in "+-":
                return additive(expr.left) and additive(expr.right)
            if isinstance(expr.right, Constant):
                return additive(expr.left)
            return expr.op == "*" and isinstance(expr.left, Constant) and additive(expr.right)
        case _:
            return False


def _divisor(expr: Expr) -> Expr | None:
    """What is divided by, without its guard against nought; None where it does not add up."""
    if isinstance(expr, Call) and expr.name == "nullif" and _is_nought(expr.args[-1]):
        expr = expr.args[0]
    return expr if additive(expr) else None


def _is_nought(expr: Expr) -> bool:
    return isinstance(expr, Constant) and expr.value == 0


def refusal(measure: Output, query: Query, what: str = "change") -> str:
    """Why a figure's change, or its difference between two groups, cannot be split; "" where it can."""
    expr = inline_labels(measure.expr, query)
    if additive(expr) or ratio_of(expr) is not None:
        return ""
    if isinstance(expr, Aggregate) and expr.fn == "count":
        return (
            f"What is counted once each may stand in several groups, so the groups' {what}s do not add up to the whole "
            f"{what}."
        )
    return (
        f"The {what} of “{measure.label}” cannot be split: only totals, counts, averages and rates are made of their "
        f"groups' figures in a way that adds up."
    )


# ---------------------------------------------------------------- splitting
def cut_comparison(plan: Drivers, cut: Cut | None, measures: tuple[Output, ...] | None = None) -> Comparison:
    """The comparison told apart by a cut's groups, or in all."""
    query = plan.comparison.query
    new: dict[str, object] = {"order": (), "limit": None, "measures": measures or query.measures}
    if cut is not None:
        known = {join.alias or join.table for join in query.joins}
        joins = tuple(join for join in cut.joins if (join.alias or join.table) not in known)
        new |= {"groups": (cut.by,), "joins": (*query.joins, *joins)}
    return plan.comparison.model_copy(update={"query": query.model_copy(update=new)})


def decomposed(plan: Drivers, run: Run) -> tuple[Decomposition, Drivers]:
    """The decomposition, and the plan with its cuts in the order in which they explain. Raises PlanRejected."""
    comparison = plan.comparison
    measure = comparison.query.measures[0]
    whole = run(cut_comparison(plan, None))
    names = compared_labels(comparison)[0]
    at = {column.name: i for i, column in enumerate(whole.columns)}
    now, then = (whole.rows[0][at[label]] for label in (names.current, names.baseline))
    if not is_number(now) or not is_number(then):
        side = comparison.baseline_label if not is_number(then) else comparison.current_label
        raise PlanRejected(f"There is nothing for {side} in your data, so there is no change to explain.")
    ratio = ratio_of(inline_labels(measure.expr, comparison.query))
    splits = [_split(plan, cut, ratio, run, float(now) - float(then)) for cut in plan.cuts]
    order = sorted(range(len(splits)), key=lambda i: (-round(splits[i].telling, 6), len(splits[i].leading), i))
    found = Decomposition(
        now,
        then,
        whole.columns[at[names.current]].unit,
        whole.columns[at[names.current]].type if ratio is None else "float",
        ratio is not None,
        tuple(splits[i] for i in order),
        _effect(plan, measure, run),
    )
    return found, plan.model_copy(update={"cuts": tuple(plan.cuts[i] for i in order)})


def _split(plan: Drivers, cut: Cut, ratio: Ratio | None, run: Run, change: float) -> Split:
    groups = _of_totals(plan, cut, run) if ratio is None else _of_rates(plan, cut, ratio, run)
    way = -1 if change < 0 else 1
    column, found = groups
    ordered = sorted(found, key=lambda group: (-way * group.part, str(group.name)))
    return Split(cut, column, _shown(ordered, rate=ratio is not None), change)


def _sides(plan: Drivers, cut: Cut, measures: tuple[Output, ...], run: Run) -> tuple[ResultColumn, list[list[Scalar]]]:
    """The cut's group column, and per group its name with both sides of each measure."""
    comparison = cut_comparison(plan, cut, measures)
    result = run(comparison)
    if result.truncated:
        raise PlanRejected(f"There are too many values of “{cut.by.label}” to split the change by them.")
    at = {column.name: i for i, column in enumerate(result.columns)}
    places = [at[label] for names in compared_labels(comparison) for label in (names.current, names.baseline)]
    return result.columns[0], [[row[0], *(row[place] for place in places)] for row in result.rows]


def _of_totals(plan: Drivers, cut: Cut, run: Run) -> tuple[ResultColumn, list[Group]]:
    column, rows = _sides(plan, cut, plan.comparison.query.measures, run)
    pairs = [(row[0], _or_nought(row[1]), _or_nought(row[2])) for row in rows]
    size = sum(abs(float(now)) + abs(float(then)) for _, now, then in pairs) or 1.0
    return column, [
        Group(name, now, then, float(now) - float(then), (abs(float(now)) + abs(float(then))) / size)
        for name, now, then in pairs
    ]


def _of_rates(plan: Drivers, cut: Cut, ratio: Ratio, run: Run) -> tuple[ResultColumn, list[Group]]:
    measures = (Output(label=_PART, expr=ratio.part), Output(label=_BASE, expr=ratio.base))
    column, rows = _sides(plan, cut, measures, run)
    cells = [(row[0], [float(_or_nought(value)) for value in row[1:]]) for row in rows]
    totals = [sum(values[i] for _, values in cells) for i in range(4)]
    if not totals[2] or not totals[3]:
        raise PlanRejected("There is nothing to take the rate over on one side, so there is no change to explain.")
    mean = (totals[0] / totals[2] + totals[1] / totals[3]) / 2
    return column, [_rated(name, values, totals, mean) for name, values in cells if values[2] or values[3]]


def _rated(name: Scalar, values: Sequence[float], totals: Sequence[float], mean: float) -> Group:
    part_now, part_then, base_now, base_then = values
    now, then = (part_now / base_now if base_now else None), (part_then / base_then if base_then else None)
    weights = base_now / totals[2], base_then / totals[3]
    # A group without rows on one side has no rate there: all of its part comes from its weight.
    known = [rate for rate in (now, then) if rate is not None]
    middle = sum(known) / len(known)
    weight = (weights[0] + weights[1]) / 2
    from_rate = weight * (now - then) if now is not None and then is not None else 0.0
    from_weight = (weights[0] - weights[1]) * (middle - mean)
    return Group(name, now, then, from_rate + from_weight, weight, from_rate, from_weight)


def _shown(groups: Sequence[Group], *, rate: bool) -> tuple[Group, ...]:
    """The largest parts in their order, the rest in one."""
    if len(groups) <= MOST_GROUPS + 1:
        return tuple(groups)
    kept = sorted(sorted(range(len(groups)), key=lambda i: -abs(groups[i].part))[:MOST_GROUPS])
    rest = [group for i, group in enumerate(groups) if i not in set(kept)]
    other = Group(
        None,
        None if rate else _added([group.now for group in rest]),
        None if rate else _added([group.then for group in rest]),
        sum(group.part for group in rest),
        sum(group.weight for group in rest),
        sum(group.from_rate for group in rest),
        sum(group.from_weight for group in rest),
        others=len(rest),
    )
    return (*(groups[i] for i in kept), other)


def _added(values: Sequence[Number | None]) -> Number:
    numbers = [value for value in values if value is not None]
    if all(isinstance(value, Decimal | int) for value in numbers):
        return cast(Number, sum(Decimal(value) for value in numbers if not isinstance(value, float)))
    return sum(float(value) for value in numbers)


def _or_nought(value: Scalar) -> Number:
    return value if is_number(value) else 0


def _effect(plan: Drivers, measure: Output, run: Run) -> Effect | None:
    """A total as number x average: d(n a) = d(n) bar(a) + bar(n) d(a), exactly."""
    expr = measure.expr
    if not isinstance(expr, Aggregate) or expr.fn != "sum" or expr.distinct:
        return None
    counted = Output(label=_BASE, expr=expr.model_copy(update={"fn": "count"}))
    found = run(cut_comparison(plan, None, (Output(label=_PART, expr=expr), counted)))
    total_now, total_then, number_now, number_then = (float(_or_nought(found.rows[0][place])) for place in (0, 1, 4, 5))
    if not number_now or not number_then:
        return None
    averages = total_now / number_now, total_then / number_then
    from_number = (number_now - number_then) * sum(averages) / 2
    from_average = (averages[0] - averages[1]) * (number_now + number_then) / 2
    return Effect(from_number, from_average, (int(number_now), int(number_then)), averages)


# ---------------------------------------------------------------- as a table
def as_result(found: Decomposition, plan: Drivers) -> Result:
    """The most telling split as a table; its shares add up to 100 %."""
    split = found.splits[0]
    comparison, unit = plan.comparison, found.unit
    figures = [comparison.current_label, comparison.baseline_label]
    columns = [split.column]
    columns += [ResultColumn(label, found.type, "measure", unit) for label in figures]
    change, share = (DIFFERENCE, SHARE_OF_DIFFERENCE) if is_of_group(comparison.current) else (CHANGE, SHARE)
    parts = (FROM_RATE, FROM_WEIGHT) if found.rate else (change,)
    columns += [ResultColumn(label, found.type, "measure", change_unit(unit)) for label in parts]
    columns.append(ResultColumn(share, "float", "measure", "%"))
    rows = tuple(_row(group, split, found) for group in split.groups)
    if any(group.others for group in split.groups):
        columns[0] = ResultColumn(split.column.name, "text", "dimension")
        rows = tuple(
            (f"{group.others:,} others" if group.others else None if row[0] is None else str(row[0]), *row[1:])
            for group, row in zip(split.groups, rows, strict=True)
        )
    return Result(tuple(columns), rows, len(rows))


def _row(group: Group, split: Split, found: Decomposition) -> tuple[Scalar, ...]:
    parts: tuple[Scalar, ...]
    if found.rate:
        parts = (_steady(group.from_rate), _steady(group.from_weight))
    else:
        parts = (_change(group),)
    return (group.name, _steady(group.now), _steady(group.then), *parts, _steady(split.share(group)))


def _change(group: Group) -> Scalar:
    now, then = group.now, group.then
    if now is None or then is None:
        return _steady(group.part)
    if isinstance(now, float) or isinstance(then, float):
        return _steady(float(now) - float(then))
    return now - then


def _steady(value: Scalar) -> Scalar:
    return float(f"{value:.12g}") + 0.0 if isinstance(value, float) else value
