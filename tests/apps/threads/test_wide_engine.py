"""Every way into the engine that reads a catalog goes through children where the catalog is very wide."""

from __future__ import annotations

import pytest

from apps.analyst.approaches.aside import Aside
from apps.threads import engine


@pytest.mark.parametrize(
    "entrance", ["answer", "suggest", "can_answer", "check", "offered", "take", "is_wide", "ready"]
)
def test_no_entrance_of_the_product_s_engine_reads_wide_catalogs_itself(entrance: str) -> None:
    made = engine.local()
    try:
        assert isinstance(getattr(made, entrance).__self__, Aside)
    finally:
        made.close()
