"""Whole queries: common table expressions, set operations, queries about the rows around them, figures without rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from sqlglot import exp

from apps.analyst.computing.compile.outputs import output_shapes
from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.plan import (
    ColumnRef,
    Combine,
    Expr,
    InQuery,
    NamedQuery,
    Node,
    Output,
    Plan,
    Query,
    ScalarQuery,
    SetOperation,
)
from apps.analyst.plan.conditions import all_of
from apps.analyst.plan.lift.conditions import either, packed
from apps.analyst.plan.lift.firsts import with_limits
from apps.analyst.plan.lift.reader import Cte
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.scans import Derived
from apps.analyst.plan.lift.selects import Selects
from apps.analyst.plan.lift.syntax import bare, conjuncts, has_aggregate, has_window, named, together
from apps.analyst.plan.lift.units import unit_of


class Queries(Selects):
    """Reads queries of every form."""

    # ------------------------------------------------------------ the statement
    def plan(self, tree: exp.Expr) -> Plan:
        """The plan of a whole statement."""
        tree, ctes = self._within(tree, self.ctes)
        reader = Queries(self.desk, ctes)
        if isinstance(tree, exp.SetOperation):
            return reader._set(tree)
        if isinstance(tree, exp.Select) and tree.args.get("from_") is None:
            return reader._combined(tree)
        return with_limits(reader.derived(tree, ctes).query)

    def _within(self, tree: exp.Expr, ctes: Mapping[str, Cte]) -> tuple[exp.Expr, Mapping[str, Cte]]:
        """The query without brackets, with the common table expressions that it knows."""
        while isinstance(tree, exp.Subquery) and not tree.args.get("joins"):
            tree = tree.this
        known = dict(ctes)
        with_ = tree.args.get("with_")
        if with_ is not None:
            if with_.args.get("recursive"):
                raise NotLifted("recursion")
            for cte in with_.expressions:
                names = cte.args["alias"].args.get("columns") if cte.args.get("alias") is not None else None
                if names:
                    raise NotLifted("columns named in front")
                known[cte.alias.casefold()] = Cte(cte.this, dict(known))
        return tree, known

    def derived(self, tree: exp.Expr, ctes: Mapping[str, Cte]) -> Derived:
        """A query of any form that gives one table."""
        tree, known = self._within(tree, ctes)
        reader = Queries(self.desk, known, self.outer)
        if isinstance(tree, exp.Select):
            return reader.read(tree)
        if isinstance(tree, exp.SetOperation):
            return reader._one_table(tree)
        raise NotLifted(f"query {type(tree).__name__}")

    def subquery(self, e: exp.Expr) -> Derived:
        """A query that stands inside, as a plan."""
        return Queries(self.desk, self.ctes, self).derived(e, self.ctes)

    # ------------------------------------------------------------ figures without rows
    def _combined(self, tree: exp.Select) -> Plan:
        parts: list[NamedQuery] = []

        def change(part: Node) -> Node | None:
            if not isinstance(part, ScalarQuery):
                return None
            if part.own is not None:
                raise NotLifted("looked up without rows")
            known = next((p.label for p in parts if p.query == part.query), None)
            if known is None:
                known = f"part {len(parts) + 1}"
                parts.append(NamedQuery(label=known, query=part.query))
            return ColumnRef(table="", column=known)

        if any(has_aggregate(item) or has_window(item) for item in tree.expressions):
            raise NotLifted("figures of nothing")
        self.groups, self.others = [], []
        outputs: list[Output] = []
        for item in tree.expressions:
            alone = self._alone(bare(item))
            unit = unit_of(alone, self.shape)
            expr: Expr = rewrite(alone, change)
            outputs.append(Output(label=self._label(named(item), expr), expr=expr, unit=unit))
            self.others.append(outputs[-1])
        if not parts:
            raise NotLifted("nothing is read")
        return Combine(parts=tuple(parts), outputs=tuple(outputs))

    def _alone(self, e: exp.Expr) -> Expr:
        return self.value(e)

    # ------------------------------------------------------------ sets
    def _set(self, tree: exp.SetOperation) -> Plan:
        if tree.args.get("limit") or tree.args.get("offset"):
            raise NotLifted("set with a limit")
        try:
            return self._one_table(tree).query
        except NotLifted:
            pass
        left, right = self.subquery(tree.left), self.subquery(tree.right)
        if isinstance(tree, exp.Union):
            if not tree.args.get("distinct") and not _differ(tree):
                raise NotLifted("union all")
            return SetOperation(op="union", left=_in_order(left), right=_in_order(right))
        op = "intersect" if isinstance(tree, exp.Intersect) else "except"
        return SetOperation(op=op, left=_in_order(left), right=_in_order(right))

    def _one_table(self, tree: exp.SetOperation) -> Derived:
        """A set of one table's rows as a condition on them."""
        if tree.args.get("limit") or tree.args.get("offset"):
            raise NotLifted("set with a limit")
        if isinstance(tree, exp.Union):
            return self._united(tree)
        left, right = self.subquery(tree.left), self.subquery(tree.right)
        query = left.query
        if not (query.columns and query.limit is None and query.having is None) or len(left.names) != len(
            query.columns
        ):
            columns = tuple(Output(label=label, expr=ColumnRef(table="", column=label)) for _, label in left.names)
            query = Query(source=query, columns=columns)
        shapes = output_shapes(query, self.desk.catalog)
        if len(shapes) > 1 and any(shape.type not in ("text", "integer") for shape in shapes.values()):
            raise NotLifted("set of several columns")
        by = {output.label: output.expr for output in query.columns}
        of = packed([by[label] for _, label in left.names])
        negated = isinstance(tree, exp.Except)
        within = InQuery(of=of, query=_packed_columns(right), negated=negated)
        where = all_of(query.where, within)
        return Derived(query.model_copy(update={"where": where, "distinct": True, "order": ()}), left.names)

    def _united(self, tree: exp.Union) -> Derived:
        """The rows that one or the other condition keeps."""
        left, right = self.subquery(tree.left), self.subquery(tree.right)
        a, b = left.query, right.query
        plain = {"where": None, "distinct": False, "order": ()}
        alike = a.columns and a.model_copy(update=plain) == b.model_copy(update=plain) and a.limit is None
        if not alike or not tree.args.get("distinct"):
            raise NotLifted("union")
        parts = [part for part in (a.where, b.where) if part is not None]
        where = either(parts) if len(parts) == 2 else None
        return Derived(a.model_copy(update={"where": where, "distinct": True, "order": ()}), left.names)

    # ------------------------------------------------------------ queries about the rows around them
    def correlated(self, e: exp.Select) -> tuple[Derived, Expr] | None:
        """A query about the rows around it: the groups of its key with its figure, and the key out here."""
        found = self._parted(e)
        if found is None:
            return None
        inside, outside, rest = found
        item = e.expressions[0]
        figure = bare(item)
        if e.args.get("group") or e.args.get("having") or len(e.expressions) != 1:
            raise NotLifted("groups of the row around")
        if not has_aggregate(figure):
            figure = exp.Max(this=figure.copy())
        rest.set("expressions", [exp.alias_(inside, "k_"), exp.alias_(figure.copy(), "v_")])
        rest.set("group", exp.Group(expressions=[inside.copy()]))
        for name in ("order", "limit", "distinct"):
            rest.set(name, None)
        derived = self.child_read(rest, inside=False)
        if len(derived.query.groups) != 1 or len(derived.query.measures) != 1:
            raise NotLifted("figure of the row around")
        return derived, outside

    def membership(self, e: exp.Select) -> tuple[Query, Expr]:
        """A query that EXISTS asks about: the keys that it holds, and the key out here."""
        found = self._parted(e)
        if found is None:
            raise NotLifted("exists of any row")
        inside, outside, rest = found
        rest.set("expressions", [exp.alias_(inside, "k_")])
        group = rest.args.get("group")
        if group is not None or rest.args.get("having") is not None:
            others = [key.copy() for key in group.expressions] if group is not None else []
            if others:
                raise NotLifted("exists of groups")
            rest.set("group", exp.Group(expressions=[inside.copy()]))
        for name in ("order", "limit"):
            rest.set(name, None)
        return self.child_read(rest, inside=False).query, outside

    def _parted(self, e: exp.Select) -> tuple[exp.Expr, Expr, exp.Select] | None:
        """The key inside, the key out here, and the query without what ties them."""
        where = e.args.get("where")
        start = e.args.get("from_")
        if where is None or start is None:
            return None
        scout = Queries(self.desk, self.ctes, self)
        bare_select = exp.select("*").from_(start.this.copy())
        bare_select.set("joins", [join.copy() for join in e.args.get("joins") or []])
        try:
            scout.read_from(bare_select)
        except NotLifted:
            return None
        inside: list[exp.Expr] = []
        outside: list[Expr] = []
        rest: list[exp.Expr] = []
        for part in conjuncts(where.this):
            if not scout.reaches_out(part):
                rest.append(part.copy())
                continue
            if not isinstance(part, exp.EQ) or scout.reaches_out(part.left) == scout.reaches_out(part.right):
                raise NotLifted("tied to the row around by more than a key")
            mine, theirs = (part.right, part.left) if scout.reaches_out(part.left) else (part.left, part.right)
            inside.append(bare(mine).copy())
            outside.append(self.value(theirs))
        if not inside:
            return None
        kept = e.copy()
        condition = together(rest)
        kept.set("where", exp.Where(this=condition) if condition is not None else None)
        return _packed_tree(inside), packed(outside), kept


