"""What a model is told for one question: the catalog, the words of the organization, the conversation. Pure text.

Models see names, types, and as far as the organization lets them profiles and matching values, never whole tables
(`told`). What stands in cells, names and contexts is quoted as data; a model that obeys it can still only make a plan,
and every plan is held against the catalog.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from apps.analyst.approaches.models.data import cut, join_line, table_lines
from apps.analyst.approaches.models.told import Secrets, Told
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.language import lexicon
from apps.analyst.language.tagging import ColumnHit, TableHit, ValueHit, tag
from apps.analyst.plan import Plan
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.terms import mentions
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Column, Question, Table, Turn

_plans: TypeAdapter[Plan] = TypeAdapter(Plan)
MOST_TABLES, MOST_COLUMNS = 20, 60
MOST_MATCHES, MOST_KEYWORDS = 12, 100
MOST_LIKE = 4
"""Values of one column that the same words of a question may mean."""
MOST_PROVEN, MOST_TURNS = 5, 4
MOST_SAID = 400


def asked(question: Question, catalog: Catalog, told: Told = "values") -> str:
    """The question with everything that may help to plan it, as far as models are told."""
    near = _near(question, catalog)
    lines = [f"Today is {question.today.isoformat()}.", "<data>", *_catalog(catalog, near, told)]
    if question.context:
        lines.append(f"organization: {cut(question.context)}")
    if told == "values":
        lines += [value for _, value in near.values][:MOST_MATCHES]
    lines += _keywords(question)
    if told == "values":  # a plan holds the values that it compares with
        lines += [f"proven question: {p.question}\nits plan: {_json(p.plan)}" for p in question.proven[:MOST_PROVEN]]
    for turn in question.turns[-MOST_TURNS:]:
        lines += _turn(turn, told)
    lines += ["</data>", f"Question: {question.text}"]
    return "\n".join(lines)


def open_only(question: Question, secrets: Secrets) -> Question:
    """The question without the texts of others and of before that speak of what is private."""
    keywords = {
        term: text for term, text in question.keywords.items() if not secrets.speaks(term) and not secrets.speaks(text)
    }
    return replace(
        question,
        context=secrets.kept(question.context),
        keywords=keywords,
        proven=tuple(p for p in question.proven if secrets.tells(p.plan) and not secrets.speaks(p.question)),
        turns=tuple(turn for turn in question.turns if _open(turn, secrets)),
    )


def _open(turn: Turn, secrets: Secrets) -> bool:
    if turn.plan is not None and not secrets.tells(turn.plan):
        return False
    return not any(secrets.speaks(text) for text in (turn.question, turn.query, turn.answer))


def _turn(turn: Turn, told: Told) -> Iterator[str]:
    yield f"asked before: {turn.question}"
    if told != "values":
        return
    if turn.plan is not None:
        yield f"its plan: {_json(turn.plan)}"
    elif turn.query:
        yield f"its query: {cut(turn.query)}"
    if turn.answer:
        yield f"it was answered: {_quoted(turn.answer, MOST_SAID)}"


def _keywords(question: Question) -> list[str]:
    """All keywords as far as there is room, those that the question says before the others."""
    said = {mention.definition.term: mention.definition.text for mention in mentions(question)}
    ordered = {**said, **question.keywords}
    return [f"keyword {term}: {cut(meaning)}" for term, meaning in list(ordered.items())[:MOST_KEYWORDS]]


def again(reason: str, shape: str = "") -> str:
    """What a rejected reply is answered with: the reason, and how its node should be written."""
    written = f" It is written {shape}" if shape else ""
    return f"That cannot be used: {cut(reason)}{written}\nReply with the corrected JSON object alone."


def wording(question: Question, told: str, table: str) -> str:
    """Asks for the answer's text over a computed table."""
    style = {"Concise": "one sentence", "Explanatory": "a short paragraph that explains what stands out"}
    return (
        f"The plan was computed. The result, as data:\n<data>\n{table}\n</data>\nIts template text: {told}\n"
        f"Write the answer to “{question.text}” in {style.get(question.style, 'two or three sentences')}, plain "
        "Markdown without a table. Use only figures of the result. Reply with the text alone."
    )


