"""How plans over the groups of another query are worded: who is counted, what groups are held to, the first of each
one, so many times an average, so much for each thousand."""

from __future__ import annotations

import pytest

from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    AllOf,
    AnyOf,
    Arithmetic,
    Between,
    Call,
    Compare,
    Constant,
    Expr,
    InQuery,
    Join,
    Period,
    Predicate,
    Query,
    ScalarQuery,
)
from apps.analyst.plan.sentence import counted_words, expr_words, of_groups_words, plan_sentence, predicate_words
from tests.analyst.plans.short import OWNERS, average, col, is_, join, label, number, out, rows, total

OWNER = out("Owner ID", col("owner_id"))
COUNT = out("Number", rows())


def within(of: Expr, first: str, last: str) -> Between:
    low, high = (Constant(value=day, type="date") for day in (first, last))
    return Between(of=of, low=low, high=high, half_open=True)


def in_(year: int, of: Expr) -> Between:
    return within(of, f"{year}-01-01", f"{year + 1}-01-01")


def held(op: str, left: Expr, right: Expr) -> Compare:
    return Compare(op=op, left=left, right=right)


def counted(having: Predicate | None = None, **changes: object) -> Query:
    """How many owners there are whose deals are held to something."""
    inner = Query(**{"source": "deals", "groups": (OWNER,), "having": having, **changes})
    return Query(source=inner, measures=(COUNT,))


def mean(where: Predicate | None = None) -> ScalarQuery:
    """The average total of an owner."""
    inner = Query(source="deals", groups=(OWNER,), measures=(out("Total", total()),), where=where)
    return ScalarQuery(query=Query(source=inner, measures=(out("x", Aggregate(fn="avg", of=label("Total"))),)))


def times(value: float, of: ScalarQuery) -> Arithmetic:
    return Arithmetic(op="*", left=of, right=number(value))


DIFFERENT = Aggregate(fn="count", of=col("product_id"), distinct=True)
PROPOSED = is_("stage", "Proposal")


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (counted(held(">", rows(), number(3))), "Number of owners with more than 3 deals."),
        (counted(held("=", rows(), number(1))), "Number of owners with exactly 1 deal."),
        (counted(held("<", rows(), number(5)), where=PROPOSED),
         "Number of owners with fewer than 5 deals, where stage is Proposal."),
        (counted(held(">=", DIFFERENT, number(2))), "Number of owners with at least 2 products, in deals."),
        (counted(held(">", rows(), number(3)), joins=(OWNERS,)),
         "Number of owners with more than 3 deals, in deals with owners."),
        (counted(held(">", total(), number(10_000))), "Number of owners whose total amount is over 10,000, in deals."),
        (counted(AllOf(of=(held(">", rows(), number(3)), held("<", total(), number(0))))),
         "Number of owners with more than 3 deals and whose total amount is under 0."),
        (counted(held(">", rows(), number(3)), groups=(out("Owner", col("owner_name")), OWNER)),
         "Number of owners with more than 3 deals."),
        (counted(held(">", rows(), number(3)), groups=(out("Month", Period(grain="month", of=col("close_date"))),)),
         "Number of months with more than 3 deals."),
        (counted(), "Number of owners in deals."),
        (counted(held(">", rows(), number(3)), source="export_7"),
         "Number of owners with more than 3 rows in export_7."),
    ],
)  # fmt: skip
def test_groups_that_are_counted_are_told_by_what_they_have(plan: Query, words: str) -> None:
    assert plan_sentence(plan) == words


def test_groups_of_several_columns_keep_their_list() -> None:
    plan = counted(held(">", rows(), number(3)), groups=(out("Stage", col("stage")), out("City", col("city"))))
    assert plan_sentence(plan).startswith("Number of rows in (the different combinations of stage and city in deals")


def test_a_question_of_counted_groups_does_not_name_their_file() -> None:
    rich = held(">", total(), times(5, mean(PROPOSED)))
    told = "number of owners whose total amount is over 5 times the average per owner"
    plan = counted(rich, where=PROPOSED)
    assert counted_words(plan) == f"{told}, where stage is Proposal"
    assert plan_sentence(plan) == f"N{told[1:]}, in deals, where stage is Proposal."
    assert counted_words(Query(source="deals", measures=(COUNT,))) == ""


