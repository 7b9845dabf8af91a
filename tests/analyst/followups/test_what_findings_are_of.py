"""Which file findings are of, and what is said where nothing stands out."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.types import Question

TODAY = date(2026, 1, 12)


def test_findings_are_of_the_table_that_is_named_else_of_the_one_about_money(tmp_path: Path) -> None:
    mails = [f"M{n},{('Sent', 'Sent', 'Bounced')[n % 3]},2025-0{n % 6 + 1}-03" for n in range(90)]
    deals = [f"D{n},{('Ada', 'Bo', 'Bo')[n % 3]},{100 + n},2025-0{n % 6 + 1}-03" for n in range(60)]
    (tmp_path / "crm_emails.csv").write_text("\n".join(["Email,State,Sent on", *mails]))
    (tmp_path / "crm_deals.csv").write_text("\n".join(["Deal,Owner,Amount,Closed on", *deals]))
    catalog = catalog_from_files([tmp_path / "crm_emails.csv", tmp_path / "crm_deals.csv"], tmp_path / "tables")
    named = {"give me 3 insights": "deals", "summarize crm_emails": "emails", "summarize the emails": "emails"}
    for text, rows in named.items():
        made = answer(Question(text, TODAY), catalog=catalog, warehouse=LocalWarehouse())
        assert made.text.startswith(f"**Crm {rows}** holds"), made.text


def test_where_nothing_stands_out_that_is_said(tmp_path: Path) -> None:
    rows = [f"D{n},{('Ada', 'Bo')[n % 2]},{100 + n // 2},2025-0{n % 6 + 1}-03" for n in range(60)]
    (tmp_path / "deals.csv").write_text("\n".join(["Deal,Owner,Amount,Closed on", *rows]))
    catalog = catalog_from_files([tmp_path / "deals.csv"], tmp_path / "tables")
    made = answer(Question("give me 3 insights", TODAY), catalog=catalog, warehouse=LocalWarehouse())
    total = "The total amount is **6,870**."
    assert made.text == f"**Deals** holds 60 deals, from 3 Jan 2025 to 3 Jun 2025. {total} Nothing stands out."