@dataclass
class _Near:
    """What the words of the question name, and what was talked about before: with a score, the likeliest highest."""

    tables: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    columns: set[tuple[str, str]] = field(default_factory=set)
    values: list[tuple[float, str]] = field(default_factory=list)
    """Stored values, however rare: profiles hold the frequent ones only. Each as a line to tell."""


def _near(question: Question, catalog: Catalog) -> _Near:
    near = _Near()
    values: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
    for item in tag(question.text, lexicon.build(catalog)).items:
        in_columns: list[ColumnHit | ValueHit] = [*item.columns, *item.values]
        named: list[TableHit | ColumnHit | ValueHit] = [*item.tables, *in_columns]
        for one in named:
            near.tables[one.table] = max(near.tables[one.table], one.score)
        near.columns |= {(one.table, one.column) for one in in_columns}
        for hit in item.values:
            if item.number is not None and not _says_number(catalog, hit):
                continue
            found = values[item.text, hit.table, hit.column]
            found[hit.value] = max(found.get(hit.value, 0.0), hit.score)
    for plan in (*(p.plan for p in question.proven), *(turn.plan for turn in question.turns[-1:])):
        for name in tables_of(plan) if plan is not None else ():
            near.tables[name] = 2.0
    lines = (
        (max(found.values()), _value_line(*place, sorted(found, key=lambda value: -found[value])))
        for place, found in values.items()
    )
    near.values = sorted(lines, key=lambda pair: -pair[0])
    return near


def _value_line(said: str, table: str, column: str, values: list[str]) -> str:
    """What words of the question may be stored as."""
    listed = " ".join(map(_quoted, values[:MOST_LIKE]))
    more = f" or {len(values) - MOST_LIKE} more values" if len(values) > MOST_LIKE else ""
    held = f"is the value {listed}" if len(values) == 1 else f"may be {listed}{more}"
    return f"the question's {_quoted(said)} {held} of {_quoted(column)} in {_quoted(table)}"


def _says_number(catalog: Catalog, hit: ValueHit) -> bool:
    """Whether a number in a question may stand for a value: seldom for the number of a row, or for a "yes"."""
    table = next((table for table in catalog.tables() if table.name == hit.table), None)
    column = table.column(hit.column) if table is not None else None
    numbers = column is not None and (column.role == "id" or column.type in ("integer", "decimal", "float"))
    return not numbers and any(letter.isdigit() for letter in hit.value)


def _quoted(text: str, most: int = 60) -> str:
    return json.dumps(text[:most], ensure_ascii=False)


def _catalog(catalog: Catalog, near: _Near, told: Told) -> Iterator[str]:
    """The tables that the question is most likely about in full, of more the names."""
    ordered = sorted(catalog.tables(), key=lambda table: (-near.tables[table.name], table.example))
    full, others = ordered[:MOST_TABLES], [table.name for table in ordered[MOST_TABLES:]]
    meanings = dictionary_of(catalog)
    for table in full:
        columns, further = _columns(table, near)
        yield from table_lines(table, meanings.get(table.name), columns, further, told)
    names = {table.name for table in full}
    yield from (join_line(join, told) for join in catalog.joins() if {join.left_table, join.right_table} <= names)
    if others:
        yield f"further tables: {cut(', '.join(json.dumps(name, ensure_ascii=False) for name in others))}"


def _columns(table: Table, near: _Near) -> tuple[list[Column], list[str]]:
    """The columns that are told, those that the question names before others, and the names of the rest."""
    likely = {column.name for column in table.columns if (table.name, column.name) in near.columns}
    room = max(MOST_COLUMNS - len(likely), 0)
    likely |= set([column.name for column in table.columns if column.name not in likely][:room])
    told = [column for column in table.columns if column.name in likely]
    return told, [column.name for column in table.columns if column.name not in likely]


def _json(plan: Plan) -> str:
    return _plans.dump_json(plan, exclude_defaults=True).decode()
