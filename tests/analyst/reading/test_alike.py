"""An actual figure is held against the plan of the same figure."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.reading.alike import with_alike
from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.sketch import NOTHING, Sketch, walk
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

MONTHS = """month,net_sales_actual,net_sales_plan,volume_actual,volume_plan
2025-01-01,10,12,100,90
2025-02-01,14,12,80,90
"""


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("months")
    (folder / "months.csv").write_text(MONTHS)
    return catalog_from_files([folder / "months.csv"], folder / "tables")


def column(name: str, linked: Linked) -> int:
    return next(n for n, (_, c) in enumerate(linked.index.columns) if c.name == name)


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("plan attainment of net sales", "volume_plan", "net_sales_plan"),
        ("net sales against plan", "net_sales_plan", "net_sales_plan"),
        ("net sales per planned volume", "volume_plan", "volume_plan"),
        ("net sales per volume", "volume_actual", "volume_actual"),
    ],
)
@pytest.mark.parametrize("held", ["pct", "minus", "m2"])
def test_the_plan_of_the_same_figure_is_meant_unless_another_is_named(
    held: str, text: str, other: str, told: str, months: FixedCatalog
) -> None:
    linked = link(Question(text, today=date(2025, 6, 30)), months)
    pair = (held, *(("sum", ("C", column(name, linked))) for name in ("net_sales_actual", other)))
    sketch: Sketch = ("agg", pair if held == "m2" else ("m1", pair), NOTHING)
    made = [part[1] for part in walk(with_alike(sketch, linked)) if part[0] == "C"]
    assert made == [column("net_sales_actual", linked), column(told, linked)]
