"""What a model is told of the data: what it needs to write a query, in few words, and no value that names somebody."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.approaches.models import prompt
from apps.analyst.approaches.models.data import join_line
from apps.analyst.approaches.models.quoting import quoted
from apps.analyst.approaches.models.rules import SYSTEM
from apps.analyst.approaches.models.tokens import estimated_tokens
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import EmbeddedKey, JoinPath, Question, Taught

TODAY = date(2026, 1, 10)
PEOPLE = ("Ben Tran", "Dana Whitfield", "Ruth Adeyemi", "Marcus Obi")


@pytest.fixture
def office(tmp_path: Path) -> FixedCatalog:
    """Customers with their account managers, and what they ordered."""
    customers = ["cust_id,Account Manager,e_mail,phone,segment,board"]
    for n in range(1, 41):
        segment = ("Retail", "retail", "Public", "")[n % 4]
        mail = f"buyer{n}@example.com"
        customers.append(f"{n},{PEOPLE[n % 4]},{mail},+44 20 7946 {n:04},{segment},{('HB', 'FB')[n % 2]}")
    orders = ["order_no,cust_id,Order Date,ship_date,unit_price"]
    orders += [f"SO-{n:05},{n % 40 + 1},2025-03-{n % 28 + 1:02},,{n}.5" for n in range(1, 201)]
    files = []
    for name, lines in (("customers", customers), ("orders", orders)):
        files.append(tmp_path / f"{name}.csv")
        files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return catalog_from_files(files, tmp_path / "tables")


def told(question: str, catalog: FixedCatalog) -> str:
    return prompt.asked(Question(question, today=TODAY), catalog)


def line(text: str, start: str) -> str:
    return next(one.strip() for one in text.splitlines() if one.strip().startswith(start))


def test_a_table_says_what_one_row_is_and_a_column_what_its_name_does_not(office: FixedCatalog) -> None:
    text = told("How many orders are there?", office)
    assert line(text, 'table "orders"').startswith('table "orders": 200 rows, one row: order')
    assert line(text, '"Order Date" date').endswith("2025-03-01 to 2025-03-28")
    assert "10 missing" in line(text, "segment")
    assert "200 missing" in line(text, "ship_date")


def test_small_sets_of_values_are_listed_with_all_spellings(office: FixedCatalog) -> None:
    segment = line(told("How many orders are there?", office), "segment")
    assert "'Public'" in segment
    assert "is also spelt" in segment


def test_joins_have_a_direction(office: FixedCatalog) -> None:
    text = told("How many orders are there?", office)
    assert "join orders.cust_id -> customers.cust_id: many to one" in text
    key = JoinPath("a", ("Ref No",), "b", ("code",), 0.9, False, fold=True, embedded=EmbeddedKey("left", 0, 2))
    assert join_line(key) == (
        'join a."Ref No" -> b.code: many to many, 90 % of the left find a partner, equal only without case, '
        "outer blanks and leading zeros, the left key holds the other from letter 1, 2 letters"
    )


def test_persons_addresses_phones_and_identifiers_are_told_only_where_the_question_says_them(
    office: FixedCatalog,
) -> None:
    text = told("How many orders are there?", office)
    for secret in (*PEOPLE, "@example.com", "7946", "SO-0"):
        assert secret not in text
    asked = told("How many customers does Ben Tran have?", office)
    assert 'is the value "Ben Tran" of "Account Manager" in "customers"' in asked
    assert "Dana Whitfield" not in asked


@pytest.mark.parametrize(
    "header", ["Company owner", "Company owner:", "createdBy", "fixed_by", "author_name", "Sales reps", "Host"]
)
def test_names_of_persons_are_not_told_whatever_their_column_is_held_for(header: str, tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    rows = "".join(f"R{n},{PEOPLE[n % 4]},{('Bank transfer', 'Direct debit')[n % 2]}\n" for n in range(40))
    path.write_text(f"record_no,{header},paid by\n{rows}")
    text = told("How many records are there?", catalog_from_files([path], tmp_path / "tables"))
    for name in PEOPLE:
        assert name not in text
    assert "'Bank transfer'" in line(text, '"paid by"'), "what is no name is told"


def test_a_number_of_the_question_is_not_taken_for_the_number_of_a_row(office: FixedCatalog) -> None:
    text = told("Which 7 customers have ordered most?", office)
    assert "the question's" not in text


def test_a_number_of_the_question_is_no_yes(tmp_path: Path) -> None:
    path = tmp_path / "stops.csv"
    path.write_text("stop,planned,bay\n" + "".join(f"S{n},{('yes', 'no')[n % 2]},Bay {n % 3}\n" for n in range(20)))
    text = told("How many stops of bay 1 in q1 are planned?", catalog_from_files([path], tmp_path / "tables"))
    assert '"yes"' not in text
    assert 'is the value "Bay 1" of "bay"' in text


def test_a_meaning_that_is_found_for_one_code_of_several_is_no_meaning(tmp_path: Path) -> None:
    path = tmp_path / "staff.csv"
    rows = "".join(f"E{n},{('HM', 'CO')[n % 2]},{('M', 'F')[n % 2]}\n" for n in range(20))
    path.write_text(f"emp_no,address_type_code,sex\n{rows}")
    catalog = catalog_from_files([path], tmp_path / "tables")
    assert line(told("How many staff are there?", catalog), "address_type_code").endswith("one of 'HM' 'CO'")
    assert "'M'=male 'F'=female" in line(told("How many staff are there?", catalog), "sex")
    taught = replace(catalog.tables()[0], taught=(Taught("address_type_code", values={"CO": "college"}),))
    text = told("How many staff are there?", FixedCatalog("codes taught", (taught,)))
    assert "'CO'=college" in line(text, "address_type_code")


def test_values_that_the_same_words_may_mean_stand_in_one_line(tmp_path: Path) -> None:
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun")
    rows = "".join(f"R{n:03},{months[n % 6]} 2025 expenses,{n % 2},{n}.5\n" for n in range(1, 121))
    path = tmp_path / "lines.csv"
    path.write_text(f"line_no,report,is_paid,amount\n{rows}", encoding="utf-8")
    text = told("What were the expenses of 2025 by month?", catalog_from_files([path], tmp_path / "tables"))
    (hint,) = (one for one in text.splitlines() if one.startswith("the question's") and '"report"' in one)
    assert hint.count('2025 expenses"') == 4
    assert "or 2 more values" in hint
    assert line(text, "is_paid") == "is_paid integer, 0 to 1", "what a flag's 0 and 1 are its name says"


@pytest.mark.parametrize(
    ("name", "written"),
    [("amount", "amount"), ("Deal Name", '"Deal Name"'), ("order", '"order"'), ('a"b', '"a""b"'), ("2024", '"2024"')],
)
def test_names_stand_in_quotes_where_a_query_needs_them(name: str, written: str) -> None:
    assert quoted(name) == written


def test_the_rules_hold_five_examples_and_leave_room_for_the_data(office: FixedCatalog) -> None:
    assert SYSTEM.count('{"sql": "') == 5
    assert estimated_tokens(SYSTEM) < 1_200
    assert estimated_tokens(SYSTEM + told("How many orders are there?", office)) < 1_700
