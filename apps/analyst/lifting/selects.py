"""A SELECT as a query: what is shown, by what it is grouped, filtered, sorted and cut."""

from __future__ import annotations



from sqlglot import exp

from apps.analyst.compile.walk import aggregated, has, windowed
from apps.analyst.formats import capital
from apps.analyst.lifting.flattening import flattened, stands_on_lookups, stands_on_repeats
from apps.analyst.lifting.reasons import NotLifted
from apps.analyst.lifting.scans import Derived, Named, all_of
from apps.analyst.lifting.sources import Sources
from apps.analyst.lifting.syntax import bare, conjuncts, has_aggregate, has_window, number_of, whole_of
from apps.analyst.plan import Aggregate, ColumnRef, Constant, Expr, Order, Output, Predicate, Query
from apps.analyst.sentence import expr_words

MOST_LABEL = 60


class Selects(Sources):
    """Reads a whole SELECT."""

    grouped: bool = False
    groups: list[Output]
    others: list[Output]
    """The figures of a grouped SELECT, the columns of another."""
    shown: list[tuple[str, str]]
    """The name in SQL and the label of each item."""
    base: Query
    """What is read, before it is grouped: totals of windows are taken over it."""

    def read(self, e: exp.Select) -> Derived:
        """The SELECT as a query."""
        if e.args.get("windows") or e.args.get("sample") or isinstance(e.args.get("distinct"), exp.Distinct) and (
            e.args["distinct"].args.get("on")
        ):
            raise NotLifted("named windows, samples or distinct on")
        self.read_from(e)
        items = self.items_of(e)
        self.aliases = {name.casefold(): item for name, item in items if isinstance(item, exp.Expression)}
        for item in e.expressions:
            if not isinstance(item, exp.Alias):
                self.aliases.pop(item.alias_or_name.casefold(), None)
        self.groups, self.others, self.shown, self.base = [], [], [], self.scan.query()
        having, qualify = (self._clause(e, name) for name in ("having", "qualify"))
        figures = [item for _, item in items if isinstance(item, exp.Expression) and has_aggregate(item)]
        self.grouped = bool(e.args.get("group") or figures or (having is not None and has_aggregate(having)))
        if self.grouped:
            self._group(e, items)
        self._show(items)
        if having is not None and not self.grouped:
            qualify, having = having, qualify
        conditions = [self.condition(part) for part in (having, qualify) if part is not None]
        return self._assembled(e, all_of(conditions))

    def _clause(self, e: exp.Select, name: str) -> exp.Expression | None:
        clause = e.args.get(name)
        return clause.this if clause is not None else None

    # ------------------------------------------------------------ groups and items
    def _group(self, e: exp.Select, items: list[tuple[str, exp.Expression | Named]]) -> None:
        group = e.args.get("group")
        if group is None:
            return
        if any(group.args.get(kind) for kind in ("rollup", "cube", "grouping_sets")):
            raise NotLifted("several groupings")
        single = [(name, item) for name, item in items if isinstance(item, Named) or not _is_figure(item)]
        labelled = [(name, self._expr(item)) for name, item in single] if not group.args.get("all") else []
        if group.args.get("all"):
            keys = [self._expr(item) for _, item in single]
            labelled = [(name, expr) for (name, _), expr in zip(single, keys, strict=True)]
        else:
            keys = [self._expr(self._placed(key, items)) for key in group.expressions]
        for key in keys:
            if isinstance(key, Constant) or any(output.expr == key for output in self.groups):
                continue
            name = next((name for name, expr in labelled if expr == key), "")
            self.groups.append(Output(label=self._label(name, key), expr=key))

    def _placed(self, e: exp.Expression, items: list[tuple[str, exp.Expression | Named]]) -> exp.Expression | Named:
        """The item that a key names by its place or alias, else the key."""
        e = bare(e)
        place = number_of(e)
        if place is not None:
            if not 1 <= place <= len(items):
                raise NotLifted("no such item")
            return items[int(place) - 1][1]
        return e

    def _expr(self, item: exp.Expression | Named) -> Expr:
        return item.expr if isinstance(item, Named) else self.value(item)

    def _show(self, items: list[tuple[str, exp.Expression | Named]]) -> None:
        """The items, those that look across rows last: they name others."""
        labels: dict[int, str] = {}
        late = [i for i, (_, item) in enumerate(items) if isinstance(item, exp.Expression) and has_window(item)]
        for i in [*(i for i in range(len(items)) if i not in late), *late]:
            name, item = items[i]
            labels[i] = self._output(name if not name.startswith("column ") else "", self._expr(item))
        if not self.grouped:
            place = {label: i for i, label in labels.items()}
            self.others.sort(key=lambda output: place.get(output.label, len(items)))
        self.shown = [(name, labels[i]) for i, (name, _) in enumerate(items)]

    def _output(self, name: str, expr: Expr) -> str:
        """Adds an item; its label."""
        if self.grouped:
            found = next((output.label for output in self.groups if output.expr == expr), None)
            if found is not None:
                return found
            expr = self._of_group(expr)
        label = self._label(name, expr)
        self.others.append(Output(label=label, expr=expr))
        return label

    def _of_group(self, expr: Expr) -> Expr:
        """What is no key and no figure: the same within each group, so that any of its values will do."""
        if aggregated(expr) or windowed(expr):
            return expr
        if isinstance(expr, ColumnRef) or has(expr, ColumnRef):
            return Aggregate(fn="min", of=expr)
        return Aggregate(fn="max", of=expr) if not isinstance(expr, Constant) else self._constant(expr)

    def _constant(self, expr: Constant) -> Expr:
        raise NotLifted("literal beside figures")

    def label_of(self, expr: Expr) -> str:
        """The output of this SELECT that is the expression; a hidden one where none is."""
        found = next((output.label for output in (*self.groups, *self.others) if output.expr == expr), None)
        if found is not None:
            return found
        if self.grouped and not aggregated(expr):
            raise NotLifted("window over what is no group")
        label = self._label("", expr)
        self.others.append(Output(label=label, expr=expr))
        return label

    def ascends(self, expr: Expr) -> bool:
        """Whether a window that is sorted by this output runs upwards."""
        if not self.grouped or any(output.expr == expr for output in self.groups):
            return True
        return not self.shape(expr).numeric

    def rows_query(self, figure: exp.Expression, keys: list[exp.Expression]) -> Query:
        """This SELECT's rows once more: a figure over all of them, or by a key."""
        if has_aggregate(figure.this) if isinstance(figure.this, exp.Expression) else False:
            raise NotLifted("total of groups")
        groups = tuple(Output(label="key", expr=self.value(key)) for key in keys)
        return self.base.model_copy(
            update={"groups": groups, "measures": (Output(label="figure", expr=self.figure(figure)),)}
        )

    # ------------------------------------------------------------ labels
    def _label(self, name: str, expr: Expr) -> str:
        """What a column of the result is called: as the query calls it where that is a word, else in our words."""
        label = name
        if isinstance(expr, ColumnRef) and (not name or name.casefold() == expr.column.casefold()):
            label = expr.column
        elif len(name) < 3:
            label = capital(expr_words(expr))[:MOST_LABEL].strip() or name
        elif "_" in name:
            label = capital(name.replace("_", " ").strip()) or name
        taken = {output.label.casefold() for output in (*self.groups, *self.others)}
        made, count = label, 1
        while made.casefold() in taken:
            count += 1
            made = f"{label} ({count})"
        return made

    # ------------------------------------------------------------ the whole
    def _assembled(self, e: exp.Select, having: Predicate | None) -> Derived:
        distinct = bool(e.args.get("distinct"))
        limit, offset = e.args.get("limit"), e.args.get("offset")
        if having is not None and windowed(having) is False and any(windowed(output.expr) for output in self.others):
            raise NotLifted("groups filtered before windows")
        orders = self._orders(e, distinct)
        visible = list(dict.fromkeys(label for _, label in self.shown))
        hidden = [o.label for o in (*self.groups, *self.others) if o.label not in visible]
        query = self.base.model_copy(update={"having": having, **self._outputs()})
        query = self._by_rows(query)
        looks_across = any(windowed(output.expr) for output in self.others)
        twice = distinct and (looks_across if not self.grouped else bool(hidden) or looks_across)
        cut = {
            "limit": whole_of(limit.expression, "limit") if limit is not None else None,
            "offset": whole_of(offset.expression, "offset") if offset is not None else 0,
        }
        if cut["limit"] == 0:
            raise NotLifted("limit of nothing")
        if not hidden and not twice:
            query = query.model_copy(update={"order": orders, "distinct": distinct and not self.grouped, **cut})
        else:
            query = self._outer(query, visible, orders, distinct, cut)
        return Derived(query, tuple(self.shown))

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

    def _outer(
        self, query: Query, visible: list[str], orders: tuple[Order, ...], distinct: bool, cut: dict[str, int | None]
    ) -> Query:
        """The query with what is hidden left out."""
        columns = tuple(Output(label=label, expr=ColumnRef(table="", column=label)) for label in visible)
        by = tuple(_outside(order) for order in orders)
        return Query(source=query, columns=columns, distinct=distinct, order=by, **cut)  # type: ignore[arg-type]

    # ------------------------------------------------------------ order
    def _orders(self, e: exp.Select, distinct: bool) -> tuple[Order, ...]:
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

    def _order_by(self, e: exp.Expression) -> str | Expr | None:
        name = e.name.casefold() if isinstance(e, exp.Column) and not e.table else ""
        label = next((label for alias, label in self.shown if name and alias.casefold() == name), None)
        if label is not None:
            return label
        expr = self.value(e)
        if isinstance(expr, Constant):
            return None
        if self.grouped:
            expr = self._of_group(expr) if not any(output.expr == expr for output in self.groups) else expr
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
        return replace_by(order, ColumnRef(table="", column=order.by))
    raise NotLifted("order by what is not shown")


def replace_by(order: Order, by: Expr) -> Order:
    """The order by something else."""
    return order.model_copy(update={"by": by})


def _is_figure(item: exp.Expression) -> bool:
    return has_aggregate(item) or has_window(item)


