"""Prompts and replies of models are kept, and questions answered from what was kept, without a model."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.approaches.models.layer import Reply, Said
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import AnalystError
from apps.analyst.evaluate.models import TODAY, Wish, evaluate_model
from apps.analyst.evaluate.recording import Asked, Asker, replies_of, written
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

OFFICE = Path(__file__).resolve().parents[4] / "shared" / "evals" / "office"
KEPT = Path(__file__).with_name("office")
"""Ten questions over six of their tables."""
TRAIN = OFFICE.parents[1] / "train"
RECORDED = Path(__file__).with_name("recorded_office.jsonl")
SPIDER = Path(__file__).with_name("recorded_spider.jsonl")
MODEL = ModelSpec("m", "Model M", "openai", "m", "k")
COUNT = json.dumps({"sql": "SELECT count(*) AS orders FROM orders"})
SCORER = """
def score_one(item, prediction):
    return {"correct": prediction["answer"] == item["answer"]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three questions about six orders, with their scorer."""
    rows = "\n".join(f"{n},{('North', 'South')[n % 2]},{10 * n}" for n in range(1, 7))
    (tmp_path / "orders.csv").write_text(f"order_no,region,amount\n{rows}\n", encoding="utf-8")
    asked = [
        {"id": "q1", "question": "How many orders?", "answer": [6]},
        {"id": "q2", "question": "What is the total amount?", "answer": [210]},
        {"id": "q3", "turns": ["How many orders?", "and in the north?"], "answer": [3]},
    ]
    lines = [json.dumps({**one, "tables": ["orders.csv"]}) for one in asked]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "score.py").write_text(SCORER, encoding="utf-8")
    return tmp_path


def replies(path: Path, *lines: tuple[str, int, str]) -> Path:
    kept = [json.dumps({"id": id, "call": call, "reply": reply}) for id, call, reply in lines]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return path


def replayed(folder: Path, *lines: tuple[str, int, str], **more: Any) -> tuple[list[dict[str, Any]], str, Path]:
    """The predictions, the report, and the file of replies."""
    file = replies(folder / "replies.jsonl", *lines)
    log = io.StringIO()
    done = evaluate_model(Wish(folder, folder / "out.jsonl", replay=file, jobs=1, **more), log)
    return [timed.prediction for timed in done], log.getvalue(), file


def test_a_set_is_answered_from_its_replies_and_the_report_says_what_came_of_them(folder: Path) -> None:
    total = json.dumps({"sql": "SELECT sum(amount) AS total FROM orders"})
    north = json.dumps({"sql": "SELECT count(*) AS orders FROM orders WHERE region = 'North'"})
    made, report, _ = replayed(
        folder, ("q1", 1, COUNT), ("q2", 1, total), ("q3", 1, COUNT), ("q3", 2, north),
        prices=(Decimal(2), Decimal(8)),
    )  # fmt: skip
    assert [one["answer"] for one in made] == [[6], [210], [3]]
    assert "lifted 3 (100.0 %)" in report
    assert "right: 3 (100.0 %)" in report
    assert "at the given prices" in report


def test_a_rejected_reply_is_followed_by_the_next_one_and_counts_as_no_first_reply(folder: Path) -> None:
    wrong = json.dumps({"sql": "SELECT count(profit) FROM orders"})
    made, report, _ = replayed(folder, ("q1", 1, wrong), ("q1", 2, COUNT))
    assert [one["answer"] for one in made] == [[6]]
    assert "at the first reply: 0 (0.0 %)" in report


def test_a_model_is_held_to_all_that_it_selects(folder: Path) -> None:
    """It adds no figure as a proof, as the built-in analyst does beside the first of an order."""
    best = "SELECT region, sum(amount) AS total FROM orders GROUP BY region ORDER BY total DESC LIMIT 1"
    made, _, _ = replayed(folder, ("q1", 1, json.dumps({"sql": best})))
    assert [one["answer"] for one in made] == [[["North", 120]]]


def test_a_prompt_without_a_reply_is_written_down_to_be_answered_and_replayed_later(folder: Path) -> None:
    _, _, file = replayed(folder, ("q1", 1, COUNT), limit=2)
    missing = file.with_suffix(".missing.jsonl")
    (waiting,) = (json.loads(line) for line in missing.read_text(encoding="utf-8").splitlines())
    assert (waiting["id"], waiting["call"], waiting["reply"]) == ("q2", 1, None)
    assert 'table "orders": 6 rows' in waiting["prompt"]
    assert replies_of(missing) == {}
    waiting["reply"] = json.dumps({"sql": "SELECT sum(amount) AS total FROM orders"})
    missing.write_text(json.dumps(waiting) + "\n", encoding="utf-8")
    log = io.StringIO()
    (made,) = evaluate_model(Wish(folder, folder / "out.jsonl", replay=missing, jobs=1), log)
    assert made.prediction["answer"] == [210]
    assert "another prompt" not in log.getvalue()


def test_replies_that_were_given_to_another_prompt_are_used_and_counted(folder: Path) -> None:
    file = folder / "replies.jsonl"
    file.write_text(json.dumps({"id": "q1", "call": 1, "digest": "of before", "reply": COUNT}) + "\n", encoding="utf-8")
    log = io.StringIO()
    evaluate_model(Wish(folder, folder / "out.jsonl", replay=file, jobs=1), log)
    assert "1 of 1 replies were given to another prompt" in log.getvalue()


def test_what_a_model_is_told_and_says_is_kept_with_what_it_took(
    sales: FixedCatalog, warehouse: LocalWarehouse, tmp_path: Path
) -> None:
    def live(spec: ModelSpec, system: str, turns: Sequence[Said], **limits: Any) -> Reply:
        sql = "SELECT count(profit) FROM deals" if len(turns) == 1 else "SELECT count(*) AS deals FROM deals"
        return Reply(json.dumps({"sql": sql}), 1_000, 20, 0.5)

    asker = Asker(Asked(MODEL), "q", live)
    given = asker.answer(Question("How many deals?", today=date(2025, 1, 10)), catalog=sales, warehouse=warehouse)
    assert given.result is not None
    assert given.result.rows == ((240,),)
    written(asker.exchanges, tmp_path / "kept.jsonl")
    first, second = (json.loads(line) for line in (tmp_path / "kept.jsonl").read_text().splitlines())
    assert (first["call"], first["input_tokens"], first["output_tokens"], first["seconds"]) == (1, 1_000, 20, 0.5)
    assert "profit" in second["prompt"]
    assert len(replies_of(tmp_path / "kept.jsonl")) == 2


@pytest.mark.parametrize("model", ["gpt", "nobody:m", "openai:"])
def test_a_model_is_named_with_its_provider(model: str, folder: Path) -> None:
    with pytest.raises(AnalystError, match="PROVIDER:NAME"):
        evaluate_model(Wish(folder, folder / "out.jsonl", model=model), io.StringIO())


def test_recorded_replies_to_ten_of_them_that_are_kept_here_become_plans_and_are_right(tmp_path: Path) -> None:
    """The set below stands beside this checkout or not; these always run."""
    log = io.StringIO()
    done = evaluate_model(Wish(KEPT, tmp_path / "out.jsonl", replay=RECORDED, jobs=1), log)
    assert len(done) == 10
    assert {timed.form for timed in done} == {"lifted"}
    assert "right: 10 (100.0 %)" in log.getvalue()


PLANTED, VALUES = "clearance_level", ("umbra violet", "umbra amber")


def planted(folder: Path, tables: Sequence[str], *, private: bool) -> FixedCatalog:
    """The set's tables, each with a column more."""
    paths = []
    for table in tables:
        first, *rows = (KEPT / table).read_text(encoding="utf-8").splitlines()
        lines = [f"{first},{PLANTED}", *(f"{row},{VALUES[n % 2]}" for n, row in enumerate(rows))]
        paths.append(folder / Path(table).name)
        paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    catalog = catalog_from_files(paths, folder / "tables")
    marked = tuple(replace(table, private=(PLANTED,) if private else ()) for table in catalog.tables())
    return FixedCatalog(catalog.version, marked, tuple(catalog.joins()))


def sent_for(catalog: FixedCatalog, item: dict[str, Any]) -> tuple[str, Asker]:
    """Everything that the replies to a question were asked with."""
    sent: list[str] = []

    def live(spec: ModelSpec, system: str, turns: Sequence[Said], **limits: Any) -> Reply:
        sent.extend([system, *(turn.text for turn in turns)])
        return Reply(replies_of(RECORDED)[item["id"], 1]["reply"], 1, 1, 0.0)

    asker, warehouse = Asker(Asked(MODEL), item["id"], live), LocalWarehouse()
    today = date.fromisoformat(item["today"]) if "today" in item else TODAY
    asker.answer(Question(item["question"], today=today), catalog=catalog, warehouse=warehouse)
    warehouse.close()
    return "\n".join(sent), asker


def test_a_private_value_planted_in_their_tables_is_in_no_request_of_them(tmp_path: Path) -> None:
    """With it each request is the recorded one to the letter; were it not private, it would be told."""
    items = [json.loads(line) for line in (KEPT / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    by_tables = {tuple(item["tables"]): item for item in items}
    catalogs: dict[tuple[tuple[str, ...], bool], FixedCatalog] = {}
    for number, (tables, private) in enumerate((one, private) for one in by_tables for private in (True, False)):
        (tmp_path / str(number)).mkdir()
        catalogs[tables, private] = planted(tmp_path / str(number), tables, private=private)
    for item in items:
        sent, asker = sent_for(catalogs[tuple(item["tables"]), True], item)
        assert not any(secret in sent for secret in (PLANTED, "clearance", *VALUES)), item["id"]
        assert [one.digest for one in asker.exchanges] == [replies_of(RECORDED)[item["id"], 1]["digest"]]
        assert asker.form == "lifted"
    for tables, item in by_tables.items():
        sent, _ = sent_for(catalogs[tables, False], item)
        assert PLANTED in sent
        assert VALUES[0] in sent


@pytest.mark.skipif(not OFFICE.is_dir(), reason="the office questions are not beside this checkout")
def test_recorded_replies_to_questions_of_offices_become_plans_and_are_right(tmp_path: Path) -> None:
    """What a change of the prompt's or the plans' grammar breaks is seen here. Two are held for wrong: one takes a
    card payment for a purchase, and one lists the campaigns without costs as well."""
    log = io.StringIO()
    done = evaluate_model(Wish(OFFICE, tmp_path / "out.jsonl", replay=RECORDED, jobs=2), log)
    assert len(done) == len(RECORDED.read_text(encoding="utf-8").splitlines()) == 159
    assert {timed.form for timed in done} == {"lifted", "unclear", "asked"}
    assert "at the first reply: 148 (100.0 %)" in log.getvalue()
    assert "right: 157 (98.7 %)" in log.getvalue()


@pytest.mark.skipif(not TRAIN.is_dir(), reason="the questions of Spider are not beside this checkout")
def test_recorded_replies_to_questions_of_spider_become_plans(tmp_path: Path) -> None:
    """Five are held for wrong: the set leaves out what has no partner (two), asks for a house number that its question
    does not, keeps days as text, and counts two spellings of one position."""
    log = io.StringIO()
    done = evaluate_model(Wish(TRAIN, tmp_path / "out.jsonl", replay=SPIDER, jobs=2), log)
    assert len(done) == len(SPIDER.read_text(encoding="utf-8").splitlines()) == 52
    assert {timed.form for timed in done} == {"lifted"}
    assert "at the first reply: 52 (100.0 %)" in log.getvalue()
    assert "right: 47 (90.4 %)" in log.getvalue()


def test_a_prompt_is_the_same_on_every_day_and_a_question_back_is_no_query(folder: Path) -> None:
    ask = json.dumps({"ask": "Which orders?", "choices": ["How many orders in the north?", "How many in the south?"]})
    file = replies(folder / "replies.jsonl", ("q1", 1, ask))
    log = io.StringIO()
    (done,) = evaluate_model(Wish(folder, folder / "out.jsonl", replay=file, jobs=1), log)
    assert (done.form, done.prediction["status"]) == ("asked", "clarify")
    assert done.exchanges[0].prompt.startswith("Today is 2026-01-01.")
