"""A rate of a group is what its two columns come to over the group, not the mean of its rows' rates."""

from __future__ import annotations

import random
from datetime import date

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.conversation.averaging import averaged
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, AggregateName, ColumnRef, Compare, Constant, Output, Query
from apps.analyst.ports import Warehouse
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.evidence import definitions_of
from apps.analyst.types import Question, Turn

TODAY = date(2025, 11, 14)
chance = random.Random(8)
ROWS = []
for number in range(240):
    device = ("Phone", "Tablet")[number % 2]
    views = chance.randrange(100, 9000) if device == "Phone" else chance.choice((40, 60, 20_000, 30_000))
    clicks = int(views * (0.02 if views > 90 else 0.3) * chance.uniform(0.8, 1.2))
    ROWS.append((device, views, clicks, round(100 * clicks / views, 2), round(chance.uniform(1, 9), 2)))


def rate_of(device: str) -> float:
    rows = [row for row in ROWS if row[0] == device]
    return 100 * sum(row[2] for row in rows) / sum(row[1] for row in rows)


@pytest.fixture(scope="module")
def ads(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("ads")
    lines = [",".join(map(str, (f"2025-{1 + row % 9:02d}-11", *cells, cells[3]))) for row, cells in enumerate(ROWS)]
    (folder / "ads.csv").write_text("\n".join(["Day,Device,Impressions,Clicks,Click rate,Rating,CLQ", *lines]))
    return catalog_from_files([folder / "ads.csv"], folder)


def column(name: str) -> ColumnRef:
    return ColumnRef(table="ads", column=name)


def by_device(fn: AggregateName, of: str) -> Query:
    return Query(
        source="ads",
        groups=(Output(label="Device", expr=column("Device")),),
        measures=(Output(label="figure", expr=Aggregate(fn=fn, of=column(of))),),
    )


@pytest.mark.parametrize("of", ["Click rate", "CLQ"])
@pytest.mark.parametrize("fn", ["avg", "sum"])
def test_a_rate_is_weighted_and_says_of_what_it_is_made(
    fn: AggregateName, of: str, ads: FixedCatalog, warehouse: Warehouse
) -> None:
    computed = compute(by_device(fn, of), ads, warehouse)
    assert {row[0]: pytest.approx(float(str(row[1]))) for row in computed.result.rows} == {
        device: rate_of(device) for device in ("Phone", "Tablet")
    }
    assert definitions_of(computed.plan) == ("Figure: 100 × total clicks ÷ total impressions",)


def test_only_the_rows_that_are_asked_for_weigh(ads: FixedCatalog, warehouse: Warehouse) -> None:
    phones = Compare(op="=", left=column("Device"), right=Constant(value="Phone", type="text"))
    mean = Aggregate(fn="avg", of=column("Click rate"), where=phones)
    computed = compute(Query(source="ads", measures=(Output(label="Click rate", expr=mean),)), ads, warehouse)
    assert float(str(computed.result.rows[0][0])) == pytest.approx(rate_of("Phone"))


@pytest.mark.parametrize(
    ("fn", "of"), [("avg", "Rating"), ("max", "Click rate"), ("median", "Click rate"), ("sum", "Clicks")]
)
def test_what_is_no_mean_of_a_quotient_stays(
    fn: AggregateName, of: str, ads: FixedCatalog, warehouse: Warehouse
) -> None:
    assert compute(by_device(fn, of), ads, warehouse).plan == by_device(fn, of)


def test_a_listing_keeps_the_rates_of_its_rows(ads: FixedCatalog, warehouse: Warehouse) -> None:
    listing = Query(source="ads", columns=(Output(label="Click rate", expr=column("Click rate")),))
    assert compute(listing, ads, warehouse).plan == listing


def test_the_question_by_groups_is_answered_so(ads: FixedCatalog, warehouse: Warehouse) -> None:
    made = answer(Question("average click rate by device", today=TODAY), catalog=ads, warehouse=warehouse, onward=False)
    assert made.result is not None
    assert float(str(dict(row[:2] for row in made.result.rows)["Tablet"])) == pytest.approx(rate_of("Tablet"))


def test_what_goes_on_from_a_sum_adds_no_rates_up(ads: FixedCatalog, warehouse: Warehouse) -> None:
    made = answer(Question("total clicks by device", today=TODAY), catalog=ads, warehouse=warehouse, onward=False)
    asked = Question("click rate?", today=TODAY, turns=(Turn("total clicks by device", made.plan, made.text),))
    rates = answer(asked, catalog=ads, warehouse=warehouse, onward=False)
    assert rates.result is not None
    assert [column.name for column in rates.result.columns][:2] == ["Device", "Average click rate"]
    assert float(str(dict(row[:2] for row in rates.result.rows)["Phone"])) == pytest.approx(rate_of("Phone"))


def test_a_quotient_that_was_added_up_is_called_a_mean(ads: FixedCatalog, warehouse: Warehouse) -> None:
    added = by_device("sum", "CLQ")
    added = added.model_copy(update={"measures": (added.measures[0].model_copy(update={"label": "Total CLQ"}),)})
    made = averaged(added, "clicks of each view by device", ads, warehouse)
    assert isinstance(made, Query)
    assert made.measures[0].label == "Average CLQ"
    assert averaged(added, "total CLQ by device", ads, warehouse) == added
    assert averaged(by_device("sum", "Clicks"), "clicks", ads, warehouse) == by_device("sum", "Clicks")
