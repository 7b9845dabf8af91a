"""A text that is left out is left out of the rows that were told; one that is asked for takes their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.conversation.piece import Named
from apps.analyst.conversation.rows import kept_to
from apps.analyst.conversation.scene import Scene
from apps.analyst.plan import Aggregate, AllOf, Among, ColumnRef, Constant, Output, Query, TextMatch
from apps.analyst.tables.catalog import catalog_from_files

STAGE = ColumnRef(table="deals", column="Stage")
OPEN = Among(of=STAGE, values=(Constant(value="Won (Sales)"), Constant(value="Won (Renewals)")), negated=True)


@pytest.mark.parametrize("out", [True, False])
def test_a_text_that_is_left_out_keeps_the_rows_of_before(out: bool, tmp_path: Path) -> None:
    rows = [f"{n},{('Won (Sales)', 'Won (Renewals)', 'Due (Renewals)')[n % 3]}" for n in range(60)]
    (tmp_path / "deals.csv").write_text("\n".join(["Deal,Stage", *rows]))
    scene = Scene(catalog_from_files([tmp_path / "deals.csv"], tmp_path / "stored"))
    query = Query(source="deals", where=OPEN, measures=(Output(label="Deals", expr=Aggregate(fn="count")),))
    made = kept_to(query, [Named("deals", "Stage", "renewal", partial=True)], scene, also=False, out=out)
    text = TextMatch(op="contains", of=STAGE, value="renewal", negated=out)
    assert made is not None
    assert made.where == (AllOf(of=(OPEN, text)) if out else text)
