"""Which warehouse a run gets: this machine's, or the cluster's for an organization above the size setting."""

from __future__ import annotations

from pathlib import Path

from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Table
from apps.threads import engine


def catalog(rows: int) -> FixedCatalog:
    return FixedCatalog("v", (Table("sales", "sales.csv", Path("sales"), rows, ()),))


def test_without_a_cluster_every_organization_is_answered_here(settings):
    settings.SPARK_MASTER = ""
    analyst = engine.local()
    assert analyst.over(catalog(10**12)).warehouse is analyst.warehouse
    analyst.close()


def test_with_a_cluster_only_organizations_above_the_setting_go_to_it(settings):
    settings.SPARK_MASTER, settings.SPARK_ABOVE_ROWS = "spark://127.0.0.1:9", 1_000
    analyst = engine.local()
    assert analyst.over(catalog(1_000)).warehouse is analyst.warehouse
    assert analyst.over(catalog(1_001)).warehouse is not analyst.warehouse
    analyst.close()


def test_a_cluster_that_is_away_leaves_a_large_organization_answered_here(settings, tmp_path):
    import duckdb

    settings.SPARK_MASTER, settings.SPARK_ABOVE_ROWS = "spark://127.0.0.1:9", 1_000
    settings.SPARK_PYTHON = tmp_path / "nothing"
    path = tmp_path / "sales.parquet"
    duckdb.execute(f"COPY (SELECT * FROM range(3) AS t(n)) TO '{path}'")
    analyst = engine.local()
    found = analyst.over(catalog(2_000)).warehouse.query("SELECT sum(n) FROM sales", (), tables={"sales": path})
    assert found.rows == ((3,),)
    analyst.close()
