"""The catalog all plan tests ask."""

from __future__ import annotations

import pytest

from apps.analyst.catalog import FixedCatalog


@pytest.fixture(scope="session")
def catalog(sales: FixedCatalog) -> FixedCatalog:
    return sales
