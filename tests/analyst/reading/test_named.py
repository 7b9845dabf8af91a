"""What a question names word for word has its place in a sketch that passes over it."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.named import with_columns, with_every_side, with_first, with_sides, with_speed, with_values
from apps.analyst.reading.sketch import NOTHING, Sketch
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY


def linked_to(text: str, stays: FixedCatalog) -> Linked:
    return link(Question(text, today=TODAY), stays)


def column(name: str, linked: Linked) -> Sketch:
    return ("C", next(n for n, (_, c) in enumerate(linked.index.columns) if c.name == name))


def by_property(linked: Linked, last: Sketch = ("all",)) -> Sketch:
    total = ("m1", ("sum", column("tot_amt", linked)))
    return ("group", ("k1", column("prop_nm", linked)), total, NOTHING, ("nohaving",), last)


def test_two_values_of_what_rows_are_grouped_by_are_its_groups(stays: FixedCatalog) -> None:
    linked = linked_to("Castle Mews against Bay View: total amount", stays)
    made = with_sides(by_property(linked), linked)
    assert made[3][0] == "in2"
    assert {linked.items[w[1]].value for w in made[3][1:]} == {"Castle Mews", "Bay View"}
    assert with_sides(made, linked) == made


def test_one_value_is_no_side(stays: FixedCatalog) -> None:
    linked = linked_to("total amount by property, Castle Mews included", stays)
    assert with_sides(by_property(linked), linked) == by_property(linked)


def test_examples_are_no_sides(stays: FixedCatalog) -> None:
    linked = linked_to("total amount by property, Castle Mews, Bay View etc", stays)
    assert with_sides(by_property(linked), linked) == by_property(linked)


ONLY_ONE = ("first", ("desc",), ("by1",), ("onlyone",))


def test_a_number_that_stands_for_nothing_else_is_how_many_come_first(stays: FixedCatalog) -> None:
    linked = linked_to("the two properties with the highest total amount", stays)
    made = with_first(by_property(linked, ONLY_ONE), linked)
    assert made[-1] == ("first", ("desc",), ("by1",), ("top", ("N", 0)))


def test_as_many_as_there_are_groups_are_not_cut(stays: FixedCatalog) -> None:
    linked = linked_to("which of our 3 properties has the highest total amount", stays)
    assert with_first(by_property(linked, ONLY_ONE), linked) == by_property(linked, ONLY_ONE)


def test_a_number_that_bounds_or_dates_is_not_how_many(stays: FixedCatalog) -> None:
    linked = linked_to("property with the highest total amount over the last two months", stays)
    assert with_first(by_property(linked, ONLY_ONE), linked) == by_property(linked, ONLY_ONE)


def test_a_number_that_says_when_something_is_is_not_how_many(stays: FixedCatalog) -> None:
    for text in (
        "a call in 5 - which property has the highest amount",
        "need it by ten, property with the highest amount",
    ):
        linked = linked_to(text, stays)
        assert with_first(by_property(linked, ONLY_ONE), linked) == by_property(linked, ONLY_ONE)


def test_columns_that_are_named_whole_are_listed(stays: FixedCatalog) -> None:
    linked = linked_to("list bookings: guest number, meal plan and nights", stays)
    guests = ("rows", ("v1", column("gst_no", linked)), NOTHING, ("all",))
    listed = with_columns(guests, linked)
    assert set(listed[1][1:]) == {column(name, linked) for name in ("gst_no", "meal_pln", "nts")}


def test_what_rows_are_told_apart_by_is_not_listed(stays: FixedCatalog) -> None:
    linked = linked_to("the dearest booking for each meal plan", stays)
    rows = ("rows", ("v1", column("bkg_no", linked)), NOTHING, ("all",))
    assert with_columns(rows, linked) == rows


def test_totals_get_the_totals_that_are_named_beside_them(stays: FixedCatalog) -> None:
    linked = linked_to("total amount and nights", stays)
    total = ("agg", ("m1", ("sum", column("tot_amt", linked))), NOTHING)
    assert with_columns(total, linked)[1] == ("m2", total[1][1], ("sum", column("nts", linked)))


def item(value: str, linked: Linked) -> Sketch:
    return ("W", next(n for n, found in enumerate(linked.items) if found.value == value))


def values_in(condition: Sketch, linked: Linked) -> set[str]:
    return {linked.items[w[1]].value for w in condition[1:]}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("total quantity by country", ["quantity"]),
        ("total of quantity by country", ["quantity"]),
        ("quantity and total by country", ["quantity", "total"]),
        ("total and quantity by country", ["quantity", "total"]),
    ],
)
def test_a_word_that_says_how_a_figure_is_made_is_no_further_column(
    text: str, names: list[str], tmp_path: Path
) -> None:
    (tmp_path / "orders.csv").write_text("order,quantity,total,country\n1,2,10.5,NO\n2,3,11.5,SE\n3,1,12.5,NO\n")
    linked = linked_to(text, catalog_from_files([tmp_path / "orders.csv"], tmp_path / "tables"))
    figures = ("m1", ("sum", column("quantity", linked)))
    sketch = ("group", ("k1", column("country", linked)), figures, NOTHING, ("nohaving",), ("all",))
    made = with_columns(sketch, linked)[2][1:]
    assert [linked.index.columns[figure[1][1]][1].name for figure in made] == names


def test_a_list_of_values_holds_those_that_the_question_lists(stays: FixedCatalog) -> None:
    linked = linked_to("how many bookings in Castle Mews or Bay View", stays)
    sketch = ("in2", item("Castle Mews", linked), item("Harbour House", linked))
    assert values_in(with_values(sketch, linked), linked) == {"Castle Mews", "Bay View"}


def test_a_value_that_other_words_mean_stays_in_a_list(stays: FixedCatalog) -> None:
    linked = linked_to("bookings on BB and HB, and those harboured", stays)
    sketch = ("in3", *(item(value, linked) for value in ("BB", "HB", "RO")))
    assert values_in(with_values(sketch, linked), linked) == {"BB", "HB"}
    other = ("in2", item("Castle Mews", linked), item("Bay View", linked))
    assert with_values(other, linked) == other


def cut_to(values: tuple[str, ...], linked: Linked) -> Sketch:
    sketch = by_property(linked)
    return (*sketch[:3], (f"in{len(values)}", *(item(value, linked) for value in values)), *sketch[4:])


def test_groups_are_not_cut_where_the_question_goes_on(stays: FixedCatalog) -> None:
    linked = linked_to("Castle Mews vs Bay View vs the harbor one: total amount", stays)
    made = with_every_side(cut_to(("Castle Mews", "Bay View"), linked), linked)
    assert made[3] == cut_to(("Castle Mews", "Bay View"), linked)[3]  # "the" is no side of its own
    linked = linked_to("Castle Mews vs Bay View vs dockside: total amount", stays)
    assert with_every_side(cut_to(("Castle Mews", "Bay View"), linked), linked)[3] == NOTHING
    linked = linked_to("Castle Mews, Bay View and the rest: total amount", stays)
    assert with_every_side(cut_to(("Castle Mews", "Bay View"), linked), linked)[3] == NOTHING


def test_groups_that_are_all_named_stay_cut(stays: FixedCatalog) -> None:
    linked = linked_to("Castle Mews vs Bay View by total amount", stays)
    sketch = cut_to(("Castle Mews", "Bay View"), linked)
    assert with_every_side(sketch, linked) == sketch


def test_the_fastest_takes_the_least_time(stays: FixedCatalog) -> None:
    for text, way in (("fastest", "asc"), ("slowest", "desc")):
        linked = linked_to(f"which property is {text} from arrival to arrival", stays)
        arrived = column("arr_dt", linked)
        mean = ("avg", ("span", ("in_days",), arrived, arrived))
        for wrong in ("asc", "desc"):
            last = ("first", (wrong,), ("bym", mean), ("onlyone",))
            assert with_speed(by_property(linked, last), linked)[-1][1] == (way,)


def test_speed_turns_no_ranking_by_a_figure_that_is_no_time(stays: FixedCatalog) -> None:
    linked = linked_to("the fastest property by total amount", stays)
    assert with_speed(by_property(linked, ONLY_ONE), linked) == by_property(linked, ONLY_ONE)