def _packed_tree(parts: list[exp.Expr]) -> exp.Expr:
    bar = exp.Literal.string("|")
    return reduce(lambda a, b: exp.DPipe(this=exp.DPipe(this=a, expression=bar.copy()), expression=b), parts)


def _packed_columns(derived: Derived) -> Query:
    """The rows of a query as one column."""
    query = derived.query
    if len(derived.names) == 1 and len(query.columns or (*query.groups, *query.measures)) == 1:
        return query
    refs: list[Expr] = [ColumnRef(table="", column=label) for _, label in derived.names]
    return Query(source=query, columns=(Output(label="key", expr=packed(refs)),))


def _in_order(derived: Derived) -> Query:
    """The query with its columns as SQL lists them."""
    query = derived.query
    labels = [label for _, label in derived.names]
    if [output.label for output in (query.columns or (*query.groups, *query.measures))] == labels:
        return query
    columns = tuple(Output(label=label, expr=ColumnRef(table="", column=label)) for label in labels)
    return Query(source=query, columns=columns)


def _differ(tree: exp.SetOperation) -> bool:
    """Whether no row can stand on both sides, because a literal tells them apart."""
    if isinstance(tree.left, exp.SetOperation) or isinstance(tree.right, exp.SetOperation):
        return False
    pairs = zip(tree.left.expressions, tree.right.expressions, strict=False)
    return any(
        isinstance(bare(a), exp.Literal) and isinstance(bare(b), exp.Literal) and bare(a) != bare(b) for a, b in pairs
    )
