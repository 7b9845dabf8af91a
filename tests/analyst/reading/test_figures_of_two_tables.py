"""Figures of two tables that share groups but no key are summed up each by itself and meet over the groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.approaches.sheet import recount
from apps.analyst.computing.compute import compute
from apps.analyst.computing.executor import execute, load
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.plan import Plan
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.plan.validate import validate
from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import Unfit, compose, schema_of
from apps.analyst.reading.sketch import Sketch
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

SALES = """rep_nm,rgn,seg,sold_on,act_amt
Ada,North,Large,2024-01-05,100
Ada,North,Small,2024-01-20,50
Bo,South,Large,2024-02-02,200
Bo,South,Large,2024-02-14,30
Cy,West,Small,2025-01-10,80
Cy,North,Small,2025-02-09,40
"""
PLANS = """region_nm,mth,plan_amt,spend_amt
North,2024-01-01,200,10
North,2024-02-01,100,20
South,2024-01-01,150,30
South,2024-02-01,250,10
West,2024-01-01,60,20
North,2025-01-01,40,5
West,2025-01-01,160,8
East,2024-01-01,70,9
"""
LEAGUES = """team_nm,coach
Reds,Di
Blues,Ed
Greens,Flo
"""
ALL, ANY, NONE = ("all",), ("any",), ("nohaving",)
TOTALS = ("sum", ("C", "sales", "act_amt")), ("sum", ("C", "plans", "plan_amt"))
RGN, REGION = ("C", "sales", "rgn"), ("C", "plans", "region_nm")
SOLD, MONTH = ("C", "sales", "sold_on"), ("C", "plans", "mth")


def of_year(year: int, column: Sketch = SOLD) -> Sketch:
    return ("dates", column, date(year, 1, 1), date(year + 1, 1, 1))


def by(key: Sketch, figure: Sketch, pred: Sketch = ANY, having: Sketch = NONE, last: Sketch = ALL) -> Sketch:
    return ("group", ("k1", key), ("m1", figure), pred, having, last)


@dataclass(frozen=True)
class Asked:
    """Sketches over the invented files."""

    catalog: FixedCatalog

    def plan(self, sketch: Sketch) -> Plan:
        tables, known = {t.name: t for t in self.catalog.tables()}, dictionary_of(self.catalog)
        joins = list(self.catalog.joins())
        plan = compose(sketch, schema_of(tables, joins, namer_of(self.catalog), date(2025, 3, 31), known))
        validate(plan, self.catalog)
        return plan

    def rows(self, sketch: Sketch) -> list[tuple[object, ...]]:
        """The result, to which the frames and the recount by hand come as well."""
        plan, frames = self.plan(sketch), load(self.catalog)
        told = compute(plan, self.catalog, LocalWarehouse()).result
        records = {name: frame.astype("object").to_dict("records") for name, frame in frames.items()}
        lines = {name: [{str(k): v for k, v in row.items()} for row in rows] for name, rows in records.items()}
        ways = [told, execute(plan, self.catalog, frames), recount(plan, self.catalog, lines)[0]]
        first, *others = (sorted(map(plain, way.rows), key=str) for way in ways)
        assert others == [first, first]
        return first


def plain(row: tuple[object, ...]) -> tuple[object, ...]:
    told = (str(v) if isinstance(v, date) else v for v in row)
    return tuple(v if v is None or isinstance(v, str) else round(float(str(v)), 6) for v in told)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder: Path = tmp_path_factory.mktemp("two")
    files = {"sales": SALES, "plans": PLANS, "leagues": LEAGUES}
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
    return Asked(catalog_from_files([folder / f"{name}.csv" for name in files], folder / "tables"))


Refused = Callable[[Sketch], None]


@pytest.fixture(scope="module")
def refused(asked: Asked) -> Refused:
    def check(sketch: Sketch) -> None:
        with pytest.raises(Unfit):
            asked.plan(sketch)

    return check


def test_a_percentage_by_group_has_each_total_once(asked: Asked) -> None:
    found = asked.rows(by(RGN, ("pct", *TOTALS), of_year(2024)))
    assert found == [("East", None), ("North", 50), ("South", 57.5), ("West", None)]


def test_groups_of_the_wider_table_are_kept_whichever_was_named(asked: Asked) -> None:
    by_sales, by_plan = (asked.rows(by(key, ("ratio", *TOTALS))) for key in (RGN, REGION))
    assert by_sales == by_plan == [
        ("East", None), ("North", round(190 / 340, 6)), ("South", 0.575), ("West", round(80 / 220, 6))
    ]  # fmt: skip


def test_figures_as_a_whole_need_no_shared_group(asked: Asked) -> None:
    assert asked.rows(("agg", ("m1", ("minus", *TOTALS)), ANY)) == [(500 - 1030,)]
    assert asked.rows(("agg", ("m2", *TOTALS), of_year(2025))) == [(120, 200)]
    per_team = ("ratio", TOTALS[0], ("count", ("T", "leagues")))
    assert asked.rows(("agg", ("m1", per_team), ANY)) == [(round(500 / 3, 6),)]


def test_months_are_those_of_each_tables_own_date(asked: Asked) -> None:
    found = asked.rows(by(("month", SOLD), ("minus", *TOTALS), of_year(2024)))
    assert found == [("2024-01-01", 150 - 480), ("2024-02-01", 230 - 350)]


def test_two_keys_meet_together(asked: Asked) -> None:
    found = asked.rows(("group", ("k2", RGN, ("month", SOLD)), ("m1", ("pct", *TOTALS)), of_year(2024), NONE, ALL))
    assert found == [("North", "2024-01-01", 75), ("South", "2024-02-01", 92)]


def test_a_period_said_of_either_table_holds_for_both(asked: Asked) -> None:
    by_sales, by_plan = (asked.rows(by(RGN, ("pct", *TOTALS), of_year(2025, of))) for of in (SOLD, MONTH))
    assert by_sales == by_plan == [("North", 100), ("West", 50)]


def test_a_condition_on_what_both_tables_have_holds_for_both(asked: Asked) -> None:
    north = ("and", ("is", ("W", "sales", "rgn", "North")), of_year(2024))
    assert asked.rows(("agg", ("m2", *TOTALS), north)) == [(150, 300)]
    assert asked.rows(by(RGN, ("pct", *TOTALS), north)) == [("North", 50)]


def test_a_condition_that_the_other_table_cannot_keep_is_no_reading(refused: Refused) -> None:
    large = ("is", ("W", "sales", "seg", "Large"))
    refused(("agg", ("m1", ("pct", *TOTALS)), large))
    refused(by(RGN, ("pct", *TOTALS), ("and", of_year(2024), large)))


def test_a_condition_of_one_figure_alone_is_its_own(asked: Asked) -> None:
    large = ("given", TOTALS[0], ("is", ("W", "sales", "seg", "Large")))
    found = asked.rows(by(RGN, ("pct", large, TOTALS[1]), of_year(2024)))
    assert found == [("East", None), ("North", round(10000 / 300, 6)), ("South", 57.5), ("West", None)]


def test_what_stands_in_months_is_not_cut_by_days_or_weeks(refused: Refused) -> None:
    refused(by(("week", SOLD), ("pct", *TOTALS)))
    refused(("agg", ("m1", ("pct", *TOTALS)), ("dates", SOLD, date(2024, 1, 1), date(2024, 1, 15))))


def test_periods_of_the_two_figures_are_the_same_or_have_no_days_in_common(asked: Asked, refused: Refused) -> None:
    sold, planned = (("given", figure, of_year(2024, of)) for figure, of in zip(TOTALS, (SOLD, MONTH), strict=True))
    january = ("given", TOTALS[1], ("dates", MONTH, date(2024, 1, 1), date(2024, 2, 1)))
    assert asked.rows(("agg", ("m1", ("minus", sold, planned)), ANY)) == [(380 - 830,)]
    later = ("given", TOTALS[1], of_year(2025, MONTH))
    assert asked.rows(("agg", ("m1", ("ratio", sold, later)), ANY)) == [(1.9,)]
    refused(("agg", ("m1", ("minus", sold, january)), ANY))
    refused(("agg", ("m1", ("minus", sold, TOTALS[1])), ANY))
    per_team = ("ratio", sold, ("count", ("T", "leagues")))
    assert asked.rows(("agg", ("m1", per_team), ANY)) == [(round(380 / 3, 6),)]


def test_groups_that_the_other_table_does_not_have_are_no_reading(refused: Refused) -> None:
    refused(by(("C", "sales", "rep_nm"), ("pct", *TOTALS)))
    refused(("agg", ("m1", ("ratio", TOTALS[0], ("count", ("T", "leagues")))), of_year(2024)))


def test_groups_are_ranked_and_chosen_by_figures_of_both(asked: Asked) -> None:
    first = ("first", ("desc",), ("by1",), ("one",))
    assert asked.rows(by(RGN, ("pct", *TOTALS), of_year(2025), NONE, first)) == [("North", 100)]
    beaten = ("group", ("k1", RGN), ("m0",), of_year(2025), ("hmge", *TOTALS), ALL)
    assert asked.rows(beaten) == [("North",)]
    months = ("over_count", ("k1", ("month", SOLD)), ANY, ("hmlt", *TOTALS))
    assert asked.rows(months) == [(3,)]


def test_the_sentence_says_of_which_table_each_figure_is(asked: Asked) -> None:
    said = plan_sentence(asked.plan(by(RGN, ("pct", *TOTALS), of_year(2024))))
    assert said.casefold().startswith("total actual amount of sales as % of total plan amount by region nm in plans")
    whole = plan_sentence(asked.plan(("agg", ("m1", ("minus", *TOTALS)), ANY)))
    assert "the total plan amt of all plans" in whole
