"""The organization's keywords mean what their definitions say, and the answer names those it used."""

from __future__ import annotations

import pytest

from apps.analyst.language.reading import Reading
from apps.analyst.plan.sentence import predicate_words
from apps.analyst.reading.keywords.applying import with_keywords
from apps.analyst.reading.keywords.filters import rows_of
from apps.analyst.reading.keywords.formula_trees import parsed
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Question, Scalar
from tests.analyst.keywords.conftest import TODAY, Ask


def rows(said: Answer) -> list[tuple[Scalar, ...]]:
    assert said.result is not None, said.text
    return list(said.result.rows)


def figure(said: Answer) -> float:
    return float(str(rows(said)[0][-1]))


def one(ask: Ask, text: str) -> float:
    """A plain figure, asked without keywords."""
    return figure(ask(text, keywords={}))


def test_a_formula_is_computed_as_it_is_written(ask: Ask) -> None:
    said = ask("What is our win rate?")
    won, lost = (one(ask, f"How many deals are {stage}?") for stage in ("Closed won", "Closed lost"))
    assert figure(said) == pytest.approx(100 * won / (won + lost))
    assert "Win rate (as your organization defines it): won / (won + lost)" in said.evidence.definitions


def test_another_formula_gives_another_figure(ask: Ask) -> None:
    said = ask("What is our win rate?", keywords={"Win rate": "won / number of deals"})
    assert figure(said) == pytest.approx(100 * one(ask, "How many deals are Closed won?") / 240)


def test_a_formula_holds_for_groups_orders_and_periods(ask: Ask) -> None:
    by_region = {row[0]: row[1] for row in rows(ask("AOV by region"))}
    assert set(by_region) == {"North", "East", "West"}
    best = max(by_region, key=lambda region: float(str(by_region[region])))
    assert rows(ask("Which region has the highest AOV?")) == [(best, by_region[best])]
    total, count = one(ask, "total amount in 2024"), one(ask, "number of deals in 2024")
    compared = rows(ask("AOV in 2024 vs 2023"))[0]
    assert float(str(compared[0])) == pytest.approx(total / count)


def test_a_formula_keeps_its_unit(ask: Ask) -> None:
    said = ask("seat price by stage")
    assert said.result is not None
    assert said.result.columns[-1].unit == "USD"
    assert said.result.columns[-1].name == "Seat price"


def test_a_change_of_a_formula_is_explained(ask: Ask) -> None:
    said = ask("Why did AOV fall in Q3 2024?")
    assert said.text.startswith("The AOV is **down")
    assert sum(float(str(row[-1])) for row in rows(said)) == pytest.approx(100)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("How many active deals do we have?", "How many open deals do we have?"),
        ("total amount in Western", "total amount of owners in region West"),
        ("total amount of Enterprise deals", "total amount of deals with more than 20 seats"),
        ("how many key deals are there?", "How many deals have an amount over 20000?"),
        ("TDV", "total amount"),
    ],
)
def test_a_filter_restricts_the_rows(ask: Ask, text: str, plain: str) -> None:
    assert figure(ask(text)) == one(ask, plain)


def test_a_filter_reaches_another_table_and_says_so(ask: Ask) -> None:
    said = ask("total amount by stage for Western")
    assert "Region is West" in said.evidence.filters
    assert said.evidence.definitions[0] == "Western (as your organization defines it): region is West"
    assert said.assumptions[0] == said.evidence.definitions[0]


def test_several_keywords_hold_together(ask: Ask) -> None:
    said = ask("win rate of Western Enterprise deals in 2024")
    assert {text.split(" (as")[0] for text in said.evidence.definitions[:3]} == {"Win rate", "Western", "Enterprise"}
    assert set(said.evidence.filters) >= {"Region is West", "Seats are over 20"}


def test_keywords_of_one_column_stand_side_by_side(ask: Ask) -> None:
    found = {row[0]: row[1] for row in rows(ask("compare the total amount of Western and Northern"))}
    assert {name: float(str(value)) for name, value in found.items()} == {
        "Western": one(ask, "total amount of owners in region West"),
        "Northern": one(ask, "total amount of owners in region North"),
    }


def test_what_cannot_be_read_is_left_aside_and_said(ask: Ask) -> None:
    said = ask("How many reps are there?", keywords={"Reps": "the people who sell"})
    assert said.status == "answered"
    assert said.evidence.notes[0].startswith("The keyword “Reps” could not be used as a formula or a filter here")
    assert not any("Reps" in text for text in said.evidence.definitions)


