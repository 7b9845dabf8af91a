"""What a plan may not say, and what the refusal tells."""

from __future__ import annotations

import pytest

from apps.analyst.errors import PlanRejected
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Combine,
    Compare,
    Comparison,
    Constant,
    Describe,
    InQuery,
    Join,
    JoinKey,
    NamedQuery,
    Order,
    Period,
    Plan,
    Query,
    ScalarQuery,
    SetOperation,
    Window,
)
from apps.analyst.plan.validate import validate
from apps.analyst.tables.catalog import FixedCatalog
from tests.analyst.plans.short import OWNERS, average, col, in_year, is_, label, number, out, rows, text, total


def refused(plan: Plan, catalog: FixedCatalog) -> str:
    with pytest.raises(PlanRejected) as caught:
        validate(plan, catalog)
    return caught.value.message


def grouped(**changes: object) -> Query:
    whole = {
        "source": "deals",
        "groups": (out("Stage", col("stage")),),
        "measures": (out("Total", total()),),
        **changes,
    }
    return Query(**whole)  # type: ignore[arg-type]


def test_an_unknown_table_is_refused_with_the_names_there_are(catalog: FixedCatalog) -> None:
    assert refused(Query(source="leads", measures=(out("n", rows()),)), catalog) == (
        "There is no table 'leads'. Tables: deals, owners, activities."
    )


def test_an_unknown_column_is_refused_with_the_columns_there_are(catalog: FixedCatalog) -> None:
    message = refused(Query(source="owners", measures=(out("x", total("salary", "owners")),)), catalog)
    assert message == "There is no column 'salary' in 'owners'. It has: owner_id, owner_name, region, quota."


def test_a_text_has_no_sum(catalog: FixedCatalog) -> None:
    message = refused(Query(source="deals", measures=(out("x", total("stage")),)), catalog)
    assert message == "'stage' is text, and only numbers have a sum."


def test_a_number_is_not_compared_with_a_text(catalog: FixedCatalog) -> None:
    odd = Compare(op=">", left=col("amount"), right=text("500"))
    assert refused(grouped(where=odd), catalog) == "A decimal cannot be compared with a text."


def test_dates_are_not_subtracted_but_counted_between(catalog: FixedCatalog) -> None:
    odd = Arithmetic(op="-", left=col("close_date"), right=col("create_date"))
    message = refused(Query(source="deals", measures=(out("x", Aggregate(fn="avg", of=odd)),)), catalog)
    assert "days_between" in message


def test_only_dates_have_a_month(catalog: FixedCatalog) -> None:
    message = refused(grouped(groups=(out("m", Period(grain="month", of=col("stage"))),)), catalog)
    assert message == "Only dates have a month, not text."


def test_a_date_that_is_not_iso_is_refused(catalog: FixedCatalog) -> None:
    odd = Compare(op=">", left=col("create_date"), right=Constant(value="3 May", type="date"))
    assert refused(grouped(where=odd), catalog) == "'3 May' is not an ISO date."


def test_two_columns_may_not_share_a_name_whatever_their_case(catalog: FixedCatalog) -> None:
    message = refused(grouped(measures=(out("a", total()), out("A", rows()))), catalog)
    assert message == "Two result columns are called 'A'."


def test_a_total_of_a_total_is_refused(catalog: FixedCatalog) -> None:
    assert "total of a total" in refused(grouped(measures=(out("x", Aggregate(fn="max", of=total())),)), catalog)


def test_a_figure_uses_no_column_that_rows_are_not_grouped_by(catalog: FixedCatalog) -> None:
    odd = Arithmetic(op="/", left=total(), right=col("seats"))
    assert "no group" in refused(grouped(measures=(out("x", odd),)), catalog)


def test_totals_do_not_filter_rows(catalog: FixedCatalog) -> None:
    assert "having" in refused(grouped(where=Compare(op=">", left=total(), right=number(1))), catalog)


def test_rows_are_listed_or_grouped_but_not_both(catalog: FixedCatalog) -> None:
    assert "not both" in refused(grouped(columns=(out("x", col("stage")),)), catalog)


