"""A question's readings from all who read: about the data itself, comparisons, and the readers of `language`."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.conversation.editing import edited, unclear
from apps.analyst.conversation.explaining import explaining
from apps.analyst.knowledge.english import english
from apps.analyst.language import ANSWER_THRESHOLD, METRICS, Reading
from apps.analyst.language.choose import read
from apps.analyst.language.named_files import file_named
from apps.analyst.plan import Clarify, Query
from apps.analyst.plan.entries import with_all_entries
from apps.analyst.ports import Catalog
from apps.analyst.reading.amended import is_heeded
from apps.analyst.reading.dates import as_taught
from apps.analyst.reading.keywords import with_keywords
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.reading.rules.about import about
from apps.analyst.reading.rules.comparing import comparing
from apps.analyst.reading.rules.contrasts import contrasting
from apps.analyst.reading.rules.fiscal import with_fiscal_years
from apps.analyst.reading.rules.flowing import flowing
from apps.analyst.reading.shared_words import with_shared_words
from apps.analyst.reading.sorting import of_several
from apps.analyst.reading.wholes import of_lines, with_wholes_counted
from apps.analyst.tables.scoped import narrowed
from apps.analyst.types import Question

SAID_BEFORE = frozenset({"editing", "memory", "clarifying", "about", "explaining", ""})
"""Readers whose reading follows from what was said or chosen before, not from this question's words alone."""


def understood(question: Question, catalog: Catalog) -> list[Reading]:
    """The question's readings, the surest first. Never raises; empty where nothing was understood."""

    def read_plain(plain: Question) -> list[Reading]:
        readings = with_fiscal_years(plain, lambda text: _read(text, catalog))
        heard = [reading for reading in readings if _hears(reading, plain, catalog)]
        taught = [replace(reading, plan=as_taught(reading.plan, plain, catalog)) for reading in heard]
        taught = [made for reading in taught if (made := _of_wholes(reading, plain, catalog)) is not None]
        taught = [_with_several(reading, plain, catalog) for reading in taught]
        if english().together.isdisjoint(tokens_of(plain.text)):
            return taught
        return [_with_all(reading, catalog) for reading in taught]

    return with_keywords(question, catalog, read_plain)


def _hears(reading: Reading, question: Question, catalog: Catalog) -> bool:
    """Whether a reading of the question's words has in it what no sketch can say; one by a definition counts periods in
    its own way (fiscal years), and a question back reads nothing yet."""
    said = reading.reader in SAID_BEFORE or bool(reading.definitions) or isinstance(reading.plan, Clarify)
    return said or is_heeded(reading.plan, link(question, catalog))


def _of_wholes(reading: Reading, question: Question, catalog: Catalog) -> Reading | None:
    """The reading with what rows are lines of counted, where that is named, and all values that its words share; None
    where it splits a whole thing's amount over its lines."""
    tokens = tokens_of(question.text)
    shared = reading.plan if reading.reader in SAID_BEFORE else with_shared_words(reading.plan, tokens, catalog)
    plan = of_lines(with_wholes_counted(shared, tokens, catalog), catalog)
    return replace(reading, plan=plan) if plan is not None else None


def _with_all(reading: Reading, catalog: Catalog) -> Reading:
    """The reading for rows that list all entries which are named; what goes on from an answer says so in other ways."""
    if reading.reader in SAID_BEFORE:
        return reading
    return replace(reading, plan=with_all_entries(reading.plan, catalog))


def _with_several(reading: Reading, question: Question, catalog: Catalog) -> Reading:
    """The reading with all that it ranks where several are asked for and nobody said how many."""
    plan = reading.plan
    if reading.reader in SAID_BEFORE or not isinstance(plan, Query) or plan.limit != 1:
        return reading
    return replace(reading, plan=of_several(plan, link(question, catalog)))


def _read(question: Question, catalog: Catalog) -> list[Reading]:
    changed = edited(question, catalog) if question.turns else None
    if changed is not None:
        return [changed]
    itself = about(question.text, catalog)
    if itself is not None:
        return [itself]
    named = file_named(question.text, catalog.tables())
    if named is not None:
        question = replace(question, text=named[0])
        readings = _read(question, narrowed(catalog, None, tables=named[1]))
        if readings and readings[0].score >= ANSWER_THRESHOLD:
            return readings
    explained = explaining(question, catalog)
    if explained is not None:
        return [explained]
    moving = flowing(question, catalog)
    if moving is not None:
        return [moving]
    held = contrasting(question, catalog)
    if held is not None:
        return [held]
    readings = read(question, catalog)
    metric = bool(readings) and readings[0].reader == METRICS
    compared = comparing(question, catalog, only_along_time=metric)
    found = [compared, *readings] if compared is not None else readings
    sure = bool(found) and found[0].score >= ANSWER_THRESHOLD
    return found if sure or not question.turns else [*unclear(question, catalog), *found]
