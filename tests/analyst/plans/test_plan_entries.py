"""Cells that list several entries are read by entry, by SQL, over frames and by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.approaches.recounting import recount_here
from apps.analyst.approaches.sheet import recount
from apps.analyst.computing.compute import compute
from apps.analyst.computing.executor import execute, load
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import (
    Aggregate,
    Among,
    Compare,
    Comparison,
    Join,
    JoinKey,
    Output,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.tables.entries import SEPARATORS
from apps.analyst.types import Scalar
from tests.analyst.plans.short import col, out, rows, text, total

CELLS = ("Oak;Elm", "Elm", "", "Ash; Oak", "Oak;Oak;Elm;", "Ash", "Elm;Ash", "Oak")
CARE = (
    "Prune, yearly;Water",
    "Water",
    "Prune;Water",
    "Prune",
    "Water; Prune, yearly",
    "Prune, yearly",
    "",
    "Prune;Water",
)
TREES = [(place, cell, 10 * place, ("north", "south")[place % 2]) for place, cell in enumerate(CELLS, 1)]


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("plots")
    lines = "".join(f'{number},{cell},{cost},{side},"{CARE[number - 1]}"\n' for number, cell, cost, side in TREES)
    (folder / "plots.csv").write_text("plot,trees,cost,side,care\n" + lines, encoding="utf-8")
    (folder / "sides.csv").write_text("side,warden\nnorth,Tarn\nsouth,Vole\n", encoding="utf-8")
    return catalog_from_files([folder / "plots.csv", folder / "sides.csv"], folder / "tables")


class Told:
    """Computes a plan in three ways that have to agree."""

    def __init__(self, catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
        self.catalog, self.warehouse = catalog, warehouse

    def __call__(self, plan: Plan) -> dict[Scalar, Scalar]:
        """The last column's figures by the first column's values."""
        self.computed = compute(plan, self.catalog, self.warehouse)
        found = [(row[0], row[-1]) for row in self.computed.result.rows]
        by_frames = execute(self.computed.plan, self.catalog, load(self.catalog))
        assert dict(found) == {row[0]: row[-1] for row in by_frames.rows}
        plots = [
            {"plot": n, "trees": cell or None, "cost": cost, "side": side, "care": CARE[n - 1] or None}
            for n, cell, cost, side in TREES
        ]
        sides = [{"side": "north", "warden": "Tarn"}, {"side": "south", "warden": "Vole"}]
        by_hand, kept = recount(self.computed.plan, self.catalog, {"plots": plots, "sides": sides})
        assert kept or dict(found) == {row[0]: row[-1] for row in by_hand.rows}
        return dict(found)


@pytest.fixture
def told(plots: FixedCatalog, warehouse: LocalWarehouse) -> Told:
    return Told(plots, warehouse)


def counted(where: Predicate | None = None) -> Query:
    return Query(source="plots", where=where, measures=(out("n", rows()),))


def trees() -> Output:
    return out("trees", col("trees", "plots"))


def has(value: str, op: str = "=", column: str = "trees") -> Compare:
    return Compare(op=op, left=col(column, "plots"), right=text(value))  # type: ignore[arg-type]


def test_a_condition_finds_an_entry_among_others(told: Told) -> None:
    assert told(counted(has("oak"))) == {4: 4}
    assert told(counted(has("Oa"))) == {0: 0}
    assert told(counted(has("Elm", "!="))) == {3: 3}


@pytest.mark.parametrize(("value", "count"), [("Prune", 3), ("Prune, yearly", 3), ("yearly", 0)])
def test_what_stands_inside_an_entry_separates_none(value: str, count: int, told: Told) -> None:
    assert told(counted(has(value, column="care"))) == {count: count}


def test_two_entries_are_compared_as_the_rows_that_have_them(told: Told) -> None:
    plan = Comparison(
        query=counted(), current=has("Oak"), baseline=has("Elm"), current_label="Oak", baseline_label="Elm"
    )
    told(plan)
    assert told.computed.result.rows[0][:2] == (4, 4)


def test_any_of_several_entries_will_do_or_none_may_be_there(told: Told) -> None:
    among = Among(of=col("trees", "plots"), values=(text("Ash"), text("Oak")))
    assert told(counted(among)) == {6: 6}
    assert told(counted(among.model_copy(update={"negated": True}))) == {1: 1}


def test_a_whole_cell_that_is_named_is_compared_whole(told: Told) -> None:
    assert told(counted(has("Oak;Elm"))) == {1: 1}


def test_groups_are_the_entries_and_a_row_counts_under_each_once(told: Told) -> None:
    plan = Query(source="plots", groups=(trees(),), measures=(out("cost", total("cost", "plots")),))
    assert told(plan) == {"Oak": 180, "Elm": 150, "Ash": 170, None: 30}
    assert told.computed.row_count == len(TREES)
    assert "A row of plots counts once for each entry of trees." in told.computed.notes


def test_of_groups_of_entries_a_condition_keeps_the_entry_and_says_so(told: Told) -> None:
    plan = Query(source="plots", groups=(trees(),), where=has("Elm"), measures=(out("n", rows()),))
    assert told(plan) == {"Elm": 4}
    assert told.computed.row_count == 4
    assert "trees are Elm" in plan_sentence(told.computed.plan)
    assert told(plan.model_copy(update={"where": has("Elm", "!=")})) == {"Oak": 4, "Ash": 3}
    assert told.computed.row_count == 6


def test_entries_are_counted_and_listed_once_each(told: Told) -> None:
    of = Aggregate(fn="count", of=col("trees", "plots"), distinct=True)
    assert told(Query(source="plots", measures=(Output(label="kinds", expr=of),))) == {3: 3}
    listed = Query(source="plots", columns=(trees(),), distinct=True)
    assert set(told(listed)) == {"Oak", "Elm", "Ash", None}


def test_other_figures_beside_a_count_of_entries_count_rows_once(told: Told) -> None:
    of = Aggregate(fn="count", of=col("trees", "plots"), distinct=True)
    plan = Query(source="plots", measures=(Output(label="kinds", expr=of), out("n", rows())))
    told(plan)
    assert told.computed.result.rows[0][1] == len(TREES)


def test_entries_of_joined_rows_are_groups(told: Told) -> None:
    key = JoinKey(left=col("side", "plots"), right=col("side", "sides"))
    join = Join(table="sides", on=(key,))
    plan = Query(source="plots", joins=(join,), groups=(trees(), out("warden", col("warden", "sides"))),
                 measures=(out("n", rows()),))  # fmt: skip
    told(plan.model_copy(update={"where": Compare(op="=", left=col("warden", "sides"), right=text("Tarn"))}))
    assert {(row[0], row[2]) for row in told.computed.result.rows} == {("Elm", 1), ("Ash", 2), ("Oak", 2)}


def test_an_edit_that_groups_otherwise_counts_rows_once_again(told: Told) -> None:
    plan = Query(source="plots", groups=(trees(),), measures=(out("n", rows()),))
    told(plan)
    edited = told.computed.plan.model_copy(update={"groups": (out("side", col("side", "plots")),)})
    assert told(edited) == {"north": 4, "south": 4}


def test_a_condition_on_an_entry_is_said_so(told: Told) -> None:
    told(counted(has("Oak")))
    assert "trees include “Oak”" in plan_sentence(told.computed.plan)
    told(counted(has("Oak", "!=")))
    assert "trees do not include “Oak”" in plan_sentence(told.computed.plan)


ODD = ("Red (dark)", "A+ grade", "50% off", "O'Brien", "ÄRGER", "x.y*z", "[tag]", "back\\slash", "İstanbul", "straße",
       "New  York", "nb\u00a0sp", "\u00a0lead", 'q"uote', "dash-ed", "🙂 ok", "ΟΔΟΣ")  # fmt: skip


@pytest.mark.parametrize("mark", SEPARATORS)
def test_entries_of_any_letters_and_signs_are_found_alike_in_every_way(
    mark: str, tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    cells = [f"{one}{mark} {other}{mark}" for n, one in enumerate(ODD) for other in (ODD[n - 1], ODD[n - 2])]
    lines = "".join(f'{n},"{cell.replace(chr(34), 2 * chr(34))}"\n' for n, cell in enumerate(cells))
    (tmp_path / "odd.csv").write_text(f"no,tags\n{lines}", encoding="utf-8")
    catalog = catalog_from_files([tmp_path / "odd.csv"], tmp_path / "tables")

    def counted_alike(plan: Query) -> list[Scalar]:
        computed = compute(plan, catalog, warehouse)
        found = sorted(computed.result.rows, key=str)
        for way in ("frames", "sheet"):
            again = recount_here(way, computed.plan, catalog)
            assert sorted(again.result.rows, key=str) == found, way
            assert again.row_count == computed.row_count, way
        return [row[-1] for row in found]

    tags = col("tags", "odd")
    assert counted_alike(Query(source="odd", groups=(out("tags", tags),), measures=(out("n", rows()),))) == [4] * 17
    for word in ODD:
        test = Compare(op="=", left=tags, right=text(word))
        assert counted_alike(Query(source="odd", where=test, measures=(out("n", rows()),))) == [4], word
