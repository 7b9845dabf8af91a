"""Asks plans, and works their figures out from the files in plain Python."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal

from apps.analyst.computing.compute import Computed, compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import Plan
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Scalar


def money(deal: dict[str, str]) -> Decimal | None:
    return Decimal(deal["amount"].replace("$", "").replace(",", "")) if deal["amount"] else None


def sums(deals: list[dict[str, str]], by: str) -> dict[str, Decimal]:
    found: dict[str, Decimal] = defaultdict(Decimal)
    for deal in deals:
        found[deal[by]] += money(deal) or 0
    return dict(found)


class Asking:
    """Computes plans over one catalog."""

    def __init__(self, catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
        self.catalog, self.warehouse = catalog, warehouse

    def __call__(self, plan: Plan) -> Computed:
        return compute(plan, self.catalog, self.warehouse)

    def table(self, plan: Plan) -> list[tuple[Scalar, ...]]:
        return list(self(plan).result.rows)

    def one(self, plan: Plan) -> Scalar:
        return self.table(plan)[0][0]
