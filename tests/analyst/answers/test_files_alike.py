"""What files alike give together, and what is told where the reading's own file gives nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.conversation.readas.elsewhere import together
from apps.analyst.conversation.which_file import file_settled
from apps.analyst.language import Reading
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Output, Query
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Question
from tests.analyst.answers.orchards import HARVEST, PICKING, TODAY, Desk


def crates_of(orchard: str, table: str) -> Query:
    where = Compare(op="=", left=ColumnRef(table=table, column="Orchard"), right=Constant(value=orchard, type="text"))
    figure = Aggregate(fn="sum", of=ColumnRef(table=table, column="Crates"))
    return Query(source=table, where=where, measures=(Output(label="Total crates", expr=figure),))


@pytest.mark.parametrize(
    ("orchard", "text", "file"),
    [("Seaside", "Crates of Seaside", "picking"), ("Nowhere", "Crates of Nowhere in picking", "picking")],
)
def test_a_reading_over_a_file_that_gives_nothing_goes_over_to_the_one_that_is_meant(
    orchard: str, text: str, file: str, tmp_path: Path
) -> None:
    desk = Desk(tmp_path / "copy", {"harvest": HARVEST, "picking": PICKING, "picking copy": PICKING})
    plan = crates_of(orchard, "harvest")
    reading = Weighed(Reading(plan=plan, score=0.9), compute(plan, desk.catalog, desk.warehouse))
    settled, back = file_settled(Question(text, today=TODAY), [reading], desk.catalog, desk.warehouse)
    assert back is None
    assert tables_of(settled[0].reading.plan) == {file}
    assert tables_of(settled[0].computed.plan) == {file}


def test_a_file_that_has_nothing_of_what_is_asked_takes_nothing_from_the_others(tmp_path: Path) -> None:
    desk = Desk(tmp_path, {"harvest": HARVEST, "picking": PICKING})
    whole = together({name: crates_of("Seaside", name) for name in ("harvest", "picking")})
    assert whole is not None
    assert compute(whole, desk.catalog, desk.warehouse).result.rows == ((77, None, 77),)


def lent(first: int, names: str, wrong: int = 0) -> str:
    rows = [f"{n},{names[n % 4]} {n % 11},2025-0{n % 9 + 1}-1{n % 7},{first + n % 23 + (n < wrong)}" for n in range(60)]
    return "\n".join(["loan_no,borrower,lent_on,fine", *rows])


@pytest.mark.parametrize("numbers", ["the same loans", "other loans under the same numbers"])
def test_only_files_that_hold_other_things_are_added_up(numbers: str, tmp_path: Path) -> None:
    twice = numbers == "the same loans"
    other = lent(5, "ABCD", wrong=9) if twice else lent(40, "WXYZ").replace("2025-", "2024-")
    desk = Desk(tmp_path / "lent", {"loans east": lent(5, "ABCD"), "loans west": other})
    assert desk.catalog.joins(), "the numbers are found to be the same"
    offered = {choice.label for choice in desk.ask("What is the total of fines?").choices}
    assert offered == {"loans east", "loans west", *(() if twice else ("All together",))}
    named = desk.ask("Total fine in loans east and loans west")
    assert named.status == ("clarify" if twice else "answered")
