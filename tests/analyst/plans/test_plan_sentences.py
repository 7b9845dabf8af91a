"""How plans are worded: figures that are computed with, inner queries as values and as sets."""

from __future__ import annotations

import pytest

from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    AllOf,
    Arithmetic,
    Call,
    Compare,
    Constant,
    Expr,
    InQuery,
    Order,
    Predicate,
    Query,
    ScalarQuery,
    Window,
)
from apps.analyst.plan.sentence import expr_words, filters_of, plan_sentence, predicate_words
from tests.analyst.plans.short import average, col, is_, label, number, out, rows, total

WON = Aggregate(fn="count", where=is_("stage", "Closed won"))
OWNER = out("Owner", col("owner_id"))


def made(left: Expr, op: str, right: Expr) -> Arithmetic:
    return Arithmetic(op=op, left=left, right=right)  # type: ignore[arg-type]


def all_deals(figure: Expr, where: Predicate | None = None) -> ScalarQuery:
    return ScalarQuery(query=Query(source="deals", measures=(out("x", figure),), where=where))


def per_owner(figure: Aggregate, fn: AggregateName = "avg", where: Predicate | None = None) -> Query:
    inner = Query(source="deals", groups=(OWNER,), measures=(out("Figure", figure),), where=where)
    return Query(source=inner, measures=(out("x", Aggregate(fn=fn, of=label("Figure"))),))


def owners(**changes: object) -> Query:
    return Query(**{"source": "deals", "groups": (OWNER,), **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expr", "words"),
    [
        (made(total("seats"), "/", number(60)), "total seats ÷ 60"),
        (made(made(number(100), "*", total()), "/", total("seats")), "100 × total amount ÷ total seats"),
        (made(number(100), "*", made(total(), "/", total("seats"))), "100 × (total amount ÷ total seats)"),
        (made(total(), "-", made(total("seats"), "-", number(1))), "total amount − (total seats − 1)"),
        (made(made(total(), "-", total("seats")), "/", number(2)), "(total amount − total seats) ÷ 2"),
        (made(made(total(), "-", total("seats")), "-", number(2)), "total amount − total seats − 2"),
        (made(total(), "+", made(total("seats"), "+", number(2))), "total amount + total seats + 2"),
        (
            made(number(1), "-", made(WON, "/", rows())),
            "1 − (number of rows where stage is Closed won) ÷ number of rows",
        ),
        (
            made(Aggregate(fn="avg", of=Call(name="days_between", args=(col("create_date"), col("close_date")))), "/",
                 number(7)),
            "(average days from create date to close date) ÷ 7",
        ),
        (Aggregate(fn="sum", of=made(col("amount"), "*", col("seats"))), "total (amount × seats)"),
        (
            made(Call(name="coalesce", args=(made(total(), "-", number(1)), number(0))), "*", number(2)),
            "(total amount − 1) × 2",
        ),
        (Window(fn="share", of=made(total(), "/", number(2))), "share of (total amount ÷ 2)"),
    ],
)  # fmt: skip
def test_arithmetic_is_written_with_the_brackets_it_needs(expr: Expr, words: str) -> None:
    assert expr_words(expr) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (all_deals(average()), "the average amount of all deals"),
        (all_deals(average(), is_("stage", "Proposal")), "the average amount of deals where stage is Proposal"),
        (all_deals(rows()), "the number of all deals"),
        (all_deals(rows(), is_("stage", "Proposal")), "the number of deals where stage is Proposal"),
        (all_deals(WON), "the number of deals where stage is Closed won"),
        (all_deals(made(total(), "/", rows())), "(total amount ÷ number of deals) over all deals"),
        (ScalarQuery(query=per_owner(total())), "the average total amount per owner"),
        (ScalarQuery(query=per_owner(rows(), "max")), "the highest number of deals per owner"),
        (
            ScalarQuery(query=per_owner(total(), where=is_("stage", "Proposal"))),
            "the average total amount per owner of deals where stage is Proposal",
        ),
        (
            ScalarQuery(
                query=Query(
                    source="deals", columns=(out("a", col("amount")),), limit=1,
                    order=(Order(by=col("close_date"), descending=True),), where=is_("stage", "Proposal"),
                )
            ),
            "the amount of the deal where stage is Proposal that comes first by close date descending",
        ),
    ],
)  # fmt: skip
def test_a_query_used_as_a_value_reads_as_one(value: ScalarQuery, words: str) -> None:
    assert expr_words(value) == words


