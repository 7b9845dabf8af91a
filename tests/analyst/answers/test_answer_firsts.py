"""The first of every group ("the most expensive item at each site"): computed alike, worded, told with its group."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest

from apps.analyst.approaches.recounting import recount_here
from apps.analyst.computing.compute import compute
from apps.analyst.computing.executor import execute, load
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Compare, Missing, Order, Output, Period, Query
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.plan.validate import validate
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Scalar
from tests.analyst.answers.conftest import Planned
from tests.analyst.plans.short import col, join, number, out, total

ITEMS = """item_id,item,site_id,price,listed
1,Lamp,10,$20,2024-01-05
2,Desk,10,$90,2024-02-05
3,Chair,10,$90,2024-03-05
4,Rug,20,$45,2024-01-15
5,Vase,20,,2024-05-05
6,Sofa,30,$300,2024-04-05
7,Bowl,,$7,2024-01-01
8,Mat,40,,2024-01-02
"""
SITES = """site_id,site_name,region
10,Mill Lane,North
20,Quay,South
30,Old Town,North
40,Harbor,South
"""
ITEM, PRICE = out("Item", col("item", "items")), out("Price", col("price", "items"))
SITE = out("Site", col("site_name", "sites"))
HIGHEST = Order(by="Price", descending=True)
PRICED = Missing(of=col("price", "items"), negated=True)
Told = Callable[..., Answer]


def dearest(*columns: Output, **changes: object) -> Query:
    made = {
        "source": "items",
        "joins": (join("sites", "site_id", "items"),),
        "columns": columns or (SITE, ITEM, PRICE),
        "order": (HIGHEST,),
        "limit": 1,
        "limit_per": ("Site",),
        **changes,
    }
    return Query(**made)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("shops")
    (folder / "items.csv").write_text(ITEMS, encoding="utf-8")
    (folder / "sites.csv").write_text(SITES, encoding="utf-8")
    return catalog_from_files([folder / "items.csv", folder / "sites.csv"], folder / "tables")


@pytest.fixture
def told(shops: FixedCatalog, warehouse: LocalWarehouse) -> Told:
    def tell(plan: Query) -> Answer:
        validate(plan, shops)
        question = Question("?", today=date(2025, 1, 10))
        return answer(question, catalog=shops, warehouse=warehouse, planner=Planned(plan), onward=False)

    return tell


BEST = [("Old Town", "Sofa", Decimal(300)), ("Mill Lane", "Chair", Decimal(90)), ("Quay", "Rug", Decimal(45))]
HARBOR: tuple[Scalar, ...] = ("Harbor", "Mat", None)


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (dearest(), [*BEST, HARBOR]),
        (dearest(distinct=True), [*BEST, HARBOR]),
        (dearest(where=PRICED), BEST),
        (dearest(where=PRICED, ties=True), [*BEST[:2], ("Mill Lane", "Desk", Decimal(90)), BEST[2]]),
        (dearest(where=PRICED, offset=1), [("Mill Lane", "Desk", Decimal(90))]),
        (dearest(where=PRICED, order=(Order(by="Site"), HIGHEST)), [BEST[1], BEST[0], BEST[2]]),
        (
            dearest(SITE, ITEM, where=PRICED, order=(Order(by=col("price", "items"), descending=True),)),
            [row[:2] for row in BEST],
        ),
    ],
    ids=["plain", "distinct", "priced", "ties", "second", "by group", "unseen figure"],
)
def test_the_first_row_of_every_group_is_the_same_by_sql_over_frames_and_by_hand(
    plan: Query, expected: list[tuple[Scalar, ...]], shops: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    validate(plan, shops)
    assert list(compute(plan, shops, warehouse).result.rows) == expected
    assert list(execute(plan, shops, load(shops)).rows) == expected
    assert list(recount_here("sheet", plan, shops).result.rows) == expected


def test_the_first_of_each_group_is_named_with_its_group_and_figure(told: Told) -> None:
    assert told(dearest(where=PRICED)).text == (
        "For each site, the item with the highest price: **Sofa** for Old Town ($300), **Chair** for Mill Lane ($90) "
        "and **Rug** for Quay ($45)."
    )


def test_a_group_whose_rows_have_no_figure_says_so(told: Told) -> None:
    assert told(dearest()).text.endswith("**Rug** for Quay ($45) and **Mat** for Harbor (no price).")


def test_of_many_groups_some_are_named_and_the_others_counted(told: Told) -> None:
    month = out("Month", Period(grain="month", of=col("listed", "items")))
    said = told(dearest(month, ITEM, PRICE, joins=(), limit_per=("Month",))).text
    assert said == (
        "For each month, the item with the highest price: **Sofa** for Apr 2024 ($300), **Desk** for Feb 2024 ($90), "
        "**Chair** for Mar 2024 ($90) and 2 more."
    )


def test_several_first_rows_of_each_group_are_counted(told: Told) -> None:
    said = told(dearest(where=PRICED, limit=2)).text
    assert said == "For each site, the 2 items with the highest price: **4** in all."


def test_groups_that_are_numbers_say_what_they_number(told: Told) -> None:
    by_number = dearest(out("Site", col("site_id", "items")), ITEM, PRICE, joins=(), where=PRICED)
    assert "**Sofa** for site 30 ($300)" in told(by_number).text
    assert "for no site" in told(by_number).text


def test_a_single_group_is_told_by_what_comes_first_in_it(told: Told) -> None:
    said = told(dearest(where=Compare(op=">", left=col("price", "items"), right=number(100))))
    assert said.text == (
        "For Old Town, the item with the highest price with price over $100 is **Sofa** ($300). Based on 1 item."
    )
    assert said.headline is not None
    assert (said.headline.text, said.headline.label) == ("$300", "Sofa: price with price over $100")


def test_the_first_groups_of_groups_are_named_alike(told: Told) -> None:
    region = out("Region", col("region", "sites"))
    plan = Query(
        source="items", joins=(join("sites", "site_id", "items"),), groups=(region, SITE),
        measures=(out("Total", total("price", "items")),), order=(Order(by="Total", descending=True),), limit=1,
        limit_per=("Region",),
    )  # fmt: skip
    assert told(plan).text.startswith(
        "For each region, the site with the highest total price: **Old Town** for North ($300) and **Quay** for South "
        "($45)."
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "only the one with the highest price of each site"),
        ({"limit": 3}, "the 3 with the highest price of each site"),
        ({"ties": True}, "only the one with the highest price of each site, ties included"),
        ({"offset": 1}, "sorted by price, highest first, only row 2 of each site"),
        ({"offset": 2, "limit": 3}, "sorted by price, highest first, rows 3 to 5 of each site"),
        (
            {"order": (Order(by="Site"), HIGHEST)},
            "sorted by site, then by price, highest first, only the first of each site",
        ),
        ({"limit_per": ()}, "only the one with the highest price"),
        ({"limit_per": (), "limit": None, "offset": 4}, "sorted by price, highest first, from row 5"),
    ],
)
def test_a_sentence_says_which_rows_of_which_order_are_taken(changes: dict[str, object], words: str) -> None:
    assert plan_sentence(dearest(**changes)) == f"Site, item and price in items with sites, {words}."


def by_item(*, where: str = "", limit: int = 1) -> Query:
    """The items with the highest total price, where two cost the same."""
    return Query(
        source="items", groups=(ITEM,), measures=(out("Total", total("price", "items")),),
        order=(Order(by="Total", descending=True),), limit=limit,
        where=Compare(op="<", left=col("price", "items"), right=number(100)) if where else None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (by_item(where="under 100"), "**$90**. **Desk** comes to the same."),
        (by_item(limit=2), "**Desk** comes to the same as the last of these."),
    ],
)
def test_who_comes_to_the_same_is_not_left_out_silently(plan: Query, words: str, told: Told) -> None:
    assert words in told(plan).text


@pytest.mark.parametrize("plan", [by_item(), by_item(limit=3)])
def test_nobody_is_named_where_the_next_one_has_less(plan: Query, told: Told) -> None:
    assert "to the same" not in told(plan).text


def test_groups_that_are_cut_in_an_order_of_their_own_come_to_nothing_alike(told: Told) -> None:
    by_site = Query(
        source="items", joins=(join("sites", "site_id", "items"),), groups=(SITE, ITEM),
        measures=(out("Total", total("price", "items")),), order=(Order(by=SITE.label, descending=True),), limit=1,
    )  # fmt: skip
    assert "to the same" not in told(by_site).text
