"""What plans compute, held against figures worked out from the files in plain Python."""

from __future__ import annotations

import csv
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

from apps.analyst.catalog import FixedCatalog
from apps.analyst.compile import compile_plan
from apps.analyst.compute import Computed, compute
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    Among,
    Arithmetic,
    Bin,
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
    Part,
    Period,
    Plan,
    Query,
    ScalarQuery,
    SetOperation,
    Statistic,
    TextMatch,
    Window,
)
from apps.analyst.types import Scalar
from apps.analyst.warehouse.duckdb_local import LocalWarehouse
from tests.analyst.plans.sales import OWNERS as PEOPLE
from tests.analyst.plans.sales import write_files
from tests.analyst.plans.short import (
    ACTIVITIES,
    OWNERS,
    average,
    col,
    in_year,
    is_,
    label,
    number,
    out,
    rows,
    text,
    total,
)


@pytest.fixture(scope="session")
def deals(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    return _read(write_files(tmp_path_factory.mktemp("plain"))[0])


@pytest.fixture(scope="session")
def activities(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    return _read(write_files(tmp_path_factory.mktemp("plain"))[2])


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def money(deal: dict[str, str]) -> Decimal | None:
    return Decimal(deal["amount"].replace("$", "").replace(",", "")) if deal["amount"] else None


def sums(deals: list[dict[str, str]], by: str) -> dict[str, Decimal]:
    found: dict[str, Decimal] = defaultdict(Decimal)
    for deal in deals:
        found[deal[by]] += money(deal) or 0
    return dict(found)


class Asking:
    def __init__(self, catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
        self.catalog, self.warehouse = catalog, warehouse

    def __call__(self, plan: Plan) -> Computed:
        return compute(plan, self.catalog, self.warehouse)

    def table(self, plan: Plan) -> list[tuple[Scalar, ...]]:
        return list(self(plan).result.rows)

    def one(self, plan: Plan) -> Scalar:
        return self.table(plan)[0][0]


@pytest.fixture
def ask(catalog: FixedCatalog, warehouse: LocalWarehouse) -> Asking:
    return Asking(catalog, warehouse)


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


def test_a_figure_of_the_one_side_is_not_multiplied_by_the_many_side(
    ask: Asking, deals: list[dict[str, str]], activities: list[dict[str, str]]
) -> None:
    busy = {activity["deal_id"] for activity in activities}
    expected = sum(money(deal) or 0 for deal in deals if deal["deal_id"] in busy)
    computed = ask(Query(source="deals", joins=(ACTIVITIES,), measures=(out("Total", total()),)))
    assert computed.result.rows[0][0] == expected
    assert computed.notes == ("Each row of deals counts once, although the join repeats it.",)


def test_the_many_side_counts_in_full(ask: Asking, activities: list[dict[str, str]]) -> None:
    plan = Query(source="deals", joins=(ACTIVITIES,), measures=(out("m", total("minutes", "activities")),))
    assert ask.one(plan) == sum(int(activity["minutes"]) for activity in activities)


def test_each_owners_quota_counts_once_per_region(ask: Asking) -> None:
    plan = Query(
        source="deals",
        joins=(OWNERS,),
        groups=(out("Region", col("region", "owners")),),
        measures=(out("Quota", total("quota", "owners")),),
    )
    expected: dict[str, int] = defaultdict(int)
    for _, _, region, quota in PEOPLE:
        expected[region] += quota
    assert dict(ask.table(plan)) == expected


def test_a_figure_that_counts_each_row_once_chooses_among_groups(ask: Asking, deals: list[dict[str, str]]) -> None:
    plan = Query(
        source="deals",
        joins=(OWNERS,),
        groups=(out("Region", col("region", "owners")),),
        measures=(out("Quota", total("quota", "owners")),),
    )
    every = dict(ask.table(plan))
    bound = sorted(every.values())[0]
    held = plan.model_copy(update={"having": Compare(op=">", left=label("Quota"), right=number(bound))})
    assert dict(ask.table(held)) == {region: quota for region, quota in every.items() if quota > bound}


def test_above_the_average_is_measured_against_all(ask: Asking, deals: list[dict[str, str]]) -> None:
    known = [value for deal in deals if (value := money(deal)) is not None]
    mean = ScalarQuery(query=Query(source="deals", measures=(out("a", average()),)))
    plan = Query(source="deals", measures=(out("n", rows()),), where=Compare(op=">", left=col("amount"), right=mean))
    assert ask.one(plan) == sum(value > sum(known) / len(known) for value in known)


def test_above_the_average_of_ones_own_group(ask: Asking, deals: list[dict[str, str]]) -> None:
    means = Query(source="deals", groups=(out("g", col("stage")),), measures=(out("a", average()),))
    own = ScalarQuery(query=means, own=col("stage"))
    plan = Query(source="deals", measures=(out("n", rows()),), where=Compare(op=">", left=col("amount"), right=own))
    known: dict[str, list[Decimal]] = defaultdict(list)
    for deal in deals:
        if (value := money(deal)) is not None and deal["stage"]:
            known[deal["stage"]].append(value)
    assert ask.one(plan) == sum(value > sum(values) / len(values) for values in known.values() for value in values)


def test_who_have_never_is_the_rest(ask: Asking, deals: list[dict[str, str]], activities: list[dict[str, str]]) -> None:
    busy = Query(source="activities", columns=(out("d", col("deal_id", "activities")),))
    plan = Query(
        source="deals", measures=(out("n", rows()),), where=InQuery(of=col("deal_id"), query=busy, negated=True)
    )
    assert ask.one(plan) == len({deal["deal_id"] for deal in deals} - {activity["deal_id"] for activity in activities})


def test_a_total_of_totals_nests_a_query(ask: Asking, deals: list[dict[str, str]]) -> None:
    inner = Query(source="deals", groups=(out("o", col("owner_id")),), measures=(out("t", total()),))
    plan = Query(source=inner, measures=(out("most", Aggregate(fn="max", of=label("t"))),))
    assert ask.one(plan) == max(sums(deals, "owner_id").values())


def test_a_comparison_stands_side_by_side_with_its_change(ask: Asking, deals: list[dict[str, str]]) -> None:
    by_year = {year: [deal for deal in deals if deal["create_date"].startswith(year)] for year in ("2023", "2024")}
    query = Query(source="deals", groups=(out("Stage", col("stage")),), measures=(out("Total", total()),))
    plan = Comparison(
        query=query, current=in_year(2024), baseline=in_year(2023), current_label="2024", baseline_label="2023"
    )
    now, then = sums(by_year["2024"], "stage"), sums(by_year["2023"], "stage")
    for stage, current, baseline, change, relative in ask.table(plan):
        assert (current, baseline, change) == (now[str(stage)], then[str(stage)], now[str(stage)] - then[str(stage)])
        assert relative == pytest.approx(float(100 * change / baseline))  # type: ignore[operator, arg-type]


def test_a_group_on_one_side_only_counts_as_nought_on_the_other(ask: Asking) -> None:
    query = Query(
        source="deals", groups=(out("Stage", col("stage")),), measures=(out("n", rows()), out("Mean", average()))
    )
    plan = Comparison(
        query=query,
        current=is_("stage", "Proposal"),
        baseline=is_("stage", "Closed won"),
        current_label="a",
        baseline_label="b",
    )
    table = {row[0]: row[1:] for row in ask.table(plan)}
    assert table["Closed won"][0] == 0
    assert table["Closed won"][4] is None


def test_figures_are_combined_into_one(ask: Asking) -> None:
    won = Query(source="deals", measures=(out("x", rows()),), where=is_("stage", "Closed won"))
    lost = won.model_copy(update={"where": is_("stage", "Closed lost")})
    rate = Arithmetic(op="/", left=label("won"), right=Arithmetic(op="+", left=label("won"), right=label("lost")))
    plan = Combine(
        parts=(NamedQuery(label="won", query=won), NamedQuery(label="lost", query=lost)),
        outputs=(out("Win rate", rate),),
    )
    n_won, n_lost = ask.one(won), ask.one(lost)
    assert ask.one(plan) == pytest.approx(n_won / (n_won + n_lost))  # type: ignore[operator]


def test_sets_hold_each_row_once(ask: Asking) -> None:
    def owners_in(year: int) -> Query:
        return Query(source="deals", columns=(out("o", col("owner_id")),), where=in_year(year))

    both = SetOperation(op="intersect", left=owners_in(2023), right=owners_in(2024))
    assert ask.table(both) == [(1,), (2,), (3,), (4,)]


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


def test_a_table_joined_with_itself_goes_by_aliases(ask: Asking, deals: list[dict[str, str]]) -> None:
    other = Join(
        table="deals",
        alias="other",
        on=(
            JoinKey(left=col("owner_id"), right=col("owner_id", "other")),
            JoinKey(left=col("stage"), right=col("stage", "other")),
        ),
    )
    plan = Query(
        source="deals",
        joins=(other,),
        measures=(out("n", rows()),),
        where=Compare(op="<", left=col("deal_id"), right=col("deal_id", "other")),
    )
    pairs: dict[tuple[str, str], int] = defaultdict(int)
    for deal in deals:
        pairs[deal["owner_id"], deal["stage"]] += 1
    assert ask.one(plan) == sum(n * (n - 1) // 2 for n in pairs.values())


def test_dirty_keys_meet_when_they_are_folded(ask: Asking) -> None:
    folded = Join(table="owners", on=(JoinKey(left=col("owner_id"), right=col("owner_id", "owners"), fold=True),))
    plan = Query(source="deals", joins=(folded,), measures=(out("n", rows()),))
    assert ask.one(plan) == 240


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
    from apps.analyst.catalog import catalog_from_files

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
    assert computed.notes == ("“MARIA LOPEZ” and “maria lopez” count as “Maria Lopez”.",) or len(computed.notes) == 1
    people = Query(source="deals", measures=(out("n", Aggregate(fn="count", of=col("owner"), distinct=True)),))
    assert compute(people, catalog, warehouse).result.rows == ((2,),)


def test_names_that_look_alike_are_told_and_counted_apart() -> None:
    from apps.analyst.spelling import alike

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
