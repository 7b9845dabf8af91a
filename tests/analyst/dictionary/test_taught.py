"""What people teach about a table wins over what was found out, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.meaning import meanings
from apps.analyst.dictionary.taught import corrected
from apps.analyst.dictionary.types import ColumnMeaning
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Column, Table, Taught, ValueCount

FLAG = (ValueCount("N", 30), ValueCount("Y", 10))
SALES = Table(
    "sales", "sales.csv", Path(), 40,
    (
        Column("order_id", "integer", "id", distinct=40, unique=True),
        Column("ordered_on", "date", "time", distinct=30),
        Column("net", "decimal", "measure", distinct=40),
        Column("rtn", "text", "dimension", distinct=2, values=FLAG, values_complete=True),
    ),
)  # fmt: skip


def taught(column: str, **said: object) -> ColumnMeaning:
    entry = Taught(column=column, **said)  # type: ignore[arg-type]
    found = corrected(meanings(SALES), [entry]).column(column)
    assert found is not None
    return found


def test_nothing_taught_changes_nothing() -> None:
    found = meanings(SALES)
    assert corrected(found, ()) is found


@pytest.mark.parametrize(
    ("column", "said", "told"),
    [
        ("net", {"label": "takings"}, {"label": "takings"}),
        ("net", {"adds": "last"}, {"adds": "last"}),
        ("net", {"unit": "CHF"}, {"unit": "CHF", "money": True}),
        ("net", {"unit": "kg"}, {"unit": "kg", "money": False}),
        ("net", {"unit": ""}, {"unit": None}),
        ("net", {"kind": "dimension"}, {"kind": "dimension", "adds": None, "money": False}),
        ("order_id", {"kind": "measure"}, {"kind": "measure", "adds": "sum"}),
        ("net", {"concept": "general.rate"}, {"concept": "general.rate", "confidence": 1.0}),
        ("net", {"concept": ""}, {"concept": None, "confidence": 0.0}),
        ("ordered_on", {"kind": "text"}, {"kind": "text", "event": ""}),
        ("net", {"synonyms": ("turnover", "takings")}, {"synonyms": ("turnover", "takings")}),
        ("rtn", {"value_synonyms": {"Y": ("came back",)}}, {"value_synonyms": {"Y": ("came back",)}}),
        ("rtn", {"values": {"Y": "sent back"}}, {"says": {"Y": "sent back", "N": "not rtn"}}),
        ("rtn", {"values": {"N": ""}}, {"says": {"Y": "rtn"}}),
    ],
)
def test_what_is_said_of_a_column_wins(column: str, said: dict[str, object], told: dict[str, object]) -> None:
    flagged = {"Y": "rtn", "N": "not rtn"}
    found = corrected(replace(meanings(SALES), columns=tuple(
        replace(c, says=flagged) if c.name == "rtn" else c for c in meanings(SALES).columns
    )), [Taught(column=column, **said)]).column(column)  # type: ignore[arg-type]  # fmt: skip
    assert {name: getattr(found, name) for name in told} == told


def test_a_concept_that_is_not_known_any_more_is_passed_over() -> None:
    before = meanings(SALES).column("net")
    assert before is not None
    assert taught("net", concept="general.nothing_like_it").concepts == before.concepts


def test_what_is_said_of_a_column_that_is_gone_is_passed_over() -> None:
    assert corrected(meanings(SALES), [Taught(column="gross", label="gross")]) == meanings(SALES)


def test_the_later_of_two_entries_wins() -> None:
    found = corrected(meanings(SALES), [Taught("net", label="one"), Taught("net", label="two")]).column("net")
    assert found is not None
    assert found.label == "two"


@pytest.mark.parametrize(
    ("said", "row", "rows"),
    [
        (Taught(row="receipt"), "receipt", "receipts"),
        (Taught(row="ox", rows="oxen"), "ox", "oxen"),
        (Taught(), "sale", "sales"),
    ],
)
def test_rows_get_the_noun_that_people_use(said: Taught, row: str, rows: str) -> None:
    found = corrected(meanings(SALES), [said])
    assert (found.row, found.rows) == (row, rows)


def test_rows_go_by_the_date_that_people_name_where_it_is_one() -> None:
    sent = replace(SALES, columns=(*SALES.columns, Column("sent_on", "date", "time", distinct=30)))
    assert corrected(meanings(sent), [Taught(date_column="sent_on")]).date_column == "sent_on"
    for name in ("net", "gone"):
        assert corrected(meanings(sent), [Taught(date_column=name)]) == meanings(sent)


def test_a_catalog_has_the_meanings_with_what_was_taught() -> None:
    told = replace(SALES, taught=(Taught("net", label="takings"), Taught(row="receipt")))
    found = dictionary_of(FixedCatalog("taught-1", (told,)))["sales"]
    assert found.row == "receipt"
    assert [column.label for column in found.columns][2] == "takings"
