"""How a question was read, in parts: what each says, what else it may have meant, and which words found no place."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.figures import offered
from apps.analyst.conversation.readas.marks import unread, unread_words
from apps.analyst.conversation.readas.others import Parts, read_as
from apps.analyst.pipeline import answer
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Between,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Cut,
    Drivers,
    InQuery,
    Missing,
    Not,
    Order,
    Output,
    Part,
    Period,
    Plan,
    Query,
    ScalarQuery,
    Statistic,
    Window,
)
from apps.analyst.plan.validate import validate
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question, Rival
from tests.analyst.dialogues import playing
from tests.analyst.reading.conftest import TODAY


def ref(column: str) -> ColumnRef:
    return ColumnRef(table="bookings", column=column)


TOTAL = Output(label="Total amount", expr=Aggregate(fn="sum", of=ref("tot_amt")))
PAID = Compare(op="=", left=ref("bkg_stat"), right=Constant(value="Completed"))
DAY = Constant(value="2024-01-01", type="date")
IN_2024 = Between(of=ref("arr_dt"), low=DAY, high=Constant(value="2025-01-01", type="date"), half_open=True)
BY_PLACE = Query(
    source="bookings",
    where=PAID,
    groups=(Output(label="Property", expr=ref("prop_nm")),),
    measures=(TOTAL,),
    order=(Order(by="Total amount", descending=True),),
    limit=2,
)


def labels(plan: Plan, catalog: FixedCatalog) -> dict[str, str]:
    return {chip.key: chip.label for chip in read_as(plan, catalog).chips}


def test_each_part_of_a_plan_is_one_chip_in_the_words_of_the_dictionary(stays: FixedCatalog) -> None:
    assert labels(BY_PLACE, stays) == {
        "figure:0": "Total amount",
        "group:0": "By property name",
        "order:0": "Top 2",
        "filter:0": "Booking status is Completed",
        "files:0": "In bookings",
    }


def test_what_is_asked_of_others_is_said_in_the_words_of_the_dictionary_too(stays: FixedCatalog) -> None:
    places = Query(
        source="bookings", columns=(Output(label="Members", expr=ref("prop_nm")),), where=PAID, distinct=True
    )
    mean = Query(source="bookings", measures=(Output(label="Mean", expr=Aggregate(fn="avg", of=ref("tot_amt"))),))
    never = BY_PLACE.model_copy(update={"where": InQuery(of=ref("prop_nm"), query=places, negated=True)})
    above = Compare(op=">", left=ref("tot_amt"), right=ScalarQuery(query=mean))
    assert labels(never, stays)["filter:0"] == (
        "Property name is not among the property names of bookings where booking status is Completed"
    )
    assert "tot amt" not in labels(BY_PLACE.model_copy(update={"where": above}), stays)["filter:0"].lower()


def test_a_period_says_by_which_date_it_goes_however_it_is_written(stays: FixedCatalog) -> None:
    both_ends = Query(
        source="bookings",
        measures=(TOTAL,),
        where=PAID.model_copy(update={"op": ">=", "left": ref("arr_dt"), "right": DAY}),
    )
    plain = both_ends.model_copy(update={"where": IN_2024})
    assert labels(plain, stays)["period:0"] == "2024, by arrival date"
    assert labels(both_ends, stays)["period:0"].startswith("Arrival date is from 1 Jan 2024")


def test_a_period_that_is_left_out_says_so(stays: FixedCatalog) -> None:
    outside = Query(source="bookings", measures=(TOTAL,), where=Not(of=IN_2024))
    assert labels(outside, stays)["period:0"] == "Not 2024, by arrival date"


def test_a_place_in_a_ranking_is_called_by_its_number(stays: FixedCatalog) -> None:
    assert labels(BY_PLACE.model_copy(update={"limit": 1, "offset": 2}), stays)["order:0"] == "Third highest"
    assert labels(BY_PLACE.model_copy(update={"offset": 2}), stays)["order:0"] == "Places 3 to 4"
    (every,) = [o.plan for o in Parts(BY_PLACE.model_copy(update={"limit": 1, "offset": 2}), stays).of("order:0")
                if o.label == "All of them"]  # fmt: skip
    assert isinstance(every, Query)
    assert (every.limit, every.offset) == (None, 0)


def test_groups_that_are_counted_and_their_rows_are_called_by_what_they_are(stays: FixedCatalog) -> None:
    rows = Aggregate(fn="count")
    key = Output(label="Property", expr=ref("prop_nm"))
    having = Compare(op=">", left=rows, right=Constant(value=1, type="number"))
    often = Query(source="bookings", groups=(key,), having=having)
    told = labels(Query(source=often, measures=(Output(label="Number", expr=rows),)), stays)
    assert told["figure:0"] == "Number of properties"
    assert told["filter:0"] == "Number of bookings is over 1"


def test_every_other_way_of_a_part_can_be_computed(stays: FixedCatalog) -> None:
    plans = [BY_PLACE, BY_PLACE.model_copy(update={"where": IN_2024, "limit": None})]
    by_month = Output(label="Month", expr=Period(grain="month", of=ref("arr_dt")))
    plans.append(Query(source="bookings", groups=(by_month,), measures=(TOTAL,), order=(Order(by="Month"),)))
    for plan in plans:
        parts = Parts(plan, stays)
        for key in parts.pieces:
            for other in parts.of(key):
                validate(other.plan, stays)
                assert other.plan != plan
                assert compute(other.plan, stays, LocalWarehouse(threads=1)).result.columns


def test_a_figure_may_be_another_column_or_the_average_of_this_one(stays: FixedCatalog) -> None:
    others = {other.label for other in Parts(BY_PLACE, stays).of("figure:0")}
    assert "Average total amount" in others or "Average amount" in others
    assert any("nights" in label for label in others)


def test_a_filter_may_be_left_out_and_the_other_end_of_an_order_taken(stays: FixedCatalog) -> None:
    parts = Parts(BY_PLACE, stays)
    without = next(other for other in parts.of("filter:0") if other.label == "Without this filter")
    assert without.plan == BY_PLACE.model_copy(update={"where": None})
    assert "Lowest 2" in {other.label for other in parts.of("order:0")}


def test_a_rival_is_offered_at_the_part_in_which_it_differs(stays: FixedCatalog) -> None:
    by_state = BY_PLACE.model_copy(update={"groups": (Output(label="State", expr=ref("bkg_stat")),)})
    unfiltered = BY_PLACE.model_copy(update={"where": None})
    parts = Parts(BY_PLACE, stays, [Rival(by_state, 0.3), Rival(unfiltered, 0.2)])
    assert parts.of("group:0")[0].plan == by_state
    assert parts.of("filter:0")[0].plan == unfiltered
    chips = {chip.key: chip for chip in parts.chips(0.5)}
    assert chips["group:0"].guessed
    assert not chips["figure:0"].guessed


def test_a_condition_that_only_a_rival_has_is_a_chip_of_its_own(stays: FixedCatalog) -> None:
    plain = BY_PLACE.model_copy(update={"where": None})
    chips = {chip.key: chip for chip in Parts(plain, stays, [Rival(BY_PLACE, 0.4)]).chips(0.5)}
    assert chips["filter:more"].label == "No filter"
    assert Parts(plain, stays, [Rival(BY_PLACE, 0.4)]).of("filter:more")[0].plan == BY_PLACE
    assert "filter:more" not in {chip.key for chip in Parts(plain, stays, [Rival(BY_PLACE, 0.05)]).chips(0.9)}


def test_words_that_a_reader_had_no_use_for_are_found_in_the_question() -> None:
    text = "Net sales of Bay View, net of tax"
    assert [text[start:end] for start, end in unread_words(text, ["net", "tax"])] == ["Net", "net", "tax"]


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("What is the total amount by property?", []),
        ("What is the total amount of glorious bookings by property?", ["glorious"]),
        ("Line chart of the total amount by property", []),
        ("Total amount by property right now", []),
        ("Total amount by property, turned right now", ["turned"]),
        ("plot the total amount by property, in a line", ["line"]),
        ("Top 5 properties by total amount", ["5"]),
        ("Total amount by property with only one booking", []),
        ("Total amount by property, for adults only", ["adults"]),
        ("Total amount by property in 2024", ["2024"]),
    ],
)
def test_a_word_a_number_or_a_period_that_the_plan_does_not_use_is_unread(
    asked: str, left: list[str], stays: FixedCatalog
) -> None:
    plan = BY_PLACE.model_copy(update={"where": None, "limit": None})
    found = unread(Question(asked, today=date(2025, 6, 30)), plan, stays)
    assert [asked[start:end] for start, end in found] == left


def test_weekends_are_read_by_a_plan_that_holds_the_days_of_the_week(stays: FixedCatalog) -> None:
    asked = Question("total amount by property on weekends", today=date(2025, 6, 30))
    plain = BY_PLACE.model_copy(update={"where": None, "limit": None})
    day = Part(part="weekday", of=ref("arr_dt"))
    weekends = plain.model_copy(update={"where": Compare(left=day, op=">=", right=Constant(value=6, type="number"))})
    found = [[asked.text[slice(*span)] for span in unread(asked, plan, stays)] for plan in (plain, weekends)]
    assert found == [["weekends"], []]


def test_a_computed_answer_says_how_its_question_was_read(stays: FixedCatalog) -> None:
    said = answer(
        Question("What is the total amount by property?", today=TODAY),
        catalog=stays,
        warehouse=LocalWarehouse(threads=1),
        onward=False,
    )
    assert said.read_as is not None
    assert [chip.part for chip in said.read_as.chips][:2] == ["figure", "group"]
    assert said.read_as.unread == ()


def test_that_a_value_is_given_is_told_only_where_it_is_what_was_asked(stays: FixedCatalog) -> None:
    filled = [Missing(of=ref(column), negated=True) for column in ("prop_nm", "pd_flg")]
    plans = [BY_PLACE.model_copy(update={"where": condition}) for condition in filled]
    assert [any(key.startswith("filter") for key in labels(plan, stays)) for plan in plans] == [False, True]


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("bookings in May plus June 2024", []),
        ("bookings in May plus June 2024 by donkey", ["donkey"]),
        ("bookings in May 2024, and 2023", ["2023"]),
    ],
)
def test_what_two_mentions_of_time_say_together_is_read(asked: str, left: list[str], stays: FixedCatalog) -> None:
    arrived = ColumnRef(table="bookings", column="arr_dt")
    until = "2024-07-01" if "June" in asked else "2024-06-01"
    days = [Constant(value=day, type="date") for day in ("2024-05-01", until)]
    within = Between(of=arrived, low=days[0], high=days[1], half_open=True)
    plan = Query(source="bookings", measures=(Output(label="n", expr=Aggregate(fn="count")),), where=within)
    found = unread(Question(asked, today=date(2025, 6, 30)), plan, stays)
    assert [asked[start:end] for start, end in found] == left


# ---------------------------------------------------------------- what else the parts may have meant
def opened(plan: Plan, key: str, catalog: FixedCatalog) -> dict[str, str]:
    """What a part opens with: each other reading with the figure it gives."""
    found = Parts(plan, catalog).of(key)
    return {one.other.label: one.figure for one in offered(found, catalog, LocalWarehouse(threads=1))}


def share_of(of: Aggregate, *groups: Output) -> Query:
    share = Output(label="Share of total amount", expr=Window(fn="share", of=of), unit="%")
    order = (Order(by=share.label, descending=True),)
    return Query(source="bookings", groups=groups, measures=(share,), order=order)


PLACE = Output(label="Property", expr=ref("prop_nm"))
STATE = Output(label="State", expr=ref("bkg_stat"))
AMOUNT = Aggregate(fn="sum", of=ref("tot_amt"))


def test_a_share_may_be_that_of_another_figure_or_the_figure_itself(stays: FixedCatalog) -> None:
    others = opened(share_of(AMOUNT, PLACE), "figure:0", stays)
    assert {"Share of total nights", "Total amount"} <= others.keys()
    assert "%" in others["Share of total nights"]
    assert "%" not in others["Total amount"]


def test_a_share_of_two_groups_may_be_that_within_each_of_one(stays: FixedCatalog) -> None:
    others = opened(share_of(AMOUNT, PLACE, STATE), "figure:0", stays)
    within = [label for label in others if label.endswith(("within property", "within state"))]
    assert within


def test_a_part_of_a_whole_may_be_told_by_itself(stays: FixedCatalog) -> None:
    paid = Aggregate(fn="sum", of=ref("tot_amt"), where=PAID)
    expr = Arithmetic(
        op="/", left=Arithmetic(op="*", left=Constant(value=100, type="number"), right=paid), right=AMOUNT
    )
    plan = Query(source="bookings", measures=(Output(label="Paid amount as % of total amount", expr=expr, unit="%"),))
    others = opened(plan, "figure:0", stays)
    assert "Total amount where booking status is Completed" in others


def test_a_median_may_be_the_average(stays: FixedCatalog) -> None:
    median = Output(label="Median amount", expr=Aggregate(fn="median", of=ref("tot_amt")))
    plan = Query(source="bookings", measures=(median,))
    others = opened(plan, "figure:0", stays)
    assert {"Average total amount", "Average amount"} & others.keys()


def test_a_list_may_be_the_number_of_its_rows_or_all_that_is_known_of_them(stays: FixedCatalog) -> None:
    numbers = Output(label="Booking", expr=ref("bkg_no"))
    others = opened(Query(source="bookings", columns=(numbers, PLACE), where=PAID), "figure:0", stays)
    assert others["Number of bookings"] == "360"
    assert others["List of all columns"].startswith("B0000")


def test_a_list_of_values_may_be_their_number_or_each_row_of_them(stays: FixedCatalog) -> None:
    places = Query(source="bookings", columns=(PLACE,), distinct=True)
    others = opened(places, "figure:0", stays)
    assert others["Number of different property names"] == "3"
    assert opened(places.model_copy(update={"distinct": False}), "figure:0", stays).keys() == {
        "Number of bookings",
        "Different property name",
        "List of all columns",
    }


def drivers(*cuts: Output) -> Drivers:
    months = [f"2024-0{month}-01" for month in (4, 5, 6)]
    days = [Constant(value=day, type="date") for day in months]
    sides = [Between(of=ref("arr_dt"), low=days[n], high=days[n + 1], half_open=True) for n in (0, 1)]
    given = Missing(of=ref("arr_dt"), negated=True)
    compared = Comparison(
        query=Query(source="bookings", measures=(TOTAL,), where=given),
        current=sides[1],
        baseline=sides[0],
        current_label="May 2024",
        baseline_label="April 2024",
    )
    return Drivers(comparison=compared, cuts=tuple(Cut(by=cut) for cut in cuts))


def test_what_a_change_is_split_by_opens_with_each_of_the_ways(stays: FixedCatalog) -> None:
    plan = drivers(PLACE, STATE)
    assert labels(plan, stays)["group:0"] == "Split by property name or booking status"
    others = opened(plan, "group:0", stays)
    assert others.keys() == {"Split by property name", "Split by booking status"}
    assert all(others.values())


def test_what_one_way_splits_opens_with_the_other_columns_that_tell_rows_apart(stays: FixedCatalog) -> None:
    assert "Split by booking status" in opened(drivers(PLACE), "group:0", stays)


def test_that_the_date_of_a_comparison_is_given_is_no_part_to_check(stays: FixedCatalog) -> None:
    assert not any(key.startswith("filter") for key in labels(drivers(PLACE), stays))


def test_a_statistic_is_called_by_its_figures(stays: FixedCatalog) -> None:
    rows = Query(source="bookings", columns=(Output(label="tot_amt", expr=ref("tot_amt")), PLACE))
    assert labels(Statistic(name="outliers", query=rows), stays)["figure:0"] == "Outliers of total amount"
    month = Output(label="Month", expr=Period(grain="month", of=ref("arr_dt")))
    by_month = Query(source="bookings", groups=(month,), measures=(TOTAL,), order=(Order(by="Month"),))
    trend = Statistic(name="trend", query=by_month, options={"step": "month", "grain": "month"})
    assert labels(trend, stays)["figure:0"] == "Trend of total amount"


def test_a_definition_opens_with_what_the_question_means_without_it() -> None:
    deals = playing.catalog("deals")
    question = Question("What is our win rate?", today=date(2026, 1, 12), keywords={"Win rate": "won / all deals"})
    said = answer(question, catalog=deals, warehouse=LocalWarehouse(threads=1), onward=False)
    assert said.read_as is not None
    chip = next(chip for chip in said.read_as.chips if chip.part == "definition")
    assert (chip.label, chip.opens) == ("Win rate (as your organization defines it): won / all deals", True)
    assert not any(chip.guessed for chip in said.read_as.chips)
    found = offered(Parts(said.plan, deals, said.rivals).of(chip.key), deals, LocalWarehouse(threads=1))
    assert [(one.other.label, one.figure) for one in found] == [("Without this definition", "49.1%")]


def test_a_rate_of_decided_cases_opens_with_that_of_all(tmp_path: Path) -> None:
    states = ("Approved", "Rejected", "Pending", "Approved", "Pending")
    lines = ["loan_no,segment,status", *(f"L{n:03d},{('Home', 'Car')[n % 2]},{states[n % 5]}" for n in range(100))]
    (tmp_path / "loans.csv").write_text("\n".join(lines))
    loans = catalog_from_files([tmp_path / "loans.csv"], tmp_path / "tables")
    question = Question("What is the approval rate?", today=TODAY)
    said = answer(question, catalog=loans, warehouse=LocalWarehouse(threads=1), onward=False)
    assert said.read_as is not None
    key = next(chip.key for chip in said.read_as.chips if chip.part == "definition" and chip.opens)
    found = offered(Parts(said.plan, loans, said.rivals).of(key), loans, LocalWarehouse(threads=1))
    assert said.headline is not None
    assert said.headline.text.startswith("66.7")
    assert [(one.other.label, one.figure) for one in found] == [("Of all, also those not decided yet", "40%")]