@pytest.mark.parametrize(
    ("text", "keywords", "plain"),
    [
        ("What is our win rate?", {"Win rate": "closed won deals divided by closed deals"}, "win rate"),
        ("sales cycle length", {"Sales cycle length": "close date - create date"},
         "average days between create date and close date"),
    ],
)  # fmt: skip
def test_a_keyword_named_like_a_built_in_figure_takes_its_place(
    ask: Ask, text: str, keywords: dict[str, str], plain: str
) -> None:
    said = ask(text, keywords=keywords)
    ((term, definition),) = keywords.items()
    assert said.evidence.definitions[0] == f"{term} (as your organization defines it): {definition}"
    assert rows(said)[0][0] == pytest.approx(rows(ask(plain, keywords={}))[0][0])
    assert not any("could not be used" in note for note in said.evidence.notes)


@pytest.mark.parametrize(
    "definition",
    ["how often, in our own reckoning, the team gets to a signature in the end", "won amount / planned bookings"],
)
def test_a_built_in_figure_is_never_said_to_be_unusable(ask: Ask, definition: str) -> None:
    said = ask("What is our win rate?", keywords={"Win rate": definition})
    assert rows(said) == rows(ask("win rate", keywords={}))
    assert f"Win rate is computed by its built-in definition. Your organization's says: {definition}" in (
        said.evidence.notes
    )
    assert not any("could not be used" in text for text in (*said.evidence.notes, *said.assumptions, said.text))


def test_a_formula_whose_figures_are_not_there_is_no_other_word_for_one_that_is(ask: Ask) -> None:
    said = ask("How many reps are there?", keywords={"Reps": "planned seats / booked seats"})
    assert said.evidence.definitions == ()
    assert said.evidence.notes[0].startswith("The keyword “Reps” could not be used")


def test_a_definition_in_the_context_counts_as_well(ask: Ask) -> None:
    said = ask("total amount of Southern", keywords={}, context="We sell software.\nSouthern = region is East\n")
    assert figure(said) == one(ask, "total amount of owners in region East")
    plain = ask("total amount by stage", keywords={}, context="Notes: amount means money.")
    assert plain.evidence.notes == ask("total amount by stage", keywords={}).evidence.notes


def test_keywords_that_are_not_said_change_nothing(ask: Ask) -> None:
    assert ask("total amount by stage") == ask("total amount by stage", keywords={})


def test_the_same_question_has_the_same_answer(ask: Ask) -> None:
    assert ask("AOV by region") == ask("AOV by region")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("region is DE, West or East", "region is DE, West or East"),
        ("stage not closed", "stage is not Closed won or Closed lost"),
        ("a deal whose stage is Closed Won", "stage is Closed won"),
        ("amount over $10k", "amount is over 10,000"),
        ("seats at least 10 and stage is Proposal", "seats are at least 10 and stage is Proposal"),
        ("lead source is empty", "lead source is missing"),
        ("deal name contains 'Deal 1'", "deal name contains “Deal 1”"),
        ("region is Mars", None),
        ("colour is blue", None),
        ("people we like", None),
    ],
)
def test_definitions_of_rows(catalog: FixedCatalog, text: str, words: str | None) -> None:
    found = rows_of(text, catalog)
    assert (predicate_words(found.predicate) if found is not None else None) == words


@pytest.mark.parametrize("text", ["won", "won /", "(won + lost", "won lost)", "/ won", "", "a + * b", "((((", "1 +"])
def test_what_is_no_formula_is_none(text: str) -> None:
    assert parsed(text) is None


def test_multiplication_binds_before_addition() -> None:
    assert parsed("a + b * (c - d) / 2") == parsed("a + ((b * (c - d)) / 2)")
    assert parsed("won-lost") is None
    assert parsed("sign-ups / visits") == parsed("sign-ups divided by visits")


def test_a_keyword_that_stands_fifty_times_is_not_tried_at_every_place(catalog: FixedCatalog) -> None:
    texts: list[str] = []

    def read(question: Question) -> list[Reading]:
        texts.append(question.text)
        return []

    often = Question("warm deals " * 50, today=TODAY, keywords={"Warm": "region is West"})
    with_keywords(often, catalog, read)
    assert len(texts) == len(set(texts)) < 25
