"""What the network learns a query as (`learning.lifting`) computes what the query gives."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import duckdb
import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import compose, schema_of
from apps.analyst.reading.sketch import walk
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from learning.lifting import Lifter, NotLifted

TODAY = date(2025, 6, 30)
CREWS = "crew,depot,budget_hours,van\n" + "".join(
    f"K{n},{('Leeds', 'York', 'Hull')[n % 3]},{20 + 7 * n},{'Y' if n % 2 else 'N'}\n" for n in range(12)
)
JOBS = "job_no,crew,done_on,hours,charge,pct,state\n" + "".join(
    f"{n},K{n * n % 10},{2024 + n % 2}-{n % 12 + 1:02d}-{n % 27 + 1:02d},{n % 9 + 1},{(n * 37) % 211 + 10},{n % 40},"
    f"{('done', 'open', 'void')[n % 5 % 3]}\n"
    for n in range(1, 181)
)


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> tuple[FixedCatalog, Path]:
    folder: Path = tmp_path_factory.mktemp("yard")
    (folder / "crews.csv").write_text(CREWS)
    (folder / "jobs.csv").write_text(JOBS)
    return catalog_from_files([folder / "crews.csv", folder / "jobs.csv"], folder / "tables"), folder


def figures(value: object) -> str:
    return f"{float(value):.6g}" if isinstance(value, int | float) or hasattr(value, "as_tuple") else str(value)


QUERIES = [
    # one query of groups read by another
    "SELECT depot, s FROM (SELECT depot, sum(charge) s FROM jobs JOIN crews USING (crew) GROUP BY 1) WHERE s > 6000",
    "WITH t AS (SELECT crew, sum(charge) s FROM jobs GROUP BY 1) SELECT crew FROM t WHERE s > (SELECT avg(s) FROM t)",
    "WITH t AS (SELECT crew, sum(charge) s FROM jobs GROUP BY 1) SELECT count(*) FROM t WHERE s > (SELECT avg(s) "
    "FROM t)",
    "SELECT m, sum(s) OVER (ORDER BY m) FROM (SELECT date_trunc('month', done_on) m, sum(charge) s FROM jobs "
    "WHERE done_on >= '2025-01-01' GROUP BY 1)",
    "SELECT m, n - lag(n) OVER (ORDER BY m) FROM (SELECT date_trunc('month', done_on) m, count(*) n FROM jobs GROUP "
    "BY 1)",
    # the first of each
    "SELECT depot, crew FROM (SELECT depot, crews.crew, rank() OVER (PARTITION BY depot ORDER BY sum(charge) DESC) k "
    "FROM jobs JOIN crews USING (crew) GROUP BY 1, 2) WHERE k = 1",
    "SELECT crew, job_no, charge FROM (SELECT *, row_number() OVER (PARTITION BY crew ORDER BY charge DESC) k FROM "
    "jobs) "
    "WHERE k = 1",
    # shares
    "SELECT 100.0 * (SELECT sum(s) FROM (SELECT crew, sum(charge) s FROM jobs GROUP BY 1 ORDER BY s DESC LIMIT 3)) / "
    "(SELECT sum(charge) FROM jobs)",
    "SELECT 100.0 * count(*) FILTER (WHERE n > 20) / count(*) FROM (SELECT crew, count(*) n FROM jobs GROUP BY 1)",
    # figures of two tables
    "SELECT depot, 1.0 * sum(n) / count(*) FROM crews LEFT JOIN (SELECT crew, count(*) n FROM jobs WHERE state = "
    "'done' "
    "GROUP BY crew) x ON x.crew = crews.crew GROUP BY depot",
    "WITH a AS (SELECT depot, sum(budget_hours) b FROM crews GROUP BY 1), h AS (SELECT depot, sum(hours) s FROM jobs "
    "JOIN crews USING (crew) GROUP BY 1) SELECT depot, 100.0 * s / b FROM a JOIN h USING (depot)",
    "SELECT crews.crew FROM jobs JOIN crews USING (crew) GROUP BY crews.crew, budget_hours HAVING sum(hours) > "
    "budget_hours",
    # sides
    "SELECT avg(charge) FILTER (WHERE state = 'done'), avg(charge) FILTER (WHERE NOT state = 'done') FROM jobs",
    # so many times another, less one, scaled
    "SELECT count(*) FROM jobs WHERE hours < 0.05 * charge",
    "SELECT count(*) FROM jobs WHERE charge < 20 * hours",
    "SELECT crew FROM jobs GROUP BY 1 HAVING sum(hours) > 0.04 * sum(charge)",
    "SELECT avg(100.0 * (1 - hours / charge)) FROM jobs",
    "SELECT crew, sum(charge * pct / 100) FROM jobs GROUP BY 1",
    "SELECT crew, 1000.0 * sum(hours) / sum(charge) FROM jobs GROUP BY 1",
    # parts of dates
    "SELECT year(done_on), sum(charge) FROM jobs WHERE month(done_on) <= 5 AND year(done_on) IN (2024, 2025) GROUP "
    "BY 1",
    "SELECT 100.0 * (sum(charge) FILTER (year(done_on) = 2025) / sum(charge) FILTER (year(done_on) = 2024) - 1) "
    "FROM jobs WHERE quarter(done_on) = 1 /* by the day */",
    "SELECT strftime(done_on, '%Y-%m'), count(*) FROM jobs WHERE strftime(done_on, '%Y-%m') >= '2025-03' GROUP BY 1",
]


@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_is_learned_as_what_computes_the_same(yard: tuple[FixedCatalog, Path], sql: str) -> None:
    catalog, folder = yard
    schema = schema_of({t.name: t for t in catalog.tables()}, list(catalog.joins()), namer_of(catalog), TODAY)
    found = compute(compose(Lifter(catalog, TODAY).lift(sql), schema), catalog, LocalWarehouse(threads=1)).result
    base = duckdb.connect()
    for name in ("crews", "jobs"):
        base.execute(f"CREATE TABLE {name} AS SELECT * FROM '{folder / name}.csv'")
    wanted = base.execute(sql).fetchall()
    assert wanted
    told = [tuple(map(figures, row)) for row in found.rows]
    for row in wanted:  # what is told may say more, beside it
        shown = [figures(v)[:7] if isinstance(v, date) else figures(v) for v in row]
        assert any(all(any(one.startswith(v) for one in given) for v in shown) for given in told), (row, told[:5])
    assert len(told) == len(wanted)


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        (
            "SELECT job_no FROM (SELECT *, rank() OVER (ORDER BY charge DESC) k FROM jobs) WHERE k = 2",
            "place among all",
        ),
        (
            "SELECT crew, job_no FROM jobs QUALIFY row_number() OVER (PARTITION BY crew ORDER BY charge DESC) = 2",
            "later place",
        ),
        ("SELECT sum(charge) FROM jobs WHERE month(done_on) <= 5", "part of a date"),
        ("SELECT avg(2025 - pct) FROM jobs", "value"),
    ],
)
def test_what_no_sketch_says_is_left_out(yard: tuple[FixedCatalog, Path], sql: str, why: str) -> None:
    with pytest.raises(NotLifted, match=why):
        Lifter(yard[0], TODAY).lift(sql)


def test_sides_of_a_case_stand_beside_each_other(yard: tuple[FixedCatalog, Path]) -> None:
    sql = "SELECT CASE WHEN hours > 5 THEN 'long' ELSE 'short' END, avg(charge) FROM jobs GROUP BY 1"
    sketch = Lifter(yard[0], TODAY).lift(sql)
    assert sketch[0] == "agg"
    assert [part[0] for part in walk(sketch) if part[0] in ("gt", "le")] == ["gt", "le"]
