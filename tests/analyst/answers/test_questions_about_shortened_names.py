"""What is suggested over files with shortened names is said in words, and read as it is meant when it is asked."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language.choose import read
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.followups import Offer, follow_ups, offers_for
from apps.analyst.types import Question

ROWS = 60
RAW = ("tkt", "opn", "cls", "agt", " nm", "prod ln", "rsp", "amt", "rows of", "service_desk")
AGENTS, LINES = ("Ann Lee", "Bo Kay", "Cy Dunn"), ("Phones", "Laptops")


def row(place: int) -> str:
    opened = date(2025, 1, 2) + timedelta(days=place)
    closed = opened + timedelta(days=3) if place % 4 else ""
    fee, hours = 20 + place * 1.5, place % 9 + 0.5
    return f"TK{place},{opened},{closed},{AGENTS[place % 3]},{LINES[place % 2]},{hours},{fee}"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("desk")
    head = "tkt_id,opn_dt,cls_dt,agt_nm,prod_ln,rsp_hrs,fee_amt"
    (folder / "service_desk.csv").write_text("\n".join([head, *map(row, range(ROWS))]), encoding="utf-8")
    return catalog_from_files([folder / "service_desk.csv"], Path(folder))


@pytest.fixture(scope="module")
def offers(desk: FixedCatalog) -> dict[str, Offer]:
    return {offer.question: offer for offer in offers_for(desk.tables()[0], desk)}


def test_suggestions_say_columns_and_rows_as_people_do(offers: dict[str, Offer]) -> None:
    about = [question for question in offers if not question.startswith("What is in ")]
    assert {
        "What is the total fee amount by agent?",
        "What are the average response hours by agent?",
        "Which agent has the highest total fee amount?",
        "How many tickets are there by product line?",
        "How many tickets were opened each month?",
    } <= set(about)
    assert not [question for question in about if any(raw in question for raw in RAW)]


@pytest.mark.parametrize("named", ["agt_nm", "fee_amt", "rsp_hrs", "prod_ln", "opn_dt"])
def test_each_column_that_is_suggested_is_the_one_that_is_read(offers: dict[str, Offer], named: str) -> None:
    assert any(named in offer.columns for offer in offers.values())


def test_a_suggestion_is_answered_and_told_in_the_same_words(desk: FixedCatalog, warehouse: LocalWarehouse) -> None:
    asked = Question("How many tickets are there by product line?", today=date(2025, 4, 1))
    found = answer(asked, catalog=desk, warehouse=warehouse)
    assert found.status == "answered"
    assert "tickets" in found.text
    assert "rows" not in found.text


def test_columns_are_still_read_by_the_names_in_the_file(desk: FixedCatalog) -> None:
    today = date(2025, 4, 1)
    plans = [
        read(Question(text, today=today), desk)[0].plan
        for text in ("total fee amt by agt nm", "total fee amount by agent")
    ]
    assert plans[0] == plans[1]


def test_what_goes_on_does_not_ask_for_the_same_figures_once_more(desk: FixedCatalog, offers: dict[str, Offer]) -> None:
    by_agent = "What is the total fee amount by agent?"
    further = follow_ups(offers[by_agent].plan, desk, by_agent)
    assert len(further) == 3
    assert "Which agent has the highest total fee amount?" not in further


def test_nobody_is_asked_about_first_names_alone(tmp_path: Path) -> None:
    first, last = ("Ada", "Bo", "Cy"), ("Reed", "Stone")
    lines = [f"{n},{first[n % 3]},{last[n % 2]},{('York', 'Hull', 'Leeds')[n % 3]}" for n in range(60)]
    (tmp_path / "patients.csv").write_text("\n".join(["pat_id,fst_nm,lst_nm,town", *lines]))
    catalog = catalog_from_files([tmp_path / "patients.csv"], tmp_path / "tables")
    asked = [offer.question for offer in offers_for(catalog.tables()[0], catalog)]
    assert any("town" in question for question in asked)
    assert not any("first name" in question or "last name" in question for question in asked)
