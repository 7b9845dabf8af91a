"""Rates of groups: where a column is the quotient of two others of its table, its mean over a group, and what somebody
adds up of it, is what the two come to, one divided by the other. A click-through rate of 2 % of a million views counts
for more than one of 50 % of two.

That a column is such a quotient is found in its rows, by no name: "CTR" is a hundred times clicks ÷ impressions.
"""

from __future__ import annotations

from collections.abc import Mapping

from apps.analyst.computing.compile.walk import rewrite, within
from apps.analyst.computing.first_rows import first_figures
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.types import ColumnMeaning
from apps.analyst.kept import Kept
from apps.analyst.plan import Aggregate, Arithmetic, Call, ColumnRef, Constant, Expr, Node, Query
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.tables.ratios import MOST_ROWS, Ratio, is_share, ratio_of
from apps.analyst.types import Table

_MEANS = ("avg", "sum")
MOST_KEPT = 64
CERTAIN = 0.9
"""From this confidence on a column is what its name says, whatever its figures are."""
_kept: Kept[tuple[str, str], Mapping[str, Ratio]] = Kept(MOST_KEPT)


def with_weights(query: Query, catalog: Catalog, warehouse: Warehouse) -> Query:
    """The query with quotients of sums in the place of means and sums of its own table's rates."""
    table = next((table for table in catalog.tables() if table.name == query.source), None)
    if table is None or not any(_is_mean(part, table) for part in within(query)):
        return query
    ratios = ratios_of(table, catalog, warehouse)

    def change(part: Node) -> Node | None:
        if isinstance(part, Aggregate) and isinstance(part.of, ColumnRef) and _is_mean(part, table):
            found = ratios.get(part.of.column)
            return quotient(part, found) if found is not None else None
        return None

    return rewrite(query, change) if ratios else query


def _is_mean(part: Node, table: Table) -> bool:
    """Whether a part is a mean, or a sum, of one of a table's columns."""
    return (
        isinstance(part, Aggregate)
        and part.fn in _MEANS
        and not part.distinct
        and isinstance(part.of, ColumnRef)
        and part.of.table == table.name
    )


def quotient(mean: Aggregate, ratio: Ratio) -> Expr:
    """What a rate comes to over the rows of `mean`: the sums of its two columns, divided."""
    table = mean.of.table if isinstance(mean.of, ColumnRef) else ""
    over, under = (
        Aggregate(fn="sum", of=ColumnRef(table=table, column=name), where=mean.where)
        for name in (ratio.over, ratio.under)
    )
    scaled: Expr = over
    if ratio.scale != 1:
        scaled = Arithmetic(op="*", left=Constant(value=ratio.scale, type="number"), right=over)
    return Arithmetic(op="/", left=scaled, right=Call(name="nullif", args=(under, Constant(value=0, type="number"))))


def ratios_of(table: Table, catalog: Catalog, warehouse: Warehouse) -> Mapping[str, Ratio]:
    """The columns of a table that are quotients of two that add up, by name: those that the dictionary averages, and
    shares of a whole that it does not surely know. Found in the rows once for each version of a catalog."""
    return _kept.get((catalog.version, table.name), lambda: _found(table, catalog, warehouse))


def _found(table: Table, catalog: Catalog, warehouse: Warehouse) -> Mapping[str, Ratio]:
    meaning = dictionary_of(catalog).get(table.name)
    if meaning is None or any(column.per_key for column in table.columns):
        return {}  # what is told of an order on its first line is no row's own
    said = {of.name: of for of in meaning.columns if of.kind == "measure"}
    rates = [
        c.name for c in table.columns if c.name in said and c.type in ("decimal", "float") and _may_be(said[c.name])
    ]
    parts = [c.name for c in table.columns if c.name in said and said[c.name].adds == "sum"]
    if not rates or len(parts) < 2:
        return {}
    columns = first_figures(table.name, list(dict.fromkeys((*rates, *parts))), MOST_ROWS, catalog, warehouse)
    if not columns:
        return {}
    found: dict[str, Ratio] = {}
    for name in rates:
        ratio = ratio_of(columns[name], {part: columns[part] for part in parts if part != name})
        if ratio is not None and (said[name].adds == "average" or is_share(ratio, columns)):
            found[name] = ratio
    return found


def _may_be(meaning: ColumnMeaning) -> bool:
    """Whether a column may be a rate: it is averaged, or nothing says surely what it is."""
    return meaning.adds == "average" or meaning.confidence < CERTAIN
