"""What is said to messages that ask for no figure, and what is found where somebody asks what stands out."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.talk import unaddressed, without_remarks
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Turn

Say = Callable[..., Answer]
TODAY = date(2026, 1, 12)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    chance, folder = random.Random(5), tmp_path_factory.mktemp("sales")
    lines = ["day,shop,kind,revenue,forecast"]
    for number in range(400):
        shop = chance.choice(["Harbor", "Hill", "Market"])
        kind = chance.choice(["Bread", "Cake", "Coffee"])
        lines.append(
            f"{date(2024, 1, 1) + timedelta(days=number * 1.8)},{shop},{kind},{chance.randrange(5, 90)},{number}"
        )
    (folder / "sales.csv").write_text("\n".join(lines))
    return catalog_from_files([folder / "sales.csv"], folder / "tables")


@pytest.fixture(scope="module")
def say(catalog: FixedCatalog) -> Say:
    def said(*texts: str) -> Answer:
        turns: tuple[Turn, ...] = ()
        warehouse = LocalWarehouse()
        for text in texts:
            given = answer(Question(text, TODAY, turns=turns), catalog=catalog, warehouse=warehouse)
            turns = (*turns, Turn(text, given.plan, given.text))
        warehouse.close()
        return given

    return said


@pytest.mark.parametrize(
    "text", ["Hello", "good morning!", "thanks a lot", "What can you do?", "bye", "Great, thank you!"]
)
def test_small_talk_gets_a_sentence_and_no_table(text: str, say: Say) -> None:
    given = say(text)
    assert (given.status, given.result, given.plan) == ("answered", None, None)
    assert len(given.text.split()) < 60


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What will revenue be next year?", "I do not make forecasts, but"),
        ("should I open another shop?", "I do not give advice"),
        ("what should we buy next?", "I do not give advice"),
        ("is it going to rain tomorrow?", "I do not know about the weather"),
        ("tell me a joke", "I do not know about the world"),
    ],
)
def test_what_cannot_be_told_is_refused_with_what_can(text: str, words: str, say: Say) -> None:
    given = say(text)
    assert (given.status, given.result) == ("declined", None)
    assert words in given.text
    assert given.choices


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (
            "What will revenue be next year?",
            ["Total revenue by month of day", "Trend of total revenue by month of day"],
        ),
        (
            "predict the revenue of Cake at Hill next month",
            ["Total revenue by month of day, where shop is Hill and kind is Cake"],
        ),
        ("how many sales will we have next month?", ["Number of sales by month of day"]),
        ("should I open another shop?", ["Total revenue by shop"]),
        ("what should we do about Bread?", ["Total revenue by shop, where kind is Bread"]),
        ("should we stop selling Coffee in 2025?", ["Total revenue by shop, where kind is Coffee, 2025, by day"]),
    ],
)
def test_what_is_offered_instead_is_nearest_to_the_words_of_the_question(
    text: str, offered: list[str], say: Say
) -> None:
    given = say(text)
    assert given.status == "declined"
    assert [choice.label for choice in given.choices][: len(offered)] == offered
    assert len(given.choices) <= 3
    for choice in given.choices:
        taken = say(text, choice.question)
        assert taken.status == "answered", choice.question
        assert taken.result is not None


def test_a_cause_is_asked_for_of_an_answer_and_nothing_is_taught_that_why_means(say: Say) -> None:
    first = say("Why?")
    assert first.text.startswith("Nothing has been answered here yet that I could explain.")
    assert first.choices
    assert not say("total revenue by shop", "Why?").text.startswith("Nothing has been answered")


def test_advice_is_none_whatever_it_is_about(say: Say) -> None:
    assert say("should we drop Coffee?").text.startswith("I do not give advice")


def test_days_before_and_after_all_data_are_told_as_such(say: Say) -> None:
    before = say("total revenue in 1987")
    assert before.status == "declined"
    assert before.text.startswith("There are no sales in 1987: they run from 1 Jan 2024 to 19 Dec 2025 (day).")
    assert before.read_as is not None
    assert before.read_as.unread == ()
    assert "they run from" not in say("total revenue in 2025").text


def test_a_forecast_of_what_the_thread_is_about_leads_to_how_it_went(say: Say) -> None:
    given = say("total revenue by shop, Cake only", "what will it be next year?")
    assert given.choices[0].label == "Total revenue by month of day, where kind is Cake"


def test_what_names_nothing_of_the_data_leads_to_what_can_be_asked_of_them(say: Say) -> None:
    asked = [choice.question for choice in say("tell me a joke").choices]
    assert asked == [choice.question for choice in say("is it going to rain tomorrow?").choices]
    assert all(question.endswith("?") for question in asked)


def test_a_column_of_forecasts_may_be_asked_about(say: Say) -> None:
    assert "I do not make forecasts" not in say("total forecast by shop").text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Wie viele Kunden haben wir?", "Englisch"),
        ("¿Cuántas ventas hubo en total?", "inglés"),
        ("Quel est le chiffre par mois ?", "anglais"),
        ("Quante vendite abbiamo nel mese?", "inglese"),
        ("Hoeveel omzet hebben wij per maand?", "Engels"),
    ],
)
def test_another_language_is_answered_in_it(text: str, words: str, say: Say) -> None:
    given = say(text)
    assert given.result is None
    assert words in given.text


@pytest.mark.parametrize("text", ["as a pie", "total revenue per month in 2025", "per shop", "was it more in March?"])
def test_english_is_no_other_language(text: str, say: Say) -> None:
    assert not any(word in say("total revenue by shop", text).text for word in ("inglês", "Engels", "Englisch"))


def test_a_refusal_leaves_the_subject_as_it_was(say: Say) -> None:
    given = say("total revenue by shop in 2025", "what will it be next year?", "thanks", "only Hill")
    assert given.result is not None
    assert [row[0] for row in given.result.rows] == ["Hill"]
    assert "2025" in given.evidence.plan_sentence


def test_a_summary_names_the_rows_the_total_and_who_leads(say: Say, catalog: FixedCatalog) -> None:
    given = say("Summarize this file")
    assert given.status == "answered"
    assert "400" in given.text
    assert given.text.count("\n- ") >= 3


@pytest.mark.parametrize(
    ("text", "told"),
    [("give me 1 insight", 1), ("give me 3 insights", 3), ("three insights, please", 3), ("the top 2 insights", 2)],
)
def test_as_many_insights_are_told_as_were_asked_for(text: str, told: int, say: Say) -> None:
    given = say(text)
    assert given.text.count("\n- ") == told
    assert "The total revenue is" in given.text.splitlines()[0]


def test_no_more_insights_are_told_than_there_are(say: Say) -> None:
    few, many = say("give me 6 insights"), say("give me 10 insights")
    assert few.text.count("\n- ") < 6
    assert few.text.endswith("Nothing else stands out.")
    assert many.text == few.text


# ---------------------------------------------------------------- what is found, held against queries
@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> tuple[FixedCatalog, Path]:
    """Thirty customers of which two buy most, one month of many orders, one order far above all others, gaps."""
    chance, folder = random.Random(11), tmp_path_factory.mktemp("orders")
    lines = ["order_no,ordered_on,customer,channel,amount,note"]
    number = 0
    for month in range(24):
        for _ in range(60 if month == 9 else 20):
            number += 1
            day = date(2024 + month // 12, 1 + month % 12, chance.randrange(1, 28))
            heavy = chance.random() < 0.6
            customer = f"Customer {chance.randrange(2) if heavy else chance.randrange(2, 30):02d}"
            amount = 25_000 if number == 77 else chance.randrange(100, 200)
            note = "" if number % 3 else "checked"
            lines.append(f"{number},{day},{customer},{chance.choice(['Web', 'Shop', 'Phone'])},{amount},{note}")
    path = folder / "orders.csv"
    path.write_text("\n".join(lines))
    return catalog_from_files([path], folder / "tables"), path


@pytest.fixture(scope="module")
def told(orders: tuple[FixedCatalog, Path]) -> list[str]:
    """All that stands out in the orders."""
    question = Question("give me 6 insights", TODAY)
    given = answer(question, catalog=orders[0], warehouse=LocalWarehouse(threads=1))
    return [line for line in given.text.splitlines() if line.startswith("- ")]


def one(told: list[str], words: str) -> str:
    (found,) = [line for line in told if words in line]
    return found


def figures(query: str, path: Path) -> tuple[object, ...]:
    (row,) = duckdb.sql(query.format(orders=f"'{path}'")).fetchall()
    return tuple(row)


def test_it_is_told_how_much_the_few_make_up(told: list[str], orders: tuple[FixedCatalog, Path]) -> None:
    held = (
        "SELECT row_number() OVER best AS place, sum(sum(amount)) OVER best / sum(sum(amount)) OVER () AS share, "
        "count(*) OVER () AS customers FROM {orders} GROUP BY customer WINDOW best AS (ORDER BY sum(amount) DESC "
        "ROWS UNBOUNDED PRECEDING)"
    )
    count, share, customers = figures(f"SELECT * FROM ({held}) WHERE share >= 0.5 ORDER BY place LIMIT 1", orders[1])
    assert isinstance(share, float)
    assert one(told, "make up") == (
        f"- The top **{count} of {customers} customers** make up **{100 * share:.1f}%** of the total amount."
    )


def test_a_month_is_out_of_line_by_the_tested_rule(told: list[str], orders: tuple[FixedCatalog, Path]) -> None:
    months = "SELECT date_trunc('month', ordered_on) AS m, sum(amount) AS s FROM {orders} GROUP BY m"
    quartiles = f"SELECT quantile_cont(s, 0.25), quantile_cont(s, 0.75) FROM ({months})"
    low, high = figures(quartiles, orders[1])
    assert isinstance(low, float)
    assert isinstance(high, float)
    fence = high + 1.5 * (high - low)
    when, value = figures(f"SELECT m, s FROM ({months}) ORDER BY s DESC LIMIT 1", orders[1])
    (rest,) = figures(f"SELECT max(s) FROM ({months}) WHERE s <= {fence}", orders[1])
    line = one(told, "is out of line in total amount")
    assert isinstance(when, date)
    assert line.startswith(f"- **{when:%b %Y}** is out of line in total amount: **{value:,}**")
    assert f"and {rest:,}." in line


def test_rows_are_out_of_line_by_the_tested_rule(told: list[str], orders: tuple[FixedCatalog, Path]) -> None:
    count, most = figures("SELECT count(*), max(amount) FROM {orders}", orders[1])
    low, high = figures("SELECT min(amount), max(amount) FROM {orders} WHERE amount < 25000", orders[1])
    assert one(told, "out of line in amount") == (
        f"- **1 of {count:,} orders** is out of line in amount: {most:,}, "
        f"where the others lie between {low} and {high}."
    )


def test_the_column_of_most_empty_cells_is_told(tmp_path: Path) -> None:
    lines = ["plot,tree,note", *(f"{n},Oak,{'' if n % 3 else 'checked'}" for n in range(90))]
    path = tmp_path / "trees.csv"
    path.write_text("\n".join(lines))
    catalog = catalog_from_files([path], tmp_path / "tables")
    given = answer(Question("what stands out", TODAY), catalog=catalog, warehouse=LocalWarehouse(threads=1))
    (empty, rows) = figures("SELECT count(*) FILTER (note IS NULL), count(*) FROM {orders}", path)
    assert isinstance(empty, int)
    assert isinstance(rows, int)
    line = f"- **Note** is empty in {empty} of {rows} rows ({100 * empty / rows:.1f}%)."
    assert line in given.text.splitlines()


def test_who_leads_is_told_with_the_share(told: list[str], orders: tuple[FixedCatalog, Path]) -> None:
    ranked = "SELECT channel, sum(amount) AS s FROM {orders} GROUP BY channel ORDER BY s DESC LIMIT 1"
    name, value = figures(ranked, orders[1])
    (whole,) = figures("SELECT sum(amount) FROM {orders}", orders[1])
    assert isinstance(value, int | float)
    assert isinstance(whole, int | float)
    line = one(told, f"**{name}** has the highest total amount")
    assert line.startswith(f"- **{name}** has the highest total amount: **{value:,}** ({100 * value / whole:.1f}%")


def test_a_month_that_is_not_over_is_not_out_of_line(tmp_path: Path) -> None:
    days = [date(2025, 1, 1) + timedelta(days=n) for n in range(303)]  # up to 30 Oct 2025
    rows = [f"{day},{100 + n % 7}" for n, day in enumerate(days)] + ["2025-11-01,100", "2025-11-02,100"]
    path = tmp_path / "takings.csv"
    path.write_text("\n".join(["day,amount", *rows]))
    catalog = catalog_from_files([path], tmp_path / "tables")
    given = answer(Question("what stands out", date(2025, 11, 3)), catalog=catalog, warehouse=LocalWarehouse(threads=1))
    assert "**Nov 2025** is out of line" not in given.text


@pytest.mark.parametrize(
    ("turns", "labels"),
    [
        (("summarize this file",), ["1 Jan 2024 to 19 Dec 2025, by day", "In sales"]),
        (
            ("total revenue by shop in 2025", "write it for my boss"),
            ["Total revenue", "By shop", "2025, by day", "In sales"],
        ),
    ],
)
def test_findings_say_which_file_and_which_days_they_are_of(turns: Sequence[str], labels: list[str], say: Say) -> None:
    given = say(*turns)
    assert given.read_as is not None
    assert [chip.label for chip in given.read_as.chips] == labels
    assert not any(chip.opens for chip in given.read_as.chips)


def test_what_is_written_for_the_boss_is_about_the_answer_before(say: Say) -> None:
    given = say("total revenue by shop in 2025", "write it for my boss")
    assert "2025" in given.text
    assert given.text.count("\n- ") >= 3


@pytest.mark.parametrize(
    "asked", ["total revenue by shop for my boss", "I need one number for the board: revenue in 2025"]
)
def test_a_question_for_somebody_else_is_answered_as_the_question_it_is(say: Say, asked: str) -> None:
    assert "stands out" not in say(asked).text


def test_what_nothing_was_found_for_changes_nothing(say: Say) -> None:
    given = say("total revenue by shop", "who worked on that?", "as a pie")
    assert given.chart is not None
    assert given.chart.document["type"] == "pie"


@pytest.mark.parametrize("text", ["revenue by shop, takeaway", "summarize revenue by shop", "findings in March"])
def test_a_message_that_names_a_figure_a_group_or_days_asks_for_no_findings_of_the_whole(text: str, say: Say) -> None:
    assert "What stands out:" not in say(text).text


@pytest.mark.parametrize("text", ["key takeaways", "insights on sales", "what stands out in the sales?"])
def test_findings_may_be_asked_of_a_table(text: str, say: Say) -> None:
    assert "**Sales** holds 400 sales" in say(text).text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Right, so which shops sold cake?", "which shops sold cake?"),
        ("ooh nice. who sold the most, I wonder", "who sold the most"),
        ("by month, ta", "by month"),
        ("never mind. on a happier note, how much coffee?", "how much coffee?"),
        ("revenue of St. Paul's, 3.5 and up", "revenue of St. Paul's, 3.5 and up"),
        ("no, the Harbor", "no, the Harbor"),
        ("thanks!", "thanks!"),
    ],
)
def test_what_is_only_remarked_is_no_part_of_a_request(text: str, asked: str) -> None:
    left = without_remarks(text)
    assert left.strip().removeprefix("so ") == asked
    assert text.find(asked.rstrip("?")) == left.find(asked.rstrip("?"))  # all stands where it stood


def test_a_request_is_read_as_without_its_remarks(say: Say) -> None:
    plain, remarked = say("total revenue by shop"), say("Ooh, lovely. total revenue by shop, ta")
    assert remarked.plan == plain.plan


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Ada, total revenue by shop", ", total revenue by shop"),
        ("hey ADA total revenue by shop", "hey     total revenue by shop"),
        ("total revenue by shop, Ada?", "total revenue by shop,    ?"),
        ("thanks, Ada!", "thanks,    !"),
        ("total revenue of Ada", "total revenue of Ada"),
        ("Ada's revenue", "Ada's revenue"),
        ("revenue of Adamo, please", "revenue of Adamo, please"),
        ("Ada", "Ada"),
    ],
)
def test_the_name_of_the_assistant_is_no_word_of_a_request_that_calls_it(text: str, asked: str) -> None:
    assert unaddressed(Question(text, TODAY, assistant="Ada")).text.lstrip() == asked
    assert unaddressed(Question(text, TODAY)).text == text


@pytest.mark.parametrize(
    "text", ["Ada, total revenue by shop", "Hey Ada, total revenue by shop", "Total revenue by shop, Ada"]
)
def test_who_calls_the_assistant_by_its_name_is_answered(text: str, catalog: FixedCatalog) -> None:
    warehouse = LocalWarehouse()
    called, plain = (
        answer(Question(said, TODAY, assistant="Ada"), catalog=catalog, warehouse=warehouse)
        for said in (text, "total revenue by shop")
    )
    warehouse.close()
    assert (called.status, called.plan) == ("answered", plain.plan)


@pytest.mark.parametrize(("text", "kind"), [("Hi Ada!", "Hello"), ("Who is Ada?", "I answer questions")])
def test_the_name_of_the_assistant_belongs_to_small_talk(text: str, kind: str, catalog: FixedCatalog) -> None:
    warehouse = LocalWarehouse()
    given = answer(Question(text, TODAY, assistant="Ada"), catalog=catalog, warehouse=warehouse)
    warehouse.close()
    assert given.text.startswith(kind)
