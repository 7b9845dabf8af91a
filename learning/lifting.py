"""From the SQL of a question to the reader's sketch, with what it names written out (tables, columns, values, dates).

Only forms that the sketch can say are lifted; everything else raises NotLifted with the reason. Sources: the queries of
open question sets, each written in its author's own style.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import sqlglot
from sqlglot import exp

from apps.analyst.ports import Catalog

Node = tuple[Any, ...]
NOPRED: Node = ("any",)
ALL: Node = ("all",)
_COMPARE = {exp.GT: "gt", exp.GTE: "ge", exp.LT: "lt", exp.LTE: "le", exp.EQ: "eq", exp.NEQ: "ne"}
_FLIP = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge", "eq": "eq", "ne": "ne"}
_GRAINS = {"day", "week", "month", "quarter", "year"}


class NotLifted(Exception):
    """The query says what the sketch cannot."""


@dataclass
class Env:
    """What names mean inside one SELECT: alias -> table, and for derived tables their named expressions."""

    tables: dict[str, str] = field(default_factory=dict)
    derived: dict[str, Mapping[str, exp.Expression]] = field(default_factory=dict)
    merged: dict[str, Env] = field(default_factory=dict)


class Lifter:
    def __init__(self, catalog: Catalog, today: date | None) -> None:
        self.catalog = catalog
        self.today = today
        self.by_name = {t.name.casefold(): t for t in catalog.tables()}
        self.stem = {}
        for t in catalog.tables():
            self.stem[t.name.casefold()] = t
            self.stem[t.file_name.rsplit(".", 1)[0].casefold()] = t
        self.upper: dict[str, list[str]] = {}
        for j in catalog.joins():
            if j.right_unique:
                self.upper.setdefault(j.left_table, []).append(j.right_table)

    # ------------------------------------------------------------ entry
    def lift(self, sql: str) -> Node:
        tree = sqlglot.parse_one(sql, read="duckdb")
        ctes: dict[str, exp.Expression] = {}
        return self.query(tree, ctes)

    def query(self, tree: exp.Expression, ctes: dict[str, exp.Expression]) -> Node:
        if isinstance(tree, exp.Subquery):
            return self.query(tree.this, ctes)
        ctes = dict(ctes)
        with_ = tree.args.get("with_") or tree.args.get("with")
        if with_:
            for cte in with_.expressions:
                ctes[cte.alias.casefold()] = cte.this
        if isinstance(tree, exp.Intersect | exp.Except):
            return self.set_operation(tree, ctes)
        if not isinstance(tree, exp.Select):
            raise NotLifted(type(tree).__name__)
        return self.select(tree, ctes)

    def set_operation(self, tree: exp.Expression, ctes: dict[str, exp.Expression]) -> Node:
        left, right = self.query(tree.left, ctes), self.query(tree.right, ctes)
        if (
            left[0] in ("rows", "things")
            and right[0] in ("rows", "things")
            and left[1][0] == "v1"
            and right[1][0] == "v1"
        ):
            column = left[1][1]
            op = "member" if isinstance(tree, exp.Intersect) else "nonmember"
            inner = ("sub", right[1][1], right[2], ("nohaving",))
            return ("things", left[1], conj([left[2], (op, column, inner)]), ALL)
        raise NotLifted("set operation")

    # ------------------------------------------------------------ FROM
    def table_of(self, name: str) -> Any:
        found = self.stem.get(name.casefold())
        if found is None:
            raise NotLifted(f"no table {name}")
        return found

    def sources(self, tree: exp.Select, ctes: dict[str, exp.Expression], env: Env) -> list[Node]:
        """Fills env; returns extra predicates that come from inner SELECTs that only filter or rename."""
        found: list[Node] = []
        start = tree.args.get("from_") or tree.args.get("from")
        if start is None:
            raise NotLifted("no FROM")
        items = [(start.this, "inner")]
        for join in tree.args.get("joins") or []:
            side = (join.side or "").lower()
            items.append((join.this, side or "inner"))
            if (join.kind or "").upper() == "CROSS":
                raise NotLifted("cross join")
        for item, side in items:
            found += self.source(item, side, ctes, env)
        # join conditions beyond equality of columns
        for join in tree.args.get("joins") or []:
            on = join.args.get("on")
            if on is None:
                continue
            for part in flatten_and(on):
                part = unwrap(part)
                if (
                    isinstance(part, exp.EQ)
                    and isinstance(unwrap(part.left), exp.Column)
                    and isinstance(unwrap(part.right), exp.Column)
                ):
                    continue
                found.append(self.pred(part, env, ctes))
        return found

    def source(self, item: exp.Expression, side: str, ctes: dict[str, exp.Expression], env: Env) -> list[Node]:
        if isinstance(item, exp.Table):
            name = item.name
            if name.casefold() in ctes:
                return self.inner(ctes[name.casefold()], item.alias or name, ctes, env)
            table = self.table_of(name)
            alias = (item.alias or name).casefold()
            if table.name in env.tables.values():
                raise NotLifted("self join")
            env.tables[alias] = table.name
            return []
        if isinstance(item, exp.Subquery):
            return self.inner(item.this, item.alias or "_", ctes, env)
        raise NotLifted("source " + type(item).__name__)

    def inner(self, tree: exp.Expression, alias: str, ctes: dict[str, exp.Expression], env: Env) -> list[Node]:
        """An inner SELECT that only renames, computes by row and filters is merged into the outer one."""
        if not isinstance(tree, exp.Select):
            raise NotLifted("inner " + type(tree).__name__)
        plain = not any(tree.args.get(k) for k in ("group", "having", "limit", "distinct", "qualify", "offset"))
        if not plain or any(isinstance(e.find(exp.AggFunc, exp.Window), exp.Expression) for e in tree.expressions):
            raise NotLifted("nested query")
        own = Env()
        extra = self.sources(tree, ctes, own)
        names: dict[str, exp.Expression] = {}
        for e in tree.expressions:
            if isinstance(e, exp.Star):
                continue
            names[e.alias_or_name.casefold()] = e.this if isinstance(e, exp.Alias) else e
        env.derived[alias.casefold()] = names
        env.merged[alias.casefold()] = own
        for key, value in own.tables.items():
            if value in env.tables.values():
                raise NotLifted("self join")
            env.tables.setdefault(f"{alias}.{key}".casefold(), value)
        where = tree.args.get("where")
        if where is not None:
            extra.append(self.conjunction(where.this, own, ctes))
        return extra

    # ------------------------------------------------------------ SELECT
    def select(self, tree: exp.Select, ctes: dict[str, exp.Expression]) -> Node:
        if tree.args.get("offset"):
            raise NotLifted("offset")
        nested = self.nested(tree, ctes)
        if nested is not None:
            return nested
        env = Env()
        extra = self.sources(tree, ctes, env)
        where = tree.args.get("where")
        preds = [*extra]
        if where is not None:
            preds.append(self.conjunction(where.this, env, ctes))
        pred = conj(preds)
        outputs = [e.this if isinstance(e, exp.Alias) else e for e in tree.expressions]
        aliases = {e.alias.casefold(): e.this for e in tree.expressions if isinstance(e, exp.Alias)}
        group = tree.args.get("group")
        keys = [self.positional(k, outputs, aliases) for k in group.expressions] if group else []
        if group and group.args.get("all"):
            keys = [e for e in outputs if not has_aggregate(e)]
        having = tree.args.get("having")
        limit = tree.args.get("limit")
        count = int(limit.expression.this) if limit else None
        order = tree.args.get("order")
        by: tuple[exp.Expression, bool] | None = None
        if order and order.expressions:
            first = order.expressions[0]
            by = (self.positional(first.this, outputs, aliases), bool(first.args.get("desc")))
        qualify = tree.args.get("qualify")
        if group or any(has_aggregate(e) for e in outputs) or having:
            return self.grouped(outputs, keys, pred, having, by, count, qualify, aliases, env, ctes)
        if qualify is not None:
            raise NotLifted("qualify over rows")
        distinct = bool(tree.args.get("distinct"))
        values = []
        for e in outputs:
            if isinstance(e, exp.Star):
                raise NotLifted("star")
            values.append(self.value(e, env, ctes))
        if not 1 <= len(values) <= 5:
            raise NotLifted("columns")
        last = ALL
        if count is not None:
            if by is None:
                raise NotLifted("limit without order")
            byv = self.value(by[0], env, ctes)
            pred = drop_filled(pred, byv)
            last = ("first", ("desc",) if by[1] else ("asc",), ("byv", byv), limit_node(count))
        return ("things" if distinct else "rows", (f"v{len(values)}", *values), pred, last)

    def positional(
        self, e: exp.Expression, outputs: Sequence[exp.Expression], aliases: Mapping[str, exp.Expression]
    ) -> exp.Expression:
        e = e.this if isinstance(e, exp.Alias) else e
        if isinstance(e, exp.Literal) and not e.is_string:
            return outputs[int(e.this) - 1]
        if isinstance(e, exp.Column) and not e.table and e.name.casefold() in aliases:
            return aliases[e.name.casefold()]
        return e

    def grouped(
        self,
        outputs: list[exp.Expression],
        keys: list[exp.Expression],
        pred: Node,
        having: Any,
        by: Any,
        count: int | None,
        qualify: Any,
        aliases: Any,
        env: Env,
        ctes: Any,
    ) -> Node:
        key_sql = {k.sql() for k in keys}
        shown = [e for e in outputs if not has_aggregate(e)]
        if any(not isinstance(unwrap(e), exp.Literal) and e.sql() not in key_sql for e in shown) and keys:
            raise NotLifted("output that is no key")
        if shown and not keys:
            raise NotLifted("output that is no key")
        measures = [self.measure(e, env, ctes) for e in outputs if has_aggregate(e)]
        knodes = [self.key(e, env, ctes) for e in shown]
        hidden = [self.key(k, env, ctes) for k in keys if k.sql() not in {e.sql() for e in shown}]
        hnode = self.having(having.this, env, ctes, aliases) if having is not None else ("nohaving",)
        # hidden keys that only make names unique (an id beside a name) are no part of the meaning
        if not shown and hidden:
            knodes = hidden
            if measures and by is None and not (hnode == ("nohaving",)):
                raise NotLifted("figures of unnamed groups")
        last = ALL
        if qualify is not None:
            last = self.qualified(qualify.this, env, ctes, aliases)
        elif count is not None:
            if by is None:
                raise NotLifted("limit without order")
            last = ("first", ("desc",) if by[1] else ("asc",), self.by(by[0], measures, env, ctes), limit_node(count))
        if len(knodes) == 0:
            if hnode != ("nohaving",) or not measures or len(measures) > 4:
                raise NotLifted("having without keys")
            return ("agg", (f"m{len(measures)}", *measures), pred)
        if len(knodes) > 3 or len(measures) > 4:
            raise NotLifted("too many keys or figures")
        if len(knodes) == 1 and knodes[0][0] == "C":
            pred = drop_filled(pred, knodes[0])
        return ("group", (f"k{len(knodes)}", *knodes), (f"m{len(measures)}", *measures), pred, hnode, last)

    def by(self, e: exp.Expression, measures: list[Node], env: Env, ctes: Any) -> Node:
        if has_aggregate(e):
            m = self.measure(e, env, ctes)
            return ("by1",) if measures and m == measures[0] else ("bym", m)
        return ("byv", self.key(e, env, ctes))

    def qualified(self, e: exp.Expression, env: Env, ctes: Any, aliases: Any) -> Node:
        e = unwrap(e)
        if isinstance(e, exp.EQ | exp.LTE | exp.LT):
            window, number = unwrap(e.left), unwrap(e.right)
            if isinstance(window, exp.Column) and window.name.casefold() in aliases:
                window = aliases[window.name.casefold()]
            if isinstance(window, exp.Window) and isinstance(
                window.this, exp.RowNumber | exp.Anonymous | exp.Rank | exp.DenseRank
            ):
                n = int(number.this) - (1 if isinstance(e, exp.LT) else 0)
                order = window.args.get("order").expressions[0]
                target = order.this
                if isinstance(target, exp.Column) and target.name.casefold() in aliases:
                    target = aliases[target.name.casefold()]
                parts = window.args.get("partition_by") or []
                if len(parts) != 1:
                    raise NotLifted("partition")
                m = self.measure(target, env, ctes)
                return ("per", ("desc",) if order.args.get("desc") else ("asc",), ("bym", m), limit_node(n))
        raise NotLifted("qualify")

    # ------------------------------------------------------------ queries over queries
    def nested(self, tree: exp.Select, ctes: dict[str, exp.Expression]) -> Node | None:
        start = tree.args.get("from_") or tree.args.get("from")
        if start is None:
            return self.scalar_ratio(tree, ctes)
        item = start.this
        inner = None
        if isinstance(item, exp.Subquery):
            inner = item.this
        elif isinstance(item, exp.Table) and item.name.casefold() in ctes:
            inner = ctes[item.name.casefold()]
        if inner is None or tree.args.get("joins"):
            return None
        if isinstance(inner, exp.Intersect | exp.Except | exp.Union):
            if (
                len(tree.expressions) == 1
                and isinstance(unwrap(tree.expressions[0]), exp.Count)
                and not isinstance(inner, exp.Union)
            ):
                one = self.query(inner, ctes)
                return ("agg", ("m1", ("countd", one[1][1])), one[2])
            raise NotLifted("union")
        if not isinstance(inner, exp.Select):
            return None
        grouped = (
            inner.args.get("group") or inner.args.get("having") or inner.args.get("limit") or inner.args.get("distinct")
        )
        if not grouped:
            return None
        if tree.args.get("group") or tree.args.get("having") or tree.args.get("qualify"):
            raise NotLifted("groups of groups")
        body = self.query(inner, ctes)
        outputs = [e.this if isinstance(e, exp.Alias) else e for e in tree.expressions]
        names = [e.alias_or_name.casefold() for e in inner.expressions]
        where = tree.args.get("where")
        if where is not None:
            if body[0] != "group":
                raise NotLifted("condition over a query")
            body = self.filtered(body, where.this, names, inner)
        if len(outputs) == 1:
            return self.folded(outputs[0], body, names, tree)
        raise NotLifted("several figures over a query")

    def filtered(self, body: Node, where: exp.Expression, names: list[str], inner: exp.Select) -> Node:
        """A condition over the groups of an inner query, as HAVING; a rank as the first of each."""
        if body[5] != ALL or body[4] != ("nohaving",):
            raise NotLifted("condition over a query")
        parts = flatten_and(where)
        found = []
        for part in parts:
            part = unwrap(part)
            op = _COMPARE.get(type(part))
            left = unwrap(part.left) if op else None
            number = number_of(part.right) if op else None
            if op is None or not isinstance(left, exp.Column) or number is None or left.name.casefold() not in names:
                raise NotLifted("condition over a query")
            place = names.index(left.name.casefold()) - (len(body[1]) - 1)
            if not 0 <= place < len(body[2]) - 1:
                raise NotLifted("condition over a query")
            found.append(("h" + op, body[2][1 + place], ("N", number)))
        having = found[0] if len(found) == 1 else ("hand", found[0], found[1])
        return (*body[:4], having, body[5])

    def folded(self, e: exp.Expression, body: Node, names: list[str], tree: exp.Select) -> Node:
        e = unwrap(e)
        if body[0] in ("things", "rows") and isinstance(e, exp.Count) and body[3] == ALL and body[1][0] == "v1":
            return ("agg", ("m1", ("countd", body[1][1])), body[2])
        if body[0] != "group":
            raise NotLifted("figure over " + body[0])
        if isinstance(e, exp.Count) and body[5] == ALL:
            return ("over_count", body[1], body[3], body[4])
        fn = {exp.Avg: "avg", exp.Max: "max", exp.Min: "min", exp.Median: "median", exp.Sum: "sum"}.get(type(e))
        if fn and body[5] == ALL and len(body[2]) >= 2:
            arg = unwrap(e.this)
            if isinstance(arg, exp.Column) and arg.name.casefold() in names:
                place = names.index(arg.name.casefold()) - (len(body[1]) - 1)
                if 0 <= place < len(body[2]) - 1:
                    return ("over", (fn,), body[1], body[2][1 + place], body[3], body[4])
        raise NotLifted("figure over a query")

    def scalar_ratio(self, tree: exp.Select, ctes: Any) -> Node:
        """SELECT (query) / (query), 100 times or not, without FROM: two figures of one result."""
        if len(tree.expressions) != 1:
            raise NotLifted("figures without FROM")
        e = tree.expressions[0]
        e = e.this if isinstance(e, exp.Alias) else e
        return ("agg", ("m1", self.scalar(e, ctes)), NOPRED)

    def scalar(self, e: exp.Expression, ctes: Any) -> Node:
        e = unwrap(e)
        if isinstance(e, exp.Subquery):
            body = self.query(e.this, ctes)
            if body[0] != "agg" or body[1][0] != "m1":
                raise NotLifted("scalar of " + str(body[0]))
            return body[1][1] if body[2] == NOPRED else given(body[1][1], body[2])
        return self.arithmetic(e, lambda x: self.scalar(x, ctes))

    # ------------------------------------------------------------ measures
    def measure(self, e: exp.Expression, env: Env, ctes: Any) -> Node:
        e = unwrap(e)
        if isinstance(e, exp.Filter):
            inner = self.measure(e.this, env, ctes)
            return given(inner, self.conjunction(e.expression.this, env, ctes))
        if isinstance(e, exp.Count):
            return self.count(e, env, ctes)
        simple = {exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max", exp.Median: "median"}.get(type(e))
        if simple:
            arg = unwrap(e.this)
            if isinstance(arg, exp.Case):
                return self.case_aggregate(simple, arg, env, ctes)
            if simple in ("sum", "avg") and is_condition(arg):
                pred = self.conjunction(arg, env, ctes)
                base = self.count_table(env)
                return (
                    given(("count", base), pred)
                    if simple == "sum"
                    else ("ratio", given(("count", base), pred), ("count", base))
                )
            if isinstance(arg, exp.Mul) and simple == "avg":
                # avg(100.0 * condition)
                for a, b in ((arg.left, arg.right), (arg.right, arg.left)):
                    if number_of(a) == 100 and is_condition(unwrap(b)):
                        return ("rate", self.count_table(env), self.conjunction(unwrap(b), env, ctes))
            if isinstance(arg, exp.Distinct):
                raise NotLifted("sum of distinct")
            return (simple, self.value(arg, env, ctes))
        if isinstance(e, exp.Window):
            return self.window(e, env, ctes)
        if isinstance(e, exp.Subquery):
            body = self.query(e.this, ctes)
            if body[0] == "agg" and body[1][0] == "m1":
                return ("whole", body[1][1], body[2])
            raise NotLifted("scalar query")
        if isinstance(e, exp.AggFunc | exp.Anonymous):
            raise NotLifted("function " + (e.name if isinstance(e, exp.Anonymous) else type(e).__name__))
        return self.arithmetic(e, lambda x: self.measure(x, env, ctes))

    def arithmetic(self, e: exp.Expression, of: Any) -> Node:
        """100*a/b, a/b, a-b, a+b, 100*(a-b)/b over figures."""
        e = unwrap(e)
        if isinstance(e, exp.Div | exp.Mul):
            tops, bottoms = factors(e)
            numbers = [number_of(x) for x in tops]
            rest = [x for x, n in zip(tops, numbers, strict=True) if n is None]
            scale = 1.0
            for n in numbers:
                if n is not None:
                    scale *= n
            low = [number_of(x) for x in bottoms]
            rest_low = [x for x, n in zip(bottoms, low, strict=True) if n is None]
            for n in low:
                if n is not None:
                    scale /= n or 1
            if len(rest) == 1 and len(rest_low) == 1:
                top, bottom = unwrap(rest[0]), unwrap(rest_low[0])
                if isinstance(top, exp.Sub) and scale == 100:
                    a, b = of(top.left), of(top.right)
                    c = of(bottom)
                    if b == c:
                        return ("growth", a, b)
                    return ("pct", ("minus", a, b), c)
                a, b = of(top), of(bottom)
                if scale == 100:
                    return percent(a, b)
                if scale == 1:
                    return ("ratio", a, b)
                raise NotLifted("scaled ratio")
            if len(rest) == 1 and not rest_low:
                inner = of(rest[0])
                if scale == 1:
                    return inner
                if scale == 100 and inner[0] == "ratio":
                    return percent(inner[1], inner[2])
                if scale > 0 and 1 / scale in (60, 24, 7, 30, 3600, 1000):
                    return ("scaled", inner, ("N", round(1 / scale)))
                if scale == 100 and inner[0] == "minus" and inner[1][0] == "ratio" and inner[2] == ("one",):
                    return ("growth", inner[1][1], inner[1][2])
                raise NotLifted("scaled figure")
            if len(rest) == 2 and not rest_low and scale == 1:
                return ("times", of(rest[0]), of(rest[1]))
            raise NotLifted("product")
        if isinstance(e, exp.Sub):
            if number_of(e.right) == 1:
                return ("minus", of(e.left), ("one",))
            if number_of(e.left) in (1, 100):
                raise NotLifted("complement")
            return ("minus", of(e.left), of(e.right))
        if isinstance(e, exp.Add):
            return ("plus", of(e.left), of(e.right))
        if isinstance(e, exp.Neg):
            return of(e.this)
        raise NotLifted("figure " + type(e).__name__)

    def case_aggregate(self, fn: str, case: exp.Case, env: Env, ctes: Any) -> Node:
        if len(case.args["ifs"]) != 1 or case.args.get("this") is not None:
            raise NotLifted("case")
        branch = case.args["ifs"][0]
        pred = self.conjunction(branch.this, env, ctes)
        then, other = unwrap(branch.args["true"]), case.args.get("default")
        value, rest = number_of(then), number_of(other) if other is not None else None
        if fn == "avg" and value in (1, 100) and rest == 0:
            base = self.count_table(env)
            return ("rate", base, pred) if value == 100 else ("ratio", given(("count", base), pred), ("count", base))
        if fn == "sum" and value == 1 and rest in (0, None):
            return given(("count", self.count_table(env)), pred)
        if value is None and (rest == 0 or other is None):
            return given((fn, self.value(then, env, ctes)), pred)
        raise NotLifted("case")

    def count(self, e: exp.Count, env: Env, ctes: Any) -> Node:
        arg = e.this
        if isinstance(arg, exp.Distinct):
            if len(arg.expressions) != 1:
                raise NotLifted("count of pairs")
            inner = unwrap(arg.expressions[0])
            if isinstance(inner, exp.Case):
                branch = inner.args["ifs"][0]
                return given(
                    ("countd", self.value(branch.args["true"], env, ctes)), self.conjunction(branch.this, env, ctes)
                )
            return ("countd", self.key(inner, env, ctes))
        base = self.count_table(env)
        if isinstance(arg, exp.Star) or arg is None or number_of(arg) is not None:
            return ("count", base)
        arg = unwrap(arg)
        if isinstance(arg, exp.Case):
            branch = arg.args["ifs"][0]
            return given(("count", base), self.conjunction(branch.this, env, ctes))
        column = self.value(arg, env, ctes)
        if column[0] != "C":
            raise NotLifted("count of an expression")
        table = next(t for t in self.catalog.tables() if t.name == column[1])
        found = table.column(column[2])
        if found is not None and not found.missing and len(set(env.tables.values())) == 1:
            return ("count", base)
        return given(("count", base), ("filled", column))

    def count_table(self, env: Env) -> Node:
        names = list(dict.fromkeys(env.tables.values()))
        if len(names) == 1:
            return ("T", names[0])
        for name in names:
            seen, todo = {name}, [name]
            while todo:
                for up in self.upper.get(todo.pop(), []):
                    if up not in seen:
                        seen.add(up)
                        todo.append(up)
            if all(other in seen for other in names):
                return ("T", name)
        raise NotLifted("no table at the many side")

    def window(self, e: exp.Window, env: Env, ctes: Any) -> Node:
        inner = unwrap(e.this)
        if e.args.get("partition_by"):
            raise NotLifted("window with partition")
        order = e.args.get("order")
        if isinstance(inner, exp.Lag):
            return ("previous", self.measure(inner.this, env, ctes))
        if isinstance(inner, exp.Sum):
            arg = unwrap(inner.this)
            figure = self.measure(arg, env, ctes) if has_aggregate(arg) else None
            if figure is None:
                raise NotLifted("window over rows")
            return ("running", figure) if order is not None else ("total", figure)
        raise NotLifted("window " + type(inner).__name__)

    # ------------------------------------------------------------ row values
    def column(self, e: exp.Column, env: Env, ctes: Any) -> Node:
        name, alias = e.name.casefold(), e.table.casefold()
        for key, names in env.derived.items():
            if alias in ("", key) and name in names:
                return self.value(names[name], env.merged[key], ctes)
        tables = [env.tables[alias]] if alias in env.tables else list(dict.fromkeys(env.tables.values()))
        if alias and alias not in env.tables:
            tables = [t for k, t in env.tables.items() if k.startswith(alias + ".")] or [
                t for k, t in env.tables.items() if t.casefold() == alias
            ]
        hits = []
        for table_name in tables:
            table = next(t for t in self.catalog.tables() if t.name == table_name)
            for c in table.columns:
                if c.name.casefold() == name:
                    hits.append(("C", table.name, c.name))
        if not hits:
            raise NotLifted(f"no column {e.sql()}")
        if len(hits) > 1:
            hits = hits[:1]
        return hits[0]

    def value(self, e: exp.Expression, env: Env, ctes: Any) -> Node:
        e = unwrap(e)
        if isinstance(e, exp.Column):
            return self.column(e, env, ctes)
        cleaned = cleaning(e)
        if cleaned is not None:
            return self.value(cleaned, env, ctes)
        if isinstance(e, exp.DateDiff) or (
            isinstance(e, exp.Anonymous) and e.name.lower() in ("date_diff", "datediff", "date_sub")
        ):
            return self.date_diff(e, env, ctes)
        if isinstance(e, exp.Sub):
            left, right = unwrap(e.left), unwrap(e.right)
            if self.is_today(left):
                return ("age", ("days",), self.date_column(right, env, ctes))
            if self.is_today(right):
                return ("ahead", self.date_column(left, env, ctes))
            a, b = self.value(left, env, ctes), self.value(right, env, ctes)
            if self.is_date(a) and self.is_date(b):
                return ("span", ("days",), b, a)
            return ("vsub", a, b)
        ops = {exp.Add: "vadd", exp.Mul: "vmul", exp.Div: "vdiv"}
        if type(e) in ops:
            left, right = number_of(e.left), number_of(e.right)
            if left in (1, 100) and type(e) is exp.Mul:
                inner = self.value(e.right, env, ctes)
                return (
                    ("vpct", *inner[1:])
                    if left == 100 and inner[0] == "vdiv"
                    else inner
                    if left == 1
                    else self.no("scaled value")
                )
            if left is not None or right is not None:
                if isinstance(e, exp.Div) and right is not None:
                    raise NotLifted("scaled value")
                raise NotLifted("scaled value")
            if isinstance(e, exp.Div):
                top = unwrap(e.left)
                if isinstance(top, exp.Mul):
                    for a, b in ((top.left, top.right), (top.right, top.left)):
                        if number_of(a) == 100:
                            return ("vpct", self.value(b, env, ctes), self.value(e.right, env, ctes))
                        if number_of(a) == 1:
                            return ("vdiv", self.value(b, env, ctes), self.value(e.right, env, ctes))
            return (ops[type(e)], self.value(e.left, env, ctes), self.value(e.right, env, ctes))
        raise NotLifted("value " + type(e).__name__ + (":" + e.name if isinstance(e, exp.Anonymous) else ""))

    def no(self, why: str) -> Node:
        raise NotLifted(why)

    def is_today(self, e: exp.Expression) -> bool:
        found = self.date_of(e)
        return found is not None or isinstance(e, exp.CurrentDate)

    def is_date(self, node: Node) -> bool:
        if node[0] != "C":
            return False
        table = next(t for t in self.catalog.tables() if t.name == node[1])
        column = table.column(node[2])
        return column is not None and column.type in ("date", "datetime")

    def date_column(self, e: exp.Expression, env: Env, ctes: Any) -> Node:
        node = self.value(e, env, ctes)
        if not self.is_date(node):
            raise NotLifted("no date column")
        return node

    def date_diff(self, e: exp.Expression, env: Env, ctes: Any) -> Node:
        if isinstance(e, exp.DateDiff):
            unit = str(e.args.get("unit") or "day").lower().strip("'")
            late, early = e.this, e.expression
        else:
            unit = str(e.expressions[0].this).lower()
            early, late = e.expressions[1], e.expressions[2]
        unit = unit.rstrip("s") + "s"
        early, late = unwrap(early), unwrap(late)
        if self.is_today(late):
            return ("age", (unit,), self.date_column(early, env, ctes))
        if self.is_today(early):
            if unit != "days":
                raise NotLifted("time ahead in " + unit)
            return ("ahead", self.date_column(late, env, ctes))
        return ("span", (unit,), self.date_column(early, env, ctes), self.date_column(late, env, ctes))

    def key(self, e: exp.Expression, env: Env, ctes: Any) -> Node:
        e = unwrap(e)
        grain = self.grain(e)
        if grain is not None:
            return (grain[0], self.date_column(grain[1], env, ctes))
        if isinstance(e, exp.Column):
            for k, names in env.derived.items():
                if e.table.casefold() in ("", k) and e.name.casefold() in names:
                    return self.key(names[e.name.casefold()], env.merged[k], ctes)
        return self.value(e, env, ctes)

    def grain(self, e: exp.Expression) -> tuple[str, exp.Expression] | None:
        e = unwrap(e)
        if isinstance(e, exp.TimestampTrunc | exp.DateTrunc):
            unit = str(e.args["unit"]).lower().strip("'")
            return (unit, e.this) if unit in _GRAINS | {"hour"} else None
        if isinstance(e, exp.Year):
            return ("year", e.this)
        named = {
            exp.Month: "monthof",
            exp.Quarter: "quarterof",
            exp.DayOfWeek: "weekday",
            exp.Dayname if hasattr(exp, "Dayname") else exp.Month: "weekday",
        }
        if isinstance(e, exp.DayOfWeekIso if hasattr(exp, "DayOfWeekIso") else ()):
            return ("weekday", e.this)
        if type(e) in named:
            return (named[type(e)], e.this)
        if isinstance(e, exp.Extract):
            part = str(e.this).lower()
            to = {
                "year": "year",
                "month": "monthof",
                "quarter": "quarterof",
                "dow": "weekday",
                "isodow": "weekday",
                "hour": "hourof",
            }
            return (to[part], e.expression) if part in to else None
        if isinstance(e, exp.Hour if hasattr(exp, "Hour") else ()):
            return ("hourof", e.this)
        if isinstance(e, exp.Anonymous) and e.expressions:
            to = {
                "dayname": "weekday",
                "isodow": "weekday",
                "dayofweek": "weekday",
                "monthname": "monthof",
                "hour": "hourof",
                "weekday": "weekday",
            }
            if e.name.lower() in to:
                return (to[e.name.lower()], e.expressions[0])
        if isinstance(e, exp.TimeToStr):
            fmt = str(e.args["format"].this)
            to = {
                "%Y-%m": "month",
                "%Y": "year",
                "%A": "weekday",
                "%B": "monthof",
                "%m": "monthof",
                "%Y-%m-%d": "day",
                "%H": "hourof",
                "%b": "monthof",
                "%a": "weekday",
            }
            return (to[fmt], e.this) if fmt in to else None
        if isinstance(e, exp.DPipe):
            text = e.sql(dialect="duckdb").lower()
            years = list(e.find_all(exp.Year))
            if ("quarter(" in text or "quarter from" in text) and years:
                return ("quarter", years[0].this)
        if isinstance(e, exp.Concat):
            years = list(e.find_all(exp.Year))
            if list(e.find_all(exp.Quarter)) and years:
                return ("quarter", years[0].this)
        return None

    # ------------------------------------------------------------ conditions
    def conjunction(self, e: exp.Expression, env: Env, ctes: Any) -> Node:
        parts = flatten_and(e)
        bounds: dict[Node, dict[str, date]] = {}
        found: list[Node] = []
        for part in parts:
            part = unwrap(part)
            if isinstance(part, exp.Boolean) and part.this:
                continue
            if isinstance(part, exp.EQ) and part.left.sql() == part.right.sql():
                continue
            if (
                isinstance(part, exp.EQ)
                and isinstance(unwrap(part.left), exp.Column)
                and isinstance(unwrap(part.right), exp.Column)
            ):
                a, b = self.value(part.left, env, ctes), self.value(part.right, env, ctes)
                if a[1] != b[1]:
                    continue  # an old-style join
            bound = self.bound(part, env, ctes)
            if bound is not None:
                column, side, day = bound
                if side not in bounds.setdefault(column, {}):
                    if not bounds[column]:
                        found.append(("bounds", column))
                    bounds[column][side] = day
                    continue
                raise NotLifted("two bounds on one side")
            found.append(self.pred(part, env, ctes))
        result = []
        for node in found:
            if node[0] == "bounds":
                lo, hi = bounds[node[1]].get("lo"), bounds[node[1]].get("hi")
                result.append(("dates", node[1], lo, hi))
            else:
                result.append(node)
        return conj(result)

    def bound(self, e: exp.Expression, env: Env, ctes: Any) -> tuple[Node, str, date] | None:
        op = _COMPARE.get(type(e))
        if op not in ("gt", "ge", "lt", "le"):
            return None
        left, right = unwrap(e.left), unwrap(e.right)
        day = self.date_of(right)
        if day is None:
            day, left, op = self.date_of(left), right, _FLIP[op]
        if day is None:
            return None
        left = unwrap(left)
        grain = self.grain(left)
        try:
            column = self.value(left, env, ctes) if grain is None else None
        except NotLifted:
            return None
        if column is None or not self.is_date(column):
            return None
        if op == "gt":
            return column, "lo", day + timedelta(1)
        if op == "le":
            return column, "hi", day + timedelta(1)
        return column, "lo" if op == "ge" else "hi", day

    def date_of(self, e: exp.Expression | None) -> date | None:
        if e is None:
            return None
        e = unwrap(e)
        if isinstance(e, exp.CurrentDate):
            return self.today
        if isinstance(e, exp.Literal) and e.is_string:
            m = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)([ T]\d\d:\d\d(:\d\d)?)?", e.this)
            return date(*map(int, m.groups()[:3])) if m else None
        if isinstance(e, exp.Sub | exp.Add):
            base = self.date_of(e.left)
            if base is None:
                return None
            right = unwrap(e.right)
            sign = 1 if isinstance(e, exp.Add) else -1
            n = number_of(right)
            if n is not None:
                return base + timedelta(sign * int(n))
            if isinstance(right, exp.Interval):
                n = number_of(right.this) if right.this is not None else None
                if n is None and isinstance(right.this, exp.Literal):
                    n = float(str(right.this.this).split()[0])
                unit = str(right.args.get("unit") or str(right.this.this).split()[-1]).lower().rstrip("s").strip("'")
                if n is None:
                    return None
                n = int(n) * sign
                if unit == "day":
                    return base + timedelta(n)
                if unit == "week":
                    return base + timedelta(7 * n)
                if unit in ("month", "year"):
                    months = base.year * 12 + base.month - 1 + n * (12 if unit == "year" else 1)
                    y, mth = divmod(months, 12)
                    for d in range(base.day, 27, -1):
                        try:
                            return date(y, mth + 1, d)
                        except ValueError:
                            continue
                    return date(y, mth + 1, base.day)
        return None

    def pred(self, e: exp.Expression, env: Env, ctes: Any) -> Node:
        e = unwrap(e)
        if isinstance(e, exp.And):
            return self.conjunction(e, env, ctes)
        if isinstance(e, exp.Or):
            return self.disjunction(e, env, ctes)
        if isinstance(e, exp.Not):
            return self.negated(e, env, ctes)
        if isinstance(e, exp.Between):
            return self.between(e, env, ctes)
        if isinstance(e, exp.In):
            return self.among(e, env, ctes)
        if isinstance(e, exp.Is):
            column = self.value(e.this, env, ctes)
            if isinstance(e.expression, exp.Null):
                return ("missing", column)
            raise NotLifted("is")
        if isinstance(e, exp.Like | exp.ILike):
            return self.like(e, env, ctes)
        if isinstance(e, exp.Column):
            column = self.column(e, env, ctes)
            return ("is", ("W", column[1], column[2], "true"))
        bound = self.bound(e, env, ctes)
        if bound is not None:
            column, side, day = bound
            return ("dates", column, day if side == "lo" else None, day if side == "hi" else None)
        op = _COMPARE.get(type(e))
        if op is not None:
            return self.compare(op, e.left, e.right, env, ctes)
        if isinstance(e, exp.Exists):
            raise NotLifted("exists")
        raise NotLifted("condition " + type(e).__name__ + (":" + e.name if isinstance(e, exp.Anonymous) else ""))

    def disjunction(self, e: exp.Or, env: Env, ctes: Any) -> Node:
        parts = [self.pred(p, env, ctes) for p in flatten(e, exp.Or)]
        if all(p[0] == "is" for p in parts) and len({p[1][:3] for p in parts}) == 1:
            return ("in", *(p[1] for p in parts))
        node = parts[-1]
        for p in reversed(parts[:-1]):
            node = ("or", p, node)
        return node

    def negated(self, e: exp.Not, env: Env, ctes: Any) -> Node:
        inner = self.pred(e.this, env, ctes)
        opposite = {
            "is": "isnt",
            "in": "notin",
            "missing": "filled",
            "member": "nonmember",
            "has": "hasnt",
            "gt": "le",
            "lt": "ge",
            "ge": "lt",
            "le": "gt",
            "eq": "ne",
            "isnt": "is",
            "notin": "in",
        }
        if inner[0] == "is" and inner[1][3] == "true":
            return ("is", (*inner[1][:3], "false"))
        if inner[0] in opposite:
            return (opposite[inner[0]], *inner[1:])
        raise NotLifted("not " + inner[0])

    def between(self, e: exp.Between, env: Env, ctes: Any) -> Node:
        low, high = self.date_of(e.args["low"]), self.date_of(e.args["high"])
        if low is not None and high is not None:
            column = self.value(e.this, env, ctes)
            if not self.is_date(column):
                raise NotLifted("between dates of a value")
            return ("dates", column, low, high + timedelta(1))
        a, b = number_of(e.args["low"]), number_of(e.args["high"])
        if a is None or b is None:
            raise NotLifted("between")
        grain = self.grain(e.this)
        if grain is not None:
            column = self.date_column(grain[1], env, ctes)
            if grain[0] == "year":
                return ("dates", column, date(int(a), 1, 1), date(int(b) + 1, 1, 1))
            raise NotLifted("between parts")
        return ("between", self.value(e.this, env, ctes), ("N", a), ("N", b))

    def among(self, e: exp.In, env: Env, ctes: Any) -> Node:
        query = e.args.get("query")
        if query is not None:
            column = self.value(e.this, env, ctes)
            return ("member", column, self.sub(query, ctes))
        grain = self.grain(e.this)
        if grain is not None:
            column = self.date_column(grain[1], env, ctes)
            numbers = sorted(n for n in (number_of(x) for x in e.expressions) if n is not None)
            texts = {str(x.this).lower()[:3] for x in e.expressions}
            if grain[0] == "year" and len(numbers) >= 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
                return ("years", column, *(("D", date(int(n), 1, 1), date(int(n) + 1, 1, 1)) for n in numbers))
            if grain[0] == "weekday" and (texts == {"sat", "sun"} or set(numbers) in ({0.0, 6.0}, {6.0, 7.0})):
                return ("weekend", column)
            if grain[0] == "month":
                days = [month_interval(str(x.this)) for x in e.expressions]
                if all(days):
                    return ("years", column, *(("D", *d) for d in days))
            raise NotLifted("parts among")
        column = self.value(e.this, env, ctes)
        if column[0] != "C":
            raise NotLifted("value among")
        items = tuple(("W", column[1], column[2], literal(x)) for x in e.expressions)
        return ("in", *items) if len(items) > 1 else ("is", items[0])

    def sub(self, query: exp.Expression, ctes: Any) -> Node:
        body = self.query(query.this if isinstance(query, exp.Subquery) else query, ctes)
        if body[0] in ("rows", "things") and body[1][0] == "v1" and body[3] == ALL:
            return ("sub", body[1][1], strip_filled(body[2], body[1][1]), ("nohaving",))
        if body[0] == "group" and body[1][0] == "k1" and body[2] == ("m0",) and body[5] == ALL:
            return ("sub", body[1][1], strip_filled(body[3], body[1][1]), body[4])
        raise NotLifted("members of " + body[0])

    def like(self, e: exp.Expression, env: Env, ctes: Any) -> Node:
        column = self.value(e.this, env, ctes)
        pattern = literal(e.expression)
        if column[0] != "C":
            raise NotLifted("like of a value")
        core = pattern.strip("%")
        if "%" in core or "_" in core or not core:
            raise NotLifted("pattern")
        if self.is_date(column):
            raise NotLifted("pattern of a date")
        return ("has", ("W", column[1], column[2], core))

    def compare(self, op: str, left: exp.Expression, right: exp.Expression, env: Env, ctes: Any) -> Node:
        left, right = unwrap(left), unwrap(right)
        if isinstance(left, exp.Literal) and not isinstance(right, exp.Literal):
            left, right, op = right, left, _FLIP[op]
        if isinstance(right, exp.Subquery):
            return self.against(op, left, right, env, ctes)
        grain = self.grain(left)
        if grain is not None:
            return self.part_is(op, grain, right, env, ctes)
        number = number_of(right)
        if number is not None:
            node = self.value(left, env, ctes)
            if op == "ne" and node[0] == "C" and number == 0:
                return ("ne", node, ("N", 0.0))
            return (op, node, ("N", number))
        if isinstance(right, exp.Boolean):
            column = self.value(left, env, ctes)
            truth = bool(right.this) == (op == "eq")
            return ("is", ("W", column[1], column[2], "true" if truth else "false"))
        if isinstance(right, exp.Literal) or (isinstance(right, exp.Cast) and isinstance(right.this, exp.Literal)):
            day = self.date_of(right)
            column = self.value(left, env, ctes)
            if column[0] != "C":
                raise NotLifted("text of a value")
            if day is not None and self.is_date(column):
                if op == "eq":
                    return ("dates", column, day, day + timedelta(1))
                raise NotLifted("date unlike")
            if op not in ("eq", "ne"):
                raise NotLifted("order of texts")
            return ("is" if op == "eq" else "isnt", ("W", column[1], column[2], literal(right)))
        a, b = self.value(left, env, ctes), self.value(right, env, ctes)
        return ("v" + op, a, b)

    def part_is(self, op: str, grain: tuple[str, exp.Expression], right: exp.Expression, env: Env, ctes: Any) -> Node:
        column = self.date_column(grain[1], env, ctes)
        number, text = number_of(right), literal(right) if isinstance(right, exp.Literal) else ""
        day = self.date_of(right)
        if grain[0] == "year" and (number is not None or text.isdigit()):
            y = int(number if number is not None else text)
            if op == "eq":
                return ("dates", column, date(y, 1, 1), date(y + 1, 1, 1))
            lo = {"ge": date(y, 1, 1), "gt": date(y + 1, 1, 1)}.get(op)
            hi = {"le": date(y + 1, 1, 1), "lt": date(y, 1, 1)}.get(op)
            if lo or hi:
                return ("dates", column, lo, hi)
        if grain[0] in ("month", "quarter", "day", "week", "year") and op == "eq" and day is not None:
            return ("dates", column, day, next_period(day, grain[0]))
        if grain[0] == "month" and op == "eq" and (span := month_interval(text)):
            return ("dates", column, *span)
        if grain[0] == "day" and op == "eq" and (m := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text)):
            d = date(*map(int, m.groups()))
            return ("dates", column, d, d + timedelta(1))
        if grain[0] == "quarter" and op == "eq" and (m := re.fullmatch(r"(\d{4})-Q(\d)", text)):
            y, q = map(int, m.groups())
            d = date(y, 3 * q - 2, 1)
            return ("dates", column, d, next_period(d, "quarter"))
        if grain[0] == "weekday" and op in ("ge", "gt") and number in (6, 5):
            return ("weekend", column)
        if op == "eq" and grain[0] in ("monthof", "quarterof", "weekday", "hourof"):
            return ("partis", (grain[0],), column, ("X", str(text or int(number or 0)).casefold()))
        if grain[0] == "hourof" and number is not None:
            return ("hour" + op, column, ("N", number))
        raise NotLifted("part of a date")

    def against(self, op: str, left: exp.Expression, right: exp.Subquery, env: Env, ctes: Any) -> Node:
        body = self.query(right.this, ctes)
        if body[0] != "agg" or body[1][0] != "m1":
            raise NotLifted("against " + str(body[0]))
        figure = body[1][1]
        value = self.value(left, env, ctes)
        if figure[0] == "avg" and figure[1] == value and op in ("gt", "ge", "lt", "le"):
            return ("avg" + op, value, body[2])
        if figure[0] in ("max", "min") and figure[1] == value and op == "eq":
            return ("extreme", (figure[0],), value, body[2])
        raise NotLifted("against a figure")

    def having(self, e: exp.Expression, env: Env, ctes: Any, aliases: Any) -> Node:
        parts = [unwrap(p) for p in flatten_and(e)]
        nodes = [self.having_part(p, env, ctes, aliases) for p in parts]
        node = nodes[-1]
        for other in reversed(nodes[:-1]):
            node = ("hand", other, node)
        return node

    def having_part(self, e: exp.Expression, env: Env, ctes: Any, aliases: Any) -> Node:
        def target(x: exp.Expression) -> exp.Expression:
            x = unwrap(x)
            if isinstance(x, exp.Column) and x.name.casefold() in aliases:
                return aliases[x.name.casefold()]
            return x

        if isinstance(e, exp.Between):
            a, b = number_of(e.args["low"]), number_of(e.args["high"])
            if a is not None and b is not None:
                return (
                    "hand",
                    ("hge", self.measure(target(e.this), env, ctes), ("N", a)),
                    ("hle", self.measure(target(e.this), env, ctes), ("N", b)),
                )
        op = _COMPARE.get(type(e))
        if op is None:
            raise NotLifted("having")
        left, right = target(e.left), target(e.right)
        if number_of(left) is not None:
            left, right, op = right, left, _FLIP[op]
        figure = self.measure(left, env, ctes)
        number = number_of(right)
        if number is not None:
            return ("h" + op, figure, ("N", number))
        if isinstance(right, exp.Subquery):
            body = self.query(right.this, ctes)
            if body[0] == "over" and body[1] == ("avg",) and body[3] == figure and op in ("gt", "ge", "lt", "le"):
                return ("havg" + op, figure)
            if body[0] == "agg" and body[1][0] == "m1" and body[1][1] == figure and op in ("gt", "ge", "lt", "le"):
                return ("hall" + op, figure)
            raise NotLifted("having against a query")
        return ("hm" + op, figure, self.measure(right, env, ctes))


# ---------------------------------------------------------------- pieces of trees
def unwrap(e: exp.Expression) -> exp.Expression:
    while True:
        if (
            isinstance(e, exp.Paren | exp.Cast | exp.TryCast | exp.Round | exp.Alias)
            or (isinstance(e, exp.Coalesce) and len(e.expressions) == 1 and isinstance(e.expressions[0], exp.Literal))
            or (isinstance(e, exp.Nullif) and number_of(e.expression) == 0)
        ):
            e = e.this
        else:
            return e


def cleaning(e: exp.Expression) -> exp.Expression | None:
    """What replace(), substr() and the like clean: reading a file does that already."""
    if isinstance(e, exp.RegexpReplace):
        return e.this
    if isinstance(e, exp.Replace if hasattr(exp, "Replace") else ()):
        return e.this
    if isinstance(e, exp.Substring) and number_of(e.args.get("start")) == 2:
        return e.this
    if isinstance(e, exp.Trim | exp.Lower | exp.Upper):
        return e.this
    if isinstance(e, exp.StrToDate | exp.StrToTime | exp.TsOrDsToDate | exp.Date):
        return e.this
    if isinstance(e, exp.Anonymous) and e.name.lower() in (
        "replace",
        "strptime",
        "try_strptime",
        "rtrim",
        "ltrim",
        "regexp_replace",
    ):
        return e.expressions[0]
    return None


def flatten(e: exp.Expression, kind: type[exp.Expression]) -> list[exp.Expression]:
    e = e.this if isinstance(e, exp.Paren) else e
    if isinstance(e, kind):
        return [*flatten(e.left, kind), *flatten(e.right, kind)]
    return [e]


def flatten_and(e: exp.Expression) -> list[exp.Expression]:
    return flatten(e, exp.And)


def has_aggregate(e: exp.Expression) -> bool:
    """Whether an aggregate stands in the expression itself (not inside its subqueries)."""
    if isinstance(e, (exp.AggFunc, exp.Window)):
        return True
    if isinstance(e, exp.Subquery | exp.Select):
        return False
    return any(has_aggregate(c) for c in e.iter_expressions())


def is_condition(e: exp.Expression) -> bool:
    e = unwrap(e)
    return isinstance(e, (exp.Predicate | exp.And | exp.Or | exp.Not, exp.Is | exp.In | exp.Between))


def number_of(e: exp.Expression | None) -> float | None:
    if e is None:
        return None
    e = unwrap(e)
    if isinstance(e, exp.Literal) and not e.is_string:
        return float(e.this)
    if isinstance(e, exp.Neg):
        inner = number_of(e.this)
        return -inner if inner is not None else None
    return None


def literal(e: exp.Expression) -> str:
    e = unwrap(e)
    if isinstance(e, exp.Literal):
        return str(e.this)
    if isinstance(e, exp.Neg):
        return f"-{e.this.this}"
    if isinstance(e, exp.Boolean):
        return "true" if e.this else "false"
    raise NotLifted("literal " + type(e).__name__)


def factors(e: exp.Expression) -> tuple[list[exp.Expression], list[exp.Expression]]:
    """Numerators and denominators of a chain of * and /."""
    e = unwrap(e)
    if isinstance(e, exp.Mul):
        a, b = factors(e.left), factors(e.right)
        return a[0] + b[0], a[1] + b[1]
    if isinstance(e, exp.Div):
        a, b = factors(e.left), factors(e.right)
        return a[0] + b[1], a[1] + b[0]
    return [e], []


def conj(parts: Sequence[Node]) -> Node:
    flat: list[Node] = []
    for part in parts:
        if part == NOPRED:
            continue
        flat += unroll(part)
    if not flat:
        return NOPRED
    flat = list(dict.fromkeys(flat))
    node = flat[-1]
    for other in reversed(flat[:-1]):
        node = ("and", other, node)
    return node


def unroll(p: Node) -> list[Node]:
    return [*unroll(p[1]), *unroll(p[2])] if p[0] == "and" else [] if p == NOPRED else [p]


def given(figure: Node, pred: Node) -> Node:
    return figure if pred == NOPRED else ("given", figure, pred)


def percent(a: Node, b: Node) -> Node:
    if a[0] == "given" and a[1] == b and b[0] == "count":
        return ("rate", b[1], a[2])
    if b[0] == "total" and b[1] == a:
        return ("share", a)
    if a[0] == "given" and b[0] == "given" and a[1] == b[1] and b[2] in unroll(a[2]):
        pass
    return ("pct", a, b)


def strip_filled(pred: Node, column: Node) -> Node:
    return conj([p for p in unroll(pred) if p != ("filled", column)])


def drop_filled(pred: Node, column: Node) -> Node:
    """Sorting and grouping leave gaps out by themselves, so that the condition says nothing."""
    columns = list(leaves(column))
    return conj([p for p in unroll(pred) if not (p[0] == "filled" and p[1] in columns)])


def leaves(node: Node) -> Iterator[Node]:
    if node[0] == "C":
        yield node
    else:
        for child in node[1:]:
            if isinstance(child, tuple):
                yield from leaves(child)


def limit_node(n: int) -> Node:
    return ("one",) if n == 1 else ("top", ("N", float(n)))


def month_interval(text: str) -> tuple[date, date] | None:
    m = re.fullmatch(r"(\d{4})-(\d\d)", text)
    if not m:
        return None
    d = date(int(m[1]), int(m[2]), 1)
    return d, next_period(d, "month")


def next_period(d: date, grain: str) -> date:
    if grain == "day":
        return d + timedelta(1)
    if grain == "week":
        return d + timedelta(7)
    months = {"month": 1, "quarter": 3, "year": 12}[grain] + d.year * 12 + d.month - 1
    return date(months // 12, months % 12 + 1, 1)
