"""Figures that a question names and the data have in no column, made of columns that they do have: "revenue" over order
lines with a unit price and a quantity. Such definitions are `knowledge`; an organization's own stand before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.entries import Derived
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.language import ANSWER_THRESHOLD, read
from apps.analyst.ports import Catalog
from apps.analyst.reading.coverage import NEAR_ENOUGH
from apps.analyst.reading.keywords.applying import BUILT_IN
from apps.analyst.reading.keywords.formula_rows import NUMBERS
from apps.analyst.reading.keywords.formula_trees import Tree, leaves, parsed
from apps.analyst.reading.keywords.made_of import lacking, made_of
from apps.analyst.reading.keywords.term_columns import meant_columns
from apps.analyst.reading.linking import DERIVED, NAMING, link
from apps.analyst.reading.values_said import phrases_of
from apps.analyst.tables.scoped import without_examples
from apps.analyst.telling.formats import is_number, spoken
from apps.analyst.types import Column, Question, Table

SURE = 0.6
"""How sure the dictionary is of what a column is, so that a formula may use it."""
RATES = "rates"
"""The reader of rates of cases that are decided."""
_NAMED = [channel for channel in NAMING if channel != DERIVED]


def with_known_figures(question: Question, catalog: Catalog) -> Question:
    """The question with what figures that it names are made of, where no column is called so and one table has all that
    they are made of, row by row. Where people brought files of their own, the example data say nothing of it."""
    catalog = without_examples(catalog)
    linked = link(question, catalog)
    defined = {term.casefold() for term in question.keywords}
    found: dict[str, str] = {}
    for start, end, phrase in phrases_of(linked.tokens):
        if phrase in defined or not knowledge().derived_of(phrase):
            continue
        fits = linked.channels[start:end][:, :, _NAMED].max(2)
        if float(fits.min(0).max(initial=0.0)) >= NEAR_ENOUGH:
            continue  # a column or a table is called so
        text = next(_texts(phrase, catalog), None) if fits.max() < NEAR_ENOUGH else None
        if text is None:
            made = made_of(phrase, catalog)
            text = made.text if made is not None else None
        if text is not None and not _is_built_in(phrase, question, catalog):
            found[phrase] = text
    return replace(question, known=found) if found else question


def what_lacks(question: Question, catalog: Catalog) -> tuple[tuple[int, int], str] | None:
    """The words of a question for a figure that knowledge has a formula for and these data cannot make, and why; None
    where they say none such, and where the words name something that the data have."""
    catalog = without_examples(catalog)
    linked = link(question, catalog)
    defined = {term.casefold() for term in (*question.keywords, *question.known)}
    longest = sorted(phrases_of(linked.tokens), key=lambda found: found[0] - found[1])
    for start, end, phrase in longest:
        if phrase in defined or not english().statistic_words.isdisjoint(phrase.split()):
            continue
        if float(linked.channels[start:end][:, :, _NAMED].max(initial=0.0)) >= NEAR_ENOUGH:
            continue
        why = lacking(phrase, catalog)
        if why is not None and not _is_built_in(phrase, question, catalog):
            return (start, end), why
    return None


def _is_built_in(phrase: str, question: Question, catalog: Catalog) -> bool:
    """Whether the rules know the figure over these data: they know of which rows, too ("weighted pipeline"), and that
    some are not decided yet ("approval rate")."""
    first = next(iter(read(Question(phrase, question.today), catalog)), None)
    return first is not None and first.reader in (BUILT_IN, RATES) and first.score >= ANSWER_THRESHOLD


def _texts(phrase: str, catalog: Catalog) -> Iterator[str]:
    """The formulas that a phrase is known by, over the columns of one table."""
    for derived in knowledge().derived_of(phrase):
        tree = parsed(derived.formula) if derived.unit == "money" else None
        terms = [leaf for leaf in leaves(tree) if isinstance(leaf, str)] if tree is not None else []
        if tree is None or len(set(terms)) < 2 or not _is_product(tree):
            continue
        for table in catalog.tables():
            columns = _columns(terms, table, catalog)
            if columns is not None:
                yield _text(derived, terms, columns, table, catalog)


def _is_product(tree: Tree) -> bool:
    return getattr(tree, "sign", "") == "*"


def _columns(terms: list[str], table: Table, catalog: Catalog) -> Mapping[str, Column] | None:
    """The columns of a table that the terms are; None where one is missing or two are the same."""
    found = {term: column for term in terms if (column := _column(term, table, catalog)) is not None}
    return found if len(found) == len({column.name for column in found.values()}) == len(set(terms)) else None


def _column(term: str, table: Table, catalog: Catalog) -> Column | None:
    """The table's column that is surest to be what the term says."""
    found = meant_columns(term, table, dictionary_of(catalog).get(table.name), SURE)
    scored = [(score, column) for score, column in found if column.type in NUMBERS]
    return max(scored, key=lambda pair: pair[0])[1] if scored else None


def _text(derived: Derived, terms: list[str], columns: Mapping[str, Column], table: Table, catalog: Catalog) -> str:
    text = derived.formula
    for term in sorted(set(terms), key=len, reverse=True):
        text = text.replace(term, spoken(columns[term].name))
    less = _column(derived.less, table, catalog) if derived.less else None
    return f"{text} * (1 - {spoken(less.name)})" if less is not None and _is_fraction(less) else text


def _is_fraction(column: Column) -> bool:
    low, high = column.minimum, column.maximum
    return is_number(low) and is_number(high) and low >= 0 and high <= 1
