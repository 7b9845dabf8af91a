"""What answers say: first the answer, with unit and period; never a figure that the result does not bear out."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest

from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Arithmetic,
    Between,
    Combine,
    Compare,
    Comparison,
    Constant,
    Describe,
    InQuery,
    Missing,
    NamedQuery,
    Not,
    Order,
    Period,
    Plan,
    Query,
    Window,
)
from apps.analyst.plan.sentence import filters_of, plan_sentence
from apps.analyst.plan.spans import span_words
from apps.analyst.types import Answer
from tests.analyst.plans.short import OWNERS, average, col, in_year, is_, number, out, rows, text, total

Ask = Callable[..., Answer]


def deals(**changes: object) -> Query:
    return Query(**{"source": "deals", "measures": (out("Total", total()),), **changes})  # type: ignore[arg-type]


WITHOUT_AMOUNT = 15
BY_STAGE = deals(groups=(out("stage", col("stage")),))
BY_MONTH = deals(groups=(out("create_date", Period(grain="month", of=col("create_date"))),))


def test_one_figure_is_said_with_its_unit_and_conditions(answered: Ask) -> None:
    said = answered(deals(where=is_("stage", "Closed won"))).text
    assert said == (
        "The total amount of deals with stage Closed won is **$580,980**. "
        "Based on 57 of 62 deals: amount is missing in the others."
    )


def test_groups_that_are_counted_are_called_by_what_they_are(answered: Ask) -> None:
    few = Compare(op="<", left=rows(), right=number(10))
    many = Compare(op=">", left=rows(), right=number(10))

    def counted(by: str, having: Compare) -> str:
        key = Period(grain="month", of=col(by)) if by.endswith("date") else col(by)
        inner = Query(source="deals", groups=(out(by, key),), having=having)
        said = answered(Query(source=inner, measures=(out("Number", rows()),)))
        assert said.headline is not None
        return f"{said.headline.label}: {said.text}"

    said = counted("stage", many)
    assert re.match(r"Number of stages with more than 10 deals: There are \*\*\d+ stages\*\* with more than 10", said)
    said = counted("create_date", few)
    assert re.match(r"Number of months with fewer than 10 deals: There are \*\*\d+ months\*\* with fewer than 10", said)


def test_a_period_that_is_left_out_is_said_so(answered: Ask) -> None:
    days = (Constant(value=f"{year}-01-01", type="date") for year in (2025, 2026))
    outside = Not(of=Between(of=col("create_date"), low=next(days), high=next(days), half_open=True))
    assert " deals** not in 2025 (create date)" in answered(deals(where=outside, measures=(out("Deals", rows()),))).text
    assert plan_sentence(deals(where=outside)) == "Total amount in deals, where create date is not in 2025."


def test_a_condition_on_other_rows_has_its_period_in_words(answered: Ask) -> None:
    days = (
        Compare(op=">=", left=col("create_date"), right=Constant(value="2025-01-01", type="date")),
        Compare(op="<", left=col("create_date"), right=Constant(value="2026-01-01", type="date")),
    )
    asked = Query(source="deals", where=AllOf(of=days), columns=(out("Members", col("owner_id")),))
    without = InQuery(of=col("owner_id", "owners"), query=asked, negated=True)
    said = answered(Query(source="owners", where=without, measures=(out("Owners", rows()),))).text
    assert "without any deals in 2025 (create date)" in said


def test_a_figure_of_figures_says_over_what_it_is_taken(answered: Ask) -> None:
    inner = deals(groups=(out("owner", col("owner_id")),))
    said = answered(Query(source=inner, measures=(out("Average total per owner", average("Total", "")),)))
    assert said.text.startswith("The average total amount per owner is **$")
    assert said.headline is not None
    assert said.headline.label == "Average total amount per owner"


def test_a_count_is_said_as_people_count(answered: Ask) -> None:
    said = answered(deals(measures=(out("n", rows()),), where=is_("stage", "Closed won")))
    assert said.text == "There are **62 deals** with stage Closed won."
    assert said.headline is not None
    assert (said.headline.value, said.headline.text) == (62, "62")


def test_a_range_of_dates_is_said_as_a_period_and_by_which_date(answered: Ask) -> None:
    ends = (Constant(value=day, type="date") for day in ("2024-04-01", "2024-07-01"))
    low, high = ends
    quarter = Between(of=col("close_date"), low=low, high=high, half_open=True)
    said = answered(deals(measures=(out("n", rows()),), where=quarter)).text
    assert re.fullmatch(r"There are \*\*\d+ deals\*\* in Q2 2024 \(close date\)\.", said)


def test_that_a_date_is_there_is_said_unless_it_is_what_is_shown(answered: Ask) -> None:
    there = Missing(of=col("close_date"), negated=True)
    assert "**240 deals** where close date is given" in answered(deals(measures=(out("n", rows()),), where=there)).text
    guarded = BY_STAGE.model_copy(update={"where": Missing(of=col("amount"), negated=True)})
    assert "is given" not in answered(guarded).text


def test_a_ranking_says_who_leads_by_how_much_and_who_follows(answered: Ask) -> None:
    said = answered(BY_STAGE).text
    assert said.startswith(
        "**Closed won** has the highest total amount: **$580,980** (23.5% of the total), followed by Qualified"
    )
    assert "The total for all 5 stages is $2.47 million." in said


def test_a_ranking_that_was_cut_has_no_share_and_says_what_it_was_ranked_from(answered: Ask) -> None:
    top = BY_STAGE.model_copy(update={"order": (Order(by="Total", descending=True),), "limit": 3})
    said = answered(top).text
    assert "of the total" not in said
    assert "The total for the 3 stages shown is" in said
    assert "Ranked from 225 of 240 deals: amount is missing in the others." in said
    assert "Based on" not in said  # as if they were those of the three
    most = BY_STAGE.model_copy(update={"measures": (out("n", rows()),), "limit": 3, "order": (Order(by="n"),)})
    assert "Ranked from 240 deals in all." in answered(most).text


def test_who_leads_together_is_said_together(answered: Ask) -> None:
    owners = out("Owners", Aggregate(fn="count", of=col("owner_id"), distinct=True))
    first = (Order(by="Owners", descending=True),)
    stages = deals(groups=(out("stage", col("stage")),), measures=(owners,))
    led = answered(stages.model_copy(update={"order": first})).text
    assert re.match(r"(\*\*[\w ]+\*\*, ){2}\*\*[\w ]+\*\* and 2 more share the most different owners: ", led)
    two = answered(stages.model_copy(update={"order": first, "limit": 2})).text
    assert two.startswith("**Closed lost** and **Closed won** share the most different owners: **4**.")
    said = answered(stages.model_copy(update={"order": (Order(by="stage"),)})).text
    assert said.startswith("The number of different owners is **4** for each of the 5 stages.")


def test_a_figure_from_several_columns_says_how_many_rows_have_them_all(answered: Ask) -> None:
    doubled = Arithmetic(op="*", left=col("amount"), right=number(2))
    said = answered(deals(measures=(out("Mean", Aggregate(fn="avg", of=doubled)),)))
    assert said.text.endswith("Based on 225 of 240 deals: amount is missing in the others.")
    assert said.evidence.notes == ("15 of 240 deals have no amount and are not in this figure.",)


def test_the_first_of_an_order_is_the_answer(answered: Ask) -> None:
    best = BY_STAGE.model_copy(update={"order": (Order(by="Total", descending=True),), "limit": 1})
    said = answered(best)
    assert said.text.startswith("**Closed won** has the highest total amount: **$580,980**.")
    assert said.headline is not None
    assert said.headline.label == "Closed won: total amount"


def test_the_lowest_is_not_called_the_highest(answered: Ask) -> None:
    worst = BY_STAGE.model_copy(update={"order": (Order(by="Total"),), "limit": 1})
    assert "has the lowest total amount" in answered(worst).text


def test_a_series_says_from_where_to_where_and_its_peak(answered: Ask) -> None:
    said = answered(BY_MONTH).text
    assert said.startswith("The total amount fell from $65,545 in Jan 2023 to **$24,433** in Nov 2024 (−62.7%)")
    assert "with a peak of $194,996 in Oct 2024" in said


def test_no_trend_ends_in_a_month_that_is_not_over(answered: Ask) -> None:
    said = answered(BY_MONTH).text
    assert "** in Nov 2024" in said
    assert "Dec 2024 is not complete: it stands at $115,130, with data up to 26 Dec 2024." in said


def test_a_comparison_says_both_sides_and_the_change(answered: Ask) -> None:
    plan = Comparison(
        query=deals(), current=in_year(2024), baseline=in_year(2023), current_label="2024", baseline_label="2023"
    )
    said = answered(plan)
    assert said.text.startswith(
        "The total amount is **$1.37 million** in 2024, up 24.6% (+$270,419) from $1.1 million in 2023."
    )
    assert re.search(r" The comparison covers 225 of 240 deals: amount is missing in the others\.$", said.text)
    assert said.headline is not None
    assert said.headline.change == pytest.approx(0.2456, abs=1e-4)
    assert said.headline.change_text == "+24.6% vs 2023"


def test_a_comparison_of_groups_says_what_moved_most(answered: Ask) -> None:
    plan = Comparison(
        query=BY_STAGE, current=in_year(2024), baseline=in_year(2023), current_label="2024", baseline_label="2023"
    )
    assert answered(plan).text.startswith(
        "From 2023 to 2024, the total amount rose most for **Closed lost** (+$98,259, +53.8%)"
    )


def half_by_half(first: int, second: int) -> Query:
    """The amounts of two halves of 2024 beside each other by stage."""

    def half(number: int) -> Between:
        low, high = (("2024-01-01", "2024-06-30"), ("2024-07-01", "2024-12-31"))[number - 1]
        ends = (Constant(value=day, type="date") for day in (low, high))
        return Between(of=col("create_date"), low=next(ends), high=next(ends))

    sides = (Aggregate(fn="sum", of=col("amount"), where=half(number)) for number in (first, second))
    named = zip((first, second), sides, strict=True)
    return deals(measures=tuple(out(f"Total amount (H{n})", side) for n, side in named), groups=BY_STAGE.groups)


def test_two_parts_of_a_figure_are_held_against_each_other_in_all(answered: Ask) -> None:
    said = answered(half_by_half(2, 1))
    assert said.result is not None
    later, earlier = (sum(float(str(row[n] or 0)) for row in said.result.rows) for n in (1, 2))
    change = 100 * (later - earlier) / earlier
    told = re.search(r"The total for all \d stages is \S+, against \S+( million)? for H1 \((.+?)%\)\.", said.text)
    assert told is not None, said.text
    assert float(told[2].replace("−", "-")) == pytest.approx(change, abs=0.06)
    # the first is the earlier one: nothing rose or fell from the second to it
    assert re.search(r"against \S+( million)? for H2\.", answered(half_by_half(1, 2)).text)


def test_a_combined_figure_is_said_by_its_name(answered: Ask) -> None:
    whole, part = (
        deals(measures=(out("x", rows()),)),
        deals(measures=(out("x", rows()),), where=is_("stage", "Closed won")),
    )
    from apps.analyst.plan import Arithmetic
    from tests.analyst.plans.short import label

    rate = Arithmetic(op="*", left=number(100), right=Arithmetic(op="/", left=label("won"), right=label("all")))
    plan = Combine(
        parts=(NamedQuery(label="won", query=part), NamedQuery(label="all", query=whole)),
        outputs=(out("Share of won deals", rate, "%"),),
    )
    assert answered(plan).text.startswith("The share of won deals is **25.8%**.")


def test_who_have_never_is_said_in_plain_words(answered: Ask) -> None:
    lost = Query(source="deals", columns=(out("o", col("owner_id")),), where=is_("stage", "Closed lost"))
    plan = Query(
        source="owners",
        columns=(out("owner_name", col("owner_name", "owners")),),
        where=InQuery(of=col("owner_id", "owners"), query=lost, negated=True),
    )
    assert answered(plan).text.startswith("There are no owners without any deals with stage Closed lost.")


def test_an_empty_result_says_what_was_looked_for(answered: Ask) -> None:
    assert answered(deals(columns=(out("d", col("deal_name")),), measures=(), where=is_("stage", "Nowhere"))).text == (
        "There are no deals with stage Nowhere."
    )


def test_a_sum_of_nothing_is_no_nought(answered: Ask) -> None:
    said = answered(deals(where=is_("stage", "Nowhere"))).text
    assert said.startswith("There are no deals with stage Nowhere, so the total amount cannot be worked out.")
    assert "$0" not in said


def test_few_names_are_said_and_many_are_counted(answered: Ask) -> None:
    names = Query(source="owners", columns=(out("owner_name", col("owner_name", "owners")),))
    assert (
        answered(names, "Concise").text == "4 owners: **Ada Stone**, **Ben Ruiz**, **Cleo Marsh** and **Dan Okafor**."
    )
    many = deals(columns=(out("deal_name", col("deal_name")),), measures=())
    assert answered(many, "Concise").text == "There are **240 deals**."


def test_listed_deals_with_the_highest_amount_come_with_their_amounts(answered: Ask) -> None:
    plan = deals(
        columns=(out("deal_name", col("deal_name")), out("amount", col("amount"))),
        measures=(),
        order=(Order(by="amount", descending=True),),
        limit=5,
    )
    assert answered(plan, "Concise").text == (
        "The 5 deals with the highest amount: **Deal 209** ($22,475), **Deal 75** ($22,453), **Deal 77** ($22,070) "
        "and 2 more."
    )


def test_a_table_is_described_by_what_it_holds(answered: Ask) -> None:
    assert answered(Describe(table="owners")).text == (
        "**owners** holds 4 owners in 4 columns: owner_id, owner_name, region and quota."
    )


def test_the_three_styles_differ_truly(answered: Ask) -> None:
    concise, standard, explanatory = (
        answered(BY_STAGE, style).text for style in ("Concise", "Standard", "Explanatory")
    )
    assert standard.startswith(concise)
    assert explanatory.startswith(standard)
    assert "**How this was computed:** Total amount by stage in deals." in explanatory
    assert "15 of 240 deals have no amount and are not in this figure." in explanatory
    assert "computed" not in standard


def figures_in(said: str) -> set[str]:
    """The figures of a text, with the word for millions that they are rounded to."""
    return set(re.findall(r"(?:\d[\d,.]*\d|\d)(?: million)?", said))


@pytest.mark.parametrize(
    "plan", [BY_STAGE, BY_MONTH, deals(), deals(measures=(out("n", rows()), out("Mean", average())))]
)
def test_no_figure_is_said_that_does_not_follow_from_the_result(answered: Ask, plan: Plan) -> None:
    said = answered(plan)
    assert said.result is not None
    columns = list(zip(*said.result.rows, strict=True))
    known = [
        float(str(v)) for column in columns for v in column if isinstance(v, int | float) or hasattr(v, "as_tuple")
    ]
    firsts = [float(str(v)) for v in columns[-1] if v is not None]
    derived = [
        sum(firsts),
        sum(firsts[:-1]) / max(1, len(firsts) - 1),  # of the months that are over
        len(firsts),
        100 * max(firsts) / sum(firsts),
        said.evidence.row_count,
        said.evidence.row_count + WITHOUT_AMOUNT,
    ]
    derived += [100 * (b - a) / abs(a) for a, b in ((firsts[0], firsts[-2] if len(firsts) > 1 else firsts[0]),)]
    years = [date(2023, 1, 1).year, 2024, 26]
    for found in figures_in(said.text):
        scale = 1e6 if found.endswith("million") else 1
        value = scale * float(found.removesuffix(" million").replace(",", ""))
        assert any(
            abs(value - abs(k)) <= max(0.051, 0.0006 * abs(k), 0.5 * (value >= 1000), 0.00501 * scale * (scale > 1))
            for k in [*known, *derived, *years]
        ), found


def test_a_plan_is_told_in_one_sentence_a_person_can_check(answered: Ask) -> None:
    plan = deals(
        joins=(OWNERS,),
        groups=(out("region", col("region", "owners")),),
        measures=(out("Total", total()), out("Share", Window(fn="share", of=total()))),
        where=Compare(op=">", left=col("amount"), right=number(500)),
        order=(Order(by="Total", descending=True),),
        limit=3,
    )
    assert plan_sentence(plan) == (
        "Total amount and share of total amount by region in deals with owners, where amount is over 500, "
        "the 3 with the highest total."
    )
    assert filters_of(plan) == ("amount is over 500",)


def test_the_evidence_names_sources_joins_and_what_is_missing(answered: Ask) -> None:
    said = answered(deals(joins=(OWNERS,), groups=(out("region", col("region", "owners")),))).evidence
    assert [(source.name, source.rows) for source in said.sources] == [("deals", 240), ("owners", 4)]
    assert said.joins == ("deals with owners by owner_id: 100% of the rows of deals find a partner.",)
    assert said.notes == ("15 of 240 deals have no amount and are not in this figure.",)
    assert said.row_count == 240 - WITHOUT_AMOUNT
    assert said.query.startswith("SELECT ")


def test_the_query_in_the_evidence_is_readable_with_its_values(answered: Ask) -> None:
    said = answered(deals(where=Compare(op="=", left=col("stage"), right=text("Closed won")))).evidence
    assert "'Closed won'" in said.query
    assert "$1" not in said.query


def test_most_frequent_values_are_answers_too(answered: Ask) -> None:
    said = answered(deals(measures=(out("Usual stage", Aggregate(fn="mode", of=col("stage"))),))).text
    assert said.startswith("The usual stage is **Closed won**.")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (date(2024, 1, 1), date(2024, 12, 31), "in 2024"),
        (date(2024, 4, 1), date(2024, 6, 30), "in Q2 2024"),
        (date(2024, 2, 1), date(2024, 2, 29), "in February 2024"),
        (date(2023, 1, 1), date(2024, 12, 31), "from 2023 to 2024"),
        (date(2024, 11, 1), date(2025, 2, 28), "from Nov 2024 to Feb 2025"),
        (date(2024, 5, 3), date(2024, 5, 3), "on 3 May 2024"),
        (date(2024, 5, 3), date(2024, 6, 9), "from 3 May 2024 to 9 Jun 2024"),
    ],
)
def test_spans_of_days_have_their_shortest_name(first: date, last: date, words: str) -> None:
    assert span_words(first, last) == words


def test_how_many_partners_a_thing_has_to_have_is_said(answered: Ask) -> None:
    def told(having: Compare, negated: bool = False) -> str:
        inner = Query(source="deals", groups=(out("o", col("owner_id")),), having=having)
        within = InQuery(of=col("owner_id", "owners"), query=inner, negated=negated)
        return answered(Query(source="owners", measures=(out("n", rows()),), where=within)).text

    assert told(Compare(op=">", left=rows(), right=number(55))).endswith("** with more than 55 deals.")
    assert told(Compare(op=">=", left=rows(), right=number(1))) == "There are **4 owners** with at least 1 deal."
    assert told(Compare(op=">", left=rows(), right=number(55)), negated=True).endswith("without more than 55 deals.")
    rich = told(Compare(op=">", left=total(), right=number(1000)))
    assert rich.endswith("where owner id is among the owners whose total amount is over 1,000.")
    few = told(Compare(op="<", left=rows(), right=number(100)))
    assert few.endswith("where owner id is among the owners with fewer than 100 deals.")


def test_the_first_of_an_order_are_not_just_any_partners(answered: Ask) -> None:
    best = Query(
        source="deals",
        groups=(out("o", col("owner_id")),),
        order=(Order(by=total(), descending=True),),
        limit=2,
    )
    said = answered(deals(measures=(out("n", rows()),), where=InQuery(of=col("owner_id"), query=best))).text
    assert said.endswith("** where owner id is among the top 2 owners by total amount.")
