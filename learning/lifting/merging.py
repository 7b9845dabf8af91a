"""A SELECT over one query of groups or of ranked rows as one SELECT. Nothing here knows a catalog."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from learning.lifting.sketches import NotLifted
from learning.lifting.trees import flatten_and, has_aggregate, number_of, source_of, unaliased, unwrap

Ctes = Mapping[str, exp.Expression]
_RANKED = (exp.RowNumber, exp.Rank, exp.DenseRank)


def merged(tree: exp.Select, ctes: Ctes) -> exp.Select:
    """The SELECT with the query that it reads written into it, as far down as that says the same."""
    inner = _read_alone(tree, ctes)
    if inner is None or tree.args.get("group") or tree.args.get("having") or tree.args.get("distinct"):
        return tree
    inner = merged(inner, ctes)
    windows = any(unaliased(e).find(exp.Window) for e in inner.expressions)
    whole = all(has_aggregate(e) for e in inner.expressions)
    if not inner.args.get("group") and not windows and not whole:
        return tree
    if any(inner.args.get(part) for part in ("limit", "distinct", "qualify", "offset")):
        return tree
    named = {e.alias_or_name.casefold(): unaliased(e) for e in inner.expressions if not isinstance(e, exp.Star)}
    outputs = [_written(e, named) for e in tree.expressions]
    if any(_counts_groups(e) for e in tree.expressions):
        return tree
    made = _with_explicit_groups(inner)
    made.set("expressions", outputs)
    where = tree.args.get("where")
    for part in flatten_and(where.this) if where is not None else ():
        _put(made, unwrap(part), named)
    qualify = tree.args.get("qualify")
    if qualify is not None and not _is_filled_before(unwrap(qualify.this), named):
        raise NotLifted("qualify over a query")
    for clause in ("order", "limit"):
        if tree.args.get(clause) is not None:
            made.set(clause, _written(tree.args[clause], named, kept_names=True))
    return made


def _read_alone(tree: exp.Select, ctes: Ctes) -> exp.Select | None:
    """The query that a SELECT reads, where it reads nothing else."""
    item = source_of(tree)
    if tree.args.get("joins"):
        return None
    found = item.this if isinstance(item, exp.Subquery) else None
    if isinstance(item, exp.Table):
        found = ctes.get(item.name.casefold())
    return found if isinstance(found, exp.Select) else None


def _with_explicit_groups(inner: exp.Select) -> exp.Select:
    """A copy whose GROUP BY names no places of the list of what is shown."""
    made = inner.copy()
    made.set("order", None)
    group = made.args.get("group")
    if group is None:
        return made
    outputs = [unaliased(e) for e in inner.expressions]
    names = {e.alias.casefold(): e.this for e in inner.expressions if isinstance(e, exp.Alias)}
    keys = []
    for key in group.expressions:
        if isinstance(key, exp.Literal) and not key.is_string:
            keys.append(outputs[int(key.this) - 1].copy())
        elif isinstance(key, exp.Column) and not key.table and key.name.casefold() in names:
            keys.append(names[key.name.casefold()].copy())
        else:
            keys.append(key.copy())
    if group.args.get("all"):
        keys = [e.copy() for e in outputs if not has_aggregate(e)]
    made.set("group", exp.Group(expressions=keys))
    return made


def _written(e: exp.Expression, named: Mapping[str, exp.Expression], *, kept_names: bool = False) -> exp.Expression:
    """The expression with what its names stand for; queries inside it stay as they are."""

    if isinstance(e, exp.Column) and not kept_names and e.name.casefold() in named:
        return exp.alias_(named[e.name.casefold()].copy(), e.name)
    made = exp.Paren(this=e.copy())
    for column in list(made.find_all(exp.Column)):
        if column.name.casefold() in named and not _is_inside(column, made, exp.Subquery):
            column.replace(exp.paren(named[column.name.casefold()].copy()))
    return made.this


def _counts_groups(e: exp.Expression) -> bool:
    """Whether the item folds the groups of the inner query: an aggregate that is no window."""
    e = unaliased(e)
    return any(not _is_inside(found, e, exp.Subquery, exp.Window) for found in e.find_all(exp.AggFunc))


def _is_inside(node: exp.Expression, top: exp.Expression, *kinds: type[exp.Expression]) -> bool:
    """Whether something of these kinds stands between a node and the top of its expression."""
    here = node
    while here is not top and here.parent is not None:
        here = here.parent
        if isinstance(here, kinds):
            return True
    return False


def _put(made: exp.Select, part: exp.Expression, named: Mapping[str, exp.Expression]) -> None:
    """A condition of the outer query where it belongs in the one: WHERE, HAVING or QUALIFY."""
    if _is_filled_before(part, named):
        return
    written = _written(part, named)
    ranks = [w for w in written.find_all(exp.Window) if isinstance(unwrap(w.this), _RANKED)]
    if ranks:
        if made.args.get("qualify") is not None or any(not w.args.get("partition_by") for w in ranks):
            raise NotLifted("a place among all")
        made.set("qualify", exp.Qualify(this=written))
        return
    if written.find(exp.Window):
        raise NotLifted("condition over a window")
    clause, kind = ("having", exp.Having) if has_aggregate(written) else ("where", exp.Where)
    before = made.args.get(clause)
    made.set(clause, kind(this=exp.and_(before.this, written) if before is not None else written))


def _is_filled_before(part: exp.Expression, named: Mapping[str, exp.Expression]) -> bool:
    """Whether a condition only leaves out the first period, which has none before it."""
    if isinstance(part, exp.Is):
        part = exp.Not(this=part)
    if not isinstance(part, exp.Not) or not isinstance(unwrap(part.this), exp.Is):
        return False
    return _written(unwrap(part.this).this, named).find(exp.Lag) is not None


def limited_groups(tree: exp.Expression, ctes: Ctes) -> exp.Select | None:
    """The query of the first groups by a figure that stands in the tree."""
    seen = [e for e in (tree, *ctes.values()) if e is not None]
    for query in (found for e in seen for found in e.find_all(exp.Select)):
        limit = query.args.get("limit")
        if limit is None or number_of(limit.expression) is None or query.args.get("order") is None:
            continue
        made = merged(query, ctes)
        if made.args.get("group"):
            return made
    return None
