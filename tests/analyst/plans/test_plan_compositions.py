"""What plans made of several queries compute: averages to be above, what never was, two sides, sets."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal

import pytest

from apps.analyst.plan import (
    Aggregate,
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
from tests.analyst.plans.short import average, col, in_year, is_, label, out, rows, total


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
