"""What says which of several files is meant: the question's words, its thread, or what people settled for always."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TypeVar

from apps.analyst.knowledge.folding import folded
from apps.analyst.language.named_files import file_named
from apps.analyst.plan import Clarify, ColumnRef, Constant, Plan
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Question

T = TypeVar("T")


def meant_files(question: Question, plan: Plan, held: Mapping[str, T], catalog: Catalog) -> dict[str, T]:
    """Those of the files, with what each holds, that are meant as far as anything says so; all of them where nothing
    does."""
    said = named_files(question, plan, held, catalog)
    names = said or _of_the_thread(question, held) or _before_others(held, catalog) or frozenset(held)
    return {name: what for name, what in held.items() if name in names}


def named_files(question: Question, plan: Plan, names: Mapping[str, object], catalog: Catalog) -> frozenset[str]:
    """Those files that the question names best, by words that not all of them have; none where it names none. A word
    that names a column or a value which the plan reads names no file besides, unless the file's whole name is said."""
    tables = [table for table in catalog.tables() if table.name in names]
    if not tables:
        return frozenset()
    text = f" {_plain(question.text)} "
    ways = {t.name: [_plain(t.name), _plain(PurePath(t.file_name).stem)] for t in tables}
    named = file_named(question.text, tables)
    if named is not None:
        return _with_others_said(named[1] & names.keys(), ways, text)
    words = {name: frozenset(" ".join(way).split()) for name, way in ways.items()}
    shared = frozenset.intersection(*words.values())
    asked = (Counter(text.split()) - Counter(_read(plan))).keys() - shared
    fits = {
        name: len(own - shared if any(" " in way and f" {way} " in text for way in ways[name]) else own & asked)
        for name, own in words.items()
    }
    most = max(fits.values())
    return frozenset(name for name, fit in fits.items() if fit == most) if most else frozenset()


def _with_others_said(named: frozenset[str], ways: Mapping[str, Sequence[str]], text: str) -> frozenset[str]:
    """The files that are named with those that are said beside them by the whole of a longer name ("in orders_jan and
    orders_feb"), which is no part of a name that was said."""
    taken = [way for name in named for way in ways.get(name, ())]
    whole = ((name, way) for name, own in ways.items() for way in own if " " in way and f" {way} " in text)
    return named | {name for name, way in whole if not any(way in longer for longer in taken)}


def _read(plan: Plan) -> set[str]:
    """The words of the columns and values that a plan reads."""
    nodes = list(every(plan))
    said = [node.column for node in nodes if isinstance(node, ColumnRef)]
    said += [str(node.value) for node in nodes if isinstance(node, Constant) and node.type == "text"]
    return {word for name in said for word in _plain(name).split()}


def _plain(text: object) -> str:
    return folded(str(text).replace("_", " "))


def _of_the_thread(question: Question, names: Mapping[str, object]) -> frozenset[str]:
    """The files of the thread's last answer, whatever was only asked back since."""
    told = (turn.plan for turn in reversed(question.turns) if turn.plan is not None)
    last = next((plan for plan in told if not isinstance(plan, Clarify)), None)
    return tables_of(last) & names.keys() if last is not None else frozenset()


def _before_others(names: Mapping[str, object], catalog: Catalog) -> frozenset[str]:
    """The file that people take before all the others."""
    found = set()
    for table in catalog.tables():
        own = next((entry for entry in table.taught if entry.column == ""), None)
        if table.name in names and own is not None and names.keys() - {table.name} <= set(own.before):
            found.add(table.name)
    return frozenset(found) if len(found) == 1 else frozenset()
