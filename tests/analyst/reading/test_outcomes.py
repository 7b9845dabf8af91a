"""Won, lost and open deals are all of them, over every pipeline, unless the question names one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from apps.analyst.plan import Aggregate, AllOf, Among, ColumnRef, Compare, Constant, Output, Predicate, Query
from apps.analyst.reading.outcomes import with_whole_outcomes
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

WON, LOST = (
    [f"Closed Won ({of})" for of in ("Sales", "Renewals")],
    [f"Closed Lost ({of})" for of in ("Sales", "Renewals")],
)
OPEN = ["Qualified (Sales)", "Renewal Due (Renewals)"]
STAGE = ColumnRef(table="deals", column="Deal Stage")
FLAG = ColumnRef(table="deals", column="Is Closed Won")


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    chance = random.Random(2)
    lines = ["Deal Name,Amount,Close Date,Deal Owner,Deal Stage,Is Closed Won"]
    for number in range(120):
        stage = chance.choice((*WON, *LOST, *OPEN))
        day = f"2025-{1 + number % 12:02d}-{1 + number % 27:02d}"
        flag = str(stage in WON).lower()
        lines.append(f"Deal {number},{chance.randrange(100, 9000)},{day},Ann {number % 4},{stage},{flag}")
    folder = tmp_path_factory.mktemp("deals")
    (folder / "deals.csv").write_text("\n".join(lines))
    return catalog_from_files([folder / "deals.csv"], folder)


def counted(test: Predicate | None) -> Query:
    return Query(source="deals", where=test, measures=(Output(label="Deals", expr=Aggregate(fn="count")),))


def stages(*values: str, negated: bool = False) -> Among:
    return Among(of=STAGE, values=tuple(Constant(value=value) for value in values), negated=negated)


def is_(value: str) -> Compare:
    return Compare(op="=", left=STAGE, right=Constant(value=value))


def marked(won: bool) -> Compare:
    return Compare(op="=", left=FLAG, right=Constant(value=won, type="boolean"))


def read(test: Predicate, text: str, catalog: FixedCatalog) -> Predicate | None:
    made = with_whole_outcomes(counted(test), text.split(), catalog)
    assert isinstance(made, Query)
    return made.where


def whole(test: Predicate | None) -> tuple[set[str], bool]:
    """The stages of a condition, and whether it leaves these out."""
    assert isinstance(test, Among)
    return {str(value.value) for value in test.values}, test.negated


def test_one_stage_of_an_outcome_is_all_of_them(deals: FixedCatalog) -> None:
    assert whole(read(is_(LOST[1]), "why do we lose deals", deals)) == ({*LOST}, False)
    assert whole(read(stages(WON[0], LOST[1]), "win rate by owner", deals)) == ({*WON, *LOST}, False)
    assert whole(read(stages(WON[0], LOST[0], negated=True), "overdue deals", deals)) == ({*WON, *LOST}, True)


def test_stages_beside_an_outcome_that_nothing_names_are_left_out(deals: FixedCatalog) -> None:
    unnamed = stages(LOST[0], OPEN[0], negated=True)
    assert whole(read(unnamed, "open deals", deals)) == ({*WON, *LOST}, True)
    assert whole(read(unnamed, "deals that are not lost", deals)) == ({*LOST}, True)
    assert whole(read(stages(*WON, *LOST, OPEN[1]), "win rate by owner", deals)) == ({*WON, *LOST}, False)
    assert read(unnamed, "open deals that are not qualified", deals) == unnamed


@pytest.mark.parametrize(
    ("test", "text"),
    [
        (is_(WON[1]), "won renewals this year"),
        (is_(LOST[0]), "lost deals in sales"),
        (stages(*WON), "won deals"),
        (is_(OPEN[0]), "qualified deals"),
        (stages(OPEN[0], WON[0]), "deals in sales stages"),
    ],
)
def test_what_is_named_whole_or_no_outcome_stays(test: Predicate, text: str, deals: FixedCatalog) -> None:
    assert read(test, text, deals) == test


def test_what_is_not_won_is_open_or_lost_as_the_question_says(deals: FixedCatalog) -> None:
    assert whole(read(marked(False), "open deals of ann", deals)) == ({*WON, *LOST}, True)
    assert whole(read(marked(False), "lost deals of ann", deals)) == ({*LOST}, False)
    assert read(marked(False), "deals of ann that are not marked", deals) == marked(False)
    assert read(marked(True), "open deals", deals) == marked(True)


def test_the_same_is_asked_for_once(deals: FixedCatalog) -> None:
    both = AllOf(of=(marked(False), stages(WON[0], LOST[0], negated=True)))
    assert whole(read(both, "open deals", deals)) == ({*WON, *LOST}, True)


def test_what_was_given_up_is_not_open_and_contracts_end_in_words_of_their_own(tmp_path: Path) -> None:
    ends = ["Renewed", "Not renewed", "Order placed", "Declined", "Disqualified", "Talking", "Quoted"]
    rows = [f"{number},{ends[number % 7]},{number}" for number in range(70)]
    (tmp_path / "deals.csv").write_text("\n".join(["Deal ID,Deal Stage,Amount", *rows]))
    catalog = catalog_from_files([tmp_path / "deals.csv"], tmp_path / "stored")
    assert whole(read(stages("Renewed", "Declined", negated=True), "open deals", catalog)) == ({*ends[:5]}, True)
    assert whole(read(is_("Order placed"), "what did we win", catalog)) == ({"Renewed", "Order placed"}, False)
    assert whole(read(is_("Declined"), "deals we lost", catalog)) == ({"Not renewed", "Declined"}, False)


def test_other_tables_stay(tmp_path: Path) -> None:
    rows = [f"{number},{'Closed' if number % 3 else 'Open'},{number}" for number in range(60)]
    (tmp_path / "cases.csv").write_text("\n".join(["Case,State,Minutes", *rows]))
    cases = catalog_from_files([tmp_path / "cases.csv"], tmp_path / "stored")
    state = Compare(op="=", left=ColumnRef(table="cases", column="State"), right=Constant(value="Open"))
    plan = Query(source="cases", where=state, measures=(Output(label="Cases", expr=Aggregate(fn="count")),))
    assert with_whole_outcomes(plan, ["open", "cases"], cases) is plan


def test_of_two_columns_of_ends_that_with_more_stages_is_meant(tmp_path: Path) -> None:
    ends = [*WON, *LOST, *OPEN]
    rows = [f"D{n},{ends[n % 6]},{('Won', 'Lost', 'Open')[n % 6 // 2]}" for n in range(60)]
    (tmp_path / "deals.csv").write_text("\n".join(["Deal Name,Deal Stage,Deal Status", *rows]))
    catalog = catalog_from_files([tmp_path / "deals.csv"], tmp_path / "tables")
    assert whole(read(is_(LOST[1]), "why do we lose deals", catalog)) == ({*LOST}, False)
