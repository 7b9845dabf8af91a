"""From a sketch to a plan: which tables are joined and how, what the plan's nodes are, what the columns are called.

A sketch (see `sketch`) names columns, values, numbers and dates; this adds what follows from the catalog alone. Nothing
here looks at the question's words. Raises Unfit where the sketch has no sound plan (tables that do not meet, rows that
a join would multiply).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from apps.analyst.computing.compile.walk import aggregated
from apps.analyst.plan import Aggregate, ColumnRef, Expr, Join, Order, Output, Plan, Query, ScalarQuery
from apps.analyst.reading.composing_apart import apart
from apps.analyst.reading.composing_figures import FigureComposer, in_one
from apps.analyst.reading.composing_rows import GRAINS, percent
from apps.analyst.reading.contrasted import told_apart
from apps.analyst.reading.joining import Apart, Schema, Unfit, scan, schema_of
from apps.analyst.reading.sketch import NOTHING, Sketch, walk

__all__ = ["Schema", "Unfit", "compose", "schema_of"]


def compose(sketch: Sketch, schema: Schema) -> Plan:
    """The plan that a sketch means. Raises Unfit."""
    try:
        return _Composer(schema).root(sketch)
    except Apart:
        return _Composer(schema).root(apart(sketch, schema))


@dataclass
class _Composer(FigureComposer):
    used: set[str] = field(default_factory=set)
    """The labels that are taken."""

    def figure_alone(self, figure: Sketch, pred: Sketch) -> Query:
        return _Composer(self.schema).root(("agg", ("m1", figure), pred))

    def groups_alone(self, keys: Sketch, figure: Sketch, pred: Sketch) -> Query:
        alone = _Composer(self.schema)
        source, joins = alone.scanned(keys, figure, pred)
        if alone.repeats:
            raise Unfit("rows that a join repeats")
        groups = alone.keys(keys) if keys[1:] else ()
        one = (Output(label=groups[0].label, expr=in_one([group.expr for group in groups])),) if groups else ()
        where = alone.where(_also(pred, alone.gaps(keys)))
        return Query(source=source, joins=joins, where=where, groups=one, measures=alone.measures(("m1", figure)))

    def members_alone(self, s: Sketch) -> Query:
        return _Composer(self.schema).members(s)

    # ---------------------------------------------------------------- queries
    def scanned(self, *nodes: Sketch) -> tuple[str, tuple[Join, ...]]:
        """The table that is read for the nodes, and the joins."""
        found = scan(self.schema, *nodes)
        self.source, self.repeats = found.source, found.repeats
        return found.source, found.joins

    def root(self, s: Sketch) -> Query:
        self.used = set()
        match s[0]:
            case "rows" | "things":
                return self.listing(s)
            case "agg":
                source, joins = self.scanned(s[1], s[2])
                measures = self.measures(s[1])
                made = Query(source=source, joins=joins, where=self.where(s[2]), measures=measures)
                return made if all(aggregated(output.expr) for output in measures) else _side_by_side(made)
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
            case "over_rate":
                return self.share_of_groups(s)
            case "top_share":
                return self.share_of_first(s)
        raise Unfit(s[0])

    def share_of_groups(self, s: Sketch) -> Query:
        """How many of 100 groups fulfil a condition."""
        _, keys, pred, having = s
        figures = list(dict.fromkeys(held_figures(having)))
        if not figures or any(part[0].startswith(("havg", "hall")) for part in walk(having)):
            raise Unfit("a share of groups by no condition of their own")
        inner = self.groups_of(keys, figures[0], pred, ("nohaving",), *figures[1:])
        named = {figure: ColumnRef(table="", column=m.label) for figure, m in zip(figures, inner.measures, strict=True)}
        told = self.schema.names.share_of_groups(keys, having)
        self.used = set()
        kept = Aggregate(fn="count", where=self.held(having, named.__getitem__))
        share = Output(label=self.label(told), expr=percent(kept, Aggregate(fn="count")), unit="%")
        return Query(source=inner, measures=(share,))

    def share_of_first(self, s: Sketch) -> Query:
        """How much of a whole the biggest groups make up."""
        _, keys, figure, pred, count = s
        if (figure[1] if figure[0] == "given" else figure)[0] not in ("sum", "count"):
            raise Unfit("groups that do not add up")
        inner = self.groups_of(keys, figure, pred, ("nohaving",))
        shown = inner.measures[0].label
        first = inner.model_copy(update={"order": (Order(by=shown, descending=True),), "limit": self.limit(count)})
        told = self.schema.names.share_of_first(keys, figure, 1 if count == ("one",) else int(count[1][1]))
        self.used = set()
        part = Aggregate(fn="sum", of=ColumnRef(table="", column=shown))
        whole = ScalarQuery(query=self.figure_alone(figure, pred))
        return Query(source=first, measures=(Output(label=self.label(told), expr=percent(part, whole), unit="%"),))

    def listing(self, s: Sketch) -> Query:
        _, values, pred, last = s
        source, joins = self.scanned(values, pred, last)
        columns = tuple(
            Output(label=self.label(self.schema.names.key(v)), expr=self.key(v), unit=self.unit(v)) for v in values[1:]
        )
        order: tuple[Order, ...] = ()
        per: tuple[str, ...] = ()
        limit = None
        where = pred
        if last != ("all",):
            kind, way, by, count = last
            if by[0] != "byv" or (kind == "per" and len(columns) < 2):
                raise Unfit("rows are sorted by their own values")
            per = (columns[0].label,) if kind == "per" else ()
            expr = self.key(by[1])
            shown = next((c.label for c in columns if c.expr == expr), None)
            order = (Order(by=shown if shown is not None else expr, descending=way == ("desc",)),)
            limit = self.limit(count)
            sorted_by = (by[1], values[1]) if per else (by[1],)
            gaps = dict.fromkeys(c for node in sorted_by for c in _columns(node) if self.schema.column(c).missing)
            where = _also(pred, [("filled", c) for c in gaps])
        distinct = s[0] == "things" or (joins != () and last == ("all",))
        return Query(
            source=source,
            joins=joins,
            where=self.where(where),
            columns=columns,
            distinct=distinct and not order,
            order=order,
            limit=limit,
            limit_per=per,
        )

    def groups_of(self, keys: Sketch, figure: Sketch | None, pred: Sketch, having: Sketch, *others: Sketch) -> Query:
        """The groups, with a figure of each where one is given, and others."""
        extra = (figure, *others) if figure is not None else ()
        source, joins = self.scanned(keys, pred, having, *extra)
        groups = self.keys(keys)
        where = self.where(_also(pred, self.gaps(keys)))
        measures = tuple(
            Output(label=self.label(self.schema.names.figure(one)), expr=self.figure(one, groups)) for one in extra
        )
        made = Query(source=source, joins=joins, where=where, groups=groups, measures=measures)
        return made.model_copy(update={"having": self.having(having, made)}) if having != ("nohaving",) else made

    def grouped(self, s: Sketch) -> Query:
        _, keys, figures, pred, having, last = s
        keys = told_apart(keys, pred)
        source, joins = self.scanned(keys, figures, pred, having, last)
        groups = self.keys(keys)
        measures = self.measures(figures, groups)
        where = self.where(_also(pred, self.gaps(keys)))
        made = Query(source=source, joins=joins, where=where, groups=groups, measures=measures)
        if having != ("nohaving",):
            made = made.model_copy(update={"having": self.having(having, made)})
        if last == ("all",):
            times = tuple(Order(by=g.label) for g, k in zip(groups, keys[1:], strict=True) if k[0] in GRAINS)
            return made.model_copy(update={"order": times}) if times else made
        return self.ranked(made, last)

    def ranked(self, query: Query, last: Sketch) -> Query:
        """The groups cut to the first ones, or to the first of each."""
        kind, way, by, count = last
        if kind == "per" and len(query.groups) < 2:
            raise Unfit("first of each without groups")
        if by[0] == "bym" and not query.measures:
            # The names are the answer; the figure that ranks them stands beside them as its proof.
            query = query.model_copy(update={"measures": self.measures(("m1", by[1]), query.groups)})
        order = (Order(by=self.ranked_by(by, query), descending=way == ("desc",)),)
        per = (query.groups[0].label,) if kind == "per" else ()
        return query.model_copy(update={"order": order, "limit": self.limit(count), "limit_per": per})

    def ranked_by(self, by: Sketch, query: Query) -> str | Expr:
        """What groups are ranked by: the label of what is shown, else what is computed for it."""
        if by == ("by1",):
            if not query.measures:
                raise Unfit("order by a figure that is not there")
            return query.measures[0].label
        of_figure = by[0] == "bym"
        expr = self.figure(by[1], query.groups) if of_figure else self.key(by[1])
        shown = query.measures if of_figure else query.groups
        return next((output.label for output in shown if output.expr == expr), expr)

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

    def members(self, s: Sketch) -> Query:
        _, column, pred, having = s
        if having == ("nohaving",):
            source, joins = self.scanned(column, pred)
            return Query(
                source=source,
                joins=joins,
                where=self.where(pred),
                columns=(Output(label="Members", expr=self.value(column)),),
                distinct=True,
            )
        return self.groups_of(("k1", column), None, pred, having)

    # ---------------------------------------------------------------- outputs
    def label(self, text: str) -> str:
        made, number = text, 2
        while made.casefold() in self.used:
            made, number = f"{text} ({number})", number + 1
        self.used.add(made.casefold())
        return made

    def keys(self, node: Sketch) -> tuple[Output, ...]:
        if len(set(node[1:])) < len(node) - 1:
            raise Unfit("one key twice")
        return tuple(Output(label=self.label(self.schema.names.key(k)), expr=self.key(k)) for k in node[1:])

    def measures(self, node: Sketch, groups: tuple[Output, ...] = ()) -> tuple[Output, ...]:
        if len(set(node[1:])) < len(node) - 1:
            raise Unfit("a figure beside itself")
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
        return self.figure_unit(node[1]) if node[0] in ("given", "running", "minus", "beside") else None


def _side_by_side(query: Query) -> Query:
    """Figures of one table with those of others, which hold also where that table has no rows."""
    own = tuple(output for output in query.measures if aggregated(output.expr))
    if not own:
        return query
    columns = tuple(
        output.model_copy(update={"expr": ColumnRef(table="", column=output.label)}) if output in own else output
        for output in query.measures
    )
    return Query(source=query.model_copy(update={"measures": own}), columns=columns)


def held_figures(having: Sketch) -> Iterator[Sketch]:
    """The figures that a condition of groups names."""
    if having[0] == "hand":
        yield from held_figures(having[1])
        yield from held_figures(having[2])
    elif having[0] != "nohaving":
        yield having[1]
        if having[0].startswith("hm"):
            yield having[2]


def _also(pred: Sketch, more: list[Sketch]) -> Sketch:
    for extra in more:
        pred = extra if pred == NOTHING else ("and", pred, extra)
    return pred


def _columns(node: Sketch) -> Iterator[Sketch]:
    for part in walk(node):
        if part[0] == "C":
            yield part
