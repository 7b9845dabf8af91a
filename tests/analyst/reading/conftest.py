"""A small export with abbreviated names, codes, flags and gaps, as two files."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

TODAY = date(2025, 6, 30)
STATES = ("Completed", "Cancelled", "No show", "Completed", "Completed")
PLACES = ("Harbour House", "Castle Mews", "Bay View")


@pytest.fixture(scope="session")
def stays(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """600 bookings of 40 guests."""
    folder: Path = tmp_path_factory.mktemp("stays")
    lines = ["bkg_no,gst_no,prop_nm,arr_dt,nts,rt_per_nt,tot_amt,bkg_stat,meal_pln,pd_flg"]
    for n in range(600):
        day = date(2024, 1, 1) + timedelta(days=(n * 7) % 545)
        nights, rate = 1 + n % 5, 80 + (n * 13) % 90
        paid = "Y" if n % 4 else "N"
        state, plan = STATES[n % 5], ("BB", "HB", "RO")[n % 3]
        lines.append(
            f"B{n:04d},{100 + n % 40},{PLACES[n % 3]},{day},{nights},{rate},{rate * nights},{state},{plan},{paid}"
        )
    (folder / "bookings.csv").write_text("\n".join(lines))
    names = ("Ada Smith", "Bo Garcia", "Cy Brown", "Di O'Neil")
    guests = [
        f"{100 + n},{names[n % 4]} {n},{('Germany', 'France', 'Spain')[n % 3]},{'' if n % 5 == 0 else 'Gold'}"
        for n in range(40)
    ]
    (folder / "guests.csv").write_text("\n".join(["gst_no,gst_nm,cntry,loy_tier", *guests]))
    return catalog_from_files([folder / "bookings.csv", folder / "guests.csv"], folder / "tables")
