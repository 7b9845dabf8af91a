"""What plans over joined tables compute: no figure is multiplied by the rows that a join repeats."""

from __future__ import annotations

from collections import defaultdict

from apps.analyst.plan import Compare, Join, JoinKey, Query
from tests.analyst.plans.asking import Asking, money
from tests.analyst.plans.sales import OWNERS as PEOPLE
from tests.analyst.plans.short import ACTIVITIES, OWNERS, col, label, number, out, rows, total


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
