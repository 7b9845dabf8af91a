"""FROM: stored tables are joined, SELECTs that only filter and rename are merged, others are nested or looked up.

The algebra joins stored tables only. A grouped SELECT that is joined by its group is therefore looked up: each of its
figures is the one of the row's own group (`ScalarQuery.own`), and an inner join asks that there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from apps.analyst.lifting.conditions import is_always, packed
from apps.analyst.lifting.frames import Frames
from apps.analyst.lifting.reader import Cte
from apps.analyst.lifting.reasons import NotLifted
from apps.analyst.lifting.scans import Columns, Derived, Named, table_columns
from apps.analyst.lifting.syntax import bare, conjuncts, has_aggregate, has_window, named, uncast
from apps.analyst.plan import Aggregate, ColumnRef, Expr, InQuery, JoinKey, Output, Query, ScalarQuery

_NOT_BY_ROW = ("group", "having", "distinct", "limit", "offset", "qualify", "with_")
_FOLDING = (exp.Lower, exp.Upper, exp.Trim)


@dataclass
class Item:
    """One thing that is read, as it stands in FROM."""

    node: exp.Expression
    alias: str
    side: str = ""
    on: list[exp.Expression] = field(default_factory=list)


class Sources(Frames):
    """Reads FROM and the joins."""

    pool: list[exp.Expression]
    """Conditions that may be keys of joins, or else filter."""

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
            if side == "full" or (join.kind or "").upper() == "OUTER":
                if not side or side == "full":
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

    def _item(self, node: exp.Expression) -> Item:
        if isinstance(node, exp.Table) and not isinstance(node.this, exp.Identifier):
            raise NotLifted("table function")
        if not isinstance(node, exp.Table | exp.Subquery):
            raise NotLifted(f"source {type(node).__name__}")
        if node.args.get("joins"):
            raise NotLifted("joins in brackets")
        name = node.alias or (node.name if isinstance(node, exp.Table) else f"_{id(node)}")
        return Item(node, name.casefold())

    def _using(self, columns: list[exp.Expression], before: list[Item], item: Item) -> list[exp.Expression]:
        found: list[exp.Expression] = []
        for column in columns:
            owner = next((b for b in before if self._has(b, column.name)), None)
            if owner is None:
                raise NotLifted("no such column")
            left = exp.column(column.name, table=owner.alias, quoted=True)
            found.append(exp.EQ(this=left, expression=exp.column(column.name, table=item.alias, quoted=True)))
        return found

    def _has(self, item: Item, column: str) -> bool:
        """Whether a source has a column of that name."""
        tree, _ = self._tree(item.node)
        if tree is None:
            return column.casefold() in table_columns(self.desk.table(item.node.name), "")
        select = tree
        while isinstance(select, exp.SetOperation):
            select = select.left
        names = {named(part).casefold() for part in select.expressions}
        starred = any(isinstance(part, exp.Star) for part in select.expressions)
        return column.casefold() in names or starred

    def _tree(self, node: exp.Expression) -> tuple[exp.Expression | None, Mapping[str, Cte]]:
        """The SELECT that a source is, None for a stored table."""
        if isinstance(node, exp.Subquery):
            return node.this, self.ctes
        cte = self.ctes.get(node.name.casefold())
        return (cte.tree, cte.known) if cte is not None and not node.args.get("db") else (None, {})

    # ------------------------------------------------------------ one after the other
    def _open_first(self, items: list[Item]) -> None:
        """Starts with what has to be nested, where the joins can be turned round."""
        inner = not any(item.side for item in items)
        nested = [item for item in items if not self._by_row(item.node, alone=False)]
        groups = [item for item in nested if not self._one_row(item.node)]
        first = (groups or nested or items)[0] if inner else items[0]
        items.remove(first)
        tree, ctes = self._tree(first.node)
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
            elif self._looked_up(item):
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
            raise NotLifted("outer join on a condition")
        self.scan.join(alias, tuple(keys.values()), "left" if item.side else "inner")
        if not item.side:
            self.pool = rest
        return True

    def _key(self, e: exp.Expression, alias: str) -> JoinKey | None:
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
    def _by_row(self, node: exp.Expression, *, alone: bool) -> bool:
        """Whether a source is a stored table, or only filters and renames one (several, unless `alone`)."""
        tree, _ = self._tree(node)
        if tree is None:
            return True
        if not isinstance(tree, exp.Select) or any(tree.args.get(name) for name in _NOT_BY_ROW):
            return False
        start, joins = tree.args.get("from_"), tree.args.get("joins")
        if start is None or (alone and joins):
            return False
        if any(has_aggregate(item) or has_window(item) for item in tree.expressions):
            return False
        child = self.child(self._tree(node)[1])
        return child._by_row(start.this, alone=alone) if alone or not joins else True

    def _opened(self, node: exp.Expression) -> Columns:
        """The columns of one more stored table, pending, perhaps filtered and renamed."""
        tree, ctes = self._tree(node)
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

    def _merged(self, tree: exp.Expression, ctes: Mapping[str, Cte]) -> Columns:
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

    def items_of(self, e: exp.Select) -> list[tuple[str, exp.Expression | Named]]:
        """The items of a SELECT with their names, stars written out."""
        found: list[tuple[str, exp.Expression | Named]] = []
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

    # ------------------------------------------------------------ looking up
    def _one_row(self, node: exp.Expression) -> bool:
        tree, _ = self._tree(node)
        return isinstance(tree, exp.Select) and not tree.args.get("group") and any(
            has_aggregate(item) for item in tree.expressions
        )

    def _looked_up(self, item: Item) -> bool:
        """A source whose columns are figures: of all, or of the row's own group."""
        tree, ctes = self._tree(item.node)
        assert tree is not None
        derived = self.derived(tree, ctes)
        if not item.side and not derived.query.groups and (derived.query.measures or derived.query.limit == 1):
            self.names.tables[item.alias] = {n.casefold(): _single(derived, label) for n, label in derived.names}
            return True
        candidates = item.on if item.side else self.pool
        pairs = {id(part): pair for part in candidates if (pair := self._pair(part, item.alias, derived)) is not None}
        if not pairs:
            return False
        if item.side and len(pairs) != len(item.on):
            raise NotLifted("outer join on a condition")
        labels = [label for label, _ in pairs.values()]
        if not _is_key(derived.query, labels):
            raise NotLifted("join with a query that repeats its key")
        own = packed([self.value(e) for _, e in pairs.values()])
        self._look_up(item, derived, labels, own)
        if not item.side:
            keys = Query(source=derived.query, columns=(Output(label="key", expr=_key_of(labels)),))
            self.scan.where.append(InQuery(of=own, query=keys))
            self.pool = [part for part in self.pool if id(part) not in pairs]
        return True

    def _pair(self, e: exp.Expression, alias: str, derived: Derived) -> tuple[str, exp.Expression] | None:
        """The label of the key of a derived source with what it equals out here."""
        if not isinstance(e, exp.EQ):
            return None
        names = {name.casefold(): label for name, label in derived.names}
        for mine, other in ((uncast(e.left), e.right), (uncast(e.right), e.left)):
            if not isinstance(mine, exp.Column) or mine.name.casefold() not in names:
                continue
            is_mine = mine.table.casefold() == alias or (not mine.table and self.names.find(mine) is None)
            if is_mine and all(self.names.find(c) is not None for c in other.find_all(exp.Column)):
                return names[mine.name.casefold()], other
        return None

    def _look_up(self, item: Item, derived: Derived, labels: list[str], own: Expr) -> None:
        columns: Columns = {}
        for name, label in derived.names:
            if label in labels and len(labels) == 1 and not item.side:
                columns[name.casefold()] = Named(label, own)
                continue
            group = Output(label="key", expr=_key_of(labels))
            figure = Output(label="figure", expr=Aggregate(fn="max", of=ColumnRef(table="", column=label)))
            query = Query(source=derived.query, groups=(group,), measures=(figure,))
            columns[name.casefold()] = Named(label, ScalarQuery(query=query, own=own))
        self.names.tables[item.alias] = columns

    # ------------------------------------------------------------ further readers
    def child(self, ctes: Mapping[str, Cte]) -> Sources:
        """A reader of a SELECT inside this one."""
        return type(self)(self.desk, ctes, self.outer)

    def derived(self, tree: exp.Expression, ctes: Mapping[str, Cte]) -> Derived:
        """A SELECT that stands in FROM."""
        raise NotImplementedError


def _single(derived: Derived, label: str) -> Named:
    """A column of a source of one row, as a value."""
    query = derived.query
    if query.measures and query.having is None:
        only = next((m for m in query.measures if m.label == label), None)
        if only is not None:
            return Named(label, ScalarQuery(query=query.model_copy(update={"measures": (only,), "order": ()})))
    column = Output(label=label, expr=ColumnRef(table="", column=label))
    return Named(label, ScalarQuery(query=Query(source=query, columns=(column,), limit=1)))


def _is_key(query: Query, labels: list[str]) -> bool:
    """Whether no two rows of the query have the same values of these columns."""
    if query.groups:
        return {group.label for group in query.groups} <= set(labels)
    if query.columns and query.distinct:
        return {column.label for column in query.columns} <= set(labels)
    return isinstance(query.source, Query) and query.columns != () and _is_key(query.source, labels)


def _key_of(labels: list[str]) -> Expr:
    return packed([ColumnRef(table="", column=label) for label in labels])
