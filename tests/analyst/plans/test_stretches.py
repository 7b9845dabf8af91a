"""Two ends of a stretch of time are one range, told as people say it."""

from __future__ import annotations

from apps.analyst.plan import Aggregate, AllOf, AnyOf, Compare, Constant, Expr, Order, Predicate, Query
from apps.analyst.plan.sentence import plan_sentence, predicate_words
from apps.analyst.plan.stretches import plain, plain_periods
from tests.analyst.plans.short import col, is_, out


def within(start: str, end: str) -> tuple[Compare, Compare]:
    first, last = (Constant(value=day, type="date") for day in (start, end))
    return Compare(op=">=", left=col("close_date"), right=first), Compare(op="<", left=col("close_date"), right=last)


Q2, Q3 = within("2025-04-01", "2025-07-01"), within("2025-07-01", "2025-10-01")


def told(where: Predicate) -> str:
    return plan_sentence(plain_periods(Query(source="deals", columns=(out("Deal", col("deal_id")),), where=where)))


def test_a_first_and_a_last_day_are_one_range() -> None:
    assert told(AllOf(of=(is_("stage", "Won"), *Q2))).endswith("where stage is Won and close date is in Q2 2025.")


def test_alternatives_have_ranges_of_their_own_and_say_their_subject_once_and_the_earliest_first() -> None:
    either = AnyOf(of=(AllOf(of=Q3), AllOf(of=Q2)))
    assert told(either).endswith("where close date is in Q2 2025 or Q3 2025.")


def test_alternatives_of_unlike_subjects_are_told_whole() -> None:
    either = AnyOf(of=(is_("stage", "Won"), is_("owner_id", "A1")))
    assert predicate_words(either) == "stage is Won or owner id is A1"


AMOUNT = Aggregate(fn="sum", of=col("amount"))


def ordered(where: Predicate | None, by: str | Expr) -> Query:
    return Query(
        source="deals",
        groups=(out("Owner", col("owner")),),
        measures=(out("Total amount of won deals", AMOUNT),),
        where=where,
        order=(Order(by=by, descending=True),),
    )


def test_an_order_keeps_no_condition_that_all_rows_fulfill_anyway() -> None:
    by = AMOUNT.model_copy(update={"where": is_("stage", "Won")})
    made, other = plain(ordered(is_("stage", "Won"), by)), plain(ordered(None, by))
    assert isinstance(made, Query)
    assert made.order[0].by == AMOUNT
    assert other == ordered(None, by)


def test_an_order_by_a_label_does_not_tell_a_condition_that_was_changed_since() -> None:
    lost = ordered(is_("stage", "Lost"), "Total amount of won deals")
    assert plan_sentence(lost).endswith("sorted by total amount, highest first.")
