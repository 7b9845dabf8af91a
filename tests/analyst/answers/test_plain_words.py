"""Sentences as a colleague would write them: ratios, sets of two, periods by their ends, conditions of a label."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Between,
    Combine,
    Comparison,
    Constant,
    Cut,
    Drivers,
    Expr,
    NamedQuery,
    Plan,
    Predicate,
    Query,
    SetOperation,
)
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.telling.charts import draw
from apps.analyst.telling.formats import spoken
from apps.analyst.telling.narrate import View, headline, story
from apps.analyst.telling.wording import led_by
from apps.analyst.types import Question
from tests.analyst.plans.short import OWNERS, col, is_, label, number, out, rows, total

See = Callable[[Plan], View]
TODAY = date(2026, 3, 18)
STAGE = out("stage", col("stage"))
SOURCES = ("Web", "Event")


def said(view: View) -> str:
    return story(view, "Concise")


def days(first: str, after: str) -> Between:
    low, high = (Constant(value=day, type="date") for day in (first, after))
    return Between(of=col("create_date"), low=low, high=high, half_open=True)


def deals(where: Predicate | None = None, figure: Expr | None = None, name: str = "Total amount") -> Query:
    return Query(source="deals", where=where, measures=(out(name, figure or total()),))


# ---------------------------------------------------------------- ratios
def ratio(one: Query, other: Query) -> Combine:
    parts = (NamedQuery(label="Won", query=one), NamedQuery(label="Lost", query=other))
    expr = Arithmetic(op="/", left=label("Won"), right=label("Lost"))
    return Combine(parts=parts, outputs=(out("Won per Lost", expr),))


def test_a_ratio_of_two_groups_is_so_many_times(seen: See) -> None:
    view = seen(ratio(deals(is_("stage", "Closed won")), deals(is_("stage", "Closed lost"))))
    assert said(view).startswith("The total amount for Won is **")
    assert said(view).endswith(" times** that for Lost.")
    made = headline(view)
    assert made is not None
    assert made.label == "Ratio of total amount, Won to Lost"


def test_a_ratio_of_things_in_the_plural_is_so_many_times_those(seen: See) -> None:
    figure = Aggregate(fn="sum", of=col("seats"))
    sides = (deals(is_("stage", stage), figure, "Total seats") for stage in ("Closed won", "Closed lost"))
    assert said(seen(ratio(*sides))).startswith("Total seats for Won are **")
    assert said(seen(ratio(deals(), deals(None, rows(), "Number of deals")))).startswith("Won per Lost is **")


# ---------------------------------------------------------------- sets, one group
def test_what_two_sets_share_is_told_with_both(seen: See) -> None:
    sides = [Query(source="deals", groups=(STAGE,), where=is_("lead_source", source)) for source in SOURCES]
    for op, words in (
        ("intersect", "with both lead source {} and lead source {}"),
        ("union", "with lead source {} or lead source {}"),
    ):
        plan = SetOperation(op=op, left=sides[0], right=sides[1])  # type: ignore[arg-type]
        assert f"5 stages {words.format(*SOURCES)}: " in said(seen(plan))


def test_the_only_group_is_not_named_twice(seen: See) -> None:
    alone = deals(is_("stage", "Closed won")).model_copy(update={"groups": (STAGE,)})
    assert said(seen(alone)).endswith("**.")
    assert said(seen(alone)).count("Closed won") == 1
    named = deals(is_("deal_name", "Deal 1")).model_copy(update={"groups": (STAGE,)})
    assert " for " in said(seen(named))


# ---------------------------------------------------------------- periods by their ends
NOW, THEN = days("2024-01-01", "2024-03-21"), days("2023-01-01", "2023-03-21")
BY_ENDS = {"current_label": "1 Jan 2024 to 20 Mar 2024", "baseline_label": "1 Jan 2023 to 20 Mar 2023"}


def by_ends(query: Query) -> Comparison:
    return Comparison(query=query, current=NOW, baseline=THEN, **BY_ENDS)


def test_periods_by_their_ends_are_no_chain_of_from_and_to(seen: See) -> None:
    whole = said(seen(by_ends(deals())))
    assert "from 1 Jan to 20 Mar 2024, " in whole
    assert " against $" in whole
    assert whole.endswith("from 1 Jan to 20 Mar 2023.")
    groups = said(seen(by_ends(deals().model_copy(update={"groups": (STAGE,)}))))
    assert groups.startswith("Between 1 Jan to 20 Mar 2023 and 1 Jan to 20 Mar 2024, the total amount ")


@pytest.mark.parametrize("expected", ["", "up", "down"])
def test_a_change_between_periods_by_their_ends_sets_one_against_the_other(expected: str, seen: See) -> None:
    cut = Cut(by=out("region", col("region", "owners")), joins=(OWNERS,))
    view = seen(Drivers(comparison=by_ends(deals()), cuts=(cut,), expected=expected))  # type: ignore[arg-type]
    first = said(view).split(" By ")[0]
    assert " from 1 Jan to 20 Mar 2024 against $" in first.replace("**", "")
    assert first.endswith("from 1 Jan to 20 Mar 2023.")
    chart = draw(view)
    assert chart is not None
    assert str(chart.document["title"]).endswith(" by region, 1 Jan to 20 Mar 2024 against 1 Jan to 20 Mar 2023")


def test_other_periods_are_told_as_before(seen: See) -> None:
    years = {"current_label": "2024", "baseline_label": "2023"}
    plan = Comparison(query=deals(), current=NOW, baseline=THEN, **years)
    assert " in 2024, " in said(seen(plan))
    assert " from $" in said(seen(plan))


# ---------------------------------------------------------------- labels
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Share of deals (Stage: Proposal)", "share of deals with stage Proposal"),
        ("Total amount (Stage: Won and Region: West)", "total amount with stage Won and region West"),
        ("Number of orders (Amount > 40 and 2024)", "number of orders with amount over 40 in 2024"),
        ("Number of orders (Region not West)", "number of orders with region other than West"),
        ("Number of orders (no discount)", "number of orders without discount"),
        ("Total sales (Jul–Sep 2024)", "total sales from Jul to Sep 2024"),
        ("Total sales (1 Jan 2024 – 9 Feb 2025)", "total sales from 1 Jan 2024 to 9 Feb 2025"),
        ("Total sales (from 1 Jan 2024)", "total sales from 1 Jan 2024"),
        (
            "Number of deals (Stage: Won and 2026) as % of number of deals (2026)",
            "share of deals with stage Won in 2026 among deals in 2026",
        ),
        ("Number of deals (Stage: Won) as % of number of deals", "share of deals with stage Won"),
        ("Total amount (Stage: Won) as % of total amount", "total amount with stage Won as % of total amount"),
        ("Amount (USD)", "amount"),
        ("Total sales (EMEA)", "total sales (EMEA)"),
        ("Deals (Stage: Won or Region: West)", "deals (stage: won or region: west)"),
        ("Total amount (2)", "total amount (2)"),
    ],
)
def test_conditions_of_a_label_are_words(name: str, words: str) -> None:
    assert spoken(name) == words


def test_a_rate_by_group_is_the_highest_share_and_not_the_most(seen: See) -> None:
    won = Aggregate(fn="count", where=is_("stage", "Closed won"))
    share = Arithmetic(op="/", left=Arithmetic(op="*", left=number(100), right=won), right=rows())
    name = "Number of deals (stage: Closed won) as % of number of deals"
    plan = Query(
        source="deals",
        joins=(OWNERS,),
        groups=(out("region", col("region", "owners")),),
        measures=(out(name, share, "%"),),
    )
    assert " has the highest share of deals with stage Closed won: **" in said(seen(plan))


# ---------------------------------------------------------------- one figure
def test_the_one_figure_of_an_answer_is_rounded_as_all_prose_and_its_value_stays_exact(seen: See) -> None:
    mean = Aggregate(fn="avg", of=col("minutes", "activities"))
    view = seen(Query(source="activities", measures=(out("Average minutes", mean),)))
    made = headline(view)
    exact = view.rows[0][0]
    assert made is not None
    assert isinstance(exact, float)
    assert made.text.removesuffix(" minutes") == f"{exact:.3g}"
    assert made.value == exact != float(f"{exact:.3g}")
    assert f"**{made.text}**" in said(view)


def test_whole_numbers_and_money_below_a_million_stay_exact(seen: See) -> None:
    count = headline(seen(Query(source="activities", measures=(out("Number of activities", rows()),))))
    money = headline(seen(deals(is_("stage", "Proposal"))))
    assert count is not None
    assert money is not None
    assert count.text == f"{count.value:,}"
    assert money.text.startswith("$")
    assert int(money.text[1:].replace(",", "")) == int(float(money.value) + 0.5)


@pytest.mark.parametrize(
    ("start", "name", "said"),
    [
        ("total", "total", "total"),
        ("Total", "total fee", "total fee"),
        ("average", "avg. CPC", "avg. CPC"),
        ("average", "cost", "average cost"),
        ("total", "totalizer reading", "total totalizer reading"),
    ],
)
def test_how_a_figure_is_made_is_said_once(start: str, name: str, said: str) -> None:
    assert led_by(start, name) == said


def test_rows_are_called_what_the_name_of_an_export_says_they_are(tmp_path: Path) -> None:
    lines = [f"{n},Pitch {n},{'' if n % 4 == 0 else 100 * n},Team {n % 3}" for n in range(1, 25)]
    (tmp_path / "acme-exports-all-deals-2026-03-18.csv").write_text("\n".join(["Deal ID,Deal,Amount,Team", *lines]))
    catalog = catalog_from_files([tmp_path / "acme-exports-all-deals-2026-03-18.csv"], tmp_path / "tables")
    made = answer(Question("how many deals have no amount", TODAY), catalog=catalog, warehouse=LocalWarehouse())
    assert "**6 acme deals**" in made.text
    assert made.evidence.plan_sentence == "Number of acme deals, where amount is missing."
