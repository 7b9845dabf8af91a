"""What would make a question be read as a person chose, from now on: one entry of the dictionary.

A lesson is only given where the question, read again with it, is read so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from apps.analyst.conversation.readas.elsewhere import elsewhere
from apps.analyst.conversation.readas.marks import SAID, spans_of, unread
from apps.analyst.conversation.readas.names import Names
from apps.analyst.dictionary.lesson import Lesson
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Plan
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog
from apps.analyst.reading.agreeing import figures_key
from apps.analyst.reading.coverage import fits_of
from apps.analyst.reading.linking import Linked, link
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import listed
from apps.analyst.types import Answer, Question, Result, Table, Taught

MOST_NAMED = 4
"""Files that a lesson names."""
Answering = Callable[[Question, Catalog], Answer]
"""Answers a question over a catalog."""


def lesson(
    question: Question, told: Plan, chosen: Plan, catalog: Catalog, result: Result, answers: Answering
) -> Lesson | None:
    """What makes the question be read as `chosen`, which gives `result`, instead of `told`; None where no entry of the
    dictionary does."""
    names = Names(chosen, catalog)
    found = next(_lessons(question, told, chosen, names, catalog), None)
    if found is None:
        return None
    about = narrowed(catalog, None, tables=tables_of(told) | tables_of(chosen))
    said = answers(replace(question, proven=(), turns=()), with_lesson(about, found))
    if said.status != "answered" or said.result is None:
        return None
    return found if figures_key(said.result) == figures_key(result) else None


def _lessons(question: Question, told: Plan, chosen: Plan, names: Names, catalog: Catalog) -> Iterator[Lesson]:
    yield from _other_file(told, chosen, catalog)
    old, new = _columns(told), _columns(chosen)
    gone, come = [ref for ref in old if ref not in new], [ref for ref in new if ref not in old]
    if len(come) == 1 and len(gone) <= 1:
        yield from _dated(gone, come[0], names)
        added = dict(_values(chosen)).get(come[0], "") if not gone else ""
        if held := _value_held(told, chosen, gone, come[0]):
            yield from _value_elsewhere(question, gone[0], come[0], held, names, catalog)
        elif added:
            yield from _value_added(question, come[0], added, chosen, names, catalog)
        else:
            yield from _word_for(question, gone, come[0], chosen, names, catalog)
    elif not gone and not come:
        yield from _value_word(question, told, chosen, names, catalog)
        yield from _adding(told, chosen, names)


def _other_file(told: Plan, chosen: Plan, catalog: Catalog) -> Iterator[Lesson]:
    """The file that is taken before the others that look like it, where one took the place of another."""
    gone, come = tables_of(told) - tables_of(chosen), tables_of(chosen) - tables_of(told)
    others = [other.table for other in elsewhere(chosen, catalog) if other.mine in come]
    if len(gone) == len(come) == 1 and gone <= set(others):
        yield taken_before(min(come), others, catalog)


def taken_before(name: str, others: Sequence[str], catalog: Catalog) -> Lesson:
    """What makes a file be taken before others that could answer as well."""
    table = next(table for table in catalog.tables() if table.name == name)
    text = f"{name} will be taken before {listed(list(others), most=MOST_NAMED)} where a question names no file."
    return Lesson(table.file_name, name, "", text, before=tuple(others))


def _columns(plan: Plan) -> list[ColumnRef]:
    return list(dict.fromkeys(node for node in every(plan) if isinstance(node, ColumnRef) and node.table))


def _word_for(
    question: Question, old: list[ColumnRef], new: ColumnRef, chosen: Plan, names: Names, catalog: Catalog
) -> Iterator[Lesson]:
    """A word for the column: one that else names nothing of what was chosen, or that named the former column."""
    left = unread(question, chosen, catalog)
    words = [question.text[start:end] for start, end in left[:2]]
    words = words if len(words) == 1 else [said_of(question, ref, "", catalog) for ref in old or [new]]
    words = words if any(words) else _ranking_words(question)
    table = names.table_of(new)
    for word in filter(None, words):
        if table is not None and names.stored(new) is not None and not names.is_dated(new):
            text = f"“{word}” will mean {names.label(new)} in {table.name}."
            yield Lesson(table.file_name, table.name, new.column, text, synonym=word)


def _ranking_words(question: Question) -> list[str]:
    """The word by which things are ranked ("best"), where no other names the figure: it may mean one from now on."""
    words = [question.text[start:end] for start, end in spans_of(question.text)]
    return [word for word in words if knowledge().adjectives_of(folded(word))][:1]


def _dated(old: list[ColumnRef], new: ColumnRef, names: Names) -> Iterator[Lesson]:
    """The date that the table's rows go by, where one took the place of another."""
    table = names.table_of(new)
    if table is not None and old and names.table_of(old[0]) is table and all(map(names.is_dated, (*old, new))):
        text = f"Periods of {table.name} will go by {names.label(new)}."
        yield Lesson(table.file_name, table.name, "", text, date_column=new.column)


