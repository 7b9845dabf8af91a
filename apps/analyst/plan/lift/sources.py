"""FROM: stored tables are joined, SELECTs that only filter and rename are merged, others are nested or looked up."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from apps.analyst.computing.compile.walk import references
from apps.analyst.plan import ColumnRef, Conditional, JoinKey, Predicate
from apps.analyst.plan.conditions import all_of
from apps.analyst.plan.lift.conditions import is_always
from apps.analyst.plan.lift.lookups import Item, Lookups
from apps.analyst.plan.lift.reader import Cte
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.scans import Columns, Named, table_columns
from apps.analyst.plan.lift.syntax import bare, conjuncts, has_aggregate, has_window, named, uncast

_NOT_BY_ROW = ("group", "having", "distinct", "limit", "offset", "qualify", "with_")
_FOLDING = (exp.Lower, exp.Upper, exp.Trim)


class Sources(Lookups):
    """Reads FROM and the joins."""

    def read_from(self, e: exp.Select) -> None:
        """Fills the scan and the names; conditions that are no keys are filters."""
        items = self._items(e)
        where = e.args.get("where")
        self.pool = [part for item in items if not item.side for part in item.on]
        self.pool += [part for part in conjuncts(where.this) if not is_always(part)] if where is not None else []
        order = [item.alias for item in items]
        self._open_first(items)
        while items:
            self._open_next(items)
        self.names.tables = {alias: self.names.tables[alias] for alias in order}
        self.scan.where += [self.condition(part) for part in self.pool]
        self.pool = []

    # ------------------------------------------------------------ what stands in FROM
    def _items(self, e: exp.Select) -> list[Item]:
        start = e.args.get("from_")
        if start is None:
            raise NotLifted("nothing is read")
        items = [self._item(start.this)]
        for join in e.args.get("joins") or []:
            side = (join.side or "").lower()
            if side == "full" or (not side and (join.kind or "").upper() == "OUTER"):
                raise NotLifted("full join")
            item = self._item(join.this)
            if (join.args.get("method") or "").upper() == "NATURAL":
                raise NotLifted("natural join")
            item.side = "left" if side in ("left", "right") else ""
            on = join.args.get("on")
            item.on = [part for part in conjuncts(on) if not is_always(part)] if on is not None else []
            item.on += self._using(join.args.get("using") or [], items, item)
            items.append(item)
            if side == "right":
                if len(items) != 2:
                    raise NotLifted("right join")
                items.reverse()
                items[0].side, items[1].side, items[1].on = "", "left", items[0].on
                items[0].on = []
        if len({item.alias for item in items}) != len(items):
            raise NotLifted("two sources of one name")
        return items

    def _item(self, node: exp.Expr) -> Item:
        if isinstance(node, exp.Table) and not isinstance(node.this, exp.Identifier):
            raise NotLifted("table function")
        if not isinstance(node, exp.Table | exp.Subquery):
            raise NotLifted(f"source {type(node).__name__}")
        if node.args.get("joins"):
            raise NotLifted("joins in brackets")
        name = node.alias or (node.name if isinstance(node, exp.Table) else f"_{id(node)}")
        return Item(node, name.casefold())

    def _using(self, columns: list[exp.Expr], before: list[Item], item: Item) -> list[exp.Expr]:
        found: list[exp.Expr] = []
        for column in columns:
            owner = next((b for b in before if self._has(b, column.name)), None)
            if owner is None:
                raise NotLifted("no such column")
            left = exp.column(column.name, table=owner.alias, quoted=True)
            found.append(exp.EQ(this=left, expression=exp.column(column.name, table=item.alias, quoted=True)))
        return found

    def _has(self, item: Item, column: str) -> bool:
        """Whether a source has a column of that name."""
        tree, _ = self.tree_of(item.node)
        if tree is None:
            return column.casefold() in table_columns(self.desk.table(item.node.name), "")
        select = tree
        while isinstance(select, exp.SetOperation):
            select = select.left
        names = {named(part).casefold() for part in select.expressions}
        starred = any(isinstance(part, exp.Star) for part in select.expressions)
        return column.casefold() in names or starred

    # ------------------------------------------------------------ one after the other
    def _open_first(self, items: list[Item]) -> None:
        """Starts with what has to be nested, where the joins can be turned round."""
        inner = not any(item.side for item in items)
        nested = [item for item in items if not self._by_row(item.node, alone=False)]
        groups = [item for item in nested if not self.one_row(item.node)]
        stored = [item for item in items if item not in nested]
        first = (groups or stored or nested)[0] if inner else items[0]
        items.remove(first)
        tree, ctes = self.tree_of(first.node)
        if tree is None:
            table = self.desk.table(first.node.name)
            if self.scan.source is not None:
                raise NotLifted("source within a source")
            self.scan.source = table.name
            self.names.tables[first.alias] = table_columns(table, table.name)
        elif self._by_row(first.node, alone=False):
            self.names.tables[first.alias] = self._merged(tree, ctes)
        else:
            derived = self.derived(tree, ctes)
            self.scan.source = derived.query
            self.names.tables[first.alias] = derived.columns()

    def _open_next(self, items: list[Item]) -> None:
        """Joins the first of the rest that is tied to what is read already."""
        for item in items:
            if self._by_row(item.node, alone=True):
                if self._joined(item):
                    items.remove(item)
                    return
            elif self.looked_up(item):
                items.remove(item)
                return
        raise NotLifted("join without a key")

    def _joined(self, item: Item) -> bool:
        before, kept = set(self.scan.pending), len(self.scan.where)
        columns = self._opened(item.node)
        alias = next(alias for alias in self.scan.pending if alias not in before)
        self.names.tables[item.alias] = columns
        candidates = item.on if item.side else self.pool
        keys = {id(part): key for part in candidates if (key := self._key(part, alias)) is not None}
        if not keys:
            del self.names.tables[item.alias]
            del self.scan.pending[alias]
            del self.scan.where[kept:]
            return False
        rest = [part for part in candidates if id(part) not in keys]
        if item.side and (rest or len(self.scan.where) > kept):
            met = [*(self.condition(part) for part in rest), *self.scan.where[kept:]]
            del self.scan.where[kept:]
            self.names.tables[item.alias] = self._partly(columns, alias, all_of(*met))
        self.scan.join(alias, tuple(keys.values()), "left" if item.side else "inner")
        if not item.side:
            self.pool = rest
        return True

    def _partly(self, columns: Columns, alias: str, met: Predicate | None) -> Columns:
        """Columns that are missing where the condition of an outer join does not hold."""
        if met is None or {ref.table for ref in references(met)} != {alias}:
            raise NotLifted("outer join on a condition")
        self.scan.partly.add(alias)
        return {n: Named(c.label, Conditional(when=met, then=c.expr)) for n, c in columns.items()}

    def _key(self, e: exp.Expr, alias: str) -> JoinKey | None:
        """The condition as a key of the pending table."""
        if not isinstance(e, exp.EQ):
            return None
        left, right = uncast(e.left), uncast(e.right)
        fold = isinstance(left, _FOLDING) and isinstance(right, _FOLDING)
        if fold:
            left, right = uncast(left.this), uncast(right.this)
        if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
            return None
        found = [self.names.find(left), self.names.find(right)]
        refs = [name.expr for name in found if name is not None and isinstance(name.expr, ColumnRef)]
        if len(refs) != 2 or [ref.table for ref in refs].count(alias) != 1:
            return None
        if any(ref.table in self.scan.pending and ref.table != alias for ref in refs):
            return None
        mine, theirs = (refs[0], refs[1]) if refs[0].table == alias else (refs[1], refs[0])
        return JoinKey(left=theirs, right=mine, fold=fold)

    # ------------------------------------------------------------ merging
    def _by_row(self, node: exp.Expr, *, alone: bool) -> bool:
        """Whether a source is a stored table, or only filters and renames one (several, unless `alone`)."""
        tree, _ = self.tree_of(node)
        if tree is None:
            return True
        if not isinstance(tree, exp.Select) or any(tree.args.get(name) for name in _NOT_BY_ROW):
            return False
        start, joins = tree.args.get("from_"), tree.args.get("joins")
        if start is None or (alone and joins):
            return False
        if any(has_aggregate(item) or has_window(item) for item in tree.expressions):
            return False
        child = self.child(self.tree_of(node)[1])
        return child._by_row(start.this, alone=alone) if alone or not joins else True

    def _opened(self, node: exp.Expr) -> Columns:
        """The columns of one more stored table, pending, perhaps filtered and renamed."""
        tree, ctes = self.tree_of(node)
        if tree is None:
            table = self.desk.table(node.name)
            alias = self.scan.alias_for(table)
            self.scan.pending[alias] = table.name
            return table_columns(table, alias)
        assert isinstance(tree, exp.Select)
        child = self.child(ctes)
        child.scan = self.scan
        start = tree.args["from_"].this
        child.names.tables[child._item(start).alias] = child._opened(start)
        where = tree.args.get("where")
        if where is not None:
            self.scan.where += [child.condition(part) for part in conjuncts(where.this) if not is_always(part)]
        return child.listed(tree)

    def _merged(self, tree: exp.Expr, ctes: Mapping[str, Cte]) -> Columns:
        """The columns of a SELECT by rows, over the same scan."""
        assert isinstance(tree, exp.Select)
        child = self.child(ctes)
        child.scan = self.scan
        child.read_from(tree)
        return child.listed(tree)

    def listed(self, e: exp.Select) -> Columns:
        """The items of a SELECT by rows."""
        made: Columns = {}
        for name, item in self.items_of(e):
            expr = item.expr if isinstance(item, Named) else self.value(item)
            made[name.casefold()] = Named(item.label if isinstance(item, Named) else name, expr)
        return made

    def items_of(self, e: exp.Select) -> list[tuple[str, exp.Expr | Named]]:
        """The items of a SELECT with their names, stars written out."""
        found: list[tuple[str, exp.Expr | Named]] = []
        for item in e.expressions:
            star = item.this if isinstance(item, exp.Column) and isinstance(item.this, exp.Star) else item
            if isinstance(star, exp.Star):
                left_out = {str(part.name).casefold() for part in star.args.get("except_") or []}
                if star.args.get("replace") or star.args.get("rename"):
                    raise NotLifted("star with replacements")
                table = item.table if isinstance(item, exp.Column) else ""
                found += [(name, one) for name, one in self.names.all_of(table) if name not in left_out]
            elif item.find(exp.Explode, exp.Unnest) is not None:
                raise NotLifted("texts split into rows")
            else:
                found.append((named(item) or f"column {len(found) + 1}", bare(item)))
        return found

    def child(self, ctes: Mapping[str, Cte]) -> Sources:
        """A reader of a SELECT inside this one."""
        return type(self)(self.desk, ctes, self.outer)
