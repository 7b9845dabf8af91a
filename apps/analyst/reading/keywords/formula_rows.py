"""Products in formulas that are meant row by row: "unit price times quantity" is of each line, and then added up.

The total of a product is not the product of totals. So columns that are multiplied stand in one table, and nothing is
read where no table has them all. Where a figure says itself how it is added up ("total seats times average price"),
the product is one of figures.
"""

from __future__ import annotations

from apps.analyst.plan import Arithmetic, ColumnRef, Constant, Expr
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.filters import column_called
from apps.analyst.reading.keywords.formula_trees import Binary, OfRows, Tree, leaves
from apps.analyst.types import Column, Table

NUMBERS = frozenset(("integer", "float", "decimal"))


def by_rows(tree: Tree, catalog: Catalog) -> Tree | None:
    """The tree with its products of columns worked out row by row; None where columns are multiplied that no table has
    together."""
    if not isinstance(tree, Binary):
        return tree
    if tree.sign == "*":
        terms = {leaf for leaf in leaves(tree) if isinstance(leaf, str)}
        known = {term for term in terms if any(_column(term, table) for table in catalog.tables())}
        if len(known) > 1 and known == terms and not _divides(tree):
            return _of_rows(tree, terms, catalog)
    left, right = by_rows(tree.left, catalog), by_rows(tree.right, catalog)
    return Binary(tree.sign, left, right) if left is not None and right is not None else None


def _of_rows(tree: Tree, terms: set[str], catalog: Catalog) -> OfRows | None:
    for table in catalog.tables():
        columns = {term: found for term in terms if (found := _column(term, table)) is not None}
        if len(columns) == len(terms):
            return OfRows(_expr(tree, table, columns), table.name, tuple(columns[term] for term in sorted(terms)))
    return None


def _divides(tree: Tree) -> bool:
    return isinstance(tree, Binary) and (tree.sign == "/" or _divides(tree.left) or _divides(tree.right))


def _column(term: str, table: Table) -> Column | None:
    found = column_called(term, table)
    return found if found is not None and found.type in NUMBERS else None


def _expr(tree: Tree, table: Table, columns: dict[str, Column]) -> Expr:
    if isinstance(tree, Binary):
        left, right = (_expr(part, table, columns) for part in (tree.left, tree.right))
        return Arithmetic(op=tree.sign, left=left, right=right)
    if isinstance(tree, str):
        return ColumnRef(table=table.name, column=columns[tree].name)
    assert isinstance(tree, float)
    return Constant(value=int(tree) if tree.is_integer() else tree, type="number")
