"""Who reports to whom: a table whose rows refer to other rows of the same table ("employees" with a "reports to").

The reference is found in the data: a column named after a superior whose values are keys of its own table.
"""

from __future__ import annotations

import re
from typing import Literal

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.reading import Reading
from apps.analyst.language.tagging import Tagged
from apps.analyst.plan import (
    Aggregate,
    ColumnRef,
    Compare,
    Constant,
    InQuery,
    Join,
    JoinKey,
    Missing,
    Order,
    Output,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import together
from apps.analyst.ports import Catalog
from apps.analyst.types import Column, Question, Table

_WORKERS = ("employee", "staff", "staff member", "person", "worker", "agent", "rep")
_SURE, _WHOLE = 0.985, 0.9
_SUPERIOR = re.compile(r"report(?:s|ing)?_?(?:to)|manager|supervisor|superior|boss|parent|lead|head", re.IGNORECASE)
_UNDER = re.compile(
    r"\b(?:who|employees?|people|staff|persons?|members?|reps?)?\s*(?:that |who |which )?(?:all )?"
    r"(?:report(?:s|ing)? (?:directly )?to|works? for|(?:is|are) managed by|(?:is|are) supervised by)\s+(?P<name>.+)",
    re.IGNORECASE,
)
_OVER = (
    re.compile(r"\bwho (?:does|do|did) (?P<name>.+?) (?:report to|work for)\b", re.IGNORECASE),
    re.compile(r"\bwho(?: is|'s) (?P<name>.+?)(?:'s|') (?:manager|boss|supervisor|superior)\b", re.IGNORECASE),
    re.compile(r"\bwho(?: is|'s) the (?:manager|boss|supervisor|superior) of (?P<name>.+)", re.IGNORECASE),
    re.compile(r"\bwho (?:manages|supervises) (?P<name>.+)", re.IGNORECASE),
)
_EACH = re.compile(
    r"\b(?:how many|number of|count of) (?:direct )?(?:employees|people|reports|staff|persons|members)\b.*"
    r"\b(?:per|by|each|every|for each|does each|report to each) (?:manager|supervisor|boss|superior)\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:who (?:manages|supervises|leads|oversees)|which (?:manager|supervisor|boss|superior) (?:has|manages|leads)) "
    r"the (?:most|largest number of) (?:direct )?(?:employees|people|reports|staff|persons|members|staff members)\b",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    r"\b(?:manages?|supervises?|leads?|oversees?) "
    r"(?P<how>more than|over|at least|less than|fewer than|under|at most|exactly) (?P<many>\d+) "
    r"(?:direct )?(?:employees|people|reports|staff|persons|members|staff members)\b",
    re.IGNORECASE,
)
_HOW: dict[str, Literal["=", "<", "<=", ">", ">="]] = {
    "more than": ">", "over": ">", "at least": ">=", "less than": "<", "fewer than": "<", "under": "<", "at most": "<=",
    "exactly": "=",
}  # fmt: skip
_CALLS = re.compile(r"report|manage|supervis|oversee|lead|boss|superior|works? for", re.IGNORECASE)


def read(question: Question, catalog: Catalog, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """The reading of a question about superiors; none where no table refers to itself or nobody is named."""
    if not _CALLS.search(question.text):
        return []
    for named in lexicon.tables:
        own = _self_reference(named.table, lexicon)
        plan = _plan(question.text, named.table, own, lexicon, tagged) if own is not None else None
        if plan is not None:
            return [Reading(plan, _SURE, reader="hierarchy", wording=question.text)]
    return []


def _self_reference(table: Table, lexicon: Lexicon) -> tuple[Column, Column] | None:
    """The column that names a row's superior, and the key it refers to."""
    key = lexicon.schema.key_column(table.name)
    if key is None:
        return None
    for column in table.columns:
        fits = column.type == key.type and column.name != key.name and 0 < column.distinct < table.rows
        if fits and _SUPERIOR.fullmatch(re.sub(r"_?id$", "", re.sub(r"\s+", "_", column.name), flags=re.IGNORECASE)):
            return column, key
    return None


def _plan(text: str, table: Table, own: tuple[Column, Column], lexicon: Lexicon, tagged: Tagged) -> Query | None:
    asked = text.strip().rstrip("?.! ")
    superior, key = (ColumnRef(table=table.name, column=column.name) for column in own)
    shown = tuple(Output(label=c.name, expr=ColumnRef(table=table.name, column=c.name)) for c in _names(table, lexicon))
    if not shown:
        return None
    if _EACH.search(asked):
        return _counted(table, superior, key, shown)
    if _MOST.search(asked):
        return _counted(table, superior, key, shown).model_copy(update={"limit": 1, "ties": True})
    so_many = _SO_MANY.search(asked)
    if so_many is not None:
        counted = _counted(table, superior, key, shown)
        many = Constant(value=int(so_many["many"]), type="number")
        number = ColumnRef(table="", column=counted.measures[0].label)
        held = Compare(op=_HOW[so_many["how"].casefold()], left=number, right=many)
        return counted.model_copy(update={"having": held})
    for pattern in _OVER:
        over = pattern.search(asked)
        named = _named(table, over["name"], lexicon, tagged) if over is not None else None
        if named is not None:
            mine = Query(source=table.name, where=named, columns=(Output(label="key", expr=superior),))
            return Query(source=table.name, where=InQuery(of=key, query=mine), columns=shown)
    under = _UNDER.search(asked)
    named = _named(table, under["name"], lexicon, tagged) if under is not None else None
    if named is None:
        return None
    theirs = Query(source=table.name, where=named, columns=(Output(label="key", expr=key),))
    where = InQuery(of=superior, query=theirs)
    if re.match(r"\W*(?:how many|(?:what is )?the number of|number of|count)\b", asked, re.IGNORECASE):
        count = Output(label=f"Number of {table.name}", expr=Aggregate(fn="count"))
        return Query(source=table.name, where=where, measures=(count,))
    return Query(source=table.name, where=where, columns=shown)


def _counted(table: Table, superior: ColumnRef, key: ColumnRef, shown: tuple[Output, ...]) -> Query:
    """How many rows refer to each superior."""
    alias = f"{table.name} (superior)"
    theirs = tuple(Output(label=output.label, expr=ColumnRef(table=alias, column=output.label)) for output in shown)
    on = JoinKey(left=superior, right=ColumnRef(table=alias, column=key.column))
    label = f"Number of {table.name}"
    return Query(
        source=table.name,
        joins=(Join(table=table.name, on=(on,), alias=alias),),
        where=Missing(of=superior, negated=True),
        groups=theirs,
        measures=(Output(label=label, expr=Aggregate(fn="count")),),
        order=(Order(by=label, descending=True),),
    )


def _names(table: Table, lexicon: Lexicon) -> list[Column]:
    return list(lexicon.schema.name_columns(table.name))


def _named(table: Table, name: str, lexicon: Lexicon, tagged: Tagged) -> Predicate | None:
    """The rows of that name: every word of it is a stored name or part of one."""
    wanted = name.strip().strip("\"'“”").casefold()
    columns = [column.name for column in _names(table, lexicon)]
    tests: list[Predicate] = []
    for item in tagged.items:
        said = item.text.strip("\"'“”").casefold()
        hits = [v for v in item.values if v.table == table.name and v.column in columns and v.score >= 0.7]
        if said and said in wanted and hits:
            best = max(hits, key=lambda value: value.score)
            ref = ColumnRef(table=table.name, column=best.column)
            tests.append(Compare(op="=", left=ref, right=Constant(value=best.value)))
    parts = name.strip().strip("\"'“”").split()
    if not tests and len(parts) == len(columns) == 2 and all(part[:1].isupper() for part in parts):
        tests = [
            Compare(op="=", left=ColumnRef(table=table.name, column=column), right=Constant(value=part))
            for column, part in zip(columns, parts, strict=True)
        ]
    number = re.fullmatch(
        rf"(?:{'|'.join(map(re.escape, (*_WORKERS, table.name)))})?s? ?(?:number|no|id)?[ .#]*(\d+)", wanted
    )
    key = lexicon.schema.key_column(table.name)
    if not tests and number is not None and key is not None and key.type == "integer":
        return Compare(
            op="=",
            left=ColumnRef(table=table.name, column=key.name),
            right=Constant(value=int(number[1]), type="number"),
        )
    return together(tests or _of_rank(table, re.sub(r"^(?:the|our|a|an) ", "", wanted), tagged))


def _of_rank(table: Table, wanted: str, tagged: Tagged) -> list[Predicate]:
    """ "who reports to the president": the one whose row holds that word, in whatever column."""
    for item in tagged.items:
        hit = next((v for v in item.values if v.table == table.name and v.score >= _WHOLE), None)
        if hit is not None and item.text.casefold() == wanted:
            ref = ColumnRef(table=table.name, column=hit.column)
            return [Compare(op="=", left=ref, right=Constant(value=hit.value))]
    return []
