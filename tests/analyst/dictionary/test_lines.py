"""What the rows of a table are called that tells of a thing on the first of its lines only."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.dictionary.meaning import meanings
from apps.analyst.dictionary.taught import corrected
from apps.analyst.types import Column, PerKey, Table, Taught


def text(name: str, lies: PerKey, distinct: int = 20) -> Column:
    return Column(name, "text", "dimension", distinct=distinct, per_key=lies)


def number(name: str, lies: PerKey) -> Column:
    return Column(name, "integer", "id", distinct=50, per_key=lies)


def table(name: str, *columns: Column) -> Table:
    return Table(name, f"{name}.csv", Path(), 120, columns)


LINED = text("Lineitem name", "")


@pytest.mark.parametrize(
    ("found", "row", "whole"),
    [
        (table("orders_export", text("Name", "key", 50), text("Country", "same"), LINED), "order line", "order"),
        (table("order_lines", text("Name", "key", 50), text("Country", "same"), LINED), "order line", "order"),
        (table("sales", number("Order ID", "key"), text("Country", "same"), LINED), "order line", "order"),
        (table("export", number("Invoice No", "key"), text("Country", "same"), LINED), "invoice line", "invoice"),
        (table("invoices", text("Reference", "key", 50), text("Room", "")), "invoice record", "invoice"),
        (table("products_export", text("Handle", "key", 50), text("SKU", "")), "product record", "product"),
    ],
)
def test_a_row_is_a_part_of_what_the_key_or_the_table_names(found: Table, row: str, whole: str) -> None:
    meaning = meanings(found)
    assert (meaning.row, meaning.whole, meaning.whole_columns[0]) == (row, whole, found.columns[0].name)


def test_an_id_that_tells_the_same_things_apart_counts_them_too() -> None:
    found = table("orders_export", text("Name", "key", 50), number("Id", "same"), number("Store id", ""), LINED)
    assert meanings(found).whole_columns == ("Name", "Id")


def test_rows_of_other_tables_are_no_parts() -> None:
    meaning = meanings(table("orders_export", text("Name", "", 50), text("Country", ""), text("Lineitem name", "")))
    assert (meaning.row, meaning.whole, meaning.whole_columns) == ("order", "", ())


def test_who_says_that_a_row_is_the_thing_has_its_rows_counted() -> None:
    meaning = meanings(table("orders_export", text("Name", "key", 50), text("Country", "same"), LINED))
    made = corrected(meaning, [Taught(row="order")])
    assert (made.row, made.whole, made.whole_columns) == ("order", "", ())
    assert corrected(meaning, [Taught(row="purchase")]).whole == "order"
