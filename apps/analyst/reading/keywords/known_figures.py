"""Figures that a question names and the data have in no column, made of columns that they do have: "revenue" over order
lines with a unit price and a quantity. Such definitions are `knowledge`; an organization's own stand before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.entries import Derived
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.language import ANSWER_THRESHOLD, METRICS
from apps.analyst.language.choose import read
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.coverage import NEAR_ENOUGH
from apps.analyst.reading.keywords.formula_rows import NUMBERS
from apps.analyst.reading.keywords.formula_trees import Tree, leaves, parsed
from apps.analyst.reading.keywords.held_amounts import is_held
from apps.analyst.reading.keywords.made_of import lacking, made_of
from apps.analyst.reading.keywords.term_columns import meant_columns
from apps.analyst.reading.linking import DERIVED, NAMING, link
from apps.analyst.reading.values_said import phrases_of
from apps.analyst.tables.scoped import without_examples
from apps.analyst.telling.formats import is_number, spoken
from apps.analyst.types import Column, Question, Table

SURE = 0.6
"""How sure the dictionary is of what a column is, so that a formula may use it."""
_ALL = 100
"""All of something in percent."""
RATES = "rates"
"""The reader of rates of cases that are decided."""
_NAMED = [channel for channel in NAMING if channel != DERIVED]


def with_known_figures(question: Question, catalog: Catalog, warehouse: Warehouse | None = None) -> Question:
    """The question with what figures that it names are made of, where no column is called so and one table has all that
    they are made of, row by row, and no column that holds what is made (without a warehouse as far as that was found
    before). Where people brought files of their own, the example data say nothing of it."""
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
        text = next(_texts(phrase, catalog, warehouse), None) if fits.max() < NEAR_ENOUGH else None
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
        if phrase in english().cues["change"]:
            continue  # the difference of what else is named
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
    return first is not None and first.reader in (METRICS, RATES) and first.score >= ANSWER_THRESHOLD


def _texts(phrase: str, catalog: Catalog, warehouse: Warehouse | None) -> Iterator[str]:
    """The formulas that a phrase is known by, over the columns of one table that has the figure in no column."""
    for derived in knowledge().derived_of(phrase):
        tree = parsed(derived.formula) if derived.unit == "money" else None
        terms = [leaf for leaf in leaves(tree) if isinstance(leaf, str)] if tree is not None else []
        if tree is None or len(set(terms)) < 2 or not _is_product(tree):
            continue
        for table in catalog.tables():
            columns = _columns(terms, table, catalog)
            if columns is None:
                continue
            less = _column(derived.less, table, catalog) if derived.less else None
            if not is_held(table, list(columns.values()), less, catalog, warehouse):
                yield _text(derived, terms, columns, less)


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


def _text(derived: Derived, terms: list[str], columns: Mapping[str, Column], less: Column | None) -> str:
    text = derived.formula
    for term in sorted(set(terms), key=len, reverse=True):
        text = text.replace(term, spoken(columns[term].name))
    share = _share(less) if less is not None else ""
    return f"{text} * (1 - {share})" if share else text


def _share(column: Column) -> str:
    """What a column says as a share of one, in the words of a formula; "" where it holds no shares."""
    low, high = column.minimum, column.maximum
    if not is_number(low) or not is_number(high) or low < 0:
        return ""
    if high <= 1:
        return spoken(column.name)
    return f"{spoken(column.name)} / 100" if column.unit == "%" and high <= _ALL else ""
