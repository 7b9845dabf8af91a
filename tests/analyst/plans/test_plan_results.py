"""What plans compute, held against figures worked out from the files in plain Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.computing.compile import compile_plan
from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    Among,
    Bin,
    Compare,
    Constant,
    Describe,
    Order,
    Part,
    Period,
    Query,
    SetOperation,
    Statistic,
    TextMatch,
    Window,
)
from apps.analyst.plan.spelling import alike
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Scalar
from tests.analyst.plans.asking import Asking, sums
from tests.analyst.plans.short import average, col, is_, label, number, out, rows, text, total


def test_totals_by_group_are_exact_and_run_from_the_highest(ask: Asking, deals: list[dict[str, str]]) -> None:
    plan = Query(source="deals", groups=(out("Stage", col("stage")),), measures=(out("Total", total()),))
    expected = sorted(sums(deals, "stage").items(), key=lambda item: -item[1])
    assert ask.table(plan) == expected


def test_money_keeps_its_unit_and_counts_have_none(ask: Asking) -> None:
    plan = Query(source="deals", measures=(out("Total", total()), out("n", rows()), out("Mean", average())))
    assert [column.unit for column in ask(plan).result.columns] == ["USD", None, "USD"]


def test_periods_run_upwards_and_say_their_grain(ask: Asking) -> None:
    plan = Query(
        source="deals",
        groups=(out("Month", Period(grain="month", of=col("create_date"))),),
        measures=(out("n", rows()),),
    )
    result = ask(plan).result
    months = [row[0] for row in result.rows]
    assert months == sorted(months)  # type: ignore[type-var]
    assert result.columns[0].grain == "month"


def test_month_names_run_through_the_year(ask: Asking) -> None:
    plan = Query(
        source="deals", groups=(out("m", Part(part="month_name", of=col("create_date"))),), measures=(out("n", rows()),)
    )
    assert [row[0] for row in ask.table(plan)][:3] == ["January", "February", "March"]


def test_shares_are_in_per_cent_and_add_up_to_a_hundred(ask: Asking) -> None:
    share = out("Share", Window(fn="share", of=total()))
    result = ask(Query(source="deals", groups=(out("Stage", col("stage")),), measures=(share,))).result
    assert result.columns[0].kind == "dimension"
    assert result.columns[1].unit == "%"
    assert sum(float(str(row[1])) for row in result.rows) == pytest.approx(100)


def test_a_share_stays_one_of_the_whole_when_only_some_groups_are_shown(ask: Asking) -> None:
    share = out("Share", Window(fn="share", of=rows()))
    whole = Query(source="deals", groups=(out("Stage", col("stage")),), measures=(share,))
    some = whole.model_copy(update={"having": Compare(op=">", left=rows(), right=number(45)), "limit": 2})
    shown = dict(ask.table(some))
    assert shown
    assert shown.items() <= dict(ask.table(whole)).items()


def test_changes_look_at_the_period_before(ask: Asking) -> None:
    quarter = out("Quarter", Period(grain="quarter", of=col("create_date")))
    change = out("Change", Window(fn="change", of=label("Total")))
    relative = out("Change %", Window(fn="change_pct", of=label("Total")))
    table = ask.table(Query(source="deals", groups=(quarter,), measures=(out("Total", total()), change, relative)))
    assert table[0][2] is None
    assert table[1][2] == table[1][1] - table[0][1]  # type: ignore[operator]
    assert table[1][3] == pytest.approx(100 * float(table[1][2] / table[0][1]))  # type: ignore[operator, arg-type]


def test_the_best_of_each_group_are_kept(ask: Asking) -> None:
    plan = Query(
        source="deals",
        columns=(out("Stage", col("stage")), out("Deal", col("deal_name")), out("Amount", col("amount"))),
        order=(Order(by="Amount", descending=True),),
        limit=2,
        limit_per=("Stage",),
    )
    table = ask.table(plan)
    assert len(table) == 10
    assert len({row[0] for row in table}) == 5


def test_ties_with_the_last_one_are_kept_when_asked_for(ask: Asking, deals: list[dict[str, str]]) -> None:
    plan = Query(
        source="deals",
        columns=(out("d", col("deal_id")), out("s", col("seats"))),
        order=(Order(by="s", descending=True),),
        limit=1,
    )
    most = sum(deal["seats"] == "25" for deal in deals)
    assert len(ask.table(plan)) == 1
    assert len(ask.table(plan.model_copy(update={"ties": True}))) == most


def test_rows_may_be_sorted_by_what_is_not_shown(ask: Asking, deals: list[dict[str, str]]) -> None:
    plan = Query(
        source="deals",
        groups=(out("Stage", col("stage")),),
        measures=(out("n", rows()),),
        order=(Order(by=total(), descending=True),),
    )
    expected = sorted(sums(deals, "stage").items(), key=lambda item: -item[1])
    assert [row[0] for row in ask.table(plan)] == [stage for stage, _ in expected]


def test_missing_values_come_last_whichever_way_rows_are_sorted(ask: Asking) -> None:
    for descending in (True, False):
        order = (Order(by="a", descending=descending),)
        table = ask.table(Query(source="deals", columns=(out("a", col("amount")),), order=order))
        assert table[-1][0] is None
        assert table[0][0] is not None


def test_texts_are_compared_without_case_and_blanks(ask: Asking, deals: list[dict[str, str]]) -> None:
    plan = Query(source="deals", measures=(out("n", rows()),), where=is_("stage", "  closed WON "))
    assert ask.one(plan) == sum(deal["stage"] == "Closed won" for deal in deals)


def test_a_word_is_found_whole_only(ask: Asking) -> None:
    def found(word: str) -> Scalar:
        where = TextMatch(op="word", of=col("stage"), value=word)
        return ask.one(Query(source="deals", measures=(out("n", rows()),), where=where))

    assert found("won") != 0
    assert found("wo") == 0


def test_bins_get_round_edges_from_the_data(ask: Asking) -> None:
    plan = Query(source="deals", groups=(out("b", Bin(of=col("amount"), count=5)),), measures=(out("n", rows()),))
    computed = ask(plan)
    assert [row[0] for row in computed.result.rows][:3] == [0.0, 5000.0, 10000.0]
    assert ask(computed.plan).result == computed.result


def test_the_first_and_the_last_go_by_their_place_in_the_file(ask: Asking, deals: list[dict[str, str]]) -> None:
    ends = (out("f", Aggregate(fn="first", of=col("deal_name"))), out("l", Aggregate(fn="last", of=col("deal_name"))))
    assert ask.table(Query(source="deals", measures=ends)) == [(deals[0]["deal_name"], deals[-1]["deal_name"])]


def test_rows_have_numbers_in_their_file(ask: Asking, deals: list[dict[str, str]]) -> None:
    third = Compare(op="=", left=col(ROW_NUMBER), right=number(3))
    assert ask.one(Query(source="deals", columns=(out("d", col("deal_name")),), where=third)) == deals[2]["deal_name"]


def test_source_rows_are_counted_after_filters(ask: Asking, deals: list[dict[str, str]]) -> None:
    won = sum(deal["stage"] == "Closed won" for deal in deals)
    grouped = Query(
        source="deals",
        groups=(out("o", col("owner_id")),),
        measures=(out("t", total()),),
        where=is_("stage", "Closed won"),
        limit=1,
    )
    assert ask(grouped).row_count == won
    assert (
        ask(
            Query(
                source=grouped.model_copy(update={"limit": None}),
                measures=(out("m", Aggregate(fn="max", of=label("t"))),),
            )
        ).row_count
        == won
    )
    assert (
        ask(
            Query(source="deals", columns=(out("d", col("deal_name")),), where=is_("stage", "Closed won"), limit=3)
        ).row_count
        == won
    )
    assert (
        ask(
            SetOperation(
                op="union",
                left=Query(source="deals", columns=(out("s", col("stage")),)),
                right=Query(source="deals", columns=(out("s", col("stage")),)),
            )
        ).row_count
        == 480
    )


def test_a_statistic_runs_over_the_listed_rows(ask: Asking) -> None:
    rows_of = Query(source="deals", columns=(out("amount", col("amount")), out("seats", col("seats"))))
    computed = ask(Statistic(name="correlation", query=rows_of))
    assert computed.statistic is not None
    assert -1 <= float(str(computed.result.rows[0][0])) <= 1
    assert computed.row_count == 225


def test_a_table_is_described_from_its_profile(ask: Asking) -> None:
    computed = ask(Describe(table="deals"))
    assert [row[0] for row in computed.result.rows][:3] == ["deal_id", "deal_name", "stage"]
    assert computed.row_count == 240


def test_values_are_bound_and_never_become_text_of_the_query(catalog: FixedCatalog) -> None:
    nasty = "x'; DROP TABLE deals; --"
    where = Among(of=col("stage"), values=(text(nasty), Constant(value='é"')))
    compiled = compile_plan(Query(source="deals", measures=(out('n"; --', rows()),), where=where), catalog)
    assert "DROP" not in compiled.sql
    assert nasty in compiled.parameters
    assert '"n""; --"' in compiled.sql


def test_any_label_can_stand_for_a_column(ask: Asking) -> None:
    for name in ('a "quoted" one', "select", "_h0", "$1", "ends with '", "1; --", "ünï"):
        plan = Query(
            source="deals",
            groups=(out(name, col("stage")),),
            measures=(out("n", Window(fn="share", of=rows())),),
            limit=1,
        )
        assert ask(plan).result.columns[0].name == name


def test_one_name_in_two_spellings_counts_once_and_says_so(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    path = tmp_path / "deals.csv"
    lines = [
        "owner,amount",
        *("Maria Lopez,10" for _ in range(4)),
        "maria lopez,5",
        "MARIA  LOPEZ,1",
        "Tom Becker,7",
        "Tom Becker,2",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    catalog = catalog_from_files([path], tmp_path / "out")
    plan = Query(source="deals", groups=(out("owner", col("owner")),), measures=(out("t", total()),))
    computed = compute(plan, catalog, warehouse)
    assert computed.result.rows == (("Maria Lopez", 46), ("Tom Becker", 9))
    assert computed.notes == ("“MARIA  LOPEZ” and “maria lopez” count as “Maria Lopez”.",)
    people = Query(source="deals", measures=(out("n", Aggregate(fn="count", of=col("owner"), distinct=True)),))
    assert compute(people, catalog, warehouse).result.rows == ((2,),)


def test_names_that_look_alike_are_told_and_counted_apart() -> None:
    assert alike(["James Carter", "J. Carter", "Maria Lopez"]) == [("J. Carter", "James Carter")]
    assert alike(["James Carter", "John Carter", "J. Carter"]) == []


def test_a_long_listing_is_cut_and_its_rows_are_counted(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    every = Query(source="activities", columns=(out("minutes", col("minutes", "activities")),))
    computed = compute(every, catalog, warehouse, max_rows=100)
    assert (len(computed.result.rows), computed.result.total_rows, computed.row_count) == (100, 720, 720)
    some = every.model_copy(update={"where": Compare(op="=", left=col("kind", "activities"), right=text("call"))})
    short = compute(some, catalog, warehouse, max_rows=100)
    whole = compute(some, catalog, warehouse)
    assert short.result.total_rows == whole.result.total_rows == short.row_count
    assert short.result.rows == whole.result.rows[:100]