def test_an_average_of_other_rows_is_told_whole() -> None:
    rich = held(">", total(), mean(PROPOSED))
    other = "the average total amount per owner of deals where stage is Proposal"
    assert counted_words(counted(rich)) == f"number of owners whose total amount is over {other}"


# ---------------------------------------------------------------- the first of each one
FIRST = Query(
    source="deals",
    groups=(OWNER,),
    measures=(out("First close_date", Aggregate(fn="min", of=col("close_date"))),),
)
IN_2025 = in_(2025, label("First close_date"))


def test_those_whose_first_event_lies_in_a_period_are_counted() -> None:
    plan = Query(source=FIRST, measures=(COUNT,), where=IN_2025)
    assert plan_sentence(plan) == "Number of owners whose first close date is in 2025, in deals."
    month = out("Month", Period(grain="month", of=label("First close_date")))
    by_month = plan.model_copy(update={"groups": (month,), "where": None})
    assert plan_sentence(by_month) == "Number of owners by month of first close date in deals."


def test_those_whose_first_event_lies_in_a_period_are_a_set() -> None:
    inner = Query(source=FIRST, columns=(out("Owner ID", label("Owner ID")),), where=IN_2025)
    told = predicate_words(InQuery(of=col("owner_id", "owners"), query=inner))
    assert told == "owner id is among the owners whose first close date is in 2025"


@pytest.mark.parametrize(("name", "told"), [("class_on", "first class date"), ("paid_on", "first date paid")])
def test_the_first_of_a_date_that_goes_on_is_a_date(name: str, told: str) -> None:
    first = out(f"First {name}", Aggregate(fn="min", of=col(name)))
    each = Query(source="deals", groups=(OWNER,), measures=(first,))
    plan = Query(source=each, measures=(COUNT,), where=in_(2025, label(f"First {name}")))
    assert plan_sentence(plan) == f"Number of owners whose {told} is in 2025, in deals."


def test_a_list_of_those_who_began_says_who_they_are() -> None:
    listed = Query(source=FIRST, where=IN_2025, columns=(out("Owner", label("Owner ID")),))
    assert plan_sentence(listed) == "Owners whose first close date is in 2025, in deals."


def until(fn: AggregateName, *by: str, event: str = "close_date") -> Query:
    days = Aggregate(fn="min", of=Call(name="days_between", args=(col("hired_on", "owners"), col(event))))
    groups = (*(out(name, col(name, "owners")) for name in by), OWNER)
    inner = Query(source="deals", joins=(OWNERS,), groups=groups, measures=(out("Days", days),))
    outer = tuple(out(name, label(name)) for name in by)
    return Query(source=inner, groups=outer, measures=(out("x", Aggregate(fn=fn, of=label("Days"))),))


def test_the_shortest_time_to_an_event_is_that_to_the_first() -> None:
    told = "Average days from hired on to first close date per owner"
    assert plan_sentence(until("avg")) == f"{told} in deals with owners."
    assert plan_sentence(until("avg", "city")) == f"{told} by city in deals with owners."
    assert of_groups_words(until("median")) == "median days from hired on to first close date"
    assert of_groups_words(until("avg", event="first_order")) == "average days from hired on to first order"


def test_the_shortest_time_within_one_table_is_no_first() -> None:
    days = Aggregate(fn="min", of=Call(name="days_between", args=(col("create_date"), col("close_date"))))
    inner = Query(source="deals", groups=(OWNER,), measures=(out("Days", days),))
    plan = Query(source=inner, measures=(out("x", Aggregate(fn="avg", of=label("Days"))),))
    assert of_groups_words(plan) == "average lowest days from create date to close date per owner"


# ---------------------------------------------------------------- figures with a number
ALL = ScalarQuery(query=Query(source="deals", measures=(out("x", average()),)))


@pytest.mark.parametrize(
    ("right", "words"),
    [
        (times(2, ALL), "2 times the average amount of all deals"),
        (Arithmetic(op="*", left=number(1.5), right=ALL), "1.5 times the average amount of all deals"),
        (times(0.5, ALL), "half the average amount of all deals"),
        (Arithmetic(op="+", left=times(2, ALL), right=number(1)), "(2 times the average amount of all deals) + 1"),
        (times(100, ALL), "(the average amount of all deals) × 100"),
    ],
)
def test_so_many_times_an_average_is_said_so(right: Expr, words: str) -> None:
    assert predicate_words(held(">", col("amount"), right)) == f"amount is over {words}"


