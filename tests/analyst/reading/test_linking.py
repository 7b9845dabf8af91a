"""What the words of a question are found to name in the catalog."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.plan import Aggregate, ColumnRef, Output, Query
from apps.analyst.reading.closeness import content_fits, unknown_places
from apps.analyst.reading.coverage import passes_code_over
from apps.analyst.reading.linking import WHOLE, Linked, index_of, link
from apps.analyst.reading.mending import is_named
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY


def linked(text: str, catalog: FixedCatalog) -> Linked:
    return link(Question(text, today=TODAY), catalog)


def fit(found: Linked, word: str, column: str) -> float:
    """The best fit of a word of the question with a column."""
    place = found.tokens.index(word)
    node = next(n for n, (_, c) in enumerate(found.index.columns) if c.name == column) + len(found.index.tables)
    return float(found.channels[place, node].max())


@pytest.mark.parametrize(
    ("word", "column", "other"),
    [
        ("nights", "nts", "tot_amt"),
        ("country", "cntry", "gst_nm"),
        ("arrival", "arr_dt", "nts"),
        ("meal", "meal_pln", "nts"),
    ],
)
def test_abbreviated_names_fit_the_words_they_shorten(stays: FixedCatalog, word: str, column: str, other: str) -> None:
    found = linked(f"tell me the {word}", stays)
    assert fit(found, word, column) > fit(found, word, other)


def test_a_stored_value_is_found_whole_and_in_part(stays: FixedCatalog) -> None:
    whole = linked("revenue of Castle Mews", stays)
    assert any(i.value == "Castle Mews" and whole.item_features[n, 3] > 0 for n, i in enumerate(whole.items))
    part = linked("bookings of garcia", stays)
    assert any(i.partial and i.value == "garcia" for i in part.items)


def test_a_state_said_in_other_words_marks_its_value(stays: FixedCatalog) -> None:
    found = linked("how many guests never turned up", stays)
    marked = {found.items[n].value for n in range(len(found.items)) if found.item_features[n, 8] > 0}
    assert "No show" in marked


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("over 2,500", [2500]),
        ("top ten", [10]),
        ("more than 3k", [3000]),
        ("two million", [2_000_000]),
        ("over a million", [1_000_000]),
        ("half a million", [500_000]),
        ("more than a hundred thousand", [100_000]),
        ("two hundred thousand", [200_000]),
        ("20 a month", [20]),
        ("grand total", []),
        ("stays of 12+ nights", [12]),
        ("bookings in may 2025", []),
    ],
)
def test_numbers_are_read_in_figures_and_words(stays: FixedCatalog, text: str, numbers: list[float]) -> None:
    found = linked(text, stays)
    assert [n for _, n in found.numbers if n != 2025] == numbers


def test_an_index_is_made_once_for_a_version(stays: FixedCatalog) -> None:
    assert index_of(stays) is index_of(stays)


@pytest.mark.parametrize(
    "text",
    ["", "?", "🙂🙂", "a" * 5000, "x " * 400, "\u0660\u0661\u0662", "²³ last 999 years", "0000-00-00", "'' or 1=1 --"],
)
def test_strange_questions_are_linked_all_the_same(stays: FixedCatalog, text: str) -> None:
    found = linked(text, stays)
    assert found.channels.shape[0] == len(found.tokens) <= 48


def test_a_country_is_found_by_its_adjective_and_its_code(stays: FixedCatalog) -> None:
    for text in ("How many German guests are there?", "guests from DEU"):
        linked = link(Question(text, today=TODAY), stays)
        named = [linked.items[n].value for n in range(len(linked.items)) if linked.item_features[n, 3] > 0]
        assert "Germany" in named


@pytest.mark.parametrize("text", ["TOT_AMT by PROP_NM", "the tot_amt by prop_nm", "tot amt by prop nm"])
def test_names_that_are_typed_as_the_file_has_them_fit_their_columns_and_no_others(
    stays: FixedCatalog, text: str
) -> None:
    found = linked(text, stays)
    named = [[], []]
    for n, (_, column) in enumerate(found.index.columns):
        whole = found.channels[:, len(found.index.tables) + n][:, list(WHOLE)].min(1)
        for place in (int(where) for where in whole.nonzero()[0]):
            named[place >= found.tokens.index("by")].append(column.name)
    assert (set(named[0]), set(named[1])) == ({"tot_amt"}, {"prop_nm"})


def test_a_foreign_name_that_is_spelled_out_in_english_is_known_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "orders.csv"
    file.write_text("Bestellung,Region,Umsatz\n" + "\n".join(f"{n},North,{n * 3}.5" for n in range(40)))
    german = catalog_from_files([file], tmp_path / "tables")
    assert unknown_places(linked("total Umsatz by region", german)) == []
    assert dict(content_fits(linked("total Umsatz by region", german)))[1] == 1


@pytest.mark.parametrize(("text", "found"), [("how many SQLs in may", True), ("people, all of them", False)])
def test_a_value_is_known_by_its_first_letters(tmp_path: Path, text: str, found: bool) -> None:
    stages = ["Sales Qualified Lead", "Customer", "Also Long Lost"]
    rows = "".join(f"{n},{stages[n % 3]}\n" for n in range(30))
    (tmp_path / "people.csv").write_text(f"no,stage\n{rows}")
    said = linked(text, catalog_from_files([tmp_path / "people.csv"], tmp_path))
    named = [item.value for n, item in enumerate(said.items) if said.item_tokens[n].max() == 1]
    assert named == (["Sales Qualified Lead"] if found else [])


def test_a_unit_that_is_written_with_a_number_names_its_column(tmp_path: Path) -> None:
    rows = "".join(f"{n},{n * 3},{n * 7},{('Cement 25kg', 'Sand 40kg')[n % 2]}\n" for n in range(1, 40))
    (tmp_path / "loads.csv").write_text(f"no,weight_kg,net_amt,product\n{rows}")
    catalog = catalog_from_files([tmp_path / "loads.csv"], tmp_path)
    found = linked("loads above 90kg", catalog)
    assert [number for _, number in found.numbers] == [90]
    assert fit(found, "90kg", "weight_kg") == 1 > fit(found, "90kg", "net_amt")
    named = linked("weight of cement 25kg", catalog)
    assert any(item.value == "Cement 25kg" and named.item_features[n, 3] > 0 for n, item in enumerate(named.items))


@pytest.fixture(scope="module")
def coded(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("coded")
    codes = [("CSH", "SPRK", "A", "CN"), ("CRD", "WHSK", "B", "PD"), ("TRF", "LIQR", "C", "PD")]
    rows = [f"{n},{channel},{kind},{tier},{state},{n}" for n, (channel, kind, tier, state) in enumerate(codes * 4)]
    (folder / "sales.csv").write_text("\n".join(["sale_no,chnl,cat_cd,tier,sts,contracts", *rows]))
    return catalog_from_files([folder / "sales.csv"], folder / "tables")


def values_said(text: str, catalog: FixedCatalog) -> set[str]:
    """The stored values that words of a question are as good as."""
    found = linked(text, catalog)
    said = found.item_features[:, 2:4].max(1) >= 0.5
    return {one.value for one, is_said in zip(found.items, said, strict=True) if is_said}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("how much was paid in cash", {"CSH", "PD"}),
        ("sparkling sold by card", {"SPRK", "CRD"}),
        ("cancelled whisky sales", {"CN", "WHSK"}),
        ("number of items", set()),
        ("A, B and C accounts", {"A", "B", "C"}),
        ("list a sale of B accounts", {"B"}),
    ],
)
def test_codes_are_found_by_the_words_they_are_short_for(text: str, values: set[str], coded: FixedCatalog) -> None:
    assert values_said(text, coded) == values


@pytest.mark.parametrize(
    ("text", "column", "passed"),
    [("contracts by card", "", True), ("contracts by card", "chnl", False), ("contracts per tier", "", False)],
)
def test_a_plan_that_uses_a_code_for_nothing_passes_it_over(
    text: str, column: str, passed: bool, coded: FixedCatalog
) -> None:
    groups = (Output(label=column, expr=ColumnRef(table="sales", column=column)),) if column else ()
    total = Output(label="contracts", expr=Aggregate(fn="sum", of=ColumnRef(table="sales", column="contracts")))
    plan = Query(source="sales", groups=groups, measures=(total,))
    assert passes_code_over(linked(text, coded), plan) is passed


@pytest.mark.parametrize(
    ("measure", "passed"),
    [("fee_taken", True), ("cash_taken", False)],
)
def test_a_word_that_a_code_is_known_to_stand_for_is_passed_over_unless_it_is_named(
    measure: str, passed: bool, tmp_path: Path
) -> None:
    rows = "\n".join(f"{n},{('CSH', 'CRD')[n % 2]},{n}" for n in range(12))
    (tmp_path / "bookings.csv").write_text(f"booking_no,paid_by,{measure}\n{rows}")
    catalog = catalog_from_files([tmp_path / "bookings.csv"], tmp_path / "tables")
    total = Output(label="taken", expr=Aggregate(fn="sum", of=ColumnRef(table="bookings", column=measure)))
    plan = Query(source="bookings", measures=(total,))
    assert passes_code_over(linked("how much did we take in cash", catalog), plan) is passed


def test_a_code_is_known_to_stand_for_a_word_where_it_is_short_for_nothing_else(coded: FixedCatalog) -> None:
    found = linked("sparkling for cash", coded)
    codes = {(found.items[code.item].value, found.tokens[code.word]): code.known for code in found.codes}
    assert codes == {("CSH", "cash"): True, ("SPRK", "sparkling"): False}


def test_a_grade_that_is_called_as_a_flag_is_named(tmp_path: Path) -> None:
    grades = "\n".join(f"{n},{'DEFG'[n % 4]}" for n in range(40))
    (tmp_path / "homes.csv").write_text(f"home_no,epc_rating\n{grades}")
    found = linked("how many are rated E or F", catalog_from_files([tmp_path / "homes.csv"], tmp_path / "tables"))
    assert {one.value for n, one in enumerate(found.items) if is_named(n, found)} == {"E", "F"}
