"""What a question names and a sketch passes over is put in."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.reading.concrete import written
from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.mending import mended, with_all_entries, with_said_alone, with_wholes, without_both
from apps.analyst.reading.sketch import NOTHING, Sketch, walk
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY


def linked_to(text: str, stays: FixedCatalog) -> Linked:
    return link(Question(text, today=TODAY), stays)


def counted_in(name: str, linked: Linked, conditions: Sketch = NOTHING) -> Sketch:
    """The number of a table's rows."""
    place = next(n for n, table in enumerate(linked.index.tables) if table.name == name)
    return ("agg", ("m1", ("count", ("T", place))), conditions)


def counted(linked: Linked, conditions: Sketch = NOTHING) -> Sketch:
    """The number of bookings."""
    return counted_in("bookings", linked, conditions)


def values(sketch: Sketch, linked: Linked) -> set[str]:
    return {str(part[3]) for part in walk(written(sketch, linked, TODAY)) if part[0] == "W"}


def test_values_that_are_named_and_in_no_condition_are_put_in(stays: FixedCatalog) -> None:
    linked = linked_to("how many cancelled bookings at Castle Mews", stays)
    made = mended(counted(linked), linked)
    assert made is not None
    assert values(made[0], linked) == {"Cancelled", "Castle Mews"}
    assert made[1] == 2


def test_a_code_that_is_known_to_stand_for_a_word_is_put_in(tmp_path: Path) -> None:
    rows = "\n".join(f"{n},{('CSH', 'CRD')[n % 2]},{n}" for n in range(12))
    (tmp_path / "visits.csv").write_text(f"visit_no,paid_by,fee_taken\n{rows}")
    catalog = catalog_from_files([tmp_path / "visits.csv"], tmp_path / "tables")
    linked = link(Question("how many visits took cash", today=TODAY), catalog)
    made = mended(counted_in("visits", linked), linked)
    assert made is not None
    assert values(made[0], linked) == {"CSH"}


def test_two_values_of_one_column_are_either_of_them(stays: FixedCatalog) -> None:
    linked = linked_to("bookings at Castle Mews or Bay View", stays)
    made = mended(counted(linked), linked)
    assert made is not None
    assert made[0][2][0] == "in2"


def test_a_period_that_is_in_no_condition_is_put_in_by_the_date_of_the_table(stays: FixedCatalog) -> None:
    linked = linked_to("bookings in March 2024", stays)
    made = mended(counted(linked), linked)
    assert made is not None
    assert written(made[0], linked, TODAY)[2][:2] == ("dates", ("C", "bookings", "arr_dt"))


def test_a_flag_that_may_be_all_it_can_be_is_yes(stays: FixedCatalog) -> None:
    linked = linked_to("how many bookings were paid", stays)
    flags = [n for n, item in enumerate(linked.items) if linked.index.columns[item.column][1].name == "pd_flg"]
    either = counted(linked, ("in2", *(("W", n) for n in flags)))
    assert len(flags) == 2
    assert values(without_both(either, linked), linked) == {"Y"}
    assert without_both(counted(linked), linked) == counted(linked)


def test_a_list_of_all_values_of_which_some_are_not_said_is_no_reading(stays: FixedCatalog) -> None:
    def listed(text: str) -> Sketch:
        linked = linked_to(text, stays)
        plans = {
            str(i.value): n for n, i in enumerate(linked.items) if linked.index.columns[i.column][1].name == "meal_pln"
        }
        every = counted(linked, (f"in{len(plans)}", *(("W", n) for n in plans.values())))
        assert len(plans) == 3
        return without_both(every, linked)

    assert listed("bookings with BB, HB or RO")[2][0] == "in3"
    with pytest.raises(ValueError, match="all rows"):
        listed("bookings with a meal, BB or HB or other plan")


def test_a_condition_on_a_value_that_no_word_names_is_taken_out(stays: FixedCatalog) -> None:
    linked = linked_to("how many bookings are there", stays)
    place = next(n for n, item in enumerate(linked.items) if item.value == "Bay View")
    made = mended(counted(linked, ("is", ("W", place))), linked)
    assert made is not None
    assert made[0][2] == NOTHING


def test_values_beside_one_that_is_named_are_left_out(stays: FixedCatalog) -> None:
    linked = linked_to("bookings at Castle Mews only", stays)
    place = next(n for n, item in enumerate(linked.items) if item.value == "Castle Mews")
    other = next(n for n, item in enumerate(linked.items) if item.column != linked.items[place].column)
    for several, alone in (("in2", "is"), ("notin2", "isnt")):
        listed = counted(linked, (several, ("W", place), ("W", other)))
        assert with_said_alone(listed, linked) == counted(linked, (alone, ("W", place)))
    share = ("agg", ("m1", ("rate", ("T", 0), ("is", ("W", place)))), ("in2", ("W", place), ("W", other)))
    assert with_said_alone(share, linked) == share
    nobody = linked_to("bookings by hotel", stays)
    unsaid = counted(nobody, ("in2", ("W", 0), ("W", 1)))
    assert with_said_alone(unsaid, nobody) == unsaid


