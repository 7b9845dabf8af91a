"""FROM: which tables a SELECT reads, and which column a name means."""

from __future__ import annotations

from datetime import date

from sqlglot import exp

from apps.analyst.ports import Catalog
from apps.analyst.types import Table
from learning.lifting.reader import Env, Reader
from learning.lifting.sketches import Node, NotLifted, conj
from learning.lifting.trees import are_columns, flatten_and, has_aggregate, source_of, unaliased, unwrap

_SHAPED = ("group", "having", "limit", "distinct", "qualify", "offset")


class Sources(Reader):
    """Tables, inner queries that are merged into the outer one, and columns."""

    def __init__(self, catalog: Catalog, today: date | None) -> None:
        super().__init__(catalog, today)
        self._written: dict[str, Table] = {}
        for table in catalog.tables():
            self._written[table.name.casefold()] = table
            self._written[table.file_name.rsplit(".", 1)[0].casefold()] = table
        self._upper: dict[str, list[str]] = {}
        self._met: set[frozenset[tuple[str, str]]] = set()
        """Pairs of columns by which tables join."""
        for join in catalog.joins():
            pairs = zip(join.left_columns, join.right_columns, strict=True)
            self._met |= {frozenset({(join.left_table, a), (join.right_table, b)}) for a, b in pairs}
            if join.right_unique:
                self._upper.setdefault(join.left_table, []).append(join.right_table)

    def sources(self, tree: exp.Select, env: Env) -> list[Node]:
        """Fills env; gives extra conditions: of inner SELECTs that only filter or rename, and of joins."""
        start = source_of(tree)
        if start is None:
            raise NotLifted("no FROM")
        joins = tree.args.get("joins") or []
        if any((join.kind or "").upper() == "CROSS" for join in joins):
            raise NotLifted("cross join")
        found: list[Node] = []
        for item in (start, *(join.this for join in joins)):
            found += self._source(item, env)
        for join in joins:
            on = join.args.get("on")
            parts = map(unwrap, flatten_and(on)) if on is not None else ()
            found += [self.pred(part, env) for part in parts if not are_columns(part)]
        return found

    def _source(self, item: exp.Expression, env: Env) -> list[Node]:
        if isinstance(item, exp.Table):
            name = item.name
            if name.casefold() in env.ctes:
                return self._inner(env.ctes[name.casefold()], item.alias or name, env)
            table = self._written.get(name.casefold())
            if table is None:
                raise NotLifted(f"no table {name}")
            if table.name in env.tables.values():
                raise NotLifted("self join")
            env.tables[(item.alias or name).casefold()] = table.name
            return []
        if isinstance(item, exp.Subquery):
            return self._inner(item.this, item.alias or "_", env)
        raise NotLifted("source " + type(item).__name__)

    def _inner(self, tree: exp.Expression, alias: str, env: Env) -> list[Node]:
        """An inner SELECT that only renames, computes by row and filters is merged into the outer one."""
        if not isinstance(tree, exp.Select):
            raise NotLifted("inner " + type(tree).__name__)
        if tree.args.get("group") and not any(tree.args.get(k) for k in _SHAPED if k != "group"):
            return self._grouped(tree, alias, env)
        if any(tree.args.get(k) for k in _SHAPED) or any(e.find(exp.AggFunc, exp.Window) for e in tree.expressions):
            raise NotLifted("nested query")
        own = Env(env.ctes)
        extra = self.sources(tree, own)
        env.derived[alias.casefold()] = {
            e.alias_or_name.casefold(): unaliased(e) for e in tree.expressions if not isinstance(e, exp.Star)
        }
        env.merged[alias.casefold()] = own
        for key, value in own.tables.items():
            if value in env.tables.values():
                raise NotLifted("self join")
            env.tables.setdefault(f"{alias}.{key}".casefold(), value)
        where = tree.args.get("where")
        return extra if where is None else [*extra, self.conjunction(where.this, own)]

    def _grouped(self, tree: exp.Select, alias: str, env: Env) -> list[Node]:
        """An inner SELECT that puts rows together: its figures are those of the outer groups, each row counted once."""
        own = Env(env.ctes)
        pred = conj(self.sources(tree, own))
        where = tree.args.get("where")
        if where is not None:
            pred = conj([pred, self.conjunction(where.this, own)])
        named = {e.alias_or_name.casefold(): unaliased(e) for e in tree.expressions}
        env.figures[alias.casefold()] = {name: (e, own, pred) for name, e in named.items() if has_aggregate(e)}
        env.derived[alias.casefold()] = {name: e for name, e in named.items() if not has_aggregate(e)}
        env.merged[alias.casefold()] = own
        return []

    def column(self, e: exp.Column, env: Env) -> Node:
        """The stored column, or what an inner query gives under that name."""
        name, alias = e.name.casefold(), e.table.casefold()
        for key, names in env.derived.items():
            if alias in ("", key) and name in names:
                return self.value(names[name], env.merged[key])
        for table in map(self.table, self._tables_of(alias, env)):
            for column in table.columns:
                if column.name.casefold() == name:
                    return ("C", table.name, column.name)
        raise NotLifted(f"no column {e.sql()}")

    @staticmethod
    def _tables_of(alias: str, env: Env) -> list[str]:
        """The tables that an alias may stand for; all of them where there is none."""
        if not alias:
            return list(dict.fromkeys(env.tables.values()))
        if alias in env.tables:
            return [env.tables[alias]]
        merged = [table for key, table in env.tables.items() if key.startswith(alias + ".")]
        return merged or [table for table in env.tables.values() if table.casefold() == alias]

    def rows_of(self, env: Env) -> Node:
        """The table whose rows a SELECT counts: the one at the many side of all joins."""
        names = list(dict.fromkeys(env.tables.values()))
        if len(names) == 1:
            return ("T", names[0])
        for name in names:
            seen, todo = {name}, [name]
            while todo:
                above = [up for up in self._upper.get(todo.pop(), []) if up not in seen]
                seen.update(above)
                todo += above
            if seen.issuperset(names):
                return ("T", name)
        raise NotLifted("no table at the many side")