def test_an_order_names_what_the_result_has(catalog: FixedCatalog) -> None:
    message = refused(grouped(order=(Order(by="Revenue"),)), catalog)
    assert message == "There is no result column 'Revenue'. Result columns: Stage, Total."


def test_a_limit_per_group_needs_a_limit(catalog: FixedCatalog) -> None:
    assert "needs the limit" in refused(grouped(limit_per=("Stage",)), catalog)


def test_a_window_is_not_taken_of_a_window(catalog: FixedCatalog) -> None:
    share = out("Share", Window(fn="share", of=total()))
    rank = out("Rank", Window(fn="rank", of=label("Share")))
    assert "already does" in refused(grouped(measures=(share, rank)), catalog)


def test_a_column_made_from_itself_is_refused(catalog: FixedCatalog) -> None:
    assert "made from itself" in refused(Query(source="deals", columns=(out("x", label("x")),)), catalog)


def test_a_join_key_names_the_joined_table(catalog: FixedCatalog) -> None:
    odd = Join(table="owners", on=(JoinKey(left=col("owner_id"), right=col("deal_id")),))
    assert "does not name it" in refused(grouped(joins=(odd,)), catalog)


def test_a_table_joined_twice_needs_an_alias(catalog: FixedCatalog) -> None:
    assert "alias" in refused(grouped(joins=(OWNERS, OWNERS)), catalog)


def test_keys_of_different_kinds_never_match(catalog: FixedCatalog) -> None:
    odd = Join(table="owners", on=(JoinKey(left=col("stage"), right=col("owner_id", "owners")),))
    assert "never match" in refused(grouped(joins=(odd,)), catalog)


def test_a_set_of_values_has_one_column(catalog: FixedCatalog) -> None:
    two = Query(source="owners", columns=(out("a", col("owner_id", "owners")), out("b", col("region", "owners"))))
    assert "one column" in refused(grouped(where=InQuery(of=col("owner_id"), query=two)), catalog)


def test_a_query_used_as_a_value_gives_one_row(catalog: FixedCatalog) -> None:
    several = Query(source="deals", columns=(out("a", col("amount")),))
    odd = Compare(op=">", left=col("amount"), right=ScalarQuery(query=several))
    assert "one row" in refused(grouped(where=odd), catalog)


def test_the_figure_of_a_rows_own_group_needs_one_group(catalog: FixedCatalog) -> None:
    total = Query(source="deals", measures=(out("a", Aggregate(fn="avg", of=col("amount"))),))
    odd = Compare(op=">", left=col("amount"), right=ScalarQuery(query=total, own=col("stage")))
    assert "one group" in refused(grouped(where=odd), catalog)


def test_both_sides_of_a_set_have_the_same_columns(catalog: FixedCatalog) -> None:
    one = Query(source="deals", columns=(out("a", col("stage")),))
    other = Query(source="deals", columns=(out("a", col("amount")),))
    assert "one column" in refused(SetOperation(op="union", left=one, right=other), catalog)


def test_a_comparison_needs_numbers(catalog: FixedCatalog) -> None:
    names = Query(source="deals", measures=(out("x", Aggregate(fn="max", of=col("stage"))),))
    odd = Comparison(query=names, current=in_year(2024), baseline=in_year(2023), current_label="a", baseline_label="b")
    assert "is no number" in refused(odd, catalog)


def test_a_combined_figure_is_one_figure(catalog: FixedCatalog) -> None:
    two = Query(source="deals", measures=(out("x", total()), out("y", rows())))
    odd = Combine(parts=(NamedQuery(label="a", query=two),), outputs=(out("z", label("a")),))
    assert "must be one figure" in refused(odd, catalog)


def test_a_described_column_is_there(catalog: FixedCatalog) -> None:
    assert "no column 'x'" in refused(Describe(table="deals", column="x"), catalog)


def test_a_whole_plan_that_is_sound_passes(catalog: FixedCatalog) -> None:
    plan = grouped(
        joins=(OWNERS,),
        where=is_("region", "West", "owners"),
        measures=(out("Total", total()), out("Share", Window(fn="share", of=total())), out("Average", average())),
        having=Compare(op=">", left=label("Total"), right=number(0)),
        order=(Order(by="Total", descending=True),),
        limit=3,
    )
    validate(plan, catalog)
