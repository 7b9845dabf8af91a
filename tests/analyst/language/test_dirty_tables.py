"""Tables as systems export them: keys that are written differently, codes for words, prefixed names."""

from __future__ import annotations

from datetime import date

import pytest

from tests.analyst.language.asking import Desk

TODAY = date(2026, 1, 15)
PEOPLE = [
    # number, marital state, gender, country, born
    (71001 + n, "MS"[n % 2], "FMF"[n % 3], ("Norway", "NO-land", "United States", "US")[n % 4], 1940 + n)
    for n in range(40)
]
FILES = {
    "members.csv": "mbr_id,member_key,mbr_marital_status,mbr_gndr\n"
    + "".join(f"{n},ZX{n:08d},{married},{gender}\n" for n, married, gender, _, _ in PEOPLE),
    "member_places.csv": "member_key,cntry\n" + "".join(f"ZX-{n:08d},{country}\n" for n, _, _, country, _ in PEOPLE),
    "member_births.csv": "member_key,bdate\n" + "".join(f"OLDZX{n:08d},{year}-05-01\n" for n, _, _, _, year in PEOPLE),
    "buys.csv": "buy_no,mbr_id,buy_date,sales\n"
    + "".join(f"B{i},{PEOPLE[i % 40][0]},2025-{1 + i % 12:02d}-03,{10 + i}\n" for i in range(200)),
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("dirty"), FILES, TODAY)


def sales_of(*countries: str) -> int:
    return sum(10 + i for i in range(200) if PEOPLE[i % 40][3] in countries)


def test_codes_are_understood_by_the_kind_of_their_column(desk: Desk) -> None:
    married = sum(person[1] == "M" for person in PEOPLE)
    women = sum(person[2] == "F" for person in PEOPLE)
    assert desk.figure("How many members are married?") == married
    assert desk.figure("How many members are single?") == len(PEOPLE) - married
    assert desk.figure("How many female members are there?") == women


def test_keys_of_one_core_join_their_tables(desk: Desk) -> None:
    found = {row[0]: row[1] for row in desk.rows("total sales by country")}
    assert found == {name: sales_of(name) for name in {person[3] for person in PEOPLE}}


def test_two_spellings_of_a_country_are_one(desk: Desk) -> None:
    assert desk.figure("total sales in the United States") == sales_of("United States", "US")


def test_a_verb_says_which_date_is_meant(desk: Desk) -> None:
    assert len(desk.rows("members born before 1950")) == 10


def test_the_evidence_says_how_keys_were_joined(desk: Desk) -> None:
    joins = " ".join(desk.ask("total sales by country").evidence.joins)
    assert "key" in joins


def test_references_that_look_like_figures_are_not_added_up(tmp_path_factory: pytest.TempPathFactory) -> None:
    carriers = "SenderID,CompanyName\n" + "".join(f"{n},Sender {n}\n" for n in range(1, 6))
    parcels = "ParcelID,SendVia,Weight\n" + "".join(f"{100 + n},{1 + n % 5},{n}\n" for n in range(60))
    desk = Desk(tmp_path_factory.mktemp("via"), {"Senders.csv": carriers, "Parcels.csv": parcels}, TODAY)
    assert {tuple(row) for row in desk.rows("number of parcels per sender")} == {
        (f"Sender {n}", 12) for n in range(1, 6)
    }
