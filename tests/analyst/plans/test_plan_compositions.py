"""What plans made of several queries compute: averages to be above, what never was, two sides, sets."""

from __future__ import annotations

from collections import Counter, defaultdict
from decimal import Decimal

import pytest

from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    Arithmetic,
    Combine,
    Compare,
    Comparison,
    InQuery,
    NamedQuery,
    Query,
    ScalarQuery,
    SetOperation,
)
from tests.analyst.plans.asking import Asking, money, sums
from tests.analyst.plans.short import average, col, in_year, is_, label, number, out, rows, total


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


# ---------------------------------------------------------------- arithmetic of figures
def per_owner(figure: Aggregate) -> Query:
    return Query(source="deals", groups=(out("o", col("owner_id")),), measures=(out("f", figure),))


def of_owners(fn: AggregateName, figure: Aggregate) -> ScalarQuery:
    return ScalarQuery(query=Query(source=per_owner(figure), measures=(out("x", Aggregate(fn=fn, of=label("f"))),)))


def test_a_figure_may_be_scaled_by_a_number(ask: Asking, activities: list[dict[str, str]]) -> None:
    hours = Arithmetic(op="/", left=total("minutes", "activities"), right=number(60))
    plan = Query(source="activities", groups=(out("Kind", col("kind", "activities")),), measures=(out("h", hours),))
    for kind, found in ask.table(plan):
        assert found == pytest.approx(sum(int(a["minutes"]) for a in activities if a["kind"] == kind) / 60)


def test_a_rate_in_per_cent_is_a_hundred_times_one_figure_by_another(ask: Asking, deals: list[dict[str, str]]) -> None:
    won = Aggregate(fn="sum", of=col("amount"), where=is_("stage", "Closed won"))
    rate = Arithmetic(op="/", left=Arithmetic(op="*", left=number(100), right=won), right=total())
    result = ask(Query(source="deals", measures=(out("Rate", rate, "%"),))).result
    by_stage = sums(deals, "stage")
    assert result.rows[0][0] == pytest.approx(float(100 * by_stage["Closed won"] / sum(by_stage.values())))
    assert result.columns[0].unit == "%"


def test_a_figure_of_a_group_may_be_held_against_that_of_all(ask: Asking, deals: list[dict[str, str]]) -> None:
    whole = ScalarQuery(query=Query(source="deals", measures=(out("t", total()),)))
    share = Arithmetic(op="/", left=total(), right=whole)
    plan = Query(source="deals", groups=(out("Stage", col("stage")),), measures=(out("Share", share),))
    by_stage = sums(deals, "stage")
    for stage, found in ask.table(plan):
        assert found == pytest.approx(float(by_stage[str(stage)] / sum(by_stage.values())))


def test_groups_above_the_average_of_all_groups_are_kept(ask: Asking, deals: list[dict[str, str]]) -> None:
    above = Compare(op=">", left=label("Total"), right=of_owners("avg", total()))
    plan = Query(source="deals", groups=(out("o", col("owner_id")),), measures=(out("Total", total()),), having=above)
    by_owner = sums(deals, "owner_id")
    mean = sum(by_owner.values()) / len(by_owner)
    kept = {int(owner) for owner, found in by_owner.items() if found > mean}
    assert {row[0] for row in ask.table(plan)} == kept
    twice = Arithmetic(op="*", left=number(0.9), right=of_owners("max", total()))
    nearly = plan.model_copy(update={"having": Compare(op=">=", left=total(), right=twice)})
    most = max(by_owner.values())
    assert {row[0] for row in ask.table(nearly)} == {
        int(owner) for owner, found in by_owner.items() if float(found) >= 0.9 * float(most)
    }


def test_rows_may_be_those_of_groups_that_keep_a_condition(
    ask: Asking, deals: list[dict[str, str]], activities: list[dict[str, str]]
) -> None:
    busy = Query(
        source="activities",
        groups=(out("d", col("deal_id", "activities")),),
        having=Compare(op=">", left=rows(), right=number(4)),
    )
    counts = Counter(activity["deal_id"] for activity in activities)
    plan = Query(source="deals", measures=(out("n", rows()),), where=InQuery(of=col("deal_id"), query=busy))
    assert ask.one(plan) == sum(counts[deal["deal_id"]] > 4 for deal in deals)


def test_listed_rows_keep_the_order_of_their_file_beside_an_inner_query(ask: Asking) -> None:
    above = Compare(op=">", left=total(), right=of_owners("avg", total()))
    best = Query(source="deals", groups=(out("o", col("owner_id")),), having=above)
    for negated in (False, True):
        for fold in (False, True):
            kept = InQuery(of=col("owner_id", "owners"), query=best, fold=fold, negated=negated)
            plan = Query(source="owners", columns=(out("Name", col("owner_name", "owners")),), where=kept)
            names = [row[0] for row in ask.table(plan)]
            assert names == sorted(names, key=str)  # as the file has them
            assert ask.table(plan.model_copy(update={"limit": 1})) == [(names[0],)]
