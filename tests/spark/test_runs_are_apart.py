"""What a run registers is its own: under names of that run, seen by no other, and gone when it was answered."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path

import duckdb

from tests.spark.cluster import PYTHON, ROOT

SCRIPT = """
import json
from types import SimpleNamespace
from apps.analyst.computing.warehouse.spark.driver import Asked, Schemas

log = []

class Frame:
    schema = SimpleNamespace(fields=[])
    def createOrReplaceTempView(self, name): log.append(["made", name])
    def selectExpr(self, *items): return self
    def limit(self, count): return self
    def collect(self):
        if failing: raise ValueError("lost")
        return []

session = SimpleNamespace(
    sparkContext=SimpleNamespace(setJobGroup=lambda *_, **__: None), sql=lambda text, args: Frame(),
    read=SimpleNamespace(parquet=lambda path: Frame()),
    catalog=SimpleNamespace(dropTempView=lambda name: log.append(["dropped", name])),
)
for number, failing in ((7, False), (8, True)):
    question = {
        "id": number, "sql": 'SELECT "a" FROM "sales"', "parameters": [], "max_rows": 5,
        "tables": {"sales": {"path": "/sales", "version": [number, 1]}},
    }
    Asked(session, Schemas(), question).answer()
print(json.dumps(log))
"""


def test_views_bear_the_runs_number_and_are_dropped_however_it_ends():
    done = subprocess.run([PYTHON, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [
        ["made", "run_7_0"],
        ["dropped", "run_7_0"],
        ["made", "run_8_0"],
        ["dropped", "run_8_0"],
    ]


def table(folder: Path, name: str, value: int) -> dict[str, Path]:
    path = folder / f"{name}.parquet"
    duckdb.execute(f"COPY (SELECT {value} AS n) TO '{path}'")
    return {"sales": path}


def test_two_organizations_with_a_table_of_one_name_each_read_their_own_at_the_same_time(warehouse, tmp_path):
    owned = [table(tmp_path, f"of_{number}", number) for number in range(4)]
    found: dict[int, object] = {}

    def ask(number: int) -> None:
        found[number] = warehouse.query("SELECT n FROM sales", (), tables=owned[number]).rows

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: ((number,),) for number in range(4)}
