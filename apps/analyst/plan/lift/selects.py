"""A SELECT as a query: what is shown, by what it is grouped, filtered, sorted and cut."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from apps.analyst.computing.compile.layers import EXPRESSIONS
from apps.analyst.computing.compile.walk import aggregated, references, rewrite, windowed, within
from apps.analyst.plan import Aggregate, ColumnRef, Constant, Expr, Node, Order, Output, Predicate, Query, Window
from apps.analyst.plan.conditions import all_of
from apps.analyst.plan.lift.flattening import flattened, stands_on_lookups, stands_on_repeats
from apps.analyst.plan.lift.items import Items
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.scans import Derived
from apps.analyst.plan.lift.syntax import bare, conjuncts, has_aggregate, number_of, whole_of


class Selects(Items):
    """Reads a whole SELECT."""

    def read(self, e: exp.Select) -> Derived:
        """The SELECT as a query."""
        distinct = e.args.get("distinct")
        if e.args.get("windows") or e.args.get("sample") or (distinct is not None and distinct.args.get("on")):
            raise NotLifted("named windows, samples or distinct on")
        self.read_from(e)
        items = self.items_of(e)
        self.aliases = {name.casefold(): item for name, item in items if isinstance(item, exp.Expr)}
        for item in e.expressions:
            if not isinstance(item, exp.Alias):
                self.aliases.pop(item.alias_or_name.casefold(), None)
        self.groups, self.others, self.shown, self.base = [], [], [], self.scan.query()
        having, qualify = (self._clause(e, name) for name in ("having", "qualify"))
        figures = [item for _, item in items if isinstance(item, exp.Expr) and has_aggregate(item)]
        self.grouped = bool(e.args.get("group") or figures or (having is not None and has_aggregate(having)))
        if self.grouped:
            self.group_by(e, items)
        self.show(items)
        parts = [part for clause in (having, qualify) if clause is not None for part in conjuncts(clause)]
        conditions = [self._kept(self.condition(part)) for part in parts]
        if not self.grouped:
            self.scan.where += [part for part in conditions if not windowed(part)]
            conditions, self.base = [part for part in conditions if windowed(part)], self.scan.query()
        return self._assembled(e, conditions)

    def _kept(self, condition: Predicate) -> Predicate:
        """A condition on groups: what it names beside keys and figures is the same within each group."""
        keys = [output.expr for output in self.groups]

        def change(part: Node) -> Node | None:
            if isinstance(part, Aggregate) or part in keys:
                return part
            return Aggregate(fn="min", of=part) if isinstance(part, ColumnRef) else None

        return rewrite(condition, change) if self.grouped else condition

    def _clause(self, e: exp.Select, name: str) -> exp.Expr | None:
        clause = e.args.get(name)
        return clause.this if clause is not None else None

    # ------------------------------------------------------------ the whole
    def _assembled(self, e: exp.Select, conditions: list[Predicate]) -> Derived:
        distinct = bool(e.args.get("distinct"))
        orders = self._orders(e)
        self._only_figures(orders, conditions)
        looks_across = any(windowed(output.expr) for output in self.others) or any(map(windowed, conditions))
        if looks_across and not all(map(windowed, conditions)):
            orders = tuple(self._by_label(order) for order in orders)
            query = self._above(conditions)
        else:
            query = self._by_rows(self.base.model_copy(update={"having": all_of(*conditions), **self._outputs()}))
        visible = list(dict.fromkeys(label for _, label in self.shown))
        hidden = any(output.label not in visible for output in (*self.groups, *self.others))
        cut = self._cut(e)
        if hidden or (distinct and looks_across):
            columns = tuple(Output(label=label, expr=ColumnRef(table="", column=label)) for label in visible)
            by = tuple(_outside(order) for order in orders)
            return Derived(Query(source=query, columns=columns, distinct=distinct, order=by, **cut), tuple(self.shown))
        update = {"order": orders, "distinct": distinct and not self.grouped, **cut}
        return Derived(query.model_copy(update=update), tuple(self.shown))

    def _only_figures(self, orders: tuple[Order, ...], conditions: list[Predicate]) -> None:
        """Holds an outer join on a condition to figures of the rows that meet: ours has other rows more than once."""
        partly = self.scan.partly
        if not partly:
            return
        by = [order.by for order in orders if not isinstance(order.by, str)]
        figures = [part for o in self.others for part in within(o.expr) if isinstance(part, Aggregate)]
        figures += [part for node in (*by, *conditions) for part in within(node) if isinstance(part, Aggregate)]
        elsewhere: list[Node] = [*(group.expr for group in self.groups), *self.scan.where]
        stray = any(not partly & {ref.table for ref in references(figure)} for figure in figures)
        if not self.grouped or stray or any(partly & {ref.table for ref in references(node)} for node in elsewhere):
            raise NotLifted("outer join on a condition")

    def _cut(self, e: exp.Select) -> dict[str, Any]:
        """How many rows are shown."""
        limit, offset = e.args.get("limit"), e.args.get("offset")
        most = whole_of(limit.expression, "limit") if limit is not None else None
        if most == 0:
            raise NotLifted("limit of nothing")
        return {"limit": most, "offset": whole_of(offset.expression, "offset") if offset is not None else 0}

    def _above(self, conditions: list[Predicate]) -> Query:
        """Windows over the groups that conditions have chosen: ours would look across all of them."""

        def change(part: Node) -> Node | None:
            if isinstance(part, Window):
                return part.model_copy(update={"of": column(part.of)})
            if isinstance(part, Constant) or windowed(part) or not isinstance(part, EXPRESSIONS):
                return None
            return column(part)

        def column(expr: Node) -> ColumnRef:
            return ColumnRef(table="", column=self.label_of(expr))  # type: ignore[arg-type]

        late = [rewrite(part, change) for part in conditions if windowed(part)]
        across = {o.label: rewrite(o.expr, change) for o in tuple(self.others) if windowed(o.expr)}
        labels = [output.label for output in (*self.groups, *self.others)]
        first = {"having": all_of(*(part for part in conditions if not windowed(part)))}
        plain = tuple(output for output in self.others if output.label not in across)
        kind = {"groups": tuple(self.groups), "measures": plain} if self.grouped else {"columns": plain}
        inner = self._by_rows(self.base.model_copy(update={**first, **kind}))
        columns = (Output(label=label, expr=across.get(label, ColumnRef(table="", column=label))) for label in labels)
        return Query(source=inner, columns=tuple(columns), having=all_of(*late))

    def _by_label(self, order: Order) -> Order:
        return order if isinstance(order.by, str) else order.model_copy(update={"by": self.label_of(order.by)})

    def _by_rows(self, query: Query) -> Query:
        """As SQL has it, each row of a join counts: where ours would count each row of a table once, the rows are
        listed first."""
        if self.grouped and (stands_on_repeats(query, self.desk.catalog) or stands_on_lookups(query)):
            return flattened(query)
        return query

    def _outputs(self) -> dict[str, tuple[Output, ...]]:
        if not self.grouped:
            return {"columns": tuple(self.others)}
        return {"groups": tuple(self.groups), "measures": tuple(self.others)}

    # ------------------------------------------------------------ order
    def _orders(self, e: exp.Select) -> tuple[Order, ...]:
        order = e.args.get("order")
        found: list[Order] = []
        for key in order.expressions if order is not None else []:
            descending = bool(key.args.get("desc"))
            place = number_of(key.this)
            if place is not None:
                if not 1 <= place <= len(self.shown):
                    raise NotLifted("no such item")
                found.append(Order(by=self.shown[int(place) - 1][1], descending=descending))
                continue
            by = self._order_by(bare(key.this))
            if by is not None:
                found.append(Order(by=by, descending=descending))
        return tuple(found)

    def _order_by(self, e: exp.Expr) -> str | Expr | None:
        name = e.name.casefold() if isinstance(e, exp.Column) and not e.table else ""
        label = next((label for alias, label in self.shown if name and alias.casefold() == name), None)
        if label is not None:
            return label
        expr = self.value(e)
        if isinstance(expr, Constant):
            return None
        if self.grouped:
            expr = self.of_group(expr) if not any(output.expr == expr for output in self.groups) else expr
        shown = next((output.label for output in (*self.groups, *self.others) if output.expr == expr), None)
        if shown is not None:
            return shown
        visible = {label for _, label in self.shown}
        if any(output.label not in visible for output in (*self.groups, *self.others)):
            return self.label_of(expr)
        return expr if not self.grouped or aggregated(expr) else self.label_of(expr)

    def child_read(self, e: exp.Select, *, inside: bool) -> Derived:
        """A SELECT inside this one, which may name what is read here where it stands `inside`."""
        reader = type(self)(self.desk, self.ctes, self if inside else self.outer)
        return reader.read(e)


def _outside(order: Order) -> Order:
    if isinstance(order.by, str):
        return order.model_copy(update={"by": ColumnRef(table="", column=order.by)})
    raise NotLifted("order by what is not shown")
