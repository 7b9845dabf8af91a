"""Figures that knowledge has a formula for: states that are counted, amounts per month and per year, and what of it is
missing where they cannot be made."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.knowledge.formulas import Figure, Made, Part, tree_of
from apps.analyst.pipeline import answer
from apps.analyst.plan import Clarify
from apps.analyst.reading.keywords.known_figures import what_lacks, with_known_figures
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Result

TODAY = date(2025, 7, 1)
EVERY = {"month": 1, "quarter": 3, "year": 12}


def boxes() -> list[tuple[str, str, float, str]]:
    """Boxes of vegetables that people have brought: the plan, how often it is paid for, how much, and how it stands."""
    plans = (("Small", "month", 20.0), ("Large", "month", 35.0), ("Orchard", "quarter", 90.0), ("Farm", "year", 480.0))
    status = ("active", "active", "paused", "cancelled", "active")
    return [(*plans[n % 4], status[n % 5]) for n in range(80)]


def catalog(folder: Path, **tables: list[str]) -> FixedCatalog:
    for name, lines in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(lines))
    return catalog_from_files(sorted(folder.glob("*.csv")), folder / "stored")


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    rows = [
        f"{n},Home {n % 30},{plan},{interval},{amount},{status},2025-0{1 + n % 6}-11"
        for n, (plan, interval, amount, status) in enumerate(boxes())
    ]
    head = "Subscription No,Subscriber,Plan,Billing Interval,Amount,Status,Started On"
    return catalog(tmp_path_factory.mktemp("farm"), subscriptions=[head, *rows])


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    stages, sources = ("Closed Won", "Closed Lost", "Closed Lost", "Talks"), ("Fair", "Web", "Friend")
    rows = [f"Boat {n},{sources[n % 3]},{stages[n % 4]},{900 + n},2025-0{1 + n % 6}-14" for n in range(96)]
    return catalog(tmp_path_factory.mktemp("yard"), deals=["Deal Name,Lead Source,Stage,Amount,Close Date", *rows])


def ask(text: str, over: FixedCatalog, warehouse: LocalWarehouse) -> Answer:
    return answer(Question(text, TODAY), catalog=over, warehouse=warehouse)


def put(said: Answer, over: FixedCatalog, warehouse: LocalWarehouse) -> Result:
    """What the one reading comes to that is put with its figure, not told: nobody said what the figure is made of."""
    assert said.status == "clarify", said.text
    assert isinstance(said.plan, Clarify)
    (choice,), (option,) = said.choices, said.plan.options
    assert choice.figure
    return compute(option.plan, over, warehouse).result


def monthly(plan: str = "") -> float:
    return sum(
        amount / EVERY[interval]
        for name, interval, amount, status in boxes()
        if status == "active" and plan in ("", name)
    )


@pytest.mark.parametrize("text", ["What is our MRR?", "whats our mrr"])
def test_what_comes_in_a_month_brings_each_interval_to_a_month(
    text: str, farm: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    result = put(ask(text, farm, warehouse), farm, warehouse)
    assert float(str(result.rows[0][0])) == pytest.approx(monthly())


def test_it_is_told_apart_as_any_figure_is(farm: FixedCatalog, warehouse: LocalWarehouse) -> None:
    result = put(ask("mrr by plan", farm, warehouse), farm, warehouse)
    assert {row[0]: pytest.approx(float(str(row[1]))) for row in result.rows} == {
        plan: monthly(plan) for plan in ("Small", "Large", "Orchard", "Farm")
    }


def test_a_formula_goes_on_from_another(farm: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = ask("arr", farm, warehouse)
    assert said.result is not None, said.text
    assert float(str(said.result.rows[0][0])) == pytest.approx(12 * monthly())
    assert said.read_as is not None
    told = "ARR is total amount per month of billing interval where status is active × 12"
    assert told in [chip.label.replace("(", "").replace(")", "") for chip in said.read_as.chips]


@pytest.mark.parametrize(
    ("text", "share"),
    [("What is our loss rate?", 200 / 3), ("loss rate of deals with lead source Web", 200 / 3)],
)
def test_states_are_counted_as_the_stages_say_them(
    text: str, share: float, yard: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    result = put(ask(text, yard, warehouse), yard, warehouse)
    assert float(str(result.rows[0][0])) == pytest.approx(share)
    assert result.columns[0].unit == "%"


def test_a_period_that_nobody_knows_makes_no_monthly_figure(tmp_path: Path) -> None:
    rows = [f"{n},Plan {n % 3},{('month', 'moon')[n % 2]},{20 + n},active" for n in range(30)]
    over = catalog(tmp_path, subscriptions=["Subscription No,Plan,Billing Interval,Amount,Status", *rows])
    assert with_known_figures(Question("mrr by plan", TODAY), over).known == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "What is our MRR?",
            "MRR is plan price per month (active); I find no table with plan price per month (active)",
        ),
        ("arr by lead source", "ARR is monthly recurring revenue × 12"),
    ],
)
def test_what_cannot_be_made_is_refused_with_what_is_missing(
    text: str, why: str, yard: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = ask(text, yard, warehouse)
    assert (said.status, said.choices) == ("declined", ())
    assert why in said.text
    assert said.read_as is not None
    assert [text[slice(*span)] for span in said.read_as.unread] == [said.text.split("“")[1].split("”")[0]]


def test_a_difference_of_what_is_named_lacks_nothing(yard: FixedCatalog) -> None:
    assert what_lacks(Question("What is the difference in price between the plans?", today=TODAY), yard) is None
    assert what_lacks(Question("What is our MRR?", today=TODAY), yard) is not None


@pytest.mark.parametrize(
    ("formula", "tree"),
    [
        ("count(order [late])", Figure("count", (Part("order", "late"),))),
        ("sum(fee / months(term) [paid])", Figure("sum", (Part("fee", "paid", "term"),))),
        (
            "(sales - cost) / sales",
            Made(
                "/",
                Made("-", Figure("", (Part("sales"),)), Figure("", (Part("cost"),))),
                Figure("", (Part("sales"),)),
            ),
        ),
        ("count(a [x], b [y]) * 12", Made("*", Figure("count", (Part("a", "x"), Part("b", "y"))), 12.0)),
        ("sales / sales(previous year) - 1", None),
        ("sum(fee", None),
    ],
)
def test_a_formula_is_a_tree(formula: str, tree: object) -> None:
    assert tree_of(formula) == tree
