""" "Based on N rows" counts the rows of the table that is asked about, however many partners they meet in another."""

from __future__ import annotations

import pytest

from apps.analyst.approaches.recounting import recount_here
from apps.analyst.computing.compute import compute, evidenced
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Join, JoinKey, Output, Query
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

LINES, VERSIONS = 40, 3


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Products of which each version is a row of its own, and lines that name a product."""
    folder = tmp_path_factory.mktemp("versions")
    lines = [f"{n},P{n % 4},{n if n % 10 else ''}" for n in range(1, LINES + 1)]
    products = [f"P{n},{'Road' if n < 2 else 'Touring'},{v}" for n in range(4) for v in range(VERSIONS)]
    (folder / "lines.csv").write_text("\n".join(["line_no,product,amount", *lines]))
    (folder / "products.csv").write_text("\n".join(["product,range,version", *products]))
    return catalog_from_files(sorted(folder.glob("*.csv")), folder / "stored")


def by_range(of: str = "amount") -> Query:
    key = JoinKey(left=ColumnRef(table="lines", column="product"), right=ColumnRef(table="products", column="product"))
    return Query(
        source="lines",
        joins=(Join(table="products", on=(key,)),),
        groups=(Output(label="Range", expr=ColumnRef(table="products", column="range")),),
        measures=(Output(label="Total", expr=Aggregate(fn="sum", of=ColumnRef(table="lines", column=of))),),
    )


def test_rows_with_several_partners_count_once(shop: FixedCatalog, warehouse: LocalWarehouse) -> None:
    found = evidenced(compute(by_range(), shop, warehouse), shop, warehouse)
    assert sum(float(str(row[1])) for row in found.result.rows) == sum(n for n in range(1, LINES + 1) if n % 10)
    assert found.row_count == LINES
    assert found.used == LINES - LINES // 10


def test_conditions_hold_for_the_rows_that_are_counted(shop: FixedCatalog, warehouse: LocalWarehouse) -> None:
    road = Compare(left=ColumnRef(table="products", column="range"), op="=", right=Constant(value="Road", type="text"))
    plan = by_range("line_no").model_copy(update={"where": road})
    found = evidenced(compute(plan, shop, warehouse), shop, warehouse)
    assert found.row_count == LINES // 2


@pytest.mark.parametrize("way", ["frames", "sheet"])
def test_a_recount_counts_the_same_rows(way: str, shop: FixedCatalog) -> None:
    assert recount_here(way, by_range(), shop).row_count == LINES  # type: ignore[arg-type]