def _value_word(question: Question, told: Plan, chosen: Plan, names: Names, catalog: Catalog) -> Iterator[Lesson]:
    before, after = _values(told), _values(chosen)
    gone, come = [pair for pair in before if pair not in after], [pair for pair in after if pair not in before]
    if len(gone) != 1 or len(come) != 1 or gone[0][0] != come[0][0]:
        return
    (ref, old), (_, new) = gone[0], come[0]
    word, table = said_of(question, ref, old, catalog), names.table_of(ref)
    if word and table is not None:
        text = f"“{word}” will mean “{new}” in {names.label(ref)}."
        yield Lesson(table.file_name, table.name, ref.column, text, value_synonyms={new: word})


def _value_held(told: Plan, chosen: Plan, gone: Sequence[ColumnRef], come: ColumnRef) -> str:
    """The value that one column is asked for in the place of another ("North", of regions); "" where none is."""
    before, after = dict(_values(told)), dict(_values(chosen))
    return after.get(come, "") if gone and before.get(gone[0]) == after.get(come) else ""


def _value_elsewhere(
    question: Question, old: ColumnRef, new: ColumnRef, value: str, names: Names, catalog: Catalog
) -> Iterator[Lesson]:
    """A word for a value of the column, where it named the same value of another."""
    word, table = said_of(question, old, value, catalog), names.table_of(new)
    if word and table is not None:
        text = f"“{word}” will be looked for in {names.label(new)}."
        yield Lesson(table.file_name, table.name, new.column, text, value_synonyms={value: word})


def _value_added(
    question: Question, ref: ColumnRef, value: str, chosen: Plan, names: Names, catalog: Catalog
) -> Iterator[Lesson]:
    """A word for a value that a condition more asks for: the only one that else names nothing of what was chosen."""
    left, table = unread(question, chosen, catalog), names.table_of(ref)
    if len(left) == 1 and table is not None:
        word = question.text[slice(*left[0])]
        text = f"“{word}” will mean “{value}” in {names.label(ref)}."
        yield Lesson(table.file_name, table.name, ref.column, text, value_synonyms={value: word})


def _values(plan: Plan) -> list[tuple[ColumnRef, str]]:
    return [
        (node.left, node.right.value)
        for node in every(plan)
        if isinstance(node, Compare) and isinstance(node.left, ColumnRef) and isinstance(node.right, Constant)
        if isinstance(node.right.value, str) and node.op == "="
    ]


def _adding(told: Plan, chosen: Plan, names: Names) -> Iterator[Lesson]:
    before, after = ([n for n in every(plan) if isinstance(n, Aggregate)] for plan in (told, chosen))
    if len(before) != 1 or len(after) != 1 or before[0].of != after[0].of or before[0].fn == after[0].fn:
        return
    ref, adds = after[0].of, {"avg": "average", "sum": "sum"}.get(after[0].fn)
    table = names.table_of(ref) if isinstance(ref, ColumnRef) else None
    if adds is not None and isinstance(ref, ColumnRef) and table is not None:
        text = f"{names.label(ref).capitalize()} will be {'averaged' if adds == 'average' else 'added up'}."
        yield Lesson(table.file_name, table.name, ref.column, text, adds=adds)


def fits(linked: Linked, ref: ColumnRef, value: str = "") -> list[float]:
    """How well each word of a question names a column, or with `value` that stored value of it."""
    return fits_of(linked, ref.table, ref.column, value)


def said_of(question: Question, ref: ColumnRef, value: str, catalog: Catalog) -> str:
    """The words of the question that named a column, or with `value` that stored value, as they were written."""
    linked = link(question, catalog)
    spans = spans_of(question.text)
    own = fits(linked, ref, value)
    named = [n for n, fit in enumerate(own) if fit >= SAID]
    if not named or len(spans) < len(linked.tokens):
        return ""
    best = max(named, key=lambda n: own[n])
    first = last = best
    while first - 1 in named:
        first -= 1
    while last + 1 in named:
        last += 1
    return question.text[spans[first][0] : spans[last][1]]


def with_lesson(about: Catalog, taught: Lesson) -> Catalog:
    """The catalog as it would be with the lesson."""
    tables = tuple(
        _taught(table, taught) if table.name == taught.table else _behind(table, taught) for table in about.tables()
    )
    mark = hashlib.sha256(repr((taught, taught.value_synonyms)).encode()).hexdigest()[:16]
    return FixedCatalog(f"{about.version}/{mark}", tables, tuple(about.joins()))


def _behind(table: Table, taught: Lesson) -> Table:
    """Another table, no longer taken before the lesson's where that is taken before it."""
    if table.name not in taught.before:
        return table
    entries = (replace(e, before=tuple(name for name in e.before if name != taught.table)) for e in table.taught)
    return replace(table, taught=tuple(entries))


def _taught(table: Table, taught: Lesson) -> Table:
    known = next((entry for entry in table.taught if entry.column == taught.column), Taught(column=taught.column))
    made = replace(
        known,
        synonyms=(*known.synonyms, taught.synonym) if taught.synonym else known.synonyms,
        value_synonyms={
            **known.value_synonyms,
            **{v: (*known.value_synonyms.get(v, ()), word) for v, word in taught.value_synonyms.items()},
        },
        adds=taught.adds or known.adds,  # type: ignore[arg-type]
        date_column=taught.date_column or known.date_column,
        before=tuple(dict.fromkeys((*known.before, *taught.before))),
    )
    return replace(table, taught=(*(e for e in table.taught if e.column != taught.column), made))
