"""Two small tables that every form of a query is asked of."""

from __future__ import annotations

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.lifting.meaning import Meaning

ORDERS = """order_id,customer_id,product,channel,amount,units,placed,shipped,gift,code,insured
1,1,Lamp,Web,120.50,2,2024-01-05,2024-01-09,true,AB-1,Yes
2,1,Desk,Shop,340.00,1,2024-01-20,2024-02-02,false,AB-2,Yes
3,2,Lamp,Web,60.25,1,2024-02-11,2024-02-12,false,CD-1,No
4,2,Chair,Web,89.90,3,2024-02-25,,false,CD-2,Yes
5,3,Desk,Phone,355.00,1,2024-03-03,2024-03-20,true,AB-3,Yes
6,3,Lamp,Web,118.00,2,2024-03-17,2024-03-18,false,EF-1,No
7,4,Chair,Shop,45.00,1,2024-04-01,2024-04-11,false,EF-2,Yes
8,1,Shelf,Web,210.00,4,2024-04-22,2024-05-01,true,AB-4,Yes
9,2,Desk,Web,330.00,1,2024-05-06,,false,CD-3,No
10,4,Lamp,Shop,59.00,1,2024-05-30,2024-06-03,false,EF-3,Yes
11,3,Shelf,Phone,205.50,3,2023-06-14,2023-06-15,false,AB-5,Yes
12,5,Lamp,Web,75.25,1,2023-12-31,2024-01-02,true,CD-4,No
"""
CUSTOMERS = """customer_id,name,country,joined,points
1,Ada Byron,Norway,2022-03-01,40
2,Ben Okri,Ghana,2023-07-15,
3,Cleo Duval,France,2021-11-30,75
4,Dan Moe,Norway,2023-01-20,12
5,Eve Adar,France,2020-05-05,75
6,Finn Vale,Ghana,2024-02-02,
"""


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "orders.csv").write_text(ORDERS, encoding="utf-8")
    (folder / "customers.csv").write_text(CUSTOMERS, encoding="utf-8")
    return catalog_from_files([folder / "orders.csv", folder / "customers.csv"], folder / "tables")


@pytest.fixture
def says(shop: FixedCatalog, warehouse: LocalWarehouse) -> Meaning:
    return Meaning(shop, warehouse)