def test_a_sketch_that_passes_over_nothing_is_left_alone(stays: FixedCatalog) -> None:
    linked = linked_to("how many bookings are there", stays)
    assert mended(counted(linked), linked) is None


def contacts_in(folder: Path) -> FixedCatalog:
    cells = ("Email;Phone", "Phone", "Phone;Email", "Email", "Email;Fair", "Fair;Phone")
    lines = "".join(f"Person {n},{cell},{('Active', 'Gone')[n % 2]}\n" for n, cell in enumerate(cells * 4))
    (folder / "contacts.csv").write_text("Contact,Interests,Standing\n" + lines)
    return catalog_from_files([folder / "contacts.csv"], folder / "tables")


def test_both_of_two_entries_of_a_list_have_to_be_there(tmp_path: Path) -> None:
    catalog = contacts_in(tmp_path)
    either, both = (
        link(Question(f"contacts interested in {text}", today=TODAY), catalog)
        for text in ("email or phone", "both email and phone")
    )

    def of(linked: Linked) -> Sketch:
        places = [n for n, item in enumerate(linked.items) if item.value in ("Email", "Phone")]
        return counted_in("contacts", linked, ("in2", *(("W", place) for place in places[:2])))

    assert with_all_entries(of(either), either) == of(either)
    assert with_all_entries(of(both), both)[2][0] == "and"


def test_an_entry_beside_a_value_of_another_column_stays_one_of_two(tmp_path: Path) -> None:
    linked = link(Question("both those for email and the active ones", today=TODAY), contacts_in(tmp_path))
    entry, other = (
        next(n for n, item in enumerate(linked.items) if item.value == value) for value in ("Email", "Active")
    )
    either = counted_in("contacts", linked, ("or", ("is", ("W", entry)), ("is", ("W", other))))
    assert with_all_entries(either, linked) == either


LINES = "Order Number,Order Line Number,Amount\n" + "".join(f"{900 + n // 3},{1 + n % 3},{n}\n" for n in range(60))
HEADERS = "Order Number,Ordered On\n" + "".join(f"{900 + n},2024-05-{1 + n}\n" for n in range(20))


def of_lines(text: str, folder: Path, *, headers: bool = False) -> tuple[Sketch, Linked]:
    """The rows of a table of order lines, counted and looked over for what they are parts of."""
    held = {"sales export": LINES, **({"order list": HEADERS} if headers else {})}
    for name, lines in held.items():
        (folder / f"{name}.csv").write_text(lines)
    catalog = catalog_from_files([folder / f"{name}.csv" for name in held], folder / "tables")
    linked = link(Question(text, today=TODAY), catalog)
    return with_wholes(counted_in("sales export", linked), linked, dictionary_of(catalog)), linked


def test_orders_over_a_table_of_their_lines_are_counted_once_each(tmp_path: Path) -> None:
    made, linked = of_lines("how many orders are there", tmp_path)
    assert written(made, linked, TODAY)[1] == ("m1", ("countd", ("C", "sales export", "Order Number")))


def test_what_an_export_calls_details_are_lines_of_what_their_first_column_numbers(tmp_path: Path) -> None:
    lines = "sls_ord_num,sls_prd_key,sls_sales\n" + "".join(f"SO{900 + n // 3},P{n % 7},{n}\n" for n in range(60))
    (tmp_path / "sales_details.csv").write_text(lines)
    catalog = catalog_from_files([tmp_path / "sales_details.csv"], tmp_path / "tables")
    linked = link(Question("orders per product", today=TODAY), catalog)
    made = with_wholes(counted_in("sales_details", linked), linked, dictionary_of(catalog))
    assert written(made, linked, TODAY)[1] == ("m1", ("countd", ("C", "sales_details", "sls_ord_num")))


@pytest.mark.parametrize("text", ["how many POs are there", "how many orders are there", "number of dealer orders"])
def test_orders_are_counted_by_the_number_that_their_lines_repeat(text: str, tmp_path: Path) -> None:
    lines = "PO no.,Item,Qty\n" + "".join(f"PO-{900 + n // 2},I{n % 7},{1 + n % 5}\n" for n in range(300))
    (tmp_path / "dealer orders.csv").write_text(lines)
    catalog = catalog_from_files([tmp_path / "dealer orders.csv"], tmp_path / "tables")
    linked = link(Question(text, today=TODAY), catalog)
    made = with_wholes(counted_in("dealer orders", linked), linked, dictionary_of(catalog))
    assert written(made, linked, TODAY)[1] == ("m1", ("countd", ("C", "dealer orders", "PO no.")))


def test_lines_are_counted_as_lines(tmp_path: Path) -> None:
    made, linked = of_lines("how many order lines are there", tmp_path)
    assert made == counted_in("sales export", linked)


def test_orders_that_have_a_table_of_their_own_are_not_counted_by_their_lines(tmp_path: Path) -> None:
    made, linked = of_lines("how many orders are there", tmp_path, headers=True)
    assert made == counted_in("sales export", linked)
