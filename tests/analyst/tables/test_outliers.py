"""Figures far from the rest are told in the report and kept."""

from __future__ import annotations

import pytest


def table_of(count: int, far: dict[int, str], column: str = "amount") -> str:
    rows = (
        f"name {n},{far.get(n, f'{100 + n % 50}.25')},some words that make the file large enough" for n in range(count)
    )
    return f"name,{column},note\n" + "\n".join(rows)


@pytest.mark.parametrize("count", [400, 40_000])
def test_far_figures_are_counted_with_the_edge_they_lie_beyond(read_text, count):
    table = read_text(table_of(count, {7: "98000.5", 9: "-45000.25", 11: "77000.75"}))
    assert "amount: 3 values far from the rest (below " in table.report
    assert "kept as they are" in table.report
    assert " or above " in table.report
    assert float(max(table.columns["amount"])) == 98000.5


@pytest.mark.parametrize("count", [400, 40_000])
def test_figures_that_only_spread_are_not_far(read_text, count):
    assert "far from" not in read_text(table_of(count, {})).report


def test_neither_ids_nor_short_columns_have_far_figures(read_text):
    assert "far from" not in read_text(table_of(400, {7: "98000.5"}, column="deal_id")).report
    assert "far from" not in read_text(table_of(20, {7: "98000.5"})).report


def test_where_nearly_all_figures_are_one_nothing_is_called_far(read_text):
    zeros = "name,amount\n" + "\n".join(f"n{n},{0 if n % 20 else 500}" for n in range(400))
    assert "far from" not in read_text(zeros).report
