"""The evaluation run: what it hands to the engine, and how answers become predictions."""

from __future__ import annotations

import io
import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from apps.analyst.__main__ import main
from apps.analyst.evaluate import chart_of, evaluate, value, values_of
from apps.analyst.plan import Aggregate, ColumnRef, Order, Output, Query, Statistic
from apps.analyst.types import Answer, Chart, Encoding, Result, ResultColumn, Scalar


def column(name: str, kind: str = "dimension", grain: str | None = None) -> ResultColumn:
    return ResultColumn(name, "text", kind, grain=grain)  # type: ignore[arg-type]


def said(rows: tuple[tuple[Scalar, ...], ...], *columns: ResultColumn, plan: Query | Statistic | None = None) -> Answer:
    return Answer("answered", "", plan=plan, result=Result(columns, rows, len(rows)))


LISTED = Query(source="t", columns=(Output(label="a", expr=ColumnRef(table="t", column="a")),))
BEST = Query(
    source="t",
    groups=(Output(label="club", expr=ColumnRef(table="t", column="club")),),
    measures=(Output(label="wins", expr=Aggregate(fn="count")),),
    order=(Order(by="wins", descending=True),),
    limit=1,
)


def test_one_column_becomes_a_list() -> None:
    assert values_of(said((("a",), ("b",)), column("x")), "?") == ["a", "b"]


def test_several_columns_become_rows() -> None:
    assert values_of(said((("a", 1),), column("x"), column("n", "measure"), plan=LISTED), "?") == [["a", 1]]


def test_the_figures_of_a_statistic_become_one_list() -> None:
    plan = Statistic(name="correlation", query=LISTED)
    assert values_of(said((("weak", 0.2),), column("x"), column("r", "measure"), plan=plan), "?") == ["weak", 0.2]


def test_the_first_of_an_order_answers_with_its_name_unless_the_figure_is_asked_for_too() -> None:
    best = said((("Ajax", 12),), column("club"), column("wins", "measure"), plan=BEST)
    assert values_of(best, "which club has the most wins?") == ["Ajax"]
    assert values_of(best, "which club has the most wins, and how many?") == [["Ajax", 12]]


def test_values_asked_for_by_name_carry_their_names() -> None:
    context = "Format: @mean_fare[x] @median_fare[y]"
    named = said(((1.5, 2),), column("median_fare"), column("mean_fare"))
    assert values_of(named, "?", context) == {"mean_fare": 2, "median_fare": 1.5}
    unnamed = said(((1.5, 2),), column("a"), column("b"))
    assert values_of(unnamed, "?", context) == {"mean_fare": 1.5, "median_fare": 2}


def test_a_declined_question_has_no_values() -> None:
    assert values_of(Answer("declined", "no"), "?") is None
    assert values_of(said((), column("x")), "?") is None


@pytest.mark.parametrize(
    ("cell", "grain", "expected"),
    [
        (date(2017, 1, 1), "year", 2017),
        (date(2017, 4, 1), "quarter", "2017-Q2"),
        (date(2017, 7, 1), "month", "2017-07"),
        (date(2017, 7, 5), None, "2017-07-05"),
        (datetime(2017, 7, 5, 0, 0), None, "2017-07-05"),
        (datetime(2017, 7, 5, 9, 30), None, "2017-07-05 09:30:00"),
        (7, "month", "July"),
        (Decimal("2.50"), None, 2.5),
        (None, None, None),
    ],
)
def test_cells_become_plain_values(cell: Scalar, grain: str | None, expected: object) -> None:
    assert value(cell, column("x", grain=grain)) == expected


def test_a_chart_becomes_its_encoding_with_the_numbers_it_plots() -> None:
    document = {"type": "bar", "datasets": [{"data": [1, 2]}, {"data": [{"x": 1, "y": 9}]}]}
    shown = Chart("c.json", document, Encoding("bar", "Weight", None, "count", x_bin=True))
    made = chart_of(Answer("answered", "", chart=shown))
    assert made == {
        "mark": "bar", "x": {"field": "Weight", "bin": True}, "y": "count", "aggregate": "count", "color": None,
        "facet": None, "y_series": [[1, 2], [9]],
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "sales.csv").write_text("region,amount\nWest,10\nEast,5\nWest,2\n", encoding="utf-8")
    (tmp_path / "tables" / "broken.csv").write_bytes(b"")
    items = [
        {
            "id": "a",
            "source": "s",
            "tables": ["tables/sales.csv"],
            "question": "total amount by region",
            "answer": [["secret"]],
        },
        {"id": "b", "source": "s", "tables": ["tables/broken.csv"], "question": "how many rows?"},
        {
            "id": "c",
            "source": "other",
            "tables": ["tables/sales.csv"],
            "question": "How many rows are there?",
            "turns": ["total amount by region", "How many rows are there?"],
        },
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    return tmp_path


def predictions(path: Path) -> dict[str, dict[str, object]]:
    return {line["id"]: line for line in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def test_a_set_is_answered_line_by_line_and_what_fails_is_null(folder: Path) -> None:
    out = folder / "p.jsonl"
    evaluate(folder, out, jobs=1, store=folder / "store", log=io.StringIO())
    made = predictions(out)
    assert list(made) == ["a", "b", "c"]
    assert sorted(made["a"]["answer"]) == [["East", 5], ["West", 12]]  # type: ignore[call-overload]
    assert list(made["a"]) == list(made["b"]) == ["id", "answer", "chart", "status", "confidence"]
    assert (made["a"]["status"], made["b"]["status"]) == ("answered", "declined")
    assert (made["b"]["answer"], made["b"]["chart"]) == (None, None)
    assert 0 < float(str(made["a"]["confidence"])) <= 1
    assert "secret" not in out.read_text(encoding="utf-8")


def test_catalogs_are_read_once(folder: Path) -> None:
    store = folder / "store"
    evaluate(folder, folder / "one.jsonl", source="s", jobs=1, store=store, log=io.StringIO())
    kept = {path: path.stat().st_mtime_ns for path in store.glob("*/tables.json")}
    evaluate(folder, folder / "two.jsonl", source="s", jobs=1, store=store, log=io.StringIO())
    assert kept == {path: path.stat().st_mtime_ns for path in store.glob("*/tables.json")}
    assert (folder / "one.jsonl").read_text() == (folder / "two.jsonl").read_text()


def test_one_source_and_a_limit_can_be_chosen(folder: Path) -> None:
    evaluate(folder, folder / "p.jsonl", source="other", jobs=1, store=folder / "store", log=io.StringIO())
    assert list(predictions(folder / "p.jsonl")) == ["c"]
    evaluate(folder, folder / "p.jsonl", limit=1, jobs=1, store=folder / "store", log=io.StringIO())
    assert list(predictions(folder / "p.jsonl")) == ["a"]


def test_the_shell_answers_a_question_about_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", str(folder / "tables" / "sales.csv"), "total amount by region"]) == 0
    told = capsys.readouterr().out
    assert "West" in told
    assert "Sources: sales (3 rows). 3 rows used." in told


def test_the_shell_gives_the_whole_answer_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", str(folder / "tables" / "sales.csv"), "total amount by region", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "answered"


def test_the_shell_says_which_file_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "nowhere.csv", "how many rows?"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err