def ratio(above: Expr, below: Expr, scale: float) -> Arithmetic:
    return Arithmetic(op="*", left=Arithmetic(op="/", left=above, right=below), right=number(scale))


@pytest.mark.parametrize(
    ("expr", "words"),
    [
        (ratio(total("revenue"), total("delivered"), 1_000), "total revenue per 1,000 delivered"),
        (ratio(Aggregate(fn="count", where=PROPOSED), rows(), 1_000),
         "(number of rows where stage is Proposal) ÷ number of rows × 1,000"),
        (ratio(total(), DIFFERENT, 10_000), "total amount per 10,000 products"),
        (ratio(total(), total("seats"), 100), "total amount ÷ total seats × 100"),
        (ratio(total(), average("seats"), 1_000), "total amount ÷ average seats × 1,000"),
    ],
)  # fmt: skip
def test_a_ratio_is_told_for_so_many(expr: Expr, words: str) -> None:
    assert expr_words(expr) == words


# ---------------------------------------------------------------- alternatives, sides, own groups
@pytest.mark.parametrize(
    ("years", "words"),
    [((2025, 2024), "in 2024 or 2025"), ((2023, 2025, 2024), "in 2023, 2024 or 2025")],
)
def test_years_stand_in_their_order_and_say_in_once(years: tuple[int, ...], words: str) -> None:
    either = AnyOf(of=tuple(in_(year, col("close_date")) for year in years))
    assert predicate_words(either) == f"close date is {words}"


def test_stretches_that_are_no_period_keep_their_own_words() -> None:
    either = AnyOf(of=(within(col("close_date"), "2025-03-03", "2025-03-09"), in_(2023, col("close_date"))))
    assert predicate_words(either) == "close date is in 2023 or from 3 Mar 2025 to 8 Mar 2025"


def test_two_sides_of_one_figure_name_it_once() -> None:
    def sides(other: Predicate) -> str:
        figures = (Aggregate(fn="count", where=one) for one in (PROPOSED, other))
        return plan_sentence(Query(source="deals", measures=tuple(out(str(n), f) for n, f in enumerate(figures))))

    assert sides(PROPOSED.model_copy(update={"op": "!="})) == (
        "Number of deals where stage is Proposal and where it is not."
    )
    assert sides(is_("stage", "Lost")) == "Number of deals where stage is Proposal and where stage is Lost, in deals."


def test_the_average_of_the_own_group_does_not_repeat_the_conditions_of_all() -> None:
    group = (out("City", col("city")),)

    def own(*tests: Predicate) -> str:
        query = Query(source="deals", groups=group, measures=(out("x", average()),), where=PROPOSED)
        above = held(">", col("amount"), ScalarQuery(query=query, own=col("city")))
        return plan_sentence(Query(source="deals", measures=(COUNT,), where=AllOf(of=(above, *tests))))

    same = "amount is over the average amount of the same city"
    assert own(PROPOSED) == f"Number of deals, where {same} and stage is Proposal."
    assert own(is_("city", "York")) == f"Number of deals, where {same} where stage is Proposal and city is York."


@pytest.mark.parametrize(
    ("joins", "words"),
    [((), "Number of deal lines by stage in deal_lines."), ((join("owners", "owner_id"),), "with owners.")],
)
def test_a_table_that_counted_rows_do_not_name_is_named(joins: tuple[Join, ...], words: str) -> None:
    plan = Query(source="deal_lines", joins=joins, groups=(out("Stage", col("stage")),), measures=(COUNT,))
    assert plan_sentence(plan).endswith(words)


def test_rows_without_a_noun_name_their_file_once() -> None:
    by_stage = Query(source="export_7", groups=(out("Stage", col("stage")),), measures=(COUNT,))
    assert plan_sentence(by_stage) == "Number of rows in export_7 by stage."
    few = by_stage.model_copy(update={"measures": (), "having": held("<", rows(), number(3))})
    assert plan_sentence(few) == "The different stages in export_7, only where number of rows in export_7 is under 3."
