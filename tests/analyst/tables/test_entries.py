"""Which columns list several entries in a cell, and which only have a separator in what they say."""

from __future__ import annotations

import pytest

from apps.analyst.tables.entries import entries_of, separator_of
from apps.analyst.types import Column, ValueCount


def column(*cells: str, role: str = "dimension") -> Column:
    values = tuple(ValueCount(cell, 1) for cell in cells)
    return Column("tags", "text", role, distinct=len(cells), values=values, values_complete=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("mark", ["|", ";", ",", ", ", "\n"])
def test_entries_that_come_again_in_other_places_are_a_list(mark: str) -> None:
    cells = [
        "billing",
        "refund",
        "login",
        f"billing{mark}login",
        f"login{mark}refund{mark}billing",
        f"refund{mark}login",
    ]
    assert separator_of(column(*cells)) == mark.strip(" ")


@pytest.mark.parametrize(
    "cells",
    [
        ("Leeds, UK", "York, UK", "Lyon, France", "Nice, France", "Turin, Italy"),
        ("Smith, Ann", "Smith, Bo", "Jones, Ann", "Jones, Cy", "Brown, Bo"),
        ("Acme, Inc.", "Birch, Inc.", "Cedar, Ltd.", "Dogwood, Ltd."),
        ("1,200", "1,300", "2,200", "1,200,300", "300,1"),
        ("Called, no answer, will try again next week on Monday", "Sent the offer, they want to think about it"),
        ("12 High St, Leeds", "4 Mill Lane, Leeds", "9 High St, York"),
    ],
)
def test_a_separator_in_places_names_and_sentences_is_no_list(cells: tuple[str, ...]) -> None:
    assert separator_of(column(*cells)) is None


def test_keys_list_nothing() -> None:
    assert separator_of(column("A;B", "B;A", "A;C", "C;B", role="id")) is None


def test_entries_are_counted_in_the_cells_that_have_them() -> None:
    found = entries_of(column("elm;oak", "oak", "oak; ash", "ash;elm;", "elm;ash;oak"))
    assert {entry.value: entry.count for entry in found} == {"oak": 4, "elm": 3, "ash": 3}


def test_values_of_other_columns_stay_as_they_are() -> None:
    plain = column("North", "South")
    assert entries_of(plain) == plain.values
