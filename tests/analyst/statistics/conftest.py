"""A made-up table of greenhouse plants, as a frame and as an ingested catalog."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files


def plants_frame() -> pd.DataFrame:
    """Ninety plants whose height follows their water; three are far too tall, and some weights are missing."""
    made = np.random.default_rng(7)
    water = made.uniform(1, 9, 90).round(2)
    height = (10 + 4 * water + made.normal(0, 3, 90)).round(2)
    height[[5, 40, 77]] = [160.0, 171.5, 180.25]
    weight = made.normal(300, 40, 90).round(1)
    weight[[3, 11, 50, 51]] = np.nan
    house = np.array(["North", "South", "East"])[np.arange(90) % 3]
    return pd.DataFrame(
        {
            "Plant": [f"P{i:03d}" for i in range(90)],
            "House": house,
            "Water Litres": water,
            "stem_height": height,
            "FruitWeight": weight,
            "Planted": pd.date_range("2023-01-02", periods=90, freq="D"),
            "Leaves": made.integers(4, 40, 90),
        }
    )


@pytest.fixture(scope="session")
def plants() -> pd.DataFrame:
    return plants_frame()


@pytest.fixture(scope="session")
def plant_catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("plants")
    file = folder / "plants.csv"
    plants_frame().to_csv(file, index=False)
    harvest = folder / "harvest.csv"
    harvest.write_text(
        "Year,Region,Apples,Pears,Pickers\n2018,Coast,120,80,6\n2019,Coast,150,90,5\n2020,Coast,90,100,6\n"
        "2021,Hills,200,60,10\n2022,Hills,260,110,10\n2023,Hills,210,130,7\n",
        encoding="utf-8",
    )
    return catalog_from_files([file, harvest], folder / "out")


@pytest.fixture(scope="session")
def warehouse() -> LocalWarehouse:
    return LocalWarehouse()
