"""Where several files could answer, the question asks back, unless something says which one is meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apps.analyst.conversation.readas.lessons import lesson, with_lesson
from apps.analyst.conversation.readas.others import Parts
from apps.analyst.pipeline import answer
from apps.analyst.plan import Clarify, Combine, Plan
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.tables.drawn_joins import drawn_join
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Answer, Question
from tests.analyst.answers.orchards import HARVEST, PICKING, TODAY, TOTAL, Desk, crates


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "two", {"harvest": HARVEST, "picking": PICKING})


def total(text: str, only: str = "") -> int:
    rows = (line.split(",") for line in text.splitlines()[1:])
    return sum(int(figure) for grove, figure in rows if only in grove)


def files(said: Answer) -> set[str]:
    assert said.plan is not None
    return set(tables_of(said.plan))


def figures(said: Answer) -> list[int]:
    assert said.result is not None, said.text
    return [int(str(cell)) for cell in said.result.rows[0]]


@pytest.mark.parametrize("text", [TOTAL, "Total crates by orchard", "How many crates does Larkhill have?"])
def test_of_files_alike_none_is_taken_in_silence(text: str, desk: Desk) -> None:
    said = desk.ask(text)
    assert (said.status, said.result) == ("clarify", None)
    assert said.text == "Both harvest and picking can answer this, and the figures differ."
    assert {"harvest", "picking"} <= {choice.label for choice in said.choices}


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("picking", [total(PICKING)]),
        ("What is the total of crates in harvest", [total(HARVEST)]),
        ("All together", [total(HARVEST) + total(PICKING), total(HARVEST), total(PICKING)]),
    ],
)
def test_a_file_that_is_chosen_answers_at_once(reply: str, told: list[int], desk: Desk) -> None:
    desk.go_on(TOTAL)
    assert figures(desk.ask(reply)) == told


def test_a_chart_that_is_asked_for_is_drawn_of_the_file_that_is_chosen(desk: Desk) -> None:
    back = desk.go_on("Pie chart of total crates by orchard")
    assert (back.status, back.result) == ("clarify", None)
    drawn = desk.ask(next(choice.question for choice in back.choices if choice.label == "picking"))
    assert files(drawn) == {"picking"}
    assert drawn.chart is not None
    assert drawn.chart.encoding.mark == "pie"


def test_what_was_settled_is_told_without_doubt_or_another_offer(desk: Desk) -> None:
    for text, parts in ((TOTAL, []), ("What are the total crates by orchard?", ["By orchard"])):
        said = desk.ask(text, catalog=desk.taught(picking="harvest"))
        assert said.read_as is not None
        assert [chip.label for chip in said.read_as.chips] == ["Total crates", *parts, "In picking"]
        assert not any(chip.guessed for chip in said.read_as.chips)
        assert said.choices == ()
        assert said.plan is not None
        others = Parts(said.plan, desk.catalog).of(next(c.key for c in said.read_as.chips if c.part == "files"))
        assert [other.label for other in others] == ["In harvest"]
    desk.go_on(TOTAL)
    together = desk.ask("All together")
    assert together.read_as is not None
    assert [chip.label for chip in together.read_as.chips] == ["Total crates", "In harvest and picking"]
    assert together.evidence.definitions == ("Total crates: harvest + picking",)


def test_every_choice_reads_back_in_a_thread_of_its_own(desk: Desk) -> None:
    for choice in desk.ask(TOTAL).choices:
        assert desk.ask(choice.question).status == "answered", choice.question


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("What is the total of crates in picking?", [total(PICKING)]),
        ("Total crates of the harvest", [total(HARVEST)]),
        ("Total crates in the picking tab", [total(PICKING)]),
        ("Total crates of the worksheet harvest", [total(HARVEST)]),
        ("Total crates in Seaside", [77]),
        ("Total crates in harvest and picking", [total(HARVEST) + total(PICKING), total(HARVEST), total(PICKING)]),
    ],
)
def test_what_the_question_names_is_not_asked(text: str, told: list[int], desk: Desk) -> None:
    assert figures(desk.ask(text)) == told


@pytest.mark.parametrize(
    ("text", "status"),
    [("Total crates by orchard", "clarify"), ("Total crates by orchard in orchards", "answered")],
)
def test_a_word_for_a_column_names_no_file_besides(text: str, status: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "orchards", {"picking": PICKING, "orchards": HARVEST})
    said = desk.ask(text)
    assert said.status == status
    assert said.result is None or files(said) == {"orchards"}


def test_a_thread_stays_with_its_file_until_a_question_names_another(desk: Desk) -> None:
    desk.go_on("What is the total of crates in picking?")
    assert files(desk.go_on("Average crates by orchard")) == {"picking"}
    assert files(desk.go_on("What is the total of crates in harvest?")) == {"harvest"}
    assert files(desk.go_on("How many crates does Larkhill have?")) == {"harvest"}


def test_a_question_back_does_not_take_its_file_from_a_thread(desk: Desk) -> None:
    desk.go_on("What is the total of crates in picking?")
    assert desk.go_on("Average crates in harvest and picking").status == "clarify"
    assert files(desk.ask("Total crates by orchard")) == {"picking"}


@pytest.mark.parametrize("text", ["Total crates in harvest with picking", "Total crates of harvest by picking orchard"])
def test_rows_of_files_alike_are_not_matched_unasked(text: str, desk: Desk) -> None:
    assert [{j.left_table, j.right_table} for j in desk.catalog.joins()] in ([], [{"harvest", "picking"}])
    said = desk.go_on(text)
    assert said.result is None or isinstance(said.plan, Combine)


def test_files_that_only_look_joined_are_offered_one_by_one_and_matched(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "joined", {"harvest": HARVEST, "picking": crates(6, 11)})
    assert len(desk.catalog.joins()) == 1
    said = desk.go_on("Total crates in harvest with picking")
    assert [choice.label for choice in said.choices] == [
        "harvest",
        "picking",
        "All together",
        "Rows matched by orchard",
    ]
    assert figures(desk.ask("harvest")) == [total(HARVEST)]
    assert figures(desk.ask("picking")) == [total(crates(6, 11))]


def test_a_connection_that_somebody_drew_between_files_alike_is_used(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "drawn", {"harvest": HARVEST, "picking": crates(6, 11)})
    harvest, picking = desk.catalog.tables()
    drawn = replace(drawn_join(harvest, ("Orchard",), picking, ("Orchard",)), said=True)
    said = desk.ask(
        "Total crates of harvest by picking orchard", catalog=FixedCatalog("drawn", (harvest, picking), (drawn,))
    )
    assert said.status == "answered"


def test_a_copy_that_gives_the_same_is_named(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "copy", {"harvest": HARVEST, "harvest copy": HARVEST})
    said = desk.ask("Which orchard has the most crates in total?")
    assert said.status == "answered"
    assert said.evidence is not None
    assert any(text.endswith(" gives the same.") for text in said.evidence.notes)


def test_what_people_settled_for_always_is_not_asked_again(desk: Desk) -> None:
    for name in ("harvest", "picking"):
        other = "picking" if name == "harvest" else "harvest"
        assert files(desk.ask(TOTAL, catalog=desk.taught(**{name: other}))) == {name}
    assert desk.ask(TOTAL, catalog=desk.taught(harvest="picking", picking="harvest")).status == "clarify"


def test_always_on_a_file_is_one_entry_of_its_table_that_takes_the_place_of_its_contrary(desk: Desk) -> None:
    held = desk.taught(harvest="picking")
    told, chosen = desk.ask(TOTAL, catalog=held), desk.ask("What is the total of crates in picking?")
    assert told.plan is not None
    assert chosen.plan is not None
    assert chosen.result is not None

    def answers(question: Question, catalog: object) -> Answer:
        return answer(question, catalog=catalog, warehouse=desk.warehouse, onward=False)  # type: ignore[arg-type]

    found = lesson(Question(TOTAL, today=TODAY), told.plan, chosen.plan, held, chosen.result, answers)
    assert found is not None
    assert (found.table, found.column, found.before) == ("picking", "", ("harvest",))
    assert found.text == "picking will be taken before harvest where a question names no file."
    assert figures(desk.ask(TOTAL, catalog=with_lesson(held, found))) == [total(PICKING)]


def test_each_choice_says_what_always_would_teach(desk: Desk) -> None:
    said = desk.ask(TOTAL)
    taught = {choice.label: choice.lesson.before for choice in said.choices if choice.lesson is not None}
    assert taught == {"harvest": ("picking",), "picking": ("harvest",)}


def test_many_files_alike_are_offered_in_part_and_together(tmp_path: Path) -> None:
    names = ("north", "south", "east", "west", "harbour", "hill")
    desk = Desk(tmp_path / "many", {name: crates(12, 20 + 5 * n) for n, name in enumerate(names)})
    said = desk.go_on(TOTAL)
    assert said.text.startswith("6 files can answer this")
    assert isinstance(said.plan, Clarify)
    assert len(said.choices) == 4
    assert figures(desk.ask("All together"))[0] == sum(total(crates(12, 20 + 5 * n)) for n in range(6))


@pytest.mark.parametrize("text", ["What were total sales in 2024?", "Total sales by shop in 2024"])
def test_a_period_that_only_one_file_has_tells_which(text: str, tmp_path: Path) -> None:
    made = {
        f"sales_{year}": "\n".join(
            [
                "sold_on,shop,sales",
                *(f"{year}-0{n % 9 + 1}-1{n % 8},Shop {n % 3},{year % 7 * 10 + n}" for n in range(40)),
            ]
        )
        for year in (2023, 2024)
    }
    desk = Desk(tmp_path / "years", made)
    plan: Plan | None = desk.ask(text).plan
    assert plan is not None
    assert tables_of(plan) == {"sales_2024"}
