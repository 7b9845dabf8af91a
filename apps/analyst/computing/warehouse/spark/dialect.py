"""The compiler's DuckDB SQL as Spark SQL: sqlglot's translation, the rules of `rules`, the run's own table names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from apps.analyst.computing.warehouse.spark.pieces import NotOnSpark, piece
from apps.analyst.computing.warehouse.spark.repeats import count_once
from apps.analyst.computing.warehouse.spark.rules import MADE, NAMED, NODES

PLACE = "(row number)"
"""The compiler's name for a row's place in its file (plan.ROW_NUMBER)."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A statement for Spark. Parameters are called p1, p2 ... `placed`: the tables whose rows have to be numbered."""

    sql: str
    placed: frozenset[str]


def spoken(sql: str, names: Mapping[str, str]) -> Spoken:
    """`sql` for Spark; `names`: each table of the run and the view it is registered as. Raises NotOnSpark.

    A numbered table is read from the view `{name}_placed`, which has the column PLACE besides.
    """
    try:
        trees = sqlglot.parse(sql, read="duckdb")
        if len(trees) != 1 or not isinstance(trees[0], exp.Query):
            raise NotOnSpark("Only one SELECT statement can be run.")
        tree: Any = trees[0]
        _name_columns(tree)
        count_once(tree)
        placed = _number_rows(tree)
        _name_tables(tree, names, placed)
        _name_parameters(tree)
        _apply_rules(tree)
        for rewrite in (_values_of_own_groups, _sorted_by_what_is_shown, _groups_sorted_outside):
            rewrite(tree)
        _refuse_unknown(tree)
        text = tree.sql(dialect="spark", identify=True)
    except SqlglotError as error:
        raise NotOnSpark(f"The query cannot be read: {str(error).splitlines()[0][:200]}") from error
    return Spoken(text, frozenset(placed))


# ---------------------------------------------------------------- names
def _name_columns(tree: Any) -> None:
    """Columns without a name are called by their text, as DuckDB calls them."""
    for select in tree.find_all(exp.Select):
        for item in list(select.expressions):
            if not isinstance(item, exp.Alias | exp.Column | exp.Star):
                name = item.sql("duckdb").lower().replace("count(*)", "count_star()")
                item.replace(exp.alias_(item.copy(), name, quoted=True))


def _number_rows(tree: Any) -> set[str]:
    """Row numbers: of a stored table the place in its file, of other rows any number that is theirs alone."""
    placed: set[str] = set()
    for window in list(tree.find_all(exp.Window)):
        bare = not window.args.get("partition_by") and not window.args.get("order")
        if not isinstance(window.this, exp.RowNumber) or not bare:
            continue
        select: Any = window.find_ancestor(exp.Select)
        shown = window.parent
        source: Any = select.args["from_"].this if select.args.get("from_") else None
        alone = isinstance(source, exp.Table) and not select.args.get("joins") and len(select.expressions) == 2
        if alone and isinstance(shown, exp.Alias) and shown.alias == PLACE:
            shown.pop()
            source.set("alias", exp.TableAlias(this=exp.to_identifier(source.name, quoted=True)))
            source.set("placed", True)
            placed.add(source.name)
        else:
            window.set("order", exp.Order(expressions=[exp.Ordered(this=piece("monotonically_increasing_id()"))]))
    return placed


def _name_tables(tree: Any, names: Mapping[str, str], placed: set[str]) -> None:
    """Tables by the names they have in this run; there are no others."""
    known = {name.casefold(): view for name, view in names.items()}
    own = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        name = table.name
        if not isinstance(table.this, exp.Identifier) or table.args.get("db") or table.args.get("catalog"):
            raise NotOnSpark("Only the run's own tables can be read.")
        if name.casefold() in own:
            continue
        if name.casefold() not in known:
            raise NotOnSpark(f"There is no table {name!r}.")
        if not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
        numbered = table.args.pop("placed", None)
        view = known[name.casefold()] + ("_placed" if numbered else "")
        table.set("this", exp.to_identifier(view, quoted=True))


def _name_parameters(tree: Any) -> None:
    """`$3` and the third `?` are both called p3."""
    bare = 0
    for mark in list(tree.find_all(exp.Placeholder, bfs=False)):
        bare += mark.this is None
        mark.replace(exp.Placeholder(this=f"p{bare if mark.this is None else mark.name}"))


# ---------------------------------------------------------------- rules
def _apply_rules(tree: Any) -> None:
    """Every rule, from the leaves up."""
    for node in reversed(list(tree.walk(bfs=True))):
        rule = NODES.get(type(node))
        if isinstance(node, exp.Anonymous):
            rule = NAMED.get(node.name.lower())
        made = rule(node) if rule is not None else None
        if made is not None:
            node.replace(made)


def _values_of_own_groups(tree: Any) -> None:
    """The figure of a row's own group: one by its making, which Spark sees only where it is an aggregate."""
    for select in tree.find_all(exp.Select):
        source = select.args["from_"].this if select.args.get("from_") else None
        if isinstance(source, exp.Subquery) and source.alias == "_own":
            (value,) = select.expressions
            select.set("expressions", [exp.Max(this=value.copy())])


def _sorted_by_what_is_shown(tree: Any) -> None:
    """Distinct rows are sorted by their columns' names: what is below them cannot be seen any more."""
    for select in tree.find_all(exp.Select):
        order = select.args.get("order")
        if not select.args.get("distinct") or order is None:
            continue
        shown = {item.unalias(): item.alias for item in select.expressions if item.alias}
        for node in list(order.walk(bfs=True)):
            if node in shown and not isinstance(node, exp.Literal):
                node.replace(exp.column(shown[node], quoted=True))


def _groups_sorted_outside(tree: Any) -> None:
    """Groups sorted by a figure that is not shown get it as a column, and are sorted around that."""
    for select in reversed(list(tree.find_all(exp.Select))):
        order = select.args.get("order")
        hidden = [] if order is None else [term for term in order.expressions if not isinstance(term.this, exp.Literal)]
        if not hidden or select.args.get("group") is None or select.args.get("distinct"):
            continue
        shown = [exp.column(item.alias_or_name, quoted=True) for item in select.expressions]
        outside = ("order", "limit", "offset")
        inner = exp.Select(**{name: part for name, part in select.args.items() if name not in outside})
        for place, term in enumerate(hidden):
            inner.append("expressions", exp.alias_(term.this.copy(), f"_key{place}", quoted=True))
            term.set("this", exp.column(f"_key{place}", quoted=True))
        for name in [name for name in select.args if name not in outside]:
            select.set(name, None)
        select.set("expressions", shown)
        select.set("from_", exp.From(this=inner.subquery("_sorted")))


def _refuse_unknown(tree: Any) -> None:
    """No function passes that is not known to mean the same."""
    for node in tree.find_all(exp.Anonymous):
        if node.name.upper() not in MADE:
            raise NotOnSpark(f"The function {node.name!r} is not known on Spark.")
