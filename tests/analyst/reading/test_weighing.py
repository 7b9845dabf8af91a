"""What is told of weighed readings: the likely one, a question back, or nothing; and when the rules' reading stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.doubting import doubted, is_guessed
from apps.analyst.language import Reading
from apps.analyst.language.reading import ChartWish
from apps.analyst.pipeline import answer, suggest
from apps.analyst.plan import Aggregate, Clarify, ColumnRef, Option, Output, Query
from apps.analyst.reading import weighing
from apps.analyst.reading.judging import answer_from, ask_from, sure_from
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Taught, Turn
from tests.analyst.reading.conftest import TODAY

ASKED = Question("What did we make?", today=TODAY)
KINDS = ("New business", "Renewal")


@pytest.fixture(scope="module")
def warehouse() -> LocalWarehouse:
    return LocalWarehouse(threads=1)


@pytest.fixture(scope="module")
def readings(stays: FixedCatalog, warehouse: LocalWarehouse) -> list[Weighed]:
    """The total amount and the average rate, each computed."""
    made = []
    for fn, column in (("sum", "tot_amt"), ("avg", "rt_per_nt")):
        figure = Aggregate(fn=fn, of=ColumnRef(table="bookings", column=column))
        plan = Query(source="bookings", measures=(Output(label=f"{fn} of {column}", expr=figure),))
        made.append(Weighed(Reading(plan=plan, score=0.0), compute(plan, stays, warehouse)))
    return made


def scored(readings: Sequence[Weighed], *chances: float) -> list[Weighed]:
    return [
        Weighed(replace(one.reading, score=chance), one.computed) for one, chance in zip(readings, chances, strict=True)
    ]


def told(ranked: Sequence[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse) -> Answer:
    return weighing.told(ASKED, ranked, [], stays, warehouse, lambda *_, **__: None, None, onward=False)


def test_a_likely_reading_is_told_without_a_word_of_doubt(
    readings: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = told(scored(readings, sure_from(), 0.01), stays, warehouse)
    assert said.status == "answered"
    assert weighing.DOUBT.partition("{")[0] not in said.text


def test_a_less_likely_one_says_how_it_was_read(
    readings: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = told(scored(readings, answer_from(), 0.01), stays, warehouse)
    assert said.status == "answered"
    assert weighing.DOUBT.partition("{")[0] in said.text


def test_readings_that_come_close_are_offered_and_each_can_be_taken(
    readings: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = told(scored(readings, (ask_from() + answer_from()) / 2, answer_from() / 3), stays, warehouse)
    assert said.status == "clarify"
    assert isinstance(said.plan, Clarify)
    assert len(said.choices) == 2
    for choice, meant in zip(said.choices, readings, strict=True):
        turn = Turn(ASKED.text, plan=said.plan, answer=said.text)
        taken = answer(
            Question(choice.question, today=TODAY, turns=(turn,)), catalog=stays, warehouse=warehouse, onward=False
        )
        assert taken.result is not None
        assert taken.result.rows == meant.computed.result.rows


@pytest.mark.parametrize(("reader", "score", "offers"), [("metrics", 1.0, 2), ("metrics", 0.3, 1), ("query", 1.0, 1)])
def test_what_sales_people_call_a_figure_is_offered_beside_a_likelier_reading(
    reader: str, score: float, offers: int, readings: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    ranked = scored(readings, 0.6, 0.15)
    own = replace(ranked[1].reading, reader=reader, score=score)
    said = weighing.told(ASKED, ranked, [own], stays, warehouse, lambda *_, **__: None, None, onward=False)
    assert said.status == "clarify"
    assert len(said.choices) == offers


def test_readings_of_one_sentence_are_offered_once(
    readings: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = told(scored([readings[0], readings[0]], ask_from(), ask_from()), stays, warehouse)
    assert len(said.choices) == 1


def test_unlikely_readings_are_not_told(
    readings: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = told(scored(readings, ask_from() / 2, ask_from() / 3), stays, warehouse)
    assert (said.status, said.result) == ("declined", None)


def test_a_sure_reading_of_the_rules_stands_where_the_judge_finds_it_likely(
    readings: list[Weighed], stays: FixedCatalog
) -> None:
    (one,) = scored(readings[:1], answer_from() - 0.01)
    sure = replace(one.reading, score=0.99, reader="query")
    assert not weighing.stands(ASKED.text, [sure], one, stays)
    assert weighing.stands(ASKED.text, [sure], scored([one], answer_from())[0], stays)
    assert not weighing.stands(ASKED.text, [replace(sure, score=0.1)], None, stays)


def test_a_sure_reading_of_the_rules_does_not_stand_where_another_is_likelier(
    readings: list[Weighed], stays: FixedCatalog
) -> None:
    (one,) = scored(readings[:1], answer_from() + 0.01)
    sure = replace(one.reading, score=0.99, reader="query")
    assert weighing.stands(ASKED.text, [sure], one, stays, answer_from() + 0.01)
    assert not weighing.stands(ASKED.text, [sure], one, stays, answer_from() + 0.02)


def test_a_sure_reading_that_could_not_be_computed_where_others_were_does_not_stand(
    readings: list[Weighed], stays: FixedCatalog
) -> None:
    sure = replace(readings[0].reading, score=0.99, reader="query")
    ways = tuple(Option(label=way, question=way, plan=sure.plan) for way in ("one", "other"))
    asks = replace(sure, plan=Clarify(question="Which one?", options=ways))
    lacks = replace(sure, plan=Clarify(question="I need a column that says the owner.", options=()))
    assert not weighing.stands(ASKED.text, [sure], None, stays, ask_from())
    assert weighing.stands(ASKED.text, [sure], None, stays), "nothing was weighed"
    assert weighing.stands(ASKED.text, [asks], None, stays, ask_from())
    assert weighing.stands(ASKED.text, [lacks], None, stays)
    assert not weighing.stands(ASKED.text, [lacks], None, stays, ask_from()), "others have what the rules lack"
    assert weighing.is_open(ASKED, [lacks], stays)
    assert not weighing.is_open(ASKED, [asks], stays)


def test_over_the_tables_of_a_crm_the_judge_is_heard_unless_the_product_itself_words_the_question(
    warehouse: LocalWarehouse, tmp_path: Path
) -> None:
    deals = [f"Deal {n},{n * 10},{('closed won', 'closed lost')[n % 2]},2025-0{n % 6 + 1}-11" for n in range(1, 40)]
    export = tmp_path / "hubspot_deals.csv"
    export.write_text("\n".join(["Deal Name,Amount,Deal Stage,Close Date", *deals]))
    crm = catalog_from_files([export], tmp_path / "tables")
    plan = Query(source="hubspot_deals", measures=(Output(label="Deals", expr=Aggregate(fn="count")),))
    sure = Reading(plan=plan, score=0.99, reader="query")
    computed = compute(plan, crm, warehouse)
    assert not weighing.stands(ASKED.text, [sure], Weighed(replace(sure, score=answer_from() - 0.01), computed), crm)
    assert weighing.is_open(ASKED, [sure], crm)
    assert not weighing.is_open(replace(ASKED, offered=True), [sure], crm)


def test_what_the_rules_lack_over_a_crm_the_learned_reader_may_have(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    """The rules find no place for "split": they say so, and it was told for all."""
    lines = [
        f"Deal {n},{n * 10},{'Closed Lost' if n % 2 else 'Closed Won'},{KINDS[n % 4 // 2]},2025-{n % 9 + 1:02d}-11"
        for n in range(1, 90)
    ]
    (tmp_path / "deals.csv").write_text("\n".join(["Deal Name,Amount,Stage,Type,Close Date", *lines]))
    crm = catalog_from_files([tmp_path / "deals.csv"], tmp_path / "tables")
    asked = Question("won amount split new business / renewal in 2025", today=TODAY)
    said = answer(asked, catalog=crm, warehouse=warehouse, onward=False)
    assert said.status == "answered"
    assert said.result is not None
    won = {kind: sum(n * 10 for n in range(2, 90, 2) if n % 4 // 2 == place) for place, kind in enumerate(KINDS)}
    assert dict(said.result.rows) == won


def test_what_was_chosen_or_defined_before_is_not_weighed(readings: list[Weighed], stays: FixedCatalog) -> None:
    one = replace(readings[0].reading, score=0.99)
    assert weighing.is_open(ASKED, [replace(one, reader="query")], stays)
    assert not weighing.is_open(ASKED, [replace(one, reader="clarifying")], stays)
    defined = replace(one, reader="query", definitions=("sales: ...",))
    assert not weighing.is_open(ASKED, [defined], stays)
    assert weighing.is_open(ASKED, [replace(defined, score=0.4)], stays)


def test_statistics_and_charts_are_told_unweighed_only_where_they_heed_what_the_question_names(
    readings: list[Weighed], stays: FixedCatalog
) -> None:
    """ "Total amount by product line" asks for no line chart, and "days that beat the forecast" for no forecast."""
    amount = Output(label="Amount", expr=Aggregate(fn="sum", of=ColumnRef(table="bookings", column="tot_amt")))
    one = replace(readings[0].reading, plan=Query(source="bookings", measures=(amount,)), score=0.99)
    drawn = replace(one, reader="query", chart=ChartWish("line", explicit=True))
    tested = replace(one, reader="statistics")
    for asked, is_open in (("total amount as a line", False), ("total amount of guests from Spain as a line", True)):
        for reading in (drawn, tested):
            assert weighing.is_open(Question(asked, today=TODAY), [reading], stays) == is_open


def test_questions_that_the_product_suggests_are_answered_however_names_are_written(
    stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    for text in suggest(stays, 8):
        said = answer(Question(text, today=TODAY), catalog=stays, warehouse=warehouse, onward=False)
        assert said.status == "answered", text


@pytest.mark.parametrize("file", ["north orders", "south orders"])
def test_a_thread_stays_with_its_files(file: str, warehouse: LocalWarehouse, tmp_path: Path) -> None:
    paths = []
    for name, day, count in (("north orders", "order_dt", 30), ("south orders", "ordered_on", 44)):
        lines = [f"{n},{('Ann', 'Bo')[n % 2]},2025-0{n % 6 + 1}-1{n % 9},{n * 3}" for n in range(count)]
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("\n".join([f"ord_no,rep,{day},amt", *lines]))
    both = catalog_from_files(paths, tmp_path / "tables")
    before = Turn(
        f"What is the total amount in {file}?",
        plan=Query(
            source=file,
            measures=(Output(label="Total amount", expr=Aggregate(fn="sum", of=ColumnRef(table=file, column="amt"))),),
        ),
    )
    for text in (
        "How many orders were there in March 2025?",
        "How many orders in March 2025?",
        "number of orders in March 2025",
        "What is the average amount by rep?",
    ):
        said = answer(Question(text, today=TODAY, turns=(before,)), catalog=both, warehouse=warehouse, onward=False)
        assert said.status == "answered", text
        assert said.evidence is not None
        assert [source.name for source in said.evidence.sources] == [file]


def test_a_word_that_people_taught_settles_what_is_left_to_doubt(
    readings: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    (one,) = scored(readings[:1], (ask_from() + answer_from()) / 2)
    (bookings, *others) = stays.tables()
    taught = replace(bookings, taught=(Taught(column="tot_amt", synonyms=("takings",)),))
    catalog = FixedCatalog("stays taught", (taught, *others), tuple(stays.joins()))
    for text, status in (("What were our takings?", "answered"), ("What did we make?", "clarify")):
        said = weighing.told(
            Question(text, today=TODAY), [one], [], catalog, warehouse, lambda *_, **__: None, None, onward=False
        )
        assert said.status == status


@pytest.fixture(scope="module")
def beside_examples(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """A CRM's tickets and deals as the product's examples, and the repairs that somebody brought."""
    folder = tmp_path_factory.mktemp("examples")
    tickets = [
        f"Ticket {n},{('Open', 'Closed')[n % 3 > 0]},{('High', 'Low')[n % 2]},2025-0{n % 6 + 1}-11" for n in range(72)
    ]
    deals = [f"Deal {n},{n * 10},{('Closed Won', 'Closed Lost')[n % 2]},2025-0{n % 6 + 1}-11" for n in range(1, 40)]
    repairs = [
        f"R{n},{('Ann', 'Bo', 'Cy')[n % 3]},2025-0{n % 6 + 1}-0{n % 9 + 1},{('Open', 'Done')[n % 2]},{n * 3}"
        for n in range(90)
    ]
    heads = {
        "tickets": "Ticket Name,Ticket Status,Priority,Create Date",
        "deals": "Deal Name,Amount,Deal Stage,Close Date",
        "repairs": "repair_no,engineer,reported_on,status,cost",
    }
    for name, rows in (("tickets", tickets), ("deals", deals), ("repairs", repairs)):
        (folder / f"{name}.csv").write_text("\n".join([heads[name], *rows]))
    read = catalog_from_files([folder / f"{name}.csv" for name in heads], folder / "tables")
    marked = tuple(replace(table, example=table.name != "repairs") for table in read.tables())
    return FixedCatalog("beside examples", marked, tuple(read.joins()))


def sources(said: Answer) -> list[str]:
    return [source.name for source in said.evidence.sources] if said.evidence is not None else []


@pytest.mark.parametrize("text", ["How many jobs are still open?", "How many repairs are open?"])
def test_the_files_that_people_brought_are_read_before_the_examples(
    text: str, beside_examples: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = answer(Question(text, today=TODAY), catalog=beside_examples, warehouse=warehouse, onward=False)
    assert (said.status, sources(said)) == ("answered", ["repairs"])


@pytest.mark.parametrize("text", ["What is the total amount of won deals?", "How many deals did we win in each month?"])
def test_what_they_do_not_hold_is_still_answered_from_the_examples(
    text: str, beside_examples: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = answer(Question(text, today=TODAY), catalog=beside_examples, warehouse=warehouse, onward=False)
    assert (said.status, sources(said)) == ("answered", ["deals"])
    assert said.text.endswith(weighing.FROM_EXAMPLES)


def test_readings_of_the_examples_are_weighed_unless_the_product_itself_words_the_question(
    beside_examples: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    asked = Question("What is the total amount of won deals?", today=TODAY)
    for question, weighed_too in ((asked, True), (replace(asked, offered=True), False)):
        rules = understood(question, beside_examples)
        own, found = weighing.weigh(question, beside_examples, warehouse, rules)
        assert bool(found) == weighed_too
        assert weighing.is_of_examples(own[0].plan, beside_examples)


def test_what_the_rules_alone_are_sure_of_is_a_guess(readings: list[Weighed], stays: FixedCatalog) -> None:
    def guessed(chance: float) -> bool:
        return is_guessed(ASKED, scored(readings[:1], chance)[0], stays)

    assert guessed(answer_from())
    assert not guessed(sure_from())
    assert not is_guessed(ASKED, None, stays)


def test_what_the_product_suggests_is_no_guess(
    readings: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    offered = suggest(stays, 1)[0]
    given = answer(Question(offered, today=TODAY), catalog=stays, warehouse=warehouse, learned=False, onward=False)
    assert given.plan is not None
    sure = Reading(plan=given.plan, score=0.95)
    unlikely = Weighed(replace(sure, score=answer_from()), readings[0].computed)
    assert not is_guessed(Question(offered, today=TODAY), unlikely, stays)


def test_a_guess_is_told_with_how_it_was_read(readings: list[Weighed], stays: FixedCatalog) -> None:
    reading = replace(readings[0].reading, score=0.95)
    plain, guess = (doubted(Answer("answered", "Told."), reading, stays, guessed=guessed) for guessed in (False, True))
    assert plain.text == "Told."
    assert guess.text.startswith("Told.\n\n" + weighing.DOUBT.partition("{")[0])
