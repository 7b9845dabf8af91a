"""Every shape that an answer can have, as plans over any of the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Between,
    Bin,
    ColumnRef,
    Combine,
    Compare,
    Comparison,
    Conditional,
    Constant,
    Cut,
    Describe,
    Drivers,
    Expr,
    InQuery,
    Missing,
    NamedQuery,
    Order,
    Output,
    Part,
    Period,
    Plan,
    Predicate,
    Query,
    ScalarQuery,
    SetOperation,
    Statistic,
    TextMatch,
    Window,
)
from apps.analyst.telling import formats
from apps.analyst.telling.labelling import once
from tests.analyst.sentences.tables import Trade

Named = Iterator[tuple[str, Plan]]
YEAR, QUARTER, BEFORE = ("2024-01-01", "2025-01-01"), ("2025-01-01", "2025-04-01"), ("2024-10-01", "2025-01-01")
TINY = 5e-9


def shapes(trade: Trade, table: Any) -> Named:
    """The plans over a table, each with what it is."""
    over = _Over(trade, table)
    yield from over.figures()
    yield from over.rankings()
    yield from over.times()
    yield from over.compared()
    yield from over.listings()
    yield from over.others()


@dataclass(frozen=True, slots=True)
class _Over:
    trade: Trade
    table: Any

    # ---------------------------------------------------------------- parts of plans
    def col(self, name: str) -> ColumnRef:
        return ColumnRef(table=self.table.name, column=self._stored(name))

    def _stored(self, name: str) -> str:
        names = [column.name for column in self.table.columns]
        return name if name in names else next(n for n in names if n.startswith(name.split(" (")[0]))

    def query(self, **changes: Any) -> Query:
        return Query(**{"source": self.table.name, **changes})

    def figure(self, name: str = "", fn: str = "") -> Output:
        """A measure as the readers label it: "Total amount"."""
        ref = self.col(name or self.trade.figure)
        kind = fn or ("avg" if self.trade.averaged and not name else "sum")
        start = {"sum": "Total", "avg": "Average", "min": "Lowest", "max": "Highest", "median": "Median"}[kind]
        unit = self.table.column(ref.column).unit
        label = once(f"{start} {formats.spoken(ref.column)}")
        return Output(label=label, expr=Aggregate(fn=kind, of=ref), unit=unit)

    def rows(self) -> Output:
        return Output(label=f"Number of {formats.rows_noun(self.table.name)}", expr=Aggregate(fn="count"))

    def group(self, name: str) -> Output:
        return Output(label=self._stored(name), expr=self.col(name))

    @property
    def by(self) -> Output:
        return self.group(self.trade.by)

    @property
    def month(self) -> Output:
        return self.period("month")

    def period(self, grain: Any) -> Output:
        return Output(label=grain.capitalize(), expr=Period(grain=grain, of=self.col(self.trade.when)))

    def value(self, name: str, place: int = 0) -> Constant:
        return Constant(value=self.table.column(self._stored(name)).values[place].value)

    def is_(self, name: str, place: int = 0) -> Compare:
        return Compare(op="=", left=self.col(name), right=self.value(name, place))

    def within(self, span: tuple[str, str]) -> Between:
        low, high = (Constant(value=day, type="date") for day in span)
        return Between(of=self.col(self.trade.when), low=low, high=high, half_open=True)

    def ranked(self, limit: int | None = None, *, down: bool = True, **changes: Any) -> Query:
        measure = changes.pop("measure", self.figure())
        order = (Order(by=measure.label, descending=down),)
        return self.query(groups=(self.by,), measures=(measure,), order=order, limit=limit, **changes)

    def over_time(self, grain: str = "month", *more: Output, **changes: Any) -> Query:
        return self.query(groups=(self.period(grain),), measures=(self.figure(), *more), **changes)

    def window(self, fn: Any, label: str, unit: str | None = None, **options: Any) -> Output:
        inner = self.figure()
        return Output(label=label, expr=Window(fn=fn, of=inner.expr, **options), unit=unit)

    # ---------------------------------------------------------------- one figure
    def figures(self) -> Named:
        by, other = self.trade.by, self.trade.other
        yield "how many", self.query(measures=(self.rows(),))
        yield "how many of a kind", self.query(measures=(self.rows(),), where=self.is_(by))
        yield "one figure", self.query(measures=(self.figure(),))
        yield (
            "one figure of a kind in a year",
            self.query(measures=(self.figure(),), where=AllOf(of=(self.is_(by), self.within(YEAR)))),
        )
        yield "an average", self.query(measures=(self.figure(self.trade.second, "avg"),))
        yield "a highest", self.query(measures=(self.figure("", "max"),))
        things = formats.plural(formats.spoken(self._stored(by)))
        yield (
            "how many different",
            self.query(
                measures=(
                    Output(label=f"Number of {things}", expr=Aggregate(fn="count", of=self.col(by), distinct=True)),
                )
            ),
        )
        yield (
            "the latest date",
            self.query(measures=(Output(label="Latest date", expr=Aggregate(fn="max", of=self.col(self.trade.when))),)),
        )
        nobody = Compare(op="=", left=self.col(by), right=Constant(value="Nowhere"))
        yield "a figure of nothing", self.query(measures=(self.figure(),), where=nobody)
        yield "no rows of a kind", self.query(measures=(self.rows(),), where=nobody)
        yield "two figures", self.query(measures=(self.figure(), self.rows()))
        yield (
            "two figures of a kind",
            self.query(measures=(self.figure(), self.figure(self.trade.second, "avg")), where=self.is_(other)),
        )
        yield (
            "rows with a condition on a figure",
            self.query(
                measures=(self.rows(),),
                where=Compare(op=">", left=self.col(self.trade.second), right=Constant(value=3, type="number")),
            ),
        )
        yield (
            "rows with a text",
            self.query(
                measures=(self.rows(),), where=TextMatch(op="contains", of=self.col(self.trade.name), value="a")
            ),
        )

    # ---------------------------------------------------------------- groups
    def rankings(self) -> Named:
        ordered = (Order(by=self.by.label),)
        yield "ranking", self.ranked()
        yield "ranking, two shown", self.ranked(2, where=self.within(YEAR))
        yield "the highest", self.ranked(1)
        yield "the lowest", self.ranked(1, down=False)
        yield "the lowest two", self.ranked(2, down=False)
        yield (
            "by group, in the order of names",
            self.query(groups=(self.by,), measures=(self.figure(self.trade.second, "avg"),), order=ordered),
        )
        yield "counts by group", self.ranked(measure=self.rows())
        yield "the most frequent", self.ranked(1, measure=self.rows())
        yield (
            "shares",
            self.query(groups=(self.by,), measures=(self.figure(), self.window("share", "Share of the total", "%"))),
        )
        yield "two groups", self.query(groups=(self.by, self.group(self.trade.other)), measures=(self.figure(),))
        yield (
            "groups with enough rows",
            self.ranked(having=Compare(op=">", left=Aggregate(fn="count"), right=Constant(value=5, type="number"))),
        )
        step = Output(label="Range", expr=Bin(of=self.col(self.trade.second), width=10))
        yield "counts by range", self.query(groups=(step,), measures=(self.rows(),))
        first = self.query(
            columns=(self.by, self.group(self.trade.name), self.group(self.trade.second)),
            order=(Order(by=self._stored(self.trade.second), descending=True),),
            limit=1,
            limit_per=(self.by.label,),
        )
        yield "the first of each", first

    # ---------------------------------------------------------------- time
    def times(self) -> Named:
        yield "by month", self.over_time()
        yield "by quarter of a year", self.over_time("quarter", where=self.within(YEAR))
        yield "by year", self.over_time("year")
        yield "counts by month", self.query(groups=(self.month,), measures=(self.rows(),))
        yield "by month and group", self.query(groups=(self.month, self.by), measures=(self.figure(),))
        yield "running total", self.over_time("quarter", self.window("running_total", "Running total", order="Quarter"))
        yield (
            "moving average",
            self.over_time("month", self.window("moving_average", "Moving average", order="Month", span=3)),
        )
        yield (
            "change from month to month",
            self.over_time("month", self.window("change_pct", "Change (%)", "%", order="Month")),
        )
        weekday = Output(label="Weekday", expr=Part(part="weekday", of=self.col(self.trade.when)))
        yield "by weekday", self.query(groups=(weekday,), measures=(self.rows(),))

    # ---------------------------------------------------------------- changes
    def _sides(self, **changes: Any) -> Comparison:
        claim = changes.pop("claim", "")
        return Comparison(
            query=self.query(**changes),
            current=self.within(QUARTER),
            baseline=self.within(BEFORE),
            current_label="Q1 2025",
            baseline_label="Q4 2024",
            claim=claim,
        )

    def compared(self) -> Named:
        yield "two quarters", self._sides(measures=(self.figure(),))
        yield "is it up", self._sides(measures=(self.figure(),), claim="up")
        yield "two quarters by group", self._sides(groups=(self.by,), measures=(self.figure(),))
        yield "counts of two quarters", self._sides(measures=(self.rows(),))
        cuts = tuple(Cut(by=self.group(name)) for name in (self.trade.by, self.trade.other))
        yield "why it changed", Drivers(comparison=self._sides(measures=(self.figure(),)), cuts=cuts)
        yield (
            "why the number changed",
            Drivers(comparison=self._sides(measures=(self.rows(),)), cuts=cuts, expected="up"),
        )

    # ---------------------------------------------------------------- rows
    def listings(self) -> Named:
        second = self._stored(self.trade.second)
        name, figure = self.group(self.trade.name), self.group(self.trade.second)
        first = (Order(by=second, descending=True),)
        yield "the first rows", self.query(columns=(name, figure), order=first, limit=5)
        yield "the first row", self.query(columns=(name, self.by, figure), order=first, limit=1)
        yield "different values", self.query(columns=(self.by,), distinct=True)
        yield "rows of a kind", self.query(columns=(name, self.by), where=self.is_(self.trade.other))
        yield "rows without a value", self.query(columns=(name,), where=Missing(of=self.col(self.trade.figure)))
        yield (
            "one of several values",
            self.query(
                columns=(name,),
                where=Among(of=self.col(self.trade.by), values=tuple(self.value(self.trade.by, n) for n in (0, 1))),
            ),
        )
        inner = self.query(
            groups=(self.by,),
            having=Compare(op=">", left=Aggregate(fn="count"), right=Constant(value=19, type="number")),
        )
        yield (
            "rows of frequent groups",
            self.query(measures=(self.rows(),), where=InQuery(of=self.col(self.trade.by), query=inner)),
        )
        sides = [
            self.query(columns=(self.by,), distinct=True, where=self.is_(self.trade.other, place)) for place in (0, 1)
        ]
        yield "in both", SetOperation(op="intersect", left=sides[0], right=sides[1])

    # ---------------------------------------------------------------- the rest
    def others(self) -> Named:
        inner = self.query(groups=(self.by,), measures=(self.rows(),))
        label = f"Average of {self.rows().label.lower()} per {formats.spoken(self.by.label)}"
        counted = ColumnRef(table="", column=self.rows().label)
        yield (
            "average of groups",
            Query(source=inner, measures=(Output(label=label, expr=Aggregate(fn="avg", of=counted)),)),
        )
        yield "as a share of all", self.query(measures=(self._part_of_all(self.is_(self.trade.by)),))
        yield "a ratio of two", self._ratio()
        yield "yes or no", self._verdict()
        yield "summary", Statistic(name="summary", query=self._columns(self.trade.figure))
        yield "a correlation", Statistic(name="correlation", query=self._columns(self.trade.figure, self.trade.second))
        yield "a quantile", Statistic(name="quantile", query=self._columns(self.trade.figure), options={"q": 0.9})
        yield "a frequency", Statistic(name="frequency", query=self._columns(self.trade.by))
        yield "outliers", Statistic(name="outliers", query=self._columns(self.trade.figure))
        yield "a trend", Statistic(name="trend", query=self._columns(self.trade.when, self.trade.figure))
        yield "a table", Describe(table=self.table.name)
        yield "a column", Describe(table=self.table.name, column=self._stored(self.trade.by))
        yield "a column of figures", Describe(table=self.table.name, column=self._stored(self.trade.figure))
        yield from self._groups_counted()
        yield from self._held_against()

    def _groups_counted(self) -> Named:
        enough = Compare(op=">=", left=Aggregate(fn="count"), right=Constant(value=12, type="number"))
        number = Output(label="Number", expr=Aggregate(fn="count"))
        yield (
            "how many groups have enough rows",
            Query(source=self.query(groups=(self.by,), having=enough, where=self.within(YEAR)), measures=(number,)),
        )
        total = self.figure("", "sum").expr
        mean = ScalarQuery(query=self._mean_of_groups())
        more = Compare(op=">", left=total, right=self._times(1.2, mean))
        yield (
            "how many groups have more than the average one",
            Query(source=self.query(groups=(self.by,), having=more), measures=(number,)),
        )
        first = Output(label=f"First {self._stored(self.trade.when)}", expr=self._end("min"))
        inner = self.query(groups=(self.by,), measures=(first,))
        began = self.within(YEAR).model_copy(update={"of": ColumnRef(table="", column=first.label)})
        yield "how many began in a year", Query(source=inner, measures=(number,), where=began)

    def _held_against(self) -> Named:
        ref = self.col(self.trade.second)
        mean = ScalarQuery(query=self.query(measures=(Output(label="Mean", expr=Aggregate(fn="avg", of=ref)),)))
        above = Compare(op=">", left=ref, right=self._times(1.5, mean))
        yield "rows of so many times the average", self.query(measures=(self.rows(),), where=above)
        either = AnyOf(of=(self.within(QUARTER), self.within(BEFORE)))
        yield "rows of either quarter", self.query(measures=(self.rows(),), where=either)
        one = self.is_(self.trade.by)
        value = one.right.value if isinstance(one.right, Constant) else ""
        named = self._stored(self.trade.by)
        sides = {f"{named}: {value}": one, f"{named} not {value}": one.model_copy(update={"op": "!="})}
        yield (
            "both sides of a condition",
            self.query(
                measures=tuple(
                    Output(label=f"{self.rows().label} ({name})", expr=Aggregate(fn="count", where=side))
                    for name, side in sides.items()
                )
            ),
        )
        per = Arithmetic(op="/", left=self.figure("", "sum").expr, right=self.figure(self.trade.second, "sum").expr)
        thousand = Arithmetic(op="*", left=per, right=Constant(value=1_000, type="number"))
        words = f"{formats.spoken(self._stored(self.trade.figure))} per 1,000"
        label = once(f"Total {words} {formats.spoken(self._stored(self.trade.second))}")
        yield "for each thousand", self.query(groups=(self.by,), measures=(Output(label=label, expr=thousand),))

    def _mean_of_groups(self) -> Query:
        total = Output(label="Total", expr=self.figure("", "sum").expr)
        mean = Aggregate(fn="avg", of=ColumnRef(table="", column=total.label))
        inner = self.query(groups=(self.by,), measures=(total,))
        return Query(source=inner, measures=(Output(label="Mean", expr=mean),))

    def _times(self, value: float, of: ScalarQuery) -> Arithmetic:
        return Arithmetic(op="*", left=of, right=Constant(value=value, type="number"))

    def _end(self, fn: Any) -> Aggregate:
        return Aggregate(fn=fn, of=self.col(self.trade.when))

    def _columns(self, *names: str) -> Query:
        return self.query(columns=tuple(self.group(name) for name in names))

    def _part_of_all(self, where: Predicate) -> Output:
        part, every = Aggregate(fn="count", where=where), Aggregate(fn="count")
        hundred: Expr = Constant(value=100, type="number")
        expr = Arithmetic(op="/", left=Arithmetic(op="*", left=hundred, right=part), right=every)
        value = self.value(self.trade.by).value
        label = f"Share of {formats.rows_noun(self.table.name)} ({formats.spoken(self.by.label)}: {value})"
        return Output(label=label, expr=expr, unit="%")

    def _two(self) -> tuple[NamedQuery, NamedQuery]:
        made = [
            NamedQuery(
                label=str(self.value(self.trade.by, place).value),
                query=self.query(measures=(self.figure(),), where=self.is_(self.trade.by, place)),
            )
            for place in (0, 1)
        ]
        return made[0], made[1]

    def _ratio(self) -> Combine:
        parts = self._two()
        one, other = (ColumnRef(table="", column=part.label) for part in parts)
        return Combine(
            parts=parts,
            outputs=(
                Output(label=f"{parts[0].label} per {parts[1].label}", expr=Arithmetic(op="/", left=one, right=other)),
            ),
        )

    def _verdict(self) -> Combine:
        parts = self._two()
        one, other = (ColumnRef(table="", column=part.label) for part in parts)
        yes = Conditional(
            when=Compare(op=">", left=one, right=other), then=Constant(value="Yes"), otherwise=Constant(value="No")
        )
        unit = self.figure().unit
        outputs = (
            Output(label="Answer", expr=yes),
            Output(label=parts[0].label, expr=one, unit=unit),
            Output(label=parts[1].label, expr=other, unit=unit),
        )
        return Combine(parts=parts, outputs=outputs)
