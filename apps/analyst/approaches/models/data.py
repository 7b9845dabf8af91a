"""What a model is told of the data: tables, columns with what they mean, and how tables are joined. Pure text.

Stored values are told where a filter needs them: all of a small set, some of a larger one that groups rows. What
identifies rows or persons is never sampled; such a value is told only where the question says it (`prompt`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from apps.analyst.approaches.models.quoting import quoted
from apps.analyst.approaches.models.told import Told
from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.plan.spelling import spellings
from apps.analyst.types import Column, JoinPath, Table, Taught

MOST_LISTED, MOST_SAMPLES, MOST_VALUE = 12, 3, 40
"""Values of a set that are all listed, those told of a larger one, and how much of each is."""
_PERSONAL = re.compile(
    r"\.(?:\w*e?mail|phone\w*|(?:full|first|last|middle)_name|nickname|initials|address|account_number|card_number|"
    r"national_id|passport_number|emergency_contact)$"
)
_OF_PEOPLE = re.compile(
    r"\.(?:\w*agent|\w+_by|approver|artist|assignee|attendee|author|buyer|cashier|contact|customer|director|doctor|"
    r"driver|employee|guest|inspector|instructor|lead|learner|member|\w*manager|name|nurse|\w*officer|operator|"
    r"organi[sz]er|owner|partner|passenger|patient|person|picker|player|relationship|requester|salesperson|seller|shift|"
    r"sponsor|star|student|subscriber|supervisor|teacher|technician|tenant|user)$"
)
"""Concepts that are often, and not always, filled with the names of persons."""
_CALLED_FOR_PEOPLE = re.compile(
    r"(?:^| )(?:agent|approver|assignee|author|by|director|host|inspector|lead|manager|officer|organi[sz]er|owner|rep|"
    r"requester|responsible|supervisor)s?(?: name)?$",
    re.IGNORECASE,
)
"""Names of columns that are, whatever else the columns are held for."""
_APART = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\W]+")
_NAME_IN_CAPITALS = re.compile(r"[^\W\d_a-z][\w'’-]*\.?(?: [^\W\d_a-z][\w'’.-]*){1,3}")
_NAME_OF_ONE = re.compile(r"[^\W\d_][\w'’-]*\.?(?: [^\W\d_][\w'’.-]*){1,3}")
_SURELY_ONE = re.compile(r"(?:[A-Z]\.|Mrs?\.?|Ms\.?|Dr\.?) .*")
_LOOKS_PERSONAL = re.compile(r"[^@\s]+@[^@\s]+\.\w+|\+?[\d\s()/-]{8,}")
_YES_AND_NO = frozenset({"y", "n", "yes", "no", "true", "false"})
_FIGURE = re.compile(r"\W{0,3}\d[\d.,:/ ]*\W{0,2}\w{0,4}")
"""Figures and times that stand as text: a query has to take them apart, so that their form is told."""
MOST_TEXT = 4_000


def table_lines(
    table: Table,
    meaning: TableMeaning | None,
    columns: Sequence[Column],
    others: Sequence[str],
    told: Told = "values",
) -> Iterator[str]:
    """A table with these of its columns; of the others the names."""
    head = [f"{table.rows} rows"] if told != "names" else []
    if meaning is not None:
        head.append(f"one row: {meaning.row}")
        if meaning.date_column and sum(column.role == "time" for column in table.columns) > 1:
            head.append(f"dated by {quoted(meaning.date_column)}")
    if table.description:
        head.append(json.dumps(cut(table.description), ensure_ascii=False))
    yield f"table {json.dumps(table.name, ensure_ascii=False)}{': ' if head else ''}{', '.join(head)}"
    for column in columns:
        taught = [one for one in table.taught if one.column == column.name]
        means = meaning.column(column.name) if meaning is not None else None
        yield f"  {_column(column, table.rows, means, taught, told)}"
    if others:
        yield f"  further columns: {cut(', '.join(map(quoted, others)))}"


def join_line(join: JoinPath, told: Told = "values") -> str:
    """A join with its direction, and what to know of its keys."""
    keys = ", ".join(
        f"{quoted(join.left_table)}.{quoted(a)} -> {quoted(join.right_table)}.{quoted(b)}"
        for a, b in zip(join.left_columns, join.right_columns, strict=True)
    )
    said = ["many to one" if join.right_unique else "many to many"]
    if join.match_rate < 0.995 and told != "names":
        said.append(f"{100 * join.match_rate:.0f} % of the left find a partner")
    if join.fold:
        said.append("equal only without case, outer blanks and leading zeros")
    if join.embedded is not None:
        stretch = f"from letter {join.embedded.start + 1}"
        stretch += f", {join.embedded.length} letters" if join.embedded.length else ""
        said.append(f"the {join.embedded.side} key holds the other {stretch}")
    return f"join {keys}: {', '.join(said)}"


def columns_of(tables: Iterable[Table]) -> str:
    """The columns of tables, as the reason why a query is refused names them."""
    return " ".join(f"Columns of {table.name}: {', '.join(c.name for c in table.columns)}." for table in tables)


def cut(text: str) -> str:
    """A text as far as there is room for it."""
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


def is_personal(column: Column, meaning: ColumnMeaning | None) -> bool:
    """Whether the column identifies rows or persons: its values are nothing to be shown around."""
    if column.role == "id" or column.unique or (meaning is not None and meaning.kind == "identifier"):
        return True
    if meaning is not None and meaning.concept is not None and _PERSONAL.search(meaning.concept):
        return True
    texts = [found.value.strip() for found in column.values[:MOST_LISTED] if column.type == "text"]
    of_people = meaning is not None and meaning.concept is not None and bool(_OF_PEOPLE.search(meaning.concept))
    called = bool(_CALLED_FOR_PEOPLE.search(" ".join(filter(None, _APART.split(column.name)))))
    named = (of_people and _most(texts, _NAME_OF_ONE)) or (called and _most(texts, _NAME_IN_CAPITALS))
    return named or _most(texts, _LOOKS_PERSONAL)


def _most(texts: Sequence[str], pattern: re.Pattern[str]) -> bool:
    return bool(texts) and sum(bool(pattern.fullmatch(text)) for text in texts) > len(texts) / 2


def _told_codes(column: Column, meaning: ColumnMeaning | None, taught: Sequence[Taught]) -> Mapping[str, str]:
    """What codes mean that do not say it by themselves, as a yes and a no do, or a 0 and a 1 under the flag's name.
    A meaning that is found for one of several codes alone is as likely a chance, unless people said it."""
    says = meaning.says if meaning is not None and column.type != "boolean" else {}
    if {f"not {said}" for said in says.values()} & set(says.values()):
        return {}
    found = {code: said for code, said in says.items() if code.casefold() not in _YES_AND_NO}
    sure = {code for one in taught for code in one.values}
    return {} if len(found) == 1 < len(column.values) and not sure & set(found) else found


def _column(column: Column, rows: int, meaning: ColumnMeaning | None, taught: Sequence[Taught], told: Told) -> str:
    parts = [f"{quoted(column.name)} {column.type}"]
    parts += _meaning(column, meaning, any(one.label for one in taught))
    if told == "names":
        return ", ".join(parts)
    personal = is_personal(column, meaning)
    codes = _told_codes(column, meaning, taught)
    a_value = column.type == "text" and told != "values"
    if column.minimum is not None and not a_value and not (personal and column.type != "date"):
        parts.append(f"{_brief(column.minimum)} to {_brief(column.maximum)}")
    if told == "values":
        if column.type == "text" and column.values and not personal:
            parts += _values(column, rows, codes)
        else:
            parts += [f"{code}={said}" for code, said in codes.items()]
    if column.missing:
        parts.append(f"{column.missing} missing")
    return ", ".join(parts)


def _meaning(column: Column, meaning: ColumnMeaning | None, label: bool) -> Iterator[str]:
    """What a name does not say by itself. `label`: whether people taught one; abbreviations a model reads itself."""
    if column.unit:
        yield column.unit
    if column.unique:
        yield "unique"
    if column.description:
        yield json.dumps(column.description[:200], ensure_ascii=False)
    if meaning is None:
        return
    if label and meaning.label != column.name:
        yield f"means {meaning.label}"
    if meaning.synonyms:
        yield f"also called {', '.join(meaning.synonyms)}"
    if meaning.adds == "last":
        yield "a state, not summed over time"


def _values(column: Column, rows: int, says: Mapping[str, str]) -> Iterator[str]:
    whole = column.values_complete and len(column.values) <= MOST_LISTED
    figures = _most([found.value for found in column.values[:MOST_LISTED]], _FIGURE)
    if not whole and not figures and column.distinct > rows / 2:
        return  # names and notes: each stands alone
    chosen = [found.value for found in column.values[: MOST_LISTED if whole else MOST_SAMPLES]]
    variants = {other for _, others in spellings(column) for other in others}
    told = [_value(value, says) for value in chosen if value not in variants and not _SURELY_ONE.fullmatch(value)]
    yield f"{'one of' if whole else f'{column.distinct} values such as'} {' '.join(told)}"
    for spelling, others in spellings(column)[:MOST_SAMPLES]:
        yield f"{_literal(spelling)} is also spelt {' '.join(map(_literal, others[:MOST_SAMPLES]))}"


def _value(value: str, says: Mapping[str, str]) -> str:
    return f"{_literal(value)}={says[value]}" if says.get(value) else _literal(value)


def _literal(value: str) -> str:
    return "'" + value[:MOST_VALUE].replace("'", "''").replace("\n", " ") + ("…'" if len(value) > MOST_VALUE else "'")


def _brief(value: object) -> str:
    """A bound without digits that nobody needs, and without midnight."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value).removesuffix(" 00:00:00")
