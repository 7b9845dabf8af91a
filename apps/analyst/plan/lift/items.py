"""The items of a SELECT: keys of groups, figures, columns, what they are called, and what windows need beside them."""

from __future__ import annotations

from sqlglot import exp

from apps.analyst.computing.compile.walk import aggregated, has, windowed
from apps.analyst.plan import Aggregate, ColumnRef, Constant, Expr, Output, Query
from apps.analyst.plan.lift.lookups import is_key
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.scans import Named
from apps.analyst.plan.lift.sources import Sources
from apps.analyst.plan.lift.syntax import bare, has_aggregate, has_window, number_of
from apps.analyst.plan.lift.units import unit_of
from apps.analyst.plan.sentence import expr_words
from apps.analyst.telling.formats import capital, rows_noun

MOST_LABEL = 60


class Items(Sources):
    """Reads items."""

    grouped: bool = False
    groups: list[Output]
    others: list[Output]
    """The figures of a grouped SELECT, the columns of another."""
    shown: list[tuple[str, str]]
    """The name in SQL and the label of each item."""
    base: Query
    """What is read, before it is grouped: totals of windows are taken over it."""

    # ------------------------------------------------------------ groups and items
    def group_by(self, e: exp.Select, items: list[tuple[str, exp.Expr | Named]]) -> None:
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

    def _placed(self, e: exp.Expr, items: list[tuple[str, exp.Expr | Named]]) -> exp.Expr | Named:
        """The item that a key names by its place or alias, else the key."""
        e = bare(e)
        place = number_of(e)
        if place is not None:
            if not 1 <= place <= len(items):
                raise NotLifted("no such item")
            return items[int(place) - 1][1]
        return e

    def _expr(self, item: exp.Expr | Named) -> Expr:
        return item.expr if isinstance(item, Named) else self.value(item)

    def show(self, items: list[tuple[str, exp.Expr | Named]]) -> None:
        """The items, those that look across rows last: they name others."""
        labels: dict[int, str] = {}
        late = [i for i, (_, item) in enumerate(items) if isinstance(item, exp.Expr) and has_window(item)]
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
            expr = self.of_group(expr)
        label = self._label(name, expr)
        self.others.append(Output(label=label, expr=expr, unit=unit_of(expr, self.shape)))
        return label

    def of_group(self, expr: Expr) -> Expr:
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

    def tells_apart(self, exprs: list[Expr]) -> bool:
        """Whether no two rows of this SELECT have the same values of these."""
        if self.grouped:
            return all(group.expr in exprs for group in self.groups)
        columns = [self.scan.stored(expr) for expr in exprs]
        if any(column is not None and column.unique for column in columns):
            return not self.scan.joins
        labels = [expr.column for expr in exprs if isinstance(expr, ColumnRef) and expr.table == ""]
        return isinstance(self.scan.source, Query) and not self.scan.joins and is_key(self.scan.source, labels)

    def rows_query(self, figure: exp.Expr, keys: list[exp.Expr]) -> Query:
        """This SELECT's rows once more: a figure over all of them, or by a key."""
        if has_aggregate(figure.this) if isinstance(figure.this, exp.Expr) else False:
            raise NotLifted("total of groups")
        groups = tuple(Output(label="key", expr=self.value(key)) for key in keys)
        return self.base.model_copy(
            update={"groups": groups, "measures": (Output(label="figure", expr=self.figure(figure)),)}
        )

    # ------------------------------------------------------------ labels
    def _label(self, name: str, expr: Expr) -> str:
        """What a column of the result is called: as the query calls it where that is a word, else in our words."""
        label = name
        if len(name) < 3 and expr == Aggregate(fn="count") and isinstance(self.base.source, str):
            label = f"Number of {rows_noun(self.base.source)}" if not self.base.joins else "Number of rows"
        elif isinstance(expr, ColumnRef) and (not name or name.casefold() == expr.column.casefold()):
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


def _is_figure(item: exp.Expr) -> bool:
    return has_aggregate(item) or has_window(item)
