"""The knowledge files keep to their schema, do not contradict each other, and are found by their words."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import pytest

from apps.analyst.knowledge.entries import Codes, State
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.known import Knowledge
from apps.analyst.knowledge.loader import (
    COMPILED,
    compiled,
    digest,
    files,
    knowledge,
    parsed,
    written,
)
from apps.analyst.knowledge.schema import (
    Abbreviations,
    Domain,
    UnitLists,
    faults_between,
    faults_of_file,
    itself,
    keys_twice,
    opposite_states,
)

ABBREVIATIONS, UNITS, *DOMAINS = files()
OWN = ("general", "time", "people", "money", "sales", "crm", "marketing", "support", "subscriptions", "ecommerce")


@pytest.fixture(scope="module")
def known() -> Knowledge:
    return knowledge()


@pytest.mark.parametrize("path", DOMAINS, ids=lambda path: path.stem)
def test_every_domain_fits_the_schema(path: Path) -> None:
    assert list(faults_of_file(path, parsed(path))) == []


def test_domains_do_not_contradict_each_other() -> None:
    assert list(faults_between([Domain.model_validate(parsed(path)) for path in DOMAINS])) == []


def test_abbreviations_fit_the_schema_and_never_stand_for_themselves() -> None:
    tokens = Abbreviations.model_validate(parsed(ABBREVIATIONS)).root
    assert itself(tokens) == []
    assert list(keys_twice(ABBREVIATIONS)) == []
    assert len(tokens) >= 900


def test_units_fit_the_schema() -> None:
    assert UnitLists.model_validate(parsed(UNITS)).bracketed


def test_a_compiled_file_is_current() -> None:
    assert COMPILED.read_text("utf-8") == written(compiled()), "run `python -m apps.analyst.knowledge`"


def test_a_change_of_a_source_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = digest()
    (tmp_path / "concepts").mkdir()
    for path in files():
        (tmp_path / path.relative_to(ABBREVIATIONS.parent)).write_bytes(path.read_bytes())
    (tmp_path / "abbreviations.yaml").write_text("nm: [name]\n", "utf-8")
    monkeypatch.setattr("apps.analyst.knowledge.loader.FOLDER", tmp_path)
    assert digest() != before


@pytest.mark.parametrize("domain", OWN)
def test_every_trade_has_something_to_say(known: Knowledge, domain: str) -> None:
    assert sum(concept.domain == domain for concept in known.concepts.values()) >= 25
    assert sum(verb.domain == domain for verb in known.verbs) >= 15
    assert sum(adjective.domain == domain for adjective in known.adjectives) >= 10
    assert sum(state.domain == domain for state in known.states) >= 15
    assert any(codes.domain == domain for codes in known.codes)
    assert any(derived.domain == domain for derived in known.derived)


def test_a_word_that_ranks_both_ways_is_a_fault() -> None:
    both = [{"words": ["slowest"], "of": "speed", "direction": way} for way in ("high", "low")]
    domain = Domain.model_validate({"domain": "cars", "adjectives": both})
    assert list(faults_between([domain])) == ["slowest speed is high and low"]


def test_a_phrase_for_two_opposite_states_is_a_fault() -> None:
    paid = State("", ("settled", "done"), "bill", values=("paid",), opposites=("open",))
    unpaid = State("", ("open", "done"), "bill", values=("open",), opposites=("paid",))
    assert list(opposite_states([paid, unpaid])) == ["bill 'done' is 'settled' and 'open'"]


@pytest.mark.parametrize(
    ("written_as", "compared_as"),
    [
        ("No-Shows", "no show"),
        ("Didn't show", "didnt show"),
        ("Categories & Boxes", "category and box"),
        ("  % of   Purchases ", "percent of purchase"),
        ("Café", "cafe"),
        ("status", "status"),
        ("statuses", "status"),
        ("addresses", "address"),
        ("people", "person"),
        ("Gross_Sales", "gross sale"),
        ("", ""),
    ],
)
def test_phrases_are_compared_without_case_punctuation_and_plurals(written_as: str, compared_as: str) -> None:
    assert folded(written_as) == compared_as
    assert folded(compared_as) == compared_as


def test_a_token_is_spelled_out_likeliest_first(known: Knowledge) -> None:
    assert known.expansions("STR")[:2] == ("store", "street")
    assert known.expansions("amt") == ("amount",)
    assert known.expansions("amount") == ()


def test_a_concept_is_found_by_what_people_call_it(known: Knowledge) -> None:
    assert "sales.salesperson" in {concept.id for concept in known.said("Sales Reps")}
    assert "money.revenue" in {concept.id for concept in known.said("takings")}
    assert known.said("xyzzy") == ()


def test_a_column_of_known_words_is_surely_that_concept(known: Knowledge) -> None:
    best, score = known.named(("order", "date"))[0]
    assert (best.label, score) == ("order date", 1.0)


def test_the_last_word_of_a_name_says_what_it_is(known: Knowledge) -> None:
    found = known.named(("customer", "number"))
    assert found[0][0].kind == "id"
    assert len(found) <= 5
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert known.named(()) == ()


def test_longer_names_still_tell_what_they_hold(known: Knowledge) -> None:
    labels = [concept.label for concept, _ in known.named(("store", "order", "date"))]
    assert "order date" in labels


def test_of_concepts_that_fit_alike_the_trade_of_the_table_comes_first(known: Knowledge) -> None:
    without = known.named(("status",))
    within = known.named(("status",), {"support": 0.7, "sales": 0.2})
    assert without[0][0].id == "general.status"
    assert within[0][0].domain == "support"


def test_a_new_word_does_not_hide_what_the_name_ends_with(known: Knowledge) -> None:
    assert known.named(("zorbing", "date"))[0][0].kind == "date"


def test_a_verb_says_what_happened_and_when(known: Knowledge) -> None:
    verbs = [verb for verb in known.verbs_of("bought") if verb.domain == "sales"]
    assert [(verb.event, verb.subject, verb.date) for verb in verbs] == [("order", "customer", "order date")]


def test_an_adjective_says_what_it_ranks_by_and_which_end(known: Knowledge) -> None:
    found = {(adjective.of, adjective.direction) for adjective in known.adjectives_of("priciest")}
    assert ("price", "high") in found
    assert not any(direction == "low" for of, direction in found if of == "price")


def test_a_state_is_found_by_phrases_cells_and_flags(known: Knowledge) -> None:
    assert "bill" in {state.of for state in known.states_of("not yet paid")}
    assert "opportunity" in {state.of for state in known.states_said("Closed-Won")}
    assert "bill" in {state.of for state in known.states_denied("UNPAID")}
    assert any("cancelled" in state.words for state in known.states_flagged("Is_Cancelled"))


def test_a_code_is_read_by_the_column_it_stands_in(known: Knowledge) -> None:
    assert known.code("F", ("gender",)) == "female"
    assert known.code("f", ("customer", "gender")) == "female"
    assert known.code("CC", ("payment", "method")) == "credit card"
    assert known.code("CC", ("tender", "types")) == "credit card"
    assert known.code("F", ("favourite", "letter")) is None
    assert known.code("ZZ", ("gender",)) is None


def test_codes_of_columns_that_are_named_in_more_words_come_first() -> None:
    general = Codes("general", "status", {"S": "suspended"})
    orders = Codes("sales", "order status", {"S": "shipped"})
    both = Knowledge({}, knowledge().units, {}, (), (), (), (general, orders), ())
    assert both.code("S", ("order", "status")) == "shipped"
    assert both.code("S", ("status",)) == "suspended"


def test_a_derived_figure_has_a_formula(known: Knowledge) -> None:
    formulas = {derived.formula for derived in known.derived_of("Win rates") if derived.domain == "crm"}
    assert formulas == {"count(opportunity [won]) / count(opportunity [won], opportunity [lost])"}


def test_the_longest_phrase_bounds_what_needs_to_be_looked_up(known: Knowledge) -> None:
    assert 4 <= known.longest <= 12


def test_names_of_very_many_columns_are_not_kept_for_ever():
    known = knowledge()
    known.named(("order", "amount"))
    kept = []
    for first in (1_000, 2_500):  # once at most a cache that was filled before grows by its own room
        gc.collect()
        tracemalloc.start()
        try:
            for number in range(first, first + 1_500):
                known.named(("order", "amount", f"x{number}"))
            gc.collect()
            kept.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
    assert min(kept) < 2 << 20, f"{min(kept) >> 10} KiB are kept of 1,500 names"


def test_a_word_that_stands_in_no_name_counts_the_same_whichever_it_is():
    known = knowledge()
    assert known.named(("order", "amount", "qqxa")) == known.named(("order", "amount", "qqxb"))
    assert known.named(("qqxa", "order", "qqxa")) != known.named(("qqxa", "order", "qqxb"))
