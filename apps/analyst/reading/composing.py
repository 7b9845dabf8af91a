"""From a sketch to a plan: which tables are joined and how, what the plan's nodes are, what the columns are called.

A sketch (see `sketch`) names columns, values, numbers and dates; this adds what follows from the catalog alone. Nothing
here looks at the question's words. Raises Unfit where the sketch has no sound plan (tables that do not meet, rows that
a join would multiply).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, get_args

from apps.analyst.knowledge.english import english
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    Grain,
    InQuery,
    Join,
    JoinKey,
    Missing,
    Order,
    Output,
    Part,
    Period,
    Plan,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
    Window,
)
from apps.analyst.reading.labels import Namer
from apps.analyst.reading.sketch import NOTHING, Sketch, walk
from apps.analyst.types import Column, JoinPath, Table

_GRAINS = frozenset(get_args(Grain))
_PARTS: Mapping[str, Any] = {
    "monthof": "month", "quarterof": "quarter", "weekday": "weekday_name", "hourof": "hour",
}  # fmt: skip
_OPS: Mapping[str, Any] = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "=", "ne": "!="}
_SPANS: Mapping[str, Any] = {
    "days": "days_between",
    "months": "months_between",
    "years": "years_between",
    "hours": "hours_between",
    "minutes": "minutes_between",
}
_HUNDRED = Constant(value=100, type="number")
_DATED = ("date", "datetime")
_WEEKEND = (Constant(value=6, type="number"), Constant(value=7, type="number"))


class Unfit(Exception):
    """The sketch has no sound plan over this catalog."""


@dataclass
class Schema:
    """A catalog as the composer needs it: tables by name and the joins from each table."""

    tables: Mapping[str, Table]
    joins: Mapping[str, list[JoinPath]]
    names: Namer
    today: date

    def column(self, node: Sketch) -> Column:
        """The column that a ("C", table, column) node names."""
        table = self.tables.get(node[1])
        found = table.column(node[2]) if table is not None else None
        if found is None:
            raise Unfit(f"no column {node[1:]}")
        return found


def schema_of(tables: Mapping[str, Table], joins: list[JoinPath], names: Namer, today: date) -> Schema:
    """The schema of some tables; of several joins between two tables the first, which is the best, is taken."""
    by_left: dict[str, list[JoinPath]] = {}
    seen: set[tuple[str, str]] = set()
    for join in joins:
        pair = (join.left_table, join.right_table)
        if pair in seen or join.left_table not in tables or join.right_table not in tables:
            continue
        seen.add(pair)
        by_left.setdefault(join.left_table, []).append(join)
    return Schema(tables, by_left, names, today)


def compose(sketch: Sketch, schema: Schema) -> Plan:
    """The plan that a sketch means. Raises Unfit."""
    return _Composer(schema).root(sketch)


def _tables_in(node: Sketch) -> Iterator[str]:
    """Tables of the scan itself: what stands in a query of its own is left out."""
    if node[0] in ("C", "W", "T"):
        yield node[1]
        return
    if node[0] in ("member", "nonmember"):
        yield from _tables_in(node[1])
        return
    if node[0] == "whole":
        return
    for child in node[1:]:
        if isinstance(child, tuple):
            yield from _tables_in(child)


def _counted(node: Sketch) -> Iterator[str]:
    """Tables whose rows are counted."""
    for part in walk(node, ("member", "nonmember", "whole")):
        if part[0] in ("count", "rate"):
            yield part[1][1]


def _measured(node: Sketch) -> Iterator[str]:
    """Tables whose figures are added up or averaged."""
    for part in walk(node, ("member", "nonmember", "whole")):
        if part[0] in ("sum", "avg", "median"):
            yield from _tables_in(part)


@dataclass
class _Composer:
    schema: Schema
    used: set[str] = field(default_factory=set)

    # ------------------------------------------------------------ joins
    def scan(self, *nodes: Sketch) -> tuple[str, tuple[Join, ...]]:
        """The table that is read and the joins to all others that the nodes name.

        The table at the many side is read, so that its rows are counted once each.
        """
        wanted = list(dict.fromkeys(name for node in nodes for name in _tables_in(node)))
        if not wanted:
            raise Unfit("no table")
        counted = list(dict.fromkeys(name for node in nodes for name in _counted(node)))
        measured = list(dict.fromkeys(name for node in nodes for name in _measured(node)))
        first = [*counted, *[n for n in measured if n not in counted], *wanted, *self.schema.tables]
        for base in dict.fromkeys(first):
            edges = self._reach(base, set(wanted), unique=True)
            if edges is not None:
                return base, edges
        for base in dict.fromkeys([*counted, *measured, *wanted]):
            edges = self._reach(base, set(wanted), unique=False)
            if edges is not None:
                return base, edges
        raise Unfit("tables that do not meet")

    def _reach(self, base: str, wanted: set[str], *, unique: bool) -> tuple[Join, ...] | None:
        """Joins from `base` to all of `wanted` by the shortest ways; only to sides of one row where `unique`."""
        came: dict[str, tuple[str, JoinPath, bool]] = {}
        queue, seen = deque([base]), {base}
        while queue:
            here = queue.popleft()
            for path, forward in self._ways(here):
                there = path.right_table if forward else path.left_table
                if there in seen or (unique and not (forward and path.right_unique)):
                    continue
                seen.add(there)
                came[there] = (here, path, forward)
                queue.append(there)
        if not wanted <= seen:
            return None
        needed: list[str] = []
        for name in wanted - {base}:
            chain = []
            while name != base and name not in needed:
                chain.append(name)
                name = came[name][0]
            needed += reversed(chain)
        return tuple(_join(came[name][1], came[name][2]) for name in needed)

    def _ways(self, table: str) -> Iterator[tuple[JoinPath, bool]]:
        for path in self.schema.joins.get(table, ()):
            yield path, True
        for paths in self.schema.joins.values():
            for path in paths:
                if path.right_table == table:
                    yield path, False

    # ------------------------------------------------------------ queries
    def root(self, s: Sketch) -> Query:
        self.used = set()
        match s[0]:
            case "rows" | "things":
                return self.listing(s)
            case "agg":
                source, joins = self.scan(s[1], s[2])
                return Query(source=source, joins=joins, where=self.where(s[2]), measures=self.measures(s[1]))
            case "group":
                return self.grouped(s)
            case "over_count":
                inner = self.groups_of(s[1], None, s[2], s[3])
                count = Output(
                    label=self.label(f"Number of {self.schema.names.key(s[1][1], plural=True)}"),
                    expr=Aggregate(fn="count"),
                )
                return Query(source=inner, measures=(count,))
            case "over":
                inner = self.groups_of(s[2], s[3], s[4], s[5])
                ref = ColumnRef(table="", column=inner.measures[0].label)
                told = self.schema.names.over(s[1][0], s[3], s[2])
                self.used = set()
                return Query(
                    source=inner, measures=(Output(label=self.label(told), expr=Aggregate(fn=s[1][0], of=ref)),)
                )
        raise Unfit(s[0])

    def listing(self, s: Sketch) -> Query:
        _, values, pred, last = s
        source, joins = self.scan(values, pred, last)
        columns = tuple(
            Output(label=self.label(self.schema.names.key(v)), expr=self.key(v), unit=self.unit(v)) for v in values[1:]
        )
        order: tuple[Order, ...] = ()
        limit = None
        where = pred
        if last != ("all",):
            kind, way, by, count = last
            if kind == "per" or by[0] != "byv":
                raise Unfit("rows are sorted by their own values")
            expr = self.key(by[1])
            shown = next((c.label for c in columns if c.expr == expr), None)
            order = (Order(by=shown if shown is not None else expr, descending=way == ("desc",)),)
            limit = self.limit(count)
            where = _also(pred, [("filled", c) for c in _columns(by[1]) if self.schema.column(c).missing])
        distinct = s[0] == "things" or (joins != () and last == ("all",))
        return Query(
            source=source,
            joins=joins,
            where=self.where(where),
            columns=columns,
            distinct=distinct and not order,
            order=order,
            limit=limit,
        )

    def groups_of(self, keys: Sketch, figure: Sketch | None, pred: Sketch, having: Sketch) -> Query:
        extra = (figure,) if figure is not None else ()
        source, joins = self.scan(keys, pred, having, *extra)
        groups = self.keys(keys)
        where = self.where(_also(pred, self.gaps(keys)))
        measures = (
            (Output(label=self.label(self.schema.names.figure(figure)), expr=self.figure(figure, groups)),)
            if figure is not None
            else ()
        )
        made = Query(source=source, joins=joins, where=where, groups=groups, measures=measures)
        return made.model_copy(update={"having": self.having(having, made)}) if having != ("nohaving",) else made

    def grouped(self, s: Sketch) -> Query:
        _, keys, figures, pred, having, last = s
        source, joins = self.scan(keys, figures, pred, having, last)
        groups = self.keys(keys)
        measures = self.measures(figures, groups)
        where = self.where(_also(pred, self.gaps(keys)))
        made = Query(source=source, joins=joins, where=where, groups=groups, measures=measures)
        if having != ("nohaving",):
            made = made.model_copy(update={"having": self.having(having, made)})
        if last == ("all",):
            times = tuple(Order(by=g.label) for g, k in zip(groups, keys[1:], strict=True) if k[0] in _GRAINS)
            return made.model_copy(update={"order": times}) if times else made
        kind, way, by, count = last
        if by == ("by1",):
            if not measures:
                raise Unfit("order by a figure that is not there")
            target: str | Expr = measures[0].label
        elif by[0] == "bym":
            expr = self.figure(by[1], groups)
            target = next((m.label for m in measures if m.expr == expr), expr)
        else:
            expr = self.key(by[1])
            target = next((g.label for g in groups if g.expr == expr), expr)
        if not measures and by[0] == "bym":
            # The names are the answer; the figure that ranks them stands beside them as its proof.
            measures = (
                Output(label=self.label(self.schema.names.figure(by[1])), expr=expr, unit=self.figure_unit(by[1])),
            )
            made, target = made.model_copy(update={"measures": measures}), measures[0].label
        order = (Order(by=target, descending=way == ("desc",)),)
        per = (groups[0].label,) if kind == "per" else ()
        if kind == "per" and len(groups) < 2:
            raise Unfit("first of each without groups")
        return made.model_copy(update={"order": order, "limit": self.limit(count), "limit_per": per})

    def limit(self, node: Sketch) -> int:
        if node == ("one",):
            return 1
        count = int(node[1][1])
        if not 1 <= count <= 1000 or count != node[1][1]:
            raise Unfit("limit")
        return count

    def gaps(self, keys: Sketch) -> list[Sketch]:
        """Blank names make no group: they are left out, which the answer's notes say."""
        columns = [c for k in keys[1:] for c in _columns(k)]
        return [("filled", c) for c in columns if self.schema.column(c).missing]

    # ------------------------------------------------------------ outputs
    def label(self, text: str) -> str:
        made, number = text, 2
        while made.casefold() in self.used:
            made, number = f"{text} ({number})", number + 1
        self.used.add(made.casefold())
        return made

    def keys(self, node: Sketch) -> tuple[Output, ...]:
        return tuple(Output(label=self.label(self.schema.names.key(k)), expr=self.key(k)) for k in node[1:])

    def measures(self, node: Sketch, groups: tuple[Output, ...] = ()) -> tuple[Output, ...]:
        return tuple(
            Output(label=self.label(self.schema.names.figure(m)), expr=self.figure(m, groups), unit=self.figure_unit(m))
            for m in node[1:]
        )

    def unit(self, node: Sketch) -> str | None:
        return "%" if node[0] == "vpct" else None

    def figure_unit(self, node: Sketch) -> str | None:
        if node[0] in ("rate", "pct", "growth", "share") or (
            node[0] in ("avg", "median", "max", "min") and node[1][0] == "vpct"
        ):
            return "%"
        return self.figure_unit(node[1]) if node[0] in ("given", "running", "minus") else None

    def key(self, node: Sketch) -> Expr:
        if node[0] in _GRAINS:
            return Period(grain=node[0], of=self.dated(node[1]))
        if node[0] in _PARTS:
            return Part(part=_PARTS[node[0]], of=self.dated(node[1]))
        return self.value(node)

    # ------------------------------------------------------------ figures
    def figure(self, m: Sketch, groups: tuple[Output, ...] = ()) -> Expr:
        match m[0]:
            case "count":
                return Aggregate(fn="count")
            case "countd":
                return Aggregate(fn="count", of=self.key(m[1]), distinct=True)
            case "sum" | "avg" | "min" | "max" | "median":
                return Aggregate(
                    fn=m[0], of=self.numeric(m[1]) if m[0] in ("sum", "avg", "median") else self.value(m[1])
                )
            case "given":
                return self.only(self.figure(m[1], groups), self.pred(m[2]))
            case "rate":
                part = Aggregate(fn="count", where=self.pred(m[2]))
                return _percent(part, Aggregate(fn="count"))
            case "share":
                return Window(fn="share", of=self.figure(m[1], groups))
            case "running":
                return Window(fn="running_total", of=self.figure(m[1], groups), order=self.along(groups))
            case "previous":
                return Window(fn="previous", of=self.figure(m[1], groups), order=self.along(groups))
            case "pct":
                return _percent(self.figure(m[1], groups), self.figure(m[2], groups))
            case "growth":
                if m[2] == ("previous", m[1]):
                    return Window(fn="change_pct", of=self.figure(m[1], groups), order=self.along(groups))
                new, old = self.figure(m[1], groups), self.figure(m[2], groups)
                return _percent(Arithmetic(op="-", left=new, right=old), old)
            case "minus" if m[2] == ("previous", m[1]):
                return Window(fn="change", of=self.figure(m[1], groups), order=self.along(groups))
            case "ratio" | "minus" | "plus" | "times":
                op: Any = {"ratio": "/", "minus": "-", "plus": "+", "times": "*"}[m[0]]
                return Arithmetic(op=op, left=self.figure(m[1], groups), right=self.figure(m[2], groups))
            case "scaled":
                return Arithmetic(op="/", left=self.figure(m[1], groups), right=_number(m[2]))
            case "one":
                return Constant(value=1, type="number")
            case "whole":
                return ScalarQuery(query=_Composer(self.schema).root(("agg", ("m1", m[1]), m[2])))
        raise Unfit(m[0])

    def along(self, groups: tuple[Output, ...]) -> str:
        if not groups:
            raise Unfit("a figure along time without periods")
        return groups[0].label

    def only(self, figure: Expr, pred: Predicate) -> Expr:
        """The figure over the rows that fulfil a condition, as far down as its aggregates."""
        if isinstance(figure, Aggregate):
            return figure.model_copy(update={"where": pred if figure.where is None else AllOf(of=(figure.where, pred))})
        if isinstance(figure, Arithmetic):
            return figure.model_copy(
                update={"left": self.only(figure.left, pred), "right": self.only(figure.right, pred)}
            )
        if isinstance(figure, Constant):
            return figure
        raise Unfit("a condition on a figure across rows")

    # ------------------------------------------------------------ values of a row
    def value(self, v: Sketch) -> Expr:
        match v[0]:
            case "C":
                self.schema.column(v)
                return ColumnRef(table=v[1], column=v[2])
            case "span":
                return Call(name=self.span(v[1][0]), args=(self.dated(v[2]), self.dated(v[3])))
            case "age":
                return Call(name=self.span(v[1][0]), args=(self.dated(v[2]), self.now()))
            case "ahead":
                return Call(name="days_between", args=(self.now(), self.dated(v[1])))
            case "vadd" | "vsub" | "vmul" | "vdiv":
                op: Any = {"vadd": "+", "vsub": "-", "vmul": "*", "vdiv": "/"}[v[0]]
                return Arithmetic(op=op, left=self.numeric(v[1]), right=self.numeric(v[2]))
            case "vpct":
                return _percent(self.numeric(v[1]), self.numeric(v[2]))
        raise Unfit(v[0])

    def span(self, unit: str) -> Any:
        if unit not in _SPANS:
            raise Unfit(f"time in {unit}")
        return _SPANS[unit]

    def now(self) -> Constant:
        return Constant(value=self.schema.today.isoformat(), type="date")

    def numeric(self, v: Sketch) -> Expr:
        if v[0] == "C" and self.schema.column(v).type not in ("integer", "decimal", "float"):
            raise Unfit("no number")
        return self.value(v)

    def dated(self, v: Sketch) -> Expr:
        if v[0] != "C" or self.schema.column(v).type not in _DATED:
            raise Unfit("no date")
        return self.value(v)

    # ------------------------------------------------------------ conditions
    def where(self, pred: Sketch) -> Predicate | None:
        return None if pred == NOTHING else self.pred(pred)

    def constant(self, w: Sketch) -> Constant:
        column = self.schema.column(("C", w[1], w[2]))
        if column.type == "boolean":
            return Constant(value=str(w[3]).casefold() in english().affirmed, type="boolean")
        if column.type in ("integer", "decimal", "float"):
            try:
                number = float(w[3])
            except ValueError:
                raise Unfit("no number") from None
            return Constant(value=int(number) if number.is_integer() else number, type="number")
        return Constant(value=str(w[3]), type="text")

    def pred(self, p: Sketch) -> Predicate:
        kind = p[0]
        match kind:
            case "and":
                return AllOf(of=(self.pred(p[1]), self.pred(p[2])))
            case "or":
                return AnyOf(of=(self.pred(p[1]), self.pred(p[2])))
            case "is" | "isnt":
                ref = self.value(("C", p[1][1], p[1][2]))
                return Compare(op="=" if kind == "is" else "!=", left=ref, right=self.constant(p[1]))
            case "in" | "notin":
                if len({w[1:3] for w in p[1:]}) != 1:
                    raise Unfit("values of several columns")
                ref = self.value(("C", p[1][1], p[1][2]))
                return Among(of=ref, values=tuple(self.constant(w) for w in p[1:]), negated=kind == "notin")
            case "has" | "hasnt":
                ref = self.value(("C", p[1][1], p[1][2]))
                return TextMatch(op="contains", of=ref, value=str(p[1][3]), negated=kind == "hasnt")
            case "missing" | "filled":
                return Missing(of=self.value(p[1]), negated=kind == "filled")
            case "dates":
                return self.between_days(p)
            case "years":
                parts = tuple(self.between_days(("dates", p[1], d[1], d[2])) for d in p[2:])
                return AnyOf(of=parts) if len(parts) > 1 else parts[0]
            case "between":
                of = self.numeric(p[1])
                return AllOf(
                    of=(Compare(op=">=", left=of, right=_number(p[2])), Compare(op="<=", left=of, right=_number(p[3])))
                )
            case "weekend":
                return Among(of=Part(part="weekday", of=self.dated(p[1])), values=_WEEKEND)
            case "partis":
                return self.part_is(p)
            case "member" | "nonmember":
                return InQuery(
                    of=self.value(p[1]), query=_Composer(self.schema).members(p[2]), negated=kind == "nonmember"
                )
            case "extreme":
                whole = _Composer(self.schema).root(("agg", ("m1", (p[1][0], p[2])), p[3]))
                return Compare(op="=", left=self.value(p[2]), right=ScalarQuery(query=whole))
        return self.comparison(p)

    def comparison(self, p: Sketch) -> Predicate:
        kind = p[0]
        if kind in _OPS:
            return Compare(op=_OPS[kind], left=self.numeric(p[1]), right=_number(p[2]))
        if kind.startswith("hour") and kind[4:] in _OPS:
            return Compare(op=_OPS[kind[4:]], left=Part(part="hour", of=self.dated(p[1])), right=_number(p[2]))
        if kind[:1] == "v" and kind[1:] in _OPS:
            return Compare(op=_OPS[kind[1:]], left=self.value(p[1]), right=self.value(p[2]))
        if kind[:3] == "avg" and kind[3:] in _OPS:
            mean = _Composer(self.schema).root(("agg", ("m1", ("avg", p[1])), p[2]))
            return Compare(op=_OPS[kind[3:]], left=self.numeric(p[1]), right=ScalarQuery(query=mean))
        raise Unfit(kind)

    def between_days(self, p: Sketch) -> Predicate:
        of = self.dated(p[1])
        parts: list[Predicate] = []
        if p[2] is not None:
            parts.append(Compare(op=">=", left=of, right=Constant(value=p[2].isoformat(), type="date")))
        if p[3] is not None:
            parts.append(Compare(op="<", left=of, right=Constant(value=p[3].isoformat(), type="date")))
        return parts[0] if len(parts) == 1 else AllOf(of=tuple(parts))

    def part_is(self, p: Sketch) -> Predicate:
        part = {"monthof": "month", "quarterof": "quarter", "weekday": "weekday", "hourof": "hour"}[p[1][0]]
        name = "weekday_name" if part == "weekday" and not str(p[3][1]).isdecimal() else part
        if part == "month" and not str(p[3][1]).isdecimal():
            name = "month_name"
        said = str(p[3][1])
        right = (
            Constant(value=int(said), type="number")
            if said.isdecimal()
            else Constant(value=said.capitalize(), type="text")
        )
        return Compare(op="=", left=Part(part=name, of=self.dated(p[2])), right=right)

    def members(self, s: Sketch) -> Query:
        _, column, pred, having = s
        if having == ("nohaving",):
            source, joins = self.scan(column, pred)
            return Query(
                source=source,
                joins=joins,
                where=self.where(pred),
                columns=(Output(label="Members", expr=self.value(column)),),
                distinct=True,
            )
        return self.groups_of(("k1", column), None, pred, having)

    # ------------------------------------------------------------ conditions on groups
    def having(self, h: Sketch, query: Query) -> Predicate:
        kind = h[0]
        if kind == "hand":
            return AllOf(of=(self.having(h[1], query), self.having(h[2], query)))
        if kind == "nohaving":
            raise Unfit("a condition on groups that says none")
        figure = self.figure(h[1], query.groups)
        if kind[:1] == "h" and kind[1:] in _OPS:
            return Compare(op=_OPS[kind[1:]], left=figure, right=_number(h[2]))
        if kind[:2] == "hm" and kind[2:] in _OPS:
            return Compare(op=_OPS[kind[2:]], left=figure, right=self.figure(h[2], query.groups))
        if kind[:4] == "havg" and kind[4:] in _OPS:
            each = query.model_copy(update={"measures": (Output(label="Figure", expr=figure),), "having": None})
            mean = Query(
                source=each,
                measures=(Output(label="Average", expr=Aggregate(fn="avg", of=ColumnRef(table="", column="Figure"))),),
            )
            return Compare(op=_OPS[kind[4:]], left=figure, right=ScalarQuery(query=mean))
        if kind[:4] == "hall" and kind[4:] in _OPS:
            whole = query.model_copy(
                update={"groups": (), "measures": (Output(label="Figure", expr=figure),), "having": None}
            )
            return Compare(op=_OPS[kind[4:]], left=figure, right=ScalarQuery(query=whole))
        raise Unfit(kind)


def _percent(part: Expr, whole: Expr) -> Expr:
    return Arithmetic(op="/", left=Arithmetic(op="*", left=_HUNDRED, right=part), right=whole)


def _number(n: Sketch) -> Constant:
    value = float(n[1])
    return Constant(value=int(value) if value.is_integer() else value, type="number")


def _also(pred: Sketch, more: list[Sketch]) -> Sketch:
    for extra in more:
        pred = extra if pred == NOTHING else ("and", pred, extra)
    return pred


def _columns(node: Sketch) -> Iterator[Sketch]:
    for part in walk(node):
        if part[0] == "C":
            yield part


def _join(path: JoinPath, forward: bool) -> Join:
    keys = tuple(
        JoinKey(
            left=ColumnRef(table=path.left_table, column=a),
            right=ColumnRef(table=path.right_table, column=b),
            fold=path.fold,
        )
        for a, b in zip(path.left_columns, path.right_columns, strict=True)
    )
    if path.embedded is not None:
        raise Unfit("embedded key")
    return Join(table=path.right_table if forward else path.left_table, on=keys)
