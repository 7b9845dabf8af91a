"""Orders whose rows are lines: the order is counted, not its lines, and its amounts are not split over them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.errors import PlanRejected
from apps.analyst.pipeline import answer
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    AllOf,
    Arithmetic,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Expr,
    Join,
    JoinKey,
    Missing,
    Order,
    Output,
    Predicate,
    Query,
)
from apps.analyst.plan.validate import holds, validate
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.reading.mending import with_wholes
from apps.analyst.reading.reader import read
from apps.analyst.reading.sketch import NOTHING
from apps.analyst.reading.wholes import as_rows, of_lines, with_wholes_counted
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.followups import offers_for
from apps.analyst.types import Answer, Question

TODAY = date(2025, 12, 31)
TABLE, GOODS = "orders_export", "articles"
LANDS = ("US", "CA", "GB")
ORDERS = 60


def order_rows() -> list[list[str]]:
    """Orders of one to three lines each; what is said of an order stands on its first line."""
    rows = []
    for n in range(ORDERS):
        code = "SPRING" if n % 4 == 0 else ""
        state = "paid" if n % 5 else "pending"
        pieces = [(f"SKU-{(n + line) % 9}", line + 1, 10 + 5 * ((n + line) % 9)) for line in range(n % 3 + 1)]
        total = sum(count * price for _, count, price in pieces) + 6
        head = [state, f"2025-{n % 12 + 1:02d}-{n % 27 + 1:02d}", f"{total}.00", "6.00", code, LANDS[n % 3]]
        for line, (sku, count, price) in enumerate(pieces):
            told = head if line == 0 else [""] * len(head)
            rows.append([f"#{1000 + n}", *told, sku, str(count), f"{price}.00", ("Alba", "Brio")[(n + line) % 2]])
    return rows


HEADER = (
    "Name,Status,Created at,Total,Shipping,Discount Code,Country,Lineitem sku,Lineitem quantity,Lineitem price,Vendor"
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """The orders, and the articles that their lines are of."""
    folder: Path = tmp_path_factory.mktemp("shop")
    (folder / f"{TABLE}.csv").write_text("\n".join([HEADER, *(",".join(row) for row in order_rows())]))
    goods = [f"SKU-{n},{('Mugs', 'Caps', 'Bags')[n % 3]}" for n in range(9)]
    (folder / f"{GOODS}.csv").write_text("\n".join(["sku,kind", *goods]))
    return catalog_from_files([folder / f"{TABLE}.csv", folder / f"{GOODS}.csv"], folder / "tables")


def col(name: str, table: str = TABLE) -> ColumnRef:
    return ColumnRef(table=table, column=name)


def added(name: str, where: Predicate | None = None) -> Output:
    return Output(label=f"Total {name}", expr=Aggregate(fn="sum", of=col(name), where=where))


def by(name: str, table: str = TABLE) -> tuple[Output, ...]:
    return (Output(label=name, expr=col(name, table)),)


def is_(name: str, value: str) -> Compare:
    return Compare(op="=", left=col(name), right=Constant(value=value))


COUNT = Output(label="Number", expr=Aggregate(fn="count"))
TO_GOODS = Join(table=GOODS, on=(JoinKey(left=col("Lineitem sku"), right=col("sku", GOODS)),))
OVER = Compare(op=">", left=col("Total"), right=Constant(value=100, type="number"))


def ask(shop: FixedCatalog, text: str) -> Answer:
    return answer(Question(text, TODAY), catalog=shop, warehouse=LocalWarehouse())


def figures(made: Answer) -> list[object]:
    assert made.result is not None, made.text
    return [float(cell) if isinstance(cell, Decimal) else cell for row in made.result.rows for cell in row]


# ---------------------------------------------------------------- what a row is
def test_a_row_is_called_a_line_of_what_the_table_says(shop: FixedCatalog) -> None:
    meaning = dictionary_of(shop)[TABLE]
    assert (meaning.row, meaning.rows, meaning.whole) == ("order line", "order lines", "order")
    assert meaning.whole_columns == ("Name",)
    assert meaning.column("Name").label == "order number"
    assert meaning.date_column == "Created at"
    assert (dictionary_of(shop)[GOODS].row, dictionary_of(shop)[GOODS].whole) == ("article", "")


# ---------------------------------------------------------------- counting
@pytest.mark.parametrize("rows", [None, ColumnRef(table=TABLE, column=ROW_NUMBER)])
def test_orders_are_counted_where_they_are_named_also_inside_and_under_conditions(
    shop: FixedCatalog, rows: Expr | None
) -> None:
    counted = Aggregate(fn="count", of=rows, distinct=rows is not None, where=is_("Status", "paid"))
    inner = Query(source=TABLE, groups=by("Country"), measures=(Output(label="n", expr=counted),))
    mean = Output(label="Average", expr=Aggregate(fn="avg", of=ColumnRef(table="", column="n")))
    plan = Query(source=inner, measures=(mean,))
    made = with_wholes_counted(plan, ["average", "orders"], shop)
    assert isinstance(made, Query)
    assert isinstance(made.source, Query)
    expected = Aggregate(fn="count", of=col("Name"), distinct=True, where=is_("Status", "paid"))
    assert made.source.measures[0].expr == expected
    assert made.measures == plan.measures


@pytest.mark.parametrize("text", ["how many order lines", "how many items in orders", "how many sales"])
def test_lines_are_counted_where_they_are_named_or_orders_are_not(shop: FixedCatalog, text: str) -> None:
    plan = Query(source=TABLE, measures=(COUNT,))
    assert with_wholes_counted(plan, tokens_of(text), shop) == plan


@pytest.mark.parametrize(("where", "things"), [(is_("Status", "paid"), True), (is_("Vendor", "Alba"), False)])
def test_orders_are_counted_too_where_nothing_of_their_lines_is_read(
    shop: FixedCatalog, where: Predicate, things: bool
) -> None:
    """Whoever counts the refunds of a file of orders counts orders, not the articles in them."""
    plan = Query(source=TABLE, where=where, measures=(COUNT,))
    made = with_wholes_counted(plan, ["how", "many", "deliveries"], shop)
    assert isinstance(made, Query)
    assert made.measures[0].expr == (Aggregate(fn="count", of=col("Name"), distinct=True) if things else COUNT.expr)


def test_a_sketch_of_what_holds_for_orders_counts_them(shop: FixedCatalog) -> None:
    linked = link(Question("how many with a code, by country", TODAY), shop)
    table = next(n for n, found in enumerate(linked.index.tables) if found.name == TABLE)
    names = [(t, column.name) for t, column in linked.index.columns]
    places = {name: names.index((table, name)) for name in ("Name", "Country", "Vendor")}

    def counted(by: str) -> object:
        sketch = ("group", ("k1", ("C", places[by])), ("m1", ("count", ("T", table))), NOTHING)
        return with_wholes(sketch, linked, dictionary_of(shop))[2][1]

    assert counted("Country") == ("countd", ("C", places["Name"]))
    assert counted("Vendor") == ("count", ("T", table))


def test_the_rows_of_other_tables_are_counted_as_they_are(shop: FixedCatalog) -> None:
    plan = Query(source=GOODS, measures=(COUNT,))
    assert with_wholes_counted(plan, ["articles", "of", "orders"], shop) == plan


def test_a_count_of_orders_is_weighed_as_one_of_rows(shop: FixedCatalog) -> None:
    plan = Query(source=TABLE, groups=by("Country"), measures=(COUNT,))
    assert as_rows(with_wholes_counted(plan, ["orders"], shop), shop) == plan
    others = Output(label="n", expr=Aggregate(fn="count", of=col("Vendor"), distinct=True))
    apart = plan.model_copy(update={"measures": (others,)})
    assert as_rows(apart, shop) == apart


def test_the_judge_sees_counts_of_orders_as_those_of_rows(shop: FixedCatalog) -> None:
    made, _ = read(Question("how many orders", TODAY), shop, LocalWarehouse(), [])
    whole = [one for one in made if one.reading.plan != as_rows(one.reading.plan, shop)]
    assert whole
    assert all(one.seen.plan == as_rows(one.reading.plan, shop) for one in whole)


def test_a_sketch_counts_orders_and_their_share(shop: FixedCatalog) -> None:
    linked = link(Question("share of orders with a code", TODAY), shop)
    table = next(n for n, found in enumerate(linked.index.tables) if found.name == TABLE)
    names = [(t, column.name) for t, column in linked.index.columns]
    name, code = names.index((table, "Name")), names.index((table, "Discount Code"))
    given = ("filled", ("C", code))
    made = with_wholes(("agg", ("m1", ("rate", ("T", table), given)), NOTHING), linked, dictionary_of(shop))
    counted = ("countd", ("C", name))
    assert made == ("agg", ("m1", ("pct", ("given", counted, given), counted)), NOTHING)


def test_a_number_of_lines_is_not_called_one_of_orders(shop: FixedCatalog) -> None:
    called = Output(label="Number of orders", expr=Aggregate(fn="count"))
    order = (Order(by="Number of orders", descending=True),)
    plan = Query(source=TABLE, groups=by("Vendor"), measures=(called,), order=order)
    made = with_wholes_counted(plan, ["lines", "by", "vendor"], shop)
    assert isinstance(made, Query)
    assert made.measures == (called.model_copy(update={"label": "Number of order lines"}),)
    assert made.order == (Order(by="Number of order lines", descending=True),)
    assert with_wholes_counted(plan, ["orders", "by", "vendor"], shop).measures[0].label == "Number of orders"


# ---------------------------------------------------------------- splitting
SPLIT = {
    "grouped by what lines tell": Query(source=TABLE, groups=by("Vendor"), measures=(added("Shipping"),)),
    "of some lines": Query(source=TABLE, where=is_("Vendor", "Alba"), measures=(added("Total"),)),
    "of some lines, within": Query(source=TABLE, measures=(added("Total", is_("Vendor", "Alba")),)),
    "by the lines' articles": Query(
        source=TABLE, joins=(TO_GOODS,), groups=by("kind", GOODS), measures=(added("Shipping"),)
    ),
    "lines of large orders": Query(source=TABLE, where=OVER, measures=(added("Lineitem quantity"),)),
    "both in one condition": Query(source=TABLE, where=AllOf(of=(OVER, is_("Vendor", "Alba"))), measures=(COUNT,)),
    "row by row": Query(
        source=TABLE,
        measures=(
            Output(
                label="Net",
                expr=Aggregate(fn="sum", of=Arithmetic(op="-", left=col("Total"), right=col("Lineitem price"))),
            ),
        ),
    ),
    "two sides": Comparison(
        query=Query(source=TABLE, measures=(added("Shipping"),)),
        current=is_("Vendor", "Alba"),
        baseline=is_("Vendor", "Brio"),
        current_label="Alba",
        baseline_label="Brio",
    ),
    "ranked by": Query(
        source=TABLE,
        groups=by("Vendor"),
        order=(Order(by=Aggregate(fn="avg", of=col("Total")), descending=True),),
        limit=1,
    ),
    "a list": Query(source=TABLE, where=is_("Vendor", "Alba"), columns=by("Total")),
}


@pytest.mark.parametrize("plan", SPLIT.values(), ids=SPLIT)
def test_what_is_told_once_for_an_order_is_not_split_by_its_lines(shop: FixedCatalog, plan: Query) -> None:
    with pytest.raises(PlanRejected, match="orders_export tells amounts once for several rows"):
        validate(plan, shop)


@pytest.mark.parametrize(
    "plan",
    [
        Query(source=TABLE, groups=by("Country"), measures=(added("Total"), added("Lineitem quantity"), COUNT)),
        Query(source=TABLE, where=is_("Status", "paid"), measures=(added("Total"),)),
        Query(source=TABLE, where=Missing(of=col("Discount Code")), measures=(added("Lineitem quantity"),)),
        Query(source=TABLE, groups=by("Vendor"), measures=(added("Lineitem quantity"),)),
        Query(source=TABLE, where=OVER, measures=(COUNT,)),
        Query(source=TABLE, joins=(TO_GOODS,), groups=by("kind", GOODS), measures=(added("Lineitem quantity"),)),
        Query(source=TABLE, columns=(*by("Total"), *by("Lineitem sku"))),
    ],
)
def test_what_goes_together_holds(shop: FixedCatalog, plan: Query) -> None:
    assert holds(plan, shop)
    assert of_lines(plan, shop) == plan


def test_an_amount_that_its_lines_make_up_is_worked_out_of_them(shop: FixedCatalog) -> None:
    plan = Query(
        source=TABLE, groups=by("Vendor"), measures=(added("Total"),), order=(Order(by="Total Total"),), limit=1
    )
    made = of_lines(plan, shop)
    assert isinstance(made, Query)
    product = Arithmetic(op="*", left=col("Lineitem price"), right=col("Lineitem quantity"))
    assert made.measures[0].expr == Aggregate(fn="sum", of=product)
    assert (made.order[0].by, made.limit) == (made.measures[0].label, 1)
    assert "Total Total" not in made.measures[0].label
    assert holds(made, shop)


@pytest.mark.parametrize("name", ["grouped by what lines tell", "ranked by", "two sides", "a list"])
def test_other_amounts_have_no_part_for_a_line(shop: FixedCatalog, name: str) -> None:
    assert of_lines(SPLIT[name], shop) is None


# ---------------------------------------------------------------- answers
def test_answers_count_orders_and_read_what_is_told_of_them_for_all_lines(shop: FixedCatalog) -> None:
    rows = order_rows()
    assert figures(ask(shop, "how many orders are there")) == [ORDERS]
    assert figures(ask(shop, "share of orders with a discount code")) == [pytest.approx(25.0)]
    land = {row[0]: row[6] for row in rows if row[6]}
    pieces = {name: sum(int(row[8]) for row in rows if land[row[0]] == name) for name in LANDS}
    told = ask(shop, "total lineitem quantity by country")
    assert told.result is not None
    assert {row[0]: row[1] for row in told.result.rows} == pieces


def test_an_answer_says_orders_and_that_rows_are_their_lines(shop: FixedCatalog) -> None:
    made = ask(shop, "total shipping by country")
    assert "Based on 60 orders." in made.text
    assert made.evidence.notes == (
        "Each row of orders_export is an order line; what is told once for an order holds for all of its lines.",
    )
    assert "There are **60 orders**. Based on 120 order lines." in ask(shop, "how many orders are there").text


def test_what_is_suggested_counts_orders_and_splits_none(shop: FixedCatalog) -> None:
    table = next(found for found in shop.tables() if found.name == TABLE)
    offers = offers_for(table, shop)
    assert "How many orders are there by status?" in {offer.question for offer in offers}
    assert all(holds(offer.plan, shop) for offer in offers)
    assert not any("order lines are there" in offer.question for offer in offers)


def test_sales_by_what_lines_tell_are_those_of_the_lines(shop: FixedCatalog) -> None:
    sold = dict.fromkeys(("Alba", "Brio"), 0.0)
    for row in order_rows():
        sold[row[10]] += int(row[8]) * float(row[9])
    made = ask(shop, "sales by vendor")
    assert made.result is not None, made.text
    assert {row[0]: float(str(row[1])) for row in made.result.rows} == sold