def test_a_figure_and_that_of_all_stand_in_one_measure() -> None:
    share = made(made(number(100), "*", total()), "/", all_deals(total()))
    plan = Query(source="deals", groups=(out("Stage", col("stage")),), measures=(out("Share", share, "%"),))
    assert plan_sentence(plan) == "100 × total amount ÷ (the total amount of all deals) by stage in deals."


def test_groups_are_held_against_the_average_of_groups() -> None:
    mean = ScalarQuery(query=per_owner(total()))
    plan = owners(measures=(out("Total", total()),), having=Compare(op=">", left=label("Total"), right=mean))
    told = "total amount is over the average total amount per owner"
    assert plan_sentence(plan) == f"Total amount by owner id in deals, only where {told}."
    assert filters_of(plan) == (told,)
    twice = Compare(op=">=", left=total(), right=made(number(2), "*", mean))
    assert predicate_words(twice) == "total amount is at least 2 times the average total amount per owner"


def test_an_average_over_groups_is_told_by_what_it_is_an_average_of() -> None:
    plan = per_owner(rows(), where=is_("stage", "Proposal"))
    assert plan_sentence(plan) == "Average number of deals per owner in deals, where stage is Proposal."


def test_different_values_are_told_from_different_combinations() -> None:
    assert plan_sentence(owners()) == "The different owners in deals."
    both = Query(source="deals", columns=(out("Stage", col("stage")), OWNER), distinct=True)
    assert plan_sentence(both) == "The different combinations of stage and owner in deals."


MANY = Compare(op=">", left=rows(), right=number(14))
RICH = Compare(op=">", left=total(), right=ScalarQuery(query=per_owner(total())))
BY_TOTAL = Order(by=total(), descending=True)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (owners(having=MANY), "among the owners with more than 14 deals"),
        (owners(having=RICH), "among the owners whose total amount is over the average per owner"),
        (
            owners(having=AllOf(of=(MANY, RICH)), where=is_("stage", "Proposal")),
            "among the owners with more than 14 deals and whose total amount is over the average total amount per "
            "owner, counting only deals where stage is Proposal",
        ),
        (owners(), "among the owners of deals"),
        (owners(where=is_("stage", "Proposal")), "among the owners of deals where stage is Proposal"),
        (owners(order=(BY_TOTAL,), limit=3), "among the top 3 owners by total amount"),
        (owners(order=(BY_TOTAL,), limit=1), "the top owner by total amount"),
        (
            owners(order=(Order(by=rows()),), limit=2, where=is_("stage", "Proposal")),
            "among the bottom 2 owners by number of deals, counting only deals where stage is Proposal",
        ),
        (Query(source="deals", columns=(out("d", col("deal_id")),), where=is_("stage", "Proposal")),
         "among the deals where stage is Proposal"),
        (
            owners(order=(BY_TOTAL,), limit=1, offset=1),
            "the owner in place 2 by total amount",
        ),
        (owners(order=(BY_TOTAL,), limit=3, offset=3), "among the owners in places 4 to 6 by total amount"),
    ],
)  # fmt: skip
def test_a_query_used_as_a_set_says_whom_it_holds(query: Query, words: str) -> None:
    inside = InQuery(of=col("owner_id", "owners"), query=query)
    assert predicate_words(inside) == f"owner id is {words}"
    outside = inside.model_copy(update={"negated": True})
    assert predicate_words(outside) == f"owner id is not {words}"


def test_two_dates_of_a_row_stand_before_or_after_each_other() -> None:
    def against(op: str, left: str, right: str) -> str:
        return predicate_words(Compare.model_validate({"left": col(left), "op": op, "right": col(right)}))

    assert against(">", "shipped_date", "required_date") == "shipped date is after required date"
    assert against("<=", "paid_on", "due_date") == "paid on is on or before due date"
    assert against(">", "stock", "reorder_level") == "stock is over reorder level"


def test_a_year_in_a_column_of_its_own_has_no_separator() -> None:
    def is_(name: str, value: int) -> str:
        return predicate_words(Compare(left=col(name), op="=", right=Constant(value=value, type="number")))

    assert (is_("YEAR_ID", 2024), is_("year", 2024), is_("amount", 2024)) == (
        "YEAR ID is 2024", "year is 2024", "amount is 2,024",
    )  # fmt: skip
