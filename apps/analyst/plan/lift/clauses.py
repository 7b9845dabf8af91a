"""Every clause of a query is one that the reader knows. What it does not look at would be left out of the plan without
a word, and the plan would say something else."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from apps.analyst.plan.lift.reasons import NotLifted

_LISTED = frozenset({"with_", "order", "limit", "offset"})
_KNOWN: Mapping[type[exp.Expr], frozenset[str]] = {
    exp.Select: _LISTED
    | {"expressions", "from_", "joins", "where", "group", "having", "qualify", "distinct", "windows"},
    exp.SetOperation: _LISTED | {"this", "expression", "distinct"},
    exp.Subquery: frozenset({"this", "alias", "with_"}),
    exp.Table: frozenset({"this", "alias", "db", "catalog"}),
    exp.Join: frozenset({"this", "on", "using", "side", "kind", "method"}),
    exp.Ordered: frozenset({"this", "desc"}),
    exp.Limit: frozenset({"expression"}),
    exp.Window: frozenset({"this", "partition_by", "order", "spec", "over", "alias"}),
}
"""What is read elsewhere of each part of a query; its values are held for what they are where they are read."""
_JOINS = frozenset({"", "INNER", "OUTER", "CROSS"})
_SAID = {
    "pivots": "pivot",
    "sample": "sample",
    "nulls_first": "missing values first",
    "limit_options": "part of the rows",
}


def only_known(tree: exp.Expr) -> None:
    """Raises NotLifted with the first clause that nothing reads."""
    for node in tree.walk():
        known = next((names for kind, names in _KNOWN.items() if isinstance(node, kind)), None)
        if known is not None:
            other = next((name for name, value in node.args.items() if value and name not in known), None)
            if other is not None:
                raise NotLifted(_SAID.get(other, other.replace("_", " ").strip()))
        _held(node)


def _held(node: exp.Expr) -> None:
    """The same of clauses that are known by their values."""
    if isinstance(node, exp.Join) and (kind := str(node.args.get("kind") or "")) not in _JOINS:
        raise NotLifted(f"{kind.lower()} join")
    if isinstance(node, exp.Join) and (way := str(node.args.get("method") or "")) not in ("", "NATURAL"):
        raise NotLifted(f"{way.lower()} join")
    if isinstance(node, exp.Except | exp.Intersect) and not node.args.get("distinct"):
        raise NotLifted(f"{type(node).__name__.lower()} all")
    if isinstance(node, exp.TableAlias) and node.args.get("columns") and not isinstance(node.parent, exp.CTE):
        raise NotLifted("columns named behind")
    if isinstance(node, exp.In) and any(isinstance(one, exp.Null) for one in node.expressions):
        raise NotLifted("member that is missing")
    if isinstance(node, exp.Window) and isinstance(node.this, exp.IgnoreNulls):
        raise NotLifted("earlier rows without missing values")
